//! A small page with every kind of trouble in it, for tests.

use crate::spec::{AxisScale, PanelRange, TestedAgainst};
use crate::summary::*;

const TRICKY: &str = "wine, <red> & \"white\"";

/// A page with one of each.
pub(super) fn page() -> Page {
    Page {
        title: "Mixture model <consensus>".to_owned(),
        finding: Some("Of 2 testable claims 1 holds as <stated>.".to_owned()),
        description: "First paragraph\nof two lines.\n\nSecond & last.".to_owned(),
        paper: Some("Topchy, Jain and Punch (2004), A mixture model for clustering ensembles.".to_owned()),
        paper_key: Some("topchy".to_owned()),
        reproduces: Some("Table 3".to_owned()),
        notes: vec!["k > 10 was not run.".to_owned()],
        claims: crate::claim::sample_scorecard().papers.remove(0).experiments.remove(0).judgements,
        tables: vec![table()],
        printed_dots: vec![printed_dots()],
        figures: vec![bars(), lines(), boxes(), scatter()],
        heat_maps: vec![heat_map()],
        rankings: vec![ranking()],
        tests: vec![test()],
        ..empty()
    }
}

/// A complete page without tables, figures or tests.
pub(super) fn empty() -> Page {
    Page {
        name: "sample".to_owned(),
        title: "An empty page".to_owned(),
        finding: None,
        scale: "paper".to_owned(),
        smaller: None,
        description: String::new(),
        paper: None,
        paper_key: None,
        reproduces: None,
        provenance: PageProvenance {
            command: "conclave report experiments/sample.toml".to_owned(),
            spec_path: "experiments/sample.toml".to_owned(),
            spec_text: "name = \"sample\"\n# a < b\n".to_owned(),
            spec_hash: "0123456789abcdef0123456789abcdef".to_owned(),
            version: "0.1.0".to_owned(),
            revision: "unknown".to_owned(),
            scale: "paper".to_owned(),
            seed: 7,
            datasets: vec![("iris".to_owned(), "feedface".to_owned())],
        },
        counts: CellCounts { planned: 4, done: 4, failed: 0, missing: 0 },
        failures: Vec::new(),
        stand_ins: Vec::new(),
        notes: Vec::new(),
        tables: Vec::new(),
        printed_dots: Vec::new(),
        figures: Vec::new(),
        tests: Vec::new(),
        heat_maps: Vec::new(),
        rankings: Vec::new(),
        claims: Vec::new(),
        multiverse: None,
    }
}

/// Three cells without a result.
pub(super) fn failure() -> Failure {
    Failure {
        method: "mm".to_owned(),
        dataset: "iris".to_owned(),
        status: "timed-out".to_owned(),
        reason: "more than 60 s".to_owned(),
        count: 3,
    }
}

/// Two levels of headings, a best cell, a printed value, empty cells.
pub(super) fn table() -> Table {
    let column = |group: &str, name: &str| Column::named(name).under(group);
    let mean = TableCell {
        value: Some(0.886_666_666_666_666_7),
        interval: Some([0.874_366_666_666_666_7, 0.898_966_666_666_666_7]),
        half_width: Some(0.0123),
        n: 50,
        best: true,
        printed: Some(".8867".to_owned()),
        ..TableCell::default()
    };
    let most = TableCell { value: Some(0.96), n: 50, ..TableCell::default() };
    let absent = TableCell { note: Some("not run: too slow".to_owned()), ..TableCell::default() };
    Table {
        id: "accuracy".to_owned(),
        title: "Accuracy in %".to_owned(),
        caption: "Means over 50 ensembles.".to_owned(),
        keys: vec!["dataset".to_owned()],
        columns: vec![column("mm", "mean"), column("mm", "max"), column("k_means", "mean"), column("k_means", "max")],
        rows: vec![
            Row { keys: vec!["iris".to_owned()], cells: vec![mean, most.clone(), most.clone(), most.clone()] },
            Row { keys: vec![TRICKY.to_owned()], cells: vec![most.clone(), most, absent.clone(), absent] },
        ],
        digits: 3,
        references: Vec::new(),
        across: Vec::new(),
        quiet: Vec::new(),
    }
}

/// One significant test and one that was refused.
pub(super) fn test() -> TestTable {
    let numbers = TestNumbers {
        n: 50,
        mean_difference: -0.0123,
        interval: [-0.02, -0.0046],
        bootstrap: [-0.0199, -0.0041],
        sd_first: 0.05,
        sd_second: 0.06,
        t: Some(-3.21),
        p: 0.00002,
        p_holm: 0.0089,
        sign: TestSign::Better,
        p_wilcoxon: 0.5,
        effect: None,
        above_equal_below: [10, 5, 35],
    };
    TestTable {
        id: "h1".to_owned(),
        title: "H1".to_owned(),
        caption: "H1: mm < k_means, paired by ensemble.".to_owned(),
        metric: "error".to_owned(),
        first: "mm".to_owned(),
        against: TestedAgainst::One("k_means".to_owned()),
        keys: vec!["dataset".to_owned()],
        rows: vec![
            TestRow { keys: vec!["iris".to_owned()], second: "k_means".to_owned(), outcome: Ok(numbers) },
            TestRow {
                keys: vec!["wine".to_owned()],
                second: "k_means".to_owned(),
                outcome: Err("only 1 pair".to_owned()),
            },
        ],
    }
}

/// One method against each of two others, on two datasets; one of them has no test.
pub(super) fn test_of_all() -> TestTable {
    let TestTable { rows, .. } = test();
    let tested = |sign: TestSign, p: f64| {
        let numbers = rows[0].outcome.clone().expect("the first is tested");
        Ok(TestNumbers { p_holm: p, sign, ..numbers })
    };
    let row = |dataset: &str, second: &str, outcome| TestRow {
        keys: vec![dataset.to_owned(), second.to_owned()],
        second: second.to_owned(),
        outcome,
    };
    TestTable {
        against: TestedAgainst::EachOther,
        keys: vec!["dataset".to_owned(), "against".to_owned()],
        rows: vec![
            row("iris", "k_means", tested(TestSign::Better, 0.0001)),
            row("iris", "mcla", tested(TestSign::Open, 0.2)),
            row("wine", "k_means", tested(TestSign::Worse, 0.031)),
            row("wine", "mcla", rows[1].outcome.clone()),
        ],
        ..test()
    }
}

/// Three datasets and many methods, one marked against the first.
pub(super) fn wide_table() -> Table {
    let cell = |method: usize| TableCell {
        value: Some(0.5 + method as f64 / 50.0),
        half_width: Some(0.0123),
        n: 50,
        marks: if method == 2 { vec![CellMark { reference: 0, sign: TestSign::Worse }] } else { Vec::new() },
        ..TableCell::default()
    };
    let row = |dataset: &str| Row { keys: vec![dataset.to_owned()], cells: (0..14).map(cell).collect() };
    let reference = MarkReference {
        metric: "error".to_owned(),
        first: "method 0".to_owned(),
        alternative: "two-sided",
        tests: vec!["H1".to_owned()],
    };
    Table {
        columns: (0..14).map(|place| Column::named(format!("method {place}"))).collect(),
        rows: vec![row("iris"), row("wine"), row("wdbc")],
        references: vec![reference],
        ..table()
    }
}

/// Printed numbers of the table, one of each judgement, and one without an interval.
pub(super) fn printed_dots() -> PrintedDots {
    let dot = |(place, judged): (usize, &DotJudgement)| PrintedDot {
        place: format!("iris, {}", place + 1),
        printed: 0.6 + 0.1 * place as f64,
        ours: 0.7,
        interval: (place > 0).then_some([0.65, 0.78]),
        judged: *judged,
    };
    let panel = |name: &str| DotPanel {
        name: name.to_owned(),
        scale: AxisScale::Linear,
        dots: DotJudgement::ALL.iter().enumerate().map(dot).collect(),
    };
    PrintedDots {
        id: "accuracy-against-printed".to_owned(),
        table: "accuracy".to_owned(),
        title: "Printed against ours: Accuracy in %".to_owned(),
        caption: "One mark per printed number.".to_owned(),
        quantity: "accuracy".to_owned(),
        range: PanelRange::Shared,
        panels: vec![panel("mm"), panel(TRICKY)],
    }
}

/// Bars over two categories.
pub(super) fn bars() -> Figure {
    let series = |name: &str, printed| Series {
        name: name.to_owned(),
        points: vec![Point { printed, ..point(0.0, 0.9) }, point(1.0, 0.7)],
    };
    Figure {
        id: "bars".to_owned(),
        title: "Accuracy by dataset".to_owned(),
        caption: "Whiskers are 95 % confidence intervals.".to_owned(),
        kind: FigureKind::Bar,
        x_label: "dataset".to_owned(),
        y_label: "accuracy".to_owned(),
        x: Axis::Categories(vec!["iris".to_owned(), TRICKY.to_owned()]),
        panels: vec![Panel { name: String::new(), series: vec![series("mm", Some(0.91)), series("k<means", None)] }],
        series: vec!["mm".to_owned(), "k<means".to_owned()],
        scales: FigureScales::default(),
    }
}

/// Lines in two panels, one of them with a single point.
pub(super) fn lines() -> Figure {
    let line = |name: &str, xs: &[f64]| Series {
        name: name.to_owned(),
        points: xs.iter().map(|x| point(*x, 0.5 + x / 10.0)).collect(),
    };
    Figure {
        id: "lines".to_owned(),
        kind: FigureKind::Line,
        x_label: "k".to_owned(),
        x: Axis::Numeric,
        panels: vec![
            Panel { name: "iris".to_owned(), series: vec![line("mm", &[2.0, 3.0, 4.0]), line("k<means", &[3.0])] },
            Panel { name: "nothing".to_owned(), series: Vec::new() },
        ],
        ..bars()
    }
}

/// Boxes over two categories.
pub(super) fn boxes() -> Figure {
    let mut figure = Figure { id: "boxes".to_owned(), kind: FigureKind::Box, ..bars() };
    for point in figure.panels.iter_mut().flat_map(|panel| &mut panel.series).flat_map(|series| &mut series.points) {
        point.quartiles = Some([0.5, 0.6, 0.7, 0.8, 0.9]);
    }
    figure
}

/// Dots with a curve over them.
pub(super) fn scatter() -> Figure {
    let mut figure = Figure { id: "scatter".to_owned(), kind: FigureKind::Scatter, ..lines() };
    figure.panels.truncate(1);
    figure
}

/// A matrix of two classes, and one that is not there yet.
pub(super) fn heat_map() -> HeatMap {
    let empty = HeatPanel { name: "nothing".to_owned(), side: 0, cells: Vec::new(), objects: 0, classes: Vec::new() };
    let filled = HeatPanel {
        name: TRICKY.to_owned(),
        side: 2,
        cells: vec![1.0, 0.25, 0.25, 0.5],
        objects: 5,
        classes: vec![("<red>".to_owned(), 0, 3), ("white".to_owned(), 3, 5)],
    };
    HeatMap {
        id: "matrix".to_owned(),
        title: "Co-associations".to_owned(),
        caption: "Means of blocks.".to_owned(),
        scale: "share together".to_owned(),
        axis: "objects, by class".to_owned(),
        panels: vec![filled, empty],
    }
}

/// Four methods, two of them tied, one with a long name; what each costs; a table with a form of its own.
pub(super) fn ranking() -> Ranking {
    let names = ["mm", TRICKY, "k<means", "a method with a name that goes on and on"];
    let mean_ranks = [1.5, 1.5, 2.75, 3.9];
    let mark = |(place, name): (usize, &&str)| TradeMark {
        method: (*name).to_owned(),
        cost: 10f64.powi(place as i32 - 4),
        quality: 0.9 - 0.01 * place as f64,
        standing: if place == 0 { Standing::Front } else { Standing::Beaten },
    };
    let p = TableCell { value: Some(0.000_01), form: NumberForm::PValue, n: 9, ..TableCell::default() };
    let wins = TableCell { outcomes: Some([6, 1, 2]), n: 9, ..TableCell::default() };
    let seconds = TableCell { value: Some(0.001_234), form: NumberForm::Time, n: 9, ..TableCell::default() };
    let column = |name: &str| Column::named(name);
    Ranking {
        id: "over-datasets".to_owned(),
        title: "Over datasets".to_owned(),
        caption: "9 datasets.".to_owned(),
        axis: "mean rank".to_owned(),
        places: names
            .iter()
            .zip(mean_ranks)
            .map(|(name, mean_rank)| RankPlace { method: (*name).to_owned(), mean_rank })
            .collect(),
        cliques: vec![[0, 2], [2, 3]],
        critical_difference: Some(1.25),
        trade: Some(Trade {
            id: "over-datasets-cost".to_owned(),
            title: "Quality against cost".to_owned(),
            caption: "Means.".to_owned(),
            cost_label: "time per run".to_owned(),
            cost_unit: crate::facts::FactUnit::Seconds,
            quality_label: "mean accuracy".to_owned(),
            marks: names.iter().enumerate().map(mark).collect(),
        }),
        tables: vec![Table {
            id: "over-datasets-duel".to_owned(),
            title: "A duel".to_owned(),
            caption: String::new(),
            keys: vec!["method".to_owned()],
            columns: vec![column("p"), column("won / tied / lost"), column("seconds")],
            rows: vec![Row { keys: vec!["mm".to_owned()], cells: vec![p, wins, seconds] }],
            digits: 3,
            references: Vec::new(),
            across: Vec::new(),
            quiet: Vec::new(),
        }],
        findings: vec!["Use mm: it costs 1 ms & is <best>.".to_owned()],
    }
}

fn point(x: f64, y: f64) -> Point {
    Point { x, y, low: y - 0.02, high: y + 0.02, n: 50, quartiles: None, each: Vec::new(), printed: None }
}
