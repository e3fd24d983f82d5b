//! Tables of a comparison at the width of the terminal.

use std::io::IsTerminal;

use conclave_core::Compared;

use super::text;

/// More columns than this are not read on a terminal; `--json` and `--report` have all.
const MOST_COLUMNS: usize = 10;

/// Likewise methods whose agreement is shown: between the answers and the recommendation.
const MOST_AGREEING: usize = 10;

/// Columns that give way to others where the terminal is narrow, the first of them first.
const GIVE_WAY: [&str; 6] = ["k from", "seconds", "nmi-sqrt", "accuracy", "ARI with others", "ari"];

/// How many letters are seen in a line; `None` where standard output is no terminal.
pub(super) fn width() -> Option<usize> {
    let seen = std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    seen.map(|(width, _)| usize::from(width.0))
}

/// As many columns as fit, ten at most, and which ones are not shown.
pub(super) fn fitted((mut header, mut rows): (Vec<String>, Vec<Vec<String>>), width: Option<usize>) -> String {
    let mut hidden = Vec::new();
    loop {
        let names: Vec<&str> = header.iter().map(String::as_str).collect();
        let table = text::columns(&names, &rows, &(1..names.len()).collect::<Vec<_>>());
        let fits = names.len() <= MOST_COLUMNS && width.is_none_or(|width| letters(&table) <= width);
        let next = GIVE_WAY.iter().find_map(|name| names.iter().position(|shown| shown == name));
        match next.filter(|_| !fits) {
            Some(column) => {
                hidden.push(header.remove(column));
                rows.iter_mut().for_each(|row| drop(row.remove(column)));
            }
            None if hidden.is_empty() => return table,
            None => return format!("{table}\n(not shown: {}; --json and --report have all)", hidden.join(", ")),
        }
    }
}

/// The ARI of the first methods with each other: ten of them at most, and as many columns as fit.
pub(super) fn agreement(comparison: &Compared, width: Option<usize>) -> String {
    let names: Vec<&str> = comparison.ranked.iter().map(|compared| compared.answer.method.name).collect();
    agreement_of(&names, &comparison.ari, width)
}

/// How many of the first methods divide the objects in the same way, whatever the clusters are called.
pub(super) fn alike(ari: &[Vec<f64>]) -> usize {
    const SAME: f64 = 1.0 - 1e-9;
    (0..ari.len()).take_while(|&method| ari[method][..method].iter().all(|value| *value >= SAME)).count()
}

fn agreement_of(names: &[&str], ari: &[Vec<f64>], width: Option<usize>) -> String {
    let lines = names.len().min(MOST_AGREEING);
    let alike = alike(ari);
    if alike >= lines && alike > 1 {
        return if alike == names.len() {
            format!("all {alike} methods divide the objects in the same way")
        } else {
            let all = names.len();
            format!(
                "the first {alike} of {all} methods divide the objects in the same way; --json and --report have the agreement of all"
            )
        };
    }
    let mut shown = lines;
    loop {
        let header: Vec<&str> = std::iter::once("").chain(names[..shown].iter().copied()).collect();
        let rows = names[..lines].iter().zip(ari).map(|(name, row)| {
            std::iter::once((*name).to_owned()).chain(row[..shown].iter().map(|value| format!("{value:.2}"))).collect()
        });
        let table = text::columns(&header, &rows.collect::<Vec<_>>(), &(1..header.len()).collect::<Vec<_>>());
        if shown > 1 && width.is_some_and(|width| letters(&table) > width) {
            shown -= 1;
            continue;
        }
        let which = if shown < names.len() {
            let first = if lines < names.len() {
                format!("the first {lines} of {} methods", names.len())
            } else {
                "methods".to_owned()
            };
            let with = if shown < lines { format!("with the first {shown}") } else { "with each other".to_owned() };
            format!("agreement of {first} {with} (ARI; --json and --report have all)")
        } else {
            "agreement of methods with each other (ARI)".to_owned()
        };
        return format!("{which}\n{table}");
    }
}

/// The longest line.
fn letters(table: &str) -> usize {
    table.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &[&str]) -> (Vec<String>, Vec<Vec<String>>) {
        let row = |cell: &str| columns.iter().map(|_| cell.to_owned()).collect();
        (columns.iter().map(|&name| name.to_owned()).collect(), vec![row("0.1234"), row("0.5678")])
    }

    #[test]
    fn columns_give_way_until_the_rest_fits() {
        let columns = ["method", "k from", "clusters", "mean NMI", "ARI with others", "seconds"];
        let wide = fitted(table(&columns), None);
        assert!(columns.iter().all(|column| wide.contains(column)) && !wide.contains("not shown"), "{wide}");
        assert_eq!(fitted(table(&columns), Some(80)), wide);
        for width in [10, 26, 30, 45, 50] {
            let narrow = fitted(table(&columns), Some(width));
            let (shown, hidden) = narrow.rsplit_once('\n').unwrap();
            assert!(letters(shown) <= width.max(26), "{narrow}");
            assert!(shown.starts_with("method") && shown.contains("mean NMI") && hidden.contains("k from"), "{narrow}");
        }
    }

    #[test]
    fn the_agreement_of_ten_methods_is_shown_at_most() {
        let names: Vec<String> = (0..38).map(|place| format!("method-{place}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let ari = vec![vec![0.5; 38]; 38];
        let all = agreement_of(&names, &ari, None);
        assert!(
            all.starts_with(
                "agreement of the first 10 of 38 methods with each other (ARI; --json and --report have all)\n"
            ),
            "{all}"
        );
        assert_eq!(all.lines().count(), 12, "{all}");
        let narrow = agreement_of(&names, &ari, Some(50));
        assert!(narrow.starts_with("agreement of the first 10 of 38 methods with the first 4 (ARI; "), "{narrow}");
        let few: Vec<Vec<f64>> = ari[..4].iter().map(|row| row[..4].to_vec()).collect();
        let few = agreement_of(&names[..4], &few, None);
        assert!(few.starts_with("agreement of methods with each other (ARI)\n") && few.lines().count() == 6, "{few}");
    }

    #[test]
    fn of_methods_that_all_agree_a_sentence_says_so() {
        let names: Vec<String> = (0..12).map(|place| format!("method-{place}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut ari = vec![vec![1.0; 12]; 12];
        assert_eq!(agreement_of(&names, &ari, Some(80)), "all 12 methods divide the objects in the same way");
        (ari[11][0], ari[0][11]) = (0.9, 0.9);
        let most = agreement_of(&names, &ari, Some(80));
        assert!(most.starts_with("the first 11 of 12 methods divide the objects in the same way; "), "{most}");
        (ari[9][0], ari[0][9]) = (0.9, 0.9);
        assert!(agreement_of(&names, &ari, None).contains("0.90"), "the first ten are shown where they differ");
    }

    #[test]
    fn ten_columns_are_shown_at_most() {
        let columns = ["method", "k from", "a", "b", "c", "d", "e", "f", "g", "h", "seconds"];
        let shown = fitted(table(&columns), None);
        assert!(shown.ends_with("(not shown: k from; --json and --report have all)"), "{shown}");
    }
}
