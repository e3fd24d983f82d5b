//! `--report`: fills the page of a consensus.

use std::path::Path;

use conclave_core::{Answer, Compared};

use super::answer::metrics;
use super::{ConsensusArguments, all, write};
use crate::cli::{Problem, text};
use crate::consensus::Watch;
use crate::data::LabelTable;
use crate::picture::{ByCluster, by_cluster};
use crate::report::{ConsensusPage, MembershipBars, TextTable, write_consensus};
use crate::run::slurm::quoted;
use crate::stats;
use crate::summary::{Axis, Figure, FigureKind, HeatMap, HeatPanel, Panel, Point, Series};

/// Bars of memberships: as many as can be told apart.
const MOST_BARS: usize = 200;

/// Writes the page of one answer, and of the comparison it came from.
pub(super) fn write(
    path: &Path,
    arguments: &ConsensusArguments,
    table: &LabelTable,
    answer: &Answer,
    comparison: Option<&Compared>,
) -> Result<(), Problem> {
    let matrix = by_cluster(&table.ensemble, &answer.solution.partition, &Watch::default())
        .map_err(|halt| Problem::new(format!("--report: {halt}")))?;
    let page = ConsensusPage {
        title: format!("Consensus of {} by {}", arguments.labels, answer.method.name),
        lead: vec![lead(table, answer, comparison)],
        command: command(),
        facts: facts(arguments, table, answer),
        memberships: memberships(answer, &matrix),
        figures: figures(answer),
        tables: tables(table, answer, comparison),
        notes: comparison.map_or_else(Vec::new, |comparison| {
            let reason = |left| all::reason(left, arguments.limit);
            comparison.left_out.iter().map(|left| format!("{}: {}", left.method, reason(left))).collect()
        }),
        matrix: heat_map(matrix, table),
    };
    Ok(write_consensus(&page, path)?)
}

fn command() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy())).collect();
    format!("conclave {}", words.join(" "))
}

fn lead(table: &LabelTable, answer: &Answer, comparison: Option<&Compared>) -> String {
    let clusters = text::counted(answer.solution.partition.clusters(), "cluster");
    let made = format!(
        "{clusters} of {} objects, from {} base clusterings.",
        table.ensemble.objects(),
        table.ensemble.columns()
    );
    match comparison {
        Some(comparison) => format!("{made} Recommended: {}.", comparison.reason),
        None => made,
    }
}

fn facts(arguments: &ConsensusArguments, table: &LabelTable, answer: &Answer) -> Vec<(String, String)> {
    let solution = &answer.solution;
    let mut facts = vec![
        ("Method", format!("{} ({})", answer.method.title, answer.method.reference)),
        ("Labels", {
            let (missing, rows) = (table.ensemble.missing(), table.ensemble.rows());
            format!("{}; {rows} distinct rows, {missing} labels missing", arguments.labels)
        }),
        ("Seed", arguments.seed.to_string()),
    ];
    if let Some(k) = answer.count.told() {
        facts.push(("k", answer.count.rule().map_or_else(|| k.to_string(), |rule| format!("{k} ({rule})"))));
    }
    if let Some(objective) = &solution.objective {
        facts.push(("Objective", format!("{} {:.4}", objective.name, objective.value)));
    }
    let ended = if solution.converged { "" } else { ", stopped at its limit" };
    facts.push(("Effort", format!("{} iterations{ended}, {:.3} s", solution.iterations, answer.seconds)));
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn name(cluster: usize) -> String {
    format!("cluster {cluster}")
}

fn heat_map(matrix: ByCluster, table: &LabelTable) -> HeatMap {
    let objects = table.ensemble.objects();
    let sampled = if matrix.shown.len() < objects {
        format!(" {} objects, taken evenly, stand for all.", matrix.shown.len())
    } else {
        String::new()
    };
    let classes = matrix.ends.iter().enumerate().map(|(cluster, &(from, to))| (name(cluster), from, to)).collect();
    HeatMap {
        id: "matrix".to_owned(),
        title: "How often objects are together".to_owned(),
        caption: format!(
            "Objects are sorted by cluster; a cell is the share of base clusterings labelling both objects that put them \
             into one cluster. Bright blocks on the diagonal are clusters that the base clusterings agree on.{sampled}"
        ),
        scale: "share of base clusterings".to_owned(),
        axis: "objects, by cluster".to_owned(),
        panels: vec![HeatPanel { name: String::new(), side: matrix.side, cells: matrix.cells, objects, classes }],
    }
}

fn memberships(answer: &Answer, matrix: &ByCluster) -> Option<MembershipBars> {
    let memberships = answer.solution.memberships.as_ref()?;
    let count = matrix.shown.len().min(MOST_BARS);
    let mut bars = vec![vec![0.0; memberships.columns()]; count];
    let mut sizes = vec![0.0; count];
    for (place, &object) in matrix.shown.iter().enumerate() {
        let bar = place * count / matrix.shown.len();
        sizes[bar] += 1.0;
        bars[bar].iter_mut().zip(memberships.object(object)).for_each(|(sum, share)| *sum += share);
    }
    for (bar, size) in bars.iter_mut().zip(sizes) {
        bar.iter_mut().for_each(|share| *share /= size);
    }
    let objects = matrix.ends.last().map_or(1, |&(_, end)| end) as f64;
    let clusters = matrix.ends.iter().enumerate();
    Some(MembershipBars {
        caption:
            "How much objects belong to each cluster: a bar is one object or the mean of neighbours, divided by colour."
                .to_owned(),
        bars,
        clusters: clusters
            .map(|(cluster, &(from, to))| (name(cluster), from as f64 / objects, to as f64 / objects))
            .collect(),
    })
}

fn figures(answer: &Answer) -> Vec<Figure> {
    let clusters = answer.solution.partition.clusters();
    let confidence = answer.confidence();
    let mut of_cluster: Vec<Vec<f64>> = vec![Vec::new(); clusters];
    for (object, &cluster) in answer.solution.partition.labels().iter().enumerate() {
        of_cluster[cluster as usize].push(confidence.object(object));
    }
    let point = |cluster: usize, y: f64, n: usize| Point {
        x: cluster as f64,
        y,
        low: y,
        high: y,
        n,
        quartiles: None,
        printed: None,
    };
    let sizes = of_cluster.iter().enumerate().map(|(cluster, own)| point(cluster, own.len() as f64, own.len()));
    let boxes = of_cluster.iter().enumerate().filter_map(|(cluster, own)| {
        let quartiles = stats::quartiles(own)?;
        Some(Point { quartiles: Some(quartiles), ..point(cluster, quartiles[2], own.len()) })
    });
    let sure = match answer.solution.memberships {
        Some(_) => "An object's membership in its own cluster.",
        None => "An object's mean co-association with the other objects of its cluster.",
    };
    vec![
        figure(FigureText {
            id: "sizes",
            title: "Cluster sizes",
            caption: "Objects in each cluster.",
            kind: FigureKind::Bar,
            y_label: "objects",
            points: sizes.collect(),
        }),
        figure(FigureText {
            id: "confidence",
            title: "Confidence",
            caption: &format!("{sure} Boxes span the quartiles, whiskers reach the extremes."),
            kind: FigureKind::Box,
            y_label: "confidence",
            points: boxes.collect(),
        }),
    ]
}

struct FigureText<'a> {
    id: &'a str,
    title: &'a str,
    caption: &'a str,
    kind: FigureKind,
    y_label: &'a str,
    points: Vec<Point>,
}

/// One panel, one series, a place for each cluster.
fn figure(shown: FigureText) -> Figure {
    let clusters = (0..shown.points.len()).map(|cluster| cluster.to_string()).collect();
    let series = Series { name: shown.y_label.to_owned(), points: shown.points };
    Figure {
        id: shown.id.to_owned(),
        title: shown.title.to_owned(),
        caption: shown.caption.to_owned(),
        kind: shown.kind,
        x_label: "cluster".to_owned(),
        y_label: shown.y_label.to_owned(),
        x: Axis::Categories(clusters),
        series: vec![series.name.clone()],
        panels: vec![Panel { name: String::new(), series: vec![series] }],
    }
}

fn tables(table: &LabelTable, answer: &Answer, comparison: Option<&Compared>) -> Vec<TextTable> {
    let mut tables = Vec::new();
    if let Some(comparison) = comparison {
        let (header, rows) = write::method_table(table, comparison);
        tables.push(TextTable {
            id: "methods".to_owned(),
            title: "Methods".to_owned(),
            caption: "Agreement with the base clusterings as mean NMI; the recommended method first.".to_owned(),
            header,
            rows,
        });
        let names = comparison.ranked.iter().map(|compared| compared.answer.method.name.to_owned());
        let header = std::iter::once("ARI".to_owned()).chain(names.clone()).collect();
        let rows = names
            .zip(&comparison.ari)
            .map(|(name, row)| std::iter::once(name).chain(row.iter().map(|value| format!("{value:.2}"))).collect());
        tables.push(TextTable {
            id: "agreement".to_owned(),
            title: "Agreement of methods with each other".to_owned(),
            caption: "Adjusted Rand index of every pair.".to_owned(),
            header,
            rows: rows.collect(),
        });
    }
    if let Some(metrics) = metrics(table, answer) {
        tables.push(TextTable {
            id: "metrics".to_owned(),
            title: "Against the classes".to_owned(),
            caption: "Definitions: conclave list metrics.".to_owned(),
            header: vec!["metric".to_owned(), "value".to_owned()],
            rows: metrics.iter().map(|(name, value)| vec![(*name).to_owned(), format!("{value:.4}")]).collect(),
        });
    }
    tables
}
