use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;

use super::collect::{Collector, LabelShare};
use super::names::ObjectNames;
use super::roles::Selection;
use super::{parquet, text};
use crate::bundle;
use crate::ensemble::{Ensemble, Partition};
use crate::threads::Threads;

/// Labels read from a file.
#[derive(Debug)]
pub struct LabelTable {
    /// Names of the base clusterings.
    pub names: Vec<String>,
    /// The base clusterings.
    pub ensemble: Ensemble,
    /// The true classes, when a column was named for them.
    pub truth: Option<Partition>,
    /// The objects' names, when a column was named for them or looks like it.
    pub ids: Option<ObjectNames>,
    /// How the file was understood.
    pub reading: LabelReading,
}

/// How a file of labels was understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelReading {
    /// The column with the objects' names.
    pub id: Option<IdColumn>,
    /// How often each spelling of a missing label was met, the most frequent first.
    pub missing: Vec<(String, u64)>,
    /// How the file is spelled, where that is unusual: `separated by semicolons`.
    pub spelling: Vec<String>,
    /// Which columns were left out, and why.
    pub notes: Vec<String>,
}

/// A column with the objects' names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdColumn {
    /// Its header.
    pub name: String,
    /// Who says that it has names.
    pub origin: IdOrigin,
}

/// Who says that a column has the objects' names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdOrigin {
    /// The user.
    Named,
    /// Its values: all of them differ, and those of other columns do not.
    Found,
}

/// Why a label file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// It cannot be opened or read.
    #[error("{name}: {source}")]
    Unreadable {
        /// The file.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("{name}: {problem}")]
    Malformed {
        /// The file.
        name: String,
        /// Where, what, and what would work.
        problem: String,
    },
}

impl LabelError {
    pub(super) fn malformed(source: &str, problem: String) -> Self {
        Self::Malformed { name: shown(source).to_owned(), problem }
    }
}

/// What every Parquet file begins with.
const PARQUET: &[u8] = b"PAR1";

impl LabelTable {
    /// Reads CSV, TSV (a header with tabs and no comma) or Parquet, whatever the file is called; `-` is standard input. Rows
    /// are read in pieces and only distinct ones kept: memory goes with distinct rows, plus four bytes per object (and
    /// the objects' names, where they are asked for).
    ///
    /// # Errors
    /// Says where, what, and what would work.
    pub fn read(source: &str, selection: &Selection) -> Result<Self, LabelError> {
        Self::read_on(source, selection, &Threads::default())
    }

    /// As [`Self::read`], on as many threads as can be borrowed; what is read and every message are the same.
    ///
    /// # Errors
    /// Says where, what, and what would work.
    pub fn read_on(source: &str, selection: &Selection, threads: &Threads) -> Result<Self, LabelError> {
        Self::finish(source, ReadRequest { selection, share: LabelShare::All, threads })
    }

    /// Reads what belongs to the share and skips the rest; see [`Self::read`].
    ///
    /// # Errors
    /// Says where, what, and what would work.
    pub fn read_share(source: &str, selection: &Selection, share: LabelShare) -> Result<Self, LabelError> {
        Self::finish(source, ReadRequest { selection, share, threads: &Threads::default() })
    }

    fn finish(source: &str, wanted: ReadRequest) -> Result<Self, LabelError> {
        let finished = collect(source, wanted)?.finish();
        finished.map_err(|problem| LabelError::malformed(source, problem))
    }

    /// Reads CSV or TSV from anything that gives bytes; `name` stands for it in messages.
    ///
    /// # Errors
    /// Says where, what, and what would work.
    pub fn read_text(input: impl Read, name: &str, selection: &Selection) -> Result<Self, LabelError> {
        let threads = &Threads::default();
        let collected = text::read(input, ReadRequest { selection, share: LabelShare::All, threads });
        collected.and_then(|collector| Ok(collector.finish()?)).map_err(|problem| problem.of(name))
    }
}

/// What is read of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadRequest<'a> {
    pub(super) selection: &'a Selection,
    pub(super) share: LabelShare,
    /// Who can help.
    pub(super) threads: &'a Threads,
}

/// What a source is called in messages.
fn shown(source: &str) -> &str {
    if source == "-" { "standard input" } else { source }
}

/// Reads distinct rows, which are not yet an ensemble.
pub(super) fn collect(source: &str, wanted: ReadRequest) -> Result<Collector, LabelError> {
    let read = || -> Result<Collector, text::ReadFailure> {
        if source == "-" {
            return of_stream(io::stdin().lock(), wanted);
        }
        if let Some(file) = bundle::instead_of(Path::new(source)) {
            return of_stream(Cursor::new(file.bytes()), wanted);
        }
        let file = File::open(source).map_err(text::ReadFailure::Unreadable)?;
        if file.metadata().is_ok_and(|about| about.is_dir()) {
            return Err("this is a folder; expected a CSV, TSV or Parquet file".to_owned().into());
        }
        of_file(file, wanted)
    };
    read().map_err(|problem| problem.of(shown(source)))
}

fn of_file(mut file: File, wanted: ReadRequest) -> Result<Collector, text::ReadFailure> {
    let start = magic(&mut file)?;
    // A pipe has a name and no beginning to go back to.
    if file.rewind().is_err() {
        return of_rest(start, file, wanted);
    }
    if start == PARQUET { Ok(parquet::read(&file, wanted)?) } else { text::read(file, wanted) }
}

fn of_stream(mut input: impl Read, wanted: ReadRequest) -> Result<Collector, text::ReadFailure> {
    let start = magic(&mut input)?;
    of_rest(start, input, wanted)
}

/// Reads on after the first bytes. Parquet begins at its end, so it goes through a file.
fn of_rest(start: Vec<u8>, input: impl Read, wanted: ReadRequest) -> Result<Collector, text::ReadFailure> {
    let is_parquet = start == PARQUET;
    let mut whole = Cursor::new(start).chain(input);
    if !is_parquet {
        return text::read(whole, wanted);
    }
    let mut file = tempfile::tempfile().map_err(text::ReadFailure::Unreadable)?;
    io::copy(&mut whole, &mut file).map_err(text::ReadFailure::Unreadable)?;
    Ok(parquet::read(&file, wanted)?)
}

impl text::ReadFailure {
    fn of(self, name: &str) -> LabelError {
        let name = name.to_owned();
        match self {
            Self::Unreadable(source) => LabelError::Unreadable { name, source },
            Self::Malformed(problem) => LabelError::Malformed { name, problem },
        }
    }
}

/// The first four bytes, or as many as there are.
fn magic(input: &mut impl Read) -> Result<Vec<u8>, text::ReadFailure> {
    let mut start = Vec::new();
    input.by_ref().take(PARQUET.len() as u64).read_to_end(&mut start).map_err(text::ReadFailure::Unreadable)?;
    Ok(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, selection: &Selection) -> Result<LabelTable, String> {
        let table = LabelTable::read_text(text.as_bytes(), "x", selection);
        table.map_err(|error| error.to_string().strip_prefix("x: ").expect("it names the file").to_owned())
    }

    #[test]
    fn every_spelling_of_a_missing_label_is_missing() {
        let table = read("a,b\n1,x\nNA,?\nNaN,y\n ,x\n2,x\n", &Selection::default()).unwrap();
        assert_eq!(table.ensemble.missing(), 4);
        assert_eq!(table.ensemble.arity(), [2, 2]);
    }

    #[test]
    fn named_columns_play_their_part() {
        let selection = Selection { id: Some("who".into()), truth: Some("class".into()), ..Selection::default() };
        let table = read("who,a,class,b\np,1,u,1\nq,2,v,1\n", &selection).unwrap();
        assert_eq!(table.names, ["a", "b"]);
        assert_eq!(table.ids.unwrap().iter().collect::<Vec<_>>(), ["p", "q"]);
        assert_eq!(table.truth.unwrap().labels(), [0, 1]);
        let picked = Selection { columns: Some(vec!["b".into()]), ..Selection::default() };
        assert_eq!(read("a,b\n1,1\n", &picked).unwrap().names, ["b"]);
    }

    #[test]
    fn windows_lines_byte_order_marks_tabs_and_quoted_lines_are_read_as_meant() {
        let plain = read("a,b\n1,x y\n2,z\n", &Selection::default()).unwrap();
        for spelled in ["\u{feff}a,b\r\n1,x y\r\n2,z\r\n", "a\tb\n1\tx y\n2\tz", "\"a\",b\n\n1,\"x y\"\n 2 , z \n"] {
            let table = read(spelled, &Selection::default()).unwrap();
            assert_eq!((&table.names, &table.ensemble), (&plain.names, &plain.ensemble), "{spelled:?}");
        }
        let quoted = read("a,b\n\"one\ntwo\",x\n\"say \"\"hi\"\"\",y\n", &Selection::default()).unwrap();
        assert_eq!((quoted.ensemble.objects(), quoted.ensemble.arity()), (2, &[2, 2][..]));
        let after = read("a,b\n\"one\ntwo\",x\n1\n", &Selection::default()).unwrap_err();
        assert_eq!(after, "line 4 has 1 field, but the header has 2");
        let open = read("a,b\n\"1,x\n2,y\n3,z\n", &Selection::default()).unwrap_err();
        assert!(open.starts_with("line 2 has 1 field") && open.ends_with("is a quote left open?"), "{open}");
    }

    #[test]
    fn problems_are_named_with_their_place() {
        let all = Selection::default();
        assert_eq!(read("a,b\n1\n", &all).unwrap_err(), "line 2 has 1 field, but the header has 2");
        assert!(read("a,b\n", &all).unwrap_err().starts_with("there is a header but no row"));
        assert_eq!(
            read("a,b\n1,\n2,NA\n", &all).unwrap_err(),
            "column `b` has no labels; leave it out by naming the others with --columns"
        );
        let truth = |name: &str| Selection { truth: Some(name.into()), ..Selection::default() };
        assert_eq!(
            read("a,class\n1,u\n", &truth("clas")).unwrap_err(),
            "no column is named `clas`; did you mean `class`?"
        );
        assert_eq!(
            read("a,class\n1,u\n2,\n", &truth("class")).unwrap_err(),
            "line 3: column `class` has no class here; every object needs one"
        );
        assert!(read("", &all).unwrap_err().starts_with("the file is empty"));
        assert!(read("\n\r\n\n", &all).unwrap_err().starts_with("the file has only empty lines"));
        let named = Selection { id: Some("a".into()), ..Selection::default() };
        assert_eq!(
            read("a,b\np,1\nq,1\np,2\n", &named).unwrap_err(),
            "line 4: column `a`: `p` is already the name of object 1; names must be unique"
        );
        assert_eq!(
            read("a,b,a\np,1,2\n", &named).unwrap_err(),
            "columns 1 and 3 are both named `a`; give them different names (is the header missing? use --no-header)"
        );
        let twice = Selection { columns: Some(vec!["b".into(), "b".into()]), ..Selection::default() };
        assert_eq!(read("a,b\n1,1\n", &twice).unwrap_err(), "column `b` is named twice; name it once");
    }
}
