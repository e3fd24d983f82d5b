//! What the paper leaves open, and what comes of it.

use super::model::{
    Column, CurveFork, CurveStanding, CurveUniverse, MultiverseSummary, NumberForm, Row, SpecificationCurve, Table,
    TableCell, UniverseSummary,
};
use crate::claim::universes::{
    DatasetLeftOut, FitTable, NumberFit, UniverseFit, UniverseReading, facts, missing, shares,
};
use crate::claim::{Judgement, Verdict};
use crate::plan::Plan;
use crate::results::Finished;
use crate::spec::Experiment;

/// What a page shows of universes; `None` where the spec has no forks.
pub(super) fn summarise(plan: &Plan, finished: &Finished, claims: &[Judgement]) -> Option<MultiverseSummary> {
    let experiment = &plan.experiment;
    let hash = experiment.fork_set()?;
    let universes = (0..experiment.universe_count()).map(|index| UniverseSummary {
        name: experiment.universe_name(index),
        ensembles: ensembles(experiment.universe(index)),
        missing: missing(plan, finished, index),
    });
    Some(MultiverseSummary {
        forks: facts(experiment).to_vec(),
        hash,
        universes: universes.collect(),
        curves: claims.iter().filter_map(curve).collect(),
        tables: claims.iter().filter(|claim| claim.is_of_printed_numbers()).filter_map(table).collect(),
    })
}

/// How many ensembles each kind has at most.
fn ensembles(experiment: &Experiment) -> usize {
    let kinds = experiment.points.iter().flat_map(|point| &point.setting.ensembles);
    kinds.map(|kind| kind.count as usize).max().unwrap_or(0)
}

/// The curve of a claim that is not the same everywhere; `None` where there is nothing to compare.
fn curve(claim: &Judgement) -> Option<SpecificationCurve> {
    let across = claim.across().filter(|_| has_curve(claim))?;
    let of = |(options, there): &(Vec<usize>, &Judgement)| {
        let quantity = there.quantity.as_ref().filter(|quantity| quantity.value.is_finite())?;
        Some(CurveUniverse {
            name: across.name(options),
            value: quantity.value,
            interval: quantity.interval,
            standing: match there.verdict {
                Verdict::Reproduced => CurveStanding::Holds,
                Verdict::NotReproduced => CurveStanding::Fails,
                _ => CurveStanding::Open,
            },
            as_stated: options.iter().all(|option| *option == 0),
            options: options.clone(),
        })
    };
    let mut universes: Vec<CurveUniverse> = across.each.iter().filter_map(of).collect();
    let values: Vec<(&[usize], f64)> =
        universes.iter().map(|universe| (&universe.options[..], universe.value)).collect();
    let shares = shares(&values, across.forks.len());
    universes.sort_by(|one, other| one.value.total_cmp(&other.value));
    let forks = across.forks.iter().zip(shares).map(|(fork, share)| CurveFork {
        id: fork.id.clone(),
        options: fork.options.iter().map(|(label, _)| label.clone()).collect(),
        share,
    });
    let quantity = across.each.iter().find_map(|(_, there)| there.quantity.as_ref())?;
    Some(SpecificationCurve {
        id: curve_id(claim),
        title: format!("Across universes: {}", claim.statement.trim_end_matches('.')),
        caption: across.words(),
        quantity: quantity.name.clone(),
        band: quantity.claimed,
        universes,
        forks: forks.collect(),
    })
}

/// Whether a claim has a curve.
pub(crate) fn has_curve(claim: &Judgement) -> bool {
    claim.across().is_some_and(|across| {
        let known = across.each.iter().filter_map(|(_, there)| there.quantity.as_ref());
        across.reading() != UniverseReading::Robust && known.filter(|known| known.value.is_finite()).count() > 1
    })
}

/// Where the curve of a claim is on its page.
pub(crate) fn curve_id(claim: &Judgement) -> String {
    format!("universes-{}", claim.id)
}

/// Printed numbers in every universe: how many are consistent, how far they are, and both without a dataset.
fn table(claim: &Judgement) -> Option<Table> {
    let across = claim.across()?;
    let fits = FitTable::of(&across, None);
    let stated = fits.universes.first()?;
    let number = |value: Option<f64>| TableCell { value, form: NumberForm::Fixed(0), ..TableCell::default() };
    let plain = |name: &str| Column::named(name);
    let mut columns = ["consistent", "judged", "inconclusive", "distance"].map(plain).to_vec();
    let several = !stated.without.is_empty();
    if several {
        columns.extend(["fewest", "most"].map(|name| Column::named(name).under("without one dataset")));
    }
    let methods: Vec<&str> = stated.methods.iter().map(|(method, _)| method.as_str()).collect();
    columns.extend(methods.iter().map(|method| Column::named(*method).under("consistent of")));
    let row = |((options, _), fit): (&(Vec<usize>, &Judgement), &UniverseFit)| {
        let known = fit.all.judged + fit.all.inconclusive > 0;
        let count = |count: usize| number(known.then_some(count as f64));
        let mut cells = [fit.all.consistent, fit.all.judged, fit.all.inconclusive].map(count).to_vec();
        cells.push(TableCell { value: fit.all.distance(), form: NumberForm::Significant(3), ..TableCell::default() });
        if several {
            let ends = fit.without_one().filter(|_| known);
            cells.extend([0, 1].map(|end| number(ends.map(|ends| ends[end] as f64))));
        }
        let of_method = |method: &&str| fit.methods.iter().find(|(name, _)| name == method).map(|(_, fit)| fit);
        let cell = |fit: Option<&NumberFit>| TableCell {
            value: fit.map(|fit| fit.consistent as f64),
            form: NumberForm::Fixed(0),
            note: fit.map(|fit| format!("of {}", fit.judged)),
            ..TableCell::default()
        };
        cells.extend(methods.iter().map(|method| cell(of_method(method))));
        Row { keys: vec![across.name(options)], cells }
    };
    let rows = across.each.iter().zip(&fits.universes).map(row).collect();
    Some(Table {
        id: format!("{}-table", curve_id(claim)),
        title: format!("Across universes, how many are consistent: {}", claim.statement.trim_end_matches('.')),
        caption: left_out_words(fits.left_out.as_ref()),
        keys: vec!["universe".to_owned()],
        columns,
        rows,
        digits: 0,
        references: Vec::new(),
        across: Vec::new(),
        quiet: Vec::new(),
    })
}

/// What is said of the universe that fits best.
pub(crate) fn left_out_words(left_out: Option<&DatasetLeftOut>) -> String {
    let distance = "Distance is the root of the mean square of ours less printed.";
    let Some(DatasetLeftOut { datasets, chosen, stated }) = left_out else { return distance.to_owned() };
    format!(
        "{distance} The universe with most consistent numbers was chosen by the very numbers it is praised for. Chosen by all datasets but one, and counted on that \
         one, for each of {datasets} in turn, {} of {} are consistent; as stated {} of {}.",
        chosen.consistent, chosen.judged, stated.consistent, stated.judged
    )
}
