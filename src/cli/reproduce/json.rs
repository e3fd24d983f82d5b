//! The scorecard for other programs.

use serde_json::{Map, Value, json};

use crate::claim::{ExperimentCard, PaperCard, Scorecard, Tally};
use crate::report::claims_value;

/// One object with everything on the scorecard.
pub(super) fn scorecard(card: &Scorecard) -> Value {
    json!({
        "scale": card.scale,
        "version": card.version,
        "revision": card.revision,
        "claims": tally(&card.sentences()),
        "printed_numbers": tally(&card.numbers()),
        "papers": card.papers.iter().map(paper).collect::<Vec<_>>(),
    })
}

fn paper(card: &PaperCard) -> Value {
    json!({
        "paper": card.key,
        "title": card.title,
        "claims": tally(&card.sentences()),
        "printed_numbers": tally(&card.numbers()),
        "experiments": card.experiments.iter().map(experiment).collect::<Vec<_>>(),
    })
}

fn experiment(card: &ExperimentCard) -> Value {
    json!({
        "name": card.name,
        "reproduces": card.place,
        "title": card.title,
        "spec": card.spec_path,
        "command": card.command,
        "remark": (!card.remark.is_empty()).then_some(&card.remark),
        "judgements": claims_value(&card.judgements),
    })
}

fn tally(tally: &Tally) -> Value {
    let counts = tally.iter().map(|(verdict, count)| (verdict.name().to_owned(), count.into()));
    Value::Object(counts.chain([("all".to_owned(), tally.total().into())]).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::sample_scorecard;

    #[test]
    fn every_claim_is_in_the_object_with_its_verdict() {
        let value = scorecard(&sample_scorecard());
        assert_eq!(value["claims"]["all"], 4);
        assert_eq!(value["printed_numbers"]["impossible as published"], 1);
        let wins = &value["papers"][1]["experiments"][1]["judgements"][0];
        assert_eq!((&wins["verdict"], &wins["needed"]), (&json!("inconclusive"), &json!(1200)));
        assert_eq!(value["papers"][0]["experiments"][1]["remark"], "Its spec states no claim.");
    }
}
