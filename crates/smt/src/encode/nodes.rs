//! Terms as nodes of congruence closure, and what they share with other theories.
//!
//! Arguments of functions and operators are nodes. A number among them is known to arithmetic, too; a
//! truth value is tied to its literal.

use super::{Encoder, Leaf, Search, is_operator};
use crate::combine::SharedNumber;
use crate::euf::Node;
use crate::linear::Linear;
use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::Lit;
use alphorn_term::{Op, SortId, Store, TermId};

impl Encoder {
    /// The node of a term, made with those below it.
    pub(crate) fn node(&mut self, search: &mut Search, store: &mut Store, root: TermId) -> Node {
        if let Some(node) = self.nodes.get(&root) {
            return *node;
        }
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.nodes.contains_key(&term) {
                continue;
            }
            let op = store.op(term);
            let is_application = matches!(op, Op::Apply(_)) || is_operator(op);
            if is_ready || !is_application {
                self.make_node(search, store, term, is_application);
            } else {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|arg| (*arg, false)));
            }
        }
        self.nodes[&root]
    }

    pub(super) fn make_node(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        is_application: bool,
    ) {
        let args: Vec<TermId> = match is_application {
            true => store.args(term).to_vec(),
            false => Vec::new(),
        };
        let children: Vec<Node> = args.iter().map(|arg| self.nodes[arg]).collect();
        let symbol = match store.op(term) {
            Op::True => 1,
            Op::False => 0,
            Op::Apply(func) if !args.is_empty() => 1 << 32 | func.index() as u64,
            op if is_operator(op) => self.operator(op, store.sort(term)),
            _ => 2 << 32 | term.index() as u64,
        };
        let value = match store.op(term) {
            Op::True => Some(1),
            Op::False => Some(0),
            // Values of different constructors are different.
            Op::Construct(_) => Some(symbol),
            _ => store.is_literal(term).then_some(symbol),
        };
        let node = search.theory_mut().euf.node(symbol, &children, value);
        if self.nodes.insert(term, node).is_none() && !args.is_empty() {
            self.cases.entry(store.op(term)).or_default().push(term);
        }
        self.node_terms.insert(node, term);
        // What reads and writes make of equal numbers is the business of `arrays`.
        let is_array = matches!(store.op(term), Op::Select | Op::Store | Op::ConstArray);
        for (place, arg) in args.iter().enumerate() {
            let is_placed = !is_array || store.sort(*arg) == SortId::BOOL;
            let place = is_placed.then_some(symbol << 8 | place as u64 & 255);
            self.share(search, store, *arg, place);
        }
        self.share(search, store, term, None);
        self.define_fields(search, store, term);
    }

    /// The symbol that equality knows an operator by.
    pub(crate) fn operator(&mut self, op: Op, sort: SortId) -> u64 {
        let next = 3 << 32 | self.operators.len() as u64;
        *self.operators.entry((op, sort)).or_insert(next)
    }

    /// Lets arithmetic and equality both know a number; ties a truth value to its literal.
    pub(super) fn share(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        place: Option<u64>,
    ) {
        let (sort, node) = (store.sort(term), self.nodes[&term]);
        if sort == SortId::BOOL {
            if place.is_some() && !matches!(term, TermId::TRUE | TermId::FALSE) {
                self.visit(search, store, term);
                let lit = self.lit(store, term);
                self.tie(search, store, term, lit, node);
            }
            return;
        }
        if store.width_of(sort).is_some() {
            return self.share_word(search, store, term, place);
        }
        if !sort.is_arithmetic() {
            return;
        }
        if !search.theory().shared.index.contains_key(&node) {
            let linear = Linear::of(store, term);
            let polynomial = self.polynomial(search, store, &linear);
            let shared = &mut search.theory_mut().shared;
            shared.index.insert(node, shared.numbers.len());
            let is_int = sort == SortId::INT;
            shared.numbers.push(SharedNumber { node, polynomial, is_int, places: Vec::new() });
        }
        let shared = &mut search.theory_mut().shared;
        let index = shared.index[&node];
        if let Some(place) = place
            && !shared.numbers[index].places.contains(&place)
        {
            shared.numbers[index].places.push(place);
        }
    }

    /// Ties a node to a literal by a variable in between: the search may have given the literal's
    /// own variable a value that the theories never heard of.
    pub(super) fn tie(
        &mut self,
        search: &mut Search,
        store: &Store,
        term: TermId,
        lit: Lit,
        node: Node,
    ) {
        let is_tied = search.theory().atoms.truth(lit.var()) == Some(node) && !lit.is_negated();
        if is_tied || !self.tied.insert(node) {
            return;
        }
        let literal = Literal::of(store, term);
        let var = self.variable_for(search, Some(literal));
        let taut = || Leaf::Tautology(vec![literal, !literal]);
        self.clause(search, &[var.positive(), !lit], taut());
        self.clause(search, &[var.negative(), lit], taut());
        let theory = search.theory_mut();
        theory.atoms.add_truth(var, node);
        theory.justification.always_decide(var);
    }

    /// An equation of things that are not numbers.
    pub(super) fn equation(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        left: TermId,
        right: TermId,
    ) -> Lit {
        let (left, right) = (self.node(search, store, left), self.node(search, store, right));
        if let Some(lit) = search.theory().atoms.equality(left, right) {
            return lit;
        }
        let var = self.variable(search, Some(term));
        let theory = search.theory_mut();
        theory.atoms.add_equality(var, left, right);
        theory.euf.watch_equality(left, right, var.0);
        var.positive()
    }
}
