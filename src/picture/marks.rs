//! The marks of a picture, and what each of them is.

/// One thing a panel shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// What it is.
    pub part: MarkKind,
    /// Where it is, or where it begins.
    pub x: Option<f64>,
    /// Where it is, or where it ends.
    pub y: Option<f64>,
    /// Its number.
    pub value: Option<f64>,
    /// Its words.
    pub note: Option<String>,
}

/// What a mark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// There is no picture; the note says why.
    Failed,
    /// How many objects there are.
    Objects,
    /// L of the law; the note says where it is from.
    Length,
    /// Root mean square deviation of all pairs from the law.
    Deviation,
    /// A distance and the share split that the law has there.
    Law,
    /// A pair's distance and the share of base clusterings that split it.
    Pair,
    /// A bin of distances, from x to y, and how many pairs are in it.
    BinPairs,
    /// Their mean share split.
    BinMean,
    /// The mean of the law over them.
    BinLaw,
    /// A class: its positions from x to y, end excluded; the note is its name.
    Class,
    /// A cell of a symmetric matrix: column x, row y ≤ x, its value.
    Cell,
    /// A weight of links, and the share of all links that have it.
    LinkShare,
    /// A weight of links, and the share of these that join objects of one class.
    LinkRight,
}

impl MarkKind {
    const ALL: [(&'static str, Self); 13] = [
        ("failed", Self::Failed),
        ("objects", Self::Objects),
        ("length", Self::Length),
        ("deviation", Self::Deviation),
        ("law", Self::Law),
        ("pair", Self::Pair),
        ("bin-pairs", Self::BinPairs),
        ("bin-mean", Self::BinMean),
        ("bin-law", Self::BinLaw),
        ("class", Self::Class),
        ("cell", Self::Cell),
        ("link-share", Self::LinkShare),
        ("link-right", Self::LinkRight),
    ];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, part)| *part == self).map_or("", |(name, _)| name)
    }

    /// The part of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, part)| *part)
    }
}

impl Mark {
    /// Whether a picture can have such a mark: a file that was damaged before files had checksums may claim anything.
    #[must_use]
    pub(crate) fn is_possible(&self) -> bool {
        const LARGEST: f64 = 1e15;
        let numbers = [self.x, self.y, self.value].into_iter().flatten();
        let position = |number: Option<f64>| number.filter(|number| number.fract() == 0.0 && *number >= 0.0);
        let is_placed = match (self.part, position(self.x), position(self.y)) {
            (MarkKind::Cell, Some(x), Some(y)) => y <= x && x < super::co_association::MOST_CELLS as f64,
            (MarkKind::Class, Some(x), Some(y)) => x <= y,
            (part, ..) => !matches!(part, MarkKind::Cell | MarkKind::Class),
        };
        is_placed && numbers.into_iter().all(|number| number.abs() <= LARGEST)
    }

    /// A number by itself.
    #[must_use]
    pub(crate) fn number(part: MarkKind, value: f64) -> Self {
        Self { part, x: None, y: None, value: Some(value), note: None }
    }

    /// A number at x.
    #[must_use]
    pub(crate) fn at(part: MarkKind, x: f64, value: f64) -> Self {
        Self { x: Some(x), ..Self::number(part, value) }
    }

    /// A number between x and y, or at (x, y).
    #[must_use]
    pub(crate) fn over(part: MarkKind, [x, y]: [f64; 2], value: f64) -> Self {
        Self { y: Some(y), ..Self::at(part, x, value) }
    }

    /// Why there is no picture.
    #[must_use]
    pub(crate) fn failed(reason: String) -> Self {
        Self { part: MarkKind::Failed, x: None, y: None, value: None, note: Some(reason) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parts_are_read_back() {
        for (name, part) in MarkKind::ALL {
            assert_eq!((part.name(), MarkKind::parse(name)), (name, Some(part)));
        }
        assert_eq!(MarkKind::parse("cells"), None);
    }
}
