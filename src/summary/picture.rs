//! Pictures, from stored marks.

use super::model::{
    Axis, Column, Figure, FigureKind, FigureScales, HeatMap, HeatPanel, Page, Panel, Point, Row, Series, Table,
    TableCell,
};
use crate::picture::{Mark, MarkKind, MatrixOrder, PictureKind};
use crate::plan::{Plan, PlannedPanel, PlannedPicture};
use crate::results::spelled_out;
use crate::spec::Experiment;
use crate::store::Pictures;

/// Adds the pictures of a plan to its page, from what is stored of them.
pub(super) fn add(page: &mut Page, plan: &Plan, pictures: &Pictures) {
    let there = plan.pictures.iter().filter(|_| !plan.experiment.datasets.is_empty());
    for picture in there {
        let shown = ShownPicture::of(picture, &plan.experiment, pictures);
        page.notes.extend(shown.notes());
        match picture.request.kind {
            PictureKind::SplitFrequency => {
                page.figures.push(shown.scatter());
                page.tables.push(shown.bins());
            }
            PictureKind::CoAssociation(order) => page.heat_maps.push(shown.heat_map(order)),
            PictureKind::LinkWeights => {
                page.figures.push(shown.link_lines());
                page.tables.push(shown.link_table());
            }
        }
    }
}

/// What is shown of links, and what it is called.
const LINK_PARTS: [(MarkKind, &str); 2] =
    [(MarkKind::LinkShare, "of all links"), (MarkKind::LinkRight, "of one class")];

/// A picture with what is stored of it.
struct ShownPicture<'a> {
    picture: &'a PlannedPicture,
    panels: Vec<ShownPanel<'a>>,
}

struct ShownPanel<'a> {
    name: String,
    /// None when there are none.
    marks: &'a [Mark],
    state: PanelState<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PanelState<'a> {
    Done,
    NotComputed,
    Failed(&'a str),
}

impl<'a> ShownPicture<'a> {
    fn of(picture: &'a PlannedPicture, experiment: &Experiment, pictures: &'a Pictures) -> Self {
        let panel = |panel: &PlannedPanel| {
            let value = picture.request.panel.zip(panel.value.as_ref());
            let name = value.map_or_else(String::new, |(dimension, value)| spelled_out(experiment, dimension, value));
            let marks: &[Mark] = pictures.get(&panel.id).map_or(&[], |marks| marks);
            let state = match marks.first() {
                None => PanelState::NotComputed,
                Some(Mark { part: MarkKind::Failed, note, .. }) => {
                    PanelState::Failed(note.as_deref().unwrap_or_default())
                }
                Some(_) => PanelState::Done,
            };
            ShownPanel { name, marks, state }
        };
        Self { picture, panels: picture.panels.iter().map(panel).collect() }
    }

    fn notes(&self) -> Vec<String> {
        let title = &self.picture.request.title;
        let note = |panel: &ShownPanel| {
            let what = if panel.name.is_empty() { title.clone() } else { format!("{title}, {}", panel.name) };
            match panel.state {
                PanelState::Done => None,
                PanelState::NotComputed => Some(format!("{what}: not computed yet")),
                PanelState::Failed(reason) => Some(format!("{what}: no picture, {reason}")),
            }
        };
        self.panels.iter().filter_map(note).collect()
    }

    fn caption(&self, more: &[String]) -> String {
        let parts = std::iter::once(&self.picture.request.caption).chain(more).filter(|part| !part.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    fn scatter(&self) -> Figure {
        const DOTS: &str = "pairs of objects";
        const LAW: &str = "1 − (1 − x/L)^r";
        let request = &self.picture.request;
        let series = |panel: &ShownPanel, part: MarkKind, name: &str| {
            let points = panel.of(part).filter_map(|mark| Some(point(mark.x?, mark.value?))).collect();
            Series { name: name.to_owned(), points }
        };
        let panels: Vec<Panel> = self
            .panels
            .iter()
            .map(|panel| {
                let both = [series(panel, MarkKind::Pair, DOTS), series(panel, MarkKind::Law, LAW)];
                let both = both.into_iter().filter(|series| !series.points.is_empty());
                Panel { name: panel.heading(), series: both.collect() }
            })
            .collect();
        let has = |name: &&str| panels.iter().flat_map(|panel| &panel.series).any(|series| series.name == *name);
        let first = self.panels.iter().find(|panel| panel.state == PanelState::Done);
        Figure {
            id: request.id.clone(),
            title: request.title.clone(),
            caption: self.caption(&first.map_or_else(Vec::new, ShownPanel::remarks)),
            kind: FigureKind::Scatter,
            x_label: "distance x".to_owned(),
            y_label: "share of partitions that split the pair".to_owned(),
            x: Axis::Numeric,
            series: [DOTS, LAW].iter().filter(|name| has(name)).map(|name| (*name).to_owned()).collect(),
            panels,
            scales: FigureScales::default(),
        }
    }

    /// Rows are bins of distances, columns the panels' means and laws.
    fn bins(&self) -> Table {
        let mut bins: Vec<[f64; 2]> = Vec::new();
        for mark in self.panels.iter().flat_map(|panel| panel.of(MarkKind::BinPairs)) {
            bins.extend(mark.x.zip(mark.y).map(|(x, y)| [x, y]).filter(|ends| !bins.contains(ends)));
        }
        bins.sort_by(|one, other| one[0].total_cmp(&other[0]).then(one[1].total_cmp(&other[1])));
        let shown = || [(MarkKind::BinMean, "split"), (MarkKind::BinLaw, "law")].into_iter();
        let with_columns = self.panels.iter().flat_map(|panel| {
            let there = shown().filter(|(part, _)| panel.of(*part).next().is_some() || *part == MarkKind::BinMean);
            there.map(move |(part, name)| (panel, part, name))
        });
        let with_columns: Vec<(&ShownPanel, MarkKind, &str)> = with_columns.collect();
        let group = |panel: &ShownPanel| (!panel.name.is_empty()).then(|| panel.name.clone());
        let rows = bins.iter().map(|ends| Row {
            keys: vec![format!("{:.2}–{:.2}", ends[0], ends[1])],
            cells: with_columns.iter().map(|(panel, part, _)| panel.cell(*part, *ends)).collect(),
        });
        let request = &self.picture.request;
        Table {
            id: request.table_id(),
            title: format!("{}: means over pairs", request.title),
            caption: self.deviations(),
            keys: vec!["distance".to_owned()],
            rows: rows.collect(),
            columns: with_columns
                .into_iter()
                .map(|(panel, _, name)| Column { group: group(panel), ..Column::named(name) })
                .collect(),
            digits: 3,
            references: Vec::new(),
            across: Vec::new(),
            quiet: Vec::new(),
        }
    }

    fn deviations(&self) -> String {
        let about = "Mean share of base clusterings that split a pair, over all pairs in a bin of distances.";
        let one = |panel: &ShownPanel| {
            let value = panel.number(MarkKind::Deviation)?;
            Some(if panel.name.is_empty() { format!("{value:.3}") } else { format!("{value:.3} ({})", panel.name) })
        };
        let deviations: Vec<String> = self.panels.iter().filter_map(one).collect();
        if deviations.is_empty() {
            return about.to_owned();
        }
        format!("{about} Root mean square deviation of single pairs from the law: {}.", deviations.join(", "))
    }

    fn link_lines(&self) -> Figure {
        let request = &self.picture.request;
        let series = |panel: &ShownPanel, (part, name): (MarkKind, &str)| {
            let points = panel.of(part).filter_map(|mark| Some(point(mark.x?, mark.value?))).collect();
            Series { name: name.to_owned(), points }
        };
        let panels = self.panels.iter().map(|panel| Panel {
            name: panel.heading(),
            series: LINK_PARTS.into_iter().map(|part| series(panel, part)).collect(),
        });
        Figure {
            id: request.id.clone(),
            title: request.title.clone(),
            caption: self.caption(&["Of one ensemble.".to_owned()]),
            kind: FigureKind::Line,
            x_label: "weight of a link: share of base clusterings that put both objects together".to_owned(),
            y_label: "share".to_owned(),
            x: Axis::Numeric,
            series: LINK_PARTS.map(|(_, name)| name.to_owned()).to_vec(),
            panels: panels.collect(),
            scales: FigureScales::default(),
        }
    }

    /// Rows are weights, columns the panels' shares.
    fn link_table(&self) -> Table {
        let mut weights: Vec<f64> =
            self.panels.iter().flat_map(|panel| panel.of(MarkKind::LinkShare)).filter_map(|mark| mark.x).collect();
        weights.sort_by(f64::total_cmp);
        weights.dedup();
        let with_columns: Vec<(&ShownPanel, (MarkKind, &str))> =
            self.panels.iter().flat_map(|panel| LINK_PARTS.into_iter().map(move |part| (panel, part))).collect();
        let cell = |panel: &ShownPanel, part: MarkKind, weight: f64| {
            let value = panel.of(part).find(|mark| mark.x == Some(weight)).and_then(|mark| mark.value);
            TableCell { value, n: usize::from(value.is_some()), ..TableCell::default() }
        };
        let rows = weights.iter().map(|&weight| Row {
            keys: vec![format!("{weight:.1}")],
            cells: with_columns.iter().map(|(panel, (part, _))| cell(panel, *part, weight)).collect(),
        });
        let group = |panel: &ShownPanel| (!panel.name.is_empty()).then(|| panel.name.clone());
        let columns =
            with_columns.iter().map(|(panel, (_, name))| Column { group: group(panel), ..Column::named(*name) });
        let request = &self.picture.request;
        Table {
            id: request.table_id(),
            title: format!("{}: numbers", request.title),
            caption: "Weights of links, in tenths; links of one ensemble.".to_owned(),
            keys: vec!["weight".to_owned()],
            rows: rows.collect(),
            columns: columns.collect(),
            digits: 3,
            references: Vec::new(),
            across: Vec::new(),
            quiet: Vec::new(),
        }
    }

    fn heat_map(&self, order: MatrixOrder) -> HeatMap {
        let request = &self.picture.request;
        let blocks = self.panels.iter().any(|panel| panel.matrix().0 < panel.objects());
        let blocks =
            if blocks { "Where there are more objects than cells, a cell is a mean over a block." } else { "" };
        let axis = match order {
            MatrixOrder::Truth => "objects, by class",
            MatrixOrder::Vat => "objects, in VAT order",
        };
        let panel = |panel: &ShownPanel| {
            let (side, cells) = panel.matrix();
            let classes = panel
                .of(MarkKind::Class)
                .filter_map(|mark| Some((mark.note.clone().unwrap_or_default(), mark.x? as usize, mark.y? as usize)));
            HeatPanel { name: panel.heading(), side, cells, objects: panel.objects(), classes: classes.collect() }
        };
        HeatMap {
            id: request.id.clone(),
            title: request.title.clone(),
            caption: self.caption(&[blocks.to_owned()]),
            scale: "share of base clusterings that put both objects into one cluster".to_owned(),
            axis: format!("{}{axis}", self.count()),
            panels: self.panels.iter().map(panel).collect(),
        }
    }

    /// "739 ", where all panels have as many objects.
    fn count(&self) -> String {
        let counts: Vec<usize> = self.panels.iter().map(ShownPanel::objects).filter(|count| *count > 0).collect();
        match counts.first() {
            Some(first) if counts.iter().all(|count| count == first) => format!("{first} "),
            _ => String::new(),
        }
    }
}

impl<'a> ShownPanel<'a> {
    fn of(&self, part: MarkKind) -> impl Iterator<Item = &'a Mark> + use<'a> {
        self.marks.iter().filter(move |mark| mark.part == part)
    }

    fn number(&self, part: MarkKind) -> Option<f64> {
        self.of(part).find_map(|mark| mark.value)
    }

    fn objects(&self) -> usize {
        self.number(MarkKind::Objects).unwrap_or(0.0) as usize
    }

    /// The panel's name, with L or with why there is nothing.
    fn heading(&self) -> String {
        let more = match (self.state, self.number(MarkKind::Length)) {
            (PanelState::NotComputed, _) => "not computed yet".to_owned(),
            (PanelState::Failed(_), _) => "no picture".to_owned(),
            (PanelState::Done, Some(length)) => format!("L = {length:.2}"),
            (PanelState::Done, None) => return self.name.clone(),
        };
        if self.name.is_empty() { more } else { format!("{}, {more}", self.name) }
    }

    /// What a caption says of a scatter of pairs.
    fn remarks(&self) -> Vec<String> {
        let dots = self.of(MarkKind::Pair).count();
        let all: f64 = self.of(MarkKind::BinPairs).filter_map(|mark| mark.value).sum();
        let drawn =
            if (dots as f64) < all { format!("{dots} of {all}, drawn at random") } else { format!("all {all}") };
        let length = self.of(MarkKind::Length).find_map(|mark| mark.note.clone());
        let length = length.map(|origin| format!("L of each panel is {origin}."));
        std::iter::once(format!("Dots are pairs of objects: {drawn}.")).chain(length).collect()
    }

    fn cell(&self, part: MarkKind, ends: [f64; 2]) -> TableCell {
        let at = |part: MarkKind| self.of(part).find(|mark| mark.x == Some(ends[0]) && mark.y == Some(ends[1]));
        let n = at(MarkKind::BinPairs).and_then(|mark| mark.value).unwrap_or(0.0) as usize;
        TableCell { value: at(part).and_then(|mark| mark.value), n, ..TableCell::default() }
    }

    /// The matrix, both halves, and how many rows it has.
    fn matrix(&self) -> (usize, Vec<f64>) {
        let side = self.of(MarkKind::Cell).filter_map(|mark| mark.x).fold(0, |side, x| side.max(x as usize + 1));
        let mut cells = vec![0.0; side * side];
        for mark in self.of(MarkKind::Cell) {
            if let (Some(x), Some(y), Some(value)) = (mark.x, mark.y, mark.value) {
                let (x, y) = (x as usize, y as usize);
                cells[y * side + x] = value;
                cells[x * side + y] = value;
            }
        }
        (side, cells)
    }
}

fn point(x: f64, y: f64) -> Point {
    Point { x, y, low: y, high: y, n: 1, quartiles: None, each: Vec::new(), printed: None }
}
