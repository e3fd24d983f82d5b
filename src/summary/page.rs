use std::collections::BTreeMap;

use super::model::{CellCounts, Failure, Page, PageProvenance};
use super::paired::PlacedTests;
use super::significance::Marker;
use super::verdicts::PrintedVerdicts;
use super::{figure, finding, listing, paired, picture, printed_dots, ranking, scale, table, universes};
use crate::claim;
use crate::plan::Plan;
use crate::results::{Finished, ResultRow, Status};
use crate::spec::{Dimension, Experiment};
use crate::store::{self, Pictures};

/// Computes everything a report of this plan shows, from finished cells and stored pictures. `command` makes the page again.
#[must_use]
pub fn page(plan: &Plan, finished: &Finished, pictures: &Pictures, command: String) -> Page {
    let experiment = &plan.experiment;
    let rows = ResultRow::of_universe(plan, finished, 0);
    let provenance = store::Provenance::of(experiment);
    // Without data there is nothing to show; what is claimed of it is judged all the same.
    let shown = !experiment.datasets.is_empty();
    let claims = claim::judge(plan, &claim::Stored { rows: &rows, finished, pictures });
    let verdicts = |id: &str| PrintedVerdicts::of(&claims, id);
    let listings = experiment.listings.iter().filter(|_| shown);
    let listings = listings.map(|request| listing::fill(request, experiment, &verdicts(&request.id)));
    let tests: Vec<PlacedTests> =
        experiment.tests.iter().filter(|_| shown).map(|request| paired::fill(request, experiment, &rows)).collect();
    let marker = Marker::new(&tests);
    let tables = experiment.tables.iter().filter(|_| shown);
    let tables = tables.map(|request| {
        let known = table::CellKnowledge { verdicts: &verdicts(&request.id), marker: &marker };
        table::fill(request, experiment, &rows, known)
    });
    let figures = experiment.figures.iter().filter(|_| shown).map(|request| figure::fill(request, experiment, &rows));
    let dots = experiment.tables.iter().filter_map(|request| printed_dots::of_table(request, experiment, &claims));
    let mut page = Page {
        name: experiment.name.clone(),
        title: experiment.title.clone(),
        description: experiment.description.clone(),
        finding: None,
        scale: experiment.scale.clone(),
        smaller: scale::smaller(experiment),
        paper: experiment.paper.as_ref().map(|paper| paper.citation()),
        paper_key: experiment.paper.as_ref().map(|paper| paper.key.clone()),
        reproduces: experiment.reproduces.clone(),
        provenance: PageProvenance {
            command,
            spec_path: experiment.spec_path.clone(),
            spec_text: experiment.spec_text.clone(),
            spec_hash: provenance.get("spec-hash").to_owned(),
            version: provenance.get("version").to_owned(),
            revision: provenance.revision(),
            scale: experiment.scale_name().to_owned(),
            seed: experiment.seed,
            datasets: datasets(experiment),
        },
        counts: counts(plan, finished),
        failures: failures(&rows),
        stand_ins: experiment.datasets.iter().filter(|data| data.stand_in).map(|data| data.label.clone()).collect(),
        notes: absences(experiment),
        tables: listings.chain(tables).collect(),
        printed_dots: dots.collect(),
        figures: figures.collect(),
        heat_maps: Vec::new(),
        rankings: experiment.rankings.iter().map(|request| ranking::fill(request, experiment, &rows)).collect(),
        tests: tests.iter().map(|placed| placed.table.clone()).collect(),
        multiverse: universes::summarise(plan, finished, &claims),
        claims,
    };
    picture::add(&mut page, plan, pictures);
    page.finding = finding::of(&page);
    page
}

/// Labels and hashes of the datasets, those of other universes after those that are as stated.
fn datasets(experiment: &Experiment) -> Vec<(String, String)> {
    let all = (0..experiment.universe_count()).flat_map(|universe| &experiment.universe(universe).datasets);
    let mut found: Vec<(String, String)> = Vec::new();
    for data in all.map(|data| (data.label.clone(), data.id.to_string())) {
        if !found.contains(&data) {
            found.push(data);
        }
    }
    found
}

fn counts(plan: &Plan, finished: &Finished) -> CellCounts {
    let mut counts = CellCounts::default();
    for (_, _, cell) in plan.cells() {
        counts.planned += 1;
        match finished.get(&cell.id).map(|result| result.status) {
            Some(Status::Done) => counts.done += 1,
            Some(_) => counts.failed += 1,
            None => counts.missing += 1,
        }
    }
    counts
}

fn failures(rows: &[ResultRow]) -> Vec<Failure> {
    let mut counted: BTreeMap<(String, String, Status, &str), usize> = BTreeMap::new();
    for row in rows {
        // What a program said before its last words is in the results, not on the page.
        if let Some(reason) = row.result.reason.as_ref().and_then(|reason| reason.lines().next()) {
            let [method, dataset] = [Dimension::Method, Dimension::Dataset].map(|on| row.value_of(on).to_string());
            *counted.entry((method, dataset, row.result.status, reason)).or_default() += 1;
        }
    }
    let mut failures: Vec<Failure> = counted
        .into_iter()
        .map(|((method, dataset, status, reason), count)| Failure {
            method,
            dataset,
            status: status.name().to_owned(),
            reason: reason.to_owned(),
            count,
        })
        .collect();
    failures.sort_by_key(|failure| std::cmp::Reverse(failure.count));
    failures
}

/// Datasets that are not there, and how to get each: once for the page, as it is long.
fn absences(experiment: &Experiment) -> Vec<String> {
    let absent = experiment.absent.iter().zip(&experiment.to_get);
    absent.map(|((label, why), how)| format!("{label} was not run: {why}. To get it: {how}")).collect()
}
