//! Terms as literals of the search.
//!
//! Every Boolean term gets a literal, with clauses that say what its connective means (Tseitin,
//! `connectives`); atoms are the business of theories. Terms are taken as they are: nothing is
//! rewritten, so that names, partitions and proofs stay simple. Operators that are no connective have
//! their defining axioms added where they first occur, by the theory that knows them.
//!
//! Each clause carries its `Leaf`, from which a proof step is made if somebody asks.
//! What no theory understands is opaque, and makes the answer `Sat` unknown.

mod connectives;

use std::sync::Arc;

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_sat::{Lit, Solver, Var};
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::theories::proof::Writer;
use crate::theories::{Table, Theories};

/// Why a clause of the search may be assumed.
#[derive(Clone)]
pub(crate) enum Leaf {
    /// The truth value true is true.
    Truth,
    /// An assertion, by its number.
    Assertion(usize),
    /// The definition of a connective, as a clause of terms.
    Tautology(Vec<Literal>),
    /// What a theory says of a term, and how it shows that.
    Of(TermId, ProveOf),
    /// What a conditional comes to.
    Conditional(TermId),
    /// An instance of a quantified formula: the clause, and the terms for its variables.
    Instance(Vec<Literal>, Vec<TermId>),
    /// The witnesses of a quantified formula: the clause, and the variables.
    Witness(Vec<Literal>, Vec<TermId>),
    /// The bits of its words show it.
    Bits,
    /// What a theory knows more of than a term.
    Lemma(Arc<dyn Lemma>),
    /// An axiom, as a clause of terms, by a rule that needs nothing else.
    Axiom(Vec<Literal>, Rule),
    /// It follows from the theory by itself.
    Theory,
}

/// A step for a clause about a term: the clause is what represents it.
pub(crate) type ProveOf = fn(&mut Writer<'_>, TermId, Vec<Literal>) -> Option<StepId>;

/// A clause that a theory stated, with what it needs to show it.
pub(crate) trait Lemma: Send + Sync {
    /// A step for the clause, of which `clause` is what represents it.
    fn prove(&self, writer: &mut Writer<'_>, clause: &[Literal]) -> Option<StepId>;

    /// The term that it is about; nothing if it is about all terms of the clause.
    fn subject(&self) -> Option<TermId> {
        None
    }
}

/// What the search knows of terms, apart from what theories know.
pub(crate) struct Encoder {
    pub(crate) literals: FxHashMap<TermId, Lit>,
    /// For each variable of the search what says the same, if it was made for it.
    pub(crate) terms: Vec<Option<Literal>>,
    /// Variables and constants, in the order of their first occurrence.
    pub(crate) symbols: Vec<TermId>,
    /// Why each input clause is there, by its sorted literals, if a proof is wanted.
    pub(crate) leaves: Option<FxHashMap<Vec<Lit>, Leaf>>,
    pub(crate) truth: Lit,
    /// Terms whose defining properties are to be added.
    pending: Vec<TermId>,
    visited: FxHashSet<TermId>,
    pub(crate) partition: u32,
    stack: Vec<(TermId, bool)>,
}

pub(crate) type Search = Solver<Theories>;

/// Terms on their way to literals: what theories are given to say what their terms mean.
pub(crate) struct Encoding<'a> {
    pub(crate) encoder: &'a mut Encoder,
    pub(crate) search: &'a mut Search,
    pub(crate) store: &'a mut Store,
}

impl Encoder {
    pub(crate) fn new(search: &mut Search, with_proofs: bool) -> Encoder {
        let truth = search.new_var().positive();
        let mut encoder = Encoder {
            literals: FxHashMap::default(),
            terms: vec![Some(Literal { atom: TermId::TRUE, negated: false })],
            symbols: Vec::new(),
            leaves: with_proofs.then(FxHashMap::default),
            truth,
            pending: Vec::new(),
            visited: FxHashSet::default(),
            partition: 0,
            stack: Vec::new(),
        };
        encoder.literals.insert(TermId::TRUE, truth);
        encoder.literals.insert(TermId::FALSE, !truth);
        encoder.clause(search, &[truth], Leaf::Truth);
        encoder
    }

    /// Adds a clause of the search, with its reason; models need not satisfy it, as far as the
    /// justification is told nothing else.
    fn clause(&mut self, search: &mut Search, clause: &[Lit], leaf: Leaf) {
        if let Some(leaves) = &mut self.leaves {
            let mut key = clause.to_vec();
            key.sort_unstable();
            key.dedup();
            leaves.entry(key).or_insert(leaf);
        }
        search.add_clause_in(clause, self.partition);
    }

    /// Adds the clause of an assertion, by its number.
    pub(crate) fn assert(&mut self, search: &mut Search, clause: &[Lit], number: usize) {
        self.clause(search, clause, Leaf::Assertion(number));
    }
}

impl Encoding<'_> {
    /// The theories.
    pub(crate) fn theory(&self) -> &Theories {
        self.search.theory()
    }

    /// The theories, to be told something.
    pub(crate) fn theory_mut(&mut self) -> &mut Theories {
        self.search.theory_mut()
    }

    /// Adds a clause that every model has to satisfy, with its reason.
    pub(crate) fn clause(&mut self, clause: &[Lit], leaf: Leaf) {
        if clause.len() > 1 {
            let justification = &mut self.search.theory_mut().justification;
            match &leaf {
                Leaf::Conditional(term) => justification.state_of(clause, *term),
                // They say what a quantified formula means, and nothing where that does not matter.
                Leaf::Instance(literals, _) | Leaf::Witness(literals, _)
                    if !literals.is_empty() =>
                {
                    justification.state_of(clause, literals[0].atom);
                }
                _ => justification.state(clause),
            }
        }
        self.encoder.clause(self.search, clause, leaf);
    }

    /// Adds a clause that models need not satisfy unless somebody demands it: that of a gate which
    /// the justification knows, say.
    pub(crate) fn lemma(&mut self, clause: &[Lit], leaf: Leaf) {
        self.encoder.clause(self.search, clause, leaf);
    }

    /// A variable of the search that says what the term says.
    pub(crate) fn variable(&mut self, term: Option<TermId>) -> Var {
        self.variable_for(term.map(|atom| Literal { atom, negated: false }))
    }

    /// A literal of which nothing is known but that it says what the term says.
    pub(crate) fn opaque(&mut self, term: TermId) -> Lit {
        self.variable(Some(term)).positive()
    }

    /// A variable of the search that says what the literal says.
    pub(crate) fn variable_for(&mut self, literal: Option<Literal>) -> Var {
        let var = self.search.new_var();
        self.encoder.terms.resize(var.index(), None);
        self.encoder.terms.push(literal);
        var
    }

    /// The literal of a Boolean term.
    pub(crate) fn literal(&mut self, root: TermId) -> Lit {
        if let Some(lit) = self.known(root) {
            return lit;
        }
        self.visit(root);
        self.settle();
        self.known(root).expect("visiting a formula gives it a literal")
    }

    /// The literal of a formula met while properties are being added; what it needs is added
    /// later, as otherwise chains of conditionals would nest calls.
    pub(crate) fn sub_literal(&mut self, term: TermId) -> Lit {
        self.visit(term);
        self.lit(term)
    }

    /// Has the defining properties of a term added when what is being visited is there.
    pub(crate) fn defer(&mut self, term: TermId) {
        self.encoder.pending.push(term);
    }

    /// Adds the defining properties of what was visited.
    pub(crate) fn settle(&mut self) {
        while let Some(term) = self.encoder.pending.pop() {
            if !Table::define(self, term) {
                self.define_conditional(term);
            }
        }
    }

    /// The literal of a Boolean term that was visited.
    fn known(&self, term: TermId) -> Option<Lit> {
        let literals = &self.encoder.literals;
        match self.store.op(term) {
            Op::Not => literals.get(&self.store.args(term)[0]).map(|lit| !*lit),
            _ => literals.get(&term).copied(),
        }
    }

    pub(crate) fn lit(&self, term: TermId) -> Lit {
        self.known(term).expect("arguments are visited before applications")
    }

    /// Visits a term after its arguments.
    pub(crate) fn visit(&mut self, root: TermId) {
        let mut stack = std::mem::take(&mut self.encoder.stack);
        stack.push((root, false));
        while let Some((term, is_ready)) = stack.pop() {
            if is_ready {
                self.enter(term);
            } else if self.encoder.visited.insert(term) {
                stack.push((term, true));
                if !matches!(self.store.op(term), Op::Forall | Op::Exists) {
                    stack.extend(self.store.args(term).iter().rev().map(|arg| (*arg, false)));
                }
            }
        }
        self.encoder.stack = stack;
    }

    /// Gives a term whose arguments were visited what it needs.
    fn enter(&mut self, term: TermId) {
        let (op, sort) = (self.store.op(term), self.store.sort(term));
        let is_symbol = match op {
            Op::Var(_) => true,
            Op::Apply(_) => self.store.args(term).is_empty(),
            _ => false,
        };
        if is_symbol {
            self.encoder.symbols.push(term);
        }
        let is_understood = Table::enter(self, term);
        if sort == SortId::BOOL {
            if op != Op::Not && !self.encoder.literals.contains_key(&term) {
                let lit = self.formula(term);
                self.encoder.literals.insert(term, lit);
            }
        } else if !is_understood {
            match op {
                Op::Ite => self.defer(term),
                _ => self.theory_mut().mark_unclear(),
            }
        }
    }
}
