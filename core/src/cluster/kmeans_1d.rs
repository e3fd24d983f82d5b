//! Lloyd's k-means on one feature, in O(k log N) an iteration.
//!
//! On a line every cluster is an interval of the sorted values: a step of Lloyd's loop finds the k − 1 ends of the
//! intervals by binary search and the k means from prefix sums. The prefix sums carry their rounding errors along
//! (D. Knuth, The Art of Computer Programming 2, §4.2.2, theorem B), so a mean is as good as one summed afresh.
//!
//! The partition is that of [`kmeans`](super::kmeans()) with the same random numbers. An object as near to two centres
//! goes to the one drawn first, as there. Where the two can differ is an object that is nearer to one of two centres by
//! less than the rounding of its distances or of a mean.

use super::kmeans::{ITERATIONS, KMeans, kmeans_from};
use super::seeds::distinct_objects;
use crate::data::{Matrix, MatrixError};
use crate::seed::Rng;

/// The values of one feature in order, for any number of runs.
#[derive(Debug, Clone)]
pub struct Sorted1d {
    values: Matrix,
    /// The objects in the order of their values.
    order: Vec<u32>,
    sorted: Vec<f64>,
    /// Entry i is the sum of the first i sorted values.
    prefix: Vec<Sum>,
}

/// A sum and the rounding errors made on the way.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    value: f64,
    error: f64,
}

impl Sum {
    fn plus(self, term: f64) -> Self {
        let value = self.value + term;
        let kept = value - self.value;
        Self { value, error: self.error + ((self.value - (value - kept)) + (term - kept)) }
    }

    fn minus(self, other: Self) -> f64 {
        (self.value - other.value) + (self.error - other.error)
    }
}

/// A cluster of a run: its centre and where its interval of the sorted values ends.
#[derive(Clone, Copy)]
struct Interval {
    centre: f64,
    /// The cluster's place in the order of the draw.
    number: u32,
    end: usize,
}

/// A whole number that orders as [`f64::total_cmp`] does: for negative numbers all bits turned, for others the sign alone.
fn rank(value: f64) -> u64 {
    let bits = value.to_bits();
    if value.is_sign_negative() { !bits } else { bits ^ (1 << 63) }
}

impl Sorted1d {
    /// Sorts the values.
    ///
    /// # Errors
    /// A value that is not finite.
    pub fn new(values: &[f64]) -> Result<Self, MatrixError> {
        let matrix = Matrix::new(1, values.to_vec())?;
        // Value and object in one whole number: sorting those is twice as fast as sorting pairs.
        let mut keys: Vec<u128> = values
            .iter()
            .zip(0u32..)
            .map(|(value, object)| u128::from(rank(*value)) << 32 | u128::from(object))
            .collect();
        keys.sort_unstable();
        let order: Vec<u32> = keys.into_iter().map(|key| (key & u128::from(u32::MAX)) as u32).collect();
        let sorted: Vec<f64> = order.iter().map(|&object| values[object as usize]).collect();
        let mut prefix = Vec::with_capacity(sorted.len() + 1);
        prefix.push(Sum::default());
        prefix.extend(sorted.iter().scan(Sum::default(), |sum, &value| {
            *sum = sum.plus(value);
            Some(*sum)
        }));
        Ok(Self { values: matrix, order, sorted, prefix })
    }

    /// Lloyd's k-means, run until no object moves; see [`kmeans`](super::kmeans()) for starts, ties and empty clusters.
    #[must_use]
    pub fn kmeans(&self, clusters: usize, rng: &mut Rng) -> KMeans {
        let values = self.values.values();
        let start = distinct_objects(values.len(), clusters, rng, |a, b| values[a] == values[b]);
        // The object that an emptied cluster takes can be anywhere in an interval, and clusters are intervals no
        // longer. That happens in so few runs that the general algorithm may do those from the beginning.
        self.run(&start).unwrap_or_else(|| kmeans_from(&self.values, &start))
    }

    /// Lloyd's loop from these objects, or nothing if a cluster runs empty.
    fn run(&self, start: &[usize]) -> Option<KMeans> {
        let seed = |(number, &object): (u32, &usize)| Interval { centre: self.values.values()[object], number, end: 0 };
        let mut intervals: Vec<Interval> = (0..).zip(start).map(seed).collect();
        intervals.sort_by(|a, b| a.centre.total_cmp(&b.centre));
        let mut iterations = 0;
        loop {
            iterations += 1;
            let moved = self.move_ends(&mut intervals);
            self.recentre(&mut intervals)?;
            // The first step puts every object into a cluster, so it is never the last.
            if (iterations > 1 && !moved) || iterations == ITERATIONS {
                break;
            }
        }
        Some(self.result(&intervals, iterations))
    }

    /// Ends every interval before the first value that is nearer to the next centre; says whether any end moved.
    fn move_ends(&self, intervals: &mut [Interval]) -> bool {
        let mut moved = false;
        for left in 0..intervals.len() {
            let own = intervals[left];
            let end = match intervals.get(left + 1) {
                Some(next) => self.sorted.partition_point(|&value| stays(value, own, *next)),
                None => self.sorted.len(),
            };
            moved |= end != own.end;
            intervals[left].end = end;
        }
        moved
    }

    fn recentre(&self, intervals: &mut [Interval]) -> Option<()> {
        let mut begin = 0;
        for interval in intervals {
            if interval.end <= begin {
                return None;
            }
            let sum = self.prefix[interval.end].minus(self.prefix[begin]);
            interval.centre = sum / (interval.end - begin) as f64;
            begin = interval.end;
        }
        Some(())
    }

    fn result(&self, intervals: &[Interval], iterations: usize) -> KMeans {
        let mut labels = vec![0; self.order.len()];
        let mut sum_of_squares = 0.0;
        let mut begin = 0;
        for interval in intervals {
            for place in begin..interval.end {
                labels[self.order[place] as usize] = interval.number;
                sum_of_squares += (self.sorted[place] - interval.centre) * (self.sorted[place] - interval.centre);
            }
            begin = interval.end;
        }
        KMeans { labels, sum_of_squares, iterations }
    }
}

/// Whether a value belongs to `own` rather than to the `next` centre on its right.
fn stays(value: f64, own: Interval, next: Interval) -> bool {
    // Beyond the centres, rounding could blur which is nearer.
    if value <= own.centre || value >= next.centre {
        return value <= own.centre;
    }
    let to_own = (value - own.centre) * (value - own.centre);
    let to_next = (value - next.centre) * (value - next.centre);
    to_own < to_next || (to_own == to_next && own.number < next.number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::RngExt;

    use super::super::kmeans;
    use super::super::test_data::{bundled, stream};
    use super::*;

    fn assert_same_as_general(values: &[f64], clusters: usize, seed: u64) {
        let line = Sorted1d::new(values).unwrap().kmeans(clusters, &mut stream(seed));
        let general = kmeans(&Matrix::new(1, values.to_vec()).unwrap(), clusters, &mut stream(seed));
        assert_eq!(line.labels, general.labels);
        assert_eq!(line.iterations, general.iterations);
        assert!((line.sum_of_squares - general.sum_of_squares).abs() <= 1e-9 * general.sum_of_squares);
    }

    proptest! {
        #[test]
        fn the_partition_is_that_of_the_general_algorithm_with_ties(
            values in proptest::collection::vec(-12..13i32, 1..80),
            clusters in 1..9usize,
            seed: u64,
        ) {
            assert_same_as_general(&values.into_iter().map(f64::from).collect::<Vec<_>>(), clusters, seed);
        }

        #[test]
        fn the_partition_is_that_of_the_general_algorithm_far_from_zero(
            values in proptest::collection::vec(-1.0..1.0f64, 1..200),
            clusters in 1..9usize,
            far in -1e9..1e9f64,
            seed: u64,
        ) {
            assert_same_as_general(&values.into_iter().map(|value| value + far).collect::<Vec<_>>(), clusters, seed);
        }

        #[test]
        fn at_the_end_every_object_is_with_its_nearest_mean(
            values in proptest::collection::vec(-1e3..1e3f64, 1..100),
            clusters in 1..9usize,
            seed: u64,
        ) {
            let labels = Sorted1d::new(&values).unwrap().kmeans(clusters, &mut stream(seed)).labels;
            let means: Vec<f64> = (0..=*labels.iter().max().unwrap())
                .map(|cluster| {
                    let members = || values.iter().zip(&labels).filter(|&(_, &label)| label == cluster);
                    members().map(|(value, _)| value).sum::<f64>() / members().count() as f64
                })
                .collect();
            for (value, &label) in values.iter().zip(&labels) {
                let own = (value - means[label as usize]).abs();
                prop_assert!(means.iter().all(|mean| own <= (value - mean).abs() + 1e-9));
            }
        }
    }

    #[test]
    fn the_partition_is_that_of_the_general_algorithm_when_clusters_run_empty() {
        let mut emptied = 0;
        for seed in 0..6000 {
            let mut rng = stream(seed);
            let lump = |_| (rng.random_range(-50..=50i32), rng.random_range(1..30));
            let lumps: Vec<(i32, usize)> = (0..20).map(lump).collect();
            let values: Vec<f64> =
                lumps.iter().flat_map(|&(value, weight)| std::iter::repeat_n(f64::from(value), weight)).collect();
            let start = distinct_objects(values.len(), 6, &mut stream(seed), |a, b| values[a] == values[b]);
            if Sorted1d::new(&values).unwrap().run(&start).is_none() {
                emptied += 1;
                assert_same_as_general(&values, 6, seed);
            }
        }
        assert!(emptied >= 3, "only {emptied} runs put this to the test");
    }

    #[test]
    fn the_partition_is_that_of_the_general_algorithm_on_projected_data() {
        let data = bundled("wdbc");
        let project = |row: &[f64]| row.iter().zip(1..).map(|(value, place)| value * f64::from(place).cos()).sum();
        let values: Vec<f64> = (0..data.rows()).map(|object| project(data.row(object))).collect();
        (0..20).for_each(|seed| assert_same_as_general(&values, 10, seed));
    }

    #[test]
    fn a_value_that_is_not_finite_is_refused() {
        assert!(Sorted1d::new(&[1.0, f64::INFINITY]).is_err());
    }
}
