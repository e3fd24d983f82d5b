//! Agglomerative clustering by single, average, complete, Ward and centroid linkage.
//!
//! Starting from single objects, the two nearest clusters A and B are merged until one is left. Their distance d(A, B) is
//!
//! * single: the smallest distance of an object of A to one of B,
//! * complete: the largest,
//! * average: the mean over all |A|·|B| pairs,
//! * centroid: the distance of their means,
//! * Ward: that distance times √(2|A||B| / (|A| + |B|)), whose square is twice the growth of the sum of squares
//!   (J. Ward, Hierarchical grouping to optimize an objective function, 1963).
//!
//! These are SciPy's definitions and heights. The work is done by the crate `kodama` (D. Müllner, Modern hierarchical,
//! agglomerative clustering algorithms, 2011), in O(N²) time (centroid: usually) and one distance a pair of objects.

#[cfg(test)]
mod tests;

use crate::data::Matrix;

/// How far two clusters are from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linkage {
    /// The nearest pair of objects.
    Single,
    /// The mean over the pairs of objects.
    Average,
    /// The farthest pair of objects.
    Complete,
    /// The growth of the sum of squares. Wants Euclidean distances.
    Ward,
    /// The means of the clusters. Wants Euclidean distances.
    Centroid,
}

impl Linkage {
    fn method(self) -> kodama::Method {
        match self {
            Self::Single => kodama::Method::Single,
            Self::Average => kodama::Method::Average,
            Self::Complete => kodama::Method::Complete,
            Self::Ward => kodama::Method::Ward,
            Self::Centroid => kodama::Method::Centroid,
        }
    }
}

/// The distances of all pairs of objects: (0, 1), (0, 2), …, (1, 2), ….
#[derive(Debug, Clone, PartialEq)]
pub struct PairDistances {
    objects: usize,
    distances: Vec<f64>,
}

impl PairDistances {
    /// Asks for the distance of every pair (i, j) with i < j, once. Distances must not be NaN.
    #[must_use]
    pub fn from_fn(objects: usize, mut distance: impl FnMut(usize, usize) -> f64) -> Self {
        let mut distances = Vec::with_capacity(objects * objects.saturating_sub(1) / 2);
        for first in 0..objects {
            distances.extend((first + 1..objects).map(|second| distance(first, second)));
        }
        debug_assert!(distances.iter().all(|distance| !distance.is_nan()));
        Self { objects, distances }
    }

    /// Euclidean distances.
    #[must_use]
    pub fn euclidean(data: &Matrix) -> Self {
        let squared = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
        Self::from_fn(data.rows(), |first, second| squared(data.row(first), data.row(second)).sqrt())
    }

    /// Number of objects.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.objects
    }

    /// The distance of two objects; an object's distance to itself is 0.
    #[must_use]
    pub fn between(&self, a: usize, b: usize) -> f64 {
        let (first, second) = (a.min(b), a.max(b));
        if first == second {
            return 0.0;
        }
        // The rows before `first` hold N − 1, N − 2, … distances.
        self.distances[first * (2 * self.objects - first - 1) / 2 + (second - first - 1)]
    }

    /// Merges clusters until one is left. Takes the distances, since the work is done in their place.
    #[must_use]
    pub fn linkage(mut self, linkage: Linkage) -> Dendrogram {
        let steps = kodama::linkage(&mut self.distances, self.objects, linkage.method());
        let merge = |step: &kodama::Step<f64>| Merge {
            clusters: (step.cluster1, step.cluster2),
            // Centroid linkage subtracts squares: for objects at one place rounding can leave the root of less than 0.
            height: step.dissimilarity.max(0.0),
            size: step.size,
        };
        Dendrogram { objects: self.objects, merges: steps.steps().iter().map(merge).collect() }
    }
}

/// Merges the objects' Euclidean distances into a tree.
#[must_use]
pub fn linkage(data: &Matrix, linkage: Linkage) -> Dendrogram {
    PairDistances::euclidean(data).linkage(linkage)
}

/// The tree of merges, one less than there are objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Dendrogram {
    objects: usize,
    merges: Vec<Merge>,
}

/// Two clusters that become one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merge {
    /// The clusters, the lower number first: below N an object, N + i the result of merge i.
    pub clusters: (usize, usize),
    /// Their distance.
    pub height: f64,
    /// Objects in the result.
    pub size: usize,
}

impl Dendrogram {
    /// The merges in the order they are applied: by rising height, but for centroid linkage in the order they were
    /// made, whose heights can fall.
    #[must_use]
    pub fn merges(&self) -> &[Merge] {
        &self.merges
    }

    /// The state after the first N − `clusters` merges: exactly that many clusters (at least 1, at most N), whatever
    /// the ties, numbered in the order of their first objects.
    ///
    /// For centroid linkage this undoes the last merges *made*. A cut at a height, which some programs offer, need not
    /// exist there.
    #[must_use]
    pub fn cut(&self, clusters: usize) -> Vec<u32> {
        let applied = self.objects - clusters.clamp(self.objects.min(1), self.objects);
        // Walking the merges from the last to the first hands every cluster's root down to its parts.
        let mut roots: Vec<usize> = (0..self.objects + applied).collect();
        for (place, merge) in self.merges[..applied].iter().enumerate().rev() {
            roots[merge.clusters.0] = roots[self.objects + place];
            roots[merge.clusters.1] = roots[self.objects + place];
        }
        let mut numbers = vec![None; roots.len()];
        let mut found = 0;
        let mut number = |root: usize| {
            *numbers[root].get_or_insert_with(|| {
                found += 1;
                found - 1
            })
        };
        roots[..self.objects].iter().map(|&root| number(root)).collect()
    }
}
