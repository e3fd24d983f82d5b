//! `formula = "eci = exp(-h / (theta * m))"` of a claim: one printed column as a function of others, or on one side of it.

use std::collections::BTreeMap;

/// What a column must be: a name, and what it is computed by.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Formula {
    /// As it is written.
    pub(crate) text: String,
    /// The column on the left.
    pub(crate) of: String,
    /// What it must be to the right side.
    pub(crate) side: FormulaSide,
    by: Expression,
}

/// Where the column lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormulaSide {
    /// At what the formula gives.
    Equal,
    /// There or below.
    AtMost,
    /// There or above.
    AtLeast,
}

/// A number that is computed from others.
#[derive(Debug, Clone, PartialEq)]
enum Expression {
    Number(f64),
    Name(String),
    Function(FormulaFunction, Box<Expression>),
    Both(FormulaOperator, Box<Expression>, Box<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FormulaFunction {
    Minus,
    Exp,
    Ln,
    Log2,
    Sqrt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FormulaOperator {
    Plus,
    Minus,
    Times,
    Over,
    Power,
}

const FUNCTIONS: [(&str, FormulaFunction); 4] = [
    ("exp", FormulaFunction::Exp),
    ("ln", FormulaFunction::Ln),
    ("log2", FormulaFunction::Log2),
    ("sqrt", FormulaFunction::Sqrt),
];

/// A formula is no longer than this, so that none is too deep.
const LONGEST: usize = 500;

impl Formula {
    /// What a formula may be, for messages.
    pub(crate) const EXPECTATION: &'static str =
        "NAME = (or <=, >=) a formula of column names, numbers, + - * / ^ ( ), exp, ln, log2 and sqrt";

    /// Reads "name = expression", "name <= expression" or "name >= expression".
    ///
    /// # Errors
    /// In words: where it goes wrong.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("the formula is longer than {LONGEST} characters"));
        }
        let (of, by) = text.split_once('=').ok_or("there is no = in the formula")?;
        let (of, side) = match (of.strip_suffix('<'), of.strip_suffix('>')) {
            (Some(of), _) => (of, FormulaSide::AtMost),
            (_, Some(of)) => (of, FormulaSide::AtLeast),
            _ => (of, FormulaSide::Equal),
        };
        let of = of.trim();
        if of.is_empty() || !of.chars().all(is_of_name) {
            return Err(format!("`{of}` is no name of a column"));
        }
        let mut reader = ExpressionReader { rest: by };
        let by = reader.sum()?;
        match reader.next() {
            None => Ok(Self { text: text.trim().to_owned(), of: of.to_owned(), side, by }),
            Some(sign) => Err(format!("`{sign}` is not expected there")),
        }
    }

    /// The names on the right, each once.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.by.gather(&mut names);
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Where the value lies, with every name anywhere in its interval; `None` where it may be anything, or is none.
    pub(crate) fn ends(&self, intervals: &BTreeMap<&str, [f64; 2]>) -> Option<[f64; 2]> {
        self.by.ends(intervals)
    }
}

impl Expression {
    fn gather<'a>(&'a self, names: &mut Vec<&'a str>) {
        match self {
            Self::Number(_) => {}
            Self::Name(name) => names.push(name),
            Self::Function(_, of) => of.gather(names),
            Self::Both(_, one, other) => {
                one.gather(names);
                other.gather(names);
            }
        }
    }

    /// By interval arithmetic: never too narrow, and wider than need be where a name stands twice.
    fn ends(&self, intervals: &BTreeMap<&str, [f64; 2]>) -> Option<[f64; 2]> {
        let found = match self {
            Self::Number(number) => [*number; 2],
            Self::Name(name) => *intervals.get(name.as_str())?,
            Self::Function(function, of) => function.ends(of.ends(intervals)?)?,
            Self::Both(operator, one, other) => operator.ends(one.ends(intervals)?, other.ends(intervals)?)?,
        };
        found.iter().all(|end| end.is_finite()).then_some(found)
    }
}

impl FormulaFunction {
    fn ends(self, [low, high]: [f64; 2]) -> Option<[f64; 2]> {
        match self {
            Self::Minus => Some([-high, -low]),
            Self::Exp => Some([low.exp(), high.exp()]),
            Self::Ln => (low > 0.0).then(|| [low.ln(), high.ln()]),
            Self::Log2 => (low > 0.0).then(|| [low.log2(), high.log2()]),
            Self::Sqrt => (low >= 0.0).then(|| [low.sqrt(), high.sqrt()]),
        }
    }
}

impl FormulaOperator {
    fn ends(self, [low, high]: [f64; 2], [from, to]: [f64; 2]) -> Option<[f64; 2]> {
        let all = |values: [f64; 4]| {
            [values.into_iter().fold(f64::INFINITY, f64::min), values.into_iter().fold(f64::NEG_INFINITY, f64::max)]
        };
        match self {
            Self::Plus => Some([low + from, high + to]),
            Self::Minus => Some([low - to, high - from]),
            Self::Times => Some(all([low * from, low * to, high * from, high * to])),
            Self::Over if from > 0.0 || to < 0.0 => Some(all([low / from, low / to, high / from, high / to])),
            Self::Over => None,
            Self::Power if low > 0.0 => Some(all([low.powf(from), low.powf(to), high.powf(from), high.powf(to)])),
            Self::Power if from == to && from.fract() == 0.0 && from >= 0.0 => {
                let ends = [low.powf(from), high.powf(from)];
                let within = if low <= 0.0 && high >= 0.0 && from % 2.0 == 0.0 { 0.0 } else { ends[0] };
                Some(all([ends[0], ends[1], within, within]))
            }
            Self::Power => None,
        }
    }
}

fn is_of_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

/// Reads an expression from left to right.
struct ExpressionReader<'a> {
    rest: &'a str,
}

impl<'a> ExpressionReader<'a> {
    /// The next sign that is no space.
    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let sign = self.next().filter(|sign| wanted.contains(sign))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut sum = self.product()?;
        while let Some(sign) = self.take(&['+', '-']) {
            let operator = if sign == '+' { FormulaOperator::Plus } else { FormulaOperator::Minus };
            sum = Expression::Both(operator, Box::new(sum), Box::new(self.product()?));
        }
        Ok(sum)
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut product = self.power()?;
        while let Some(sign) = self.take(&['*', '/']) {
            let operator = if sign == '*' { FormulaOperator::Times } else { FormulaOperator::Over };
            product = Expression::Both(operator, Box::new(product), Box::new(self.power()?));
        }
        Ok(product)
    }

    /// −a ^ b is −(a ^ b), as on paper.
    fn power(&mut self) -> Result<Expression, String> {
        if self.take(&['-']).is_some() {
            return Ok(Expression::Function(FormulaFunction::Minus, Box::new(self.power()?)));
        }
        let base = self.single()?;
        match self.take(&['^']) {
            Some(_) => Ok(Expression::Both(FormulaOperator::Power, Box::new(base), Box::new(self.power()?))),
            None => Ok(base),
        }
    }

    fn single(&mut self) -> Result<Expression, String> {
        if self.take(&['(']).is_some() {
            return self.closed();
        }
        let found = self.next().ok_or("the formula ends too early")?;
        if !is_of_name(found) && found != '.' {
            return Err(format!("`{found}` is not expected there"));
        }
        let word = self.word();
        if word.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
            let number = word.parse().map_err(|_| format!("`{word}` is no number"))?;
            return Ok(Expression::Number(number));
        }
        if self.take(&['(']).is_none() {
            return Ok(Expression::Name(word.to_owned()));
        }
        let known = FUNCTIONS.iter().find(|(name, _)| *name == word).map(|(_, function)| *function);
        let function = known.ok_or_else(|| format!("no function is named `{word}`"))?;
        Ok(Expression::Function(function, Box::new(self.closed()?)))
    }

    fn word(&mut self) -> &'a str {
        let end = self.rest.find(|sign: char| !is_of_name(sign) && sign != '.').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// What is left of an expression in brackets.
    fn closed(&mut self) -> Result<Expression, String> {
        let inner = self.sum()?;
        self.take(&[')']).map(|_| inner).ok_or_else(|| "a bracket is not closed".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<f64> {
        let formula = Formula::parse(&format!("y = {text}")).unwrap_or_else(|error| panic!("{text}: {error}"));
        let [low, high] = formula.ends(&BTreeMap::from([("a", [2.0; 2]), ("b_1", [5.0; 2])]))?;
        assert_eq!(low, high, "{text}");
        Some(low)
    }

    #[test]
    fn intervals_hold_every_value() {
        let ends = |text: &str, interval: [f64; 2]| {
            Formula::parse(&format!("y = {text}")).unwrap().ends(&BTreeMap::from([("a", interval)]))
        };
        assert_eq!(ends("1 / a", [-0.05, 0.05]), None);
        assert_eq!(ends("1 / a", [0.5, 2.0]), Some([0.5, 2.0]));
        assert_eq!(ends("ln(a)", [0.0, 0.05]), None);
        assert_eq!(ends("sqrt(a)", [-0.05, 0.05]), None);
        assert_eq!(ends("a ^ 2", [-1.0, 3.0]), Some([0.0, 9.0]));
        assert_eq!(ends("a ^ 3", [-1.0, 3.0]), Some([-1.0, 27.0]));
        assert_eq!(ends("a ^ 0.5", [-1.0, 3.0]), None);
        assert_eq!(ends("exp(1000 * a)", [1.0, 2.0]), None);
        // Its largest value is in the middle.
        let [low, high] = ends("a * (2.6 - a)", [0.5, 1.5]).unwrap();
        for step in 0..=100 {
            let a = 0.5 + f64::from(step) / 100.0;
            assert!((low..=high).contains(&(a * (2.6 - a))));
        }
    }

    #[test]
    fn formulas_are_read_as_on_paper() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("10 - 4 - 3", 3.0),
            ("12 / 3 / 2", 2.0),
            ("-a ^ 2", -4.0),
            ("2 ^ 3 ^ a", 512.0),
            ("2 ^ -1", 0.5),
            ("exp(-b_1 / (a * 2.5))", (-1.0_f64).exp()),
            ("log2(8) + sqrt(9) - ln(1)", 6.0),
            (".5*a", 1.0),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
        assert_eq!(value("1 / (a - 2)"), None);
        assert_eq!(value("unknown"), None);
        let formula = Formula::parse("eci = exp(-h / (theta * m)) + h").unwrap();
        assert_eq!((formula.of.as_str(), formula.names()), ("eci", vec!["h", "m", "theta"]));
    }

    #[test]
    fn what_is_no_formula_says_where_it_ends() {
        for (text, words) in [
            ("1 + 2", "no ="),
            ("= 1", "no name of a column"),
            ("y = 1 +", "ends too early"),
            ("y = (1 + 2", "not closed"),
            ("y = 1 2", "`2` is not expected"),
            ("y = 1..2", "no number"),
            ("y = sin(1)", "no function is named `sin`"),
            ("y = a $ b", "`$` is not expected"),
            ("y = *", "`*` is not expected"),
        ] {
            assert!(Formula::parse(text).unwrap_err().contains(words), "{text}: {:?}", Formula::parse(text));
        }
        assert!(Formula::parse(&format!("y = {}1", "(".repeat(600))).unwrap_err().contains("longer than 500"));
    }
}
