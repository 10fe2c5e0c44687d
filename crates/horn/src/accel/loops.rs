//! The loops of a Horn system: clauses that lead from a predicate back to it, case by case.
//!
//! A body is a disjunction of conjunctions of literals; each that can be told quickly is a loop of its own.
//! Conditions inside of terms are cases, too, and so are the two sides of a disequation.

use super::Relation;
use crate::settings::ACCEL_MAX_CASES;
use alphorn_problem::Horn;
use alphorn_problem::horn::{ClauseId, Head, PredId};
use alphorn_term::{Op, SortId, Store, Substitution, TermId};

/// A case of a clause with one atom in its body.
#[derive(Clone, Debug)]
pub struct Link {
    /// The clause.
    pub clause: ClauseId,
    /// The clause's variables, or others in their place.
    pub vars: Vec<TermId>,
    /// Literals over these that imply the constraint of the body.
    pub case: Vec<TermId>,
    /// The predicate of the body's atom.
    pub from: PredId,
    /// Its arguments.
    pub args: Vec<TermId>,
    /// The predicate of the head.
    pub to: PredId,
    /// Its arguments.
    pub head: Vec<TermId>,
}

/// Cases of clauses that lead from a predicate back to it.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The predicate.
    pub pred: PredId,
    /// The cases, with variables of their own.
    pub links: Vec<Link>,
    /// All of them one after the other, over states before and after.
    pub relation: Relation,
}

/// The cases of a clause, if it has one atom in its body and few cases.
pub fn links(horn: &Horn, store: &mut Store, id: ClauseId) -> Vec<Link> {
    let max_cases = ACCEL_MAX_CASES.size();
    let clause = horn.clause(id);
    let Head::Atom(to, head) = &clause.head else { return Vec::new() };
    let Some((atoms, rest)) = horn.conjunctive(id) else { return Vec::new() };
    let [atom] = atoms[..] else { return Vec::new() };
    let (Some(from), false) = (horn.atom(atom), horn.quantified.contains_key(&id)) else {
        return Vec::new();
    };
    let args = horn.terms.args(atom).to_vec();
    let mut open = vec![(rest, args, head.clone())];
    let mut done = Vec::new();
    while let Some((parts, args, head)) = open.pop() {
        // Conditions inside of arguments are cases as well.
        let terms: Vec<TermId> = [&args[..], &head].concat();
        let found = store.subterms(&terms).into_iter().find(|&term| store.op(term) == Op::Ite);
        let Some(ite) = found else {
            let Some(cases) = cases(store, &parts, max_cases) else { return Vec::new() };
            let vars = clause.vars.clone();
            let (clause, to) = (id, *to);
            let link = |case| {
                let (vars, args, head) = (vars.clone(), args.clone(), head.clone());
                Link { clause, vars, case, from, args, to, head }
            };
            done.extend(cases.into_iter().map(link));
            if done.len() > max_cases {
                return Vec::new();
            }
            continue;
        };
        if open.len() >= max_cases {
            return Vec::new();
        }
        let &[condition, then, other] = store.args(ite) else { return Vec::new() };
        let not = store.not(condition);
        for (condition, value) in [(condition, then), (not, other)] {
            let map = Substitution::from_iter([(ite, value)]);
            let parts = [&parts[..], &[condition]].concat();
            open.push((
                parts,
                store.substitute_all(&args, &map),
                store.substitute_all(&head, &map),
            ));
        }
    }
    done
}

/// The loop that cases are, which lead from a predicate back to it.
pub fn through(store: &mut Store, links: &[&Link]) -> Option<Loop> {
    let mut own: Vec<Link> = Vec::with_capacity(links.len());
    for link in links {
        let mut map = Substitution::default();
        for &var in &link.vars {
            let name = store.var_name(var).unwrap_or("x").to_owned();
            map.insert(var, store.fresh_var(&name, store.sort(var)));
        }
        own.push(Link {
            vars: link.vars.iter().map(|var| map[var]).collect(),
            case: store.substitute_all(&link.case, &map),
            args: store.substitute_all(&link.args, &map),
            head: store.substitute_all(&link.head, &map),
            ..(*link).clone()
        });
    }
    let (first, last) = (own.first()?, own.last()?);
    let mut parts: Vec<TermId> = own.iter().flat_map(|link| &link.case).copied().collect();
    for pair in own.windows(2) {
        for (&given, &wanted) in pair[0].head.iter().zip(&pair[1].args) {
            parts.push(store.eq(given, wanted));
        }
    }
    let relation = relation(store, &parts, &first.args, &last.head);
    Some(Loop { pred: first.from, links: own, relation })
}

/// A conjunction over states before and after.
pub fn relation(store: &mut Store, parts: &[TermId], args: &[TermId], head: &[TermId]) -> Relation {
    let mut map = Substitution::default();
    let mut equations = Vec::new();
    let mut states: Vec<Vec<TermId>> = Vec::with_capacity(2);
    for (terms, name) in [(args, "x"), (head, "y")] {
        let mut state = Vec::with_capacity(terms.len());
        for &term in terms {
            let var = store.fresh_var(name, store.sort(term));
            // What is a variable is called by its place.
            match is_var(store, term) && !map.contains_key(&term) {
                true => {
                    map.insert(term, var);
                }
                false => equations.push((var, term)),
            }
            state.push(var);
        }
        states.push(state);
    }
    let mut parts = store.substitute_all(parts, &map);
    for (var, term) in equations {
        let term = store.substitute(term, &map);
        parts.push(store.eq(var, term));
    }
    let post = states.pop().unwrap_or_default();
    let pre = states.pop().unwrap_or_default();
    Relation { pre, post, parts }
}

/// A conjunction of formulas as a disjunction of conjunctions of literals; none if they are too many.
pub fn cases(store: &mut Store, formulas: &[TermId], max_cases: usize) -> Option<Vec<Vec<TermId>>> {
    let mut done: Vec<Vec<TermId>> = Vec::new();
    let mut open: Vec<(Vec<TermId>, Vec<TermId>)> = vec![(Vec::new(), formulas.to_vec())];
    let mut steps = 0;
    while let Some((mut literals, mut todo)) = open.pop() {
        steps += 1;
        if done.len() + open.len() >= max_cases || steps > 64 * max_cases {
            return None;
        }
        let mut is_open = false;
        while let Some(formula) = todo.pop() {
            match split(store, formula) {
                Split::Literal if formula == TermId::TRUE => {}
                Split::Literal if formula == TermId::FALSE => {
                    is_open = true;
                    break;
                }
                Split::Literal => literals.push(formula),
                Split::All(parts) => todo.extend(parts),
                Split::Any(cases) => {
                    for case in cases.into_iter().rev() {
                        let mut rest = todo.clone();
                        rest.extend(case);
                        open.push((literals.clone(), rest));
                    }
                    is_open = true;
                    break;
                }
            }
        }
        if !is_open {
            literals.reverse();
            done.push(literals);
        }
    }
    Some(done)
}

enum Split {
    Literal,
    /// All of these.
    All(Vec<TermId>),
    /// One of these conjunctions.
    Any(Vec<Vec<TermId>>),
}

fn split(store: &mut Store, formula: TermId) -> Split {
    let args = store.args(formula).to_vec();
    match (store.op(formula), &args[..]) {
        (Op::And, _) => Split::All(args),
        (Op::Or, _) => Split::Any(args.into_iter().map(|arg| vec![arg]).collect()),
        (Op::Ite, &[condition, then, other]) => {
            let not = store.not(condition);
            Split::Any(vec![vec![condition, then], vec![not, other]])
        }
        (Op::Eq, &[left, right]) if store.sort(left) == SortId::BOOL => {
            if is_var(store, left) && is_var(store, right) {
                return Split::Literal;
            }
            let (not_left, not_right) = (store.not(left), store.not(right));
            Split::Any(vec![vec![left, right], vec![not_left, not_right]])
        }
        (Op::Not, &[inner]) => split_negation(store, inner),
        (Op::Le | Op::Lt | Op::Eq, _) => by_condition(store, formula),
        _ => Split::Literal,
    }
}

fn split_negation(store: &mut Store, inner: TermId) -> Split {
    let args = store.args(inner).to_vec();
    let negated =
        |store: &mut Store| -> Vec<TermId> { args.iter().map(|&arg| store.not(arg)).collect() };
    match (store.op(inner), &args[..]) {
        (Op::And, _) => Split::Any(negated(store).into_iter().map(|arg| vec![arg]).collect()),
        (Op::Or, _) => Split::All(negated(store)),
        (Op::Ite, &[condition, then, other]) => {
            let (not, then, other) = (store.not(condition), store.not(then), store.not(other));
            Split::Any(vec![vec![condition, then], vec![not, other]])
        }
        (Op::Eq, &[left, right]) if store.sort(left) == SortId::BOOL => {
            let (not_left, not_right) = (store.not(left), store.not(right));
            Split::Any(vec![vec![left, not_right], vec![not_left, right]])
        }
        (Op::Eq, &[left, right]) if store.sort(left) == SortId::INT => {
            let (below, above) = (store.lt(left, right), store.lt(right, left));
            Split::Any(vec![vec![below], vec![above]])
        }
        (Op::Le, &[left, right]) => Split::All(vec![store.lt(right, left)]),
        (Op::Lt, &[left, right]) => Split::All(vec![store.le(right, left)]),
        _ => Split::Literal,
    }
}

/// A comparison by the cases of a condition inside of it.
fn by_condition(store: &mut Store, literal: TermId) -> Split {
    let inner = store.subterms(&[literal]);
    let Some(ite) = inner.into_iter().find(|&term| store.op(term) == Op::Ite) else {
        return Split::Literal;
    };
    let &[condition, then, other] = store.args(ite) else { return Split::Literal };
    let mut with = |value: TermId| {
        let map = Substitution::from_iter([(ite, value)]);
        store.substitute(literal, &map)
    };
    let (then, other) = (with(then), with(other));
    let not = store.not(condition);
    Split::Any(vec![vec![condition, then], vec![not, other]])
}

fn is_var(store: &Store, term: TermId) -> bool {
    matches!(store.op(term), Op::Var(_))
}
