//! The objectives of the membership methods, computed again from what the program prints.

mod common;

use common::Workshop;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const OBJECTS: usize = 60;
const COLUMNS: usize = 8;

/// Noisy copies of three blocks, a fifth of the labels missing.
fn labels() -> Vec<Vec<Option<u8>>> {
    let mut rng = Pcg64::seed_from_u64(7);
    let mut label = |block: u8| {
        let label = if rng.random_bool(0.2) { rng.random_range(0..3) } else { block };
        (!rng.random_bool(0.2)).then_some(label)
    };
    (0..OBJECTS).map(|object| (0..COLUMNS).map(|_| label((object % 3) as u8)).collect()).collect()
}

fn as_csv(labels: &[Vec<Option<u8>>]) -> String {
    let header: Vec<String> = (0..COLUMNS).map(|column| format!("c{column}")).collect();
    let line = |row: &Vec<Option<u8>>| {
        let fields: Vec<String> =
            row.iter().map(|label| label.map_or(String::new(), |label| label.to_string())).collect();
        fields.join(",")
    };
    std::iter::once(header.join(",")).chain(labels.iter().map(line)).map(|line| line + "\n").collect()
}

/// C_ij and N_ij.
fn counts(a: &[Option<u8>], b: &[Option<u8>]) -> (f64, f64) {
    let both = a.iter().zip(b).filter_map(|(a, b)| Some(a.as_ref()? == b.as_ref()?));
    both.fold((0.0, 0.0), |(together, shared), equal| (together + f64::from(u8::from(equal)), shared + 1.0))
}

/// What a pair adds to an objective: a function of C_ij, N_ij and y_i·y_j.
type Term = fn(f64, f64, f64) -> f64;

/// The sum of a term over ordered pairs.
fn over_pairs(labels: &[Vec<Option<u8>>], y: &[Vec<f64>], term: Term) -> f64 {
    let pairs = (0..y.len()).flat_map(|i| (0..y.len()).map(move |j| (i, j))).filter(|(i, j)| i != j);
    pairs
        .map(|(i, j)| {
            let (together, shared) = counts(&labels[i], &labels[j]);
            term(together, shared, y[i].iter().zip(&y[j]).map(|(a, b)| a * b).sum())
        })
        .sum()
}

/// peace Eq. 2 without the binomial constant; 0 · ln 0 is 0.
fn log_likelihood(together: f64, shared: f64, p: f64) -> f64 {
    let times_log = |count: f64, p: f64| if count > 0.0 { count * p.ln() } else { 0.0 };
    times_log(together, p) + times_log(shared - together, 1.0 - p)
}

/// A pair that was never observed together has no error.
fn squared_error(together: f64, shared: f64, p: f64) -> f64 {
    if shared > 0.0 { (together / shared - p).powi(2) } else { 0.0 }
}

#[test]
fn objectives_follow_from_the_soft_memberships() {
    let workshop = Workshop::new();
    let labels = labels();
    workshop.write("labels.csv", &as_csv(&labels));
    let terms: [(&str, &str, Term); 2] =
        [("peace", "f(Y) over ordered pairs", log_likelihood), ("be", "off-diagonal squared error", squared_error)];
    for (method, name, term) in terms {
        let arguments = ["consensus", "labels.csv", "--method", method, "-k", "3", "--soft", "soft.csv", "--json"];
        let answer = workshop.run(&arguments).ok().json();
        let soft = String::from_utf8(workshop.read("soft.csv")).expect("it is text");
        let numbers = |line: &str| line.split(',').map(|field| field.parse().expect("a number")).collect();
        let y: Vec<Vec<f64>> = soft.lines().skip(1).map(numbers).collect();
        assert_eq!(y.len(), OBJECTS);
        assert!(y.iter().all(|y| (y.iter().sum::<f64>() - 1.0).abs() < 1e-12));
        let value = answer["objective"]["value"].as_f64().expect("an objective");
        let slow = over_pairs(&labels, &y, term);
        assert!((value - slow).abs() <= 1e-9 * slow.abs(), "{method}: {value} {slow}");
        assert_eq!(answer["objective"]["name"], name);
        assert_eq!(answer["converged"], true);
        for (y, label) in y.iter().zip(answer["labels"].as_array().expect("labels")) {
            let label = label.as_u64().expect("a cluster") as usize;
            assert!(y.iter().all(|other| *other <= y[label]), "{method}: the label is the strongest membership");
        }
    }
}
