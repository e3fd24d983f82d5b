//! One party that is a process of its own: agrees with the others on what they need to know, and runs its program.

use super::ranks::{Counted, Ranks, Server};
use crate::consensus::distributed::agree::{self, ClientSize, ColumnLayout, Vocabulary};
use crate::consensus::distributed::{Assigned, ColumnForm, ColumnPart, Common, RowForm, RunEnd, Stopped, ring};
use crate::consensus::{Halt, Watch, strongest_of};
use crate::ensemble::{Ensemble, EnsembleBuilder};
use crate::seed::Id;

/// What was asked of all ranks alike.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartyQuestion {
    /// K.
    pub(crate) clusters: usize,
    /// Seeds every random stream.
    pub(crate) id: Id,
}

/// What a rank knows at the end.
pub(crate) struct Finished {
    /// How the run ended; a client that owns columns does not hear of it.
    pub(crate) end: Option<RunEnd>,
    /// Objects of all ranks.
    pub(crate) objects: usize,
    /// The cluster of every object this rank has an answer for: its own rows, or all where it is the server.
    pub(crate) clusters: Vec<u32>,
    /// What all ranks exchanged.
    pub(crate) counted: Counted,
}

/// A rank that owns rows.
///
/// # Errors
/// When it cannot go on, or another rank is gone.
pub(crate) fn of_rows(
    form: &dyn RowForm,
    columns: Vec<String>,
    rows: EnsembleBuilder,
    question: PartyQuestion,
    ranks: &mut Ranks,
) -> Result<Finished, Stopped> {
    let labels = rows.labels().map(|labels| labels.iter().map(ToString::to_string).collect()).collect();
    let all = agree::vocabulary(Vocabulary { columns, labels }, ranks)?;
    let mut objects = vec![rows.objects() as f64];
    ring::total(ranks, &mut objects)?;
    let objects = enough_objects(objects[0] as usize, question.clusters)?;
    let all: Vec<Vec<String>> = all.labels.into_iter().map(|labels| labels.into_iter().collect()).collect();
    let arity: Vec<usize> = all.iter().map(Vec::len).collect();
    let part = rows.finish_among(&all);
    ranks.start_counting();
    let watch = Watch::default();
    let common = Common { arity: &arity, objects, columns: &[], ..question.common(&watch) };
    let found = form.party(&part, &common, ranks)?;
    let counted = ranks.counted(Server::None)?;
    let of_rows = match found.assigned {
        Assigned::Memberships(values) => values.chunks_exact(question.clusters).map(strongest_of).collect(),
        Assigned::Clusters(clusters) => clusters,
    };
    let clusters = part.iter().flat_map(Ensemble::row_of).map(|&row| of_rows[row as usize]).collect();
    Ok(Finished { end: Some(found.end), objects, clusters, counted })
}

/// A rank that owns columns, or none of them where it is the server.
///
/// # Errors
/// When it cannot go on, or another rank is gone.
pub(crate) fn of_columns(
    form: &dyn ColumnForm,
    own: Option<Ensemble>,
    question: PartyQuestion,
    ranks: &mut Ranks,
) -> Result<Finished, Stopped> {
    let ColumnLayout { objects, columns, first_label } = match &own {
        None => agree::layout_of_server(ranks)?,
        Some(ensemble) => {
            let labels = ensemble.arity().iter().sum();
            agree::layout_of_client(
                &ClientSize { objects: ensemble.objects(), columns: ensemble.columns(), labels },
                ranks,
            )?
        }
    };
    let objects = enough_objects(objects, question.clusters)?;
    ranks.start_counting();
    let watch = Watch::default();
    let common = Common { arity: &[], objects, columns: &columns, ..question.common(&watch) };
    let (end, clusters) = match own {
        None => {
            let found = form.server(&common, ranks)?;
            (Some(found.end), found.memberships.chunks_exact(question.clusters).map(strongest_of).collect())
        }
        Some(ensemble) => {
            form.client(&ColumnPart { ensemble, first_label }, &common, ranks)?;
            (None, Vec::new())
        }
    };
    Ok(Finished { end, objects, clusters, counted: ranks.counted(Server::First)? })
}

fn enough_objects(objects: usize, clusters: usize) -> Result<usize, Halt> {
    if clusters > objects {
        return Err(Halt::Failed(format!("-k {clusters}: there are only {objects} objects; k is at most {objects}")));
    }
    Ok(objects)
}

impl PartyQuestion {
    fn common(self, watch: &Watch) -> Common<'_> {
        Common { clusters: self.clusters, id: self.id, watch, arity: &[], columns: &[], objects: 0 }
    }
}
