//! Flows: transition systems over locations and typed variables, asked about their infinite runs.
//!
//! A state is a location and a value for each variable. A run begins in a state that a start allows, and
//! goes on by transitions: one from `l` to `m` leads from `(l, x)` to `(m, x′)` if some values of its inputs
//! make its formula true. A run that cannot go on has ended. The flow *terminates* (is safe) if every run
//! ends, and *runs forever* (is unsafe) if one does not.
//!
//! Invariant (`Flow::validate`): variables, their successors and all inputs are pairwise different variables;
//! successors have the sorts of their variables; formulas are Boolean, mention what they may, and have neither
//! declared functions nor quantifiers.

use crate::Span;
use alphorn_term::{Op, SortId, Store, TermId};
use std::collections::BTreeSet;

/// A location, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocId(pub u32);

impl LocId {
    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its name in the file; no two locations share one.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// Where runs may begin.
#[derive(Clone, Debug)]
pub struct Start {
    /// The location.
    pub at: LocId,
    /// What holds there at first, over the variables and the inputs.
    pub formula: TermId,
    /// Variables that the formula has besides: some values of theirs are enough.
    pub inputs: Vec<TermId>,
    /// Where it stands.
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it comes from.
    pub from: LocId,
    /// Where it leads.
    pub to: LocId,
    /// The relation, over the variables, their successors and the inputs.
    pub formula: TermId,
    /// Variables that the formula has besides: some values of theirs are enough.
    pub inputs: Vec<TermId>,
    /// Its name in the file, if it has one.
    pub name: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// A flow.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// The terms.
    pub terms: Store,
    /// The variables.
    pub vars: Vec<TermId>,
    /// The variables of the successor, by position.
    pub next: Vec<TermId>,
    /// The locations.
    pub locations: Vec<Location>,
    /// Where runs may begin.
    pub starts: Vec<Start>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// Whether it has runs that what it was made from has not, so that a run of it shows nothing.
    pub is_loose: bool,
}

impl Flow {
    /// A flow over `terms` with these variables, each with a fresh successor.
    pub fn new(mut terms: Store, vars: &[TermId]) -> Flow {
        let successor = |&var: &TermId| {
            let name = format!("{}'", terms.var_name(var).unwrap_or("v"));
            let sort = terms.sort(var);
            terms.fresh_var(&name, sort)
        };
        let next = vars.iter().map(successor).collect();
        Flow { terms, vars: vars.to_vec(), next, ..Flow::default() }
    }

    /// Adds a location.
    pub fn add_location(&mut self, name: &str, span: Span) -> LocId {
        let id = LocId(u32::try_from(self.locations.len()).expect("fewer than 2^32 locations"));
        self.locations.push(Location { name: name.to_owned(), span });
        id
    }

    /// All locations.
    pub fn location_ids(&self) -> impl Iterator<Item = LocId> + use<> {
        (0..self.locations.len() as u32).map(LocId)
    }

    /// The name of a location.
    pub fn location_name(&self, location: LocId) -> &str {
        &self.locations[location.index()].name
    }

    /// What a transition is called in reports.
    pub fn transition_name(&self, transition: usize) -> String {
        let found = &self.transitions[transition];
        let (from, to) = (self.location_name(found.from), self.location_name(found.to));
        match &found.name {
            Some(name) => format!("transition {name} ({from} to {to})"),
            None => format!("transition {transition} ({from} to {to})"),
        }
    }

    /// Checks the type's invariant.
    pub fn validate(&self) -> Result<(), String> {
        let store = &self.terms;
        if self.next.len() != self.vars.len() {
            return Err("variables and successors are not equally many".to_owned());
        }
        let mut own = BTreeSet::new();
        for &var in self.vars.iter().chain(&self.next) {
            if !matches!(store.op(var), Op::Var(_)) || !own.insert(var) {
                return Err("a variable is not one of its own".to_owned());
            }
        }
        if self.vars.iter().zip(&self.next).any(|(&x, &y)| store.sort(x) != store.sort(y)) {
            return Err("a successor has another sort".to_owned());
        }
        let names: BTreeSet<&str> = self.locations.iter().map(|one| one.name.as_str()).collect();
        if names.len() != self.locations.len() {
            return Err("two locations have one name".to_owned());
        }
        let vars: BTreeSet<TermId> = self.vars.iter().copied().collect();
        for start in &self.starts {
            if start.at.index() >= self.locations.len() {
                return Err("a start has no location".to_owned());
            }
            self.validate_formula(start.formula, &start.inputs, &own, &vars)?;
        }
        for transition in &self.transitions {
            let ends = [transition.from, transition.to];
            if ends.iter().any(|end| end.index() >= self.locations.len()) {
                return Err("a transition has no location".to_owned());
            }
            self.validate_formula(transition.formula, &transition.inputs, &own, &own)?;
        }
        Ok(())
    }

    fn validate_formula(
        &self,
        formula: TermId,
        inputs: &[TermId],
        own: &BTreeSet<TermId>,
        allowed: &BTreeSet<TermId>,
    ) -> Result<(), String> {
        let store = &self.terms;
        if store.sort(formula) != SortId::BOOL {
            return Err("a formula is not Boolean".to_owned());
        }
        if store.has_apply(formula) || store.has_quantifier(formula) {
            return Err("a formula has a declared function or a quantifier".to_owned());
        }
        let mut open = BTreeSet::new();
        for &input in inputs {
            if !matches!(store.op(input), Op::Var(_)) || own.contains(&input) || !open.insert(input)
            {
                return Err("an input is not a variable of its own".to_owned());
            }
        }
        for var in store.free_vars(&[formula]) {
            if !allowed.contains(&var) && !open.contains(&var) {
                let name = store.var_name(var).unwrap_or("?");
                return Err(format!("the variable {name} does not belong to the formula"));
            }
        }
        Ok(())
    }
}
