//! The tables of the page.

use conclave_core::{Answer, Compared};

use super::pictures::name;
use crate::cli::consensus::answer::metrics;
use crate::cli::consensus::terminal::alike;
use crate::cli::consensus::write;
use crate::cli::k_choice::KChoice;
use crate::cli::score::value_text;
use crate::consensus::{column_nmi, nmi_with_others};
use crate::data::LabelTable;
use crate::report::{TableFolding, TextTable};
use crate::stats;

/// How many of the least certain objects are named.
const OBJECTS: usize = 10;

/// How many of the base clusterings that disagree most are named.
const COLUMNS: usize = 5;

/// How many methods are seen at once.
const METHODS: usize = 10;

fn table(id: &str, [title, caption]: [&str; 2], header: &[&str], rows: Vec<Vec<String>>) -> TextTable {
    TextTable {
        id: id.to_owned(),
        title: title.to_owned(),
        caption: caption.to_owned(),
        header: header.iter().map(|name| (*name).to_owned()).collect(),
        rows,
        folding: TableFolding::Open,
    }
}

/// Every method of a comparison, the recommended one first.
pub(super) fn methods(table_of: &LabelTable, comparison: &Compared) -> TextTable {
    let (header, rows) = write::method_table(table_of, comparison);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let alike = alike(&comparison.ari);
    let same = match comparison.ranked.len() {
        all if all == alike && all > 1 => format!(" All {all} divide the objects in the same way."),
        _ if alike > 2 => format!(" The first {alike} divide the objects in the same way."),
        _ => String::new(),
    };
    let caption = format!("Agreement with the base clusterings as mean NMI; the recommended method first.{same}");
    let texts = ["Methods", &caption];
    TextTable { folding: TableFolding::After(METHODS), ..table("methods", texts, &header, rows) }
}

/// How far every two methods of a comparison agree; `None` where all give the same.
pub(super) fn agreement(comparison: &Compared) -> Option<TextTable> {
    if alike(&comparison.ari) == comparison.ranked.len() {
        return None;
    }
    let names: Vec<&str> = comparison.ranked.iter().map(|compared| compared.answer.method.name).collect();
    let header: Vec<&str> = std::iter::once("ARI").chain(names.iter().copied()).collect();
    let row = |(name, row): (&&str, &Vec<f64>)| {
        std::iter::once((*name).to_owned()).chain(row.iter().map(|value| format!("{value:.2}"))).collect()
    };
    let rows = names.iter().zip(&comparison.ari).map(row).collect();
    let folding = if names.len() > METHODS { TableFolding::Whole } else { TableFolding::Open };
    let texts = ["Agreement of methods with each other", "Adjusted Rand index of every pair."];
    Some(TextTable { folding, ..table("agreement", texts, &header, rows) })
}

/// Every metric against the classes, where they are known.
pub(super) fn against_classes(table_of: &LabelTable, answer: &Answer) -> Option<TextTable> {
    let rows = metrics(table_of, answer)?
        .iter()
        .map(|(name, value)| vec![(*name).to_owned(), value_text(name, *value)])
        .collect();
    let texts = ["Against the classes", "Definitions: conclave list metrics."];
    Some(table("metrics", texts, &["metric", "value"], rows))
}

/// How stable each number of clusters is.
pub(super) fn counts(choice: &KChoice) -> TextTable {
    let (header, rows) = choice.table();
    let caption = "Area under the consensus CDF, its growth Δ(k), ambiguous pairs (PAC) of the data and of references, how far the \
                   former are below the latter on a logarithmic scale (RCSI), and how often references would have a PAC as low (p).";
    table("counts", ["Stability of each number of clusters", caption], &header, rows)
}

/// Objects of which the consensus is least sure, and where else they might be; `None` where it is sure of all.
pub(super) fn least_certain(table_of: &LabelTable, answer: &Answer) -> Option<TextTable> {
    let confidence = answer.confidence();
    let labels = answer.partition().labels();
    // The least certain so far, with the least certain first.
    let mut least: Vec<(f64, usize)> = Vec::with_capacity(OBJECTS + 1);
    for object in 0..labels.len() {
        let sure = confidence.object(object);
        let is_certain = sure >= 0.9995;
        if is_certain || (least.len() == OBJECTS && least.last().is_some_and(|(most, _)| *most <= sure)) {
            continue;
        }
        let place = least.partition_point(|(other, _)| *other <= sure);
        least.insert(place, (sure, object));
        least.truncate(OBJECTS);
    }
    if least.is_empty() {
        return None;
    }
    let rows = least.into_iter().map(|(sure, object)| {
        let named =
            table_of.ids.as_ref().map_or_else(|| format!("row {}", object + 1), |ids| ids.get(object).to_owned());
        let (next, next_sure) = match confidence.runner_up(object) {
            Some((cluster, sure)) => (name(cluster), format!("{sure:.3}")),
            None => ("–".to_owned(), "–".to_owned()),
        };
        vec![named, name(labels[object] as usize), format!("{sure:.3}"), next, next_sure]
    });
    let caption = "The confidence in the cluster that each has, and in the one that would come next.";
    let header = ["object", "cluster", "confidence", "runner-up", "its confidence"];
    Some(table("uncertain", ["Least certain objects", caption], &header, rows.collect()))
}

/// Base clusterings that agree least with the consensus.
pub(super) fn most_at_odds(table_of: &LabelTable, answer: &Answer) -> TextTable {
    let ensemble = &table_of.ensemble;
    let agreement = column_nmi(ensemble, answer.partition());
    let mut order: Vec<usize> = (0..agreement.len()).collect();
    order.sort_by(|&one, &other| agreement[one].total_cmp(&agreement[other]));
    let rows = order.into_iter().take(COLUMNS).map(|column| {
        let others = nmi_with_others(ensemble, column);
        vec![
            table_of.names[column].clone(),
            ensemble.arity()[column].to_string(),
            format!("{:.3}", agreement[column]),
            others.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")),
        ]
    });
    let mean = stats::mean(&agreement).unwrap_or(0.0);
    let caption = format!(
        "Of {} base clusterings: NMI with the consensus, and the mean NMI with the other base clusterings. Over all of them, NMI with the \
         consensus is {mean:.3} on average.",
        agreement.len()
    );
    let header = ["base clustering", "clusters", "NMI: consensus", "NMI: others"];
    table("odds", ["Base clusterings that disagree most", &caption], &header, rows.collect())
}
