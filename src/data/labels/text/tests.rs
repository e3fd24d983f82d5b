use std::num::NonZeroUsize;

use proptest::prelude::*;

use super::*;
use crate::data::labels::roles::Selection;
use crate::ensemble::Ensemble;
use crate::threads::Threads;

const LIMITS: TextLimits = TextLimits { head: 0, block: 1 << 10, line: 1 << 20 };

/// What can be seen of a table: names of columns, labels, classes, and names of objects.
type Shown = (Vec<String>, Ensemble, Option<Vec<u32>>, Option<Vec<String>>);

fn shown(read: Result<Collector, ReadFailure>) -> Result<Shown, String> {
    let table = read.and_then(|collector| Ok(collector.finish()?)).map_err(|failure| match failure {
        ReadFailure::Unreadable(error) => format!("unreadable: {error}"),
        ReadFailure::Malformed(problem) => problem,
    })?;
    let ids = table.ids.map(|ids| ids.iter().map(str::to_owned).collect());
    Ok((table.names, table.ensemble, table.truth.map(|truth| truth.labels().to_vec()), ids))
}

/// Gives so many bytes at a time, and breaks off with an error where it is told to.
struct Trickle<'a> {
    bytes: &'a [u8],
    at_a_time: usize,
    breaks: bool,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() && self.breaks {
            return Err(io::Error::other("the line is cut"));
        }
        let most = buffer.len().min(self.at_a_time);
        self.bytes.read(&mut buffer[..most])
    }
}

/// The slow way: all rows one after the other, as the csv crate reads them.
fn in_order(input: impl Read, selection: &Selection, share: LabelShare) -> Result<Shown, String> {
    let threads = &Threads::default();
    shown(read_in_order(CsvRows::new(input, b',', &LIMITS), ReadRequest { selection, share, threads }))
}

fn in_blocks(input: impl Read, selection: &Selection, block: usize, threads: usize) -> Result<Shown, String> {
    let threads = &Threads::new(NonZeroUsize::new(threads).unwrap());
    let limits = TextLimits { block, ..LIMITS };
    shown(read_within(&limits, input, ReadRequest { selection, share: LabelShare::All, threads }))
}

fn joined(parts: Vec<Vec<u8>>) -> Vec<u8> {
    parts.concat()
}

/// A text among these, as bytes.
fn one_of(texts: &'static [&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    proptest::sample::select(texts).prop_map(<[u8]>::to_vec)
}

/// The end of a line; some have an empty line after them.
fn line_end() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![6 => Just(b"\n".to_vec()), 4 => Just(b"\r\n".to_vec()), 1 => one_of(&[b"\r", b"\n\n", b"\r\r", b"\r\n\r\n", b"\n\r"])]
}

/// A row that is as it should be.
fn good_row() -> impl Strategy<Value = Vec<u8>> {
    let label = || one_of(&[b"0", b"1", b"2", b"a", b" x ", b"NA", b"", b"\xc3\xa9", b"a long label", b"\t"]);
    (0..10_000_u32, label(), label(), one_of(&[b"u", b"v", b"w w"]), line_end()).prop_map(
        |(name, one, other, class, end)| {
            [format!("o{name}").into_bytes(), one, other, class].join(&b","[..]).into_iter().chain(end).collect()
        },
    )
}

/// Something that is not, or is spelled in another way.
fn odd_row() -> impl Strategy<Value = Vec<u8>> {
    let odd: &[&[u8]] = &[
        b"p,1,2",
        b"p",
        b"p,1,2,u,",
        b",,,",
        b"p,1,2,",
        b"p,1,2,NA",
        b"p,1,\xff,u",
        b"\xff,1,1,u",
        b"p,1,1,\xff\xfe",
        b"\0",
        b"p,1,\0,u",
        b"p,1\0",
        b"q,\"1\",2,u",
        b"\"p,\nq\",1,2,u",
        b"p,\"1,2,u",
        b"p,1,2\",u",
        b"\xef\xbb\xbfp,1,2,u",
        b"\xef\xbb\xbf\"p\",1,2,u",
        b"o1,1,1,u",
        b" ",
    ];
    (proptest::sample::select(odd), line_end()).prop_map(|(row, end)| [row, &end].concat())
}

/// A file of many rows, few of them odd; its last line may be cut.
fn files() -> impl Strategy<Value = Vec<u8>> {
    let header =
        one_of(&[b"who,a,b,class", b"\n\nwho,a,b,class", b"\xef\xbb\xbfwho,a,b,class", b"\"who\",a,\"b\",class"]);
    let odd = prop_oneof![3 => Just(0_u32), 2 => Just(1), 1 => Just(10)];
    (header, line_end(), odd, 0..4_usize).prop_flat_map(|(header, end, odd, cut)| {
        let row = prop_oneof![60 => good_row(), odd => odd_row()];
        let rows = proptest::collection::vec(row, 0..60).prop_map(joined);
        rows.prop_map(move |rows| {
            let mut all = [&header[..], &end, &rows].concat();
            all.truncate(all.len() - cut.min(all.len() - 1));
            all
        })
    })
}

fn selections() -> impl Strategy<Value = Selection> {
    (proptest::bool::ANY, proptest::bool::ANY).prop_map(|(id, truth)| Selection {
        columns: Some(vec!["a".into(), "b".into()]),
        id: id.then(|| "who".into()),
        truth: truth.then(|| "class".into()),
        ..Selection::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn blocks_side_by_side_are_the_rows_in_order(
        bytes in files(),
        selection in selections(),
        block in 1..200_usize,
        at_a_time in 1..300_usize,
        breaks in proptest::bool::ANY,
    ) {
        let input = |at_a_time| Trickle { bytes: &bytes, at_a_time, breaks };
        let expected = in_order(input(usize::MAX), &selection, LabelShare::All);
        for threads in [1, 2, 3] {
            prop_assert_eq!(&in_blocks(input(at_a_time), &selection, block, threads), &expected, "{} threads", threads);
        }
    }

    #[test]
    fn an_owner_has_the_rows_of_its_share(bytes in files(), selection in selections(), owner in 0..3_usize) {
        let share = LabelShare::Rows { owner, owners: 3 };
        let (threads, expected) = (Threads::all(), in_order(&bytes[..], &selection, share));
        let found = read_within(&LIMITS, &bytes[..], ReadRequest { selection: &selection, share, threads: &threads });
        prop_assert_eq!(shown(found), expected);
    }
}

#[test]
fn lines_are_numbered_as_editors_do() {
    let selection = Selection::default();
    let files = [
        "a,b\r\n1,2\r\n\r\n3\r\n",
        "a,b\n1,2\n\n3\n",
        "\n\na,b\n3",
        "a,b\r\n\"1\n\",2\r\n3\r\n",
        "a,\"b\n\nc\"\r\n3\r\n",
        "a,b\n1,\"2\"\n\n3\n",
    ];
    for text in files {
        let line = 1 + text[..text.find('3').unwrap()].matches('\n').count();
        let expected = Err(format!("line {line} has 1 field, but the header has 2"));
        assert_eq!(in_order(text.as_bytes(), &selection, LabelShare::All), expected, "{text:?}");
        for block in 1..30 {
            assert_eq!(in_blocks(text.as_bytes(), &selection, block, 2), expected, "{text:?}");
        }
    }
}

#[test]
fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
    let selection = Selection::default();
    let read = |text: &str, block: usize| {
        let limits = TextLimits { head: 0, block, line: 40 };
        let threads = &Threads::new(NonZeroUsize::new(2).unwrap());
        shown(read_within(
            &limits,
            text.as_bytes(),
            ReadRequest { selection: &selection, share: LabelShare::All, threads },
        ))
    };
    for end in ["", "\n", "\r\n", "\n1,2\n"] {
        let text = |length: usize| format!("a,b\n1,2\n1,{}{end}", "x".repeat(length - 2));
        for block in 1..=40 {
            assert!(read(&text(40), block).is_ok(), "{end:?}, {block}");
            let refused = read(&text(41), block).unwrap_err();
            assert!(refused.starts_with("line 3 is longer than"), "{end:?}, {block}: {refused}");
        }
    }
}

#[test]
fn a_zero_byte_near_the_beginning_is_told_first() {
    let text = b"a,b\n1\n2,\0\n";
    let selection = Selection::default();
    let threads = &Threads::default();
    let wanted = ReadRequest { selection: &selection, share: LabelShare::All, threads };
    assert!(shown(read(&text[..], wanted)).unwrap_err().starts_with("line 3 has a zero byte"));
    assert!(shown(read_within(&LIMITS, &text[..], wanted)).unwrap_err().starts_with("line 2 has 1 field"));
}
