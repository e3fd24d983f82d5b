//! `report.md`: the page for GitHub and editors.

use super::claims;
use super::escape::{fence, markdown};
use super::format::count;
use super::shared::{
    Footnotes, HOLM, cell_counts, half_width, incomplete, is_significant, number, paragraphs, reproduces, short_hash,
    stand_in_warning, test_cells, test_headings, test_summary,
};
use crate::summary::{Column, Page, Provenance, Ranking, Table, TableCell, TestRow, TestTable};

/// The whole file.
pub(super) fn page(page: &Page) -> String {
    let mut blocks = vec![format!("# {}", markdown(&page.title))];
    blocks.extend(reproduces(page).map(|line| markdown(&line)));
    blocks.extend(paragraphs(&page.description).map(|part| markdown(&part)));
    blocks
        .extend(stand_in_warning(page).map(|text| format!("> [!WARNING]\n> Not a reproduction: {}", markdown(&text))));
    blocks.extend(incomplete(page).map(|what| incomplete_block(page, &what)));
    blocks.extend(findings(page));
    blocks.extend(claims::section(&page.claims, &page.provenance.scale));
    blocks.push(provenance(page));
    if !page.notes.is_empty() {
        let notes: Vec<String> = page.notes.iter().map(|note| format!("- {}", markdown(note))).collect();
        blocks.push(format!("## Notes\n\n{}", notes.join("\n")));
    }
    blocks.extend(page.rankings.iter().flat_map(ranking));
    blocks.extend(page.figures.iter().map(|figure| picture(&figure.id, &figure.title, &figure.caption)));
    blocks.extend(page.heat_maps.iter().map(|map| picture(&map.id, &map.title, &map.caption)));
    blocks.extend(page.tables.iter().map(table));
    blocks.extend(page.tests.iter().map(test));
    blocks.extend(sources(&page.provenance));
    blocks.join("\n\n") + "\n"
}

fn incomplete_block(page: &Page, what: &str) -> String {
    let mut lines = vec!["> [!CAUTION]".to_owned(), format!("> {}.", markdown(what))];
    if !page.failures.is_empty() {
        lines.push(">".to_owned());
    }
    lines.extend(page.failures.iter().map(|failure| {
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
    let Provenance { command, spec_path, spec_hash, version, revision, scale, seed, .. } = &page.provenance;
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

/// What rankings say first; nothing where there are none.
fn findings(page: &Page) -> Option<String> {
    let blocks = page.rankings.iter().filter(|ranking| !ranking.findings.is_empty()).map(|ranking| {
        let sentences: Vec<String> = ranking.findings.iter().map(|text| format!("- {}", markdown(text))).collect();
        format!("### {}\n\n{}", markdown(&ranking.title), sentences.join("\n"))
    });
    let blocks: Vec<String> = blocks.collect();
    (!blocks.is_empty()).then(|| format!("## Which method, and at what cost\n\n{}", blocks.join("\n\n")))
}

/// A ranking's diagram, its figure of costs, and its tables.
fn ranking(ranking: &Ranking) -> Vec<String> {
    let diagram = picture(&ranking.id, &ranking.title, &ranking.caption);
    let trade = ranking.trade.as_ref().map(|trade| picture(&trade.id, &trade.title, &trade.caption));
    std::iter::once(diagram).chain(trade).chain(ranking.tables.iter().map(table)).collect()
}

fn picture(id: &str, title: &str, caption: &str) -> String {
    let caption = if caption.is_empty() { String::new() } else { format!("{}\n\n", markdown(caption)) };
    format!(
        "## {title}\n\n![{title}]({id}.png)\n\n{caption}[SVG]({id}.svg) · [PNG]({id}.png) · [CSV]({id}.csv)",
        title = markdown(title)
    )
}

fn table(table: &Table) -> String {
    let notes = Footnotes::of(table);
    let heads = table.keys.iter().map(|key| markdown(key)).chain(table.columns.iter().map(heading));
    let mut lines = vec![line(heads), rule(table.keys.len(), table.columns.len())];
    for row in &table.rows {
        let keys = row.keys.iter().map(|key| markdown(key));
        lines.push(line(keys.chain(row.cells.iter().map(|cell| table_cell(table, cell, &notes)))));
    }
    let listed: Vec<String> =
        notes.list().map(|(letter, note)| format!("<sup>{letter}</sup> {}", markdown(note))).collect();
    let listed = if listed.is_empty() { String::new() } else { format!("\n\n{}", listed.join("<br>\n")) };
    format!("{}{}{listed}\n\n{}", section(&table.title, &table.caption), lines.join("\n"), downloads(&table.id))
}

fn heading(column: &Column) -> String {
    match &column.group {
        Some(group) => format!("{}: {}", markdown(group), markdown(&column.name)),
        None => markdown(&column.name),
    }
}

fn table_cell(table: &Table, cell: &TableCell, notes: &Footnotes) -> String {
    let mut text = markdown(&number(table, cell));
    if cell.best && cell.value.is_some() {
        text = format!("**{text}**");
    }
    if let Some(half) = half_width(table, cell) {
        text += &format!(" {half}");
    }
    if let Some(printed) = &cell.printed {
        text += &format!(" (paper {})", markdown(printed));
    }
    if let Some(letter) = notes.letter(cell) {
        text += &format!("<sup>{letter}</sup>");
    }
    text
}

fn test(test: &TestTable) -> String {
    let headings = test_headings(test);
    let heads = test.keys.iter().chain(&headings).map(|name| markdown(name));
    let mut lines = vec![line(heads), rule(test.keys.len(), headings.len())];
    lines.extend(test.rows.iter().map(|row| test_row(row, headings.len())));
    format!(
        "{}{}\n\n{}\n\n{}",
        section(&test.title, &test.caption),
        markdown(&test_summary(test)),
        lines.join("\n"),
        downloads(&test.id)
    )
}

fn test_row(row: &TestRow, width: usize) -> String {
    let keys = row.keys.iter().map(|key| markdown(key));
    match &row.outcome {
        Ok(numbers) => {
            let mut cells = test_cells(numbers).map(|cell| markdown(&cell));
            if is_significant(numbers) {
                cells[HOLM] = format!("**{}**", cells[HOLM]);
            }
            line(keys.chain(cells))
        }
        Err(reason) => {
            let blank = std::iter::repeat_n(String::new(), width - 2);
            line(keys.chain(["—".to_owned(), markdown(reason)]).chain(blank))
        }
    }
}

fn sources(provenance: &Provenance) -> Vec<String> {
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
    blocks
}

fn section(title: &str, caption: &str) -> String {
    let caption = if caption.is_empty() { String::new() } else { format!("{}\n\n", markdown(caption)) };
    format!("## {}\n\n{caption}", markdown(title))
}

fn downloads(id: &str) -> String {
    format!("[CSV]({id}.csv) · [LaTeX]({id}.tex)")
}

fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().collect();
    format!("| {} |", cells.join(" | "))
}

fn rule(keys: usize, values: usize) -> String {
    format!("|{}{}", "---|".repeat(keys), "---:|".repeat(values))
}

#[cfg(test)]
mod tests {
    use crate::report::sample;

    #[test]
    fn a_whole_page() {
        insta::assert_snapshot!(super::page(&sample::page()));
    }
}
