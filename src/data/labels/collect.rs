use std::sync::Arc;

use super::measured::nearly_all_differ;
use super::missing::{MissingCounts, MissingWords};
use super::names::ObjectNames;
use super::read::{IdColumn, IdOrigin, LabelReading, LabelTable, ReadRequest};
use super::roles::{ColumnRoles, Selection};
use super::suspects::{JudgedColumns, NamesFrom, ReadColumns};
use crate::data::grid::CONVERT;
use crate::ensemble::{Dictionary, EnsembleBuilder, EnsembleError, Labels, Partition};

/// What of a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelShare {
    /// All of it.
    All,
    /// Every `owners`-th row from row `owner` on, counted from 0.
    Rows {
        /// The number of the owner, from 0.
        owner: usize,
        /// Among how many.
        owners: usize,
    },
    /// Neighbouring base clusterings, as evenly as can be.
    Columns {
        /// The number of the owner, from 0.
        owner: usize,
        /// Among how many.
        owners: usize,
    },
}

impl LabelShare {
    /// Whether a row is in it.
    pub(super) fn has(self, row: usize) -> bool {
        match self {
            Self::Rows { owner, owners } => row % owners == owner,
            Self::All | Self::Columns { .. } => true,
        }
    }
}

/// When names are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// As they come.
    AtOnce,
    /// When a part is added to what is before it.
    Later,
}

/// How the rows of a file become objects.
pub(super) struct RowRules {
    pub(super) roles: ColumnRoles,
    headers: Vec<String>,
    words: MissingWords,
    selection: Selection,
    share: LabelShare,
    names_from: NamesFrom,
}

/// Takes objects one at a time and keeps what plays a part. Messages do not say where: whoever reads the file knows.
pub(super) struct Collector {
    pub(super) rules: Arc<RowRules>,
    naming: Naming,
    builder: EnsembleBuilder,
    missing: MissingCounts,
    classes: Dictionary,
    truth: Vec<u32>,
    names: ObjectNames,
    codes: Vec<u32>,
    /// How the file is spelled, where that is unusual.
    pub(super) spelling: Vec<String>,
}

impl Collector {
    /// One for a text, whose first line has the names.
    pub(super) fn new(headers: Vec<String>, wanted: ReadRequest) -> Result<Self, String> {
        Self::with_names_from(NamesFrom::FirstLine, headers, wanted)
    }

    pub(super) fn with_names_from(
        names_from: NamesFrom,
        headers: Vec<String>,
        wanted: ReadRequest,
    ) -> Result<Self, String> {
        let ReadRequest { selection, share, .. } = wanted;
        let roles = ColumnRoles::find(&headers, selection, share)?;
        let words = MissingWords::with(&selection.missing);
        let rules = RowRules { roles, headers, words, selection: selection.clone(), share, names_from };
        Ok(Self::empty(Arc::new(rules), Naming::AtOnce))
    }

    fn empty(rules: Arc<RowRules>, naming: Naming) -> Self {
        let columns = rules.roles.columns.len();
        Self {
            naming,
            builder: EnsembleBuilder::new(columns),
            missing: MissingCounts::new(columns, &rules.words),
            classes: Dictionary::default(),
            truth: Vec::new(),
            names: ObjectNames::default(),
            codes: Vec::new(),
            spelling: Vec::new(),
            rules,
        }
    }

    /// One for objects that come later in the same file, to be added by [`Collector::append`].
    pub(super) fn for_part(&self) -> Self {
        Self::empty(Arc::clone(&self.rules), Naming::Later)
    }

    /// Adds the objects of a part that comes next in the file, as if they had come here one by one.
    ///
    /// # Errors
    /// The first object of the part, counted from 0, whose name is taken.
    pub(super) fn append(&mut self, part: Self) -> Result<(), (usize, String)> {
        self.builder.append(part.builder);
        self.missing.append(&part.missing);
        let classes = self.classes.codes_of(&part.classes);
        self.truth.extend(part.truth.iter().map(|&class| classes[class as usize]));
        for (object, name) in part.names.iter().enumerate() {
            self.push_name(name.as_bytes()).map_err(|problem| (object, problem))?;
        }
        Ok(())
    }

    /// Adds an object by the fields of its row.
    pub(super) fn push<'a>(&mut self, field: impl Fn(usize) -> &'a [u8]) -> Result<(), String> {
        let mut codes = std::mem::take(&mut self.codes);
        codes.clear();
        let rules = Arc::clone(&self.rules);
        for (place, &column) in rules.roles.columns.iter().enumerate() {
            codes.push(match rules.words.label(field(column)) {
                Ok(label) => self.builder.code(place, label).map_err(|_| rules.not_text(column))?,
                Err(word) => {
                    self.missing.add(place, word);
                    Labels::MISSING
                }
            });
        }
        self.push_codes(&codes);
        self.codes = codes;
        if let Some(column) = rules.roles.truth {
            self.push_class(field(column))?;
        }
        if let Some(column) = rules.roles.id {
            self.push_name(field(column))?;
        }
        Ok(())
    }

    /// The code of a field of the base clustering at `place`; [`Labels::MISSING`] where it has no label.
    pub(super) fn code(&mut self, place: usize, field: &[u8]) -> Result<u32, String> {
        match self.rules.words.label(field) {
            Ok(label) => {
                self.builder.code(place, label).map_err(|_| self.rules.not_text(self.rules.roles.columns[place]))
            }
            Err(word) => {
                self.missing.add(place, word);
                Ok(Labels::MISSING)
            }
        }
    }

    /// Adds the labels of an object by codes from [`Collector::code`].
    pub(super) fn push_codes(&mut self, codes: &[u32]) {
        self.builder.push_codes(codes);
    }

    pub(super) fn push_class(&mut self, field: &[u8]) -> Result<(), String> {
        let column = self.rules.roles.truth.expect("a class is given where a column is named for it");
        let class = self.rules.words.label(field).map_err(|_| {
            format!("column `{}` has no class here; every object needs one", self.rules.headers[column])
        })?;
        let code = self.classes.code(class).map_err(|_| self.rules.not_text(column))?;
        self.truth.push(code);
        Ok(())
    }

    pub(super) fn push_name(&mut self, field: &[u8]) -> Result<(), String> {
        let column = self.rules.roles.id.expect("a name is given where a column is named for it");
        let name = std::str::from_utf8(field).map_err(|_| self.rules.not_text(column))?;
        if self.naming == Naming::Later {
            self.names.add(name);
            return Ok(());
        }
        self.names.push(name).map_err(|earlier| {
            let header = &self.rules.headers[column];
            format!(
                "column `{header}`: `{}` is already the name of object {}; names must be unique",
                shortened(name),
                earlier + 1
            )
        })
    }

    /// How many objects there are so far.
    pub(super) fn objects(&self) -> usize {
        self.builder.objects()
    }

    pub(super) fn finish(mut self) -> Result<LabelTable, String> {
        let JudgedColumns { clusterings, id, notes, wrong_if_rows_differ } = self.judge()?;
        let header = |place: usize| self.rules.headers[self.rules.roles.columns[place]].clone();
        let names: Vec<String> = clusterings.iter().map(|&place| header(place)).collect();
        if let Some(place) = id {
            self.names = ObjectNames::default();
            self.builder.labels_of(place).for_each(|name| self.names.add(name.unwrap_or_default()));
        }
        let id = match (id, self.rules.roles.id) {
            (Some(place), _) => Some(IdColumn { name: header(place), origin: IdOrigin::Found }),
            (None, Some(column)) => {
                Some(IdColumn { name: self.rules.headers[column].clone(), origin: IdOrigin::Named })
            }
            (None, None) => None,
        };
        let missing = self.missing.by_spelling(&clusterings, &self.rules.words);
        let builder = match clusterings.len() {
            all if all == self.rules.roles.columns.len() => self.builder,
            _ => self.builder.select(&clusterings),
        };
        let ensemble = builder.finish().map_err(|error| match error {
            EnsembleError::EmptyColumn { column } => {
                format!(
                    "column `{}` has no labels; leave it out by naming the others with --columns",
                    names[column - 1]
                )
            }
            EnsembleError::NoObjects => "there is a header but no row; expected one row per object".to_owned(),
            other => other.to_string(),
        })?;
        if let Some(problem) = wrong_if_rows_differ.filter(|_| nearly_all_differ(ensemble.rows(), ensemble.objects())) {
            return Err(problem);
        }
        let truth = self.rules.roles.truth.map(|_| {
            let place = self.classes.by_text();
            Partition::from_codes(&self.truth.iter().map(|&code| place[code as usize]).collect::<Vec<_>>())
        });
        let ids = id.is_some().then_some(self.names);
        let reading = LabelReading { id, missing, spelling: self.spelling, notes };
        Ok(LabelTable { names, ensemble, truth, ids, reading })
    }

    /// What was read, for an owner of a share of the objects, whose labels mean nothing before all owners agree.
    #[cfg(feature = "mpi")]
    pub(super) fn part(self) -> Result<super::LabelPart, String> {
        self.judge()?;
        let RowRules { roles, headers, .. } = &*self.rules;
        let names = roles.columns.iter().map(|&column| headers[column].clone()).collect();
        Ok(super::LabelPart { names, rows: self.builder, ids: roles.id.map(|_| self.names) })
    }

    fn judge(&self) -> Result<JudgedColumns, String> {
        let RowRules { roles, headers, words, selection, share, names_from } = &*self.rules;
        let columns = ReadColumns {
            names: roles.columns.iter().map(|&column| headers[column].as_str()).collect(),
            labels: self.builder.labels().collect(),
            missing: &self.missing,
            objects: self.builder.objects(),
            words,
            selection,
            share: *share,
            names_from: *names_from,
        };
        columns.judge()
    }
}

impl RowRules {
    fn not_text(&self, column: usize) -> String {
        let header = &self.headers[column];
        format!("column `{header}` is not UTF-8 text; {CONVERT}")
    }
}

/// Enough of a text to know it again.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
