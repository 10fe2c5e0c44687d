//! Values that equations determine, by evaluating instead of solving.
//!
//! A clause with facts in the places of its atoms is had at many conclusions in a long derivation, and mostly these
//! determine all of its variables: `z = y + 4` and `y = x + 4` say what y is. Which equation gives which
//! variable is the same for all conclusions, so it is found once; the variables are then terms over what is
//! concluded, and these are compiled.
//!
//! Invariant: nothing is given where the clause and its facts are not true at the values.

use crate::transform::conjuncts;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::eval::Program;
use alphorn_term::{Model, Op, SortId, Store, Substitution, TermId, Value};
use std::collections::BTreeSet;

/// The variables of a clause as functions of what it concludes.
pub(super) struct Determined {
    /// Whether the body is true, then the variables of the clause, then the arguments of its atoms.
    program: Program,
    vars: usize,
    /// By atom: how many arguments.
    args: Vec<usize>,
}

/// Values of a clause's variables, and of the arguments of its atoms.
pub(super) type Valued = (Vec<Value>, Vec<Vec<Value>>);

impl Determined {
    /// The functions for a clause whose body has facts in the places of these atoms; none if equations do not
    /// give all variables.
    pub(super) fn of(
        store: &mut Store,
        clause: &Clause,
        body: TermId,
        atoms: &[(PredId, Vec<TermId>)],
    ) -> Option<Determined> {
        let mut parts = conjuncts(store, body);
        let mut inputs = Vec::new();
        if let Head::Atom(_, args) = &clause.head {
            for &arg in args {
                let input = store.fresh_var("given", store.sort(arg));
                inputs.push(input);
                parts.push(store.eq(arg, input));
            }
        }
        let mut map = Substitution::default();
        let mut open: BTreeSet<TermId> = clause.vars.iter().copied().collect();
        // Each variable is a term over inputs from the start, so that no order is to be kept.
        while let Some((var, term)) = parts.iter().find_map(|&part| solved(store, part, &open)) {
            open.remove(&var);
            let one: Substitution = [(var, term)].into_iter().collect();
            parts = store.substitute_all(&parts, &one);
            let known: Vec<(TermId, TermId)> = map.iter().map(|(&v, &t)| (v, t)).collect();
            for (known, term) in known {
                map.insert(known, store.substitute(term, &one));
            }
            map.insert(var, term);
        }
        let is_used: BTreeSet<TermId> = store.free_vars(&parts).into_iter().collect();
        for &var in open.iter() {
            // What is not asked for can be anything.
            let value = Value::default_of(store, store.sort(var))?;
            let term = store.value_term(&value)?;
            if is_used.contains(&var) {
                return None;
            }
            map.insert(var, term);
        }
        let mut outputs = vec![store.and(&parts)];
        outputs.extend(store.substitute_all(&clause.vars, &map));
        for (_, args) in atoms {
            outputs.extend(store.substitute_all(args, &map));
        }
        let free = store.free_vars(&outputs);
        if free.iter().any(|var| !inputs.contains(var)) {
            return None;
        }
        let program = Program::new(store, &inputs, &outputs);
        let args = atoms.iter().map(|(_, args)| args.len()).collect();
        Some(Determined { program, vars: clause.vars.len(), args })
    }

    /// The values with which the clause concludes these; none if it is not true at them.
    pub(super) fn at(&mut self, store: &Store, given: &[Value]) -> Option<Valued> {
        self.program.run(store, given, &Model::new());
        if self.program.holds(0) != Ok(true) {
            return None;
        }
        let mut next = 1;
        let mut take = |count: usize| {
            let own = next..next + count;
            next += count;
            own.map(|output| self.program.output(output).ok().cloned()).collect::<Option<Vec<_>>>()
        };
        let vars = take(self.vars)?;
        let args = self.args.iter().map(|&count| take(count)).collect::<Option<Vec<_>>>()?;
        Some((vars, args))
    }
}

/// A variable that a conjunct gives, and the term that it is.
fn solved(store: &mut Store, part: TermId, open: &BTreeSet<TermId>) -> Option<(TermId, TermId)> {
    match store.op(part) {
        Op::Var(_) if open.contains(&part) => return Some((part, TermId::TRUE)),
        Op::Not if open.contains(&store.args(part)[0]) => {
            return Some((store.args(part)[0], TermId::FALSE));
        }
        Op::Eq => {}
        _ => return None,
    }
    let (left, right) = (store.args(part)[0], store.args(part)[1]);
    for (own, other) in [(left, right), (right, left)] {
        if open.contains(&own) && !store.free_vars(&[other]).contains(&own) {
            return Some((own, other));
        }
    }
    if store.sort(left) != SortId::INT && store.sort(left) != SortId::REAL {
        return None;
    }
    let mut vars = store.free_vars(&[part]);
    vars.retain(|var| open.contains(var));
    vars.into_iter().find_map(|var| linear(store, store.sort(left), (left, right), var))
}

/// What a variable is by an equation of numbers, if it stands in it once or minus once.
fn linear(
    store: &mut Store,
    sort: SortId,
    (left, right): (TermId, TermId),
    var: TermId,
) -> Option<(TermId, TermId)> {
    if store.sort(var) != sort {
        return None;
    }
    let difference = store.sub(left, right);
    let at = |store: &mut Store, number: i64| {
        let value = store.number(sort, &number.into());
        store.substitute(difference, &[(var, value)].into_iter().collect())
    };
    let (zero, one) = (at(store, 0), at(store, 1));
    let slope = store.sub(one, zero);
    let slope = store.number_value(slope)?;
    let negated = store.neg(zero);
    if slope == 1.into() {
        Some((var, negated))
    } else if slope == (-1).into() {
        Some((var, zero))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Determined;
    use alphorn_problem::horn::{Head, PredId};
    use alphorn_term::{Op, Value};
    use alphorn_testkit::read::horn as read;

    /// The variables at a conclusion of the first clause of `p`, whose atoms are taken for true.
    fn at(vars: &str, body: &str, given: &[i64]) -> Option<Vec<Value>> {
        let mut horn = read(&format!(
            "(set-logic HORN) (declare-fun p (Int Int) Bool)
             (assert (forall ({vars}) (=> {body} (p x (+ z 1)))))"
        ));
        let clause = horn.clauses[0].clone();
        assert!(
            matches!(clause.head, Head::Atom(PredId(0), _)) && horn.atoms(clause.body).is_empty()
        );
        let mut found = Determined::of(&mut horn.terms, &clause, clause.body, &[])?;
        let given: Vec<Value> = given.iter().map(|&number| Value::Int(number.into())).collect();
        let (values, _) = found.at(&horn.terms, &given)?;
        assert!(clause.vars.iter().all(|&var| matches!(horn.terms.op(var), Op::Var(_))));
        Some(values)
    }

    fn numbers(list: &[i64]) -> Option<Vec<Value>> {
        Some(list.iter().map(|&number| Value::Int(number.into())).collect())
    }

    #[test]
    fn equations_give_variables_in_any_order() {
        let vars = "(x Int) (y Int) (z Int)";
        assert_eq!(at(vars, "(and (= z (+ y 4)) (= y (+ x 4)))", &[1, 10]), numbers(&[1, 5, 9]));
        assert_eq!(at(vars, "(= (- x y) (* 3 z))", &[1, 3]), numbers(&[1, -5, 2]));
        // Nobody asks for y.
        assert_eq!(at(vars, "(< x z)", &[1, 3]), numbers(&[1, 0, 2]));
    }

    #[test]
    fn nothing_is_given_where_it_is_false_or_open() {
        let vars = "(x Int) (y Int) (z Int)";
        assert_eq!(at(vars, "(and (= z (+ y 4)) (= y (+ x 4)))", &[1, 11]), None);
        assert_eq!(at(vars, "(and (< x y) (< y z))", &[1, 9]), None);
        assert_eq!(at(vars, "(= (* 2 y) z)", &[1, 9]), None);
        assert_eq!(at(vars, "(= y (div x 0))", &[1, 9]), None);
    }
}
