//! Claims about series along a swept key.

use super::{Values, decides, far, judged, near};
use crate::claim::Verdict;

/// A series that stays, one that falls, one that nobody knows.
const SERIES: [Values; 3] =
    [|_, _| near(0.8), |_, x| near(0.8 - 0.5 * x), |_, x| if x == 0.0 { near(0.8) } else { far(0.8) }];

#[test]
fn flat_until() {
    let claim = "check = \"flat-until\"\nmetric = \"accuracy\"\nalong = \"missing\"\nuntil = 0.7\nwithin = 0.05";
    decides(claim, SERIES);
    let late: Values = |_, x| near(if x > 0.7 { 0.2 } else { 0.8 });
    assert_eq!(judged(claim, late).verdict, Verdict::Reproduced, "what comes after does not count");
    let gain: Values = |_, x| near(0.5 + 0.4 * x);
    assert_eq!(judged(claim, gain).verdict, Verdict::NotReproduced);
    assert_eq!(judged(&format!("{claim}\nside = \"worse\""), gain).verdict, Verdict::Reproduced);
}

#[test]
fn decreases_and_increases() {
    let claim = "check = \"decreases\"\nmetric = \"accuracy\"\nalong = \"missing\"\nto = 0.5";
    let rises: Values = |_, x| near(0.5 + 0.4 * x);
    decides(claim, [SERIES[1], rises, SERIES[2]]);
    let increases = claim.replace("decreases", "increases");
    assert_eq!(judged(&increases, rises).verdict, Verdict::Reproduced);
    assert_eq!(judged(&format!("{increases}\nby = 0.5"), rises).verdict, Verdict::NotReproduced);
    let dips: Values = |_, x| near(if x == 0.5 { 0.3 } else { 0.5 + 0.4 * x });
    let whole = "check = \"increases\"\nmetric = \"accuracy\"\nalong = \"missing\"";
    assert_eq!(judged(whole, dips).verdict, Verdict::Reproduced);
    assert_eq!(judged(&format!("{whole}\nsteps = \"every\""), dips).verdict, Verdict::NotReproduced);
}

#[test]
fn changes_less() {
    let claim = "check = \"changes-less\"\nmetric = \"accuracy\"\nalong = \"missing\"\nof = \"mm\"\nagainst = \"cspa\"";
    decides(
        claim,
        [
            |method, x| near(if method == "mm" { 0.8 - 0.1 * x } else { 0.8 - 0.5 * x }),
            |method, x| near(if method == "mm" { 0.8 - 0.5 * x } else { 0.8 - 0.1 * x }),
            |method, x| if method == "mm" { far(0.8) } else { near(0.8 - 0.1 * x) },
        ],
    );
}
