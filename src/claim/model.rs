//! What came of claims.

/// What came of one claim.
#[derive(Debug, Clone, PartialEq)]
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
    pub check: &'static str,
    /// What came of it.
    pub verdict: Verdict,
    /// What was found and why that is the verdict, in one or two sentences.
    pub finding: String,
    /// What the verdict rests on, one line for every place that was looked at.
    pub evidence: Vec<Evidence>,
    /// The id of the table, figure, test, ranking, listing or picture of the same page that shows it.
    pub shown_in: Option<String>,
}

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimKind {
    /// A sentence of the paper.
    Sentence,
    /// The numbers of a table, figure, listing or test; each is one place of the evidence.
    PrintedNumbers,
}

impl Judgement {
    /// Whether it is about printed numbers and not about a sentence.
    #[must_use]
    pub fn is_of_printed_numbers(&self) -> bool {
        self.about == ClaimKind::PrintedNumbers
    }
}

/// What came of a claim, or of one place of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    NotRun,
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
            Self::NotRun => "not run",
        }
    }
}

/// One place a claim was looked at: a dataset, a point of a sweep, a printed number.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Where: "iris, H = 20, v-bce".
    pub place: String,
    /// What came of it there.
    pub verdict: Verdict,
    /// What was measured, as it is shown.
    pub ours: Option<f64>,
    /// 95 % confidence interval of it.
    pub interval: Option<[f64; 2]>,
    /// How many independent values it summarises.
    pub n: usize,
    /// What the paper printed, exactly as printed.
    pub printed: Option<String>,
    /// How it was decided: the test and its result, or the rule that makes the number impossible.
    pub reason: String,
}
