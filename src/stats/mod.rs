//! Statistics of result tables: pure functions on slices.
//!
//! | file | what |
//! |---|---|
//! | `describe` | sum, mean, sd, quantiles |
//! | `interval` | confidence interval of a mean |
//! | `paired` | pairs joined by id, their wins and effect size |
//! | `t_test` | paired t-test |
//! | `wilcoxon` | signed-rank test |
//! | `holm` | adjustment for several tests |
//!
//! Sums are taken in the order of the values, not of the slice, so no statistic depends on the order of the runs.

mod describe;
mod holm;
mod interval;
mod paired;
mod t_test;
mod wilcoxon;

pub use describe::{Describe, FiveNumbers, mean, quantile, quartiles, sd, sum};
pub use holm::holm_adjust;
pub use interval::{MeanInterval, mean_interval};
pub use paired::{Alternative, PairingError, Pairs, effect_size, wins};
pub use t_test::{INTERVAL_LEVEL, TTest, t_test};
pub use wilcoxon::{Wilcoxon, WilcoxonMethod, wilcoxon};
