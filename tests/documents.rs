//! The documents are true: every key, method, metric and module is described, every example passes, every link leads somewhere.

#[path = "documents/markdown.rs"]
mod markdown;
#[path = "documents/methods.rs"]
mod methods;
#[path = "documents/project.rs"]
mod project;
#[path = "documents/spec_keys.rs"]
mod spec_keys;
