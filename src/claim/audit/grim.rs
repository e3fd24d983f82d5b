//! Printed means of shares, and the numbers of runs they can be over.
//!
//! One by one: a mean over the n runs that the paper states is a multiple of 1/(N n), or it is impossible.
//!
//! All together: where the stated n is so large that any number fits, a smaller n′ may still fit too well. Means over the
//! stated runs fall anywhere between the multiples of 1/(N n′), so each fits n′ with the chance c′ that any number does.
//! Numbers that are multiples of 1/N themselves are left out, because runs that are all alike fit every n; of the others
//! (c′ − c₁)/(1 − c₁) fit. How many do is then Poisson-binomial, and the chance of so many or more is p. It is multiplied
//! by the number of n′ tried.

use super::chance::{LEVEL, at_least};
use super::share::{ObjectShare, is_of_base, stated};
use super::{AuditFinding, impossible, once};
use crate::claim::Evidence;
use crate::claim::checks::shown;
use crate::claim::count::count as number_of;
use crate::claim::printed::number::Rounded;
use crate::claim::printed::{PrintedCell, Sheet};
use crate::spec::{Experiment, RunsBehind, Statistic, TableRequest};

/// A printed mean of a share of objects.
struct ShareMean<'a> {
    cell: &'a PrintedCell<'a>,
    printed: Rounded,
    share: ObjectShare,
}

/// How the means fit a number of runs that the paper does not state.
struct RunsFit {
    runs: usize,
    /// Means that are no multiple of 1/N and could fail to fit.
    told: usize,
    fitting: usize,
    /// How many would fit by chance.
    expected: f64,
    p: f64,
}

impl RunsFit {
    fn describe(&self) -> String {
        let Self { runs, told, fitting, expected, p } = self;
        format!("{runs} runs: {fitting} of {told} fit, {expected:.1} by chance (p = {})", shown(*p))
    }
}

/// Looks at the means one by one, then at all of them under each number of runs that is tried.
pub(super) fn look(table: &TableRequest, experiment: &Experiment, tried: &[usize]) -> Result<AuditFinding, String> {
    let cells = once(&Sheet::of_table(table), experiment);
    let means: Vec<ShareMean> = cells.iter().filter_map(|cell| ShareMean::of(cell, experiment)).collect();
    if means.is_empty() {
        return Err("no mean of a share of objects is printed".to_owned());
    }
    let stated = stated(&table.published, experiment);
    let alike = means.iter().filter(|mean| mean.share.fits(mean.printed, 1)).count();
    let mut evidence: Vec<Evidence> = means.iter().filter_map(|mean| mean.refuted(experiment)).collect();
    let mut finding = match stated {
        Some(runs) => {
            let told = means.iter().filter(|mean| mean.share.can_tell(mean.printed, runs.total())).count();
            format!(
                "Printed means that are none over the stated {runs}: {} of {}, {told} of them with digits enough to tell.",
                evidence.len(),
                number_of(means.len(), "mean")
            )
        }
        None => format!("The paper states no number of runs for its {}.", number_of(means.len(), "mean")),
    };
    finding.push_str(&format!(" {alike} are whole numbers of objects and fit any number of runs."));
    let fits: Vec<RunsFit> = tried.iter().filter_map(|runs| fit(&means, *runs, stated)).collect();
    if !fits.is_empty() {
        let each: Vec<String> = fits.iter().map(RunsFit::describe).collect();
        finding.push_str(&format!(" Of the others, where digits can tell, {}.", each.join("; ")));
    }
    if let Some(stated) = stated {
        evidence.extend(fits.iter().filter_map(|fit| too_well(fit, fits.len(), stated)));
    }
    Ok(AuditFinding { evidence, finding })
}

impl<'a> ShareMean<'a> {
    fn of(cell: &'a PrintedCell<'a>, experiment: &Experiment) -> Option<Self> {
        let is_mean = cell.printed.statistic == Statistic::Mean && !is_of_base(&cell.place, experiment);
        let share = ObjectShare::of(&cell.printed, &cell.place, experiment).filter(|_| is_mean)?;
        Some(Self { cell, printed: Rounded::parse(cell.printed.text)?, share })
    }

    fn refuted(&self, experiment: &Experiment) -> Option<Evidence> {
        let reason = super::share::refuted(&self.cell.printed, &self.cell.place, experiment)?;
        Some(impossible(self.cell.name.clone(), self.cell.printed.text, reason))
    }

    /// The chance to fit so many runs, of a number that is no multiple of 1/N; `None` where nothing could be told.
    fn chance(&self, runs: usize, stated: Option<RunsBehind>) -> Option<f64> {
        let chance = |runs: usize| self.share.chance(self.printed, runs);
        let open = stated.is_none_or(|stated| chance(stated.total()) == 1.0);
        let told = open && chance(runs) < 1.0 && !self.share.fits(self.printed, 1);
        told.then(|| (chance(runs) - chance(1)) / (1.0 - chance(1)))
    }
}

/// How the means fit a number of runs; `None` where none of them can tell.
fn fit(means: &[ShareMean], runs: usize, stated: Option<RunsBehind>) -> Option<RunsFit> {
    let told: Vec<(f64, bool)> = means
        .iter()
        .filter_map(|mean| Some((mean.chance(runs, stated)?, mean.share.fits(mean.printed, runs))))
        .collect();
    let chances: Vec<f64> = told.iter().map(|(chance, _)| *chance).collect();
    let fitting = told.iter().filter(|(_, fits)| *fits).count();
    let expected = chances.iter().sum();
    let p = at_least(&chances, fitting);
    (!told.is_empty()).then_some(RunsFit { runs, told: told.len(), fitting, expected, p })
}

/// What speaks against the stated runs where another number fits better than chance lets it.
fn too_well(fit: &RunsFit, tried: usize, stated: RunsBehind) -> Option<Evidence> {
    let p = (fit.p * tried as f64).min(1.0);
    let reason = format!(
        "{} of {} means are multiples of 1/(N · {}) to their last digit; means over the stated {stated} would be so {:.1} \
         times by chance: p = {}, times {} tried {}, below {LEVEL}",
        fit.fitting,
        fit.told,
        fit.runs,
        fit.expected,
        shown(fit.p),
        number_of(tried, "number"),
        shown(p)
    );
    (p < LEVEL).then(|| impossible(format!("{}, not {stated}", number_of(fit.runs, "run")), "", reason))
}
