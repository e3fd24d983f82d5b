//! How many distinct rows ensembles have: most methods' work grows with them, not with the objects.

use std::sync::Arc;

/// How many distinct rows ensembles of one kind have, by how many base clusterings they have.
#[derive(Debug, Clone, PartialEq)]
pub struct RowGrowth {
    objects: f64,
    /// Of the first base clustering, of the first two, and so on, as far as they were looked at.
    seen: Arc<[usize]>,
}

impl RowGrowth {
    /// Nothing is known: all rows may differ.
    #[must_use]
    pub fn all_differ(objects: usize) -> Self {
        Self::of(objects, &[])
    }

    /// The first base clustering has `seen[0]` distinct rows, the first two have `seen[1]`, and so on.
    #[must_use]
    pub fn of(objects: usize, seen: &[usize]) -> Self {
        Self { objects: objects as f64, seen: seen.into() }
    }

    /// How many so many base clusterings are likely to have.
    ///
    /// Beyond what was seen, the number of different rows that there could be grows by the same power of the number of base
    /// clusterings as before; objects fall on them as balls into boxes, so that there are never more rows than objects.
    #[must_use]
    pub fn rows(&self, columns: usize) -> f64 {
        let known = self.seen.len();
        match columns.checked_sub(1).and_then(|last| self.seen.get(last)) {
            Some(rows) => *rows as f64,
            None if known < 2 || columns == 0 => self.objects,
            None => {
                let half = known / 2;
                let [before, now] = [half, known].map(|columns| self.possible(self.seen[columns - 1] as f64));
                let power = (now / before).ln() / (known as f64 / half as f64).ln();
                self.met(now * (columns as f64 / known as f64).powf(power))
            }
        }
    }

    /// The same where this share of the labels is missing.
    pub(super) fn masked(&self, columns: usize, missing: f64) -> f64 {
        let rows = self.rows(columns);
        // An object that lacks a label is hardly ever like another.
        let lacks = 1.0 - (1.0 - missing.clamp(0.0, 1.0)).powf(columns as f64);
        rows + (self.objects - rows).max(0.0) * lacks
    }

    /// How many different rows there could be, where the objects have met so many.
    fn possible(&self, rows: f64) -> f64 {
        // Where all objects differ nobody knows how many more there could be.
        let share = (rows / self.objects).min(1.0 - 0.1 / self.objects);
        -self.objects * (1.0 - share).ln()
    }

    /// How many of so many possible rows the objects meet.
    fn met(&self, possible: f64) -> f64 {
        self.objects * (1.0 - (-possible / self.objects).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_that_were_seen_and_beyond_them_grow_as_before() {
        let growth = RowGrowth::of(625, &[2, 4, 9, 16, 24, 38, 54, 70, 86, 100]);
        assert_eq!(growth.rows(5), 24.0);
        assert_eq!(growth.rows(10), 100.0);
        // k-means with two clusters on the balance scale: 266 and 436 are true.
        assert!((220.0..=380.0).contains(&growth.rows(20)), "{}", growth.rows(20));
        assert!((400.0..=625.0).contains(&growth.rows(40)), "{}", growth.rows(40));
        assert!(growth.rows(10_000) <= 625.0);
    }

    #[test]
    fn rows_that_do_not_grow_stay_as_few_and_without_a_look_all_may_differ() {
        assert!((RowGrowth::of(19_020, &[2; 13]).rows(40) - 2.0).abs() < 1e-6);
        assert_eq!(RowGrowth::of(150, &[3]).rows(20), 150.0);
        assert_eq!(RowGrowth::all_differ(150).rows(20), 150.0);
        assert!((RowGrowth::of(150, &[150; 8]).rows(20) - 150.0).abs() < 1.0);
    }

    #[test]
    fn missing_labels_make_rows_differ() {
        let growth = RowGrowth::of(500, &[2; 8]);
        assert!((growth.masked(20, 0.0) - 2.0).abs() < 1e-6);
        let [few, many] = [0.01, 0.3].map(|missing| growth.masked(20, missing));
        assert!(few > 50.0 && few < 150.0 && many > 490.0 && many <= 500.0, "{few} {many}");
    }
}
