//! A network of timed automata as data.
//!
//! The state is the time `now`, for every clock the time of its last reset, bounded integers, and a location per
//! process, each a variable of the network's terms. So the value of a clock is `now` minus its variable, a reset
//! writes `now`, and to let time pass changes nothing but `now` (Hojjat, thesis, ch. 6). Guards, invariants and
//! new values are terms over these variables.

use alphorn_problem::Span;
use alphorn_term::{Int, SortId, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// An integer with bounds; no step leads out of them.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub var: TermId,
    pub least: TermId,
    pub most: TermId,
    /// What it is at first; itself, if it never changes.
    pub first: TermId,
}

/// A location of a process.
#[derive(Clone, Debug)]
pub(super) struct Location {
    pub name: String,
    pub is_initial: bool,
    /// Time does not pass, and processes in such locations move first.
    pub is_committed: bool,
    /// Time does not pass.
    pub is_urgent: bool,
    pub invariant: TermId,
}

/// An edge of a process.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
    /// What holds before, of all who move together before any of them changes something.
    pub guard: TermId,
    /// What new values must satisfy, about the state when it is this edge's turn.
    pub ranges: Vec<TermId>,
    /// New values, about that state, too.
    pub updates: BTreeMap<TermId, TermId>,
    pub span: Span,
}

/// A process.
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub name: String,
    /// The variable of its location.
    pub at: TermId,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
}

/// What processes do together, one of them alone mostly.
#[derive(Clone, Debug, Default)]
pub(super) struct Move {
    /// The processes and their edges, in the order in which new values are written.
    pub edges: Vec<(usize, usize)>,
    /// Processes that would have to join in these locations, and are in others.
    pub absent: Vec<(usize, BTreeSet<usize>)>,
    /// Whether time does not pass while this can happen.
    pub is_urgent: bool,
}

/// A network, and what must not be reached.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub name: String,
    pub terms: Store,
    pub now: TermId,
    pub clocks: Vec<TermId>,
    pub numbers: Vec<Number>,
    pub processes: Vec<Process>,
    pub moves: Vec<Move>,
    pub bad: Vec<(TermId, Span)>,
}

impl Network {
    pub(super) fn new() -> Network {
        let mut terms = Store::default();
        let now = terms.var("now", SortId::REAL);
        Network {
            name: "network".to_owned(),
            terms,
            now,
            clocks: Vec::new(),
            numbers: Vec::new(),
            processes: Vec::new(),
            moves: Vec::new(),
            bad: Vec::new(),
        }
    }

    /// All variables of the state, in the order of arguments.
    pub(super) fn state(&self) -> Vec<TermId> {
        let mut state = vec![self.now];
        state.extend(&self.clocks);
        state.extend(self.numbers.iter().map(|number| number.var));
        state.extend(self.processes.iter().map(|process| process.at));
        state
    }

    /// Adds a clock.
    pub(super) fn clock(&mut self, name: &str) -> TermId {
        let var = self.terms.var(name, SortId::REAL);
        self.clocks.push(var);
        var
    }

    /// Adds an integer with bounds.
    pub(super) fn number(&mut self, name: &str, bounds: [Int; 3]) -> usize {
        let bounds = bounds.map(|bound| self.terms.int(bound));
        self.number_within(name, bounds)
    }

    /// Adds an integer with bounds that are terms.
    pub(super) fn number_within(&mut self, name: &str, [least, most, first]: [TermId; 3]) -> usize {
        let var = self.terms.var(name, SortId::INT);
        self.numbers.push(Number { var, least, most, first });
        self.numbers.len() - 1
    }

    /// Adds a process without locations.
    pub(super) fn process(&mut self, name: &str) -> usize {
        let at = self.terms.var(&format!("{name}.at"), SortId::INT);
        let process =
            Process { name: name.to_owned(), at, locations: Vec::new(), edges: Vec::new() };
        self.processes.push(process);
        self.processes.len() - 1
    }

    /// That a process is in a location.
    pub(super) fn is_at(&mut self, process: usize, location: usize) -> TermId {
        let place = self.terms.int(location as i64);
        self.terms.eq(self.processes[process].at, place)
    }
}
