//! Terms as literals of the search.
//!
//! Every Boolean term gets a literal, with clauses that say what its connective means (Tseitin);
//! comparisons become bounds (`atoms`), equations of numbers a variable tied to two bounds. Terms
//! are taken as they are: nothing is rewritten, so that names, partitions and proofs stay simple.
//! Operators that are no connective have their defining axioms added where they first occur: `ite`,
//! `div`, `mod`, `abs`, `to_int`, `is_int`.
//!
//! - `numbers`: polynomials, bounds, equations of numbers
//! - `nodes`: congruence closure
//!
//! Each clause carries its `Leaf`, from which a proof step is made if somebody asks.
//! What no theory understands is opaque, and makes the answer `Sat` unknown.

mod nodes;
mod numbers;

use std::sync::Arc;

use alphorn_problem::evidence::proof::{Literal, Rule};
use alphorn_sat::{Lit, Solver, Var};
use alphorn_term::{CtorId, Op, Sort, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arith::Var as Form;
use crate::arrays::Path;
use crate::euf::Node;
use crate::product::{Product, Signs};
use crate::theory::Theories;
use crate::words::{self, Words};

/// Why a clause of the search may be assumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// The truth value true is true.
    Truth,
    /// An assertion, by its number.
    Assertion(usize),
    /// The definition of a connective, as a clause of terms.
    Tautology(Vec<Literal>),
    /// An equation is one of its bounds, or one of them fails.
    Trichotomy(TermId),
    /// A defining property of a term.
    Arithmetic(TermId),
    /// What a conditional comes to.
    Conditional(TermId),
    /// A product has the sign that its factors give it.
    Product(Box<Signs>),
    /// An instance of a quantified formula: the clause, and the terms for its variables.
    Instance(Vec<Literal>, Vec<TermId>),
    /// The witnesses of a quantified formula: the clause, and the variables.
    Witness(Vec<Literal>, Vec<TermId>),
    /// The bits of its words show it.
    Bits,
    /// Reads from both ends of a path of writes are equal.
    Array(Box<Path>),
    /// An axiom, as a clause of terms, by a rule that needs nothing else.
    Axiom(Vec<Literal>, Rule),
    /// It follows from the theory by itself.
    Theory,
}

/// Whether equality takes an operator for a function of its arguments.
pub(crate) fn is_operator(op: Op) -> bool {
    use Op::{ConstArray, Construct, Field, Select, Store};
    matches!(op, Select | Store | ConstArray | Construct(_) | Field(..))
}

/// What the search knows of terms.
pub(crate) struct Encoder {
    pub(crate) literals: FxHashMap<TermId, Lit>,
    /// For each variable of the search what says the same, if it was made for it.
    pub(crate) terms: Vec<Option<Literal>>,
    pub(crate) numbers: FxHashMap<TermId, Form>,
    /// For each unknown of arithmetic the term that it is, if it is no mere form.
    pub(crate) unknowns: FxHashMap<Form, TermId>,
    pub(crate) nodes: FxHashMap<TermId, Node>,
    pub(crate) node_terms: FxHashMap<Node, TermId>,
    /// The applications with nodes of each function and operator, in the order in which they got them.
    pub(crate) cases: FxHashMap<Op, Vec<TermId>>,
    /// Variables and constants, in the order of their first occurrence.
    pub(crate) symbols: Vec<TermId>,
    /// Applications of functions.
    pub(crate) applications: Vec<TermId>,
    /// Terms of array operators, variables that are arrays, and equations of arrays, in the order
    /// of their first occurrence.
    pub(crate) arrays: Vec<TermId>,
    /// Terms of datatype operators, and other terms that are values of datatypes.
    pub(crate) data: Vec<TermId>,
    /// Terms of datatypes of which was said what they can be.
    pub(crate) expanded: FxHashSet<TermId>,
    /// Whether sorts have finitely many values, as far as somebody asked.
    pub(crate) finite_sorts: FxHashMap<SortId, bool>,
    /// The places of a constructor where values can have values of its own sort in them.
    pub(crate) recursive_places: FxHashMap<CtorId, Arc<[usize]>>,
    /// Operators that equality takes for functions, with the sort of their values.
    operators: FxHashMap<(Op, SortId), u64>,
    /// Quantified formulas, if they are truth values like others.
    pub(crate) quantifiers: Vec<TermId>,
    pub(crate) has_opaque_quantifiers: bool,
    /// Products of unknowns.
    pub(crate) products: Vec<Product>,
    pub(crate) words: Words,
    /// Why each input clause is there, by its sorted literals, if a proof is wanted.
    pub(crate) leaves: Option<FxHashMap<Vec<Lit>, Leaf>>,
    pub(crate) truth: Lit,
    /// Terms whose defining properties are to be added.
    pending: Vec<TermId>,
    /// Nodes of truth values that are tied to literals.
    tied: FxHashSet<Node>,
    visited: FxHashSet<TermId>,
    pub(crate) partition: u32,
    stack: Vec<(TermId, bool)>,
    /// Whether clauses are those of a gate that the justification knows.
    is_defining: bool,
}

pub(crate) type Search = Solver<Theories>;

impl Encoder {
    pub(crate) fn new(search: &mut Search, with_proofs: bool) -> Encoder {
        let truth = search.new_var().positive();
        let mut encoder = Encoder {
            literals: FxHashMap::default(),
            terms: vec![Some(Literal { atom: TermId::TRUE, negated: false })],
            numbers: FxHashMap::default(),
            unknowns: FxHashMap::default(),
            nodes: FxHashMap::default(),
            node_terms: FxHashMap::default(),
            cases: FxHashMap::default(),
            symbols: Vec::new(),
            applications: Vec::new(),
            arrays: Vec::new(),
            data: Vec::new(),
            expanded: FxHashSet::default(),
            finite_sorts: FxHashMap::default(),
            recursive_places: FxHashMap::default(),
            operators: FxHashMap::default(),
            quantifiers: Vec::new(),
            has_opaque_quantifiers: false,
            products: Vec::new(),
            words: Words::default(),
            leaves: with_proofs.then(FxHashMap::default),
            truth,
            pending: Vec::new(),
            tied: FxHashSet::default(),
            visited: FxHashSet::default(),
            partition: 0,
            stack: Vec::new(),
            is_defining: false,
        };
        encoder.literals.insert(TermId::TRUE, truth);
        encoder.literals.insert(TermId::FALSE, !truth);
        encoder.clause(search, &[truth], Leaf::Truth);
        encoder
    }

    /// Adds a clause of the search, with its reason.
    pub(crate) fn clause(&mut self, search: &mut Search, clause: &[Lit], leaf: Leaf) {
        let is_assertion = matches!(leaf, Leaf::Assertion(_));
        if let Some(leaves) = &mut self.leaves {
            let mut key = clause.to_vec();
            key.sort_unstable();
            key.dedup();
            leaves.entry(key).or_insert(leaf);
        }
        if clause.len() > 1 && !self.is_defining && !is_assertion {
            search.theory_mut().justification.state(clause);
        }
        search.add_clause_in(clause, self.partition);
    }

    /// Adds a clause that models need not satisfy unless somebody demands it.
    pub(crate) fn lemma(&mut self, search: &mut Search, clause: &[Lit], leaf: Leaf) {
        self.is_defining = true;
        self.clause(search, clause, leaf);
        self.is_defining = false;
    }

    /// A variable of the search that says what the term says.
    pub(crate) fn variable(&mut self, search: &mut Search, term: Option<TermId>) -> Var {
        self.variable_for(search, term.map(|atom| Literal { atom, negated: false }))
    }

    /// A literal of which nothing is known but that it says what the term says.
    pub(crate) fn opaque(&mut self, search: &mut Search, term: TermId) -> Lit {
        self.variable(search, Some(term)).positive()
    }

    /// A variable of the search that says what the literal says.
    fn variable_for(&mut self, search: &mut Search, literal: Option<Literal>) -> Var {
        let var = search.new_var();
        self.terms.resize(var.index(), None);
        self.terms.push(literal);
        var
    }

    /// The literal of a Boolean term.
    pub(crate) fn literal(&mut self, search: &mut Search, store: &mut Store, root: TermId) -> Lit {
        if let Some(lit) = self.known(store, root) {
            return lit;
        }
        self.visit(search, store, root);
        self.settle(search, store);
        self.known(store, root).expect("visiting a formula gives it a literal")
    }

    /// Adds the defining properties of what was visited.
    pub(crate) fn settle(&mut self, search: &mut Search, store: &mut Store) {
        while let Some(term) = self.pending.pop() {
            self.define(search, store, term);
        }
    }

    /// The literal of a Boolean term that was visited.
    fn known(&self, store: &Store, term: TermId) -> Option<Lit> {
        match store.op(term) {
            Op::Not => self.literals.get(&store.args(term)[0]).map(|lit| !*lit),
            _ => self.literals.get(&term).copied(),
        }
    }

    pub(crate) fn lit(&self, store: &Store, term: TermId) -> Lit {
        self.known(store, term).expect("arguments are visited before applications")
    }

    /// Visits a term after its arguments.
    pub(crate) fn visit(&mut self, search: &mut Search, store: &mut Store, root: TermId) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push((root, false));
        while let Some((term, is_ready)) = stack.pop() {
            if is_ready {
                self.enter(search, store, term);
            } else if self.visited.insert(term) {
                stack.push((term, true));
                if !matches!(store.op(term), Op::Forall | Op::Exists) {
                    stack.extend(store.args(term).iter().rev().map(|arg| (*arg, false)));
                }
            }
        }
        self.stack = stack;
    }

    /// Gives a term whose arguments were visited what it needs.
    fn enter(&mut self, search: &mut Search, store: &mut Store, term: TermId) {
        let (op, sort) = (store.op(term), store.sort(term));
        match op {
            Op::Var(_) => self.symbols.push(term),
            Op::Apply(_) if store.args(term).is_empty() => self.symbols.push(term),
            Op::Apply(_) => {
                self.applications.push(term);
                self.node(search, store, term);
            }
            _ => {}
        }
        self.enter_structure(search, store, term);
        if sort == SortId::BOOL {
            if op != Op::Not && !self.literals.contains_key(&term) {
                let lit = self.formula(search, store, term);
                self.literals.insert(term, lit);
            }
        } else if sort.is_arithmetic() {
            self.number(search, store, term);
        } else if store.width_of(sort).is_some() {
            // Bits are made when something asks for them.
            if matches!(op, Op::IntToBv(_)) {
                self.pending.push(term);
            }
        } else if op == Op::Ite {
            self.pending.push(term);
        } else if !matches!(op, Op::Var(_) | Op::Apply(_)) && !is_operator(op) {
            search.theory_mut().mark_unclear();
        }
    }

    /// Remembers what the theories of arrays and datatypes have to know.
    fn enter_structure(&mut self, search: &mut Search, store: &mut Store, term: TermId) {
        let op = store.op(term);
        if is_operator(op) {
            self.node(search, store, term);
        }
        let sort = store.sort_of(store.sort(term));
        let is_equation = op == Op::Eq && {
            let side = store.sort(store.args(term)[0]);
            matches!(store.sort_of(side), Sort::Array(..))
        };
        if matches!(op, Op::Select) || matches!(sort, Sort::Array(..)) || is_equation {
            self.arrays.push(term);
        }
        if matches!(op, Op::Field(..)) || matches!(sort, Sort::Data(_)) {
            self.data.push(term);
        }
        if matches!(op, Op::Field(..) | Op::Is(_)) {
            self.pending.push(term);
        }
    }

    /// The literal of a Boolean term that is no negation.
    fn formula(&mut self, search: &mut Search, store: &mut Store, term: TermId) -> Lit {
        let args = store.args(term).to_vec();
        match store.op(term) {
            Op::And => self.junction(search, store, term, &args, true),
            Op::Or => self.junction(search, store, term, &args, false),
            Op::Le => self.comparison(search, store, term, false),
            Op::Lt => self.comparison(search, store, term, true),
            Op::Eq if store.sort(args[0]) == SortId::BOOL => {
                let (a, b) = (self.lit(store, args[0]), self.lit(store, args[1]));
                let e = self.variable(search, Some(term)).positive();
                let of = |t: TermId| Literal::of(store, t);
                let (te, ta, tb) = (of(term), of(args[0]), of(args[1]));
                search.theory_mut().justification.define_same(e, a, b);
                self.is_defining = true;
                for (signs, terms) in [
                    ([!e, !a, b], [!te, !ta, tb]),
                    ([!e, a, !b], [!te, ta, !tb]),
                    ([e, a, b], [te, ta, tb]),
                    ([e, !a, !b], [te, !ta, !tb]),
                ] {
                    self.clause(search, &signs, Leaf::Tautology(terms.to_vec()));
                }
                self.is_defining = false;
                e
            }
            Op::Ite => self.choice(search, store, term, &args),
            _ if words::is_comparison(store, term) => self.comparison_of_words(search, store, term),
            Op::Eq if store.sort(args[0]).is_arithmetic() => {
                self.number_equation(search, store, term, args[0], args[1])
            }
            Op::Eq => self.equation(search, store, term, args[0], args[1]),
            Op::Distinct => self.distinct(search, store, term, &args),
            Op::Is(_) => self.tester(search, store, term),
            Op::Apply(_) | Op::Select | Op::Field(..) if !args.is_empty() => {
                let var = self.variable(search, Some(term));
                let node = self.node(search, store, term);
                let theory = search.theory_mut();
                theory.atoms.add_truth(var, node);
                // Congruence has to know all values of a predicate.
                theory.justification.always_decide(var);
                var.positive()
            }
            Op::IsInt => {
                self.pending.push(term);
                self.variable(search, Some(term)).positive()
            }
            Op::Var(_) | Op::Apply(_) => self.variable(search, Some(term)).positive(),
            Op::Forall | Op::Exists if self.has_opaque_quantifiers => {
                self.quantifiers.push(term);
                self.variable(search, Some(term)).positive()
            }
            _ => {
                search.theory_mut().mark_unclear();
                self.variable(search, Some(term)).positive()
            }
        }
    }

    /// A conjunction, or a disjunction.
    fn junction(
        &mut self,
        search: &mut Search,
        store: &Store,
        term: TermId,
        args: &[TermId],
        is_and: bool,
    ) -> Lit {
        let whole = self.variable(search, Some(term)).positive().xor(!is_and);
        let of = |t: TermId| Literal::of(store, t);
        let tw = if is_and { of(term) } else { !of(term) };
        let (mut clause, mut terms) = (vec![whole], vec![tw]);
        let inputs = args.iter().map(|arg| self.lit(store, *arg).xor(!is_and));
        search.theory_mut().justification.define_and(whole, inputs);
        self.is_defining = true;
        for arg in args {
            // A disjunction is the negated conjunction of the negations.
            let lit = self.lit(store, *arg).xor(!is_and);
            let literal = if is_and { of(*arg) } else { !of(*arg) };
            self.clause(search, &[!whole, lit], Leaf::Tautology(vec![!tw, literal]));
            clause.push(!lit);
            terms.push(!literal);
        }
        self.clause(search, &clause, Leaf::Tautology(terms));
        self.is_defining = false;
        whole.xor(!is_and)
    }

    fn choice(&mut self, search: &mut Search, store: &Store, term: TermId, args: &[TermId]) -> Lit {
        let i = self.variable(search, Some(term)).positive();
        let [c, a, b] = [0, 1, 2].map(|place| self.lit(store, args[place]));
        let of = |t: TermId| Literal::of(store, t);
        let ti = of(term);
        search.theory_mut().justification.define_choice(i, [c, a, b]);
        self.is_defining = true;
        let [tc, ta, tb] = [0, 1, 2].map(|place| of(args[place]));
        for (signs, terms) in [
            ([!i, !c, a], [!ti, !tc, ta]),
            ([!i, c, b], [!ti, tc, tb]),
            ([i, !c, !a], [ti, !tc, !ta]),
            ([i, c, !b], [ti, tc, !tb]),
        ] {
            self.clause(search, &signs, Leaf::Tautology(terms.to_vec()));
        }
        self.is_defining = false;
        i
    }

    fn distinct(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        args: &[TermId],
    ) -> Lit {
        let whole = self.variable(search, Some(term)).positive();
        let tw = Literal::of(store, term);
        let (mut clause, mut terms) = (vec![whole], vec![tw]);
        for (place, left) in args.iter().enumerate() {
            for right in &args[place + 1..] {
                let equation = store.eq(*left, *right);
                self.visit(search, store, equation);
                let (lit, literal) = (self.lit(store, equation), Literal::of(store, equation));
                self.is_defining = true;
                self.clause(search, &[!whole, !lit], Leaf::Tautology(vec![!tw, !literal]));
                self.is_defining = false;
                clause.push(lit);
                terms.push(literal);
            }
        }
        self.is_defining = true;
        self.clause(search, &clause, Leaf::Tautology(terms));
        self.is_defining = false;
        let inputs = clause[1..].iter().map(|lit| !*lit);
        search.theory_mut().justification.define_and(whole, inputs);
        whole
    }
}
