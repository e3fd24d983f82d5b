//! Character references of HTML: numbers (`&#233;`, `&#xE9;`) and the common names (`&eacute;`).

/// The names of HTML 2.0 (RFC 1866): markup characters, and the letters and signs of Latin 1 that text has.
#[rustfmt::skip]
const NAMED: [(&str, char); 80] = [
    ("AElig", 'Æ'), ("Aacute", 'Á'), ("Acirc", 'Â'), ("Agrave", 'À'), ("Aring", 'Å'), ("Atilde", 'Ã'), ("Auml", 'Ä'),
    ("Ccedil", 'Ç'), ("ETH", 'Ð'), ("Eacute", 'É'), ("Ecirc", 'Ê'), ("Egrave", 'È'), ("Euml", 'Ë'), ("Iacute", 'Í'),
    ("Icirc", 'Î'), ("Igrave", 'Ì'), ("Iuml", 'Ï'), ("Ntilde", 'Ñ'), ("Oacute", 'Ó'), ("Ocirc", 'Ô'), ("Ograve", 'Ò'),
    ("Oslash", 'Ø'), ("Otilde", 'Õ'), ("Ouml", 'Ö'), ("THORN", 'Þ'), ("Uacute", 'Ú'), ("Ucirc", 'Û'), ("Ugrave", 'Ù'),
    ("Uuml", 'Ü'), ("Yacute", 'Ý'), ("aacute", 'á'), ("acirc", 'â'), ("aelig", 'æ'), ("agrave", 'à'), ("amp", '&'),
    ("apos", '\''), ("aring", 'å'), ("atilde", 'ã'), ("auml", 'ä'), ("ccedil", 'ç'), ("copy", '©'), ("deg", '°'),
    ("eacute", 'é'), ("ecirc", 'ê'), ("egrave", 'è'), ("eth", 'ð'), ("euml", 'ë'), ("gt", '>'), ("iacute", 'í'),
    ("icirc", 'î'), ("igrave", 'ì'), ("iuml", 'ï'), ("laquo", '«'), ("lt", '<'), ("micro", 'µ'), ("middot", '·'),
    ("nbsp", '\u{a0}'), ("ntilde", 'ñ'), ("oacute", 'ó'), ("ocirc", 'ô'), ("ograve", 'ò'), ("ordf", 'ª'),
    ("ordm", 'º'), ("oslash", 'ø'), ("otilde", 'õ'), ("ouml", 'ö'), ("para", '¶'), ("quot", '"'), ("raquo", '»'),
    ("reg", '®'), ("sect", '§'), ("shy", '\u{ad}'), ("szlig", 'ß'), ("thorn", 'þ'), ("uacute", 'ú'), ("ucirc", 'û'),
    ("ugrave", 'ù'), ("uuml", 'ü'), ("yacute", 'ý'), ("yuml", 'ÿ'),
];

/// Replaces every known reference, with or without its semicolon; an unknown one stays as it is written.
pub(super) fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(position) = rest.find('&') {
        decoded.push_str(&rest[..position]);
        rest = &rest[position + 1..];
        match reference(rest) {
            Some((character, length)) => {
                decoded.push(character);
                rest = &rest[length..];
                rest = rest.strip_prefix(';').unwrap_or(rest);
            }
            None => decoded.push('&'),
        }
    }
    decoded.push_str(rest);
    decoded
}

/// The character that the text after a `&` stands for, and the length of the reference less its semicolon.
fn reference(text: &str) -> Option<(char, usize)> {
    match text.strip_prefix('#') {
        Some(number) => numeric(number).map(|(character, length)| (character, length + 1)),
        None => {
            let name = leading(text, |c| c.is_ascii_alphanumeric());
            let index = NAMED.binary_search_by_key(&name, |&(name, _)| name).ok()?;
            Some((NAMED[index].1, name.len()))
        }
    }
}

fn numeric(text: &str) -> Option<(char, usize)> {
    let (digits, radix, prefix) = match text.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => (leading(hexadecimal, |c| c.is_ascii_hexdigit()), 16, 1),
        None => (leading(text, |c| c.is_ascii_digit()), 10, 0),
    };
    let code = u32::from_str_radix(digits, radix).ok()?;
    Some((char::from_u32(code)?, digits.len() + prefix))
}

/// The longest prefix of such characters.
fn leading(text: &str, accept: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !accept(c)).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_so_that_the_search_finds_each() {
        assert!(NAMED.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn names_and_numbers_are_decoded_with_or_without_semicolon() {
        assert_eq!(
            decode("R&amp;D &lt;caf&eacute;&gt; M&uuml;ller &copy 1996 a&nbsp;b"),
            "R&D <café> Müller © 1996 a\u{a0}b"
        );
        assert_eq!(decode("&#233;&#xE9;&#XE9 &#65"), "ééé A");
    }

    #[test]
    fn what_is_no_reference_stays() {
        for text in
            ["AT&T", "&", "&;", "&#;", "&#x;", "&unknown;", "&#1114112;", "&#55296;", "&#99999999999;", "a & b", "&é"]
        {
            assert_eq!(decode(text), text);
        }
    }

    #[test]
    fn a_decoded_ampersand_starts_no_second_reference() {
        assert_eq!(decode("&amp;lt;"), "&lt;");
    }
}
