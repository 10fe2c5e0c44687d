//! Datatypes as nodes and literals.
//!
//! An application of a constructor gets a node for each field, equal to the argument by definition. A
//! term with a selector or a tester is *expanded*: it was made by one of the constructors, and by C
//! exactly if it equals C applied to its fields. These clauses hold in every model, so the search need
//! not satisfy them for terms that nothing true depends on.

use alphorn_problem::evidence::proof::{Literal, Rule};
use alphorn_sat::Lit;
use alphorn_term::{CtorId, Op, Sort, TermId};

use super::Data;
use crate::datatypes::{is_inside, made_of_fields};
use crate::theories::encode::{Encoding, Leaf};
use crate::theories::equality::nodes::operator;

/// Gives the fields of a constructor's application their values.
pub(super) fn define_fields(cx: &mut Encoding<'_>, term: TermId) {
    let Op::Construct(ctor) = cx.store.op(term) else { return };
    let node = cx.theory().equality.nodes[&term];
    for place in 0..cx.store.args(term).len() {
        let arg = cx.store.args(term)[place];
        let sort = cx.store.sort(arg);
        let symbol = operator(cx, Op::Field(ctor, place as u32), sort);
        let equality = &mut cx.theory_mut().equality;
        equality.closure.defined(symbol, &[node], equality.nodes[&arg]);
    }
    let data = &mut cx.search.theory_mut().data;
    let Data { recursive_places, is_open, .. } = data;
    let places = recursive_places.entry(ctor).or_insert_with(|| {
        let inner = cx.store.sort(term);
        // Values of codatatypes may be inside themselves.
        let is_co = cx.store.codata_of(inner).is_some();
        let mut places = Vec::new();
        for (place, (_, outer)) in cx.store.ctor(ctor).fields.iter().enumerate() {
            if !is_co && is_inside(cx.store, *outer, inner, false) {
                places.push(place);
            } else if !is_co && is_inside(cx.store, *outer, inner, true)
                || matches!(cx.store.sort_of(*outer), Sort::Array(..))
            {
                // That values are not inside themselves is not watched over below arrays, nor that
                // values differ by arrays that a model makes equal.
                *is_open = true;
            }
        }
        places.into()
    });
    if !places.is_empty() {
        data.constructors.push((node, places.clone()));
    }
}

/// The literal of a tester: an equation with the constructor of the term's fields.
pub(super) fn tester(cx: &mut Encoding<'_>, ctor: CtorId, of: TermId) -> Lit {
    let made = made_of_fields(cx.store, ctor, of);
    let equation = cx.store.eq(of, made);
    cx.sub_literal(equation)
}

/// Says what a term can be, once.
pub(super) fn expand(cx: &mut Encoding<'_>, term: TermId) {
    let is_new = cx.theory_mut().data.expanded.insert(term);
    if !is_new || matches!(cx.store.op(term), Op::Construct(_)) {
        return;
    }
    let Sort::Data(data) = *cx.store.sort_of(cx.store.sort(term)) else { return };
    let ctors = cx.store.data(data).ctors.clone();
    if let [only] = ctors[..] {
        let made = made_of_fields(cx.store, only, term);
        let equation = cx.store.eq(term, made);
        let (lit, literal) = (cx.sub_literal(equation), Literal::of(cx.store, equation));
        cx.lemma(&[lit], Leaf::Axiom(vec![literal], Rule::Datatype));
        return;
    }
    let (mut clause, mut literals) = (Vec::new(), Vec::new());
    for ctor in ctors {
        let test = cx.store.mk(Op::Is(ctor), &[term]);
        clause.push(cx.sub_literal(test));
        literals.push(Literal::of(cx.store, test));
    }
    cx.lemma(&clause, Leaf::Axiom(literals, Rule::Datatype));
    let theory = cx.theory_mut();
    let vars = clause.iter().map(|lit| lit.var()).collect();
    theory.data.choices.push((theory.equality.nodes[&term], vars));
}
