//! How often repeats of several sizes say the same, in one sentence.

use super::model::RepeatShare;
use crate::spec::RunsBehind;

/// "A repeat would say so in 31 % of cases (± 2.1 %) with 1 run, in all of 2000 cases with 10 or 20 runs."; sizes of which the same is said are
/// said together. `cases` words a share.
pub(super) fn sentence(shares: &[RepeatShare], cases: impl Fn(&RepeatShare) -> String) -> String {
    let mut groups: Vec<(String, Vec<RunsBehind>)> = Vec::new();
    for share in shares {
        let said = cases(share);
        match groups.iter_mut().find(|(other, _)| *other == said) {
            Some((_, sizes)) => sizes.push(share.behind),
            None => groups.push((said, vec![share.behind])),
        }
    }
    match &groups[..] {
        [] => String::new(),
        [(said, sizes)] => format!("A repeat with {} would say so in {said}.", any_of(sizes)),
        several => {
            let each: Vec<String> =
                several.iter().map(|(said, sizes)| format!("in {said} with {}", any_of(sizes))).collect();
            format!("A repeat would say so {}.", each.join(", "))
        }
    }
}

/// "1, 3 or 10 runs", "20 runs or 1 ensemble × 10 runs".
fn any_of(sizes: &[RunsBehind]) -> String {
    let mut sizes = sizes.to_vec();
    sizes.sort_by_key(|size| (size.repeats, size.ensembles));
    let Some((last, others)) = sizes.split_last() else { return String::new() };
    if others.is_empty() {
        return last.to_string();
    }
    // What is counted is said once, behind the last number.
    let are_runs = sizes.iter().all(|size| size.repeats == 1);
    let short = |size: &RunsBehind| if are_runs { size.ensembles.to_string() } else { size.to_string() };
    let others: Vec<String> = others.iter().map(short).collect();
    format!("{} or {last}", others.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(shares: &[(usize, usize, f64)]) -> String {
        let share = |&(ensembles, repeats, share): &(usize, usize, f64)| RepeatShare {
            behind: RunsBehind { ensembles, repeats },
            share,
            repeats: 2000,
        };
        let shares: Vec<RepeatShare> = shares.iter().map(share).collect();
        sentence(&shares, |share| format!("{} % of cases", 100.0 * share.share))
    }

    #[test]
    fn sizes_with_the_same_share_are_said_once() {
        assert_eq!(said(&[]), "");
        assert_eq!(said(&[(20, 1, 0.5)]), "A repeat with 20 runs would say so in 50 % of cases.");
        assert_eq!(
            said(&[(3, 1, 1.0), (1, 1, 1.0), (10, 1, 1.0)]),
            "A repeat with 1, 3 or 10 runs would say so in 100 % of cases."
        );
        assert_eq!(
            said(&[(1, 1, 0.5), (3, 1, 1.0), (1, 10, 1.0)]),
            "A repeat would say so in 50 % of cases with 1 run, in 100 % of cases with 3 runs or 1 ensemble × 10 runs."
        );
    }
}
