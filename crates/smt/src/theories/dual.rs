//! Dual propagation: which literals an assignment needs to make the formulas true, by a refutation.
//!
//! A solver of its own has the gates of the formulas, and that some formula or clause is false. With the
//! literals of the assignment as assumptions this is contradictory, and the assumptions that failed are all
//! that the formulas rest on. It stays from assignment to assignment: gates and clauses are
//! added when they are new, and what is to be false is guarded by a literal of its own each time.
//!
//! Invariant: what the solver has is true of the gates alone, whatever the formulas in force are.
//!
//! After Niemetz, Preiner, Biere, Turbo-charging lemmas on demand with don't care reasoning
//! (FMCAD 2014), with atoms of theories in place of bits.

use alphorn_sat::{Answer, Lit, Options, Solver, Var};

use super::justify::Kind;
use super::kernel::Kernel;

/// The solver, and how much it has been told.
pub(crate) struct Dual {
    solver: Solver,
    /// By variable of the search: its own.
    vars: Vec<Var>,
    /// By clause that models have to satisfy: what is true only if it is not.
    violated: Vec<Lit>,
}

impl Default for Dual {
    fn default() -> Dual {
        let solver = Solver::new(Options::default());
        Dual { solver, vars: Vec::new(), violated: Vec::new() }
    }
}

impl Dual {
    fn lit(&self, lit: Lit) -> Lit {
        self.vars[lit.var().index()].lit(!lit.is_negated())
    }

    /// Hears of variables and gates that are new; `is_leaf` says which are taken as they are.
    fn update(&mut self, kernel: &Kernel, is_leaf: &dyn Fn(Var) -> bool) {
        let justification = &kernel.theory().justification;
        let first = self.vars.len();
        while self.vars.len() < kernel.search.var_count() {
            self.vars.push(self.solver.new_var());
        }
        for index in first..self.vars.len() {
            let var = Var(index as u32);
            let Some((kind, output, inputs)) = justification.gate_of(var) else { continue };
            if is_leaf(var) {
                continue;
            }
            let output = self.lit(output);
            let inputs: Vec<Lit> = inputs.iter().map(|input| self.lit(*input)).collect();
            self.add_gate(kind, output, &inputs);
        }
        for clause in justification.stated_from(self.violated.len()) {
            let violated = self.solver.new_var().positive();
            for lit in clause {
                let lit = self.lit(*lit);
                self.solver.add_clause(&[!violated, !lit]);
            }
            self.violated.push(violated);
        }
    }

    fn add_gate(&mut self, kind: Kind, output: Lit, inputs: &[Lit]) {
        match (kind, inputs) {
            (Kind::And, _) => {
                let mut clause = vec![output];
                for input in inputs {
                    self.solver.add_clause(&[!output, *input]);
                    clause.push(!*input);
                }
                self.solver.add_clause(&clause);
            }
            (Kind::Same, &[a, b]) => {
                for clause in [[!output, !a, b], [!output, a, !b], [output, a, b], [output, !a, !b]]
                {
                    self.solver.add_clause(&clause);
                }
            }
            (Kind::Choice, &[c, a, b]) => {
                for clause in [[!output, !c, a], [!output, c, b], [output, !c, !a], [output, c, !b]]
                {
                    self.solver.add_clause(&clause);
                }
            }
            (Kind::Same | Kind::Choice, _) => {}
        }
    }

    /// Literals without gates that make the formulas in force true; nothing if these were not all that it
    /// takes.
    pub(crate) fn needed(
        &mut self,
        kernel: &Kernel,
        is_leaf: &dyn Fn(Var) -> bool,
    ) -> Option<Vec<Lit>> {
        self.update(kernel, is_leaf);
        let justification = &kernel.theory().justification;
        let is_true = |lit: Lit| kernel.search.value(lit) == Some(true);
        let guard = self.solver.new_var().positive();
        let mut clause = vec![!guard];
        for (lit, guards) in &justification.roots {
            if guards.iter().all(|guard| is_true(*guard)) {
                clause.push(!self.lit(*lit));
            }
        }
        clause.extend(kernel.assumed.iter().map(|(lit, _)| !self.lit(*lit)));
        let stated = self.violated.iter().zip(justification.are_unconditional());
        clause.extend(stated.filter(|(_, counts)| *counts).map(|(lit, _)| *lit));
        for demanded in justification.demanded() {
            let violated = self.solver.new_var().positive();
            for lit in demanded {
                let lit = self.lit(*lit);
                self.solver.add_clause(&[!violated, !lit]);
            }
            clause.push(violated);
        }
        self.solver.add_clause(&clause);
        let is_open = |var: Var| justification.gate_of(var).is_none() || is_leaf(var);
        let mut own = Vec::new();
        for index in 0..kernel.search.var_count() {
            let var = Var(index as u32);
            if let Some(value) = kernel.search.value(var.positive())
                && is_open(var)
            {
                own.push(var.lit(value));
            }
        }
        let mut assumptions: Vec<Lit> = own.iter().map(|lit| self.lit(*lit)).collect();
        assumptions.push(guard);
        let answer = self.solver.solve(&assumptions);
        let needed = own.into_iter().filter(|lit| self.solver.is_failed(self.lit(*lit))).collect();
        self.solver.add_clause(&[!guard]);
        (answer == Answer::Unsat).then_some(needed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::Smt;
    use crate::theories::relevance::relevant_terms;
    use alphorn_term::{SortId, Store, TermId};

    /// That `a` and `b`, or `c` and `d`, where all of them are true.
    fn two_ways(store: &mut Store) -> (Smt, [TermId; 4]) {
        let all = ["a", "b", "c", "d"].map(|name| store.var(name, SortId::BOOL));
        let [a, b, c, d] = all;
        let (first, second) = (store.and(&[a, b]), store.and(&[c, d]));
        let either = store.or(&[first, second]);
        let mut smt = Smt::default();
        smt.assert(store, either);
        assert_eq!(smt.check(store, &all), Answer::Sat);
        // They are true, and nobody has to know why.
        smt.kernel.assumed.clear();
        (smt, all)
    }

    #[test]
    fn one_of_two_ways_to_be_true_is_enough() {
        let mut store = Store::new();
        let (smt, all) = two_ways(&mut store);
        let needed = Dual::default().needed(&smt.kernel, &|_| false).expect("it follows");
        let is_needed = all.map(|term| needed.contains(&smt.kernel.encoder.literals[&term]));
        assert!(matches!(is_needed, [true, true, false, false] | [false, false, true, true]));
        let mut dual = Dual::default();
        for own in [None, Some(&mut dual)] {
            let terms = relevant_terms(&smt.kernel, &store, own);
            let count = all.iter().filter(|term| terms.contains(term)).count();
            assert_eq!(count, 2);
        }
    }
}
