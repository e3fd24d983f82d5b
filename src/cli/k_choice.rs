//! How stable each number of clusters is, in words, as a table and as JSON: for `choose-k`, and for `consensus` beside its own rule.

use conclave_core::stability::{Finding, KStability, Stability};
use serde::Serialize;

use super::text;

/// A k-choice with what was drawn from.
pub(super) struct KChoice<'a> {
    pub(super) stability: &'a Stability,
    pub(super) material: Material,
    /// The generator or the method.
    pub(super) by: &'static str,
    pub(super) seed: u64,
}

/// What was drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Material {
    Features,
    Labels,
}

impl Material {
    /// What the references have not.
    fn reference(self) -> &'static str {
        match self {
            Self::Features => "data without clusters",
            Self::Labels => "base clusterings that have nothing in common",
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct KChoiceJson<'a> {
    /// The recommended number; 1 where there is no structure.
    k: usize,
    structure: bool,
    /// Whether `k` is the largest number that was tried.
    at_end: bool,
    p: f64,
    finding: String,
    material: Material,
    by: &'static str,
    objects: usize,
    looked_at: usize,
    draws: usize,
    references: usize,
    seed: u64,
    counts: Vec<KCountJson<'a>>,
}

#[derive(Debug, Serialize)]
struct KCountJson<'a> {
    k: usize,
    area: f64,
    delta: f64,
    pac: f64,
    reference_pac: f64,
    rcsi: f64,
    p: f64,
    /// At 0, 0.01, …, 1.
    cdf: &'a [f64],
}

impl<'a> KChoice<'a> {
    pub(super) fn json(&self) -> KChoiceJson<'a> {
        let found = self.stability;
        KChoiceJson {
            k: found.finding.clusters(),
            structure: found.finding != Finding::NoStructure,
            at_end: matches!(found.finding, Finding::AtLeast(_)),
            p: found.p,
            finding: self.finding(),
            material: self.material,
            by: self.by,
            objects: found.objects,
            looked_at: found.looked_at,
            draws: found.draws,
            references: found.references,
            seed: self.seed,
            counts: found.counts.iter().map(of_count).collect(),
        }
    }

    /// What is recommended, and why, in a sentence.
    pub(super) fn finding(&self) -> String {
        let (found, reference) = (self.stability, self.material.reference());
        let p = p_text(found.p);
        match found.finding {
            Finding::NoStructure => format!(
                "No number of clusters is more stable than in {reference} (p {p}), which speaks for one cluster"
            ),
            Finding::Clusters(k) => {
                format!("{k} clusters stand out most from {reference} (RCSI {:.2}, p {p})", self.rcsi(k))
            }
            Finding::AtLeast(k) => format!(
                "{k} clusters stand out most from {reference} (RCSI {:.2}, p {p}); that is the largest number tried, and more \
                 may be better",
                self.rcsi(k)
            ),
        }
    }

    fn rcsi(&self, clusters: usize) -> f64 {
        let of = self.stability.counts.iter().find(|count| count.clusters == clusters);
        of.map_or(0.0, |count| count.rcsi)
    }

    /// What was drawn, in a sentence without its full stop.
    pub(super) fn drawn(&self) -> String {
        let &Stability { objects, looked_at, draws, references, .. } = self.stability;
        let of = match looked_at < objects {
            true => format!("{looked_at} of {objects} objects, drawn at random"),
            false => text::counted(objects, "object"),
        };
        match self.material {
            Material::Features => {
                format!(
                    "{of}; {draws} samples of them at each k, by {}; {references} references without clusters",
                    self.by
                )
            }
            Material::Labels => format!(
                "{of}; {draws} draws of base clusterings and of 80 % of the objects, combined by {}; {references} references \
                 whose labels are permuted",
                self.by
            ),
        }
    }

    /// One row per number of clusters.
    pub(super) fn table(&self) -> ([&'static str; 7], Vec<Vec<String>>) {
        let rows = self.stability.counts.iter().map(|count| {
            vec![
                count.clusters.to_string(),
                format!("{:.3}", count.cdf.area),
                fixed(count.delta, 3),
                format!("{:.3}", count.cdf.pac),
                format!("{:.3}", count.reference_pac),
                fixed(count.rcsi, 2),
                p_text(count.p).trim_start_matches("= ").to_owned(),
            ]
        });
        (["k", "area", "Δ(k)", "PAC", "reference PAC", "RCSI", "p"], rows.collect())
    }
}

/// So many digits after the point, and no negative zero.
fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(size) if size.chars().all(|letter| matches!(letter, '0' | '.')) => size.to_owned(),
        _ => text,
    }
}

/// "= 0.04", "< 0.001".
fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

fn of_count(count: &KStability) -> KCountJson<'_> {
    KCountJson {
        k: count.clusters,
        area: count.cdf.area,
        delta: count.delta,
        pac: count.cdf.pac,
        reference_pac: count.reference_pac,
        rcsi: count.rcsi,
        p: count.p,
        cdf: &count.cdf.shares,
    }
}
