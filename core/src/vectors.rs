//! Loops over the widest vectors of the machine.
//!
//! The program is compiled for every x86-64 machine, whose vectors hold two `f64`; most machines have vectors of four or eight.
//! [`widest`] has a piece of work compiled for each of them, and takes at run time the best one that the machine has.
//!
//! No bit of a result depends on it. The compiler makes vectors of a loop only where every number comes out the same: it fuses
//! no multiplication with an addition and never reorders a sum, so a sum that may be wide has as many lanes in its source.
//! What may differ between machines must stay out: `f64::max` and `f64::min` of 0 and −0 are either.

use fearless_simd::Level;
#[cfg(target_arch = "x86_64")]
use fearless_simd::Simd;

/// The vectors of this machine, for work that spells them out: what is given to `fearless_simd::dispatch!`.
#[inline(always)]
pub(crate) fn level() -> Level {
    #[cfg(all(test, target_arch = "x86_64"))]
    return tests::limited(Level::new());
    #[cfg(not(all(test, target_arch = "x86_64")))]
    Level::new()
}

/// Does some work with the widest vectors that this machine has.
///
/// Only what is inlined is compiled for them: write the closure as `#[inline(always)] || …`, mark every function that its loops
/// call with `#[inline(always)]` too, and write `for`: what `Iterator::for_each` is given may stay a function of its own. Anything
/// else is called as it is everywhere, with narrow vectors. It costs a few
/// nanoseconds, so a loop over hundreds of numbers is worth it and one number is not.
#[inline(always)]
pub(crate) fn widest<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    {
        let level = level();
        if let Some(vectors) = level.as_avx512() {
            return vectors.vectorize(work);
        }
        if let Some(vectors) = level.as_avx2() {
            return vectors.vectorize(work);
        }
    }
    work()
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::cell::Cell;

    use rand::RngExt;

    use super::*;
    use crate::ensemble::{Ensemble, Labels};
    use crate::method::Method;
    use crate::seed::Id;

    thread_local! {
        static LIMIT: Cell<Option<Level>> = const { Cell::new(None) };
    }

    /// What a test lets its thread use.
    pub(super) fn limited(level: Level) -> Level {
        LIMIT.get().unwrap_or(level)
    }

    /// The vectors of every machine, and those of this one.
    fn levels() -> Vec<Level> {
        let level = Level::new();
        let wider = [level.as_avx2().map(Simd::level), level.as_avx512().map(Simd::level)];
        [Level::baseline()].into_iter().chain(wider.into_iter().flatten()).collect()
    }

    /// What some work makes with vectors of each width.
    fn with_each<T>(work: impl Fn() -> T) -> Vec<T> {
        let found = levels().into_iter().map(|level| {
            LIMIT.set(Some(level));
            work()
        });
        let found = found.collect();
        LIMIT.set(None);
        found
    }

    fn assert_all_equal<T: PartialEq + std::fmt::Debug>(found: &[T], of: &str) {
        found.iter().for_each(|other| assert_eq!(*other, found[0], "{of}"));
    }

    #[test]
    fn a_loop_makes_the_same_bits_with_vectors_of_any_width() {
        let mut rng = Id::of("test", &[]).rng("numbers");
        for length in [0, 1, 7, 8, 9, 100, 1001] {
            let mut draw = || -> Vec<f64> { (0..length).map(|_| rng.random_range(-2.0..2.0)).collect() };
            let (a, b) = (draw(), draw());
            let found = with_each(|| {
                let mut out = vec![0.0; length];
                let mut sums = [0.0; 8];
                widest(
                    #[inline(always)]
                    || {
                        for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(&b)) {
                            *out = a * b + a / b;
                        }
                        for out in out.as_chunks::<8>().0 {
                            sums.iter_mut().zip(out).for_each(|(sum, out)| *sum += out);
                        }
                    },
                );
                out.iter().chain(&sums).map(|value| value.to_bits()).collect::<Vec<u64>>()
            });
            assert_all_equal(&found, "a loop");
        }
    }

    /// Five groups with noise; every third object is a copy of the one before, and some labels are missing.
    fn ensemble(objects: usize, missing: f64) -> Ensemble {
        let mut rng = Id::of("test", &[]).rng("labels");
        let mut column = || {
            let mut labels = Vec::with_capacity(objects);
            for object in 0..objects {
                let label =
                    if rng.random_bool(0.3) { rng.random_range(0..6) } else { u32::try_from(object % 5).unwrap() };
                labels.push((!rng.random_bool(missing)).then_some(label));
            }
            labels
        };
        let mut columns: Vec<Vec<Option<u32>>> = (0..11).map(|_| column()).collect();
        for column in &mut columns {
            (2..objects).step_by(3).for_each(|object| column[object] = column[object - 1]);
        }
        let columns: Vec<Labels> = columns.into_iter().map(Labels::from_options).collect();
        Ensemble::from_columns(&columns).unwrap()
    }

    /// The methods that have wide loops.
    const WIDE: [&str; 13] = [
        "eac-al", "eac-cl", "eac-sl", "ecpcs-hc", "lwea", "peace", "pta-al", "pta-cl", "ptgp", "v-bce", "wct-al",
        "weac-al", "weac-cl",
    ];

    #[test]
    fn answers_are_the_same_bits_with_vectors_of_any_width() {
        for ensemble in [ensemble(150, 0.0), ensemble(150, 0.15)] {
            for name in WIDE {
                let method = Method::find(name).unwrap().clusters(5).seed(3);
                let restarts = method.info().parameters.iter().any(|parameter| parameter.name == "restarts");
                let method = if restarts { method.set("restarts", 1).unwrap() } else { method };
                let found = with_each(|| {
                    let answer = method.combine(&ensemble).ok()?;
                    let objective = answer.objective().map(|objective| objective.value.to_bits());
                    let memberships = answer.memberships().map(|memberships| {
                        (0..ensemble.objects())
                            .flat_map(|object| memberships.object(object).iter().map(|value| value.to_bits()))
                            .collect::<Vec<u64>>()
                    });
                    Some((answer.partition().labels().to_vec(), objective, memberships))
                });
                assert!(found[0].is_some() || ensemble.missing() > 0, "{name}");
                assert_all_equal(&found, name);
            }
        }
    }
}
