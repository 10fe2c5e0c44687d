//! Datatypes as nodes and literals.
//!
//! An application of a constructor gets a node for each field, equal to the argument by definition. A
//! term with a selector or a tester is *expanded*: it was made by one of the constructors, and by C
//! exactly if it equals C applied to its fields. These clauses hold in every model, so the search need
//! not satisfy them for terms that nothing true depends on.

use alphorn_problem::evidence::proof::{Literal, Rule};
use alphorn_sat::Lit;
use alphorn_term::{CtorId, Op, Sort, Store, TermId};

use super::finite::is_inside;
use crate::encode::{Encoder, Leaf, Search};
use crate::euf::Node;

/// The application of a constructor to the fields of a term.
pub(crate) fn made_of_fields(store: &mut Store, ctor: CtorId, of: TermId) -> TermId {
    let count = store.ctor(ctor).fields.len() as u32;
    let fields: Vec<TermId> =
        (0..count).map(|field| store.mk(Op::Field(ctor, field), &[of])).collect();
    store.mk(Op::Construct(ctor), &fields)
}

impl Encoder {
    /// Gives the fields of a constructor's application their values.
    pub(crate) fn define_fields(&mut self, search: &mut Search, store: &Store, term: TermId) {
        let Op::Construct(ctor) = store.op(term) else { return };
        let node = self.nodes[&term];
        for (place, arg) in store.args(term).iter().enumerate() {
            let symbol = self.operator(Op::Field(ctor, place as u32), store.sort(*arg));
            search.theory_mut().euf.defined(symbol, &[node], self.nodes[arg]);
        }
        let places = self.recursive_places.entry(ctor).or_insert_with(|| {
            let inner = store.sort(term);
            let mut places = Vec::new();
            for (place, (_, outer)) in store.ctor(ctor).fields.iter().enumerate() {
                if is_inside(store, *outer, inner, false) {
                    places.push(place);
                } else if is_inside(store, *outer, inner, true)
                    || matches!(store.sort_of(*outer), Sort::Array(..))
                {
                    // That values are not inside themselves is not watched over below arrays, nor that
                    // values differ by arrays that a model makes equal.
                    search.theory_mut().trees.is_open = true;
                }
            }
            places.into()
        });
        if !places.is_empty() {
            search.theory_mut().trees.constructors.push((node, places.clone()));
        }
    }

    /// The literal of a tester: an equation with the constructor of the term's fields.
    pub(crate) fn tester(&mut self, search: &mut Search, store: &mut Store, term: TermId) -> Lit {
        let Op::Is(ctor) = store.op(term) else { return self.truth };
        let of = store.args(term)[0];
        let made = made_of_fields(store, ctor, of);
        let equation = store.eq(of, made);
        self.visit(search, store, equation);
        self.lit(store, equation)
    }

    /// Says what a term can be, once.
    pub(crate) fn expand(&mut self, search: &mut Search, store: &mut Store, term: TermId) {
        if !self.expanded.insert(term) || matches!(store.op(term), Op::Construct(_)) {
            return;
        }
        let Sort::Data(data) = *store.sort_of(store.sort(term)) else { return };
        let ctors = store.data(data).ctors.clone();
        if let [only] = ctors[..] {
            let made = made_of_fields(store, only, term);
            let equation = store.eq(term, made);
            self.visit(search, store, equation);
            let (lit, literal) = (self.lit(store, equation), Literal::of(store, equation));
            self.lemma(search, &[lit], Leaf::Axiom(vec![literal], Rule::Datatype));
            return;
        }
        let (mut clause, mut literals) = (Vec::new(), Vec::new());
        for ctor in ctors {
            let test = store.mk(Op::Is(ctor), &[term]);
            self.visit(search, store, test);
            clause.push(self.lit(store, test));
            literals.push(Literal::of(store, test));
        }
        self.lemma(search, &clause, Leaf::Axiom(literals, Rule::Datatype));
        let node: Node = self.nodes[&term];
        let vars = clause.iter().map(|lit| lit.var()).collect();
        search.theory_mut().trees.expanded.push((node, vars));
    }
}
