//! The top of the page: what it is, what is wrong with it, where it comes from.

use crate::report::escape::html;
use crate::report::numbers::count;
use crate::report::section::Shortfall;
use crate::report::shared::{cell_counts, paragraphs, reproduces, short_hash};
use crate::summary::{Failure, Page, Provenance, Ranking};

/// What a keyboard reaches first: the way past everything before the results.
pub(in crate::report) fn skip(target: &str, words: &str) -> String {
    format!("<a class=\"skip\" href=\"#{target}\">{words}</a>\n")
}

/// Title, paper and description.
pub(super) fn header(page: &Page) -> String {
    let paper = reproduces(page).map_or_else(String::new, |line| format!("<p class=\"paper\">{}</p>\n", html(&line)));
    let text: String = paragraphs(&page.description).map(|part| format!("<p>{}</p>\n", html(&part))).collect();
    format!("<header>\n<h1>{}</h1>\n{paper}{text}</header>\n", html(&page.title))
}

/// A warning that must be read before the numbers: data stand in for the original.
pub(super) fn stand_ins(warning: &str) -> String {
    format!(
        "<aside class=\"banner\" aria-label=\"Warning\"><p><strong>Not a reproduction.</strong> {}</p></aside>\n",
        html(warning)
    )
}

/// A warning that must be read before the numbers: some are not there.
pub(super) fn incomplete(shortfall: &Shortfall) -> String {
    format!(
        "<aside class=\"banner\" aria-label=\"Warning\"><p><strong>Incomplete.</strong> {}.</p>\n{}</aside>\n",
        html(&shortfall.what),
        failures(shortfall.failures)
    )
}

fn failures(failures: &[Failure]) -> String {
    if failures.is_empty() {
        return String::new();
    }
    let items: String = failures
        .iter()
        .map(|failure| {
            format!(
                "<li><strong>{}</strong> on <strong>{}</strong>, {} {}: {}</li>\n",
                html(&failure.method),
                html(&failure.dataset),
                count(failure.count, "cell"),
                html(&failure.status),
                html(&failure.reason)
            )
        })
        .collect();
    // The list scrolls when it is long, so it must be reachable by keyboard.
    format!("<ul tabindex=\"0\" aria-label=\"Cells without a result\">\n{items}</ul>\n")
}

/// Where the numbers come from.
pub(super) fn provenance(page: &Page) -> String {
    let Provenance { command, spec_path, spec_hash, version, revision, scale, seed, .. } = &page.provenance;
    let spec = format!(
        "<code>{}</code> <span class=\"aside\" title=\"blake3 {}\">blake3 <code>{}</code></span>",
        html(spec_path),
        html(spec_hash),
        html(short_hash(spec_hash))
    );
    let built = format!("{} <span class=\"aside\">revision {}</span>", html(version), html(revision));
    let rows: String = [
        ("Cells", html(&cell_counts(&page.counts))),
        ("Spec", spec),
        ("Conclave", built),
        ("Scale", html(scale)),
        ("Seed", seed.to_string()),
    ]
    .iter()
    .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>\n"))
    .collect();
    format!(
        "<section id=\"provenance\" class=\"provenance\" aria-labelledby=\"provenance-title\">\n\
         <h2 id=\"provenance-title\">Provenance</h2>\n\
         <pre class=\"command\" tabindex=\"0\"><code>{}</code></pre>\n<dl>\n{rows}</dl>\n</section>\n",
        html(command)
    )
}

/// Remarks on what was not run.
pub(super) fn notes(notes: &[String]) -> String {
    let notes: String = notes.iter().map(|note| format!("<li>{}</li>\n", html(note))).collect();
    format!(
        "<section id=\"notes\" aria-labelledby=\"notes-title\">\n<h2 id=\"notes-title\">Notes</h2>\n\
         <ul class=\"notes\">\n{notes}</ul>\n</section>\n"
    )
}

/// What rankings say in sentences.
pub(super) fn findings(rankings: &[Ranking]) -> String {
    let with_findings = rankings.iter().filter(|ranking| !ranking.findings.is_empty());
    let blocks: String = with_findings
        .map(|ranking| {
            let sentences: String =
                ranking.findings.iter().map(|sentence| format!("<li>{}</li>\n", html(sentence))).collect();
            format!(
                "<h3><a href=\"#{}\">{}</a></h3>\n<ul class=\"notes\">\n{sentences}</ul>\n",
                html(&ranking.id),
                html(&ranking.title)
            )
        })
        .collect();
    format!(
        "<section id=\"findings\" class=\"findings\" aria-labelledby=\"findings-title\">\n\
         <h2 id=\"findings-title\">Which method, and at what cost</h2>\n{blocks}</section>\n"
    )
}
