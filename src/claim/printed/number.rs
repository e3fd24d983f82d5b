//! A printed number beside ours.

use crate::claim::checks::shown;
use crate::claim::estimate::Estimate;
use crate::claim::{Evidence, Verdict};
use crate::metric::{self, MetricInfo};
use crate::spec::Show;

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
        let digits = text.trim().split_once('.').map_or(0, |(_, digits)| digits.len());
        let half = 0.5 * 10f64.powi(-i32::try_from(digits).ok()?);
        value.is_finite().then_some(Self { value, half })
    }

    pub(crate) fn low(&self) -> f64 {
        self.value - self.half
    }

    pub(crate) fn high(&self) -> f64 {
        self.value + self.half
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

/// A printed number is found where what rounds to it meets our interval, and the interval is no wider than the tolerance;
/// a wider one that meets it decides nothing. One that does not meet it contradicts it. One ensemble decides nothing,
/// because nothing is known of chance. An extreme has no interval: it rounds to the printed number, or it does not.
pub(in crate::claim) fn judge(place: String, ours: &Estimate, text: &str, tolerance: AllowedWidth) -> Evidence {
    let (verdict, reason) = match (Rounded::parse(text), ours.interval(), ours.half_width()) {
        (None, _, _) => (Verdict::NotRun, "this is not a number".to_owned()),
        (_, None, _) | (_, _, None) => {
            (Verdict::Inconclusive { needed: None }, "one value tells nothing of chance".to_owned())
        }
        (Some(printed), Some([low, high]), Some(half)) => {
            let slack = 1e-9 * printed.value.abs().max(1e-3);
            let meets = low <= printed.high() + slack && high >= printed.low() - slack;
            let distance = ours.value - printed.value;
            if !meets {
                (Verdict::NotReproduced, format!("{} from the printed number", shown(distance)))
            } else if half > tolerance.0 {
                let reason = format!("within our interval, but ± {} is wider than {}", shown(half), shown(tolerance.0));
                (Verdict::Inconclusive { needed: ours.needed(tolerance.0) }, reason)
            } else {
                (Verdict::Reproduced, "within our interval and its rounding".to_owned())
            }
        }
    };
    Evidence {
        place,
        verdict,
        ours: Some(ours.value).filter(|value| value.is_finite()),
        interval: ours.shown_interval(),
        n: ours.n,
        printed: Some(text.to_owned()),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(values: &[f64], text: &str, tolerance: f64) -> Verdict {
        judge(String::new(), &Estimate::mean(values), text, AllowedWidth(tolerance)).verdict
    }

    #[test]
    fn a_number_stands_for_what_rounds_to_it() {
        let printed = Rounded::parse("0.8867").unwrap();
        assert!((printed.half - 0.00005).abs() < 1e-12);
        assert_eq!(Rounded::parse("12").map(|number| number.half), Some(0.5));
        assert_eq!(Rounded::parse(".999").map(|number| number.value), Some(0.999));
        assert_eq!(Rounded::parse("β"), None);
    }

    #[test]
    fn a_printed_number_is_found_contradicted_or_undecided() {
        assert_eq!(verdict(&[0.88, 0.89, 0.885], "0.887", 0.05), Verdict::Reproduced);
        assert_eq!(verdict(&[0.5, 0.5, 0.5], "0.5", 0.05), Verdict::Reproduced);
        assert_eq!(verdict(&[0.54, 0.54, 0.54], "0.5", 0.05), Verdict::Reproduced);
        assert_eq!(verdict(&[0.54, 0.54, 0.54], "0.50", 0.05), Verdict::NotReproduced);
        assert_eq!(verdict(&[0.70, 0.71, 0.705], "0.887", 0.05), Verdict::NotReproduced);
        assert!(matches!(verdict(&[0.6, 0.9, 0.3], "0.7", 0.05), Verdict::Inconclusive { needed: Some(3..) }));
        assert_eq!(verdict(&[0.887], "0.887", 0.05), Verdict::Inconclusive { needed: None });
    }

    #[test]
    fn an_extreme_rounds_to_the_printed_number_or_not() {
        let max = |value: f64| judge(String::new(), &Estimate::certain(value, 1), "0.8867", AllowedWidth(0.05)).verdict;
        assert_eq!(max(0.886_66), Verdict::Reproduced);
        assert_eq!(max(0.893), Verdict::NotReproduced);
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
