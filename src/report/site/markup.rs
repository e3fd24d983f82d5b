//! Finds and rewrites elements of pages that this program wrote: every tag is closed, and texts have no `<`.

use std::collections::BTreeSet;

/// Elements that have no end.
const EMPTY: [&str; 8] = ["meta", "link", "br", "hr", "input", "img", "col", "wbr"];

/// Every part from `start` to the next `end`, both included, with something else in its place.
pub(super) fn replaced(html: &str, start: &str, end: &str, mut by: impl FnMut(&str) -> String) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(start) {
        let Some(length) = rest[at..].find(end) else { break };
        let (element, after) = rest[at..].split_at(length + end.len());
        text.push_str(&rest[..at]);
        text.push_str(&by(element));
        rest = after;
    }
    text + rest
}

/// Without the elements whose opening tag is unwanted, and what is in them.
pub(super) fn without(html: &str, unwanted: impl Fn(&str) -> bool) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let Some(length) = rest[at..].find('>') else { break };
        let tag = &rest[at..=at + length];
        if is_opening(tag) && unwanted(tag) {
            text.push_str(&rest[..at]);
            rest = &rest[at + end_of(&rest[at..])..];
        } else {
            text.push_str(&rest[..=at + length]);
            rest = &rest[at + length + 1..];
        }
    }
    text + rest
}

fn is_opening(tag: &str) -> bool {
    tag.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic)
}

fn name_of(tag: &str) -> &str {
    let rest = tag.trim_start_matches(['<', '/']);
    rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
}

/// How long the element is that a text begins with.
fn end_of(text: &str) -> usize {
    let first = text.find('>').map_or(text.len(), |end| end + 1);
    let name = name_of(text);
    if text[..first].ends_with("/>") || EMPTY.contains(&name) {
        return first;
    }
    let (mut depth, mut at) = (0usize, 0);
    while let Some(start) = text[at..].find('<').map(|start| at + start) {
        let end = text[start..].find('>').map_or(text.len(), |end| start + end + 1);
        let tag = &text[start..end];
        if name_of(tag) == name && !tag.ends_with("/>") {
            depth = if tag.starts_with("</") { depth - 1 } else { depth + 1 };
            if depth == 0 {
                return end;
            }
        }
        at = end;
    }
    text.len()
}

/// The value of an attribute of an opening tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[start..].split('"').next()
}

pub(super) fn has_class(tag: &str, class: &str) -> bool {
    attribute(tag, "class").is_some_and(|classes| classes.split(' ').any(|one| one == class))
}

/// The places of a page that links can lead to.
pub(super) fn ids(html: &str) -> BTreeSet<String> {
    let tags = html.split('<').filter_map(|rest| Some(&rest[..rest.find('>')?]));
    tags.filter_map(|tag| attribute(tag, "id")).map(str::to_owned).collect()
}

/// What the links of a page lead to.
pub(super) fn links(html: &str) -> impl Iterator<Item = &str> {
    html.split("<a ").skip(1).filter_map(|rest| attribute_of_start(rest))
}

fn attribute_of_start(rest: &str) -> Option<&str> {
    let tag = &rest[..rest.find('>')?];
    let start = if tag.starts_with("href=\"") { 6 } else { tag.find(" href=\"")? + 7 };
    tag[start..].split('"').next()
}

/// A path of the site that a page of it names, as seen from its root.
pub(super) fn resolved(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// With the words of links that lead to no file of the site, or to no place in it, but not the links. `is_there` is asked for the file
/// and the place of a link to another page.
pub(super) fn without_dead_links(html: &str, is_there: impl Fn(&str, &str) -> bool) -> String {
    let own = ids(html);
    let is_alive = |target: &str| {
        let (file, place) = target.split_once('#').unwrap_or((target, ""));
        match file {
            "" => place.is_empty() || own.contains(place),
            file => file.contains(':') || is_there(file, place),
        }
    };
    replaced(html, "<a ", "</a>", |element| {
        let words = element.find('>').map_or("", |end| &element[end + 1..element.len() - "</a>".len()]);
        match links(element).next() {
            Some(target) if !is_alive(target) => words.to_owned(),
            _ => element.to_owned(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_goes_with_all_that_is_in_it_and_nothing_else() {
        let html = "<div class=\"a\"><div class=\"b c\"><br><div>1</div></div><p>2</p></div>";
        assert_eq!(without(html, |tag| has_class(tag, "b")), "<div class=\"a\"><p>2</p></div>");
        assert_eq!(without(html, |tag| has_class(tag, "z")), html);
        assert_eq!(without("<svg><path class=\"x\"/><g/></svg>", |tag| has_class(tag, "x")), "<svg><g/></svg>");
    }

    #[test]
    fn links_that_lead_nowhere_keep_their_words() {
        let html = "<h2 id=\"here\"></h2><a href=\"#here\">1</a><a class=\"x\" href=\"#gone\">2 <b>3</b></a><a href=\"x.csv\">4</a>\
                    <a href=\"../index.html#k\">5</a><a href=\"../index.html#l\">7</a><a href=\"https://x.org\">6</a>";
        let alive =
            without_dead_links(html, |file, place| resolved("one/index.html", file) == "index.html" && place == "k");
        assert_eq!(
            alive,
            "<h2 id=\"here\"></h2><a href=\"#here\">1</a>2 <b>3</b>4<a href=\"../index.html#k\">5</a>7<a href=\"https://x.org\">6</a>"
        );
    }

    #[test]
    fn paths_are_seen_from_the_root_of_the_site() {
        assert_eq!(resolved("one/index.html", "../two/index.html"), "two/index.html");
        assert_eq!(resolved("index.html", "./one/index.html"), "one/index.html");
        assert_eq!(resolved("index.html", "../secret"), "secret");
    }
}
