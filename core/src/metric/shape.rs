//! Indices of a clustering on its own.

use crate::ensemble::Partition;

/// Number of clusters.
pub fn clusters(predicted: &Partition) -> f64 {
    predicted.clusters() as f64
}

/// Share of objects alone in their cluster: |{A : |A| = 1}| / N, and 0 when there are no objects.
pub fn singletons(predicted: &Partition) -> f64 {
    let mut sizes = vec![0_u64; predicted.clusters()];
    for &label in predicted.labels() {
        sizes[label as usize] += 1;
    }
    let alone = sizes.iter().filter(|&&size| size == 1).count();
    // With no objects the count is 0 as well, and so is the share.
    alone as f64 / predicted.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_and_singletons_of_a_worked_partition() {
        let worked = Partition::from_codes(&[4, 4, 7, 9, 4]);
        assert_eq!(clusters(&worked), 3.0);
        assert_eq!(singletons(&worked), 2.0 / 5.0);
    }

    #[test]
    fn singletons_of_the_extremes() {
        assert_eq!(singletons(&Partition::from_codes(&[0, 1, 2])), 1.0);
        assert_eq!(singletons(&Partition::from_codes(&[0, 0, 0])), 0.0);
        assert_eq!(singletons(&Partition::from_codes(&[])), 0.0);
    }
}
