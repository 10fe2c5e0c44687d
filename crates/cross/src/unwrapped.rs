//! Horn systems over integers without the cases in which a value wraps around.
//!
//! Front ends say the arithmetic of machines by cases: a sum that leaves the range of its type comes back
//! at the other end. Programs seldom mean that, and the cases double the paths that engines see. Here each
//! clause is split: where nothing wraps, it is as it was without the cases; where something wraps, it
//! concludes false. So a model says that nothing wraps, and is a model of the system as it is: a clause whose
//! body contradicts the model holds, whatever its head. A derivation of false may be one of the new
//! queries', and is no answer.
//!
//! A case is `c ? a : b` where `a` and `b` differ by a power of two of at least 2⁸, and the one that `b` is
//! without it; or `a mod n` with such an `n`, which wraps unless `a` is in the range already. Where `a` is an input
//! that nothing bounds, the remainder is meant, and stays.

use crate::settings::UNWRAPPED_LEAST_TURN;
use alphorn_engine::{Back, Ctx, Lost, Seen, Steps, Stop, View};
use alphorn_horn::{TRANSFORMS, simplify_with};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{Int, Op, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Systems over integers in which nothing wraps around.
pub static UNWRAPPED: View<Horn, Horn> =
    View { name: "nothing wraps around", steps: Steps::Changed, make };

fn make(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    let mut strict = Horn::new(horn.terms.clone());
    for pred in &horn.preds {
        strict.add_pred(pred.func, pred.span);
    }
    let mut has_cases = false;
    for clause in &horn.clauses {
        ctx.tick(1)?;
        let (plain, wraps) = split(&mut strict.terms, clause);
        has_cases |= wraps.is_some();
        strict.clauses.push(plain);
        strict.clauses.extend(wraps);
    }
    if !has_cases {
        return Err(Stop::Unsupported("nothing wraps around".to_owned()));
    }
    let chosen: Vec<_> = TRANSFORMS.iter().filter(|card| card.is_default).collect();
    let small = simplify_with(&strict, &chosen, ctx)?;
    let back = Back::new(Ok, |_| {
        Err(Lost("something wraps around, or a query is violated where nothing does".to_owned()))
    });
    Ok(Seen::new(strict, back).then(Seen::new(small.horn, small.back)))
}

/// A clause where nothing wraps, and the query that something does, if it may.
pub(crate) fn split(terms: &mut Store, clause: &Clause) -> (Clause, Option<Clause>) {
    let mut roots = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        roots.extend(args);
    }
    let inputs = inputs(terms, clause);
    let mut unwrap = Unwrap { map: FxHashMap::default(), inputs, wraps: Vec::new() };
    let plain: Vec<TermId> = roots.iter().map(|&root| unwrap.plain(terms, root)).collect();
    if unwrap.wraps.is_empty() {
        return (clause.clone(), None);
    }
    let some = terms.or(&unwrap.wraps);
    let none = terms.not(some);
    let query =
        Clause { body: terms.and(&[clause.body, some]), head: Head::False, ..clause.clone() };
    let head = match &clause.head {
        Head::Atom(pred, _) => Head::Atom(*pred, plain[1..].to_vec()),
        Head::False => Head::False,
    };
    let body = terms.and(&[plain[0], none]);
    (Clause { body, head, ..clause.clone() }, Some(query))
}

/// The variables that are neither in atoms of the body nor compared with anything: any number.
fn inputs(terms: &Store, clause: &Clause) -> FxHashSet<TermId> {
    let mut found: FxHashSet<TermId> = clause.vars.iter().copied().collect();
    for part in terms.subterms(&[clause.body]) {
        if matches!(terms.op(part), Op::Apply(_) | Op::Le | Op::Lt) {
            terms.free_vars(&[part]).iter().for_each(|var| _ = found.remove(var));
        }
    }
    found
}

/// Terms without their cases, and when the cases apply.
struct Unwrap {
    map: FxHashMap<TermId, TermId>,
    inputs: FxHashSet<TermId>,
    /// Conditions under which something wraps, over values as they are where nothing did before.
    wraps: Vec<TermId>,
}

impl Unwrap {
    /// A term without cases; inner ones first.
    fn plain(&mut self, terms: &mut Store, root: TermId) -> TermId {
        for term in terms.subterms(&[root]) {
            if self.map.contains_key(&term) {
                continue;
            }
            let args: Vec<TermId> = terms.args(term).to_vec();
            let changed: Vec<TermId> =
                args.iter().map(|arg| self.map.get(arg).copied().unwrap_or(*arg)).collect();
            let term_now = match args == changed || terms.has_quantifier(term) {
                true => term,
                false => terms.rebuild(term, &changed),
            };
            let plain = self.without(terms, term_now);
            self.map.insert(term, plain);
        }
        self.map[&root]
    }

    /// A term without the case that it is.
    fn without(&mut self, terms: &mut Store, term: TermId) -> TermId {
        let args: Vec<TermId> = terms.args(term).to_vec();
        match terms.op(term) {
            Op::Ite if terms.sort(term) == SortId::INT && is_turn(terms, args[1], args[2]) => {
                self.wraps.push(args[0]);
                args[2]
            }
            Op::Mod
                if terms.int_value(args[1]).is_some_and(is_power)
                    && !self.inputs.contains(&args[0]) =>
            {
                let zero = terms.int(0);
                let (low, high) = (terms.lt(args[0], zero), terms.le(args[1], args[0]));
                let wraps = terms.or(&[low, high]);
                self.wraps.push(wraps);
                args[0]
            }
            _ => term,
        }
    }
}

/// Whether two terms differ by a power of two that is the number of values of a type.
fn is_turn(terms: &mut Store, left: TermId, right: TermId) -> bool {
    let difference = terms.sub(left, right);
    terms.int_value(difference).is_some_and(|value| is_power(&value.abs()))
}

/// Whether a number is a power of two and that of the values of a type.
fn is_power(value: &Int) -> bool {
    let bits = value.bit_len();
    *value >= Int::from(UNWRAPPED_LEAST_TURN.get() as i64)
        && *value == Int::from(2i64).pow(bits as u32 - 1)
}
