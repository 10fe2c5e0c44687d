//! Which numbers are only names of values: groups of arguments and variables that are copied to each other.
//!
//! A *place* is an argument of a predicate or a variable of a clause. Places are in one group if something
//! equates them or hands one on to the other, through conditionals, too. A group is *plain* if all that is said
//! of its members is that they equal constants or each other, and that two members equal each other is never
//! denied: of values that are none of the constants, nothing tells one from another.
//!
//! Invariant: `Groups::of` joins before anything is looked up, so a group's constants are complete.

use super::super::system::{System, head_args};
use alphorn_problem::horn::{Head, PredId};
use alphorn_term::{Op, Rat, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An argument of a predicate, or a variable of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Argument(PredId, usize),
    Variable(usize, TermId),
}

/// What is known of a group.
#[derive(Clone, Debug, Default)]
struct Group {
    /// The constants that members are compared with or become, by their values.
    constants: BTreeMap<Rat, TermId>,
    /// Whether something else is said of a member.
    is_spoiled: bool,
}

/// The groups of a system's places.
#[derive(Default)]
pub(super) struct Groups {
    numbers: FxHashMap<Place, usize>,
    above: Vec<usize>,
    groups: Vec<Group>,
}

/// How a formula counts: it may have to be true, or false.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Polarity {
    is_asserted: bool,
    is_denied: bool,
}

impl Polarity {
    const ASSERTED: Polarity = Polarity { is_asserted: true, is_denied: false };
    const BOTH: Polarity = Polarity { is_asserted: true, is_denied: true };

    fn denied(self) -> Polarity {
        Polarity { is_asserted: self.is_denied, is_denied: self.is_asserted }
    }

    fn with(self, other: Polarity) -> Polarity {
        Polarity {
            is_asserted: self.is_asserted || other.is_asserted,
            is_denied: self.is_denied || other.is_denied,
        }
    }
}

impl Groups {
    /// The groups of a system.
    pub(super) fn of(system: &System, store: &Store) -> Groups {
        let mut groups = Groups::default();
        for at in 0..system.clauses.len() {
            groups.add_clause(system, store, at);
        }
        groups
    }

    /// The constants of an argument's group, if that is plain.
    pub(super) fn of_argument(&self, pred: PredId, at: usize) -> Option<Vec<TermId>> {
        self.constants(Place::Argument(pred, at))
    }

    /// The constants of a variable's group, if that is plain.
    pub(super) fn of_variable(&self, clause: usize, var: TermId) -> Option<Vec<TermId>> {
        self.constants(Place::Variable(clause, var))
    }

    fn constants(&self, place: Place) -> Option<Vec<TermId>> {
        let mut top = *self.numbers.get(&place)?;
        while self.above[top] != top {
            top = self.above[top];
        }
        let group = &self.groups[top];
        (!group.is_spoiled).then(|| group.constants.values().copied().collect())
    }

    fn top(&mut self, place: Place) -> usize {
        let next = self.above.len();
        let mut number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.above.push(next);
            self.groups.push(Group::default());
        }
        while self.above[number] != number {
            self.above[number] = self.above[self.above[number]];
            number = self.above[number];
        }
        number
    }

    fn join(&mut self, first: Place, second: Place) {
        let (first, second) = (self.top(first), self.top(second));
        if first != second {
            let group = std::mem::take(&mut self.groups[second]);
            self.above[second] = first;
            self.groups[first].is_spoiled |= group.is_spoiled;
            self.groups[first].constants.extend(group.constants);
        }
    }

    fn spoil(&mut self, place: Place) {
        let top = self.top(place);
        self.groups[top].is_spoiled = true;
    }

    fn add_constant(&mut self, store: &Store, place: Place, constant: TermId) {
        let top = self.top(place);
        match store.number_value(constant) {
            Some(value) => {
                self.groups[top].constants.insert(value, constant);
            }
            None => self.groups[top].is_spoiled = true,
        }
    }

    fn add_clause(&mut self, system: &System, store: &Store, at: usize) {
        let clause = &system.clauses[at];
        let mut roots = vec![clause.body];
        roots.extend(head_args(clause));
        let terms = store.subterms(&roots);
        let mut polarities: FxHashMap<TermId, Polarity> = FxHashMap::default();
        polarities.insert(clause.body, Polarity::ASSERTED);
        for &arg in head_args(clause) {
            polarities.insert(arg, Polarity::BOTH);
        }
        if let Head::Atom(pred, args) = &clause.head {
            self.hand_on(store, at, *pred, args);
        }
        for &term in terms.iter().rev() {
            let polarity = polarities.get(&term).copied().unwrap_or(Polarity::BOTH);
            let args = store.args(term);
            let of_inner = match store.op(term) {
                Op::And | Op::Or => polarity,
                Op::Not => polarity.denied(),
                _ => Polarity::BOTH,
            };
            for (place, arg) in args.iter().enumerate() {
                let is_branch = store.op(term) == Op::Ite && place > 0;
                let given = if is_branch { polarity } else { of_inner };
                let known = polarities.entry(*arg).or_default();
                *known = known.with(given);
            }
            self.look_at(system, store, at, term, polarity);
        }
    }

    /// What a term says of the numbers that are its arguments.
    fn look_at(
        &mut self,
        system: &System,
        store: &Store,
        clause: usize,
        term: TermId,
        polarity: Polarity,
    ) {
        let args = store.args(term);
        let is_number = |arg: &TermId| store.sort(*arg).is_arithmetic();
        match store.op(term) {
            Op::Eq if is_number(&args[0]) => {
                let (mut vars, mut constants) = (Vec::new(), Vec::new());
                let (mut sides_with_vars, mut are_choices) = (0, true);
                for &arg in args {
                    let before = vars.len();
                    are_choices &= self.leaves(store, clause, arg, (&mut vars, &mut constants));
                    sides_with_vars += usize::from(vars.len() > before);
                }
                if let Some((&first, others)) = vars.split_first() {
                    others.iter().for_each(|&other| self.join(first, other));
                    constants.iter().for_each(|&value| self.add_constant(store, first, value));
                    if !are_choices || (polarity.is_denied && sides_with_vars > 1) {
                        self.spoil(first);
                    }
                }
            }
            // What is chosen matters where the choice is used.
            Op::Ite => {}
            Op::Apply(_) => match system.atom(store, term) {
                Some(pred) => self.hand_on(store, clause, pred, args),
                None => self.spoil_all(store, clause, args),
            },
            _ => self.spoil_all(store, clause, args),
        }
    }

    /// Joins the arguments of an atom with those of its predicate.
    fn hand_on(&mut self, store: &Store, clause: usize, pred: PredId, args: &[TermId]) {
        for (at, &arg) in args.iter().enumerate() {
            if !store.sort(arg).is_arithmetic() {
                continue;
            }
            let place = Place::Argument(pred, at);
            self.top(place);
            let (mut vars, mut constants) = (Vec::new(), Vec::new());
            if !self.leaves(store, clause, arg, (&mut vars, &mut constants)) {
                self.spoil(place);
            }
            vars.iter().for_each(|&var| self.join(place, var));
            constants.iter().for_each(|&value| self.add_constant(store, place, value));
        }
    }

    fn spoil_all(&mut self, store: &Store, clause: usize, args: &[TermId]) {
        for &arg in args.iter().filter(|&&arg| store.sort(arg).is_arithmetic()) {
            let mut vars = Vec::new();
            self.leaves(store, clause, arg, (&mut vars, &mut Vec::new()));
            vars.into_iter().for_each(|var| self.spoil(var));
        }
    }

    /// The variables and constants that a number is one of; if it may be something else, these variables are
    /// spoiled, and the answer is no.
    fn leaves(
        &mut self,
        store: &Store,
        clause: usize,
        number: TermId,
        (vars, constants): (&mut Vec<Place>, &mut Vec<TermId>),
    ) -> bool {
        let first = vars.len();
        let mut is_choice = true;
        let mut seen: Vec<TermId> = Vec::new();
        let mut stack = vec![number];
        while let Some(term) = stack.pop() {
            if seen.contains(&term) {
                continue;
            }
            seen.push(term);
            match store.op(term) {
                Op::Var(_) => vars.push(Place::Variable(clause, term)),
                Op::Ite => stack.extend(&store.args(term)[1..]),
                _ if store.number_value(term).is_some() => constants.push(term),
                _ => is_choice = false,
            }
        }
        if !is_choice {
            let places: Vec<Place> = vars[first..].to_vec();
            places.into_iter().for_each(|place| self.spoil(place));
        }
        is_choice
    }
}
