//! The top of the page, what is wrong with it, and where it comes from.

use maud::{Markup, html};

use super::frame::{fact, scrolling, sentences, styled, titled};
use crate::report::numbers::count;
use crate::report::section::Shortfall;
use crate::report::wording::{cell_counts, paragraphs, reproduces, short_hash};
use crate::summary::{Failure, Page, PageProvenance, Ranking};

/// Title, what was found, and the paper.
pub(super) fn header(page: &Page) -> Markup {
    html! {
        header {
            h1 { (page.title) } "\n"
            @if let Some(finding) = &page.finding { p.finding-first { (finding) } "\n" }
            @if let Some(line) = reproduces(page) { p.paper { (line) } "\n" }
        } "\n"
    }
}

/// What was run and why, and what was not.
pub(super) fn about(page: &Page) -> Markup {
    let content = html! {
        @for part in paragraphs(&page.description) { p { (part) } "\n" }
        @if !page.notes.is_empty() { (sentences(&page.notes)) }
    };
    titled("about", "What was run", &content)
}

/// A warning that must be read before the numbers: less was run than the paper ran.
pub(super) fn smaller_scale(words: &str) -> Markup {
    banner(&html! { p { strong { "Not the full experiment." } " " (words) } })
}

/// A warning that must be read before the numbers: data stand in for the original.
pub(super) fn stand_ins(warning: &str) -> Markup {
    banner(&html! { p { strong { "Not a reproduction." } " " (warning) } })
}

/// A warning that must be read before the numbers: some are not there.
pub(super) fn incomplete(shortfall: &Shortfall) -> Markup {
    banner(&html! {
        p { strong { "Incomplete." } " " (shortfall.what) "." }
        @if !shortfall.failures.is_empty() { (failures(shortfall.failures)) }
    })
}

fn banner(content: &Markup) -> Markup {
    html! { aside.banner aria-label="Warning" { (content) } "\n" }
}

/// The list scrolls when it is long, so it must be reachable by keyboard.
fn failures(failures: &[Failure]) -> Markup {
    html! {
        ul tabindex="0" aria-label="Cells without a result" {
            @for failure in failures {
                li {
                    strong { (failure.method) } " on " strong { (failure.dataset) } ", "
                    (count(failure.count, "cell")) " " (failure.status) ": " (failure.reason)
                } "\n"
            }
        }
    }
}

/// What rankings say in sentences.
pub(super) fn findings(rankings: &[Ranking]) -> Markup {
    let content = html! {
        @for ranking in rankings.iter().filter(|ranking| !ranking.findings.is_empty()) {
            h3 { a href={ "#" (ranking.id) } { (ranking.title) } } "\n"
            (sentences(&ranking.findings))
        }
    };
    styled("findings", "Which method, and at what cost", &content)
}

/// Where the numbers come from.
pub(super) fn provenance(page: &Page) -> Markup {
    let PageProvenance { command, spec_path, spec_hash, version, revision, scale, seed, .. } = &page.provenance;
    let spec = html! {
        code { (spec_path) } " "
        span.aside title={ "blake3 " (spec_hash) } { "blake3 " code { (short_hash(spec_hash)) } }
    };
    let content = html! {
        pre.command tabindex="0" { code { (command) } } "\n"
        dl {
            (fact("Cells", &html! { (cell_counts(&page.counts)) }))
            (fact("Spec", &spec))
            (fact("Conclave", &html! { (version) " " span.aside { "revision " (revision) } }))
            (fact("Scale", &html! { (scale) }))
            (fact("Seed", &html! { (seed) }))
        }
    };
    styled("provenance", "Provenance", &content)
}

/// The spec, and the hashes of the data.
pub(super) fn sources(provenance: &PageProvenance) -> Markup {
    let hashes = html! {
        table.hashes {
            caption { "Datasets and the hashes of their contents" }
            thead { tr { th scope="col" { "dataset" } th scope="col" { "content hash" } } }
            tbody {
                @for (name, hash) in &provenance.datasets {
                    tr { th scope="row" { (name) } td { code { (hash) } } } "\n"
                }
            }
        }
    };
    let content = html! {
        details {
            summary { "The full spec, " (provenance.spec_path) } "\n"
            pre id="spec" tabindex="0" { code { (provenance.spec_text) } }
        } "\n"
        @if !provenance.datasets.is_empty() { (scrolling("Content hashes of the datasets", &hashes)) }
    };
    titled("sources", "Spec and data", &content)
}
