//! What the paper leaves open, and what universes say of a claim.

use maud::{Markup, html};

use super::claims::badge;
use super::frame::{column_head, scrolling, titled};
use crate::claim::Judgement;
use crate::claim::universes::ForkFacts;
use crate::report::wording::{fork_lines, universe_sizes};
use crate::summary::{MultiverseSummary, curve_id, has_curve};

/// The forks of a page.
pub(super) fn section(multiverse: &MultiverseSummary) -> Markup {
    let content = html! {
        dl.forks { @for fork in &multiverse.forks { (one(fork)) "\n" } } "\n"
        p { (universe_sizes(multiverse)) } "\n"
    };
    titled("universes", "What the paper leaves open", &content)
}

fn one(fork: &ForkFacts) -> Markup {
    html! {
        dt { (fork.id) }
        dd {
            (fork_lines(fork))
            ul {
                @for (position, (label, why)) in fork.options.iter().enumerate() {
                    li {
                        b { (label) } @if position == 0 { " (as stated)" }
                        @if let Some(why) = why { ": " (why) }
                    }
                }
            }
        }
    }
}

/// What universes say of a claim, in words, with a link to its curve; nothing where there is one universe.
pub(in crate::report) fn reading(claim: &Judgement) -> Markup {
    let Some(across) = claim.across() else { return html! {} };
    html! {
        p.universes {
            (across.words()) " " a href="#universes" { "what is open" }
            @if has_curve(claim) { " " a href={ "#" (curve_id(claim)) } { "curve" } }
        } "\n"
    }
}

/// What came of a claim in each universe, folded away; nothing where there is one universe.
pub(in crate::report) fn each(claim: &Judgement) -> Markup {
    const HEADS: [(&str, Option<&str>); 4] =
        [("universe", None), ("repeats", Some("number")), ("verdict", None), ("found", None)];
    let Some(across) = claim.across() else { return html! {} };
    let table = html! {
        table {
            thead { tr { @for (column, (name, class)) in HEADS.iter().enumerate() { (column_head(column, name, *class)) } } }
            tbody {
                @for (options, there) in &across.each {
                    tr {
                        th scope="row" { (across.name(options)) }
                        td.number data-sort=(there.repeat.first().map_or(-1.0, |first| first.share)) { (there.repeat.short()) }
                        td data-sort=(there.verdict.rank()) { (badge(there.verdict)) }
                        td.reason { (there.finding) }
                    } "\n"
                }
            }
        }
    };
    html! {
        details.evidence {
            summary { "Universes: " (across.total()) }
            (scrolling(&format!("Universes of {}", claim.id), &table))
        }
    }
}
