//! What the papers leave open, for the scorecard in Markdown: which claims turn on it, which hold whatever one chooses, which
//! nowhere, and how printed numbers fit in every universe.

use crate::claim::universes::{FitTable, UniverseReading};
use crate::claim::{ExperimentCard, Judgement, PaperCard, Scorecard, Verdict};
use crate::report::escape::markdown as safe;

/// The section, or nothing where no spec has forks.
pub(super) fn markdown(card: &Scorecard) -> String {
    let claims: Vec<OpenClaim> = card.papers.iter().flat_map(OpenClaim::of_paper).collect();
    if claims.is_empty() {
        return String::new();
    }
    let mut text = "\n## What the papers leave open\n\nA universe is one way to fill in what a paper does not say; \"as stated\" is the one of our \
                    specs. The question of every \"not reproduced\" is: is it the paper, or is it what we chose?\n"
        .to_owned();
    let sentences = || claims.iter().filter(|claim| !claim.judgement.is_of_printed_numbers());
    for section in SECTIONS {
        let rows: Vec<String> = sentences().filter(|claim| (section.admits)(claim)).map(OpenClaim::row).collect();
        if !rows.is_empty() {
            let OpenSection { heading, about, .. } = section;
            text += &format!(
                "\n### {heading}\n\n{about}\n\n| paper | where | claim | as stated | universes | turns on |\n|---|---|---|---|--:|---|\n{}",
                rows.concat()
            );
        }
    }
    let rest = sentences().filter(|claim| SECTIONS.iter().all(|section| !(section.admits)(claim))).count();
    if rest > 0 {
        text += &format!("\nOf {rest} more claims no universe decides enough.\n");
    }
    let fits: Vec<String> = claims.iter().filter_map(OpenClaim::fit).collect();
    if !fits.is_empty() {
        text += &format!(
            "\n### Printed numbers in every universe\n\nConsistent of those that are consistent or contradicted, for tables where that \
             differs between universes.\n\n| paper | where | as stated | fewest | most | where most |\n|---|---|--:|--:|--:|---|\n{}",
            fits.concat()
        );
    }
    text
}

/// Claims of which universes say the same.
struct OpenSection {
    heading: &'static str,
    about: &'static str,
    admits: fn(&OpenClaim) -> bool,
}

const SECTIONS: [OpenSection; 4] = [
    OpenSection {
        heading: "It turns on what the paper leaves open",
        about: "Claims that hold in some universes and do not in others, whatever they do as stated.",
        admits: |claim| claim.reading() == Some(UniverseReading::Depends),
    },
    OpenSection {
        heading: "Not reproduced, and in no universe",
        about: "Claims that fail in every universe: what we chose does not explain them.",
        admits: |claim| claim.reading() == Some(UniverseReading::InNone),
    },
    OpenSection {
        heading: "Not reproduced as stated, and open elsewhere",
        about: "Claims that fail as stated and hold in no universe, but are undecided or not run in some: what we chose may still explain \
                them.",
        admits: |claim| {
            claim.reading() == Some(UniverseReading::NoneDecided) && claim.judgement.verdict == Verdict::NotReproduced
        },
    },
    OpenSection {
        heading: "Robust",
        about: "Claims that hold in every universe.",
        admits: |claim| claim.reading() == Some(UniverseReading::Robust),
    },
];

/// A claim that was judged in several universes.
struct OpenClaim<'a> {
    paper: &'a str,
    place: &'a str,
    judgement: &'a Judgement,
}

impl<'a> OpenClaim<'a> {
    fn of_paper(paper: &'a PaperCard) -> Vec<Self> {
        let of = |experiment: &'a ExperimentCard| {
            let open = experiment.judgements.iter().filter(|judgement| judgement.across().is_some());
            open.map(move |judgement| Self { paper: &paper.key, place: &experiment.place, judgement })
        };
        paper.experiments.iter().flat_map(of).collect()
    }

    fn reading(&self) -> Option<UniverseReading> {
        self.judgement.across().map(|across| across.reading())
    }

    fn row(&self) -> String {
        let Some(across) = self.judgement.across() else { return String::new() };
        let counts = across.counts();
        let undecided = match counts.undecided + counts.not_run {
            0 => String::new(),
            open => format!(" ({open} undecided)"),
        };
        format!(
            "| {} | {} | {} | {} | {} of {}{undecided} | {} |\n",
            safe(self.paper),
            safe(self.place),
            safe(&self.judgement.statement),
            self.judgement.verdict.name(),
            counts.hold,
            counts.total(),
            safe(&across.turn_words())
        )
    }

    /// How printed numbers fit; `None` where it is the same in all universes.
    fn fit(&self) -> Option<String> {
        let across = self.judgement.across().filter(|_| self.judgement.is_of_printed_numbers())?;
        let fits: Vec<_> = FitTable::of(&across, None).universes.into_iter().map(|universe| universe.all).collect();
        let by_count = |position: &usize| (fits[*position].consistent, std::cmp::Reverse(*position));
        let judged: Vec<usize> = (0..fits.len()).filter(|position| fits[*position].judged > 0).collect();
        let fewest = judged.iter().copied().min_by_key(|position| (fits[*position].consistent, *position))?;
        let most = judged.iter().copied().max_by_key(by_count)?;
        if fits[fewest].consistent == fits[most].consistent {
            return None;
        }
        let shown = |position: usize| format!("{} of {}", fits[position].consistent, fits[position].judged);
        let name = if most == 0 { "as stated".to_owned() } else { across.name(&across.each[most].0) };
        let place = format!("{}: {}", self.place, self.judgement.statement);
        let cells = [self.paper.to_owned(), place, shown(0), shown(fewest), shown(most), name];
        Some(format!("| {} |\n", cells.map(|cell| safe(&cell)).join(" | ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::sample_scorecard;
    use crate::claim::universes::{ForkFacts, InUniverse, Multiverse};

    /// The claim with another verdict where k is varied.
    fn varied(claim: &Judgement, stated: Verdict, other: Verdict) -> Judgement {
        let options = ["same", "few"].map(|option| (option.to_owned(), None)).to_vec();
        let fork = ForkFacts { id: "k".to_owned(), paper: None, why: None, options };
        let there = Judgement { verdict: other, ..claim.clone() };
        let others = vec![InUniverse { options: vec![1], judgement: there }];
        Judgement { verdict: stated, universes: Some(Multiverse { forks: [fork].into(), others }), ..claim.clone() }
    }

    #[test]
    fn claims_stand_under_what_universes_say_of_them() {
        let mut card = sample_scorecard();
        assert_eq!(markdown(&card), "");
        let claims = &mut card.papers[0].experiments[0].judgements;
        let any = claims.iter().find(|claim| !claim.is_of_printed_numbers()).unwrap().clone();
        let (yes, no) = (Verdict::Reproduced, Verdict::NotReproduced);
        *claims = vec![varied(&any, no, yes), varied(&any, no, no), varied(&any, yes, yes)];
        let open = Verdict::Inconclusive { needed: None };
        claims.extend([varied(&any, open, yes), varied(&any, no, open)]);
        let text = markdown(&card);
        let (turning, rest) = text.split_once("### Not reproduced, and in no universe").unwrap();
        assert!(turning.contains("| not reproduced | 1 of 2 | k: it holds with k = same (as stated) in none of 1, with k = few in all 1 |"), "{text}");
        let (nowhere, rest) = rest.split_once("### Not reproduced as stated, and open elsewhere").unwrap();
        let (undecided, robust) = rest.split_once("### Robust").unwrap();
        assert!(undecided.contains("| not reproduced | 0 of 2 (1 undecided) |  |"), "{text}");
        assert!(nowhere.contains("| not reproduced | 0 of 2 |  |"), "{text}");
        assert!(robust.contains("| reproduced | 2 of 2 |  |"), "{text}");
        assert!(text.contains("Of 1 more claims no universe decides enough."), "{text}");
    }
}
