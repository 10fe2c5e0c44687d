//! Flows in the SMT-LIB form.
//!
//! Invariant: reading the text gives the same locations, variables, starts and transitions, up to the names of
//! inputs, and of variables and locations whose names mean something else in SMT-LIB.

use crate::diag::{Code, Diagnostic};
use crate::smtlib::is_reserved_name;
use alphorn_problem::Span;
use alphorn_problem::flow::Flow;
use alphorn_term::print::quote;
use alphorn_term::{Sort, SortId, Store, Substitution, TermId};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What every file begins with, behind its locations.
const WORDS: &str = "
(define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool
  (and (= pc src) rel))

(define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool
  (and (= pc src) (= pc1 dst) rel))

(define-fun cfg_trans3 ((pc Loc) (exit Loc) (pc1 Loc) (call Loc) (pc2 Loc) (return Loc) (rel Bool)) Bool
  (and (= pc exit) (= pc1 call) (= pc2 return) rel))
";

/// Writes a flow; one over datatypes or declared sorts is refused.
pub fn write(flow: &Flow) -> Result<String, Diagnostic> {
    let mut writer = Writer { store: flow.terms.clone(), taken: BTreeSet::new() };
    for word in ["Loc", "cfg_init", "cfg_trans2", "cfg_trans3", "init_main", "next_main"] {
        writer.taken.insert(word.to_owned());
    }
    let locations: Vec<String> =
        flow.locations.iter().map(|location| writer.name(&location.name)).collect();
    let vars = writer.variables(&flow.vars)?;
    let next = writer.variables(&flow.next)?;
    let (pc, pc_next) = (writer.name("pc"), writer.name("pc1"));
    let mut map: Substitution = Substitution::default();
    map.extend(flow.vars.iter().zip(&vars).map(|(&old, &new)| (old, new)));
    map.extend(flow.next.iter().zip(&next).map(|(&old, &new)| (old, new)));

    let mut out = String::from("(declare-sort Loc 0)\n");
    for name in &locations {
        let _ = writeln!(out, "(declare-const {} Loc)", quote(name));
    }
    if locations.len() > 1 {
        let names: Vec<String> = locations.iter().map(|name| quote(name)).collect();
        let _ = writeln!(out, "(assert (distinct {}))", names.join(" "));
    }
    out.push_str(WORDS);
    let state = |writer: &Writer, pc: &str, vars: &[TermId]| {
        let mut text = format!("({} Loc)", quote(pc));
        for &var in vars {
            let _ = write!(text, " {}", writer.binding(var));
        }
        text
    };
    let _ = write!(out, "\n(define-fun init_main ({}) Bool\n  (or", state(&writer, &pc, &vars));
    for start in &flow.starts {
        let relation = writer.relation(start.formula, &start.inputs, &map)?;
        let at = quote(&locations[start.at.index()]);
        let _ = write!(out, "\n    (cfg_init {} {at} {relation})", quote(&pc));
    }
    out.push_str(if flow.starts.is_empty() { " false))\n" } else { "))\n" });
    let (before, after) = (state(&writer, &pc, &vars), state(&writer, &pc_next, &next));
    let _ = write!(out, "\n(define-fun next_main (\n    {before}\n    {after}) Bool\n  (or");
    for step in &flow.transitions {
        let relation = writer.relation(step.formula, &step.inputs, &map)?;
        let [from, to] = [step.from, step.to].map(|end| quote(&locations[end.index()]));
        let (pc, pc_next) = (quote(&pc), quote(&pc_next));
        let _ = write!(out, "\n    (cfg_trans2 {pc} {from} {pc_next} {to} {relation})");
    }
    out.push_str(if flow.transitions.is_empty() { " false))\n" } else { "))\n" });
    Ok(out)
}

struct Writer {
    store: Store,
    /// The names in use.
    taken: BTreeSet<String>,
}

impl Writer {
    /// A name that nothing else has.
    fn name(&mut self, wanted: &str) -> String {
        let mut name: String = wanted.replace(['|', '\\'], "_");
        while is_reserved_name(&name) || !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// Variables with names that nothing else has.
    fn variables(&mut self, vars: &[TermId]) -> Result<Vec<TermId>, Diagnostic> {
        let mut named = Vec::with_capacity(vars.len());
        for &var in vars {
            let sort = self.store.sort(var);
            if !is_plain(&self.store, sort) {
                let sort = self.store.show_sort(sort);
                let message = format!("this form has no variables of the sort {sort}");
                let code = Code::ConvertMeaningless;
                return Err(Diagnostic::unsupported(code, Span::NONE, message));
            }
            let wanted = self.store.var_name(var).unwrap_or("v").to_owned();
            let name = self.name(&wanted);
            named.push(self.store.var(&name, sort));
        }
        Ok(named)
    }

    /// `(x Int)`
    fn binding(&self, var: TermId) -> String {
        let name = quote(self.store.var_name(var).unwrap_or("v"));
        format!("({name} {})", self.store.show_sort(self.store.sort(var)))
    }

    /// A relation; names of inputs are in use within it only.
    fn relation(
        &mut self,
        formula: TermId,
        inputs: &[TermId],
        map: &Substitution,
    ) -> Result<String, Diagnostic> {
        let free: BTreeSet<TermId> = self.store.free_vars(&[formula]).into_iter().collect();
        let inputs: Vec<TermId> =
            inputs.iter().copied().filter(|input| free.contains(input)).collect();
        let outside = self.taken.clone();
        let named = self.variables(&inputs)?;
        self.taken = outside;
        let mut map = map.clone();
        map.extend(inputs.iter().zip(&named).map(|(&old, &new)| (old, new)));
        let formula = self.store.substitute(formula, &map);
        let mut out = String::new();
        if !named.is_empty() {
            let bindings: Vec<String> = named.iter().map(|&var| self.binding(var)).collect();
            let _ = write!(out, "(exists ({}) ", bindings.join(" "));
        }
        self.store.write_term(&mut out, formula);
        if !named.is_empty() {
            out.push(')');
        }
        Ok(out)
    }
}

/// Whether a sort needs no declaration.
fn is_plain(store: &Store, sort: SortId) -> bool {
    match store.sort_of(sort) {
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => true,
        Sort::Array(index, element) => is_plain(store, *index) && is_plain(store, *element),
        _ => false,
    }
}
