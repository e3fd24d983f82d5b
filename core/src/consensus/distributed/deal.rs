use rand::RngExt;

use crate::seed::Id;

/// Splits objects among parties at random, as evenly as can be: the party of every object.
///
/// # Panics
/// When there are no parties.
#[must_use]
pub(super) fn split_rows(objects: usize, parties: usize, id: Id) -> Vec<u32> {
    assert!(parties > 0, "somebody must own the objects");
    let party = |position: usize| u32::try_from(position % parties).expect("fewer parties than u32 values");
    let mut owners: Vec<u32> = (0..objects).map(party).collect();
    let mut rng = id.rng("parties");
    for position in (1..objects).rev() {
        owners.swap(position, rng.random_range(0..=position));
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parties_own_equal_shares_drawn_at_random() {
        let owners = split_rows(103, 10, Id::of("test", &[]));
        let shares: Vec<usize> = (0..10).map(|party| owners.iter().filter(|owner| **owner == party).count()).collect();
        assert!(shares.iter().all(|share| [10, 11].contains(share)), "{shares:?}");
        assert_eq!(shares.iter().sum::<usize>(), 103);
        assert_ne!(owners, (0..103).map(|object| object % 10).collect::<Vec<u32>>());
    }
}
