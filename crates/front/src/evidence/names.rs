//! Names of variables in texts of evidence.
//!
//! In a store a variable is a name and a sort, and the name may be that of an operator, of a
//! function, of another variable, or one that SMT-LIB cannot write at all. In a text each would be
//! mistaken for something else. Such a variable is written by another name, and the text says which
//! one it stands for, in the form `NAME SORT "the name it has"`:
//!
//! ```text
//! (set-info :alphorn-variable (and!1 Int "and"))
//! ```
//!
//! Renaming for good would not do: proofs are about the variables of the problem.
//!
//! Invariant: in a text, different variables have different names, and none has the name of
//! something else; so the reader, which keeps names, finds the terms that were written.

use super::{Fallible, wrong};
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_term::print::quote;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Terms to be written, with the names they are written by.
pub struct Names {
    /// The terms, and others that differ from them in names only.
    pub store: Store,
    others: BTreeMap<TermId, TermId>,
    renamed: FxHashMap<TermId, TermId>,
}

impl Names {
    /// Names for the variables of `roots`, free and bound.
    pub fn of(store: &Store, roots: &[TermId]) -> Names {
        let context = Context::over(store.clone());
        let mut store = store.clone();
        let mut owner: FxHashMap<String, TermId> = FxHashMap::default();
        let mut others = BTreeMap::new();
        for term in store.subterms(roots) {
            let Some(name) = store.var_name(term).map(str::to_owned) else { continue };
            let taken = *owner.entry(name.clone()).or_insert(term) != term;
            if taken || context.is_declared(&name) || name.contains(['|', '\\']) {
                let stem = name.replace(['|', '\\'], "_");
                let other = unused(&store, &stem, &mut 0);
                others.insert(term, store.var(&other, store.sort(term)));
            }
        }
        Names { store, others, renamed: FxHashMap::default() }
    }

    /// Whether a variable is written by another name.
    pub fn is_renamed(&self, var: TermId) -> bool {
        self.others.contains_key(&var)
    }

    /// What the text must say before it can use these names and the variables in `free`, which
    /// nothing else in it declares; one entry per variable.
    pub fn declarations(&mut self, free: &[TermId]) -> Vec<String> {
        let mut list: Vec<String> = Vec::new();
        for &var in free {
            if !self.is_renamed(var) {
                list.push(self.show_variable(var));
            }
        }
        let declaration = |(&var, &other): (&TermId, &TermId)| {
            let name = self.store.var_name(var).unwrap_or_default().replace('"', "\"\"");
            let other = quote(self.store.var_name(other).unwrap_or_default());
            format!("{other} {} \"{name}\"", self.store.show_sort(self.store.sort(var)))
        };
        list.extend(self.others.iter().map(declaration));
        list
    }

    /// The term by the names of the text.
    pub fn written(&mut self, root: TermId) -> TermId {
        if self.others.is_empty() {
            return root;
        }
        for term in self.store.subterms(&[root]) {
            if self.renamed.contains_key(&term) {
                continue;
            }
            let args: Vec<TermId> =
                self.store.args(term).iter().map(|arg| self.renamed[arg]).collect();
            let result = match self.store.op(term) {
                Op::Var(_) => self.others.get(&term).copied().unwrap_or(term),
                _ if args == self.store.args(term) => term,
                _ => self.store.rebuild(term, &args),
            };
            self.renamed.insert(term, result);
        }
        self.renamed[&root]
    }

    /// A term as text.
    pub fn show(&mut self, term: TermId) -> String {
        let term = self.written(term);
        self.store.show(term)
    }

    /// A term as text for people.
    pub fn show_readable(&mut self, term: TermId) -> String {
        let term = self.written(term);
        self.store.show_readable(term)
    }

    /// A variable with its sort, as binders and declarations have it.
    pub fn show_variable(&mut self, var: TermId) -> String {
        let var = self.written(var);
        let name = quote(self.store.var_name(var).unwrap_or_default());
        format!("{name} {}", self.store.show_sort(self.store.sort(var)))
    }
}

/// A name that nothing in the store has; `count` is how many were asked for. Unlike the store's
/// fresh names these do not depend on how many it has given out.
pub fn unused(store: &Store, stem: &str, count: &mut usize) -> String {
    loop {
        *count += 1;
        let name = format!("{stem}!{count}");
        if store.find_symbol(&name).is_none() {
            return name;
        }
    }
}

/// Reads a variable and its sort, and lets the name stand for it. Where a name in quotes follows,
/// that is the name the variable has.
pub fn read_variable(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<TermId> {
    let token = cursor.symbol("the variable's name")?;
    let name = cursor.text_of(token);
    let sort = context.parse_sort(cursor)?;
    let var = match cursor.peek().kind {
        Kind::String => {
            let token = cursor.take();
            let Ok(text) = str::from_utf8(cursor.bytes_of(token)) else {
                return wrong(token.span(), "a name is text, and this is not");
            };
            let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let text = text.unwrap_or_default().replace("\"\"", "\"");
            context.store_mut().var(&text, sort)
        }
        _ => context.store_mut().var(name, sort),
    };
    context.bind(name, var);
    Ok(var)
}
