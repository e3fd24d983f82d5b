//! Numbers as text. All but [`exact`] are for people: they have "−" for minus and know no negative zero.

/// A number with a fixed count of digits after the point.
pub(super) fn fixed(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "n/a".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.to_owned();
    }
    let text = format!("{:.digits$}", value.abs());
    let is_zero = text.chars().all(|c| c == '0' || c == '.');
    if value < 0.0 && !is_zero { format!("−{text}") } else { text }
}

/// A p-value to four digits, or that it is smaller.
pub(super) fn p_value(p: f64) -> String {
    const LEAST: f64 = 0.0001;
    match fixed(p, 4) {
        _ if p < LEAST => "< 0.0001".to_owned(),
        one if one == "1.0000" => "1".to_owned(),
        text => text,
    }
}

/// A p-value to three digits without the zero that all have, for narrow columns.
pub(super) fn short_p(p: f64) -> String {
    const LEAST: f64 = 0.001;
    if p < LEAST {
        return "< .001".to_owned();
    }
    let text = fixed(p, 3);
    text.strip_prefix('0').map_or_else(|| "1".to_owned(), str::to_owned)
}

/// A difference or deviation of metrics: four digits after the point, fewer when there are many before it.
pub(super) fn difference(value: f64) -> String {
    let digits = match value.abs() {
        size if size < 10.0 => 4,
        size if size < 100.0 => 3,
        size if size < 1000.0 => 2,
        _ => 1,
    };
    fixed(value, digits)
}

/// A number of ours beside one that is printed: whole, as a [`difference`] otherwise, where the printed one is a whole number, too.
pub(super) fn beside(value: f64, printed: Option<&str>) -> String {
    let are_whole = value.fract() == 0.0 && printed.is_some_and(|text| text.parse::<i64>().is_ok());
    if are_whole { fixed(value, 0) } else { difference(value) }
}

/// A number with so many digits that count, without an exponent where it is not tiny.
pub(super) fn significant(value: f64, digits: usize) -> String {
    const TINY: f64 = 1e-4;
    if value == 0.0 || !value.is_finite() {
        return fixed(value, 0);
    }
    if value.abs() < TINY {
        return format!("{value:.*e}", digits.saturating_sub(1)).replace('-', "−");
    }
    let before = value.abs().log10().floor() as i64 + 1;
    fixed(value, usize::try_from(digits as i64 - before).unwrap_or(0))
}

/// The shortest text that reads back as the same number, for other programs; empty if it is not a number.
pub(super) fn exact(value: f64) -> String {
    const SMALL: f64 = 1e-5;
    const LARGE: f64 = 1e16;
    if value.is_nan() {
        return String::new();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.is_finite() && !(SMALL..LARGE).contains(&value.abs()) { format!("{value:e}") } else { value.to_string() }
}

/// "1 cell", "2 cells".
pub(super) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_digits() {
        assert_eq!(fixed(0.88666, 3), "0.887");
        assert_eq!(fixed(-1.5, 1), "−1.5");
        assert_eq!(fixed(12.0, 0), "12");
        assert_eq!(fixed(f64::NAN, 2), "n/a");
        assert_eq!(fixed(f64::NEG_INFINITY, 2), "−∞");
    }

    #[test]
    fn a_narrow_p_has_three_digits_and_no_zero_before_them() {
        assert_eq!([0.000_99, 0.001, 0.0499, 0.5, 1.0].map(short_p), ["< .001", ".001", ".050", ".500", "1"]);
    }

    #[test]
    fn there_is_no_negative_zero() {
        assert_eq!(fixed(-0.0, 2), "0.00");
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(fixed(-0.0006, 3), "−0.001");
    }

    #[test]
    fn p_values() {
        assert_eq!(p_value(0.0089), "0.0089");
        assert_eq!(p_value(0.000099), "< 0.0001");
        assert_eq!(p_value(0.0001), "0.0001");
        assert_eq!(p_value(1.0), "1");
    }

    #[test]
    fn digits_that_count() {
        let texts = [0.001_234, 0.5, 12.6, 1234.0, 1.2e-8, 0.0].map(|value| significant(value, 2));
        assert_eq!(texts, ["0.0012", "0.50", "13", "1234", "1.2e−8", "0"]);
    }

    #[test]
    fn beside_a_whole_number_stands_a_whole_number() {
        assert_eq!(beside(768.0, Some("768")), "768");
        assert_eq!(
            [beside(768.5, Some("768")), beside(768.0, None), beside(1.0, Some("1.00"))],
            ["768.50", "768.00", "1.0000"]
        );
    }

    #[test]
    fn differences_keep_about_five_digits() {
        assert_eq!(difference(-0.01234), "−0.0123");
        assert_eq!(difference(123.456), "123.46");
    }

    #[test]
    fn exact_numbers_read_back() {
        for value in [0.1 + 0.2, 1e-300, -2.5, 3.0, 1.0 / 3.0, 6.02e23, 1e-5] {
            let text = exact(value);
            assert_eq!(text.parse::<f64>().ok(), Some(value), "{text}");
            assert!(text.len() < 25, "{text}");
        }
        assert_eq!(exact(-0.0), "0");
        assert_eq!(exact(f64::NAN), "");
    }
}
