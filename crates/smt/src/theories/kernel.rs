//! The part of a solver that theories see: the search, what makes terms literals, and which formulas are
//! in force.
//!
//! Formulas become literals once and for all (`encode`); a scope is an activation literal that its
//! assertions are guarded by and that every query in it assumes, so nothing is rebuilt when scopes
//! come and go. Theories are asked with the kernel, and never see who asks questions, keeps accounts and
//! gives answers: that is `Smt`, which stands above all of them.
//!
//! Invariant: `guards` and `assumed` are those of the last query.

use alphorn_sat::{Lit, Solver, Var};
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashSet;

use super::encode::{Encoder, Encoding, Search};
use super::{Table, Theories};
use crate::options::Options;

/// An assertion with what switches it on.
pub(crate) struct Assertion {
    pub(crate) term: TermId,
    /// The literal that stands for it in cores.
    pub(crate) guard: Option<Lit>,
}

/// A scope.
struct Scope {
    guard: Lit,
    assertions: usize,
}

/// A search with theories, and the formulas in force.
pub(crate) struct Kernel {
    pub(crate) search: Search,
    pub(crate) encoder: Encoder,
    pub(crate) assertions: Vec<Assertion>,
    scopes: Vec<Scope>,
    /// The assumptions of the last query, with their literals.
    pub(crate) assumed: Vec<(Lit, TermId)>,
    guards: Vec<Lit>,
    /// Variables that are guards.
    pub(crate) guard_vars: FxHashSet<Var>,
    /// Whether formulas were asserted for interpolants, which need clauses of one partition.
    pub(crate) is_partitioned: bool,
    /// Whether terms were seen that no formula in force is about.
    pub(crate) has_dead: bool,
    /// Whether something was not understood that came up in a search.
    pub(crate) has_unclear_lemmas: bool,
}

impl Kernel {
    /// Nothing is in force.
    pub(crate) fn new(options: &Options) -> Kernel {
        let search_options = alphorn_sat::Options {
            proof: u32::from(options.proofs),
            seed: options.seed,
            // Variables of theories and of later formulas must stay.
            eliminate: 0,
            equivalence: 0,
            ..alphorn_sat::Options::default()
        };
        let mut search = Solver::with_theory(search_options, Theories::new(options.proofs));
        let encoder = Encoder::new(&mut search, options.proofs);
        search.theory_mut().quantifiers.is_on = options.instance_rounds > 0;
        Kernel {
            search,
            encoder,
            assertions: Vec::new(),
            scopes: Vec::new(),
            assumed: Vec::new(),
            guards: Vec::new(),
            guard_vars: FxHashSet::default(),
            is_partitioned: false,
            has_dead: false,
            has_unclear_lemmas: false,
        }
    }

    /// The theories.
    pub(crate) fn theory(&self) -> &Theories {
        self.search.theory()
    }

    /// The theories, to be told something.
    pub(crate) fn theory_mut(&mut self) -> &mut Theories {
        self.search.theory_mut()
    }

    /// What makes terms literals.
    pub(crate) fn encoding<'a>(&'a mut self, store: &'a mut Store) -> Encoding<'a> {
        Encoding { encoder: &mut self.encoder, search: &mut self.search, store }
    }

    /// Puts a formula in force in the current scope, as part of a partition; its number.
    pub(crate) fn assert(
        &mut self,
        store: &mut Store,
        formula: TermId,
        partition: u32,
        is_guarded: bool,
    ) -> usize {
        self.encoder.partition = partition;
        self.is_partitioned |= partition > 0;
        let lit = self.encoding(store).literal(formula);
        let number = self.assertions.len();
        let mut clause = vec![lit];
        let mut guard = None;
        if is_guarded {
            let lit = self.new_guard();
            guard = Some(lit);
            clause.push(!lit);
        }
        if let Some(scope) = self.scopes.last() {
            clause.push(!scope.guard);
        }
        self.encoder.assert(&mut self.search, &clause, number);
        let truth = self.encoder.truth;
        let scope = self.scopes.last().map_or(truth, |scope| scope.guard);
        let guards = [guard.unwrap_or(truth), scope];
        self.theory_mut().justification.push_root(lit, guards);
        self.assertions.push(Assertion { term: formula, guard });
        number
    }

    fn new_guard(&mut self) -> Lit {
        let var = self.search.new_var();
        self.guard_vars.insert(var);
        var.positive()
    }

    /// Begins a scope.
    pub(crate) fn push(&mut self) {
        let guard = self.new_guard();
        self.scopes.push(Scope { guard, assertions: self.assertions.len() });
    }

    /// Ends the innermost scope with its assertions; whether there is one.
    pub(crate) fn pop(&mut self) -> bool {
        let Some(scope) = self.scopes.pop() else { return false };
        let scopes = self.scopes.len();
        Table::end_scopes(self.theory_mut(), scopes);
        self.has_dead |= self.assertions.len() > scope.assertions;
        self.theory_mut().truncate_roots(scope.assertions);
        self.search.add_clause(&[!scope.guard]);
        for assertion in self.assertions.drain(scope.assertions..) {
            if let Some(guard) = assertion.guard {
                self.search.add_clause(&[!guard]);
            }
        }
        true
    }

    /// Begins a query: the literals of what is in force and of the assumptions.
    pub(crate) fn assume(&mut self, store: &mut Store, assumptions: &[TermId]) -> Vec<Lit> {
        self.assumed.clear();
        for &term in assumptions {
            let lit = self.encoding(store).literal(term);
            self.assumed.push((lit, term));
        }
        self.guards.clear();
        self.guards.extend(self.scopes.iter().map(|scope| scope.guard));
        self.guards.extend(self.assertions.iter().filter_map(|assertion| assertion.guard));
        let mut lits = self.guards.clone();
        lits.extend(self.assumed.iter().map(|(lit, _)| *lit));
        lits
    }

    /// Whether these literals are all that the query began with.
    pub(crate) fn is_whole(&self, lits: &[Lit]) -> bool {
        lits.len() == self.guards.len() + self.assumed.len()
    }

    /// The formulas in force, those that were assumed last.
    pub(crate) fn in_force(&self) -> impl Iterator<Item = TermId> {
        let asserted = self.assertions.iter().map(|assertion| assertion.term);
        asserted.chain(self.assumed.iter().map(|(_, term)| *term))
    }

    /// How many scopes there are.
    pub(crate) fn scopes(&self) -> usize {
        self.scopes.len()
    }

    /// How many assertions there were before each scope.
    pub(crate) fn scope_starts(&self) -> impl Iterator<Item = usize> {
        self.scopes.iter().map(|scope| scope.assertions)
    }

    /// The literals that keep the assertions of open scopes in force, outermost first.
    pub(crate) fn scope_guards(&self) -> Vec<Lit> {
        self.scopes.iter().map(|scope| scope.guard).collect()
    }
}
