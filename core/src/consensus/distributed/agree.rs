//! What parties in processes of their own have to agree on before they begin: parties that own rows, what their labels
//! are called; clients that own columns, where theirs stand among all.
//!
//! The names of a column's labels cross the boundary, once, and counts do; which object has which label does not.

use std::collections::BTreeSet;
use std::ops::Range;

use super::transport::{Exchange, Message, Stopped, Transport};
use crate::consensus::Halt;

/// The columns and, for each, the names of its labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names of the labels of each column, in the order of their codes.
    pub labels: Vec<BTreeSet<String>>,
}

impl Vocabulary {
    fn add(&mut self, others: &Self) {
        self.labels.iter_mut().zip(&others.labels).for_each(|(own, other)| own.extend(other.iter().cloned()));
    }
}

/// Every text as its length and its bytes, each a number.
impl Message for Vocabulary {
    fn write(&self, frame: &mut Vec<f64>) {
        let mut text = |text: &str| {
            frame.push(text.len() as f64);
            frame.extend(text.bytes().map(f64::from));
        };
        text(&self.columns.len().to_string());
        for (column, labels) in self.columns.iter().zip(&self.labels) {
            text(column);
            text(&labels.len().to_string());
            labels.iter().for_each(|label| text(label));
        }
    }

    fn read(&mut self, frame: &[f64]) -> bool {
        TextReader(frame).vocabulary().map(|read| *self = read).is_some()
    }
}

/// What is left of a frame of texts.
struct TextReader<'a>(&'a [f64]);

impl TextReader<'_> {
    fn text(&mut self) -> Option<String> {
        let (&length, rest) = self.0.split_first()?;
        let (text, rest) = rest.split_at_checked(length as usize)?;
        self.0 = rest;
        String::from_utf8(text.iter().map(|&byte| byte as u8).collect()).ok()
    }

    fn count(&mut self) -> Option<usize> {
        self.text()?.parse().ok()
    }

    fn vocabulary(mut self) -> Option<Vocabulary> {
        let mut read = Vocabulary::default();
        for _ in 0..self.count()? {
            read.columns.push(self.text()?);
            read.labels.push((0..self.count()?).map(|_| self.text()).collect::<Option<_>>()?);
        }
        self.0.is_empty().then_some(read)
    }
}

/// The union of what all parties of a ring call their labels: every party adds its own to what it gets, and the last one
/// passes the whole around.
pub fn vocabulary(mut own: Vocabulary, transport: &mut dyn Transport) -> Result<Vocabulary, Stopped> {
    let (me, last) = (transport.party(), transport.parties() - 1);
    let before = (me + last) % (last + 1);
    if me > 0 {
        let mut others = Vocabulary::default();
        transport.receive(before, &mut others)?;
        if others.columns != own.columns {
            let message = format!(
                "its columns are {}, those of the parties before it are {}; all need the same, in the same order",
                own.columns.join(", "),
                others.columns.join(", ")
            );
            return Err(Halt::Failed(message).into());
        }
        own.add(&others);
    }
    if me < last {
        transport.send(me + 1, &own)?;
        transport.receive(before, &mut own)?;
    }
    if (me + 1) % (last + 1) != last {
        transport.send((me + 1) % (last + 1), &own)?;
    }
    match own.labels.iter().position(BTreeSet::is_empty) {
        Some(column) => Err(Halt::Failed(format!("nobody has a label in column `{}`", own.columns[column])).into()),
        None => Ok(own),
    }
}

/// Where a client's columns stand among those of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnLayout {
    /// N.
    pub objects: usize,
    /// The columns of each client.
    pub columns: Vec<Range<usize>>,
    /// Labels of the columns before a client's own.
    pub first_label: usize,
}

/// A client's side: says how many objects, columns and labels it has, and learns the rest.
pub fn layout_of_client(own: &ClientSize, transport: &mut dyn Transport) -> Result<ColumnLayout, Stopped> {
    let ClientSize { objects, columns, labels } = own;
    transport.send(0, &[*objects, *columns, *labels].map(|count| count as f64).to_vec())?;
    let frame = transport.receive_frame(0)?;
    let counts: Vec<usize> = frame.iter().map(|&count| count as usize).collect();
    let [first_label, columns @ ..] = &counts[..] else {
        return Err(Halt::Failed("the server sent no layout".to_owned()).into());
    };
    Ok(ColumnLayout { objects: *objects, columns: ranges(columns), first_label: *first_label })
}

/// What a client has.
pub struct ClientSize {
    /// N.
    pub objects: usize,
    /// Its base clusterings.
    pub columns: usize,
    /// Labels of all of them.
    pub labels: usize,
}

/// The server's side: hears what every client has and tells each where it stands.
pub fn layout_of_server(transport: &mut dyn Transport) -> Result<ColumnLayout, Stopped> {
    let mut had = Vec::new();
    for client in 1..transport.parties() {
        let mut counts = vec![0.0; 3];
        transport.receive(client, &mut counts)?;
        had.push(counts);
    }
    let objects = had.first().map_or(0.0, |counts| counts[0]);
    if let Some(client) = had.iter().position(|counts| counts[0] != objects) {
        let message = format!(
            "party {} has {} objects and party 1 has {objects}; clients describe the same objects, in the same order",
            client + 1,
            had[client][0]
        );
        return Err(Halt::Failed(message).into());
    }
    let columns: Vec<f64> = had.iter().map(|counts| counts[1]).collect();
    let mut before = 0.0;
    for (client, counts) in (1..).zip(&had) {
        let frame: Vec<f64> = std::iter::once(before).chain(columns.iter().copied()).collect();
        transport.send(client, &frame)?;
        before += counts[2];
    }
    let columns: Vec<usize> = columns.into_iter().map(|count| count as usize).collect();
    Ok(ColumnLayout { objects: objects as usize, columns: ranges(&columns), first_label: 0 })
}

fn ranges(columns: &[usize]) -> Vec<Range<usize>> {
    let starts = columns.iter().scan(0, |next, count| {
        *next += count;
        Some(*next - count..*next)
    });
    starts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consensus::Watch;
    use crate::consensus::distributed::channels::Links;
    use crate::consensus::distributed::drive;

    fn of(columns: &[&str], labels: &[&[&str]]) -> Vocabulary {
        let set = |labels: &&[&str]| labels.iter().map(|label| (*label).to_owned()).collect();
        Vocabulary {
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            labels: labels.iter().map(set).collect(),
        }
    }

    #[test]
    fn everybody_learns_all_names_in_one_order() {
        for parties in 1..5 {
            let own: Vec<Vocabulary> = (0..parties)
                .map(|party| of(&["a", "é, b"], &[&["x", ["", "y", "z", "naïve"][party]], &["same"]]))
                .collect();
            let outcome = drive::run(own, Links::Ring, &Watch::default(), |own, transport| vocabulary(own, transport));
            let found = outcome.ok().unwrap().results;
            let expected: Vec<&str> =
                ["x"].into_iter().chain(["", "y", "z", "naïve"].into_iter().take(parties)).collect();
            assert!(found.iter().all(|found| *found == of(&["a", "é, b"], &[&expected, &["same"]])), "{found:?}");
        }
    }

    #[test]
    fn parties_with_other_columns_and_columns_nobody_labels_are_named() {
        let own = vec![of(&["a", "b"], &[&["x"], &["y"]]), of(&["a", "c"], &[&["x"], &["y"]])];
        let error = drive::run(own, Links::Ring, &Watch::default(), |own, transport| vocabulary(own, transport));
        let Err(Halt::Failed(message)) = error else { panic!("refused") };
        assert!(message.starts_with("party 1: its columns are a, c, those of the parties before it are a, b"));
        let own = vec![of(&["a", "b"], &[&["x"], &[]]), of(&["a", "b"], &[&["x"], &[]])];
        let error = drive::run(own, Links::Ring, &Watch::default(), |own, transport| vocabulary(own, transport));
        let Err(Halt::Failed(message)) = error else { panic!("refused") };
        assert!(message.ends_with("nobody has a label in column `b`"), "{message}");
    }

    #[test]
    fn clients_learn_where_they_stand() {
        let parts = vec![None, Some((2, 7)), Some((1, 3)), Some((3, 9))];
        let layouts = |parts: Vec<Option<(usize, usize)>>, objects: fn(usize) -> usize| {
            drive::run(parts, Links::Star, &Watch::default(), move |part, transport| match part {
                None => layout_of_server(transport),
                Some((columns, labels)) => {
                    let objects = objects(transport.party());
                    layout_of_client(&ClientSize { objects, columns, labels }, transport)
                }
            })
        };
        let found = layouts(parts.clone(), |_| 10).ok().unwrap().results;
        let first: Vec<usize> = found.iter().map(|layout| layout.first_label).collect();
        assert_eq!(first, [0, 0, 7, 10]);
        assert!(found.iter().all(|layout| layout.columns == [0..2, 2..3, 3..6] && layout.objects == 10));
        let Err(Halt::Failed(message)) = layouts(parts, |party| 8 + party / 3) else { panic!("refused") };
        assert!(message.contains("party 3 has 9 objects and party 1 has 8"), "{message}");
    }
}
