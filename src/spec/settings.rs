//! Reads what runs at one point: the ensembles, the methods, what is deleted.

mod chosen;
mod ensembles;
mod methods;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::bounds;
use super::experiment::{EnsembleSetting, Setting};
use super::fields::{Fields, Problems};
use super::tree::{Span, TomlTable};
use crate::data::Dataset;
use crate::generate::{Coupling, Holdout, Mask, Spread, Strata};
use crate::params::WantedCount;
use chosen::cluster_rule;

/// What ensembles and methods are checked against.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) datasets: &'a [Arc<Dataset>],
    /// Datasets that are optional and not there.
    pub(super) absent: &'a [(String, String)],
    /// Names that are misspelt or stand for what cannot be read.
    pub(super) doubtful: &'a [String],
    /// Paths in the spec are relative to this folder.
    pub(super) folder: &'a Path,
    pub(super) methods: Methods,
    pub(super) problems: &'a Problems,
}

/// Whether a spec runs methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Methods {
    /// At least one.
    Required,
    /// It shows its ensembles, or lists things, and may do without.
    Optional,
}

/// What the top level says about every method.
struct SharedSettings {
    clusters: Option<(WantedCount, Span)>,
    repeats: u32,
    deadline: Option<Duration>,
    mask: Mask,
    ensembles: Vec<EnsembleSetting>,
}

/// Whether the spec runs nothing: it has listings and no ensembles.
pub(super) fn only_lists(top: &Fields) -> bool {
    !top.tables("listing").is_empty() && top.item("ensemble").is_none()
}

/// Reads a setting from the spec's top level. Returns `None` after noting problems.
pub(super) fn read<'a>(top: &Fields<'a>, context: &Context<'a>) -> Option<Setting> {
    let couplings = [("nested", Coupling::Nested), ("independent", Coupling::Independent)];
    let spreads = [("ensemble", Spread::Ensemble), ("partition", Spread::Partition)];
    let mask = Mask {
        fraction: top.fraction("missing").unwrap_or(0.0),
        spread: top.choice("missing-per", &spreads).unwrap_or(Spread::Ensemble),
        coupling: top.choice("coupling", &couplings).unwrap_or(Coupling::Nested),
    };
    let strata = [("objects", Strata::Objects), ("classes", Strata::Classes)];
    let holdout = Holdout {
        fraction: top.fraction("holdout").unwrap_or(0.0),
        strata: top.choice("holdout-from", &strata).unwrap_or(Strata::Objects),
    };
    let ensembles = match only_lists(top) {
        true => Some(Vec::new()),
        false => all_read(top, "ensemble", |table| ensembles::read(table, context)),
    };
    let common = SharedSettings {
        clusters: cluster_rule(top, "k"),
        repeats: top.count("repeats", bounds::REPETITIONS).and_then(small).unwrap_or(1),
        deadline: top.seconds("deadline"),
        mask,
        ensembles: ensembles.clone().unwrap_or_default(),
    };
    let read_method = |table| methods::read(table, &common, context);
    let methods = match context.methods {
        Methods::Optional if top.item("method").is_none() => Some(Vec::new()),
        _ => all_read(top, "method", read_method),
    };
    methods::refuse_equal(&top.tables("method"), context.problems);
    let ensembles = ensembles?;
    ensembles::refuse_equal(&top.tables("ensemble"), &ensembles, context.datasets, context.problems);
    Some(Setting { mask, holdout, ensembles, methods: methods? })
}

/// What a setting with mistakes says of the names that outputs use: labels and what is deleted. What cannot be read is left at
/// something that can; nothing is noted, and it is not for running.
pub(super) fn sketch<'a>(top: &Fields<'a>, context: &Context<'a>) -> Setting {
    let silent = Problems::default();
    let quiet = Fields::new(top.table_read(), "the spec", &silent);
    let context = Context { problems: &silent, ..*context };
    let mask = Mask { fraction: 0.0, spread: Spread::Ensemble, coupling: Coupling::Nested };
    let held_out = quiet.item("holdout").map_or(0.0, |_| quiet.fraction("holdout").unwrap_or(0.5));
    let holdout = Holdout { fraction: held_out, strata: Strata::Objects };
    let ensembles: Vec<EnsembleSetting> = quiet.tables("ensemble").into_iter().map(ensembles::sketch).collect();
    let common = SharedSettings { clusters: None, repeats: 1, deadline: None, mask, ensembles };
    let of_method = |table| methods::read(table, &common, &context).unwrap_or_else(|| methods::sketch(table));
    let methods = quiet.tables("method").into_iter().map(of_method).collect();
    Setting { mask, holdout, methods, ensembles: common.ensembles }
}

fn all_read<'a, T>(top: &Fields<'a>, key: &'a str, mut read: impl FnMut(&'a TomlTable) -> Option<T>) -> Option<Vec<T>> {
    let tables = top.tables(key);
    if tables.is_empty() && top.item(key).is_none() {
        top.missing(key, &format!("at least one [[{key}]]"));
        return None;
    }
    let read: Vec<Option<T>> = tables.into_iter().map(&mut read).collect();
    read.into_iter().collect()
}

fn small(value: usize) -> Option<u32> {
    u32::try_from(value).ok()
}
