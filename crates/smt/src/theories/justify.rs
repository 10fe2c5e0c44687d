//! What is left to decide: literals that nothing true depends on stay open.
//!
//! A gate that has a value is *justified* if its inputs give it that value whatever the open ones
//! become. If all gates with a value are, all clauses that define nothing are satisfied, and the
//! theories are consistent with the literals that have a value, then there is a model: it gives the
//! open atoms some values, and the open gates follow. So the search decides an input of an unjustified
//! gate, the latest first, and ends when there is none; whatever belongs to assertions of ended
//! scopes, to other queries, or to disjuncts not chosen costs nothing.
//!
//! Simplification may have removed a clause of a definition that others imply, so nothing is taken
//! to be propagated here: where a gate does not fit its inputs, the search decides as it likes.
//!
//! Invariant: what was taken out of the frontier, or is before the cursor, is justified by literals of
//! the levels before the one at which the cursor was saved, so going back restores both.
//!
//! The frontier of unjustified gates is as old as test generation (Goel's PODEM, 1981); in solvers
//! for theories it is known from Barrett, Donham (PDPAR 2004).

use alphorn_sat::{Context, Lit, Var};
use alphorn_term::TermId;
use rustc_hash::FxHashMap;

/// What a variable is defined as.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// The output is true exactly if all inputs are.
    And,
    /// The output is true exactly if both inputs have one value.
    Same,
    /// The output is the second input if the first is true, the third otherwise.
    Choice,
}

/// A defined variable.
#[derive(Clone, Copy)]
struct Gate {
    kind: Kind,
    output: Lit,
    start: u32,
    end: u32,
}

/// How much is known to be justified.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cursor {
    /// The length of the log of the frontier.
    log: u32,
    roots: u32,
    stated: u32,
    demanded: u32,
    splits: u32,
    late: u32,
}

impl Cursor {
    /// Limits how many assertions are known to be justified.
    pub(crate) fn keep_roots(&mut self, length: usize) {
        self.roots = self.roots.min(length as u32);
    }
}

/// Gates with a value that are not known to be justified, the latest last: a list with a log, so
/// that going back undoes what was done to it, in reverse order.
struct Frontier {
    /// Literals by place; the first place is the list's own.
    lits: Vec<Lit>,
    /// The places before and after, which stay when a place is taken out.
    links: Vec<[u32; 2]>,
    /// Places taken out, and for places added the number zero.
    log: Vec<u32>,
}

impl Default for Frontier {
    fn default() -> Frontier {
        Frontier { lits: vec![Lit::from_code(0)], links: vec![[0, 0]], log: Vec::new() }
    }
}

impl Frontier {
    fn add(&mut self, lit: Lit) {
        let (place, before) = (self.lits.len() as u32, self.links[0][0]);
        self.lits.push(lit);
        self.links.push([before, 0]);
        self.links[before as usize][1] = place;
        self.links[0][0] = place;
        self.log.push(0);
    }

    /// The place of the latest gate.
    fn last(&self) -> Option<u32> {
        Some(self.links[0][0]).filter(|place| *place != 0)
    }

    fn unlink(&mut self, place: u32) {
        let [before, after] = self.links[place as usize];
        self.links[before as usize][1] = after;
        self.links[after as usize][0] = before;
    }

    fn take_out(&mut self, place: u32) {
        self.unlink(place);
        self.log.push(place);
    }

    fn undo(&mut self, length: u32) {
        while self.log.len() > length as usize {
            match self.log.pop() {
                Some(0) => {
                    self.unlink(self.lits.len() as u32 - 1);
                    self.lits.pop();
                    self.links.pop();
                }
                Some(place) => {
                    let [before, after] = self.links[place as usize];
                    self.links[before as usize][1] = place;
                    self.links[after as usize][0] = place;
                }
                None => return,
            }
        }
    }
}

/// What a gate or clause needs.
enum Need {
    Nothing,
    Decision(Lit),
    /// The search decides anything.
    Anything,
}

/// What to do next.
pub(crate) enum Next {
    /// Everything is justified.
    Nothing,
    /// Decide the literal.
    Decide(Lit),
    /// Decide anything.
    Anything,
}

/// Gates, clauses, and how far the assignment justifies them.
#[derive(Default)]
pub(crate) struct Justification {
    /// By variable, as far as there are any.
    gates: Vec<Option<Gate>>,
    lits: Vec<Lit>,
    /// Ends in `lits`, and starts, of clauses that define nothing.
    stated: Vec<(u32, u32)>,
    /// The terms that clauses say something about which matters with them alone, by their starts.
    subjects: FxHashMap<u32, TermId>,
    /// Clauses of assertions, by scope: the literal and what has to be true for it to matter.
    pub(super) roots: Vec<(Lit, [Lit; 2])>,
    /// Ends in `lits`, and starts, of clauses that this query has to satisfy.
    demanded: Vec<(u32, u32)>,
    /// Variables to be decided in this query.
    splits: Vec<Var>,
    /// Variables that became gates when they may have had a value, which the frontier did not hear of.
    late: Vec<Var>,
    frontier: Frontier,
    cursor: Cursor,
}

impl Justification {
    /// Notes what a variable is defined as, once.
    fn gate(&mut self, kind: Kind, output: Lit, inputs: impl IntoIterator<Item = Lit>) {
        let index = output.var().index();
        if self.gates.len() <= index {
            self.gates.resize(index + 1, None);
        }
        if self.gates[index].is_some() {
            return;
        }
        let start = self.lits.len() as u32;
        self.lits.extend(inputs);
        let end = self.lits.len() as u32;
        self.gates[index] = Some(Gate { kind, output, start, end });
    }

    /// Notes that a literal is the conjunction of others.
    pub(crate) fn define_and(&mut self, output: Lit, inputs: impl IntoIterator<Item = Lit>) {
        self.gate(Kind::And, output, inputs);
    }

    /// Notes that a literal says that two others have one value.
    pub(crate) fn define_same(&mut self, output: Lit, left: Lit, right: Lit) {
        self.gate(Kind::Same, output, [left, right]);
    }

    /// Notes that a literal is one of two others, depending on a third, which comes first.
    pub(crate) fn define_choice(&mut self, output: Lit, inputs: [Lit; 3]) {
        self.gate(Kind::Choice, output, inputs);
    }

    /// Notes a clause that has to be satisfied by every model.
    pub(crate) fn state(&mut self, clause: &[Lit]) {
        let start = self.lits.len() as u32;
        self.lits.extend_from_slice(clause);
        self.stated.push((start, self.lits.len() as u32));
    }

    /// Notes a clause as `state` does that says what a term is.
    pub(crate) fn state_of(&mut self, clause: &[Lit], term: TermId) {
        self.subjects.insert(self.lits.len() as u32, term);
        self.state(clause);
    }

    /// The clauses that models have to satisfy, each with the term that it is about.
    pub(super) fn clauses(&self) -> impl Iterator<Item = (&[Lit], Option<TermId>)> {
        let all = self.stated.iter().chain(&self.demanded);
        all.map(|&(start, end)| {
            (&self.lits[start as usize..end as usize], self.subjects.get(&start).copied())
        })
    }

    /// What a variable is defined as: the kind, the output and the inputs.
    pub(super) fn gate_of(&self, var: Var) -> Option<(Kind, Lit, &[Lit])> {
        let gate = self.gates.get(var.index())?.as_ref()?;
        Some((gate.kind, gate.output, &self.lits[gate.start as usize..gate.end as usize]))
    }

    /// Notes a clause that has to be satisfied by the models of this query.
    pub(crate) fn demand(&mut self, clause: &[Lit]) {
        let start = self.lits.len() as u32;
        self.lits.extend_from_slice(clause);
        self.demanded.push((start, self.lits.len() as u32));
    }

    /// Asks for a decision of a variable in every query.
    pub(crate) fn always_decide(&mut self, var: Var) {
        self.state(&[var.positive(), var.negative()]);
    }

    /// Notes that a variable has become a gate, and may have a value that is not justified.
    pub(crate) fn look_again(&mut self, var: Var) {
        self.late.push(var);
    }

    /// Asks for a decision of a variable in this query.
    pub(crate) fn split(&mut self, var: Var) {
        self.splits.push(var);
    }

    /// Notes the literal of an assertion, and its guards.
    pub(crate) fn push_root(&mut self, lit: Lit, guards: [Lit; 2]) {
        self.roots.push((lit, guards));
    }

    /// Forgets the literals of assertions from this number on.
    pub(crate) fn truncate_roots(&mut self, length: usize) {
        self.roots.truncate(length);
        self.cursor.keep_roots(length);
    }

    /// Forgets what was to be decided in the last query.
    pub(crate) fn clear_splits(&mut self) {
        self.splits.clear();
        self.cursor.splits = 0;
        self.demanded.clear();
        self.cursor.demanded = 0;
    }

    /// Hears of a literal that became true.
    #[inline]
    pub(crate) fn assign(&mut self, lit: Lit) {
        if let Some(Some(_)) = self.gates.get(lit.var().index()) {
            self.frontier.add(lit);
        }
    }

    /// What has to be restored when the level that begins ends.
    pub(crate) fn mark(&self) -> Cursor {
        Cursor { log: self.frontier.log.len() as u32, ..self.cursor }
    }

    /// Goes back to what `mark` gave.
    pub(crate) fn restore(&mut self, cursor: Cursor) {
        self.frontier.undo(cursor.log);
        self.cursor = cursor;
        // Splits may have gone since.
        self.cursor.splits = self.cursor.splits.min(self.splits.len() as u32);
        self.cursor.demanded = self.cursor.demanded.min(self.demanded.len() as u32);
    }

    /// What to decide next.
    pub(crate) fn next(&mut self, context: &Context<'_>) -> Next {
        let mut cursor = self.cursor;
        let next = self.advance(&mut cursor, context);
        self.cursor = cursor;
        next
    }

    fn advance(&mut self, cursor: &mut Cursor, context: &Context<'_>) -> Next {
        while let Some((lit, guards)) = self.roots.get(cursor.roots as usize) {
            // Guards that are not assumed are not going to be.
            let is_off = guards.iter().any(|guard| context.value(*guard) != Some(true));
            match context.value(*lit) {
                Some(true) => cursor.roots += 1,
                _ if is_off => cursor.roots += 1,
                Some(false) => return Next::Anything,
                None => return Next::Decide(*lit),
            }
        }
        while let Some(var) = self.late.get(cursor.late as usize) {
            // One that gets its value later is put into the frontier.
            let need = context
                .value(var.positive())
                .map_or(Need::Nothing, |value| self.need_of_gate(var.lit(value), context));
            match need {
                Need::Nothing => cursor.late += 1,
                Need::Decision(lit) => return Next::Decide(lit),
                Need::Anything => return Next::Anything,
            }
        }
        while let Some(place) = self.frontier.last() {
            match self.need_of_gate(self.frontier.lits[place as usize], context) {
                Need::Nothing => self.frontier.take_out(place),
                Need::Decision(lit) => return Next::Decide(lit),
                Need::Anything => return Next::Anything,
            }
        }
        while let Some(&(start, end)) = self.stated.get(cursor.stated as usize) {
            match need_of_clause(&self.lits[start as usize..end as usize], context) {
                Need::Nothing => cursor.stated += 1,
                Need::Decision(lit) => return Next::Decide(lit),
                Need::Anything => return Next::Anything,
            }
        }
        while let Some(&(start, end)) = self.demanded.get(cursor.demanded as usize) {
            match need_of_clause(&self.lits[start as usize..end as usize], context) {
                Need::Nothing => cursor.demanded += 1,
                Need::Decision(lit) => return Next::Decide(lit),
                Need::Anything => return Next::Anything,
            }
        }
        while let Some(var) = self.splits.get(cursor.splits as usize) {
            if context.value(var.positive()).is_none() {
                return Next::Decide(context.preferred(*var));
            }
            cursor.splits += 1;
        }
        Next::Nothing
    }

    fn need_of_gate(&self, lit: Lit, context: &Context<'_>) -> Need {
        let Some(Some(gate)) = self.gates.get(lit.var().index()) else { return Need::Nothing };
        let inputs = &self.lits[gate.start as usize..gate.end as usize];
        let is_true = lit == gate.output;
        match (gate.kind, inputs) {
            (Kind::And, _) if is_true => {
                for input in inputs {
                    match context.value(*input) {
                        Some(true) => {}
                        Some(false) => return Need::Anything,
                        None => return Need::Decision(*input),
                    }
                }
                Need::Nothing
            }
            (Kind::And, _) => need_of_one(inputs.iter().map(|input| !*input), context),
            (Kind::Choice, &[condition, first, second]) => match context.value(condition) {
                None => Need::Decision(context.preferred(condition.var())),
                Some(holds) => {
                    let chosen = if holds { first } else { second };
                    match context.value(chosen) {
                        None => Need::Decision(chosen.xor(!is_true)),
                        Some(value) if value == is_true => Need::Nothing,
                        Some(_) => Need::Anything,
                    }
                }
            },
            (Kind::Same | Kind::Choice, _) => {
                let open = inputs.iter().find(|input| context.value(**input).is_none());
                open.map_or(Need::Nothing, |lit| Need::Decision(context.preferred(lit.var())))
            }
        }
    }
}

fn need_of_clause(clause: &[Lit], context: &Context<'_>) -> Need {
    need_of_one(clause.iter().copied(), context)
}

/// What is needed for one of the literals to be true.
fn need_of_one(lits: impl Iterator<Item = Lit>, context: &Context<'_>) -> Need {
    let mut best: Option<(bool, u64, Lit)> = None;
    for lit in lits {
        match context.value(lit) {
            Some(true) => return Need::Nothing,
            Some(false) => {}
            None => {
                let is_preferred = context.preferred(lit.var()) == lit;
                let rank = context.rank(lit.var());
                if best
                    .is_none_or(|(preferred, other, _)| (is_preferred, rank) > (preferred, other))
                {
                    best = Some((is_preferred, rank, lit));
                }
            }
        }
    }
    best.map_or(Need::Anything, |(_, _, lit)| Need::Decision(lit))
}
