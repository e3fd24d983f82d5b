//! The pictures of the page.

use conclave_core::Answer;
use conclave_core::stability::{Finding, KStability};

use crate::cli::k_choice::KChoice;
use crate::picture::ByCluster;
use crate::report::{MembershipBars, StabilityCurve, StabilityCurves};
use crate::stats;
use crate::summary::{Axis, Figure, FigureKind, FigureScales, HeatMap, HeatPanel, Panel, Point, Series};

/// Bars of memberships: as many as can be told apart.
const MOST_BARS: usize = 200;

pub(super) fn name(cluster: usize) -> String {
    format!("cluster {cluster}")
}

pub(super) fn heat_map(matrix: ByCluster, objects: usize) -> HeatMap {
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

pub(super) fn memberships(answer: &Answer, matrix: &ByCluster) -> Option<MembershipBars> {
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

pub(super) fn figures(answer: &Answer) -> Vec<Figure> {
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
        each: Vec::new(),
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
            bounds: [0.0, f64::INFINITY],
        }),
        figure(FigureText {
            id: "confidence",
            title: "Confidence",
            caption: &format!("{sure} Boxes span the quartiles, whiskers reach the extremes."),
            kind: FigureKind::Box,
            y_label: "confidence",
            points: boxes.collect(),
            bounds: [0.0, 1.0],
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
    bounds: [f64; 2],
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
        scales: FigureScales { bounds: shown.bounds, ..FigureScales::default() },
    }
}

pub(super) fn stability(choice: &KChoice) -> StabilityCurves {
    let found = choice.stability;
    let curve = |count: &KStability| StabilityCurve {
        clusters: count.clusters,
        cdf: count.cdf.shares.clone(),
        pac: count.cdf.pac,
        reference_pac: count.reference_pac,
        references: count.reference_range,
    };
    StabilityCurves {
        caption: format!(
            "{}. {}. Left: a k is stable where its curve is flat between 0.1 and 0.9, so that pairs are nearly always or nearly never              together. Right: the share of pairs in between, beside references (mean and range); what counts is how far the data are              below them.",
            choice.finding(),
            choice.drawn()
        ),
        counts: found.counts.iter().map(curve).collect(),
        chosen: (found.finding != Finding::NoStructure).then(|| found.finding.clusters()),
    }
}
