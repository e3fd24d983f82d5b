//! Papers whose protocol is ours: what is contradicted of them, and what is found where they differ.

use std::rc::Rc;

use rand::RngExt;
use rayon::prelude::*;

use crate::claim::Verdict;
use crate::claim::printed::number::{AllowedWidth, JudgedNumber, PrintedText, judge};
use crate::claim::printed::whole;
use crate::claim::repeats::Repeats;
use crate::claim::sample::RunSample;
use crate::seed::{Id, Rng};
use crate::spec::{RunsBehind, Show, Statistic};

/// How a metric is distributed over ensembles.
#[derive(Debug, Clone, Copy)]
enum MetricKind {
    /// A bell about 0.8.
    Normal,
    /// Beta(8, 2): shares near their ceiling.
    Skewed,
    /// 0.9 in seven of ten cases, less in the others.
    Tied,
    /// Shares of 30 objects.
    Discrete,
}

const KINDS: [MetricKind; 4] = [MetricKind::Normal, MetricKind::Skewed, MetricKind::Tied, MetricKind::Discrete];

/// Our runs and the paper's.
const SIZES: [[usize; 2]; 4] = [[20, 20], [100, 20], [20, 100], [5, 20]];

impl MetricKind {
    fn draw(self, rng: &mut Rng) -> f64 {
        match self {
            Self::Normal => 0.8 + 0.05 * ((0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0),
            Self::Skewed => {
                // The second largest of nine uniform numbers.
                let mut nine: [f64; 9] = std::array::from_fn(|_| rng.random());
                nine.sort_unstable_by(f64::total_cmp);
                nine[7]
            }
            Self::Tied if rng.random_bool(0.7) => 0.9,
            Self::Tied => 0.9 - 0.1 * rng.random::<f64>(),
            Self::Discrete => (0..30).filter(|_| rng.random_bool(0.85)).count() as f64 / 30.0,
        }
    }

    /// Standard deviation.
    fn sd(self) -> f64 {
        match self {
            Self::Normal => 0.05,
            Self::Skewed => (8.0f64 * 2.0 / (100.0 * 11.0)).sqrt(),
            // 0.3 · E u² − (0.3 · E u)², u uniform to 0.1.
            Self::Tied => (0.3f64 * 0.01 / 3.0 - (0.3f64 * 0.05).powi(2)).sqrt(),
            Self::Discrete => (0.85f64 * 0.15 / 30.0).sqrt(),
        }
    }
}

fn sample(values: &[f64]) -> RunSample {
    let runs = values.iter().enumerate().map(|(n, value)| (format!("{n:03}"), vec![*value]));
    RunSample { runs: runs.collect(), ..RunSample::default() }
}

fn repeats(ensembles: usize) -> Vec<Rc<Repeats>> {
    vec![Rc::new(Repeats::of(RunsBehind { ensembles, repeats: 1 }))]
}

fn judged(ours: &RunSample, text: &str, statistic: Statistic, repeats: &[Rc<Repeats>]) -> JudgedNumber {
    let printed = PrintedText { text, allowed: AllowedWidth(0.05), metric: "accuracy", show: Show::Value };
    judge(String::new(), ours, statistic, &printed, repeats)
}

/// The share of simulated papers of which a number is contradicted; the paper's is shifted by so many standard errors.
fn contradicted(kind: MetricKind, [ours, theirs]: [usize; 2], statistic: Statistic, shift: f64, papers: usize) -> f64 {
    let mut rng =
        Id::of("calibration", &[format!("{kind:?} {ours} {theirs} {statistic:?} {shift}").as_bytes()]).rng("papers");
    let repeats = repeats(theirs);
    let error = kind.sd() * (1.0 / ours as f64 + 1.0 / theirs as f64).sqrt();
    let found = (0..papers).filter(|paper| {
        let mut draw = |n: usize| sample(&(0..n).map(|_| kind.draw(&mut rng)).collect::<Vec<_>>());
        let (mine, paper_runs) = (draw(ours), draw(theirs));
        // To either side, in turn.
        let side = if paper % 2 == 0 { 1.0 } else { -1.0 };
        let text = format!("{:.4}", paper_runs.estimate(statistic).value + side * shift * error);
        judged(&mine, &text, statistic, &repeats).evidence.verdict == Verdict::NotReproduced
    });
    found.count() as f64 / papers as f64
}

/// A share near `p`, known from so many papers, is above it by chance at most by this much.
fn monte_carlo(p: f64, papers: usize) -> f64 {
    3.0 * (p * (1.0 - p) / papers as f64).sqrt()
}

const PAPERS: usize = 400;

#[test]
fn true_repeats_are_contradicted_in_five_of_a_hundred_cases_at_most() {
    for kind in KINDS {
        for sizes in SIZES {
            let share = contradicted(kind, sizes, Statistic::Mean, 0.0, PAPERS);
            assert!(share <= 0.05 + monte_carlo(0.05, PAPERS), "{kind:?} {sizes:?}: {share}");
        }
    }
}

#[test]
fn other_statistics_of_true_repeats_are_contradicted_as_rarely() {
    const FEWER: usize = PAPERS / 2;
    let mut too_often = Vec::new();
    for statistic in [Statistic::Sd, Statistic::Median, Statistic::Max] {
        for kind in KINDS {
            for sizes in [[20, 20], [100, 20]] {
                let share = contradicted(kind, sizes, statistic, 0.0, FEWER);
                if share > 0.05 + monte_carlo(0.05, FEWER) {
                    too_often.push(format!("{statistic:?} {kind:?} {sizes:?}: {share}"));
                }
            }
        }
    }
    assert!(too_often.is_empty(), "{}", too_often.join("\n"));
}

#[test]
fn a_shift_of_three_standard_errors_is_found() {
    for sizes in [[20, 20], [100, 20], [20, 100]] {
        let share = contradicted(MetricKind::Normal, sizes, Statistic::Mean, 3.0, PAPERS);
        assert!(share >= 0.8 - monte_carlo(0.8, PAPERS), "{sizes:?}: {share}");
    }
}

/// The share of simulated tables that are not reproduced: `rows` methods, all on the same ensembles.
fn tables_contradicted(kind: MetricKind, [ours, theirs]: [usize; 2], shift: f64, tables: usize) -> f64 {
    const ROWS: usize = 12;
    let mut rng = Id::of("calibration", &[format!("{kind:?} {ours} {theirs} {shift}").as_bytes()]).rng("tables");
    let repeats = repeats(theirs);
    let error = kind.sd() * (1.0 / ours as f64 + 1.0 / theirs as f64).sqrt();
    let found = (0..tables).filter(|_| {
        // Half of what a method gets on an ensemble is the ensemble's.
        let mut draw = |n: usize| -> Vec<Vec<f64>> {
            let shared: Vec<f64> = (0..n).map(|_| kind.draw(&mut rng)).collect();
            let mut row = || {
                let one = |value: &f64| if rng.random_bool(0.5) { *value } else { kind.draw(&mut rng) };
                shared.iter().map(one).collect::<Vec<f64>>()
            };
            (0..ROWS).map(|_| row()).collect()
        };
        let (mine, theirs) = (draw(ours), draw(theirs));
        let numbers = mine.iter().zip(&theirs).map(|(mine, theirs)| {
            let mean = sample(theirs).estimate(Statistic::Mean).value;
            judged(&sample(mine), &format!("{:.4}", mean + shift * error), Statistic::Mean, &repeats)
        });
        let numbers: Vec<JudgedNumber> = numbers.collect();
        whole::judge(&numbers).is_some_and(|(verdict, _)| verdict == Verdict::NotReproduced)
    });
    found.count() as f64 / tables as f64
}

#[test]
fn true_repeats_of_a_table_are_consistent() {
    for (kind, sizes) in
        [(MetricKind::Normal, [20, 20]), (MetricKind::Discrete, [100, 20]), (MetricKind::Tied, [20, 20])]
    {
        let share = tables_contradicted(kind, sizes, 0.0, 60);
        assert!(share <= 0.05 + monte_carlo(0.05, 60), "{kind:?} {sizes:?}: {share}");
    }
    let share = tables_contradicted(MetricKind::Normal, [20, 20], 3.0, 20);
    assert!(share >= 0.8, "a table that is off by three standard errors everywhere: {share}");
}

/// Prints the table of docs/METHODOLOGY.md: `benches/calibration`.
#[test]
#[ignore = "takes minutes; benches/calibration runs it"]
fn calibration_table() {
    println!(
        "| metric | ours / paper | true repeats | shifted by 1 SE | 2 SE | 3 SE | sd | median | maximum | tables |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let rows: Vec<(MetricKind, [usize; 2])> =
        KINDS.iter().flat_map(|kind| SIZES.iter().map(|sizes| (*kind, *sizes))).collect();
    let rows: Vec<String> = rows.into_par_iter().map(|(kind, sizes)| calibration_row(kind, sizes)).collect();
    println!("{}", rows.join("\n"));
}

fn calibration_row(kind: MetricKind, sizes: [usize; 2]) -> String {
    const MANY: usize = 1000;
    let mean = [0.0, 1.0, 2.0, 3.0].map(|shift| contradicted(kind, sizes, Statistic::Mean, shift, MANY));
    let others = [Statistic::Sd, Statistic::Median, Statistic::Max];
    let others = others.map(|statistic| contradicted(kind, sizes, statistic, 0.0, MANY));
    let tables = tables_contradicted(kind, sizes, 0.0, MANY / 5);
    let shares = mean.into_iter().chain(others).chain([tables]);
    let cells: Vec<String> = shares.map(|share| format!("{:.1} %", 100.0 * share)).collect();
    let name = format!("{kind:?}").to_lowercase();
    format!("| {name} | {} / {} | {} |", sizes[0], sizes[1], cells.join(" | "))
}
