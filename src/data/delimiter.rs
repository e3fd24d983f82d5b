//! What is between the fields of a text, whatever the file is called.

/// What may be between fields, the likelier first.
const DELIMITERS: [(u8, &str); 4] = [(b',', "commas"), (b'\t', "tabs"), (b';', "semicolons"), (b'|', "pipes")];

/// So many rows are looked at where the first one leaves a choice.
const ROWS: usize = 50;

/// What separates the fields of a text that begins like this: the only candidate in its first row, or, where there are several,
/// the first that divides all of the first rows into as many fields. Candidates in quotes do not count.
pub(super) fn delimiter_of(start: &[u8]) -> u8 {
    let all = DELIMITERS.iter().map(|(delimiter, _)| *delimiter);
    let present: Vec<u8> =
        all.filter(|&delimiter| first_rows(start, delimiter, 1).iter().any(|row| row.len() > 1)).collect();
    match present[..] {
        [] => b',',
        [only] => only,
        [first, ..] => present.iter().copied().find(|&delimiter| is_even(start, delimiter)).unwrap_or(first),
    }
}

/// How a text is spelled whose fields are separated so; `None` for commas.
pub(super) fn separated_by(delimiter: u8) -> Option<String> {
    let (_, name) = DELIMITERS.iter().find(|(known, _)| *known == delimiter && *known != b',')?;
    Some(format!("separated by {name}"))
}

fn is_even(start: &[u8], delimiter: u8) -> bool {
    let rows = first_rows(start, delimiter, ROWS);
    // A quote within a field is one of another delimiter's.
    let is_cut = rows[0].iter().any(|field| field.contains(&b'"'));
    !is_cut && rows.iter().all(|row| row.len() == rows[0].len())
}

/// The first rows; one that may go on beyond these bytes does not count, unless it is the first.
fn first_rows(start: &[u8], delimiter: u8, count: usize) -> Vec<csv::ByteRecord> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).has_headers(false).from_reader(start);
    let mut rows = Vec::new();
    let mut record = csv::ByteRecord::new();
    while rows.len() < count && reader.read_byte_record(&mut record).unwrap_or(false) {
        if !rows.is_empty() && reader.position().byte() >= start.len() as u64 {
            break;
        }
        rows.push(record.clone());
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_what_divides_the_first_rows() {
        let texts: [(&str, u8); 14] = [
            ("a,b\n1,2\n", b','),
            ("a\tb\n1\t2\n", b'\t'),
            ("a;b\n1;2\n", b';'),
            ("a|b\n1|2\n", b'|'),
            ("\"x, y\";b\n1;2\n", b';'),
            ("x, y;b;c\n1;2;3\n4;5;6\n", b';'),
            ("a,b\n\"1;2\",3\n", b','),
            ("a;b,c\n1,2\n", b','),
            ("a,b;c\n1,2\n3\n", b','),
            ("a\n1,2\n", b','),
            ("one column\n1\n", b','),
            ("\u{feff}a;b\n1;2\n", b';'),
            ("", b','),
            ("preis;\"1,5\"\n2;\"3,5\"", b';'),
        ];
        for (text, delimiter) in texts {
            assert_eq!(delimiter_of(text.as_bytes()), delimiter, "{text:?}");
        }
        assert_eq!((separated_by(b','), separated_by(b'|')), (None, Some("separated by pipes".to_owned())));
    }
}
