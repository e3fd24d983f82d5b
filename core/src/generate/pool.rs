use rand::RngExt;

use super::Coupling;
use crate::seed::Id;

/// A pool of base clusterings that many ensembles are drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pool {
    /// How many base clusterings there are in it.
    pub size: usize,
    /// How ensembles are drawn.
    pub draw: PoolDraw,
}

/// How ensembles are drawn from a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolDraw {
    /// One after the other, no base clustering in two of them: 2000 make 100 ensembles of 20.
    Disjoint,
    /// At random, without repetition within an ensemble.
    Random,
}

/// A pool has fewer base clusterings than its ensembles need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{needed} base clusterings are needed, the pool has {size}")]
pub struct PoolTooSmall {
    /// How many are needed.
    pub needed: usize,
    /// How many there are.
    pub size: usize,
}

impl Pool {
    /// The columns of ensemble `index` with `size` base clusterings. Random draws are nested along a sweep over the size,
    /// unless they are to be independent.
    #[must_use]
    pub fn columns(&self, index: u32, size: usize, coupling: Coupling, id: Id) -> Vec<usize> {
        match self.draw {
            PoolDraw::Disjoint => (index as usize * size..(index as usize + 1) * size).collect(),
            PoolDraw::Random => {
                let mut rng = match coupling {
                    Coupling::Nested => id.rng(&format!("draw {index}")),
                    Coupling::Independent => id.rng(&format!("draw {index} of {size}")),
                };
                let mut order: Vec<usize> = (0..self.size).collect();
                for position in 0..size {
                    let other = rng.random_range(position..order.len());
                    order.swap(position, other);
                }
                order.truncate(size);
                order
            }
        }
    }

    /// Whether `count` ensembles of `size` can be drawn.
    ///
    /// # Errors
    /// How large the pool would have to be.
    pub fn suffices(&self, count: u32, size: usize) -> Result<(), PoolTooSmall> {
        let needed = match self.draw {
            PoolDraw::Disjoint => count as usize * size,
            PoolDraw::Random => size,
        };
        if needed <= self.size { Ok(()) } else { Err(PoolTooSmall { needed, size: self.size }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disjoint_ensembles_share_nothing_and_use_all() {
        let pool = Pool { size: 2000, draw: PoolDraw::Disjoint };
        let id = Id::of("test", &[]);
        let mut all: Vec<usize> = (0..100).flat_map(|index| pool.columns(index, 20, Coupling::Nested, id)).collect();
        all.sort_unstable();
        assert_eq!(all, (0..2000).collect::<Vec<_>>());
        assert!(pool.suffices(100, 20).is_ok() && pool.suffices(101, 20).is_err());
    }

    #[test]
    fn random_draws_have_no_repetition_and_are_nested_along_a_sweep() {
        let pool = Pool { size: 20, draw: PoolDraw::Random };
        let id = Id::of("test", &[]);
        for index in 0..50 {
            let twelve = pool.columns(index, 12, Coupling::Nested, id);
            assert_eq!(pool.columns(index, 5, Coupling::Nested, id), twelve[..5]);
            let mut distinct = twelve.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), 12);
        }
        assert_ne!(pool.columns(0, 5, Coupling::Nested, id), pool.columns(1, 5, Coupling::Nested, id));
        let independent = |size| pool.columns(0, size, Coupling::Independent, id);
        assert_ne!(independent(5), independent(12)[..5]);
    }
}
