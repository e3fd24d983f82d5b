//! Ranges and round ticks.

/// The part of an axis that is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) text: String,
}

impl Range {
    /// The least range with all finite values in it.
    pub(super) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        values.into_iter().filter(|value| value.is_finite()).fold(None, |range: Option<Self>, value| {
            let range = range.unwrap_or(Self { low: value, high: value });
            Some(Self { low: range.low.min(value), high: range.high.max(value) })
        })
    }

    /// The range with a share of its length added at both ends, and never empty.
    pub(super) fn padded(self, share: f64) -> Self {
        let length = self.high - self.low;
        let pad = if length > 0.0 { length * share } else { (self.low.abs() * 0.05).max(0.05) };
        Self { low: self.low - pad, high: self.high + pad }
    }

    /// Where a value lies: 0 at the low end, 1 at the high end.
    pub(super) fn share(self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// A step may be this much shorter than asked for: a few ticks more are better than half of them.
const NEAR: f64 = 0.8;

/// About `target` ticks at round values inside the range.
pub(super) fn ticks(range: Range, target: usize) -> Vec<Tick> {
    let raw = (range.high - range.low) / target.max(1) as f64;
    let magnitude = 10f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 2.5, 5.0].into_iter().find(|factor| factor * magnitude >= raw * NEAR).unwrap_or(10.0);
    at_multiples(range, factor * magnitude)
}

/// Like `ticks`, at whole numbers only.
pub(super) fn whole_ticks(range: Range, target: usize) -> Vec<Tick> {
    let raw = (range.high - range.low) / target.max(1) as f64;
    let magnitude = 10f64.powf(raw.log10().floor().max(0.0));
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * magnitude >= raw * NEAR).unwrap_or(10.0);
    at_multiples(range, factor * magnitude)
}

fn at_multiples(range: Range, step: f64) -> Vec<Tick> {
    let first = (range.low / step).ceil() as i64;
    let last = (range.high / step).floor() as i64;
    let digits = digits_of(step);
    (first..=last).map(|count| count as f64 * step).map(|at| Tick { at, text: tick_text(at, digits) }).collect()
}

fn digits_of(step: f64) -> usize {
    (0..9)
        .find(|digits| {
            let scaled = step * 10f64.powi(*digits);
            (scaled - scaled.round()).abs() < 1e-6 * scaled
        })
        .map_or(9, |digits| digits as usize)
}

fn tick_text(value: f64, digits: usize) -> String {
    const TOO_LONG: f64 = 1e6;
    if value.abs() >= TOO_LONG || digits > 5 {
        return format!("{value:e}").replace('-', "−");
    }
    super::super::numbers::fixed(value, digits)
}

/// A number as short as it can be said: for values used as names.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value}");
    let text = if text.len() > 7 { format!("{value:.3}") } else { text };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: Vec<Tick>) -> Vec<String> {
        ticks.into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn ticks_are_round_and_short() {
        assert_eq!(texts(ticks(Range { low: -0.02, high: 1.03 }, 5)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(ticks(Range { low: 0.0, high: 41.0 }, 4)), ["0", "10", "20", "30", "40"]);
        assert_eq!(texts(ticks(Range { low: -3.0, high: 3.0 }, 3)), ["−2", "0", "2"]);
    }

    #[test]
    fn whole_axes_have_no_fractions() {
        assert_eq!(texts(whole_ticks(Range { low: 1.9, high: 4.1 }, 8)), ["2", "3", "4"]);
    }

    #[test]
    fn one_value_still_has_a_range() {
        let range = Range::of([0.4]).expect("there is a value").padded(0.05);
        assert!(range.low < 0.4 && range.high > 0.4);
        assert!(!ticks(range, 4).is_empty());
    }

    #[test]
    fn values_that_are_not_numbers_are_left_out() {
        assert_eq!(Range::of([f64::NAN, 1.0, f64::INFINITY, 2.0]), Some(Range { low: 1.0, high: 2.0 }));
        assert_eq!(Range::of([f64::NAN]), None);
    }
}
