//! Term counts to tf-idf weights, and the choice of terms.
//!
//! With N documents, of which df(t) have the term t, tf(t, d) times each:
//!
//! > w(t, d) = tf(t, d) · ln(N / df(t))
//!
//! (Manning, Raghavan and Schütze 2008, section 6.2), in rows that are not normalised. The variance of a term is that
//! of its column, zeros included, with divisor N.

use std::collections::BTreeMap;

use crate::data::Matrix;

/// How often a document has each of its terms.
pub(super) type Counts = BTreeMap<String, u32>;

/// A column of the tf-idf matrix, without its zeros.
pub(super) struct Term<'a> {
    pub(super) name: &'a str,
    /// Documents that have the term, ascending, and its weight in each.
    weights: Vec<(usize, f64)>,
    variance: f64,
}

/// The weighted columns of all terms that at least so many documents have, in alphabetical order.
pub(super) fn weigh(documents: &[Counts], minimum_documents: usize) -> Vec<Term<'_>> {
    let mut postings: BTreeMap<&str, Vec<(usize, u32)>> = BTreeMap::new();
    for (document, counts) in documents.iter().enumerate() {
        for (term, &count) in counts {
            postings.entry(term).or_default().push((document, count));
        }
    }
    postings.retain(|_, counts| counts.len() >= minimum_documents);
    postings.into_iter().map(|(name, counts)| Term::new(name, &counts, documents.len())).collect()
}

/// The terms of highest variance, in the order they came in; of equal terms the first.
///
/// # Errors
/// In words: there are fewer terms than that.
pub(super) fn most_varied(mut terms: Vec<Term>, features: usize) -> Result<Vec<Term>, String> {
    if terms.len() < features {
        return Err(format!("{features} terms were asked for and only {} are in enough documents", terms.len()));
    }
    terms.sort_by(|a, b| b.variance.total_cmp(&a.variance).then_with(|| a.name.cmp(b.name)));
    terms.truncate(features);
    terms.sort_by_key(|term| term.name);
    Ok(terms)
}

/// Documents × terms.
///
/// # Errors
/// In words: no term.
pub(super) fn dense(documents: usize, terms: &[Term]) -> Result<Matrix, String> {
    let mut values = vec![0.0; documents * terms.len()];
    for (column, term) in terms.iter().enumerate() {
        for &(document, weight) in &term.weights {
            values[document * terms.len() + column] = weight;
        }
    }
    Matrix::new(terms.len(), values).map_err(|error| error.to_string())
}

impl<'a> Term<'a> {
    fn new(name: &'a str, counts: &[(usize, u32)], documents: usize) -> Self {
        let documents = documents as f64;
        let idf = libm::log(documents / counts.len() as f64);
        let weights: Vec<(usize, f64)> =
            counts.iter().map(|&(document, count)| (document, f64::from(count) * idf)).collect();
        let mean = weights.iter().map(|(_, weight)| weight).sum::<f64>() / documents;
        let present: f64 = weights.iter().map(|(_, weight)| (weight - mean).powi(2)).sum();
        let absent = (documents - counts.len() as f64) * mean.powi(2);
        Self { name, weights, variance: (present + absent) / documents }
    }
}
