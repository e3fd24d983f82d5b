use std::collections::HashMap;

use super::{Ensemble, Labels};

/// Why labels cannot make an ensemble.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnsembleError {
    /// There is no object.
    #[error("there are no objects")]
    NoObjects,
    /// There is no base clustering.
    #[error("there are no base clusterings")]
    NoColumns,
    /// A column without a single label says nothing and has no clusters.
    #[error("base clustering {column} has no label at all; leave that column out")]
    EmptyColumn {
        /// 1-based position.
        column: usize,
    },
    /// Columns or rows of different lengths.
    #[error("{what} has {found} labels where {expected} were expected")]
    Ragged {
        /// Which row or column.
        what: String,
        /// Labels found.
        found: usize,
        /// Labels expected.
        expected: usize,
    },
}

/// Collects rows of labels one at a time, keeping only the distinct ones: memory goes with distinct rows, plus four
/// bytes an object.
#[derive(Debug, Default)]
pub struct EnsembleBuilder {
    columns: usize,
    names: Vec<HashMap<String, u32>>,
    rows: HashMap<Box<[u32]>, u32>,
    row_of: Vec<u32>,
    scratch: Vec<u32>,
}

impl EnsembleBuilder {
    /// A builder for rows of `columns` labels.
    #[must_use]
    pub fn new(columns: usize) -> Self {
        Self { columns, names: vec![HashMap::new(); columns], ..Self::default() }
    }

    /// Adds an object by its labels' texts; `None` is a missing label.
    ///
    /// # Errors
    /// When the row does not have as many labels as there are columns.
    pub fn push<'a>(&mut self, labels: impl IntoIterator<Item = Option<&'a str>>) -> Result<(), EnsembleError> {
        self.scratch.clear();
        for (column, label) in labels.into_iter().enumerate() {
            let code = match (label, self.names.get_mut(column)) {
                (Some(text), Some(names)) => match names.get(text) {
                    Some(&code) => code,
                    None => {
                        let code = index(names.len());
                        names.insert(text.to_owned(), code);
                        code
                    }
                },
                _ => Labels::MISSING,
            };
            self.scratch.push(code);
        }
        if self.scratch.len() != self.columns {
            return Err(EnsembleError::Ragged {
                what: format!("row {}", self.row_of.len() + 1),
                found: self.scratch.len(),
                expected: self.columns,
            });
        }
        self.push_scratch();
        Ok(())
    }

    fn push_scratch(&mut self) {
        let next = index(self.rows.len());
        let row = match self.rows.get(self.scratch.as_slice()) {
            Some(&row) => row,
            None => {
                self.rows.insert(self.scratch.clone().into_boxed_slice(), next);
                next
            }
        };
        self.row_of.push(row);
    }

    /// The ensemble: codes follow the order of the labels' texts, distinct rows are sorted.
    ///
    /// # Errors
    /// When there is no object, no column, or a column without any label.
    pub fn finish(self) -> Result<Ensemble, EnsembleError> {
        let recode: Vec<Vec<u32>> = self
            .names
            .iter()
            .map(|names| {
                let mut sorted: Vec<(&String, u32)> = names.iter().map(|(name, &code)| (name, code)).collect();
                sorted.sort_unstable();
                let mut recode = vec![0; sorted.len()];
                for (position, (_, code)) in sorted.into_iter().enumerate() {
                    recode[code as usize] = index(position);
                }
                recode
            })
            .collect();
        let arity = recode.iter().map(Vec::len).collect();
        let rows = self
            .rows
            .into_iter()
            .map(|(mut row, position)| {
                for (code, recode) in row.iter_mut().zip(&recode) {
                    if *code != Labels::MISSING {
                        *code = recode[*code as usize];
                    }
                }
                (row, position)
            })
            .collect();
        assemble(rows, self.row_of, arity)
    }
}

/// Builds an ensemble from columns of equal length.
pub(super) fn from_columns(columns: &[Labels]) -> Result<Ensemble, EnsembleError> {
    let objects = columns.first().ok_or(EnsembleError::NoColumns)?.len();
    for (position, column) in columns.iter().enumerate() {
        if column.len() != objects {
            return Err(EnsembleError::Ragged {
                what: format!("base clustering {}", position + 1),
                found: column.len(),
                expected: objects,
            });
        }
    }
    let mut builder = EnsembleBuilder::new(columns.len());
    for object in 0..objects {
        builder.scratch.clear();
        builder.scratch.extend(columns.iter().map(|column| column.codes()[object]));
        builder.push_scratch();
    }
    let arity = columns.iter().map(Labels::clusters).collect();
    assemble(builder.rows.into_iter().collect(), builder.row_of, arity)
}

/// Some neighbouring columns of an ensemble.
pub(super) fn of_columns(ensemble: &Ensemble, columns: std::ops::Range<usize>) -> Ensemble {
    let mut builder = EnsembleBuilder::new(columns.len());
    for row in 0..ensemble.rows() {
        builder.scratch.clear();
        builder.scratch.extend_from_slice(&ensemble.row(row)[columns.clone()]);
        builder.push_scratch();
    }
    let row_of = ensemble.row_of().iter().map(|&row| builder.row_of[row as usize]).collect();
    assemble(builder.rows.into_iter().collect(), row_of, ensemble.arity()[columns].to_vec())
        .expect("columns of an ensemble are an ensemble")
}

/// Sorts the distinct rows, so that they do not depend on the order of the objects, and checks the invariants.
fn assemble(
    mut rows: Vec<(Box<[u32]>, u32)>,
    mut row_of: Vec<u32>,
    arity: Vec<usize>,
) -> Result<Ensemble, EnsembleError> {
    if arity.is_empty() {
        return Err(EnsembleError::NoColumns);
    }
    if row_of.is_empty() {
        return Err(EnsembleError::NoObjects);
    }
    if let Some(column) = arity.iter().position(|&clusters| clusters == 0) {
        return Err(EnsembleError::EmptyColumn { column: column + 1 });
    }
    rows.sort_unstable();
    let mut sorted_position = vec![0; rows.len()];
    let mut cells = Vec::with_capacity(rows.len() * arity.len());
    for (position, (row, original)) in rows.iter().enumerate() {
        sorted_position[*original as usize] = index(position);
        cells.extend_from_slice(row);
    }
    let mut weights = vec![0; rows.len()];
    for row in &mut row_of {
        *row = sorted_position[*row as usize];
        weights[*row as usize] += 1;
    }
    Ok(Ensemble { cells, weights, row_of, arity })
}

fn index(value: usize) -> u32 {
    u32::try_from(value).expect("fewer objects and labels than u32 values")
}
