//! Terms as nodes of congruence closure.
//!
//! Arguments of functions and operators are nodes, and other theories hear of them: a number among them
//! is known to arithmetic, too; a truth value is tied to its literal.

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::Lit;
use alphorn_term::{Op, SortId, TermId};

use crate::euf::Node;
use crate::theories::Table;
use crate::theories::encode::{Encoding, Leaf};
use crate::theories::theory::Congruence;

/// The node of a term, made with those below it.
pub(crate) fn node(cx: &mut Encoding<'_>, root: TermId) -> Node {
    if let Some(node) = cx.theory().equality.nodes.get(&root) {
        return *node;
    }
    let mut stack = vec![(root, false)];
    while let Some((term, is_ready)) = stack.pop() {
        if cx.theory().equality.nodes.contains_key(&term) {
            continue;
        }
        let op = cx.store.op(term);
        let is_application = matches!(op, Op::Apply(_)) || Table::congruence(op).is_some();
        if is_ready || !is_application {
            make_node(cx, term, is_application);
        } else {
            stack.push((term, true));
            stack.extend(cx.store.args(term).iter().map(|arg| (*arg, false)));
        }
    }
    cx.theory().equality.nodes[&root]
}

fn make_node(cx: &mut Encoding<'_>, term: TermId, is_application: bool) {
    let args: Vec<TermId> = match is_application {
        true => cx.store.args(term).to_vec(),
        false => Vec::new(),
    };
    let (op, sort) = (cx.store.op(term), cx.store.sort(term));
    let symbol = match op {
        Op::True => 1,
        Op::False => 0,
        Op::Apply(func) if !args.is_empty() => 1 << 32 | func.index() as u64,
        op if Table::congruence(op).is_some() => operator(cx, op, sort),
        _ => 2 << 32 | term.index() as u64,
    };
    let value = match op {
        Op::True => Some(1),
        Op::False => Some(0),
        op if Table::tells_apart(op) => Some(symbol),
        _ => cx.store.is_literal(term).then_some(symbol),
    };
    let equality = &mut cx.theory_mut().equality;
    let children: Vec<Node> = args.iter().map(|arg| equality.nodes[arg]).collect();
    let node = equality.closure.node(symbol, &children, value);
    if equality.nodes.insert(term, node).is_none() && !args.is_empty() {
        equality.cases.entry(op).or_default().push(term);
    }
    equality.node_terms.insert(node, term);
    let is_own = Table::congruence(op) == Some(Congruence::Own);
    for (place, arg) in args.iter().enumerate() {
        let is_placed = !is_own || cx.store.sort(*arg) == SortId::BOOL;
        let place = is_placed.then_some(symbol << 8 | place as u64 & 255);
        Table::share(cx, *arg, place);
    }
    Table::share(cx, term, None);
    Table::named(cx, term);
}

/// The symbol that equality knows an operator by.
pub(crate) fn operator(cx: &mut Encoding<'_>, op: Op, sort: SortId) -> u64 {
    let operators = &mut cx.theory_mut().equality.operators;
    let next = 3 << 32 | operators.len() as u64;
    *operators.entry((op, sort)).or_insert(next)
}

/// Ties the node of a term to its literal by a variable in between: the search may have given the
/// literal's own variable a value that the theories never heard of.
pub(super) fn tie(cx: &mut Encoding<'_>, term: TermId, lit: Lit) {
    let theory = cx.theory_mut();
    let node = theory.equality.nodes[&term];
    let is_tied = theory.atoms.truth(lit.var()) == Some(node) && !lit.is_negated();
    if is_tied || !theory.equality.tied.insert(node) {
        return;
    }
    let literal = Literal::of(cx.store, term);
    let var = cx.variable_for(Some(literal));
    let taut = || Leaf::Tautology(vec![literal, !literal]);
    cx.clause(&[var.positive(), !lit], taut());
    cx.clause(&[var.negative(), lit], taut());
    let theory = cx.theory_mut();
    theory.atoms.add_truth(var, node);
    theory.justification.always_decide(var);
}

/// An application of a function whose values are truth values.
pub(super) fn predicate(cx: &mut Encoding<'_>, term: TermId) -> Lit {
    let var = cx.variable(Some(term));
    let node = node(cx, term);
    let theory = cx.theory_mut();
    theory.atoms.add_truth(var, node);
    // Congruence has to know all values of a predicate.
    theory.justification.always_decide(var);
    var.positive()
}

/// An equation of things that no other theory compares.
pub(super) fn equation(cx: &mut Encoding<'_>, term: TermId, left: TermId, right: TermId) -> Lit {
    let (left, right) = (node(cx, left), node(cx, right));
    if let Some(lit) = cx.theory().atoms.equality(left, right) {
        return lit;
    }
    let var = cx.variable(Some(term));
    let theory = cx.theory_mut();
    theory.atoms.add_equality(var, left, right);
    theory.equality.closure.watch_equality(left, right, var.0);
    var.positive()
}
