//! Columns split among clients, and what the server answers them.

use std::ops::Range;

use super::channels::{Channels, Links};
use super::drive;
use super::transport::{Message, Stopped};
use crate::consensus::{Halt, Traffic, Watch};
use crate::ensemble::Ensemble;

/// A client's base clusterings, and where its labels stand among those of all: the one thing it has to know to draw its
/// share of a common random start.
pub struct ColumnPart {
    /// Its columns.
    pub ensemble: Ensemble,
    /// Labels of the columns before its own.
    pub first_label: usize,
}

/// Neighbouring columns for each of `clients`, as evenly as can be; one column each for 0 or for more clients than
/// columns.
pub(crate) fn split(columns: usize, clients: usize) -> Vec<Range<usize>> {
    let clients = if clients == 0 { columns } else { clients.min(columns) };
    (0..clients).map(|client| client * columns / clients..(client + 1) * columns / clients).collect()
}

/// What each client owns.
pub(crate) fn parts(ensemble: &Ensemble, split: &[Range<usize>]) -> Vec<ColumnPart> {
    let part = |columns: &Range<usize>| ColumnPart {
        ensemble: ensemble.of_columns(columns.clone()),
        first_label: ensemble.arity()[..columns.start].iter().sum(),
    };
    split.iter().map(part).collect()
}

/// Runs the server's program as party 0, which owns no labels, and the clients' on what each owns. Returns what the server
/// found, and the traffic.
///
/// # Errors
/// Those of [`drive::run`].
pub(crate) fn serve<Found: Send>(
    parts: Vec<ColumnPart>,
    watch: &Watch,
    server: impl Fn(&mut Channels) -> Result<Found, Stopped> + Sync,
    client: impl Fn(&ColumnPart, &mut Channels) -> Result<(), Stopped> + Sync,
) -> Result<(Found, Traffic), Halt> {
    let parties: Vec<Option<ColumnPart>> = std::iter::once(None).chain(parts.into_iter().map(Some)).collect();
    let outcome = drive::run(parties, Links::Star, watch, |part, transport| match part {
        None => server(transport).map(Some),
        Some(part) => client(&part, transport).map(|()| None),
    })?;
    let found = outcome.results.into_iter().flatten().next().expect("the server finished like everybody else");
    Ok((found, outcome.traffic))
}

/// What the server answers a client.
pub(crate) enum Reply {
    /// What the client needs for its M-step, object by object.
    Values(Vec<f64>),
    /// This start is over.
    Over,
}

impl Message for Reply {
    fn write(&self, frame: &mut Vec<f64>) {
        match self {
            Self::Values(values) => {
                frame.reserve_exact(1 + values.len());
                frame.push(0.0);
                frame.extend_from_slice(values);
            }
            Self::Over => frame.push(1.0),
        }
    }

    fn read(&mut self, frame: &[f64]) -> bool {
        match (&mut *self, frame) {
            (_, [1.0]) => {
                *self = Self::Over;
                true
            }
            (Self::Values(own), [0.0, values @ ..]) if values.len() == own.len() => {
                own.copy_from_slice(values);
                true
            }
            _ => false,
        }
    }
}
