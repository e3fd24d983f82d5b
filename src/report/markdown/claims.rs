//! The claims in `report.md`.

use super::downloads;
use crate::claim::{Evidence, Judgement};
use crate::report::escape::markdown;
use crate::report::format::FileKind;
use crate::report::numbers::{beside, difference};
use crate::report::section::{CLAIMS, ClaimList};

/// One line per claim, then the places of those that have any.
pub(super) fn section(&ClaimList { claims, scale, .. }: &ClaimList) -> String {
    let rows = claims.iter().map(|claim| {
        let universes = claim.across().map_or_else(String::new, |across| format!(" {}", across.words()));
        let finding = format!("{}{universes}", claim.finding);
        let cells = [&claim.repeat.short(), claim.verdict.name(), &claim.source, &claim.statement, &finding];
        let cells = cells.map(markdown);
        format!("| {} |", cells.join(" | "))
    });
    let rows = rows.collect::<Vec<_>>().join("\n");
    let places: String = claims.iter().filter(|claim| !claim.evidence.is_empty()).map(places).collect();
    format!(
        "## Claims\n\nJudged at scale {}. {}\n\n\
         | repeats that say so | verdict | source | claim | finding |\n|--:|---|---|---|---|\n{rows}\n{places}",
        markdown(scale),
        downloads(CLAIMS, &FileKind::OF_CLAIMS)
    )
}

fn places(claim: &Judgement) -> String {
    let row = |evidence: &Evidence| {
        let ours = evidence.ours.map_or_else(String::new, |ours| beside(ours, evidence.printed.as_deref()));
        let interval = evidence
            .interval
            .map_or_else(String::new, |[low, high]| format!("{} to {}", difference(low), difference(high)));
        let printed = evidence.printed.as_deref().map_or_else(String::new, markdown);
        format!(
            "| {} | {} | {} | {ours} | {interval} | {} | {printed} | {} |\n",
            markdown(&evidence.place),
            evidence.agrees.map_or_else(String::new, |share| format!("{:.1} %", 100.0 * share)),
            evidence.verdict.name(),
            evidence.n,
            markdown(&evidence.reason)
        )
    };
    let rows: String = claim.evidence.iter().map(row).collect();
    format!(
        "\n<details><summary>{}</summary>\n\n| place | repeats | verdict | ours | 95 % interval | n | printed | why |\n\
         |---|---:|---|---:|---|---:|---|---|\n{rows}\n</details>\n",
        markdown(&claim.statement)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::claims::ClaimOrigin;
    use crate::report::claims::tests::claims;

    #[test]
    fn a_bar_in_a_statement_does_not_break_the_table() {
        let section =
            section(&ClaimList { claims: &claims(), scale: "quick", origin: ClaimOrigin { paper: None, spec: "" } });
        assert!(section.contains("Judged at scale quick"), "{section}");
        assert!(section.contains("ahead \\| always"), "{section}");
    }
}
