//! "did you mean …?"

/// Nobody mistypes a longer name.
const LONGEST: usize = 200;

/// The nearest of `known` to a mistyped `name`, as the end of a message: `; did you mean \`x\`?`. `None` when nothing is
/// near.
#[must_use]
pub fn did_you_mean(name: &str, known: &[&str]) -> Option<String> {
    nearest(name, known).map(|near| format!("; did you mean `{near}`?"))
}

/// The nearest of `known` to `name`: at most a third of its letters differ, or one contains the other.
#[must_use]
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let length = lower.chars().count();
    if length > LONGEST {
        return None;
    }
    let allowed = (length / 3).max(1);
    let by_edits = known
        .iter()
        // A difference of lengths is that many edits: names that are out of reach are not compared letter by letter.
        .filter(|candidate| candidate.chars().take(length + allowed + 1).count().abs_diff(length) <= allowed)
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), *candidate))
        .filter(|(edits, _)| *edits <= allowed)
        .min();
    let contained = || known.iter().copied().find(|candidate| lower.len() > 2 && candidate.contains(&lower));
    by_edits.map(|(_, candidate)| candidate).or_else(contained)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["mcla", "v-bce", "repeats", "generator"];
        assert_eq!(nearest("mlca", &known), Some("mcla"));
        assert_eq!(nearest("V-BEC", &known), Some("v-bce"));
        assert_eq!(nearest("repeat", &known), Some("repeats"));
        assert_eq!(nearest("entirely", &known), None);
    }
}
