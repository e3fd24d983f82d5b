//! Two mistakes that have nothing to do with each other are both reported, whichever they are.

use super::*;

const GOOD: &str = r#"
name = "test"
seed = 1
datasets = ["iris", { name = "wine", standardize = true }]
metrics = ["accuracy", "ari", "nmi-sqrt"]
repeats = 2
missing = 0.1
deadline = 60

[ensemble]
label = "own"
generator = "kmeans"
k = "classes"
size = 3
count = 4

[sweep]
holdout = [0.1, 0.2]

[[method]]
name = "mm"
restarts = 2

[[method]]
name = "kcc"
label = "two"

[[method]]
name = "cat"
command = ["cat"]
version = "1"

[[table]]
id = "t"
metric = "accuracy"
rows = ["dataset", "holdout"]
digits = 3

[[figure]]
id = "f"
kind = "line"
metric = "ari"
x = "holdout"
panel = "dataset"

[[test]]
id = "s"
metric = "ari"
first = "mm"
second = "two"

[[picture]]
id = "p"
kind = "co-association"
order = "truth"
panel = "dataset"
where = { holdout = 0.1 }

[[ranking]]
id = "r"
metric = "ari"
level = 0.01
where = { holdout = 0.2 }

[[listing]]
id = "l"
of = "datasets"

[[claim]]
id = "c"
source = "§1"
says = "MM is better."
check = "order"
metric = "accuracy"
of = ["mm", "two"]
relation = ">"
where = { holdout = 0.1 }

[[claim]]
id = "u"
source = "§2"
says = "Nobody knows."
check = "undecided"
reason = "it is vague"

[[fork]]
id = "start"
sets = "method.mm.restarts"
options = [2, 5]

[printed]
runs = 10

[scale.quick]
repeats = 1
"#;

/// What stands in the spec, what is put there, and words of the error that follows.
const MISTAKES: [(&str, &str, &str); 47] = [
    ("name = \"test\"", "name = \"te/st\"", "te/st"),
    ("seed = 1", "seed = \"1\"", "`seed` is the text"),
    ("seed = 1\n", "seed = 1\nsed = 2\n", "no key `sed`"),
    ("\"iris\"", "\"irsi\"", "no dataset is named \"irsi\""),
    ("standardize = true", "standardize = 1", "`standardize` is"),
    ("\"nmi-sqrt\"]", "\"nmi-sqr\"]", "no metric is named \"nmi-sqr\""),
    ("repeats = 2\nmissing", "repeats = 0\nmissing", "`repeats` is the number 0"),
    ("missing = 0.1", "missing = 1.1", "`missing` is the number 1.1"),
    ("deadline = 60", "deadline = 0", "`deadline` is the number 0"),
    ("generator = \"kmeans\"", "generator = \"kmean\"", "no generator is named \"kmean\""),
    ("k = \"classes\"", "k = \"class\"", "`k` is the text \"class\""),
    ("k = \"classes\"\n", "k = \"classes\"\nkk = 3\n", "no key `kk`"),
    ("[sweep]\n", "[sweep]\nensemble.sise = [3, 4]\n", "nothing in this spec is called `ensemble.sise`"),
    ("[sweep]\n", "[sweep]\nmethod.restarst = [3, 4]\n", "nothing in this spec is called `method.restarst`"),
    ("size = 3", "size = 0", "`size` is the number 0"),
    ("count = 4", "count = \"4\"", "`count` is the text"),
    ("count = 4", "count = 4\npool = 5", "pool"),
    ("holdout = [0.1, 0.2]", "holdout = [0.1, 0.2, 0.2]", "listed twice"),
    ("name = \"mm\"", "name = \"mn\"", "no method is named \"mn\""),
    ("restarts = 2", "restarts = 0", "`restarts` is the number 0"),
    ("restarts = 2\n", "restarts = 2\nrestarst = 3\n", "no key `restarst`"),
    ("label = \"two\"", "label = \"two\"\nk = 160", "asks for 160 clusters"),
    ("label = \"two\"", "label = \"two\"\ndeadline = -1", "`deadline` is the number -1"),
    ("command = [\"cat\"]", "command = [\"no-such-cat\"]", "no program `no-such-cat`"),
    ("version = \"1\"\n", "", "has no `version`"),
    ("version = \"1\"\n", "version = \"1\"\nlabel = \"two\"\n", "labelled \"two\""),
    (
        "rows = [\"dataset\", \"holdout\"]",
        "rows = [\"dataset\", \"holdut\", \"holdout\"]",
        "no dimension is named \"holdut\"",
    ),
    ("digits = 3", "digits = 99", "`digits` is the number 99"),
    ("id = \"t\"\n", "id = \"t\"\ntitel = \"x\"\n", "no key `titel`"),
    ("id = \"t\"\n", "id = \"t/t\"\n", "becomes a file name"),
    ("metric = \"accuracy\"\nrows", "metric = \"acuracy\"\nrows", "no metric is named \"acuracy\""),
    ("x = \"holdout\"\npanel = \"dataset\"", "x = \"holdout\"\npanel = \"datset\"", "no dimension is named \"datset\""),
    ("kind = \"line\"", "kind = \"lines\"", "`kind` cannot be \"lines\""),
    ("metric = \"ari\"\nx =", "metric = \"arri\"\nx =", "no metric is named \"arri\""),
    ("second = \"two\"", "second = \"tow\"", "\"tow\""),
    ("second = \"two\"\n", "", "has no `second`"),
    ("order = \"truth\"", "order = \"true\"", "`order` cannot be \"true\""),
    ("level = 0.01", "level = 2", "`level` is the number 2"),
    ("of = \"datasets\"", "of = \"data\"", "`of` cannot be \"data\""),
    ("says = \"MM is better.\"\n", "", "has no `says`"),
    ("check = \"order\"", "check = \"ordre\"", "`check` cannot be \"ordre\""),
    ("relation = \">\"", "relation = \"≫\"", "`relation` cannot be"),
    ("source = \"§1\"\n", "source = \"§1\"\nnonsense = 4\n", "no key `nonsense`"),
    ("reason = \"it is vague\"", "reason = 3", "`reason` is the number 3"),
    ("options = [2, 5]", "options = [2]", "a fork with 1 options"),
    ("runs = 10", "runs = 0", "`runs` has the number 0"),
    ("[scale.quick]\nrepeats = 1", "[scale.quick]\nrepeats = -1", "`repeats` is the number -1"),
];

/// What depends on what: parameters on what has them, keys on the check that asks for them.
const DEPENDENT: [(&str, &str); 5] = [
    ("\"kmean\"", "\"class\""),
    ("\"mn\"", "restarts = 0"),
    ("\"ordre\"", "\"≫\""),
    ("\"irsi\"", "k = 160"),
    ("size = 0", "pool = 5"),
];

/// What is wrong with the spec once these mistakes are made in it.
fn problems(mistakes: &[&(&str, &str, &str)]) -> String {
    let mut text = GOOD.to_owned();
    for (good, bad, _) in mistakes {
        assert_eq!(text.matches(good).count(), 1, "{good} is not there once");
        text = text.replacen(good, bad, 1);
    }
    let spec = Spec::parse(Path::new("experiments/test.toml"), text).expect("it is TOML");
    spec.check(PAPER_SCALE, &Catalog::locate(None)).map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn each_mistake_is_one_error() {
    assert_eq!(problems(&[]), "");
    for mistake in &MISTAKES {
        let said = problems(&[mistake]);
        assert!(said.contains(mistake.2) && said.contains("\n1 error in"), "{mistake:?}:\n{said}");
    }
}

#[test]
fn any_two_mistakes_are_two_errors() {
    let mut hidden = Vec::new();
    for (position, one) in MISTAKES.iter().enumerate() {
        // Two mistakes in one place are one.
        for other in MISTAKES[position + 1..].iter().filter(|other| other.0.lines().all(|line| !one.0.contains(line))) {
            if DEPENDENT.iter().any(|(name, key)| one.1.contains(name) && other.1.contains(key)) {
                continue;
            }
            let said = problems(&[one, other]);
            if !(said.contains(one.2) && said.contains(other.2) && said.contains("\n2 errors in")) {
                hidden.push(format!("{} and {}:\n{said}", one.1.trim(), other.1.trim()));
            }
        }
    }
    assert!(hidden.is_empty(), "{} pairs are not two errors:\n{}", hidden.len(), hidden.join("\n\n"));
}
