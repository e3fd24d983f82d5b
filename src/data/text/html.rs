//! The readable text of a web page, as far as a page of the 1990s allows: nothing here is ever an error.
//!
//! - Tags, declarations (`<!…>`) and their attributes become a blank: a tag separates words.
//! - Comments, scripts and styles go with their content. One that is never closed hides nothing but its own tag.
//! - A tag ends at the first `>`, wherever it stands: pages with an unclosed quote are commoner than pages with `>` in
//!   a quoted value.
//! - A `<` that opens no tag, or a tag that never ends, is text.
//! - Entities are decoded once, after the tags are gone.

use super::{entities, header};

/// The text of a page, without the HTTP header that it was stored with.
pub(super) fn text(page: &str) -> String {
    entities::decode(&without_markup(without_http_header(page)))
}

/// The header ends before the first tag, or it is none.
fn without_http_header(page: &str) -> &str {
    let body = header::body(page);
    if page[..page.len() - body.len()].contains('<') { page } else { body }
}

fn without_markup(page: &str) -> String {
    let mut text = String::with_capacity(page.len() / 2);
    let mut rest = page;
    while let Some(position) = rest.find('<') {
        text.push_str(&rest[..position]);
        rest = &rest[position..];
        match markup_length(rest) {
            Some(length) => {
                text.push(' ');
                rest = &rest[length..];
            }
            None => {
                text.push('<');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

/// How many bytes to skip of a text that starts with `<`; `None` if that `<` is text.
fn markup_length(text: &str) -> Option<usize> {
    if text.starts_with("<!--")
        && let Some(end) = text.find("-->")
    {
        return Some(end + "-->".len());
    }
    let opens = text[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
    let tag = text.find('>').filter(|_| opens)? + 1;
    let hidden = ["script", "style"].into_iter().find(|name| is_named(&text[1..tag], name));
    Some(tag + hidden.and_then(|name| length_until_closed(&text[tag..], name)).unwrap_or(0))
}

fn is_named(tag: &str, name: &str) -> bool {
    let named = tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    named && !tag[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// The length of what stands before `</name`.
fn length_until_closed(content: &str, name: &str) -> Option<usize> {
    content.match_indices("</").map(|(position, _)| position).find(|&position| is_named(&content[position + 2..], name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(page: &str) -> Vec<String> {
        text(page).split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_header_and_the_tags_go_and_the_text_stays() {
        let page =
            "MIME-Version: 1.0\nContent-Type: text/html\n\n<html><title>A page</title><!WA0><a href=x>of<br>mine</A>";
        assert_eq!(words(page), ["A", "page", "of", "mine"]);
    }

    #[test]
    fn text_before_the_first_tag_is_a_header_only_if_it_looks_like_one() {
        assert_eq!(words("Welcome to\n\n<b>me"), ["Welcome", "to", "me"]);
        assert_eq!(words("<b>Note</b>: this\n\nstays"), ["Note", ":", "this", "stays"]);
        assert_eq!(words("Note: <b>this\n\nstays"), ["Note:", "this", "stays"]);
    }

    #[test]
    fn comments_scripts_and_styles_go_with_their_content() {
        assert_eq!(words("a<!-- <b>x</b> -- > y -->b"), ["a", "b"]);
        assert_eq!(words("a<SCRIPT language=js>if (x<y) document.write('</b>')</script >b"), ["a", "b"]);
        assert_eq!(words("a<style>p { color: red }</STYLE>b<scripture>c</scripture>"), ["a", "b", "c"]);
    }

    #[test]
    fn what_is_never_closed_hides_nothing_but_its_own_tag() {
        assert_eq!(words("a<!-- x > b <i>c"), ["a", "b", "c"]);
        assert_eq!(words("a<script>b</scrip>c"), ["a", "b", "c"]);
        assert_eq!(words("a<a href=\"x><img src=\"y\">b</a>"), ["a", "b"]);
    }

    #[test]
    fn a_lone_angle_bracket_is_text() {
        assert_eq!(text("1 < 2 <b"), "1 < 2 <b");
        assert_eq!(text("é<é>"), "é<é>");
        assert_eq!(text("<"), "<");
    }

    #[test]
    fn decoded_entities_are_text_and_no_markup() {
        assert_eq!(text("&lt;b&gt; caf&eacute;"), "<b> café");
    }

    /// Fragments of pages in any order, so that broken markup is common.
    fn broken_pages() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "<",
            ">",
            "<!--",
            "-->",
            "--",
            "<script",
            "</script",
            "<style>",
            "</STYLE>",
            "é",
            "\n\n",
            "A: b\n",
            "&",
            "&amp",
            "&#",
            "&#x41;",
            ";",
            "\"",
            "=",
            "/",
            " ",
            "word",
            "&#1114112;",
            "\u{0}",
            "&eacute;",
        ]);
        prop::collection::vec(pieces, 0..25).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn no_page_however_broken_panics_or_grows(page in prop_oneof![any::<String>(), broken_pages()]) {
            prop_assert!(text(&page).len() <= page.len());
        }

        #[test]
        fn text_without_markup_is_kept_as_it_is(page in "[^<&:]*") {
            prop_assert_eq!(text(&page), page);
        }

        #[test]
        fn no_tag_survives(before in "[a-z ]*", name in "[a-z]{1,8}", attributes in "[^<>&]*", after in "[a-z ]*") {
            prop_assume!(name != "script" && name != "style");
            prop_assert_eq!(text(&format!("{before}<{name} {attributes}>{after}")), format!("{before} {after}"));
        }
    }
}
