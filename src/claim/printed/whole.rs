//! All numbers of a table.
//!
//! Numbers of a table share ensembles, so they are right and wrong together: how many true repeats of the *whole* table would
//! contradict is simulated. Both sides are drawn, ours and the paper's, and every number of the paper's draw is judged by ours.
//! A table is consistent where it has no more contradictions than 95 % of true repeats have.

use super::number::JudgedNumber;
use crate::claim::Verdict;
use crate::claim::repeats::{Holds, REPEATS};
use crate::spec::RunsBehind;

/// Contradictions of a table, beside those of true repeats.
struct Contradictions {
    behind: RunsBehind,
    found: usize,
    /// Numbers that chance can contradict, and those found consistent.
    judged: usize,
    consistent: usize,
    /// What 95 % of true repeats do not exceed.
    limit: usize,
    /// How many true repeats have on average.
    expected: f64,
}

/// The verdict on a table under each number of runs that the paper may have made, and its words; `None` where nothing
/// could be judged.
pub(in crate::claim) fn judge(judged: &[JudgedNumber]) -> Option<(Verdict, String)> {
    let sizes = judged.iter().map(|number| number.contradicted.len()).max().unwrap_or(0);
    let each: Vec<Contradictions> = (0..sizes).filter_map(|size| Contradictions::of(judged, size)).collect();
    let first = each.first()?;
    let verdicts: Vec<Verdict> = each.iter().map(Contradictions::verdict).collect();
    let words: Vec<String> = each.iter().map(Contradictions::words).collect();
    let same = verdicts.iter().all(|verdict| verdict.name() == first.verdict().name());
    let verdict = if same { first.verdict() } else { Verdict::Inconclusive { needed: None } };
    let depends = if same { "" } else { "It depends on the paper's runs. " };
    Some((verdict, format!("{depends}{}", words.join(" "))))
}

impl Contradictions {
    fn of(judged: &[JudgedNumber], size: usize) -> Option<Self> {
        let drawn: Vec<(&JudgedNumber, &Holds)> =
            judged.iter().filter_map(|number| Some((number, number.contradicted.get(size)?.as_ref()?))).collect();
        let under = |number: &JudgedNumber| Some(number.evidence.number.as_ref()?.judged.get(size)?.verdict);
        let is = |wanted: Verdict| drawn.iter().filter(|(number, _)| under(number) == Some(wanted)).count();
        let behind =
            drawn.first().and_then(|(number, _)| Some(number.evidence.number.as_ref()?.judged.get(size)?.behind))?;
        let mut counts: Vec<usize> =
            (0..REPEATS).map(|repeat| drawn.iter().filter(|(_, holds)| holds.at(repeat)).count()).collect();
        counts.sort_unstable();
        Some(Self {
            behind,
            found: is(Verdict::NotReproduced),
            judged: drawn.len(),
            consistent: is(Verdict::Reproduced),
            limit: counts[(0.95 * REPEATS as f64).ceil() as usize - 1],
            expected: counts.iter().sum::<usize>() as f64 / REPEATS as f64,
        })
    }

    /// Within the limit it is consistent, if at least half of the numbers could say so.
    fn verdict(&self) -> Verdict {
        if self.found > self.limit {
            Verdict::NotReproduced
        } else if 2 * self.consistent >= self.judged {
            Verdict::Reproduced
        } else {
            Verdict::Inconclusive { needed: None }
        }
    }

    fn words(&self) -> String {
        let Self { behind, found, judged, limit, expected, .. } = self;
        format!(
            "With {behind}, {found} of {judged} are contradicted; true repeats of this table have {expected:.1} on average and at most {limit} in 95 % of cases."
        )
    }
}
