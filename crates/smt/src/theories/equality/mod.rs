//! Equality as a theory: its state, and what it says when.
//!
//! Terms below functions are nodes of the closure (`nodes`). Equations that literals state, and truth values
//! of nodes, are merged when the search asks; equations that then hold or cannot hold are told to it.
//! In a model each class of terms of an uninterpreted sort is an element, and each class of `tokens` a number.

pub(crate) mod nodes;
pub(crate) mod tokens;

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::{Context, Lit, Var};
use alphorn_term::{Op, Sort, SortId, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::euf::{Euf, Node};
use crate::theories::atoms::Meaning;
use crate::theories::encode::Encoding;
use crate::theories::model::Reading;
use crate::theories::proof::Writer;
use crate::theories::theory::Theory;
use crate::theories::{Table, Theories};

/// Equality with functions.
pub(crate) struct Equality {
    pub(crate) closure: Euf,
    /// The nodes of the truth values.
    truth: [Node; 2],
    pub(crate) nodes: FxHashMap<TermId, Node>,
    pub(crate) node_terms: FxHashMap<Node, TermId>,
    /// The applications with nodes of each function and operator, in the order in which they got them.
    pub(crate) cases: FxHashMap<Op, Vec<TermId>>,
    /// Applications of functions.
    pub(crate) applications: Vec<TermId>,
    /// Operators that are taken for functions, with the sort of their values.
    operators: FxHashMap<(Op, SortId), u64>,
    /// Numbers that nobody but equality looks after.
    pub(crate) tokens: FxHashSet<TermId>,
    /// Nodes of truth values that are tied to literals.
    tied: FxHashSet<Node>,
    reported: Vec<(u32, bool)>,
    tags: Vec<u32>,
}

impl Default for Equality {
    fn default() -> Equality {
        let mut closure = Euf::new();
        let truth = [closure.node(0, &[], Some(0)), closure.node(1, &[], Some(1))];
        Equality {
            closure,
            truth,
            nodes: FxHashMap::default(),
            node_terms: FxHashMap::default(),
            cases: FxHashMap::default(),
            applications: Vec::new(),
            operators: FxHashMap::default(),
            tokens: FxHashSet::default(),
            tied: FxHashSet::default(),
            reported: Vec::new(),
            tags: Vec::new(),
        }
    }
}

impl Equality {
    /// Whether an equation is one of tokens.
    pub(crate) fn is_of_tokens(&self, store: &Store, equation: TermId) -> bool {
        store.op(equation) == Op::Eq
            && store.args(equation).iter().any(|side| self.tokens.contains(side))
    }

    /// The class of a term that has a node.
    pub(crate) fn root(&self, term: TermId) -> Option<Node> {
        self.nodes.get(&term).map(|node| self.closure.root(*node))
    }
}

impl Theory for Equality {
    fn enter(cx: &mut Encoding<'_>, term: TermId) -> bool {
        match cx.store.op(term) {
            Op::Var(_) => true,
            Op::Apply(_) => {
                if !cx.store.args(term).is_empty() {
                    cx.theory_mut().equality.applications.push(term);
                    nodes::node(cx, term);
                }
                true
            }
            op => {
                let is_function = Table::congruence(op).is_some();
                if is_function {
                    nodes::node(cx, term);
                }
                is_function
            }
        }
    }

    fn atom(cx: &mut Encoding<'_>, term: TermId) -> Option<Lit> {
        match (cx.store.op(term), cx.store.args(term)) {
            (Op::Eq, &[left, right]) => {
                let sort = cx.store.sort(left);
                let is_compared = cx.theory().equality.is_of_tokens(cx.store, term);
                let has_own =
                    sort.is_arithmetic() && !is_compared || cx.store.width_of(sort).is_some();
                (!has_own).then(|| nodes::equation(cx, term, left, right))
            }
            (op, args) if !args.is_empty() => {
                let is_function = matches!(op, Op::Apply(_)) || Table::congruence(op).is_some();
                is_function.then(|| nodes::predicate(cx, term))
            }
            _ => None,
        }
    }

    fn share(cx: &mut Encoding<'_>, term: TermId, place: Option<u64>) {
        let is_open = !matches!(term, TermId::TRUE | TermId::FALSE);
        if cx.store.sort(term) == SortId::BOOL && place.is_some() && is_open {
            let lit = cx.sub_literal(term);
            nodes::tie(cx, term, lit);
        }
    }

    fn push(&mut self) {
        self.closure.push();
    }

    fn pop(&mut self, levels: usize) {
        self.closure.pop(levels);
    }

    #[inline]
    fn assert(theories: &mut Theories, lit: Lit, context: &mut Context<'_>) -> bool {
        let Theories { equality: Equality { closure, truth, .. }, atoms, .. } = theories;
        let tag = lit.code();
        if let Some(node) = atoms.truth(lit.var()) {
            let value = truth[usize::from(!lit.is_negated())];
            if let Err(conflict) = closure.assert_equal(node, value, tag) {
                theories.refute_tags(&conflict.tags, None, context);
                return false;
            }
        }
        let Meaning::Equal(left, right) = *atoms.meaning(lit.var()) else { return true };
        let result = match lit.is_negated() {
            false => closure.assert_equal(left, right, tag),
            true => closure.assert_distinct(left, right, tag),
        };
        if let Err(conflict) = result {
            theories.refute_tags(&conflict.tags, None, context);
            return false;
        }
        true
    }

    fn is_unsettled(&self) -> bool {
        self.closure.is_unsettled()
    }

    #[inline]
    fn propagate(theories: &mut Theories, context: &mut Context<'_>) -> bool {
        imply_equations(theories, context)
    }

    fn value(reading: &Reading<'_>, term: TermId, sort: &Sort) -> Option<Value> {
        let equality = &reading.kernel.theory().equality;
        if equality.tokens.contains(&term) {
            let number = reading.tokens().get(&equality.root(term)?)?.clone();
            return match sort {
                Sort::Int => Some(Value::Int(number.floor())),
                _ => Some(Value::Real(number)),
            };
        }
        let Sort::Uninterpreted(..) = sort else { return None };
        let root = equality.root(term)?;
        let element = *reading.elements.get(&root)?;
        Some(Value::Element(reading.store.sort(term), element))
    }

    fn literal(writer: &mut Writer<'_>, var: Var) -> Option<Literal> {
        let theory = writer.kernel.theory();
        let Meaning::Equal(left, right) = theory.atoms.meaning(var) else { return None };
        let terms = &theory.equality.node_terms;
        let (left, right) = (*terms.get(left)?, *terms.get(right)?);
        let equation = writer.store.eq(left, right);
        Some(Literal::of(writer.store, equation))
    }
}

/// Tells the search of equations that hold or cannot hold.
fn imply_equations(theories: &mut Theories, context: &mut Context<'_>) -> bool {
    if let Err(conflict) = theories.equality.closure.close() {
        theories.refute_tags(&conflict.tags, None, context);
        return false;
    }
    let mut reported = std::mem::take(&mut theories.equality.reported);
    reported.clear();
    theories.equality.closure.implied(&mut reported);
    let mut is_consistent = true;
    for &(id, holds) in &reported {
        let lit = Var(id).lit(holds);
        if context.value(lit) == Some(true) {
            continue;
        }
        let Meaning::Equal(left, right) = *theories.atoms.meaning(Var(id)) else { continue };
        let mut tags = std::mem::take(&mut theories.equality.tags);
        tags.clear();
        match holds {
            true => theories.equality.closure.explain_equal(left, right, &mut tags),
            false => theories.equality.closure.explain_distinct(left, right, &mut tags),
        }
        if context.value(lit) == Some(false) {
            theories.refute_tags(&tags, Some(lit), context);
            is_consistent = false;
        } else {
            theories.clause.clear();
            theories.clause.extend(tags.iter().map(|tag| !Lit::from_code(*tag)));
            theories.imply(lit, context);
        }
        theories.equality.tags = tags;
        if !is_consistent {
            break;
        }
    }
    theories.equality.reported = reported;
    is_consistent
}
