//! The gates that the solver knows, and how much of the assignment they justify (`define.rs`).

use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};

/// The gates, and how far the current assignment is known to be justified.
#[derive(Default)]
pub(crate) struct Definitions {
    /// By variable, as far as any are defined.
    gates: Vec<Gate>,
    /// Parts of clauses, each followed by `Lit::NONE`.
    needs: Vec<Lit>,
    pub(crate) is_defining: bool,
    /// Clauses outside groups that define nothing.
    pub(crate) stated: Vec<ClauseRef>,
    /// Gates with a fixed value that nothing fixed justifies.
    pub(crate) roots: Vec<Lit>,
    /// How much of the trail has been searched for roots.
    pub(crate) searched: usize,
    /// The part of the trail from `on_trail_from` on.
    pub(crate) on_trail: Progress,
    pub(crate) on_trail_from: usize,
    pub(crate) on_roots: Progress,
    pub(crate) on_stated: Progress,
    pub(crate) on_groups: Progress,
    /// Group and position of each clause that `on_groups` counts.
    pub(crate) group_cursors: Vec<(u32, u32)>,
}

/// Where a gate's needs are: the rest of each clause in which its literal is false. What is implied at
/// once needs no justification and is left out.
#[derive(Clone, Copy, Default)]
struct Gate {
    if_true: u32,
    if_false: u32,
    end: u32,
    pub(crate) is_defined: bool,
}

/// How much of a list is justified: for each element the latest position of the trail that it or one
/// before it is justified by.
#[derive(Default)]
pub(crate) struct Progress(Vec<u32>);

impl Progress {
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Counts the next element, which is justified by the trail up to a position.
    #[inline]
    pub(crate) fn advance(&mut self, position: u32) {
        let before = self.0.last().copied().unwrap_or(0);
        self.0.push(before.max(position));
    }

    /// Keeps what is justified by the trail before `start`.
    #[inline]
    pub(crate) fn rewind(&mut self, start: u32) {
        if self.0.last().is_some_and(|last| *last >= start) {
            let kept = self.0.partition_point(|position| *position < start);
            self.0.truncate(kept);
        }
    }
}

impl Definitions {
    /// Forgets what was justified, because clauses have come or moved.
    #[inline]
    pub(crate) fn rewind(&mut self) {
        self.rewind_to(0);
    }

    /// Forgets what was justified by values that are taken back: those from a position on.
    #[inline]
    pub(crate) fn rewind_to(&mut self, start: usize) {
        for list in
            [&mut self.on_trail, &mut self.on_roots, &mut self.on_stated, &mut self.on_groups]
        {
            list.rewind(start as u32);
        }
        self.group_cursors.truncate(self.on_groups.count());
    }

    /// Notes a clause that belongs to no group.
    pub(crate) fn note(&mut self, clause: ClauseRef) {
        if !self.is_defining {
            self.stated.push(clause);
        }
    }

    /// What must hold for a value to be justified.
    #[inline]
    pub(crate) fn needs(&self, lit: Lit) -> &[Lit] {
        match self.gates.get(lit.var().index()) {
            None => &[],
            Some(gate) if lit.is_negated() => {
                &self.needs[gate.if_false as usize..gate.end as usize]
            }
            Some(gate) => &self.needs[gate.if_true as usize..gate.if_false as usize],
        }
    }

    /// Whether any variable is defined.
    pub(crate) fn has_gates(&self) -> bool {
        !self.gates.is_empty()
    }

    /// Notes that one of so many variables is defined by clauses.
    pub(crate) fn add_gate(&mut self, gate: Var, clauses: &[Vec<Lit>], vars: usize) {
        if self.gates.len() <= gate.index() {
            self.gates.resize(vars, Gate::default());
        }
        debug_assert!(!self.gates[gate.index()].is_defined, "a variable is defined once");
        let if_true = self.needs.len() as u32;
        self.add_needs(gate.positive(), clauses);
        let if_false = self.needs.len() as u32;
        self.add_needs(gate.negative(), clauses);
        let end = self.needs.len() as u32;
        self.gates[gate.index()] = Gate { if_true, if_false, end, is_defined: true };
    }

    /// Adds what a gate's literal needs in clauses that contain its negation.
    fn add_needs(&mut self, lit: Lit, clauses: &[Vec<Lit>]) {
        for clause in clauses.iter().filter(|clause| clause.len() > 2 && clause.contains(&!lit)) {
            self.needs.extend(clause.iter().filter(|other| **other != !lit));
            self.needs.push(Lit::NONE);
        }
    }
}
