//! Statistics of result tables: pure functions on slices.
//!
//! | file | what |
//! |---|---|
//! | `describe` | sum, mean, sd, quantiles, skewness, kurtosis |
//! | `interval` | confidence interval of a mean |
//! | `paired` | pairs joined by id, their wins and effect size |
//! | `t_test` | paired t-test |
//! | `wilcoxon` | signed-rank test |
//! | `holm` | adjustment for several tests |
//! | `bootstrap` | BCa interval of a mean |
//! | `ranks` | several methods over blocks: Friedman, Iman–Davenport, Nemenyi, cliques |
//! | `studentized_range` | quantiles of the range of normal variables |
//! | `normal` | the standard normal distribution |
//!
//! Sums are taken in the order of the values, not of the slice, so no statistic depends on the order of the runs.

mod bootstrap;
mod describe;
mod holm;
mod interval;
mod normal;
mod paired;
mod ranks;
mod studentized_range;
mod t_test;
mod wilcoxon;

pub use bootstrap::{RESAMPLES, bootstrap_interval};
pub use describe::{Describe, FiveNumbers, kurtosis, mean, quantile, quartiles, sd, skewness, sum};
pub use holm::holm_adjust;
pub use interval::{MeanInterval, f_quantile, mean_interval, t_quantile};
pub use paired::{Alternative, PairingError, Pairs, effect_size, wins};
pub use ranks::{Best, Friedman, RankTable, cliques, friedman, nemenyi_difference, ranks};
pub use studentized_range::studentized_range_quantile;
pub use t_test::{INTERVAL_LEVEL, TTest, t_test, t_test_p};
pub use wilcoxon::{Wilcoxon, WilcoxonMethod, wilcoxon};
