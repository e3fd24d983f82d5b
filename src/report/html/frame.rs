//! What pages have in common: the document around them, sections under a title, and heads of columns.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::card::{Neighbours, PageLink};
use crate::report::format::FileKind;
use crate::report::section::Heading;

const STYLE: &str = include_str!("../style.css");
/// Sorts tables and explains marks of figures.
pub(in crate::report) const SCRIPT: &str = include_str!("../script.js");

/// What a whole file needs besides its body.
pub(in crate::report) struct Document<'a> {
    pub(in crate::report) title: &'a str,
    /// The version of conclave, where the page says it.
    pub(in crate::report) version: Option<&'a str>,
    /// The site's own scripts, run in this order.
    pub(in crate::report) scripts: &'a [&'static str],
}

/// The whole file.
pub(in crate::report) fn document(document: &Document, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if let Some(version) = document.version {
                    meta name="generator" content={ "conclave " (version) };
                }
                title { (document.title) }
                link rel="icon" href="data:,";
                style { "\n" (PreEscaped(STYLE)) }
            } "\n"
            body {
                (body)
                @if !document.scripts.is_empty() {
                    script { "\n" @for script in document.scripts { (PreEscaped(script)) } }
                }
            }
        }
    };
    page.into_string() + "\n"
}

/// What a keyboard reaches first: the way past everything before the results.
pub(in crate::report) fn skip(target: &str, words: &str) -> Markup {
    html! { a.skip href={ "#" (target) } { (words) } "\n" }
}

/// The way back to the scorecard, and to the pages before and after.
pub(in crate::report) fn breadcrumbs(scorecard: &str, here: &str, neighbours: &Neighbours) -> Markup {
    html! {
        nav.crumbs.trail aria-label="Breadcrumbs" {
            ol { li { a href=(scorecard) { "Scorecard" } } li aria-current="page" { (here) } } (trail(neighbours))
        } "\n"
    }
}

/// Links to the pages of the same paper before and after one; nothing where it has no others.
pub(super) fn trail(neighbours: &Neighbours) -> Markup {
    html! {
        @if let Some(PageLink { name, place }) = &neighbours.previous {
            a rel="prev" href={ "../" (name) "/index.html" } { "← " (place) }
        }
        @if let Some(PageLink { name, place }) = &neighbours.next {
            " " a rel="next" href={ "../" (name) "/index.html" } { (place) " →" }
        }
    }
}

/// A section under its title.
pub(in crate::report) fn titled(id: &str, title: &str, content: &Markup) -> Markup {
    section(id, title, None, content)
}

/// A section under its title that the style sheet knows by its id.
pub(super) fn styled(id: &str, title: &str, content: &Markup) -> Markup {
    section(id, title, Some(id), content)
}

fn section(id: &str, title: &str, class: Option<&str>, content: &Markup) -> Markup {
    let label = format!("{id}-title");
    html! {
        section id=(id) class=[class] aria-labelledby=(label) {
            h2 id=(label) { (title) } "\n"
            (content)
        } "\n"
    }
}

/// A table under its title. It scrolls when it is wide, so it must be reachable by keyboard.
pub(in crate::report) fn titled_table(heading: &Heading, table: &Markup, after: &Markup) -> Markup {
    let content = html! {
        div.scroll tabindex="0" role="region" aria-labelledby={ (heading.id) "-title" } { (table) } "\n"
        (after)
    };
    titled(heading.id, heading.title, &content)
}

/// Something wide that scrolls in a box of its own.
pub(in crate::report) fn scrolling(label: &str, content: &Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(label) { (content) } }
}

/// The head of a column by which a table can be sorted.
pub(in crate::report) fn column_head(column: usize, name: &str, class: Option<&str>) -> Markup {
    html! { th scope="col" data-column=(column) class=[class] { (name) } }
}

/// A list of sentences.
pub(in crate::report) fn sentences(sentences: &[String]) -> Markup {
    html! { ul.notes { @for sentence in sentences { li { (sentence) } "\n" } } "\n" }
}

/// A name and its value in a list of facts.
pub(in crate::report) fn fact(name: &str, value: &Markup) -> Markup {
    html! { div { dt { (name) } dd { (value) } } "\n" }
}

/// Links to files beside the page.
pub(super) fn downloads(id: &str, kinds: &[FileKind]) -> Markup {
    html! {
        span.downloads {
            @for (place, kind) in kinds.iter().enumerate() {
                @if place > 0 { " " }
                a href={ (id) "." (kind.extension()) } aria-label={ (kind.name()) " of " (id) } { (kind.name()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "</title></script><script>alert(\"1\" && '2')</script>";

    #[test]
    fn texts_cannot_become_markup() {
        let body = html! { (titled(HOSTILE, HOSTILE, &fact(HOSTILE, &html! { (HOSTILE) }))) (skip(HOSTILE, HOSTILE)) };
        let page = document(&Document { title: HOSTILE, version: Some(HOSTILE), scripts: &[] }, &body);
        assert!(!page.contains("<script") && !page.contains("alert(\""), "{page}");
        assert!(
            page.contains("&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot; &amp;&amp; '2')"),
            "{page}"
        );
    }

    #[test]
    fn the_sites_own_style_and_scripts_are_as_written() {
        assert!(STYLE.contains('>') && SCRIPT.contains('>') && SCRIPT.contains('&'), "escaping would show");
        let page = document(&Document { title: "", version: None, scripts: &[SCRIPT, "last();"] }, &html! {});
        assert!(page.contains(&format!("<style>\n{STYLE}</style>")));
        assert!(page.contains(&format!("<script>\n{SCRIPT}last();</script></body></html>\n")));
    }
}
