//! Reads a `[[method]]` that is a program: `command`, `version`, and what it may have and take.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use super::fields::Fields;
use super::tree::{Item, Node, TomlTable};
use crate::consensus::{self, Accepts, Clusters, Missing, Parties};
use crate::external::{Memory, Program, TaskStream};

/// Whether a `[[method]]` is a program.
pub(super) fn is_one(table: &TomlTable) -> bool {
    table.get("command").is_some()
}

/// Reads the keys that only programs have. Returns `None` after noting problems.
pub(super) fn read(fields: Fields, folder: &Path) -> Option<Program> {
    let folder = working_folder(folder);
    let problems = fields.problems();
    let before = problems.len();
    let name = fields.required("name", "a name for it in results", fields.text("name"));
    if let Some(name) = name.filter(|name| consensus::find(name).is_some()) {
        let item = fields.item("name").expect("its text was just read");
        fields.refuse(item, &format!("`{name}` is the name of a built-in method"), "another name, or no `command`");
    }
    let version = version(&fields);
    let command = command(&fields, folder);
    let params = params(&fields);
    let memory = memory(&fields);
    let is_streamed = fields.flag("stream") == Some(true);
    let missing = [("accepted", Missing::Accepted), ("refused", Missing::Refused)];
    let clusters = [("given", Clusters::Given), ("found", Clusters::Found)];
    let accepts = Accepts {
        missing: fields.choice("missing", &missing).unwrap_or(Missing::Accepted),
        clusters: fields.choice("clusters", &clusters).unwrap_or(Clusters::Given),
        parties: Parties::None,
    };
    fields.finish(&[]);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (command, memory) = (command?, memory.unwrap_or(Memory::DEFAULT));
    let program = Program {
        name: name?.to_owned(),
        version: version?,
        tasks: if is_streamed { TaskStream::several(&command, folder, memory) } else { TaskStream::ONE_EACH },
        command,
        folder: folder.to_owned(),
        params,
        accepts,
        memory,
    };
    (problems.len() == before).then_some(program)
}

/// Where programs of a spec in this folder run: there, or, where the spec is part of the program and its folder is not on disk, in
/// the current folder.
fn working_folder(folder: &Path) -> &Path {
    if folder.is_dir() { folder } else { Path::new("") }
}

/// How much memory a method may have.
pub(super) fn memory(fields: &Fields) -> Option<Memory> {
    let text = fields.text("memory")?;
    let memory = Memory::parse(text);
    if memory.is_none() {
        let item = fields.item("memory").expect("its text was just read");
        fields.refuse(item, &format!("`memory` is {}", item.node.describe()), Memory::EXPECTATION);
    }
    memory
}

/// Text or a whole number.
fn version(fields: &Fields) -> Option<String> {
    let expected = "text that you change when the program's answers change: its cells are then computed anew";
    match fields.item("version").map(|item| &item.node) {
        Some(Node::Integer(version)) => Some(version.to_string()),
        _ => fields.required("version", expected, fields.text("version")).map(str::to_owned),
    }
}

/// The program and its arguments, if they can be found.
fn command(fields: &Fields, folder: &Path) -> Option<Vec<String>> {
    let words = fields.texts("command")?;
    let (program, item) = *words.first()?;
    if let ([_], true) = (words.as_slice(), program.contains(char::is_whitespace)) {
        let spelled: Vec<String> = program.split_whitespace().map(|word| format!("\"{word}\"")).collect();
        fields.refuse(item, "`command` is one text", &format!("a list of words: [{}]", spelled.join(", ")));
    } else if program.contains('/') {
        refuse_unless_executable(fields, item, &folder.join(program));
    } else if !is_on_path(program) {
        let expected = if folder.join(program).is_file() {
            format!("\"./{program}\" for the file beside this spec")
        } else {
            "a program that is installed, or a path with a / in it".to_owned()
        };
        fields.refuse(item, &format!("no program `{program}` is on the PATH"), &expected);
    }
    for (word, item) in words.iter().skip(1).filter(|(word, _)| is_script(word)) {
        let path = folder.join(word);
        if !path.is_file() {
            fields.refuse(
                item,
                &format!("there is no file {}", path.display()),
                "a path relative to the spec's folder",
            );
        }
    }
    Some(words.into_iter().map(|(word, _)| word.to_owned()).collect())
}

fn refuse_unless_executable(fields: &Fields, item: &Item, path: &Path) {
    if !path.is_file() {
        fields.refuse(item, &format!("there is no file {}", path.display()), "a path relative to the spec's folder");
    } else if !is_executable(path) {
        let path = path.display();
        fields.refuse(item, &format!("{path} cannot be executed"), "`chmod +x` on it, or its interpreter before it");
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

fn is_on_path(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| is_executable(&folder.join(program)))
}

/// Whether an argument is a script's name, and a typing error in it had better be found before anything runs.
fn is_script(word: &str) -> bool {
    const ENDS: [&str; 12] = ["py", "R", "r", "jl", "sh", "awk", "pl", "rb", "js", "lua", "m", "jar"];
    let end = Path::new(word).extension().and_then(|end| end.to_str());
    !word.starts_with('-') && !word.contains(char::is_whitespace) && end.is_some_and(|end| ENDS.contains(&end))
}

/// The table that is handed through.
fn params(fields: &Fields) -> BTreeMap<String, Value> {
    let table = fields.table("params");
    let entries = table.map(|table| table.entries.as_slice()).unwrap_or_default();
    entries.iter().map(|entry| (entry.key.clone(), json(&entry.item.node))).collect()
}

fn json(node: &Node) -> Value {
    match node {
        Node::Text(text) => Value::from(text.as_str()),
        Node::Integer(value) => Value::from(*value),
        Node::Real(value) => Value::from(*value),
        Node::Flag(value) => Value::from(*value),
        Node::List(items) => items.iter().map(|item| json(&item.node)).collect(),
        Node::Table(table) => {
            // In the order of keys, so that the same parameters are spelled the same way.
            let sorted: BTreeMap<&String, Value> =
                table.entries.iter().map(|entry| (&entry.key, json(&entry.item.node))).collect();
            sorted.into_iter().map(|(key, value)| (key.clone(), value)).collect()
        }
    }
}
