//! The same seed gives the same bits from the crate, the program and Python: this file holds the crate against the answers in
//! `agreement/`, `python/tests/test_agreement.py` holds Python and the program against them.

use conclave_core::{Ensemble, Method};

const LABELS: &str = include_str!("agreement/labels.csv");
const ANSWERS: &str = include_str!("agreement/answers.csv");

/// What all answers were asked with.
const SEED: u64 = 7;

#[test]
fn the_crate_answers_as_python_and_the_program_do() {
    let ensemble = Ensemble::from_rows(LABELS.lines().skip(1).map(|row| row.split(','))).unwrap();
    assert!(ensemble.missing() > 0);
    let mut seen = 0;
    for line in ANSWERS.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, k, objective, labels] = fields[..] else { panic!("{line}") };
        let mut method = Method::find(name).unwrap().seed(SEED);
        if let Ok(k) = k.parse() {
            method = method.clusters(k);
        }
        let answer = method.combine(&ensemble).unwrap();
        let expected: Vec<u32> = labels.split(' ').map(|label| label.parse().unwrap()).collect();
        assert_eq!(answer.partition().labels(), expected, "{name}");
        let bits = |value: f64| value.to_bits();
        assert_eq!(answer.objective().map(|found| bits(found.value)), objective.parse().ok().map(bits), "{name}");
        seen += 1;
    }
    assert!(seen >= 7, "{seen}");
}
