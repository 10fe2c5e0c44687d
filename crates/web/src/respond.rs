//! What the page asks: a request of `driver::request` as one text, with the contents of files in it (`text`,
//! `evidence`), and a response of one object in each line.
//!
//! No thread is started, here or below, so that the module needs nothing of a browser that pages from a disk do
//! not have.

use alphorn_driver::Stopper;
use alphorn_driver::report::{json, printable};
use alphorn_driver::request::{self, Asking};
use serde_json::{Value, json};
use std::sync::Arc;

/// The memory that a module may take: it can address four times 2^30 bytes, and must be stopped before.
const MEMORY: u64 = 3 << 30;

/// Answers a request, a line at a time.
pub fn respond(request: &str, say: &mut dyn FnMut(&str)) {
    let mut line = |value: &Value| say(&printable::json(&value.to_string()));
    let mut request: Value = match serde_json::from_str(request) {
        Ok(request) => request,
        Err(error) => {
            line(&json::error("", &format!("the request is no JSON: {error}")));
            return line(&json!({ "kind": "end", "exit": 3 }));
        }
    };
    let bytes = |name: &str| request[name].as_str().unwrap_or_default().as_bytes().to_vec();
    let (problem, evidence) = (bytes("text"), bytes("evidence"));
    if let Some(fields) = request.as_object_mut() {
        fields.entry("memory").or_insert(MEMORY.into());
    }
    let (stopper, interrupt) = (Stopper::new(), Arc::default());
    let asking = Asking { request, problem, evidence, in_rounds: true, stopper, interrupt };
    request::respond(asking, &mut line);
}
