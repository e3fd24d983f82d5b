//! Word to stem, by the original algorithm: M. F. Porter, *An algorithm for suffix stripping*, Program 14(3), 1980.
//!
//! The code is Snowball's own, compiled to Rust. "English" stemmers of other libraries are Porter's later algorithm
//! (Porter2), which stems otherwise: "news", "skies", "generously".

use frostem::Algorithm;

/// Reduces words to stems.
pub(super) struct Stemmer(frostem::Stemmer);

impl Stemmer {
    /// Porter's stemmer of 1980.
    pub(super) fn porter() -> Self {
        Self(frostem::Stemmer::new(Algorithm::Porter))
    }

    /// The stem of a lower-case word.
    pub(super) fn stem(&self, word: &str) -> String {
        self.0.stem(word).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_stems(pairs: &[(&str, &str)]) {
        let stemmer = Stemmer::porter();
        for (word, stem) in pairs {
            assert_eq!(stemmer.stem(word), *stem, "{word}");
        }
    }

    #[test]
    fn the_examples_of_step_1_of_the_paper_stem_as_printed() {
        assert_stems(&[
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("ties", "ti"),
            ("caress", "caress"),
            ("cats", "cat"),
            ("feed", "feed"),
            ("plastered", "plaster"),
            ("bled", "bled"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("sized", "size"),
            ("hopping", "hop"),
            ("tanned", "tan"),
            ("falling", "fall"),
            ("hissing", "hiss"),
            ("fizzed", "fizz"),
            ("failing", "fail"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
        ]);
    }

    /// The paper prints what one step does; the later steps shorten some of these further.
    #[test]
    fn the_examples_of_steps_2_to_5_of_the_paper_stem_to_what_all_steps_make_of_them() {
        assert_stems(&[
            ("relational", "relat"),
            ("conditional", "condit"),
            ("rational", "ration"),
            ("digitizer", "digit"),
            ("operator", "oper"),
            ("feudalism", "feudal"),
            ("decisiveness", "decis"),
            ("hopefulness", "hope"),
            ("callousness", "callous"),
            ("triplicate", "triplic"),
            ("formative", "form"),
            ("electrical", "electr"),
            ("goodness", "good"),
            ("revival", "reviv"),
            ("allowance", "allow"),
            ("inference", "infer"),
            ("airliner", "airlin"),
            ("adjustable", "adjust"),
            ("defensible", "defens"),
            ("irritant", "irrit"),
            ("replacement", "replac"),
            ("adjustment", "adjust"),
            ("dependent", "depend"),
            ("adoption", "adopt"),
            ("communism", "commun"),
            ("activate", "activ"),
            ("effective", "effect"),
            ("bowdlerize", "bowdler"),
            ("probate", "probat"),
            ("rate", "rate"),
            ("cease", "ceas"),
            ("controll", "control"),
            ("roll", "roll"),
            ("generalizations", "gener"),
            ("oscillators", "oscil"),
        ]);
    }

    #[test]
    fn the_family_of_connect_has_one_stem() {
        assert_stems(
            &["connect", "connected", "connecting", "connection", "connections"].map(|word| (word, "connect")),
        );
    }

    #[test]
    fn the_algorithm_is_that_of_1980_and_not_porter_2() {
        assert_stems(&[("news", "new"), ("skies", "ski"), ("dying", "dy"), ("generously", "gener")]);
    }
}
