//! Values under which a model that comes without proofs makes a clause false, found by trying a few.
//!
//! Nothing is solved. Variables that an equation of the body determines get its value; the others get
//! numbers that the clause and the definitions mention, and those beside them. The clause is broken where
//! its body is evaluated to true and its head to false, which needs no choice about what SMT-LIB leaves
//! open: evaluation would end with an error there. Whether none is found says nothing about the model.
//!
//! Work is counted, as evidence comes from anywhere.

use crate::settings::{BROKEN_MAX_TRIES, BROKEN_MAX_VALUES, BROKEN_TICKS};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::HornModel;
use alphorn_problem::horn::{Clause, ClauseId, Head};
use alphorn_term::eval::bound::{self, Tables};
use alphorn_term::eval::eval;
use alphorn_term::{Bv, Int, Meter, Model, Op, Rat, Sort, SortId, Store, TermId, Value};
use std::collections::BTreeMap;

/// A clause that is false under the model, and values of its variables that show it.
pub(super) fn broken_clause(horn: &Horn, model: &HornModel) -> Option<(ClauseId, Model)> {
    let is_plain = model.funcs.is_empty() && model.folds.functions.is_empty();
    let is_quantified = || model.preds.iter().any(|def| model.terms.has_quantifier(def.body));
    if !is_plain || !model.terms.extends(&horn.terms) || is_quantified() {
        return None;
    }
    let meter = Meter::new(BROKEN_TICKS.get());
    horn.clauses().find_map(|(id, clause)| {
        let trial = Trial::new(horn, model, id, clause, &meter)?;
        Some((id, trial.run()?))
    })
}

/// A clause to be tried: a conjunction of atoms and constraints, and a head.
struct Trial<'a> {
    store: &'a Store,
    clause: &'a Clause,
    constraints: Vec<TermId>,
    /// What must be true, or false: the definition of a predicate on arguments.
    atoms: Vec<(bool, Applied<'a>)>,
    /// Variables with equations that may determine them.
    equations: Vec<(TermId, TermId)>,
    values: BTreeMap<SortId, Vec<Value>>,
    meter: &'a Meter,
}

/// A definition on arguments.
struct Applied<'a> {
    params: &'a [TermId],
    args: &'a [TermId],
    body: TermId,
}

impl<'a> Trial<'a> {
    /// None if the clause is no conjunction, or the model does not fit it.
    fn new(
        horn: &'a Horn,
        model: &'a HornModel,
        id: ClauseId,
        clause: &'a Clause,
        meter: &'a Meter,
    ) -> Option<Trial<'a>> {
        let store = &model.terms;
        let (body_atoms, constraints) = horn.conjunctive(id)?;
        let applied = |func_args: &'a [TermId], pred: usize| {
            let definition = model.preds.get(pred)?;
            let params = definition.params.iter();
            let fits = definition.params.len() == func_args.len()
                && params.zip(func_args).all(|(&p, &arg)| store.sort(p) == store.sort(arg));
            let body = definition.body;
            fits.then_some(Applied { params: &definition.params, args: func_args, body })
        };
        let mut atoms = Vec::new();
        for atom in body_atoms {
            let pred = horn.atom(atom)?;
            atoms.push((true, applied(horn.terms.args(atom), pred.index())?));
        }
        if let Head::Atom(pred, args) = &clause.head {
            atoms.push((false, applied(args, pred.index())?));
        }
        if constraints.iter().any(|&constraint| store.has_quantifier(constraint)) {
            return None;
        }
        let mut roots = constraints.clone();
        roots.extend(atoms.iter().map(|(_, atom)| atom.body));
        bound::free_vars(store, &roots, meter).ok()?;
        let is_var = |term: TermId| clause.vars.contains(&term);
        let mut equations = Vec::new();
        for &constraint in &constraints {
            match (store.op(constraint), store.args(constraint)) {
                (Op::Eq, &[left, right]) => equations.extend(
                    [(left, right), (right, left)].into_iter().filter(|pair| is_var(pair.0)),
                ),
                (Op::Var(_), _) => equations.push((constraint, TermId::TRUE)),
                (Op::Not, &[inner]) if is_var(inner) => equations.push((inner, TermId::FALSE)),
                _ => {}
            }
        }
        let values = values(store, clause, &roots);
        Some(Trial { store, clause, constraints, atoms, equations, values, meter })
    }

    /// Values under which the clause is false, if some are found.
    fn run(&self) -> Option<Model> {
        // Where there is nothing to choose, one valuation is all.
        let mut is_free = false;
        for number in 0..BROKEN_MAX_TRIES.get() {
            let mut digits = Digits::new(number);
            let values = self.valuation(&mut digits, &mut is_free)?;
            match values.and_then(|values| self.breaks(&values).map(|broken| (broken, values))) {
                Some((true, values)) => return Some(values),
                _ if !is_free || self.meter.is_exhausted() => return None,
                _ => {}
            }
        }
        None
    }

    /// Values of all variables that obey the equations as far as these determine them; none if an
    /// equation has no value, and nothing at all if a variable has no values to try.
    fn valuation(&self, digits: &mut Digits, is_free: &mut bool) -> Option<Option<Model>> {
        let mut model = Model::new();
        let mut open: Vec<TermId> = self.clause.vars.clone();
        let is_determined = |var: &TermId| self.equations.iter().any(|(left, _)| left == var);
        while !open.is_empty() {
            let known = self.equations.iter().find_map(|&(var, term)| {
                let value = open.contains(&var).then(|| self.value(term, &model)).flatten()?;
                Some((var, value))
            });
            let (var, value) = match known {
                Some(known) => known,
                None => {
                    let var = *open.iter().find(|var| !is_determined(var)).unwrap_or(&open[0]);
                    let values = self.values.get(&self.store.sort(var))?;
                    *is_free |= values.len() > 1;
                    (var, values[digits.below(values.len())].clone())
                }
            };
            model.vars.insert(var, value);
            open.retain(|other| *other != var);
            if self.meter.is_exhausted() {
                return Some(None);
            }
        }
        Some(Some(model))
    }

    /// Whether the body is true and the head false; none if that is left open.
    fn breaks(&self, values: &Model) -> Option<bool> {
        for &constraint in &self.constraints {
            if self.value(constraint, values)? != Value::Bool(true) {
                return Some(false);
            }
        }
        for (wanted, atom) in &self.atoms {
            let mut inner = Model::new();
            for (&param, &arg) in atom.params.iter().zip(atom.args) {
                inner.vars.insert(param, self.value(arg, values)?);
            }
            if self.value(atom.body, &inner)? != Value::Bool(*wanted) {
                return Some(false);
            }
        }
        Some(true)
    }

    fn value(&self, term: TermId, values: &Model) -> Option<Value> {
        let tables = Tables::default();
        bound::evaluation(self.store, &[term], values, &tables, self.meter).ok()?;
        eval(self.store, term, values).ok()
    }
}

/// The values to try, by sort: what is mentioned below `roots` and what is beside it.
fn values(store: &Store, clause: &Clause, roots: &[TermId]) -> BTreeMap<SortId, Vec<Value>> {
    let mut all: BTreeMap<SortId, Vec<Value>> = BTreeMap::new();
    let mut offer = |sort: SortId, value: Value| {
        let values = all.entry(sort).or_default();
        if values.len() < BROKEN_MAX_VALUES.size() && !values.contains(&value) {
            values.push(value);
        }
    };
    for &var in &clause.vars {
        let sort = store.sort(var);
        for small in [0, 1, -1] {
            match store.sort_of(sort) {
                Sort::Bool => offer(sort, Value::Bool(small != 0)),
                Sort::Int => offer(sort, Value::Int(Int::from(small))),
                Sort::Real => offer(sort, Value::Real(Rat::from(Int::from(small)))),
                Sort::BitVec(width) => offer(sort, Value::Bv(Bv::from_u64(*width, small as u64))),
                _ => {}
            }
        }
    }
    for term in store.subterms(roots) {
        let sort = store.sort(term);
        match store.literal_value(term) {
            Some(Value::Int(value)) => {
                offer(sort, Value::Int(&value + &Int::ONE));
                offer(sort, Value::Int(&value - &Int::ONE));
                offer(sort, Value::Int(value));
            }
            Some(value) => offer(sort, value),
            None => {}
        }
    }
    all
}

/// Numbers that depend on the number of a try alone: those of the first tries are its digits, so that
/// few choices are all made, and later ones look random.
struct Digits {
    rest: u64,
    is_mixed: bool,
}

impl Digits {
    fn new(number: u64) -> Digits {
        Digits { rest: number, is_mixed: number >= BROKEN_MAX_TRIES.get() / 2 }
    }

    fn below(&mut self, count: usize) -> usize {
        let count = count as u64;
        if self.is_mixed {
            self.rest =
                self.rest.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            return ((self.rest >> 33) % count) as usize;
        }
        let digit = self.rest % count;
        self.rest /= count;
        digit as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_front::{evidence, smtlib};
    use alphorn_problem::Verdict;

    /// The clause that is found to be false under a model of a counter from 0.
    fn broken(definition: &str) -> Option<(u32, Model)> {
        let text = "(set-logic HORN)(declare-fun P (Int) Bool)
            (assert (forall ((x Int)) (=> (= x 0) (P x))))
            (assert (forall ((x Int) (y Int)) (=> (and (P x) (= y (+ x 1))) (P y))))
            (assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))(check-sat)";
        let horn = smtlib::read(text.as_bytes()).0.expect("the clauses are read").horn;
        let model = format!("(define-fun P ((x Int)) Bool {definition})");
        let verdicts = evidence::read_horn(model.as_bytes(), &horn).0.expect("the model is read");
        let Some(Verdict::Safe(model)) = verdicts.into_iter().next() else {
            panic!("it is a model")
        };
        broken_clause(&horn, &model).map(|(clause, values)| (clause.0, values))
    }

    #[test]
    fn values_that_break_a_clause_are_found() {
        for (definition, clause) in [
            ("(and (<= 0 x) (<= x 10))", 1),
            ("(and (<= 0 x) (not (= x 1234567)))", 1),
            ("(>= x (- 5))", 2),
            ("(> x 0)", 0),
            ("false", 0),
        ] {
            let (found, values) = broken(definition).expect(definition);
            assert_eq!(found, clause, "{definition}");
            assert!(!values.vars.is_empty());
        }
    }

    #[test]
    fn a_model_that_holds_or_cannot_be_evaluated_is_not_broken() {
        assert!(broken("(>= x 0)").is_none());
        assert!(broken("(and (>= x 0) (forall ((z Int)) (= z x)))").is_none());
        // What division by zero gives is left open.
        assert!(broken("(or (>= x 0) (= (div x 0) 1))").is_none());
        // Squared sixty times the number would not fit into any memory.
        let squares: String =
            (0..60).map(|at| format!("(let ((x{} (* x{at} x{at})))", at + 1)).collect();
        let huge = format!("(let ((x0 (+ x 2))) {squares} (>= x60 0){}", ")".repeat(61));
        assert!(broken(&format!("(and (>= x 0) {huge})")).is_none());
    }
}
