//! How often one method is significantly better than another, comparable and worse, against the means and standard
//! deviations that these t-tests were made of.
//!
//! With n runs each, a paired test has t = d √n / s, s the standard deviation of the differences, and a two-sample test
//! has √(s₁² + s₂²) for s. Either way |s₁ − s₂| ≤ s ≤ s₁ + s₂, and there are n − 1 (paired) to 2n − 2 (pooled) degrees of
//! freedom. Every printed number may be half a unit of its last digit off. So each comparison can come out in one, two or
//! three ways, whatever the t-test. A count must lie between the comparisons that can come out in no other way and those that
//! can come out so at all; where all three do, there is an assignment with these counts (Hall), and nothing more can be said.
//!
//! Where tests are said to be of two samples, s = √(s₁² + s₂²) to within rounding. A text may say how often each first method is
//! better at least: that is held against the most comparisons that can come out so.
//!
//! Where the three counts do not add up to the comparisons that are printed, those that are missing may be anything, and
//! those that are too many may be any.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{AuditFinding, impossible, share};
use crate::claim::Evidence;
use crate::claim::count::count as number_of;
use crate::claim::printed::number::Rounded;
use crate::facts::direction_of;
use crate::metric::Direction;
use crate::spec::claims::{SaidTriples, TestOfTriples};
use crate::spec::{
    Dimension, Experiment, PrintedNumber, PrintedTriple, Published, RunsBehind, Statistic, TableRequest,
};

/// The ways in which a comparison can come out, in the order of the counts.
const WAYS: [&str; 3] = ["better", "comparable", "worse"];

/// Looks at triples beside the means and standard deviations.
pub(super) fn look(table: &TableRequest, experiment: &Experiment, said: &SaidTriples) -> Result<AuditFinding, String> {
    let own = std::slice::from_ref(&table.published);
    let means = if said.means.is_empty() { own } else { &said.means };
    let stated = || share::stated(&means[0], experiment).map(RunsBehind::total);
    let runs = said.runs.or_else(stated).filter(|runs| *runs > 1);
    let runs = runs.ok_or("the paper does not state two or more runs, and the claim has no `runs`")?;
    let metric = table.metrics.first().map_or("", String::as_str);
    let sign = match table.show.direction(direction_of(metric)) {
        Direction::HigherIsBetter => 1.0,
        Direction::LowerIsBetter => -1.0,
        Direction::Neither => return Err(format!("neither high nor low values of {metric} are better")),
    };
    let tests = TTests::of(runs, said);
    let counted: Vec<CountedPair> =
        said.triples.iter().filter_map(|triple| CountedPair::of(triple, means, sign, &tests)).collect();
    if counted.is_empty() {
        return Err("no triple is of two methods whose means and standard deviations are printed".to_owned());
    }
    let (evidence, mut finding) = match said.at_least {
        Some(least) => counts_at_least(&counted, least, runs, said.test),
        None => counts_as_printed(&counted, runs, said.test),
    };
    let odd = counted.iter().filter(|pair| pair.missing() > 0 || pair.surplus() > 0).count();
    if odd > 0 {
        finding.push_str(&format!(" {odd} do not add up to the comparisons that are printed."));
    }
    if counted.len() < said.triples.len() {
        finding.push_str(&format!(" Nothing else is printed of {}.", said.triples.len() - counted.len()));
    }
    Ok(AuditFinding { evidence, finding })
}

/// What such tests are called.
fn words(test: TestOfTriples) -> &'static str {
    match test {
        TestOfTriples::Any => "t-test",
        TestOfTriples::TwoSample => "two-sample t-test",
    }
}

/// The triples that cannot be, and in a sentence how many.
fn counts_as_printed(counted: &[CountedPair], runs: usize, test: TestOfTriples) -> (Vec<Evidence>, String) {
    let evidence: Vec<Evidence> = counted.iter().filter_map(CountedPair::evidence).collect();
    let exact = counted.iter().filter(|pair| pair.plain == pair.triple.counts).count();
    let finding = format!(
        "Triples that no {} of {runs} runs each gives from the printed means and standard deviations: {} of {}. The \
         two-sample test gives {exact} of them exactly.",
        words(test),
        evidence.len(),
        number_of(counted.len(), "triple")
    );
    (evidence, finding)
}

/// The pairs whose first method cannot be better as often as a text says, and in a sentence how many.
fn counts_at_least(counted: &[CountedPair], least: usize, runs: usize, test: TestOfTriples) -> (Vec<Evidence>, String) {
    let evidence: Vec<Evidence> = counted.iter().filter_map(|pair| pair.evidence_against(least)).collect();
    let finding = format!(
        "Pairs whose first method no {} of {runs} runs each calls better at {least} places or more, from the printed means and \
         standard deviations: {} of {}.",
        words(test),
        evidence.len(),
        number_of(counted.len(), "pair")
    );
    (evidence, finding)
}

/// What t-tests with so many runs of each method call significant.
struct TTests {
    which: TestOfTriples,
    /// √n.
    root: f64,
    /// The t from which the pooled two-sample test does; no test does from less.
    pooled: f64,
    /// The t from which the paired test does; every test does from more.
    paired: f64,
}

impl TTests {
    fn of(runs: usize, said: &SaidTriples) -> Self {
        let critical = |freedom: f64| {
            let student = StudentsT::new(0.0, 1.0, freedom).expect("two or more runs leave a degree of freedom");
            student.inverse_cdf(1.0 - said.p_below / 2.0)
        };
        let n = runs as f64;
        Self { which: said.test, root: n.sqrt(), pooled: critical(2.0 * n - 2.0), paired: critical(n - 1.0) }
    }
}

/// Means and standard deviations of two methods at a place, so turned that higher is better.
struct TripleComparison {
    first: [Rounded; 2],
    second: [Rounded; 2],
    sign: f64,
}

impl TripleComparison {
    /// Between which ends the standard deviation lies that the difference is divided by, but for √n.
    fn spread(&self, test: TestOfTriples) -> [f64; 2] {
        let [sd, other] = [self.first[1], self.second[1]];
        match test {
            TestOfTriples::Any => {
                let apart = (sd.low() - other.high()).max(other.low() - sd.high());
                [apart.max(0.0), (sd.high() + other.high()).max(0.0)]
            }
            TestOfTriples::TwoSample => [sd.low().max(0.0).hypot(other.low().max(0.0)), sd.high().hypot(other.high())],
        }
    }

    /// Whether it can come out as better, comparable or worse by some t-test.
    fn possible(&self, tests: &TTests) -> [bool; 3] {
        let [mean, other] = [self.first[0], self.second[0]];
        let halves = mean.half + other.half;
        let difference = self.sign * (mean.value - other.value);
        let [low, high] = [difference - halves, difference + halves];
        let [narrow, wide] = self.spread(tests.which);
        let reached = |difference: f64| difference > 0.0 && difference * tests.root > tests.pooled * narrow;
        let nearest = low.max(-high).max(0.0);
        [reached(high), nearest * tests.root <= tests.paired * wide, reached(-low)]
    }

    /// How the two-sample test of the numbers as printed comes out: a position in [`WAYS`].
    fn plain(&self, tests: &TTests) -> usize {
        let ([mean, sd], [other, other_sd]) = (self.first, self.second);
        let difference = self.sign * (mean.value - other.value) * tests.root;
        let bound = tests.pooled * sd.value.hypot(other_sd.value);
        match difference {
            better if better > bound => 0,
            worse if worse < -bound => 2,
            _ => 1,
        }
    }
}

/// A triple beside what the comparisons allow.
struct CountedPair<'a> {
    triple: &'a PrintedTriple,
    comparisons: usize,
    /// Comparisons that can come out in this way only.
    fewest: [usize; 3],
    /// Comparisons that can come out in this way.
    most: [usize; 3],
    /// By the two-sample test of the numbers as printed.
    plain: [usize; 3],
}

impl<'a> CountedPair<'a> {
    fn of(triple: &'a PrintedTriple, means: &[Published], sign: f64, tests: &TTests) -> Option<Self> {
        let compared = means.iter().flat_map(|means| comparisons(means, triple, sign));
        let mut counted = Self { triple, comparisons: 0, fewest: [0; 3], most: [0; 3], plain: [0; 3] };
        for comparison in compared {
            let possible = comparison.possible(tests);
            let ways = possible.iter().filter(|possible| **possible).count();
            for (way, _) in possible.iter().enumerate().filter(|(_, possible)| **possible) {
                counted.most[way] += 1;
                counted.fewest[way] += usize::from(ways == 1);
            }
            counted.plain[comparison.plain(tests)] += 1;
            counted.comparisons += 1;
        }
        (counted.comparisons > 0).then_some(counted)
    }

    fn total(&self) -> usize {
        self.triple.counts.iter().sum()
    }

    /// Comparisons that are counted, and not printed.
    fn missing(&self) -> usize {
        self.total().saturating_sub(self.comparisons)
    }

    /// Comparisons that are printed, and not counted.
    fn surplus(&self) -> usize {
        self.comparisons.saturating_sub(self.total())
    }

    /// The smallest and the largest count there can be.
    fn bounds(&self, way: usize) -> [usize; 2] {
        [self.fewest[way].saturating_sub(self.surplus()), (self.most[way] + self.missing()).min(self.total())]
    }

    /// That the first method is not better as often as that.
    fn evidence_against(&self, least: usize) -> Option<Evidence> {
        let [_, most] = self.bounds(0);
        let [better, comparable, worse] = self.plain;
        let reason =
            format!("better at {most} places at most; the two-sample test gives {better}/{comparable}/{worse}");
        (most < least).then(|| impossible(self.triple.pair(), &format!("at least {least}"), reason))
    }

    fn evidence(&self) -> Option<Evidence> {
        let within = |way: usize| {
            let [low, high] = self.bounds(way);
            (low..=high).contains(&self.triple.counts[way])
        };
        if (0..WAYS.len()).all(within) {
            return None;
        }
        let interval = |way: usize| match self.bounds(way) {
            [low, high] if low == high => format!("{} must be {low}", WAYS[way]),
            [low, high] => format!("{} must lie in {low}–{high}", WAYS[way]),
        };
        let plain = self.plain.map(|count| count.to_string()).join("/");
        let reason = format!("{}, {}; the two-sample test gives {plain}", [0, 2].map(interval).join(", "), interval(1));
        Some(impossible(self.triple.pair(), &self.triple.text(), reason))
    }
}

/// The places at which both methods have a mean and a standard deviation.
fn comparisons(means: &Published, triple: &PrintedTriple, sign: f64) -> Vec<TripleComparison> {
    let at = |entry: &&PrintedNumber| entry.is(Statistic::Mean) && method(entry) == Some(triple.first.as_str());
    let compare = |entry: &PrintedNumber| {
        let of = |name: &str, statistic: Statistic| {
            let same = |other: &&PrintedNumber| {
                other.is(statistic) && method(other) == Some(name) && elsewhere_alike(entry, other)
            };
            Rounded::parse(&means.entries().iter().find(same)?.text)
        };
        let both = |name: &str| Some([of(name, Statistic::Mean)?, of(name, Statistic::Sd)?]);
        Some(TripleComparison { first: both(&triple.first)?, second: both(&triple.second)?, sign })
    };
    means.entries().iter().filter(at).filter_map(compare).collect()
}

/// The method a number is of.
fn method(entry: &PrintedNumber) -> Option<&str> {
    entry.at.iter().find(|(on, _)| *on == Dimension::Method).map(|(_, name)| name.trim())
}

/// Whether two numbers stand at the same place but for the method.
fn elsewhere_alike(one: &PrintedNumber, other: &PrintedNumber) -> bool {
    let rest = |entry: &PrintedNumber| {
        entry.at.iter().filter(|(on, _)| *on != Dimension::Method).cloned().collect::<Vec<(Dimension, String)>>()
    };
    rest(one) == rest(other)
}
