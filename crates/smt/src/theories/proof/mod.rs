//! Refutations in the form that `check` replays, out of what the search recorded.
//!
//! The trace of the search is trimmed and goes over clause by clause. Literals become terms; clauses
//! that were learned follow by the hints that they were recorded with; clauses that were given are
//! assertions, definitions, axioms or lemmas of a theory, and each has its own way to become steps
//! (`leaf`). Guards of scopes and assertions are true in every query, so they are left out.
//!
//! One variable of the search may stand for several terms, `x <= 3` and `2x <= 7` say: one of them
//! represents it, and steps bridge the others. Nothing here trusts the search: what does not come out
//! as a proof is no proof, and `None` is returned.

pub(crate) mod leaf;

use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_sat::{ClauseId, Lit, Origin, Var};
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashMap;

use crate::theories::Table;
use crate::theories::kernel::Kernel;

/// A refutation with what it refutes.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The formulas that the proof's assertions are: those of the solver, then the assumptions.
    pub assertions: Vec<TermId>,
    /// Steps that lead from them to the empty clause.
    pub proof: Proof,
}

/// A proof in the making.
pub(crate) struct Writer<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) store: &'a mut Store,
    pub(crate) steps: Vec<ProofStep>,
    /// The literals that variables of the search became.
    literals: FxHashMap<Var, Literal>,
    /// The steps of assertions.
    asserted: FxHashMap<usize, StepId>,
    /// What following hints has made of atoms.
    values: FxHashMap<TermId, bool>,
    /// The words of one bit that gates became.
    pub(crate) gates: FxHashMap<u32, TermId>,
    /// The clause that no rule was found for.
    stuck: Option<Vec<Literal>>,
}

/// The most characters of a clause in a reason.
const LONGEST_REASON: usize = 300;

impl Kernel {
    /// A refutation of the assertions and the assumptions of the last query, which answered `Unsat`, or
    /// in words which step could not be written down.
    pub(crate) fn refutation(&self, store: &mut Store) -> Result<Refutation, String> {
        let assertions: Vec<TermId> = self.in_force().collect();
        let literals = FxHashMap::default();
        let asserted = FxHashMap::default();
        let values = FxHashMap::default();
        let gates = FxHashMap::default();
        let steps = Vec::new();
        let stuck = None;
        let mut writer =
            Writer { kernel: self, store, steps, literals, asserted, values, gates, stuck };
        match writer.write() {
            Some(()) => Ok(Refutation { assertions, proof: Proof { steps: writer.steps } }),
            None => Err(writer.reason()),
        }
    }
}

impl Writer<'_> {
    /// Adds a step, and gives its number.
    pub(crate) fn push(&mut self, clause: Vec<Literal>, rule: Rule) -> StepId {
        let id = StepId(self.steps.len() as u32);
        self.steps.push(ProofStep { clause, rule });
        id
    }

    /// Adds a clause that follows along hints, without those that say nothing.
    ///
    /// Different literals of the search may be the same as terms, so that hints which implied one
    /// from the other are satisfied, and conflicts come earlier than they did in the search.
    pub(crate) fn rup(&mut self, clause: Vec<Literal>, hints: Vec<StepId>) -> StepId {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        values.extend([(TermId::TRUE, true), (TermId::FALSE, false)]);
        values.extend(clause.iter().map(|literal| (literal.atom, literal.negated)));
        let mut used = Vec::with_capacity(hints.len());
        for hint in hints {
            let mut open = None;
            let is_satisfied = self.steps[hint.0 as usize].clause.iter().any(|literal| {
                let value = values.get(&literal.atom);
                if value.is_none() {
                    open = Some(*literal);
                }
                value.is_some_and(|value| *value != literal.negated)
            });
            if is_satisfied {
                continue;
            }
            used.push(hint);
            match open {
                Some(literal) => values.insert(literal.atom, !literal.negated),
                None => break,
            };
        }
        self.values = values;
        self.push(clause, Rule::Rup(used))
    }

    /// The literal of terms that represents a literal of the search.
    pub(crate) fn literal(&mut self, lit: Lit) -> Option<Literal> {
        let literal = match self.literals.get(&lit.var()) {
            Some(literal) => *literal,
            None => {
                let literal = match self.kernel.encoder.terms.get(lit.var().index()) {
                    Some(Some(literal)) => *literal,
                    _ => Table::literal(self, lit.var())?,
                };
                self.literals.insert(lit.var(), literal);
                literal
            }
        };
        Some(if lit.is_negated() { !literal } else { literal })
    }

    /// A clause of the search as literals of terms, without guards; `None` inside if it is always
    /// true.
    pub(crate) fn clause(&mut self, lits: &[Lit]) -> Option<Option<Vec<Literal>>> {
        let mut clause = Vec::with_capacity(lits.len());
        for lit in lits {
            if self.kernel.guard_vars.contains(&lit.var()) {
                continue;
            }
            let literal = self.literal(*lit)?;
            match (literal.atom, literal.negated) {
                (TermId::TRUE, false) | (TermId::FALSE, true) => return Some(None),
                (TermId::TRUE, true) | (TermId::FALSE, false) => continue,
                _ if clause.contains(&!literal) => return Some(None),
                _ if clause.contains(&literal) => {}
                _ => clause.push(literal),
            }
        }
        Some(Some(clause))
    }

    fn write(&mut self) -> Option<()> {
        let trace = self.kernel.search.trace()?;
        let Some(goal) = self.kernel.search.conclusion() else { return self.write_clash() };
        let trimmed = trace.trim(goal);
        // A clause that is always true is no hint: it would be satisfied.
        let mut places: FxHashMap<ClauseId, Option<StepId>> = FxHashMap::default();
        for id in &trimmed.clauses {
            let lits = trace.literals(*id);
            let Some(clause) = self.clause(lits)? else {
                places.insert(*id, None);
                continue;
            };
            let step = match trace.origin(*id) {
                Origin::Derived => {
                    let hints = trace.hints(*id).iter().filter_map(|hint| places[hint]).collect();
                    self.rup(clause, hints)
                }
                Origin::Input(_) | Origin::Theory => match self.leaf(lits, clause.clone()) {
                    Some(step) => step,
                    None => {
                        self.stuck = Some(clause);
                        return None;
                    }
                },
                Origin::Temporary | Origin::Dropped => return None,
            };
            places.insert(*id, Some(step));
        }
        let Some(last) = places[&goal] else { return self.write_false() };
        let conclusion = self.steps[last.0 as usize].clause.clone();
        if conclusion.is_empty() {
            return self.end_with(last);
        }
        // What is left are negated assumptions.
        let mut hints = Vec::new();
        for literal in conclusion {
            hints.push(self.assume(!literal)?);
        }
        hints.push(last);
        self.rup(Vec::new(), hints);
        Some(())
    }

    /// Which step could not be written down, in words.
    fn reason(&self) -> String {
        let Some(clause) = &self.stuck else {
            return format!("no form was found for what follows {} steps", self.steps.len());
        };
        let show = |literal: &Literal| {
            let atom = self.store.show(literal.atom);
            if literal.negated { format!("(not {atom})") } else { atom }
        };
        let all: Vec<String> = clause.iter().map(show).collect();
        let text = format!("(or {})", all.join(" "));
        let mut short: String = text.chars().take(LONGEST_REASON).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        format!("no rule of proofs shows the step {short}")
    }

    /// Makes the empty clause the last step.
    fn end_with(&mut self, last: StepId) -> Option<()> {
        if last.0 as usize + 1 != self.steps.len() {
            self.push(Vec::new(), Rule::Rup(vec![last]));
        }
        Some(())
    }

    /// An assumption that is false by itself.
    fn write_false(&mut self) -> Option<()> {
        for (index, (lit, term)) in self.kernel.assumed.iter().enumerate() {
            let literal = self.literal(*lit)?;
            if (literal.atom == TermId::TRUE) == literal.negated
                && matches!(literal.atom, TermId::TRUE | TermId::FALSE)
            {
                let step = self.assert(self.kernel.assertions.len() + index, *term);
                let step = self.represent(step, &[Literal::of(self.store, *term)], &[])?;
                return self.end_with(step);
            }
        }
        None
    }

    /// Two assumptions that contradict each other.
    fn write_clash(&mut self) -> Option<()> {
        for (lit, _) in &self.kernel.assumed {
            if self.kernel.assumed.iter().any(|(other, _)| *other == !*lit) {
                let literal = self.literal(*lit)?;
                let hints = vec![self.assume(literal)?, self.assume(!literal)?];
                self.push(Vec::new(), Rule::Rup(hints));
                return Some(());
            }
        }
        None
    }

    /// The step that states an assumption, in the form that represents it.
    fn assume(&mut self, literal: Literal) -> Option<StepId> {
        for (index, (lit, term)) in self.kernel.assumed.iter().enumerate() {
            if self.literal(*lit)? == literal {
                let step = self.assert(self.kernel.assertions.len() + index, *term);
                return self.represent(step, &[Literal::of(self.store, *term)], &[literal]);
            }
        }
        None
    }

    /// The step that states an assertion.
    pub(crate) fn assert(&mut self, number: usize, term: TermId) -> StepId {
        if let Some(step) = self.asserted.get(&number) {
            return *step;
        }
        let literal = Literal::of(self.store, term);
        let clause = if literal.atom == TermId::FALSE { vec![] } else { vec![literal] };
        let step = self.push(clause, Rule::Assert(number));
        self.asserted.insert(number, step);
        step
    }

    /// Goes from a step's literals to those that represent them.
    pub(crate) fn represent(
        &mut self,
        step: StepId,
        from: &[Literal],
        to: &[Literal],
    ) -> Option<StepId> {
        let mut hints = Vec::new();
        for (place, literal) in from.iter().enumerate() {
            if to.contains(literal)
                || from[..place].contains(literal)
                || matches!(literal.atom, TermId::TRUE | TermId::FALSE)
            {
                continue;
            }
            hints.push(self.bridge(*literal, to)?);
        }
        if hints.is_empty() {
            return Some(step);
        }
        hints.push(step);
        Some(self.rup(to.to_vec(), hints))
    }

    /// A step that says that a literal implies one of those that represent literals, or is false.
    fn bridge(&mut self, literal: Literal, to: &[Literal]) -> Option<StepId> {
        Table::bridge(self, literal, to)
    }
}
