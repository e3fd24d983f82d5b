//! What came of claims.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::stored::ends;
use super::universes::Multiverse;
use crate::spec::RunsBehind;
use crate::spec::claims::{AUDIT, UndecidedBecause};

/// What came of one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Unique within its experiment.
    pub id: String,
    /// Where the paper says it: "§7.1", "Table 3".
    pub source: String,
    /// The claim, in our words.
    pub statement: String,
    /// What it is about.
    pub about: ClaimKind,
    /// Name of the check.
    pub check: Cow<'static, str>,
    /// What came of it.
    pub verdict: Verdict,
    /// What was found and why that is the verdict, in one or two sentences.
    pub finding: String,
    /// How often a repeat of the paper's experiment would say the same.
    pub repeat: Repeat,
    /// What the verdict rests on, one line for every place that was looked at.
    pub evidence: Vec<Evidence>,
    /// The id of the table, figure, test, ranking, listing or picture of the same page that shows it.
    pub shown_in: Option<String>,
    /// What it is about as one number, where it has one: what universes are sorted by.
    pub quantity: Option<ClaimQuantity>,
    /// What came of it in other universes; `None` where there are none, or nothing can differ.
    pub universes: Option<Multiverse>,
}

impl Judgement {
    /// What came of an audit of printed numbers; `None` of other claims, and of an audit that could not be made.
    #[must_use]
    pub(crate) fn audit(&self) -> Option<AuditOutcome> {
        match self.verdict {
            Verdict::NothingFound => Some(AuditOutcome::NothingFound),
            Verdict::Impossible if self.is_of_a_sentence() && self.check == AUDIT => Some(AuditOutcome::Impossible),
            _ => None,
        }
    }
}

/// What came of an audit that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AuditOutcome {
    /// Something cannot be.
    Impossible,
    /// Nothing that is printed speaks against it.
    NothingFound,
}

impl AuditOutcome {
    /// In words, as other programs read it.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Impossible => "impossible",
            Self::NothingFound => "nothing found",
        }
    }
}

/// What a claim is about, as one number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimQuantity {
    /// In words.
    pub name: String,
    /// The number.
    pub value: f64,
    /// 95 % interval of it.
    #[serde(with = "ends")]
    pub interval: Option<[f64; 2]>,
    /// What is claimed of it: from, to.
    #[serde(with = "ends")]
    pub claimed: Option<[f64; 2]>,
}

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClaimKind {
    /// A sentence of the paper.
    Sentence,
    /// The numbers of a table, figure or test; each is one place of the evidence.
    PrintedNumbers,
    /// What a table lists of datasets and methods: what goes in, not what comes out.
    Inputs,
}

/// How often a repeat of the paper's experiment would say what the paper says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Repeat {
    /// For each number of runs that the paper may have made, the likeliest first.
    Simulated(Vec<RepeatShare>),
    /// Nothing can be repeated; why.
    None(String),
}

/// Of simulated repeats of one size, those that say the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RepeatShare {
    /// The size of the repeats.
    pub behind: RunsBehind,
    /// Which share says the same.
    pub share: f64,
    /// How many were simulated.
    pub repeats: usize,
}

impl RepeatShare {
    /// Standard error of the share, from how many repeats were simulated: with one more of either kind, so that it is never 0.
    #[must_use]
    pub fn error(&self) -> f64 {
        let n = self.repeats as f64;
        let near = (self.share * n + 1.0) / (n + 2.0);
        (near * (1.0 - near) / n).sqrt()
    }
}

impl Repeat {
    /// For the likeliest number of runs.
    #[must_use]
    pub fn first(&self) -> Option<&RepeatShare> {
        match self {
            Self::Simulated(shares) => shares.first(),
            Self::None(_) => None,
        }
    }

    /// In a sentence: "A repeat with 20 runs would say so in 31 % of cases (± 2.1 %)."
    #[must_use]
    pub fn describe(&self) -> String {
        let Self::Simulated(shares) = self else { return String::new() };
        super::repeat_words::sentence(shares, cases)
    }
}

impl Repeat {
    /// "31 %", or from the least to the most where it depends on the paper's runs; nothing where nothing was simulated.
    #[must_use]
    pub fn short(&self) -> String {
        let Self::Simulated(shares) = self else { return String::new() };
        let short = |share: f64| match share {
            0.0 => "0 %".to_owned(),
            1.0 => "100 %".to_owned(),
            share if share < 0.01 => "< 1 %".to_owned(),
            share if share > 0.99 => "> 99 %".to_owned(),
            share => format!("{:.0} %", 100.0 * share),
        };
        let ends = shares.iter().map(|share| share.share);
        let [least, most] = [ends.clone().fold(f64::INFINITY, f64::min), ends.fold(0.0, f64::max)].map(short);
        match (shares.is_empty(), least == most) {
            (true, _) => String::new(),
            (false, true) => most,
            (false, false) => format!("{} to {most}", least.trim_end_matches(" %")),
        }
    }

    /// Why there is none.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Simulated(_) => None,
            Self::None(why) => Some(why),
        }
    }
}

/// "31 % of cases (± 2.1 %)": twice the error, so that it covers 95 % of simulations.
fn cases(share: &RepeatShare) -> String {
    let (value, error) = (100.0 * share.share, 200.0 * share.error());
    let digits = usize::from(!(2.0..=98.0).contains(&value));
    match share.share {
        0.0 => format!("none of {} cases", share.repeats),
        1.0 => format!("all of {} cases", share.repeats),
        _ => format!("{value:.digits$} % of cases (± {error:.1} %)"),
    }
}

impl Judgement {
    /// Whether it is about printed numbers and not about a sentence.
    #[must_use]
    pub fn is_of_printed_numbers(&self) -> bool {
        self.about == ClaimKind::PrintedNumbers
    }

    /// Whether it is about a sentence.
    #[must_use]
    pub fn is_of_a_sentence(&self) -> bool {
        self.about == ClaimKind::Sentence
    }
}

/// What came of a claim, or of one place of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Verdict {
    /// It holds here too.
    Reproduced,
    /// It does not hold here.
    NotReproduced,
    /// Chance could explain either.
    Inconclusive {
        /// How many ensembles would decide, where that can be estimated.
        needed: Option<u64>,
    },
    /// No program could find it: it contradicts its own definition, data or text.
    Impossible,
    /// Something is missing; the finding says what.
    NotRun(NotRun),
    /// An audit of what is printed was made and found nothing that cannot be. That is no verdict on the numbers, which may be wrong
    /// all the same.
    NothingFound,
}

impl Verdict {
    /// Why there is none.
    #[must_use]
    pub fn not_run(self) -> Option<NotRun> {
        match self {
            Self::NotRun(why) => Some(why),
            _ => None,
        }
    }
}

/// Why there is no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NotRun {
    /// The paper gives too little.
    NotTestable,
    /// It is what goes in, not what comes out.
    OurInput,
    /// The data is not there, or stands in for what is not.
    NoData,
    /// Only other scales have it.
    NotAtThisScale,
    /// It is planned and was not computed yet.
    NotYet,
}

impl NotRun {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Self; 5] = [Self::NotTestable, Self::OurInput, Self::NoData, Self::NotAtThisScale, Self::NotYet];

    /// In words, as on the scorecard.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotTestable => "not testable",
            Self::OurInput => "our input",
            Self::NoData => "no data",
            Self::NotAtThisScale => "not at this scale",
            Self::NotYet => "not yet computed",
        }
    }
}

impl From<UndecidedBecause> for NotRun {
    fn from(because: UndecidedBecause) -> Self {
        match because {
            UndecidedBecause::NotTestable => Self::NotTestable,
            UndecidedBecause::OurInput => Self::OurInput,
            UndecidedBecause::NoData => Self::NoData,
        }
    }
}

/// Why there is no number at a place, and what that makes of a claim there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lack {
    pub(crate) verdict: Verdict,
    pub(crate) words: String,
}

impl Lack {
    pub(crate) fn new(why: NotRun, words: impl Into<String>) -> Self {
        Self { verdict: Verdict::NotRun(why), words: words.into() }
    }

    /// It was run, and gave no number: that is neither for nor against the claim.
    pub(crate) fn of_failed_runs(words: String) -> Self {
        Self { verdict: Verdict::Inconclusive { needed: None }, words }
    }
}

/// Whatever else keeps a claim from being looked at lies in the claim.
impl From<String> for Lack {
    fn from(words: String) -> Self {
        Self::new(NotRun::NotTestable, words)
    }
}

impl Verdict {
    /// In words, as on the scorecard.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::NotReproduced => "not reproduced",
            Self::Inconclusive { .. } => "inconclusive",
            Self::Impossible => "impossible as published",
            Self::NotRun(_) => "not run",
            Self::NothingFound => "nothing found",
        }
    }

    /// One of the five words that other programs read. Of results an audit says nothing: nothing was run for it.
    #[must_use]
    pub fn contract_name(self) -> &'static str {
        match self {
            Self::NothingFound => Self::NotRun(NotRun::NotTestable).name(),
            other => other.name(),
        }
    }
}

/// One place a claim was looked at: a dataset, a point of a sweep, a printed number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Where: "iris, H = 20, v-bce".
    pub place: String,
    /// What came of it there.
    pub verdict: Verdict,
    /// What was measured, as it is shown.
    pub ours: Option<f64>,
    /// 95 % confidence interval of it; of a printed number, where 95 % of repeats land.
    #[serde(with = "ends")]
    pub interval: Option<[f64; 2]>,
    /// How many independent values it summarises.
    pub n: usize,
    /// What the paper printed, exactly as printed.
    pub printed: Option<String>,
    /// How it was decided: the test and its result, or the rule that makes the number impossible.
    pub reason: String,
    /// In which share of simulated repeats of the paper's experiment this place comes out as claimed.
    pub agrees: Option<f64>,
    /// What is known of a printed number besides.
    pub number: Option<NumberEvidence>,
}

impl Evidence {
    /// A place with nothing measured.
    #[must_use]
    pub fn at(place: String, verdict: Verdict, reason: String) -> Self {
        Self { place, verdict, reason, ours: None, interval: None, n: 0, printed: None, agrees: None, number: None }
    }
}

impl Evidence {
    /// The same for a printed number that stands there.
    pub(crate) fn standing_at(mut self, at: Vec<(String, String)>) -> Self {
        let judged = self.number.take().map_or_else(Vec::new, |number| number.judged);
        self.number = Some(NumberEvidence { at, judged });
        self
    }
}

/// Where a printed number stands, and what came of it for each number of runs that the paper may have made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NumberEvidence {
    /// Names and values of dimensions, and the statistic.
    pub at: Vec<(String, String)>,
    /// One for each number of runs; none where there is nothing to compare.
    pub judged: Vec<NumberJudgement>,
}

/// A printed number beside what a repeat of one size would print.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NumberJudgement {
    /// The size of the repeat.
    pub behind: RunsBehind,
    /// The prediction interval: where 95 % of such repeats land.
    #[serde(with = "ends")]
    pub interval: Option<[f64; 2]>,
    /// What came of it.
    pub verdict: Verdict,
}
