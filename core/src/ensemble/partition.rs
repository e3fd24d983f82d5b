use std::collections::BTreeMap;

/// A complete clustering of N objects with dense codes: every object has a label, every code below
/// [`Partition::clusters`] is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    labels: Vec<u32>,
    clusters: usize,
}

impl Partition {
    /// Re-codes arbitrary codes densely, keeping their order.
    #[must_use]
    pub fn from_codes(codes: &[u32]) -> Self {
        let mut dense = codes.to_vec();
        let clusters = densify(&mut dense);
        Self { labels: dense, clusters }
    }

    /// The label of every object.
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Number of clusters; none is empty.
    #[must_use]
    pub fn clusters(&self) -> usize {
        self.clusters
    }

    /// Number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no objects at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The same clustering with clusters numbered by their first object: equal partitions become equal values.
    #[must_use]
    pub fn by_first_object(&self) -> Self {
        let mut renumbered = vec![u32::MAX; self.clusters];
        let mut next = 0;
        let labels = self
            .labels
            .iter()
            .map(|&label| {
                let slot = &mut renumbered[label as usize];
                if *slot == u32::MAX {
                    *slot = next;
                    next += 1;
                }
                *slot
            })
            .collect();
        Self { labels, clusters: self.clusters }
    }
}

/// One base clustering: a dense code for every object, or a gap where its label is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels {
    codes: Vec<u32>,
    clusters: usize,
}

impl Labels {
    /// The code that stands for a missing label.
    pub const MISSING: u32 = u32::MAX;

    /// Re-codes arbitrary codes densely, keeping their order; `None` is a missing label.
    #[must_use]
    pub fn from_options(codes: impl IntoIterator<Item = Option<u32>>) -> Self {
        Self::from_codes(codes.into_iter().map(|code| code.unwrap_or(Self::MISSING)).collect())
    }

    /// As [`Labels::from_options`], with [`Labels::MISSING`] for a missing label.
    #[must_use]
    pub fn from_codes(mut codes: Vec<u32>) -> Self {
        let clusters = densify(&mut codes);
        Self { codes, clusters }
    }

    /// The code of every object, [`Labels::MISSING`] where there is none.
    #[must_use]
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Number of clusters that occur.
    #[must_use]
    pub fn clusters(&self) -> usize {
        self.clusters
    }

    /// Number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no objects at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }
}

/// Makes codes dense in place, keeping their order and leaving [`Labels::MISSING`] alone; returns how many there are.
pub(super) fn densify(codes: &mut [u32]) -> usize {
    let largest = codes.iter().filter(|&&code| code != Labels::MISSING).max().map_or(0, |&code| code as usize);
    if largest > 4 * codes.len() {
        return densify_sparse(codes);
    }
    // As nearly always, codes are small: a table of them is quicker than a search for each.
    let mut dense = vec![u32::MAX; largest + 1];
    for code in codes.iter().filter(|&&code| code != Labels::MISSING) {
        dense[*code as usize] = 0;
    }
    let mut next = 0;
    for slot in dense.iter_mut().filter(|slot| **slot == 0) {
        *slot = next;
        next += 1;
    }
    for code in codes.iter_mut().filter(|code| **code != Labels::MISSING) {
        *code = dense[*code as usize];
    }
    next as usize
}

fn densify_sparse(codes: &mut [u32]) -> usize {
    let mut dense: BTreeMap<u32, u32> =
        codes.iter().filter(|&&code| code != Labels::MISSING).map(|&code| (code, 0)).collect();
    for (position, slot) in dense.values_mut().enumerate() {
        *slot = u32::try_from(position).expect("there are fewer codes than u32 values");
    }
    for code in codes.iter_mut().filter(|code| **code != Labels::MISSING) {
        *code = dense[code];
    }
    dense.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_become_dense_and_keep_their_order() {
        let partition = Partition::from_codes(&[7, 3, 7, 9]);
        assert_eq!(partition.labels(), [1, 0, 1, 2]);
        assert_eq!(partition.clusters(), 3);
        let labels = Labels::from_options([Some(5), None, Some(2), Some(5)]);
        assert_eq!(labels.codes(), [1, Labels::MISSING, 0, 1]);
        assert_eq!(labels.clusters(), 2);
    }

    #[test]
    fn codes_far_apart_become_dense_like_codes_close_together() {
        let mut far = [4_000_000_000, 7, Labels::MISSING, 7, 500];
        assert_eq!((densify(&mut far), far), (3, [2, 0, Labels::MISSING, 0, 1]));
        let mut none = [Labels::MISSING; 2];
        assert_eq!(densify(&mut none), 0);
    }

    #[test]
    fn equal_clusterings_are_equal_when_numbered_by_first_object() {
        let a = Partition::from_codes(&[2, 2, 0, 1]).by_first_object();
        let b = Partition::from_codes(&[0, 0, 1, 2]).by_first_object();
        assert_eq!(a, b);
    }
}
