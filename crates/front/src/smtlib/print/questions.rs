//! Several questions as one script.
//!
//! What all questions have in common at their beginning, declarations and clauses, is written once;
//! the rest of each question stands between `push` and `pop`, before its `check-sat`. Comparing is
//! done on the text, so that questions need not share a store.
//!
//! Invariant: reading the script gives the questions in order, each with its clauses in order.

use super::{Declarations, clause_terms, distinct_names, functions, write_clause};
use crate::smtlib::Request;
use alphorn_problem::horn::Horn;
use alphorn_term::TermId;
use std::fmt::Write;

/// The text of a system, in parts.
struct Parts {
    declarations: String,
    clauses: Vec<String>,
}

impl Parts {
    fn of(horn: &Horn) -> Parts {
        let read = horn.as_read();
        let renamed = distinct_names(&read);
        let horn = renamed.as_ref().unwrap_or(&read);
        let terms: Vec<TermId> = horn.clauses.iter().flat_map(clause_terms).collect();
        let declared = functions(horn);
        let mut declarations = String::new();
        Declarations::of(&horn.terms, &terms, &declared).write(&horn.terms, &mut declarations);
        // Atoms of heads need not be terms of the system's store.
        let mut store = horn.terms.clone();
        let mut clauses = Vec::with_capacity(horn.clauses.len());
        for clause in &horn.clauses {
            let mut text = String::new();
            write_clause(&mut store, horn, clause, &declared, &mut text);
            clauses.push(text);
        }
        Parts { declarations, clauses }
    }
}

/// What one question adds to what all have in common.
struct Question<'a> {
    declarations: &'a str,
    clauses: &'a [String],
}

/// A script in the making.
struct Script<'a> {
    declarations: &'a str,
    /// The clauses that are in force in all questions.
    shared: &'a [String],
    questions: Vec<Question<'a>>,
    /// What is asked besides, each with the number of questions before it.
    requests: &'a [(usize, Request)],
    /// Whether systems are to be safe for every interpretation of their declared sorts.
    every_sort: bool,
}

/// A Horn system as a script.
pub fn print_horn(horn: &Horn) -> String {
    print_questions(&[horn], &[])
}

/// Horn systems as a script with a question about each; `requests` are what is asked besides, each
/// with the number of questions before it.
pub fn print_questions(systems: &[&Horn], requests: &[(usize, Request)]) -> String {
    let parts: Vec<Parts> = systems.iter().map(|horn| Parts::of(horn)).collect();
    let nothing = Parts { declarations: String::new(), clauses: Vec::new() };
    let first = parts.first().unwrap_or(&nothing);
    let is_common = parts.iter().all(|part| part.declarations == first.declarations);
    let common = |part: &Parts| {
        let pairs = part.clauses.iter().zip(&first.clauses);
        pairs.take_while(|(one, other)| one == other).count()
    };
    let common = if is_common { parts.iter().map(common).min().unwrap_or(0) } else { 0 };
    let script = Script {
        declarations: if is_common { &first.declarations } else { "" },
        shared: &first.clauses[..common],
        questions: (parts.iter())
            .map(|part| Question {
                declarations: if is_common { "" } else { &part.declarations },
                clauses: &part.clauses[common..],
            })
            .collect(),
        requests,
        every_sort: systems.iter().any(|horn| horn.every_sort),
    };
    script.text()
}

/// A Horn system as a script with a question for each clause from `shared` on; the clauses before
/// it are in force in all of them.
pub fn print_queries(horn: &Horn, shared: usize) -> String {
    let Parts { declarations, clauses } = Parts::of(horn);
    let (before, queries) = clauses.split_at(shared.min(clauses.len()));
    let question = |query| Question { declarations: "", clauses: std::slice::from_ref(query) };
    let questions = queries.iter().map(question).collect();
    let (declarations, every_sort) = (&declarations, horn.every_sort);
    Script { declarations, shared: before, questions, requests: &[], every_sort }.text()
}

impl Script<'_> {
    fn text(&self) -> String {
        let mut out = String::new();
        if self.every_sort {
            out.push_str("(set-option :functions every)\n");
        }
        out.push_str("(set-logic HORN)\n\n");
        out.push_str(self.declarations);
        self.shared.iter().for_each(|clause| out.push_str(clause));
        self.write_requests(0, &mut out);
        for (index, question) in self.questions.iter().enumerate() {
            let is_alone = self.questions.len() == 1;
            out.push_str(if is_alone { "" } else { "\n(push 1)\n" });
            out.push_str(question.declarations);
            question.clauses.iter().for_each(|clause| out.push_str(clause));
            out.push_str("\n(check-sat)\n");
            self.write_requests(index + 1, &mut out);
            out.push_str(if is_alone { "" } else { "(pop 1)\n" });
        }
        out
    }

    /// Writes what is asked after `asked` questions.
    fn write_requests(&self, asked: usize, out: &mut String) {
        for (_, request) in self.requests.iter().filter(|(count, _)| *count == asked) {
            let _ = match request {
                Request::Model => writeln!(out, "(get-model)"),
                Request::Proof => writeln!(out, "(get-proof)"),
                Request::Info(keyword) => writeln!(out, "(get-info {keyword})"),
                Request::Echo(text) => writeln!(out, "(echo \"{}\")", text.replace('"', "\"\"")),
                // Nobody answers it, and its arguments were not read.
                Request::Unsupported(_) => Ok(()),
            };
        }
    }
}
