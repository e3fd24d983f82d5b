use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use super::{GenerateError, Generator};
use crate::ensemble::Labels;
use crate::seed::Id;

/// Base clusterings of pools, made once however many ensembles share them, and dropped when nobody needs the pool any
/// more.
#[derive(Debug, Default)]
pub struct ColumnCache {
    pools: Mutex<HashMap<Id, PoolColumns>>,
}

#[derive(Debug)]
struct PoolColumns {
    /// How many more ensembles will be drawn.
    users: usize,
    columns: HashMap<usize, Slot>,
}

type Slot = Arc<OnceLock<Result<Arc<Labels>, GenerateError>>>;

impl ColumnCache {
    /// Announces pools, each with how many ensembles will be drawn from it.
    #[must_use]
    pub fn for_pools(users: impl IntoIterator<Item = (Id, usize)>) -> Self {
        let pools = users.into_iter().map(|(id, users)| (id, PoolColumns { users, columns: HashMap::new() }));
        Self { pools: Mutex::new(pools.collect()) }
    }

    /// A column of the ensemble or pool named `id`. Of an announced pool each is made once; two workers that want the same
    /// one wait for each other.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn column(&self, generator: &dyn Generator, id: Id, column: usize) -> Result<Arc<Labels>, GenerateError> {
        let make = || super::column(generator, id, column).map(Arc::new);
        let slot = {
            let mut pools = self.pools.lock().expect("nothing panics while it holds this lock");
            pools.get_mut(&id).map(|pool| Arc::clone(pool.columns.entry(column).or_default()))
        };
        match slot {
            Some(slot) => slot.get_or_init(make).clone(),
            None => make(),
        }
    }

    /// Says that one ensemble of the pool is done with.
    pub fn release(&self, id: Id) {
        let mut pools = self.pools.lock().expect("nothing panics while it holds this lock");
        if let Some(pool) = pools.get_mut(&id) {
            pool.users -= 1;
            if pool.users == 0 {
                pools.remove(&id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::seed::Rng;

    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Generator for Counting {
        fn column(&self, column: usize, _: &mut Rng) -> Result<Labels, GenerateError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(Labels::from_codes(vec![0, u32::try_from(column).unwrap()]))
        }

        fn operations(&self) -> f64 {
            0.0
        }

        fn bytes(&self) -> f64 {
            0.0
        }
    }

    #[test]
    fn a_column_of_a_pool_is_made_once_until_the_last_ensemble_is_done() {
        let pool = Id::of("pool", &[]);
        let cache = ColumnCache::for_pools([(pool, 2)]);
        let generator = Counting::default();
        let made = || generator.0.load(Ordering::Relaxed);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10).for_each(|column| drop(cache.column(&generator, pool, column).unwrap())));
            }
        });
        assert_eq!(made(), 10);
        cache.release(pool);
        cache.column(&generator, pool, 3).unwrap();
        assert_eq!(made(), 10);
        cache.release(pool);
        cache.column(&generator, pool, 3).unwrap();
        assert_eq!(made(), 11);
    }
}
