//! `report.md`: the page for GitHub and editors.

mod claims;
mod tables;

use super::drawing::Drawing;
use super::escape::{fence, markdown};
use super::format::{FileKind, Format};
use super::numbers::count;
use super::section::{ClaimList, Heading, Section, Shortfall};
use super::wording::{cell_counts, fork_lines, paragraphs, reproduces, short_hash, universe_sizes};
use crate::claim::universes::ForkFacts;
use crate::summary::{MultiverseSummary, Page, PageProvenance, Ranking, Table, TestTable};

/// The whole file.
pub(super) fn page(page: &Page, sections: &[Section]) -> String {
    let mut blocks = vec![format!("# {}", markdown(&page.title))];
    blocks.extend(page.finding.as_deref().map(|finding| format!("**{}**", markdown(finding))));
    blocks.extend(reproduces(page).map(|line| markdown(&line)));
    blocks.extend(sections.iter().filter_map(|section| Markdown.section(section)));
    blocks.join("\n\n") + "\n"
}

/// Blocks of `report.md`.
pub(super) struct Markdown;

impl Format for Markdown {
    type Part = String;

    fn smaller_scale(&self, words: &str) -> Option<String> {
        Some(format!("> [!NOTE]\n> Not the full experiment. {}", markdown(words)))
    }

    fn stand_ins(&self, warning: &str) -> Option<String> {
        Some(format!("> [!WARNING]\n> Not a reproduction: {}", markdown(warning)))
    }

    fn incomplete(&self, shown: &Shortfall) -> Option<String> {
        Some(incomplete(shown))
    }

    fn findings(&self, rankings: &[Ranking]) -> Option<String> {
        Some(findings(rankings))
    }

    fn claims(&self, list: &ClaimList) -> Option<String> {
        Some(claims::section(list))
    }

    fn forks(&self, multiverse: &MultiverseSummary) -> Option<String> {
        Some(forks(multiverse))
    }

    fn provenance(&self, page: &Page) -> Option<String> {
        Some(provenance(page))
    }

    fn about(&self, page: &Page) -> Option<String> {
        let notes = (!page.notes.is_empty()).then(|| list(&page.notes));
        let parts = paragraphs(&page.description).map(|part| markdown(&part)).chain(notes);
        Some(format!("## What was run\n\n{}", parts.collect::<Vec<_>>().join("\n\n")))
    }

    fn drawing(&self, drawing: &dyn Drawing) -> Option<String> {
        Some(picture(&drawing.heading()))
    }

    fn table(&self, table: &Table) -> Option<String> {
        Some(tables::table(table))
    }

    fn test(&self, test: &TestTable) -> Option<String> {
        Some(tables::test(test))
    }

    fn sources(&self, provenance: &PageProvenance) -> Option<String> {
        Some(sources(provenance))
    }
}

fn incomplete(Shortfall { what, failures }: &Shortfall) -> String {
    let mut lines = vec!["> [!CAUTION]".to_owned(), format!("> {}.", markdown(what))];
    if !failures.is_empty() {
        lines.push(">".to_owned());
    }
    lines.extend(failures.iter().map(|failure| {
        format!(
            "> - **{}** on **{}**, {} {}: {}",
            markdown(&failure.method),
            markdown(&failure.dataset),
            count(failure.count, "cell"),
            markdown(&failure.status),
            markdown(&failure.reason)
        )
    }));
    lines.join("\n")
}

fn provenance(page: &Page) -> String {
    let PageProvenance { command, spec_path, spec_hash, version, revision, scale, seed, .. } = &page.provenance;
    let rows = [
        ("cells", cell_counts(&page.counts)),
        ("spec", format!("{} (blake3 {})", markdown(spec_path), short_hash(spec_hash))),
        ("conclave", format!("{}, revision {}", markdown(version), markdown(revision))),
        ("scale", markdown(scale)),
        ("seed", seed.to_string()),
    ];
    let rows: Vec<String> = rows.iter().map(|(name, value)| format!("| {name} | {value} |")).collect();
    let fence = fence(command);
    format!("## Provenance\n\n{fence}sh\n{command}\n{fence}\n\n| | |\n|---|---|\n{}", rows.join("\n"))
}

fn findings(rankings: &[Ranking]) -> String {
    let blocks = rankings.iter().filter(|ranking| !ranking.findings.is_empty());
    let blocks = blocks.map(|ranking| format!("### {}\n\n{}", markdown(&ranking.title), list(&ranking.findings)));
    format!("## Which method, and at what cost\n\n{}", blocks.collect::<Vec<_>>().join("\n\n"))
}

fn forks(multiverse: &MultiverseSummary) -> String {
    let one = |fork: &ForkFacts| {
        let options: Vec<String> = fork
            .options
            .iter()
            .enumerate()
            .map(|(at, option)| {
                let stated = if at == 0 { " (as stated)" } else { "" };
                let why = option.1.as_ref().map_or_else(String::new, |why| format!(": {}", markdown(why)));
                format!("  - {}{stated}{why}", markdown(&option.0))
            })
            .collect();
        format!("- **{}**. {}\n{}", markdown(&fork.id), markdown(&fork_lines(fork)), options.join("\n"))
    };
    let forks: Vec<String> = multiverse.forks.iter().map(one).collect();
    format!("## What the paper leaves open\n\n{}\n\n{}", forks.join("\n"), markdown(&universe_sizes(multiverse)))
}

fn list(sentences: &[String]) -> String {
    let items: Vec<String> = sentences.iter().map(|sentence| format!("- {}", markdown(sentence))).collect();
    items.join("\n")
}

fn picture(&Heading { id, title, caption }: &Heading) -> String {
    let caption = if caption.is_empty() { String::new() } else { format!("{}\n\n", markdown(caption)) };
    format!(
        "## {title}\n\n![{title}]({id}.png)\n\n{caption}{}",
        downloads(id, &FileKind::OF_DRAWINGS),
        title = markdown(title)
    )
}

fn sources(provenance: &PageProvenance) -> String {
    let fence = fence(&provenance.spec_text);
    let spec = provenance.spec_text.trim_end();
    let mut blocks = vec![format!(
        "## Spec\n\n<details><summary>The full spec</summary>\n\n{fence}toml\n{spec}\n{fence}\n\n</details>"
    )];
    if !provenance.datasets.is_empty() {
        let rows: Vec<String> = provenance
            .datasets
            .iter()
            .map(|(name, hash)| format!("| {} | `{}` |", markdown(name), hash.replace('`', "")))
            .collect();
        blocks.push(format!("## Datasets\n\n| dataset | content hash |\n|---|---|\n{}", rows.join("\n")));
    }
    blocks.join("\n\n")
}

/// Links to files beside the page.
fn downloads(id: &str, kinds: &[FileKind]) -> String {
    let links: Vec<String> = kinds.iter().map(|kind| format!("[{}]({id}.{})", kind.name(), kind.extension())).collect();
    links.join(" · ")
}

#[cfg(test)]
mod tests {
    use crate::report::sample;
    use crate::report::section::sections;

    #[test]
    fn a_whole_page() {
        let page = sample::page();
        insta::assert_snapshot!(super::page(&page, &sections(&page)));
    }
}
