//! Which terms an assignment rests on; what the others are does not matter.
//!
//! Formulas are looked at from the top: of a conjunction that is false one false part is followed, of a
//! choice the condition and the part that is chosen, of a clause one literal that is true. The atoms that
//! are reached justify all formulas in force, so if the theories can give the terms below these
//! atoms the values that the assignment says, there is a model, whatever they say of other terms. Below
//! an atom all terms are followed, except of a conditional the branch that is not taken. What the search
//! has given a value for no reason, or because a theory told it to, is left out.
//!
//! Where there is a choice, what was reached already is preferred, then what rests on fewer arrays.
//!
//! Invariant: all literals that are reached are true, and with the terms that are reached they make every
//! assertion true whatever other atoms are.
//!
//! After Niemetz, Preiner, Biere, Turbo-charging lemmas on demand with don't care reasoning
//! (FMCAD 2014), of which this is justification. `justify` does that while the search decides; this is for what
//! was decided. Their dual propagation gave the same lemmas, and took longer (`bench/notes/smt-arrays.md`).

use alphorn_sat::{Lit, Var};
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::atoms::Meaning;
use super::justify::Kind;
use super::kernel::Kernel;

/// What was reached.
struct Walk<'a> {
    kernel: &'a Kernel,
    store: &'a Store,
    /// The atoms of words that literals are, which are gates of bits to the search.
    words: FxHashMap<Var, Vec<TermId>>,
    reached: Vec<bool>,
    terms: FxHashSet<TermId>,
    lits: Vec<Lit>,
    open: Vec<TermId>,
    /// Whether arrays stand below a term.
    has_arrays: FxHashMap<TermId, bool>,
}

/// The terms that the assignment rests on.
pub(crate) fn relevant_terms(kernel: &Kernel, store: &Store) -> FxHashSet<TermId> {
    let mut walk = Walk {
        kernel,
        store,
        words: FxHashMap::default(),
        reached: vec![false; kernel.search.var_count()],
        terms: FxHashSet::default(),
        lits: Vec::new(),
        open: Vec::new(),
        has_arrays: FxHashMap::default(),
    };
    walk.find_words();
    let justification = &kernel.theory().justification;
    for (lit, guards) in &justification.roots {
        if guards.iter().all(|guard| walk.is_true(*guard)) {
            walk.lits.push(*lit);
        }
    }
    for (lit, _) in &kernel.assumed {
        walk.lits.push(*lit);
    }
    walk.follow();
    for (clause, subject) in justification.clauses() {
        if subject.is_none() {
            walk.satisfy(clause);
        }
    }
    walk.with_definitions()
}

impl Walk<'_> {
    fn is_true(&self, lit: Lit) -> bool {
        self.kernel.search.value(lit) == Some(true)
    }

    /// All terms, with those of the clauses that define terms which were reached.
    fn with_definitions(mut self) -> FxHashSet<TermId> {
        let clauses = self.kernel.theory().justification.clauses();
        let mut waiting: Vec<(&[Lit], TermId)> =
            clauses.filter_map(|(clause, subject)| Some((clause, subject?))).collect();
        loop {
            let before = waiting.len();
            waiting.retain(|(clause, subject)| {
                let is_reached = self.terms.contains(subject);
                if is_reached {
                    self.satisfy(clause);
                }
                !is_reached
            });
            if waiting.len() == before {
                return self.terms;
            }
        }
    }

    /// Finds the atoms whose literals are gates of bits.
    fn find_words(&mut self) {
        if self.kernel.theory().words.shared.is_empty() {
            return;
        }
        for (term, lit) in &self.kernel.encoder.literals {
            if !is_connective(self.store, *term) {
                self.words.entry(lit.var()).or_default().push(*term);
            }
        }
    }

    /// Follows a literal of a clause that is true.
    fn satisfy(&mut self, clause: &[Lit]) {
        // What only asks for a decision says nothing.
        if !clause.iter().any(|lit| clause.contains(&!*lit)) {
            self.satisfy_one(clause);
            self.follow();
        }
    }

    /// Whether a literal rests on arrays, as far as that is seen at once.
    fn cost(&mut self, var: Var) -> bool {
        let own = self.kernel.encoder.terms.get(var.index()).copied().flatten();
        let words = self.words.get(&var).and_then(|terms| terms.first()).copied();
        let Some(term) = words.or(own.map(|literal| literal.atom)) else { return true };
        let mut stack = vec![(term, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.has_arrays.contains_key(&term) {
                continue;
            }
            let args = self.store.args(term);
            if is_ready {
                let is_array = matches!(self.store.op(term), Op::Select | Op::Store);
                let has =
                    is_array || args.iter().any(|arg| self.has_arrays.get(arg) == Some(&true));
                self.has_arrays.insert(term, has);
            } else {
                stack.push((term, true));
                stack.extend(args.iter().map(|arg| (*arg, false)));
            }
        }
        self.has_arrays.get(&term) == Some(&true)
    }

    /// Follows literals and terms until there are none.
    fn follow(&mut self) {
        loop {
            if let Some(term) = self.open.pop() {
                self.follow_term(term);
            } else if let Some(lit) = self.lits.pop() {
                self.follow_literal(lit);
            } else {
                return;
            }
        }
    }

    fn follow_literal(&mut self, lit: Lit) {
        let index = lit.var().index();
        if self.reached.get(index).is_none_or(|is_reached| *is_reached) {
            return;
        }
        self.reached[index] = true;
        if let Some(terms) = self.words.get(&lit.var()) {
            self.open.extend(terms);
            return;
        }
        if self.follow_gate(lit) {
            return;
        }
        match self.kernel.encoder.terms.get(index) {
            Some(Some(literal)) => self.open.push(literal.atom),
            _ => {
                let arithmetic = &self.kernel.theory().arithmetic;
                if let Meaning::Upper(form, _) = self.kernel.theory().atoms.meaning(lit.var())
                    && let Some(terms) = arithmetic.forms.get(form)
                {
                    let unknowns = terms.iter();
                    self.open.extend(
                        unknowns.filter_map(|(form, _)| arithmetic.unknowns.get(form).copied()),
                    );
                }
            }
        }
    }

    /// Follows the inputs that give a gate its value; whether there is a gate.
    fn follow_gate(&mut self, lit: Lit) -> bool {
        let kernel = self.kernel;
        let Some((kind, output, inputs)) = kernel.theory().justification.gate_of(lit.var()) else {
            return false;
        };
        match (kind, inputs) {
            (Kind::And, _) if self.is_true(output) => self.lits.extend(inputs),
            (Kind::And, _) => {
                let negated: Vec<Lit> = inputs.iter().map(|input| !*input).collect();
                self.satisfy_one(&negated);
            }
            (Kind::Choice, &[condition, first, second]) => {
                let chosen = if self.is_true(condition) { first } else { second };
                self.lits.extend([condition, chosen]);
            }
            (Kind::Same | Kind::Choice, _) => self.lits.extend(inputs),
        }
        true
    }

    /// Has one of some literals that is true followed.
    fn satisfy_one(&mut self, lits: &[Lit]) {
        let mut best: Option<(bool, Lit)> = None;
        for lit in lits.iter().copied() {
            if !self.is_true(lit) {
                continue;
            }
            if self.reached[lit.var().index()] {
                return;
            }
            let cost = self.cost(lit.var());
            if best.is_none_or(|(other, _)| other && !cost) {
                best = Some((cost, lit));
            }
        }
        self.lits.extend(best.map(|(_, lit)| lit));
    }

    fn follow_term(&mut self, term: TermId) {
        if !self.terms.insert(term) {
            return;
        }
        let args = self.store.args(term);
        let (parts, condition) = match self.store.op(term) {
            Op::And | Op::Or | Op::Not | Op::Forall | Op::Exists => (&args[..0], None),
            Op::Ite if self.store.sort(term) != SortId::BOOL => {
                match self.kernel.truth_of(self.store, args[0]) {
                    Some(true) => (&args[1..2], Some(args[0])),
                    Some(false) => (&args[2..3], Some(args[0])),
                    None => (args, None),
                }
            }
            _ => (args, None),
        };
        for part in parts.iter().copied().chain(condition) {
            self.open.push(part);
            if self.store.sort(part) == SortId::BOOL {
                let atom = match self.store.op(part) {
                    Op::Not => self.store.args(part)[0],
                    _ => part,
                };
                self.lits.extend(self.kernel.encoder.literals.get(&atom));
            }
        }
    }
}

/// Whether a formula is made of others, which have literals of their own.
fn is_connective(store: &Store, term: TermId) -> bool {
    match store.op(term) {
        Op::And | Op::Or | Op::Not | Op::Distinct | Op::Ite | Op::Forall | Op::Exists => true,
        Op::Eq => store.sort(store.args(term)[0]) == SortId::BOOL,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::Smt;
    use alphorn_sat::Answer;
    use alphorn_term::{SortId, Store};

    #[test]
    fn one_of_two_ways_to_be_true_is_enough() {
        let mut store = Store::new();
        let all = ["a", "b", "c", "d"].map(|name| store.var(name, SortId::BOOL));
        let [a, b, c, d] = all;
        let (first, second) = (store.and(&[a, b]), store.and(&[c, d]));
        let either = store.or(&[first, second]);
        let mut smt = Smt::default();
        smt.assert(&mut store, either);
        assert_eq!(smt.check(&mut store, &all), Answer::Sat);
        // They are true, and nobody has to know why.
        smt.kernel.assumed.clear();
        let terms = relevant_terms(&smt.kernel, &store);
        assert_eq!(all.iter().filter(|term| terms.contains(term)).count(), 2);
    }
}
