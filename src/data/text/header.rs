//! The block of `Name: value` lines that opens a Usenet article (RFC 1036) or a stored HTTP response.

/// What follows the header block; the whole text if it does not open with one.
///
/// A header block is everything before the first blank line, provided that its first line is a field. The lines after
/// the first are not looked at: stored headers are often damaged.
pub(super) fn body(text: &str) -> &str {
    if !text.lines().next().is_some_and(is_field) {
        return text;
    }
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if line.trim().is_empty() {
            return &text[end..];
        }
    }
    text
}

fn is_field(line: &str) -> bool {
    let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ' ');
    line.split_once(':').is_some_and(|(name, _)| !name.is_empty() && name.chars().all(in_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_before_the_first_blank_line_go() {
        assert_eq!(body("Path: a!b\nSubject: Re: x\n\nHello: you\n\nBye\n"), "Hello: you\n\nBye\n");
        assert_eq!(body("MIME-Version: 1.0\r\nServer: CERN/3.0\r\n \r\n<html>"), "<html>");
    }

    #[test]
    fn a_damaged_line_inside_the_header_goes_too() {
        assert_eq!(body("WWW Alert: moved\nServer: NCSA/1.4.cp: No match.\n: text/html\n\nText"), "Text");
    }

    #[test]
    fn a_text_without_header_or_without_end_of_header_stays_whole() {
        for text in
            ["", "Dear all,\n\nthis: is text", "<a href=\"http://x\">\n\ny", ": no name\n\nx", "Subject: unfinished"]
        {
            assert_eq!(body(text), text);
        }
    }
}
