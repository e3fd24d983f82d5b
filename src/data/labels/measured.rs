//! Numbers among the labels of a file: measurements, which are no labels, and numbers that are spelled in two ways.

use super::suspects::{ENOUGH_ROWS, ReadColumns, is_called_like_classes};

/// So many different numbers with fractions can still be the names of clusters and their parts.
const MOST_FRACTIONS: usize = 20;

/// More different whole numbers than this may be measurements.
const MOST_COUNTED: usize = 20;

impl ReadColumns<'_> {
    pub(super) fn is_measured(&self, place: usize) -> bool {
        let labels = self.labels[place];
        labels.len() > MOST_FRACTIONS
            && self.is_numeric(place)
            && 2 * labels.iter().filter(|label| has_fraction(label)).count() > labels.len()
    }

    /// Whether a column has whole numbers with gaps, as measurements have.
    fn has_gaps(&self, place: usize) -> bool {
        let labels = self.labels[place];
        let numbers = labels.iter().map(|label| number(label).filter(|number| number.fract() == 0.0));
        let Some(numbers) = numbers.collect::<Option<Vec<f64>>>() else { return false };
        let (least, most) =
            numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &n| (least.min(n), most.max(n)));
        // A sample of the objects may have lost some clusters, but not a quarter of them.
        labels.len() > MOST_COUNTED && 3.0 * (most - least + 1.0) > 4.0 * labels.len() as f64
    }

    /// The columns that look measured, where half of them do, one that has the classes aside.
    pub(super) fn half_measured(&self, clusterings: &[usize]) -> Option<Vec<usize>> {
        let are_classes = |place: &usize| is_called_like_classes(self.names[*place]);
        let features: Vec<usize> = clusterings.iter().copied().filter(|place| !are_classes(place)).collect();
        let is_measured = |place: &usize| self.is_measured(*place) || (self.has_gaps(*place) && !self.differs(*place));
        let measured: Vec<usize> = features.iter().copied().filter(is_measured).collect();
        (measured.len() > 1 && 2 * measured.len() >= features.len()).then_some(measured)
    }

    pub(super) fn is_numeric(&self, place: usize) -> bool {
        self.labels[place].iter().all(|label| number(label).is_some())
    }

    /// Labels are texts: `1` and `1.0` are two.
    pub(super) fn numbers_spelled_twice(&self, places: &[usize]) -> Option<String> {
        let mut twice = places.iter().filter_map(|&place| Some((place, spelled_twice(self.labels[place])?)));
        let (place, [one, other]) = twice.next()?;
        let name = self.called(place);
        let more = match twice.count() {
            0 => String::new(),
            1 => ", and so in 1 more column".to_owned(),
            many => format!(", and so in {many} more columns"),
        };
        Some(format!(
            "{name} has `{one}` and `{other}`, which are different labels{more}; write them alike if they are the same"
        ))
    }
}

/// Whether nearly every row differs from all others, among rows enough to say so.
pub(super) fn nearly_all_differ(rows: usize, objects: usize) -> bool {
    objects >= ENOUGH_ROWS && 10 * rows > 9 * objects
}

/// A text as a number; Excel writes a comma before the fraction in half of the world.
pub(super) fn number(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.,eE".contains(&byte));
    if !is_plain {
        return None;
    }
    if text.contains(',') { text.replacen(',', ".", 1).parse().ok() } else { text.parse().ok() }
}

pub(super) fn has_fraction(text: &str) -> bool {
    number(text).is_some_and(|number| number.fract() != 0.0)
}

/// The first two spellings of one number.
fn spelled_twice(labels: &[Box<str>]) -> Option<[&str; 2]> {
    let mut numbers: Vec<(f64, &str)> = labels
        .iter()
        .filter_map(|label| Some((number(label).filter(|number| number.is_finite())? + 0.0, &**label)))
        .collect();
    numbers.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(other.1)));
    numbers.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| [pair[0].1, pair[1].1])
}
