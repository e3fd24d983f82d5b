//! `[[ranking]]`: methods over many datasets, each of which counts once.
//!
//! This is the level of datasets: a block is one value of each method, the mean over its ensembles and runs, and tests pair
//! blocks. The level of ensembles is [`super::paired`]'s, and the two are never mixed: a hundred ensembles of one dataset say
//! nothing about the next.

mod compared;
mod findings;
mod measured;
mod model;
mod tables;

pub use model::{RankPlace, Ranking, Standing, Trade, TradeMark};

use super::axis_titles::in_words;
use crate::facts::title_of;
use crate::results::ResultRow;
use crate::results::name_of;
use crate::spec::{Dimension, Experiment, RankingRequest};
use compared::ComparedMethods;
use measured::Measured;

/// A ranking with everything that is said of it.
struct Filled<'a> {
    request: &'a RankingRequest,
    experiment: &'a Experiment,
    measured: &'a Measured,
    compared: &'a ComparedMethods,
}

/// Fills a ranking.
pub(super) fn fill(request: &RankingRequest, experiment: &Experiment, rows: &[ResultRow]) -> Ranking {
    let measured = Measured::gather(request, experiment, rows);
    let compared = ComparedMethods::of(&measured, request);
    let filled = compared.as_ref().map(|compared| Filled { request, experiment, measured: &measured, compared });
    let places = compared.iter().flat_map(|compared| &compared.members);
    Ranking {
        id: request.id.clone(),
        title: request.title.clone(),
        caption: caption(request, experiment, &measured, compared.as_ref()),
        axis: format!("mean rank by {}; 1 is the best", in_words(request.show, title_of(&request.metric))),
        places: places.map(|member| RankPlace { method: member.method.clone(), mean_rank: member.mean_rank }).collect(),
        cliques: compared.as_ref().map(|compared| compared.cliques.clone()).unwrap_or_default(),
        critical_difference: compared.as_ref().map(|compared| compared.critical_difference),
        trade: filled.as_ref().and_then(trade),
        tables: filled.as_ref().map(tables::all).unwrap_or_default(),
        findings: filled.as_ref().map(findings::sentences).unwrap_or_default(),
    }
}

/// "datasets", "pairs of dataset and ensemble".
fn blocks_in_words(request: &RankingRequest, experiment: &Experiment) -> String {
    match &request.blocks[..] {
        [Dimension::Dataset] => "datasets".to_owned(),
        several => {
            let names: Vec<String> = several.iter().map(|dimension| name_of(experiment, *dimension)).collect();
            format!("pairs of {}", names.join(" and "))
        }
    }
}

fn caption(
    request: &RankingRequest,
    experiment: &Experiment,
    measured: &Measured,
    compared: Option<&ComparedMethods>,
) -> String {
    let blocks = blocks_in_words(request, experiment);
    let mut parts = vec![request.caption.clone()];
    parts.push(format!(
        "{} {blocks}, each with one value per method: the mean over its ensembles and runs. Tests here pair {blocks}; tests within a \
         dataset pair ensembles, and the two levels are not mixed.",
        measured.blocks.len()
    ));
    match compared {
        None => parts.push("A ranking needs two methods and two blocks in which each has a number.".to_owned()),
        Some(compared) => {
            parts.push(tests_in_words(request, compared));
            if compared.too_few_for_pairs(request.level) {
                parts.push(format!(
                    "Too few {blocks} for any test of two methods among all pairs: with {} the least p is {}, and {} pairs are compared.",
                    measured.blocks.len(),
                    findings::small(compared.least_p),
                    compared.duels.len()
                ));
            }
        }
    }
    if !measured.not_run.is_empty() {
        parts.push(format!("Not run on these ensembles, so not ranked: {}.", measured.not_run.join(", ")));
    }
    if !measured.left_out.is_empty() {
        let left_out = measured.left_out.iter().map(|(block, reason)| format!("{block} ({reason})"));
        let left_out: Vec<String> = left_out.collect();
        parts.push(format!("Left out, as a method has no number there: {}, {}.", left_out.len(), left_out.join("; ")));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

fn tests_in_words(request: &RankingRequest, compared: &ComparedMethods) -> String {
    let friedman = &compared.friedman;
    let [between, within] = friedman.f_degrees;
    let f = if friedman.f.is_finite() { format!("{:.2}", friedman.f) } else { "∞".to_owned() };
    let level = findings::percent(request.level);
    format!(
        "Friedman χ²({}) = {:.2}, {}; Iman–Davenport F({between}, {within}) = {f}, {}. Bars join methods that no Wilcoxon \
         signed-rank test tells apart at {level} after Holm’s adjustment over {} pairs; CD is Nemenyi’s critical difference at \
         {level}.",
        friedman.degrees,
        friedman.chi_squared,
        findings::p(friedman.p),
        findings::p(friedman.f_p),
        compared.duels.len()
    )
}

/// Quality against cost, where costs are known.
fn trade(filled: &Filled) -> Option<Trade> {
    let Filled { request, experiment, compared, .. } = filled;
    let cost = request.cost?;
    let cost_name = tables::cost_name(cost);
    let mark = |member: &compared::Member| {
        let standing = if compared.is_unbeaten(member) { Standing::Front } else { Standing::Beaten };
        Some(TradeMark { method: member.method.clone(), cost: member.cost?, quality: member.mean, standing })
    };
    let marks: Option<Vec<TradeMark>> = compared.members.iter().map(mark).collect();
    Some(Trade {
        id: format!("{}-cost", request.id),
        title: format!("{}: quality against cost", request.title),
        caption: format!(
            "Means over the same {}; {cost_name} as a geometric mean, measured on the machine that ran it. Filled: no method is both \
             better and cheaper.",
            blocks_in_words(request, experiment)
        ),
        cost_label: format!("{cost_name} (logarithmic)"),
        cost_unit: cost.unit,
        quality_label: format!("mean {}", in_words(request.show, title_of(&request.metric))),
        marks: marks?,
    })
}
