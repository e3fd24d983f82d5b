//! A statistic of every repeat.

use super::draws::{Draws, Pick};
use super::packs::Packed;
use crate::spec::Statistic;
use crate::stats::{self, Alternative};

/// The statistic over the runs of each repeat; NaN where it has none.
pub(super) fn of_draws(packed: &Packed, draws: &Draws, statistic: Statistic) -> Vec<f64> {
    let of: &dyn Fn(&[Pick]) -> f64 = match statistic {
        Statistic::Mean => &|picks| mean(packed, picks),
        Statistic::Selected => &|picks| selected(packed, picks),
        Statistic::Sd => &|picks| sd(packed, picks),
        Statistic::Min => &|picks| picks.iter().map(|pick| packed.pack(*pick).least).fold(f64::INFINITY, f64::min),
        Statistic::Max => &|picks| picks.iter().map(|pick| packed.pack(*pick).most).fold(f64::NEG_INFINITY, f64::max),
        Statistic::Runs => &|picks| picks.iter().map(|pick| packed.pack(*pick).count).sum(),
        Statistic::Median => &|picks| median(packed, picks),
    };
    draws.repeats().map(of).collect()
}

/// Runs of one ensemble are averaged first, and ensembles count alike.
fn mean(packed: &Packed, picks: &[Pick]) -> f64 {
    let sum: f64 = picks.iter().map(|pick| packed.pack(*pick).mean).sum();
    packed.centre + sum / picks.len() as f64
}

/// The run with the best objective of each ensemble. Where there is one ensemble, of all its runs.
fn selected(packed: &Packed, picks: &[Pick]) -> f64 {
    if packed.one_ensemble {
        let better = |best: Pick, &pick: &Pick| {
            if packed.pack(pick).merit > packed.pack(best).merit { pick } else { best }
        };
        return picks.first().map_or(f64::NAN, |first| packed.pack(picks.iter().fold(*first, better)).best);
    }
    picks.iter().map(|pick| packed.pack(*pick).best).sum::<f64>() / picks.len() as f64
}

/// Mean and standard deviation of what the ensembles of every repeat have on average.
pub(super) fn means_of_draws(packed: &Packed, draws: &Draws) -> Vec<(f64, f64)> {
    draws.repeats().map(|picks| moments(packed, picks)).collect()
}

fn moments(packed: &Packed, picks: &[Pick]) -> (f64, f64) {
    let n = picks.len() as f64;
    let of_pick = |pick: &Pick| packed.pack(*pick).mean;
    let mean = picks.iter().map(of_pick).sum::<f64>() / n;
    let squares: f64 = picks.iter().map(|pick| (of_pick(pick) - mean).powi(2)).sum();
    let (mean, sd) = (packed.centre + mean, (squares / (n - 1.0)).sqrt());
    // Equal values leave rounding behind.
    (mean, if sd <= 1e-12 * mean.abs() { 0.0 } else { sd })
}

/// p of the t-test of the differences that a sample is of, in every repeat: each ensemble is one pair. NaN for one.
pub(super) fn p_of_draws(packed: &Packed, draws: &Draws, alternative: Alternative) -> Vec<f64> {
    let p = |picks: &[Pick]| {
        let (mean, sd) = moments(packed, picks);
        stats::t_test_p(mean, sd, picks.len(), alternative).unwrap_or(f64::NAN)
    };
    draws.repeats().map(p).collect()
}

fn sd(packed: &Packed, picks: &[Pick]) -> f64 {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for pack in picks.iter().map(|pick| packed.pack(*pick)) {
        count += pack.count;
        sum += pack.sum;
        squares += pack.squares;
    }
    ((squares - sum * sum / count).max(0.0) / (count - 1.0)).sqrt()
}

fn median(packed: &Packed, picks: &[Pick]) -> f64 {
    let mut values: Vec<f64> = picks.iter().flat_map(|pick| packed.runs(*pick)).collect();
    values.sort_unstable_by(f64::total_cmp);
    stats::quantile(&values, 0.5).unwrap_or(f64::NAN)
}
