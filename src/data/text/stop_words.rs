//! English words that carry grammar and no topic.
//!
//! Articles, pronouns, prepositions, conjunctions, auxiliaries, the colourless verbs and adverbs. Words shorter than
//! three letters are not listed: the tokeniser drops them.

/// Whether a lower-case word is a function word.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[rustfmt::skip]
const STOP_WORDS: [&str; 290] = [
    "about", "above", "according", "accordingly", "across", "actually", "after", "afterwards", "again", "against",
    "ago", "ahead", "albeit", "all", "almost", "alone", "along", "already", "also", "although", "altogether",
    "always", "among", "amongst", "and", "another", "any", "anybody", "anyhow", "anyone", "anything", "anyway",
    "anywhere", "apart", "are", "around", "aside", "away", "because", "been", "before", "beforehand", "behind",
    "being", "below", "beneath", "beside", "besides", "between", "beyond", "both", "but", "can", "cannot",
    "certainly", "come", "comes", "could", "did", "does", "doing", "done", "down", "during", "each", "either", "else",
    "elsewhere", "enough", "especially", "etc", "even", "ever", "every", "everybody", "everyone", "everything",
    "everywhere", "except", "few", "for", "from", "further", "furthermore", "gave", "get", "gets", "getting", "give",
    "given", "gives", "goes", "going", "gone", "got", "gotten", "had", "hardly", "has", "have", "having", "hence",
    "her", "here", "hereby", "herein", "hers", "herself", "him", "himself", "his", "how", "however", "indeed",
    "instead", "into", "its", "itself", "just", "keep", "keeps", "kept", "later", "latter", "least", "less", "lest",
    "let", "lets", "like", "likely", "little", "made", "mainly", "make", "makes", "many", "may", "maybe", "meanwhile",
    "merely", "might", "mine", "more", "moreover", "most", "mostly", "much", "must", "myself", "namely", "near",
    "nearly", "neither", "never", "nevertheless", "next", "nobody", "none", "nonetheless", "nor", "not", "nothing",
    "now", "nowhere", "off", "often", "once", "one", "ones", "only", "onto", "other", "others", "otherwise", "ought",
    "our", "ours", "ourselves", "out", "over", "per", "perhaps", "possibly", "probably", "put", "quite", "rather",
    "really", "said", "same", "say", "says", "see", "seem", "seemed", "seeming", "seems", "seen", "several", "shall",
    "she", "should", "since", "some", "somebody", "somehow", "someone", "something", "sometimes", "somewhat",
    "somewhere", "soon", "still", "such", "sure", "take", "taken", "than", "that", "the", "their", "theirs", "them",
    "themselves", "then", "thence", "there", "thereafter", "thereby", "therefore", "therein", "these", "they", "this",
    "those", "though", "through", "throughout", "thus", "till", "together", "too", "took", "toward", "towards",
    "under", "unless", "until", "unto", "upon", "usually", "various", "versus", "very", "via", "was", "well", "went",
    "were", "what", "whatever", "when", "whenever", "where", "whereas", "whereby", "wherein", "wherever", "whether",
    "which", "whichever", "while", "who", "whoever", "whom", "whose", "why", "will", "with", "within", "without",
    "would", "yes", "yet", "you", "your", "yours", "yourself", "yourselves",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_so_that_the_search_finds_each() {
        assert!(STOP_WORDS.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn the_tokeniser_can_make_every_stop_word() {
        for word in STOP_WORDS {
            assert_eq!(super::super::tokens::words(word), [word]);
        }
    }

    #[test]
    fn function_words_are_stop_words_and_topics_are_not() {
        assert!(["the", "and", "which", "would", "ourselves"].into_iter().all(is_stop_word));
        assert!(!["space", "god", "windows", "sale", "theory", "course"].into_iter().any(is_stop_word));
    }
}
