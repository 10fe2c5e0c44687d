//! Prints transition systems as BTOR2.
//!
//! Every distinct subterm becomes one line, arguments before applications; Booleans are words of
//! one bit, so that `(= x #b1)` and `(ite p #b1 #b0)` are `x` and `p` themselves. Lines come in a
//! fixed order: inputs, states with their initial values, next values, properties. An initial
//! value stands before its state, as `btormc` wants it.
//!
//! A constant array that is no initial value is a state that never changes: the format has no
//! other way to say it. What the format cannot say at all (numbers, datatypes, quantifiers,
//! functions) is refused.

mod lines;
mod walk;

use crate::diag::{Code, Diagnostic};
use alphorn_problem::words::{Named, State};
use alphorn_problem::{Span, Words};
use alphorn_term::{Op, Store, TermId};
use lines::Lines;
use rustc_hash::{FxHashMap, FxHashSet};

/// Prints a system, or says why the format cannot express it.
pub fn print(words: &Words) -> Result<String, Diagnostic> {
    if let Some(home) = words.homes.first() {
        let message = "the format cannot say that something stays within reach (`liveness`)";
        let error = Diagnostic::error(Code::ConvertMeaningless, home.span, message);
        return Err(error.hint("choose another property with --property"));
    }
    let mut printer = Printer {
        store: &words.terms,
        lines: Lines::default(),
        ids: FxHashMap::default(),
        names: FxHashSet::default(),
        place: Span::NONE,
    };
    for &input in &words.inputs {
        printer.variable("input", input)?;
    }
    let constant_arrays = printer.constant_arrays(words)?;
    let mut earlier: FxHashSet<TermId> = FxHashSet::default();
    for state in &words.states {
        printer.state(state, &earlier)?;
        earlier.insert(state.var);
    }
    for array in constant_arrays {
        let value = printer.ids[&array];
        printer.assign("next", array, value)?;
    }
    for state in &words.states {
        if let Some(next) = state.next {
            printer.place = state.span;
            let value = printer.value(next)?;
            printer.assign("next", state.var, value)?;
        }
    }
    for (kind, list) in [("constraint", &words.constraints), ("bad", &words.bads)] {
        printer.properties(kind, list)?;
    }
    printer.properties("fair", &words.fairness)?;
    for justice in &words.justice {
        printer.place = justice.span;
        let mut text = format!("justice {}", justice.terms.len());
        for &term in &justice.terms {
            text.push_str(&format!(" {}", printer.value(term)?));
        }
        printer.lines.statement(&text, justice.name.as_deref());
    }
    printer.properties("output", &words.outputs)?;
    Ok(printer.lines.into_text())
}

struct Printer<'a> {
    store: &'a Store,
    lines: Lines,
    /// The line of each term that has one.
    ids: FxHashMap<TermId, u64>,
    /// The symbols of inputs and states.
    names: FxHashSet<String>,
    /// Where the term that is printed stands in the user's file.
    place: Span,
}

impl Printer<'_> {
    fn refuse<T>(&self, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(Code::ConvertMeaningless, self.place, message))
    }

    fn variable(&mut self, kind: &'static str, var: TermId) -> Result<u64, Diagnostic> {
        let Some(name) = self.store.var_name(var) else {
            return self.refuse(format!("an {kind} is not a variable"));
        };
        let name = self.unique(name);
        let sort = self.sort(self.store.sort(var))?;
        let id = self.lines.statement(&format!("{kind} {sort}"), Some(&name));
        if self.ids.insert(var, id).is_some() {
            return self.refuse(format!("the variable {name} is declared twice"));
        }
        Ok(id)
    }

    /// A name as a symbol that no other variable has.
    fn unique(&mut self, name: &str) -> String {
        let mut symbol = lines::symbol(name);
        while !self.names.insert(symbol.clone()) {
            symbol.push('_');
        }
        symbol
    }

    fn state(&mut self, state: &State, earlier: &FxHashSet<TermId>) -> Result<(), Diagnostic> {
        self.place = state.span;
        if let Some(term) = state.init
            && self.store.free_vars(&[term]).iter().any(|var| !earlier.contains(var))
        {
            return self.refuse("an initial value depends on more than the states before its own");
        }
        let init = state.init.map(|term| self.value(element(self.store, term))).transpose()?;
        self.variable("state", state.var)?;
        match init {
            Some(value) => self.assign("init", state.var, value),
            None => Ok(()),
        }
    }

    /// Declares a state for each constant array that is no initial value; the arrays.
    fn constant_arrays(&mut self, words: &Words) -> Result<Vec<TermId>, Diagnostic> {
        let mut roots: Vec<TermId> = Vec::new();
        for state in &words.states {
            roots.extend(state.init.map(|init| element(self.store, init)));
            roots.extend(state.next);
        }
        let named = words.constraints.iter().chain(&words.bads).chain(&words.fairness);
        roots.extend(named.chain(&words.outputs).map(|named| named.term));
        roots.extend(words.justice.iter().flat_map(|justice| &justice.terms));
        let mut arrays = self.store.subterms(&roots);
        arrays.retain(|term| self.store.op(*term) == Op::ConstArray && self.store.is_ground(*term));
        for &array in &arrays {
            let value = self.value(element(self.store, array))?;
            let sort = self.sort(self.store.sort(array))?;
            let name = self.unique("constant_array");
            let state = self.lines.statement(&format!("state {sort}"), Some(&name));
            self.lines.statement(&format!("init {sort} {state} {value}"), None);
            self.ids.insert(array, state);
        }
        Ok(arrays)
    }

    fn assign(&mut self, kind: &str, var: TermId, value: u64) -> Result<(), Diagnostic> {
        let (sort, id) = (self.sort(self.store.sort(var))?, self.ids[&var]);
        self.lines.statement(&format!("{kind} {sort} {id} {value}"), None);
        Ok(())
    }

    fn properties(&mut self, kind: &str, list: &[Named]) -> Result<(), Diagnostic> {
        for named in list {
            self.place = named.span;
            let value = self.value(named.term)?;
            self.lines.statement(&format!("{kind} {value}"), named.name.as_deref());
        }
        Ok(())
    }
}

/// The value that initialises an array: for a constant array its element, however deep.
fn element(store: &Store, mut term: TermId) -> TermId {
    while store.op(term) == Op::ConstArray {
        term = store.args(term)[0];
    }
    term
}
