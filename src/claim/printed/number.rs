//! A printed number beside what a repeat of the paper's experiment would print.

use std::rc::Rc;

use super::forecast::{Basis, Forecast, Whose};
use crate::claim::checks::shown;
use crate::claim::estimate::Estimate;
use crate::claim::model::{NotRun, NumberEvidence, NumberJudgement};
use crate::claim::repeats::{Holds, Repeats};
use crate::claim::sample::RunSample;
use crate::claim::{Evidence, Verdict};
use crate::metric::{self, MetricInfo};
use crate::spec::{RunsBehind, Show, Statistic};

/// A printed number stands for everything that rounds to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rounded {
    pub(crate) value: f64,
    /// Half a unit of the last printed digit.
    pub(crate) half: f64,
}

impl Rounded {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let value: f64 = text.trim().parse().ok()?;
        // "1.5e10" has one digit after its point, and ten places before its end.
        let (mantissa, exponent) = match text.trim().split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text.trim(), 0),
        };
        let digits = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len());
        let half = 0.5 * 10f64.powi(exponent.checked_sub(i32::try_from(digits).ok()?)?);
        value.is_finite().then_some(Self { value, half })
    }

    pub(crate) fn low(&self) -> f64 {
        self.value - self.half
    }

    pub(crate) fn high(&self) -> f64 {
        self.value + self.half
    }

    /// Whether something that rounds to it lies in an interval.
    pub(crate) fn meets(&self, [low, high]: [f64; 2]) -> bool {
        let slack = 1e-9 * self.value.abs().max(1e-3);
        low <= self.high() + slack && high >= self.low() - slack
    }
}

/// The widest half-interval of ours by which a printed number counts as found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::claim) struct AllowedWidth(pub(in crate::claim) f64);

impl AllowedWidth {
    /// A twentieth of the metric's range; of the printed number itself where the metric has no range. Never less than
    /// the rounding.
    pub(in crate::claim) fn of(metric: &str, show: Show, printed: &str) -> Self {
        const SHARE: f64 = 0.05;
        let Some(printed) = Rounded::parse(printed) else { return Self(0.0) };
        let range = match metric::find(metric).is_some_and(MetricInfo::is_share) {
            true => (show.apply(1.0) - show.apply(0.0)).abs(),
            false => printed.value.abs(),
        };
        Self((SHARE * range).max(printed.half))
    }

    /// For differences and standard deviations, which are small beside the metric's range: at most half of the printed
    /// number, so that an interval from nothing to twice as much does not pass.
    pub(in crate::claim) fn of_spread(metric: &str, show: Show, printed: &str) -> Self {
        let Self(of_range) = Self::of(metric, show, printed);
        let own = Rounded::parse(printed).map_or(0.0, |number| (0.5 * number.value.abs()).max(number.half));
        Self(of_range.min(own))
    }
}

/// A printed number, and what it is of.
#[derive(Clone, Copy)]
pub(in crate::claim) struct PrintedText<'a> {
    pub(in crate::claim) text: &'a str,
    /// The widest interval that still says something.
    pub(in crate::claim) allowed: AllowedWidth,
    pub(in crate::claim) metric: &'a str,
    pub(in crate::claim) show: Show,
}

impl PrintedText<'_> {
    /// The ends of what its numbers can be at all.
    pub(in crate::claim) fn range(&self) -> Option<[f64; 2]> {
        metric::find(self.metric).filter(|metric| metric.is_share())?;
        let ends = [0.0, 1.0].map(|end| self.show.apply(end));
        Some([ends[0].min(ends[1]), ends[0].max(ends[1])])
    }

    /// What a forecast makes of it.
    pub(in crate::claim) fn beside(&self, forecast: &Forecast, ours: f64, n: usize) -> (Verdict, String) {
        let Some(printed) = Rounded::parse(self.text) else { return not_a_number() };
        let [low, high] = forecast.interval;
        let half = (high - low) / 2.0;
        if printed.meets(forecast.interval) {
            if half <= self.allowed.0 {
                return (Verdict::Reproduced, "what a repeat would print".to_owned());
            }
            let whose = match forecast.wider_for {
                Whose::Ours => format!("ours are too few ({n})"),
                Whose::Paper => "the paper's are too few".to_owned(),
            };
            let reason = format!("± {} of a repeat is wider than {}: {whose}", shown(half), shown(self.allowed.0));
            return (Verdict::Inconclusive { needed: None }, reason);
        }
        if let Some(beyond) = forecast.beyond.filter(|beyond| beyond.covers([printed.low(), printed.high()])) {
            let reason = format!(
                "beyond what our runs can tell: {} of them lies at {}, and the paper's is farther out in {:.0} % of cases",
                if beyond.statistic == Statistic::Min { "the smallest" } else { "the largest" },
                shown(beyond.ours),
                100.0 * beyond.chance
            );
            return (Verdict::Inconclusive { needed: None }, reason);
        }
        let distance = format!("{} from the printed number", shown(ours - printed.value));
        if printed.meets(forecast.guard) {
            let reason = format!("{distance}, outside the interval by less than skewed or tied runs could explain");
            return (Verdict::Inconclusive { needed: None }, reason);
        }
        (Verdict::NotReproduced, distance)
    }

    /// Beside a number that has an interval and no runs of its own: a mean over places. A repeat's error is ours, for another
    /// number of ensembles.
    pub(in crate::claim) fn against(&self, place: String, ours: &Estimate, repeats: &[Rc<Repeats>]) -> Evidence {
        let each = repeats.iter().map(|repeats| {
            let behind = repeats.behind;
            let factor = (1.0 + ours.n as f64 / behind.ensembles as f64).sqrt();
            let judged = ours.half_width().zip(Rounded::parse(self.text)).map(|(half, printed)| {
                let interval = [ours.value - half * factor, ours.value + half * factor];
                let (verdict, reason) = match printed.meets(interval) {
                    true if half * factor <= self.allowed.0 => {
                        (Verdict::Reproduced, "what a repeat would print".to_owned())
                    }
                    true => (Verdict::Inconclusive { needed: None }, "the interval of a repeat is too wide".to_owned()),
                    false => (
                        Verdict::NotReproduced,
                        format!("{} from the printed number", shown(ours.value - printed.value)),
                    ),
                };
                (NumberJudgement { behind, interval: Some(interval), verdict }, reason)
            });
            judged.unwrap_or_else(|| nothing_of_chance(behind))
        });
        let (judged, reasons) = each.unzip();
        summed_up(place, self.text, Summary { ours: ours.value, n: ours.n }, judged, reasons)
    }
}

fn not_a_number() -> (Verdict, String) {
    (Verdict::NotRun(NotRun::NotTestable), "this is not a number".to_owned())
}

fn nothing_of_chance(behind: RunsBehind) -> (NumberJudgement, String) {
    let verdict = Verdict::Inconclusive { needed: None };
    (
        NumberJudgement { behind, interval: None, verdict },
        "one value, or one ensemble, tells nothing of chance".to_owned(),
    )
}

/// What came of a printed number, and for each number of runs, which true repeats of it would be contradicted.
pub(in crate::claim) struct JudgedNumber {
    pub(in crate::claim) evidence: Evidence,
    pub(in crate::claim) contradicted: Vec<Option<Holds>>,
}

/// What is shown of ours.
pub(in crate::claim) struct Summary {
    pub(in crate::claim) ours: f64,
    pub(in crate::claim) n: usize,
}

/// Judges a printed statistic of runs, under each number of runs that the paper may have made.
pub(in crate::claim) fn judge(
    place: String,
    sample: &RunSample,
    statistic: Statistic,
    printed: &PrintedText,
    repeats: &[Rc<Repeats>],
) -> JudgedNumber {
    let ours = sample.estimate(statistic);
    let basis = Basis { sample, statistic, range: printed.range() };
    let forecasts = repeats.iter().map(|repeats| (repeats.behind, Forecast::new(&basis, repeats)));
    judge_by(place, printed, Summary { ours: ours.value, n: ours.n }, forecasts)
}

/// Judges a printed number by forecasts.
pub(in crate::claim) fn judge_by(
    place: String,
    printed: &PrintedText,
    ours: Summary,
    forecasts: impl Iterator<Item = (RunsBehind, Option<Forecast>)>,
) -> JudgedNumber {
    let half = Rounded::parse(printed.text).map_or(0.0, |printed| printed.half);
    let mut contradicted = Vec::new();
    let each = forecasts.map(|(behind, forecast)| {
        contradicted.push(forecast.as_ref().map(|forecast| Holds::of(|repeat| forecast.contradicts(half, repeat))));
        match forecast {
            None => nothing_of_chance(behind),
            Some(forecast) => {
                let (verdict, reason) = printed.beside(&forecast, ours.ours, ours.n);
                (NumberJudgement { behind, interval: Some(forecast.interval), verdict }, reason)
            }
        }
    });
    let (judged, reasons): (Vec<NumberJudgement>, Vec<String>) = each.unzip();
    JudgedNumber { evidence: summed_up(place, printed.text, ours, judged, reasons), contradicted }
}

/// One verdict from those under each number of runs: where they differ, it depends on what the paper does not say.
fn summed_up(place: String, text: &str, ours: Summary, judged: Vec<NumberJudgement>, reasons: Vec<String>) -> Evidence {
    let same = judged.windows(2).all(|two| two[0].verdict.name() == two[1].verdict.name());
    let (verdict, reason) = match (judged.first(), reasons.into_iter().next()) {
        (Some(first), Some(reason)) if same => (first.verdict, reason),
        _ => {
            let words = |judged: &NumberJudgement| format!("{} with {}", judgement_name(judged.verdict), judged.behind);
            let each: Vec<String> = judged.iter().map(words).collect();
            (Verdict::Inconclusive { needed: None }, format!("it depends on the paper's runs: {}", each.join(", ")))
        }
    };
    Evidence {
        ours: Some(ours.ours).filter(|value| value.is_finite()),
        interval: judged.first().and_then(|first| first.interval),
        n: ours.n,
        printed: Some(text.to_owned()),
        number: Some(NumberEvidence { at: Vec::new(), judged }),
        ..Evidence::at(place, verdict, reason)
    }
}

/// What a verdict on a printed number is called.
pub(crate) fn judgement_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "consistent",
        Verdict::NotReproduced => "contradicted",
        Verdict::Inconclusive { .. } => "inconclusive",
        Verdict::Impossible => "impossible",
        Verdict::NotRun(_) | Verdict::NothingFound => "not run",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(values: &[f64], statistic: Statistic, text: &str, sizes: &[usize]) -> Evidence {
        let runs = values.iter().enumerate().map(|(n, value)| (format!("{n:03}"), vec![*value]));
        let sample = RunSample { runs: runs.collect(), ..RunSample::default() };
        let repeats: Vec<Rc<Repeats>> = sizes
            .iter()
            .map(|ensembles| Rc::new(Repeats::of(RunsBehind { ensembles: *ensembles, repeats: 1 })))
            .collect();
        let printed = PrintedText { text, allowed: AllowedWidth(0.05), metric: "accuracy", show: Show::Value };
        judge(String::new(), &sample, statistic, &printed, &repeats).evidence
    }

    fn verdict(values: &[f64], text: &str) -> Verdict {
        judged(values, Statistic::Mean, text, &[20]).verdict
    }

    #[test]
    fn half_a_unit_of_the_last_digit_knows_exponents() {
        let half = |text: &str| Rounded::parse(text).unwrap().half;
        assert_eq!([half("0.90"), half("12"), half("-3.5")], [0.005, 0.5, 0.05]);
        for (text, expected) in [("1e-5", 0.5e-5), ("1.5e10", 0.5e9), ("2.50E-3", 0.5e-5)] {
            assert!((half(text) / expected - 1.0).abs() < 1e-12, "{text}: {}", half(text));
        }
        assert_eq!(Rounded::parse("NaN"), None);
    }

    #[test]
    fn a_number_stands_for_what_rounds_to_it() {
        let printed = Rounded::parse("0.8867").unwrap();
        assert!((printed.half - 0.00005).abs() < 1e-12);
        assert_eq!(Rounded::parse("12").map(|number| number.half), Some(0.5));
        assert_eq!(Rounded::parse(".999").map(|number| number.value), Some(0.999));
        assert_eq!(Rounded::parse("β"), None);
    }

    /// Forty values with a mean of 0.8 and a standard deviation near 0.05.
    fn forty() -> Vec<f64> {
        (0..40).map(|n| 0.8 + 0.0866 * (f64::from(n) / 19.5 - 1.0)).collect()
    }

    #[test]
    fn a_printed_mean_is_found_contradicted_or_undecided() {
        assert_eq!(verdict(&forty(), "0.81"), Verdict::Reproduced);
        assert_eq!(verdict(&forty(), "0.87"), Verdict::NotReproduced);
        assert_eq!(verdict(&[0.6, 0.9, 0.3], "0.7"), Verdict::Inconclusive { needed: None });
        assert_eq!(verdict(&[0.887], "0.887"), Verdict::Inconclusive { needed: None });
    }

    /// m ± t(n_o − 1) √(s² (1/n_p + 1/n_o)), by hand.
    #[test]
    fn the_interval_is_that_of_a_prediction() {
        let evidence = judged(&[0.7, 0.8, 0.9], Statistic::Mean, "0.8", &[20]);
        let half = 4.302_652_729_749_462 * 0.1 * (1.0f64 / 20.0 + 1.0 / 3.0).sqrt();
        let [low, high] = evidence.interval.unwrap();
        assert!((low - (0.8 - half)).abs() < 1e-9 && (high - (0.8 + half)).abs() < 1e-9, "{low} {high}");
    }

    #[test]
    fn a_number_is_judged_under_every_number_of_runs() {
        let evidence = judged(&forty(), Statistic::Mean, "0.84", &[100, 1]);
        let judged: Vec<&str> = evidence.number.unwrap().judged.iter().map(|one| judgement_name(one.verdict)).collect();
        assert_eq!(judged, ["contradicted", "inconclusive"]);
        assert_eq!(evidence.verdict, Verdict::Inconclusive { needed: None });
        assert!(evidence.reason.contains("contradicted with 100 runs, inconclusive with 1 run"), "{}", evidence.reason);
    }

    #[test]
    fn equal_runs_contradict_only_what_a_few_others_could_not_explain() {
        assert_eq!(verdict(&[0.9; 20], "0.9000"), Verdict::Reproduced);
        assert_eq!(verdict(&[0.9; 20], "0.8800"), Verdict::Inconclusive { needed: None });
        assert_eq!(verdict(&[0.9; 20], "0.5000"), Verdict::NotReproduced);
        assert_eq!(verdict(&[0.9; 200], "0.8000"), Verdict::NotReproduced);
    }

    #[test]
    fn an_extreme_farther_out_than_ours_is_beyond_what_our_runs_can_tell() {
        let largest = |text: &str| judged(&forty(), Statistic::Max, text, &[20]);
        assert_eq!(largest("0.8800").verdict, Verdict::Reproduced);
        assert_eq!(largest("0.7000").verdict, Verdict::NotReproduced);
        let beyond = largest("0.9500");
        assert_eq!(beyond.verdict, Verdict::Inconclusive { needed: None });
        assert!(beyond.reason.starts_with("beyond what our runs can tell"), "{}", beyond.reason);
        assert!(beyond.reason.contains("33 % of cases"), "20 of 60 runs are the paper's: {}", beyond.reason);
    }

    #[test]
    fn standard_deviations_and_medians_are_beside_those_of_repeats() {
        assert_eq!(judged(&forty(), Statistic::Sd, "0.052", &[20]).verdict, Verdict::Reproduced);
        assert_eq!(judged(&forty(), Statistic::Sd, "0.120", &[20]).verdict, Verdict::NotReproduced);
        assert_eq!(judged(&forty(), Statistic::Median, "0.810", &[20]).verdict, Verdict::Reproduced);
        assert_eq!(judged(&forty(), Statistic::Median, "0.900", &[20]).verdict, Verdict::NotReproduced);
    }

    #[test]
    fn tolerance_follows_the_range() {
        assert_eq!(AllowedWidth::of("accuracy", Show::ErrorPercent, "12.7"), AllowedWidth(5.0));
        assert_eq!(AllowedWidth::of("accuracy", Show::Value, "0.9"), AllowedWidth(0.05));
        assert_eq!(AllowedWidth::of("perplexity-train", Show::Value, "2.00"), AllowedWidth(0.1));
        assert_eq!(AllowedWidth::of_spread("accuracy", Show::Value, "-0.02"), AllowedWidth(0.01));
        assert_eq!(AllowedWidth::of_spread("accuracy", Show::Value, "0.000"), AllowedWidth(0.0005));
    }
}
