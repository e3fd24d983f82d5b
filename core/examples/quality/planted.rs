//! Ensembles whose clustering is known: noisy copies of it, some of their labels missing.

use conclave_core::ensemble::Labels;
use conclave_core::seed::{Id, Rng};
use conclave_core::{Ensemble, Partition};
use rand::RngExt;
use rand::seq::SliceRandom;

/// How large the planted clusters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// All the same.
    Even,
    /// As 1 : 1/2 : 1/3 : ….
    Skewed,
}

/// What a planted ensemble is made of.
#[derive(Debug, Clone, Copy)]
pub struct Planted {
    /// Seeds every random number, and decides on the half.
    pub number: u64,
    pub sizes: Sizes,
    pub clusters: usize,
    pub objects: usize,
    pub columns: usize,
    /// Share of labels that are drawn from all labels at random instead.
    pub noise: f64,
    /// Share of labels that are missing.
    pub missing: f64,
}

/// A planted ensemble, made.
pub struct Made {
    pub ensemble: Ensemble,
    pub truth: Partition,
}

impl Planted {
    /// How many there are.
    pub const COUNT: u64 = 64;

    /// The ensemble of a number below [`Planted::COUNT`]. Each half has every pair of sizes (even, skewed) and labels (all
    /// there, 5 to 40 % missing) with noise from every eighth of 20 to 60 %; the rest is drawn at random.
    pub fn of(number: u64) -> Self {
        let mut rng = stream(number, "design");
        let place = number / 2;
        let eighth = (place / 4) as f64 + rng.random::<f64>();
        let missing = rng.random_range(0.05..0.4);
        Self {
            number,
            sizes: if place.is_multiple_of(2) { Sizes::Even } else { Sizes::Skewed },
            clusters: rng.random_range(3..=8),
            objects: rng.random_range(60..=300),
            columns: rng.random_range(10..=30),
            noise: 0.2 + 0.4 * eighth / 8.0,
            missing: if (place / 2).is_multiple_of(2) { 0.0 } else { missing },
        }
    }

    /// The copies and what they are copies of. The objects are in random order, and each copy numbers its clusters its own way.
    pub fn make(&self) -> Made {
        let mut rng = stream(self.number, "labels");
        let mut truth = self.truth();
        truth.shuffle(&mut rng);
        let labels = u32::try_from(self.clusters).expect("a handful of clusters");
        let columns: Vec<Labels> = (0..self.columns)
            .map(|_| {
                let mut name_of: Vec<u32> = (0..labels).collect();
                name_of.shuffle(&mut rng);
                Labels::from_options(truth.iter().map(|&cluster| {
                    let seen = if rng.random_bool(self.noise) { rng.random_range(0..labels) } else { cluster };
                    (!rng.random_bool(self.missing)).then(|| name_of[seen as usize])
                }))
            })
            .collect();
        let ensemble = Ensemble::from_columns(&columns).expect("60 objects leave no column without a label");
        Made { ensemble, truth: Partition::from_codes(&truth) }
    }

    /// The planted cluster of every object, in order of size.
    fn truth(&self) -> Vec<u32> {
        let share = |cluster: usize| match self.sizes {
            Sizes::Even => 1.0,
            Sizes::Skewed => 1.0 / (cluster + 1) as f64,
        };
        let all: f64 = (0..self.clusters).map(share).sum();
        let mut truth = Vec::with_capacity(self.objects);
        let mut up_to = 0.0;
        for cluster in 0..self.clusters {
            up_to += share(cluster);
            let end = (self.objects as f64 * up_to / all).round() as usize;
            truth.resize(end, u32::try_from(cluster).expect("a handful of clusters"));
        }
        truth
    }
}

/// Numbers for one purpose of one ensemble.
fn stream(number: u64, purpose: &str) -> Rng {
    Id::of("planted ensemble", &[&number.to_le_bytes()]).rng(purpose)
}
