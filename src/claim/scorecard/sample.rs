//! A small scorecard with every verdict in it, for tests.

use super::{ExperimentCard, PaperCard, Scorecard};
use crate::claim::{ClaimKind, Evidence, Judgement, NotRun, Repeat, RepeatShare, Verdict};
use crate::spec::RunsBehind;

/// Two papers, four tables and figures, five sentences (one of them an audit) and three printed numbers; one figure without claims.
pub(crate) fn scorecard() -> Scorecard {
    Scorecard {
        scale: "quick".to_owned(),
        version: "0.1.0".to_owned(),
        revision: "unknown".to_owned(),
        papers: vec![
            PaperCard {
                key: "bce".to_owned(),
                title: "Bayesian <Cluster> Ensembles".to_owned(),
                origin: "Wang et al., SDM, 2009".to_owned(),
                control: None,
                kept: None,
                experiments: vec![
                    experiment("bce-table3", "Table 3", vec![best(), above(), numbers()]),
                    experiment("bce-figure2", "Figure 2", Vec::new()),
                ],
            },
            PaperCard {
                key: "peace".to_owned(),
                title: "Evidence Accumulation".to_owned(),
                origin: "Lourenço et al., ICPRAM, 2013".to_owned(),
                control: None,
                kept: None,
                experiments: vec![
                    experiment("peace-table2", "Table 2", vec![absent(), audited()]),
                    experiment("peace-figure3", "Figure 3", vec![wins()]),
                ],
            },
        ],
        elsewhere: Vec::new(),
    }
}

fn experiment(name: &str, place: &str, judgements: Vec<Judgement>) -> ExperimentCard {
    let (paper, file) = name.split_once('-').expect("names begin with the paper");
    ExperimentCard {
        name: name.to_owned(),
        place: place.to_owned(),
        title: format!("What {place} shows"),
        spec_path: format!("experiments/{paper}/{file}.toml"),
        command: format!("conclave run experiments/{paper}/{file}.toml --scale quick"),
        remark: if judgements.is_empty() { "Its spec states no claim.".to_owned() } else { String::new() },
        judgements,
    }
}

/// A claim that holds, shown in a table.
fn best() -> Judgement {
    Judgement {
        id: "best-max".to_owned(),
        source: "§7.1".to_owned(),
        statement: "V-BCE has the best maximum on 8 of 10 datasets".to_owned(),
        about: ClaimKind::Sentence,
        check: "wins".into(),
        verdict: Verdict::Reproduced,
        finding: "8 of 10.".to_owned(),
        repeat: simulated(0.31),
        evidence: vec![place("iris, v-bce", Verdict::Reproduced, None)],
        shown_in: Some("micro-precision".to_owned()),
        quantity: None,
        universes: None,
    }
}

fn above() -> Judgement {
    Judgement {
        id: "above-base".to_owned(),
        source: "Table 3".to_owned(),
        statement: "The mean of V-BCE is above the base clusterings' & G-BCE's".to_owned(),
        about: ClaimKind::Sentence,
        check: "order".into(),
        verdict: Verdict::NotReproduced,
        finding: "It is below on wdbc.".to_owned(),
        repeat: simulated(0.31),
        evidence: vec![place("wdbc, v-bce < base", Verdict::NotReproduced, None)],
        shown_in: None,
        quantity: None,
        universes: None,
    }
}

fn numbers() -> Judgement {
    Judgement {
        id: "micro-precision-printed".to_owned(),
        source: "Table 3".to_owned(),
        statement: "The numbers printed in Table 3".to_owned(),
        about: ClaimKind::PrintedNumbers,
        check: "printed".into(),
        verdict: Verdict::NotReproduced,
        finding: "1 of 3 within its rounding and our interval.".to_owned(),
        repeat: simulated(0.31),
        evidence: vec![
            place("iris", Verdict::Reproduced, Some(".8867")),
            place("wine", Verdict::NotReproduced, Some(".7247")),
            place("bupa", Verdict::Impossible, Some(".4841")),
        ],
        shown_in: Some("micro-precision".to_owned()),
        quantity: None,
        universes: None,
    }
}

fn absent() -> Judgement {
    Judgement {
        id: "selected".to_owned(),
        source: "§4.2".to_owned(),
        statement: "The selected run is near the best".to_owned(),
        about: ClaimKind::Sentence,
        check: "order".into(),
        verdict: Verdict::NotRun(NotRun::NoData),
        finding: "mini-newsgroups is not here; give its folder with --data.".to_owned(),
        repeat: Repeat::None("There are no runs to draw from.".to_owned()),
        evidence: Vec::new(),
        shown_in: None,
        quantity: None,
        universes: None,
    }
}

fn wins() -> Judgement {
    Judgement {
        id: "best-on-three".to_owned(),
        source: "§4.1".to_owned(),
        statement: "PEACE is best on 3 of 9".to_owned(),
        about: ClaimKind::Sentence,
        check: "wins".into(),
        verdict: Verdict::Inconclusive { needed: Some(1200) },
        finding: "2 of 9, and chance could explain either. About 1200 ensembles would decide.".to_owned(),
        repeat: simulated(0.31),
        evidence: vec![place("iris", Verdict::Inconclusive { needed: None }, None)],
        shown_in: None,
        quantity: None,
        universes: None,
    }
}

fn audited() -> Judgement {
    Judgement {
        id: "range".to_owned(),
        source: "Table 2".to_owned(),
        statement: "The means can be those of an accuracy".to_owned(),
        about: ClaimKind::Sentence,
        check: "impossible".into(),
        verdict: Verdict::NothingFound,
        finding: "0 of 63 printed numbers cannot be. Nothing that is printed speaks against it.".to_owned(),
        repeat: Repeat::None("It is decided by what is printed alone.".to_owned()),
        evidence: Vec::new(),
        shown_in: None,
        quantity: None,
        universes: None,
    }
}

fn simulated(share: f64) -> Repeat {
    Repeat::Simulated(vec![RepeatShare { behind: RunsBehind { ensembles: 20, repeats: 1 }, share, repeats: 2000 }])
}

fn place(name: &str, verdict: Verdict, printed: Option<&str>) -> Evidence {
    Evidence {
        ours: Some(0.8933),
        interval: Some([0.88, 0.9066]),
        n: 100,
        printed: printed.map(str::to_owned),
        agrees: Some(0.31),
        ..Evidence::at(name.to_owned(), verdict, "paired t-test, p = 0.003".to_owned())
    }
}
