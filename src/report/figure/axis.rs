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

    /// The range without what lies beyond two bounds, unless nothing would be left.
    pub(super) fn within(self, [least, most]: [f64; 2]) -> Self {
        let cut = Self { low: self.low.max(least), high: self.high.min(most) };
        if cut.low < cut.high { cut } else { self }
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

/// Ticks of a logarithmic axis so many pixels wide, for a range of decimal logarithms: at 1, 2 and 5 times powers of ten where
/// these are far enough apart, else at fewer of them.
pub(super) fn log_ticks(range: Range, width: f64) -> Vec<Tick> {
    const APART: f64 = 30.0;
    const FACTORS: [&[f64]; 3] = [&[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
    let at = |factors: &[f64]| -> Vec<f64> {
        let powers = range.low.floor() as i32..=range.high.ceil() as i32;
        let all = powers.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
        all.filter(|value| (range.low..=range.high).contains(&value.log10())).collect()
    };
    let is_clear = |values: &Vec<f64>| {
        let gaps = values.windows(2).map(|pair| (pair[1] / pair[0]).log10() / (range.high - range.low) * width);
        values.len() > 1 && gaps.fold(f64::INFINITY, f64::min) >= APART
    };
    let candidates = FACTORS.map(at);
    if candidates[0].len() < 2 {
        return ticks(
            Range { low: 10f64.powf(range.low), high: 10f64.powf(range.high) },
            (width / APART / 2.0) as usize,
        );
    }
    let chosen = candidates.iter().find(|values| is_clear(values)).unwrap_or(&candidates[0]);
    // Where even powers of ten crowd, every second or third is named.
    let step = (chosen.len() as f64 * APART / width.max(1.0)).ceil().max(1.0) as usize;
    chosen.iter().step_by(step).map(|value| Tick { at: *value, text: short(*value) }).collect()
}

/// About `target` ticks at values that are round when counted in a unit.
pub(super) fn ticks_in(unit: f64, range: Range, target: usize) -> Vec<Tick> {
    let counted = Range { low: range.low / unit, high: range.high / unit };
    ticks(counted, target).into_iter().map(|tick| Tick { at: tick.at * unit, ..tick }).collect()
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
    fn logarithmic_axes_have_ticks_at_1_2_and_5() {
        let range = Range { low: 5f64.log10(), high: 500f64.log10() }.padded(0.04);
        assert_eq!(texts(log_ticks(range, 400.0)), ["5", "10", "20", "50", "100", "200", "500"]);
        assert_eq!(texts(log_ticks(range, 150.0)), ["10", "30", "100", "300"]);
        assert_eq!(texts(log_ticks(Range { low: 1.31, high: 1.68 }, 200.0)), ["30", "40"]);
        let wide = Range { low: -6.0, high: 6.0 };
        let few = texts(log_ticks(wide, 200.0));
        assert!((2..=7).contains(&few.len()) && few.contains(&"1".to_owned()), "{few:?}");
    }

    #[test]
    fn ticks_count_in_the_unit_of_the_axis() {
        let ticks = ticks_in(1e6, Range { low: -4e5, high: 1.6e7 }, 5);
        assert_eq!(texts(ticks.clone()), ["0", "5", "10", "15"]);
        assert_eq!(ticks[1].at, 5e6);
    }

    #[test]
    fn one_value_still_has_a_range() {
        let range = Range::of([0.4]).expect("there is a value").padded(0.05);
        assert!(range.low < 0.4 && range.high > 0.4);
        assert!(!ticks(range, 4).is_empty());
    }

    #[test]
    fn an_axis_ends_where_its_quantity_does() {
        let share = [0.0, 1.0];
        let ones = Range::of([1.0]).unwrap().padded(0.06).within(share);
        assert_eq!(texts(ticks(ones, 5)).last().map(String::as_str), Some("1.00"));
        assert_eq!(Range { low: 0.2, high: 0.8 }.within(share), Range { low: 0.2, high: 0.8 });
        assert_eq!(Range { low: 1.2, high: 1.8 }.within(share), Range { low: 1.2, high: 1.8 });
    }

    #[test]
    fn values_that_are_not_numbers_are_left_out() {
        assert_eq!(Range::of([f64::NAN, 1.0, f64::INFINITY, 2.0]), Some(Range { low: 1.0, high: 2.0 }));
        assert_eq!(Range::of([f64::NAN]), None);
    }
}
