//! Amounts as people say them.

/// "33 µs", "4.2 ms", "3.1 s".
pub(crate) fn time(seconds: f64) -> String {
    if seconds < 0.95e-3 {
        format!("{} µs", two_digits(seconds * 1e6))
    } else if seconds < 0.95 {
        format!("{} ms", two_digits(seconds * 1e3))
    } else {
        format!("{} s", two_digits(seconds))
    }
}

fn two_digits(value: f64) -> String {
    if value < 9.95 { format!("{value:.1}") } else { format!("{value:.0}") }
}

/// The name of a metric within a sentence: abbreviations in capitals.
pub(crate) fn spoken(metric: &str) -> String {
    const ABBREVIATIONS: [&str; 6] = ["ari", "nmi", "ami", "ri", "mp", "vi"];
    let word = |word: &str| if ABBREVIATIONS.contains(&word) { word.to_uppercase() } else { word.to_owned() };
    let words: Vec<String> =
        metric.split(' ').map(|part| part.split('-').map(word).collect::<Vec<_>>().join("-")).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_two_digits_and_a_unit_that_fits() {
        let texts = [1e-5, 3.3e-5, 0.000_42, 0.0042, 0.31, 2.26, 75.3].map(time);
        assert_eq!(texts, ["10 µs", "33 µs", "420 µs", "4.2 ms", "310 ms", "2.3 s", "75 s"]);
    }

    #[test]
    fn abbreviations_are_in_capitals() {
        let texts = ["ari", "nmi-sqrt", "accuracy", "error (1 − ari)"].map(spoken);
        assert_eq!(texts, ["ARI", "NMI-sqrt", "accuracy", "error (1 − ari)"]);
    }
}
