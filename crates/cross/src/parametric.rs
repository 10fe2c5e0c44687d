//! Horn systems with their large constants left open.
//!
//! A loop that runs to 100000 is proved like one that runs to any `n`, and engines that go forward step by step
//! never come to 100000. Here the large constants of a system become parameters: arguments that every
//! predicate hands on. A model for all their values is one for those they have. A constant that is a small
//! multiple of another, or close to one, is that multiple of the parameter and a difference; parameters keep their
//! order and sign, and bounds of machine types and factors stay what they are. What wraps around is left out first
//! (`unwrapped`), since ranges of types say nothing about a parameter. A derivation is one for other values of
//! the parameters, and no answer.

use crate::settings::{OPEN_CLOSE, OPEN_LEAST, OPEN_MAX_MULTIPLE, OPEN_MAX_PARAMETERS};
use crate::unwrapped::UNWRAPPED;
use alphorn_engine::{Back, Ctx, Lost, Seen, Steps, Stop, View};
use alphorn_horn::{TRANSFORMS, simplify_with};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{Int, Op, SortId, Store, Substitution, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How many bits the machine types have, with and without a sign.
const WIDTHS: [u32; 8] = [7, 8, 15, 16, 31, 32, 63, 64];

/// Systems with their large constants left open.
pub static PARAMETRIC: View<Horn, Horn> =
    View { name: "large constants left open", steps: Steps::Changed, make };

fn make(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    match ctx.see(&UNWRAPPED, horn) {
        Ok(unwrapped) => {
            let open = open(&unwrapped.problem, ctx)?;
            Ok(unwrapped.then(open))
        }
        Err(Stop::Unsupported(_)) => open(horn, ctx),
        Err(stop) => Err(stop),
    }
}

fn open(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    let parameters = Parameters::of(horn)?;
    let system = parameters.system(horn, ctx)?;
    let chosen: Vec<_> = TRANSFORMS.iter().filter(|card| card.is_default).collect();
    let small = simplify_with(&system, &chosen, ctx)?;
    let values: Vec<Int> = parameters.0;
    let back = Back::new(
        move |claim| Ok(closed(claim, &values)),
        |_| Err(Lost("a derivation for other constants".to_owned())),
    );
    Ok(Seen::new(system, back).then(Seen::new(small.horn, small.back)))
}

/// A claim about the system with parameters, for the values that they have.
fn closed(mut claim: HornClaim, values: &[Int]) -> HornClaim {
    let literals: Vec<TermId> = values.iter().map(|value| claim.terms.int(value.clone())).collect();
    for Definition { params, body } in &mut claim.preds {
        let open = params.split_off(params.len() - values.len());
        let map: Substitution = open.into_iter().zip(literals.iter().copied()).collect();
        *body = claim.terms.substitute(*body, &map);
    }
    claim.hints.clear();
    claim
}

/// The values that parameters have, in increasing order.
struct Parameters(Vec<Int>);

impl Parameters {
    /// The constants of a system that become parameters.
    fn of(horn: &Horn) -> Result<Parameters, Stop> {
        let mut roots = Vec::new();
        for clause in &horn.clauses {
            roots.push(clause.body);
            if let Head::Atom(_, args) = &clause.head {
                roots.extend(args);
            }
        }
        let mut found: BTreeSet<Int> = BTreeSet::new();
        for term in horn.terms.subterms(&roots) {
            if keeps_constants(horn.terms.op(term)) {
                continue;
            }
            let literals =
                horn.terms.args(term).iter().filter_map(|&arg| horn.terms.int_value(arg));
            found.extend(literals.filter(|value| is_large(value)).cloned());
        }
        // Small ones first, since others are multiples of them.
        let mut found: Vec<Int> = found.into_iter().collect();
        found.sort_by_key(Int::abs);
        let mut values: Vec<Int> = Vec::new();
        for value in found {
            if values.iter().all(|own| multiple(&value, own).is_none()) {
                values.push(value);
            }
        }
        values.sort();
        if values.is_empty() || values.len() > OPEN_MAX_PARAMETERS.size() {
            return Err(Stop::Unsupported("there are no large constants, or too many".to_owned()));
        }
        Ok(Parameters(values))
    }

    /// The system with parameters.
    fn system(&self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Horn, Stop> {
        let mut system = Horn::new(horn.terms.clone());
        for pred in horn.pred_ids() {
            let mut sorts = horn.pred_args(pred).to_vec();
            sorts.extend(self.0.iter().map(|_| SortId::INT));
            let symbol = system.terms.fresh_symbol(horn.pred_name(pred));
            let name = system.terms.name(symbol).to_owned();
            system.declare_pred(&name, &sorts);
        }
        let vars: Vec<TermId> =
            self.0.iter().map(|_| system.terms.fresh_var("n", SortId::INT)).collect();
        let order = self.order(&mut system.terms, &vars);
        let mut map = FxHashMap::default();
        for clause in &horn.clauses {
            ctx.tick(1)?;
            let body = self.with(horn, &mut system, &vars, &mut map, clause.body);
            let body = system.terms.and(&[body, order]);
            let head = match &clause.head {
                Head::False => Head::False,
                Head::Atom(pred, args) => {
                    let with = |arg: &TermId| self.with(horn, &mut system, &vars, &mut map, *arg);
                    let mut args: Vec<TermId> = args.iter().map(with).collect();
                    args.extend(&vars);
                    Head::Atom(*pred, args)
                }
            };
            let all: Vec<TermId> = clause.vars.iter().chain(&vars).copied().collect();
            system.clauses.push(Clause { vars: all, body, head, ..clause.clone() });
        }
        Ok(system)
    }

    /// What is known of all parameters: their signs and their order.
    fn order(&self, terms: &mut Store, vars: &[TermId]) -> TermId {
        let zero = terms.int(0);
        let mut parts = Vec::new();
        for (value, &var) in self.0.iter().zip(vars) {
            parts.push(if value.is_negative() { terms.lt(var, zero) } else { terms.lt(zero, var) });
        }
        for pair in vars.windows(2) {
            parts.push(terms.lt(pair[0], pair[1]));
        }
        terms.and(&parts)
    }

    /// A term with parameters for constants, and for atoms those of the new predicates.
    fn with(
        &self,
        horn: &Horn,
        system: &mut Horn,
        vars: &[TermId],
        map: &mut FxHashMap<TermId, TermId>,
        root: TermId,
    ) -> TermId {
        for term in horn.terms.subterms(&[root]) {
            if map.contains_key(&term) {
                continue;
            }
            let keeps = keeps_constants(horn.terms.op(term)) || horn.terms.has_quantifier(term);
            let args: Vec<TermId> = horn.terms.args(term).to_vec();
            let changed: Vec<TermId> = args
                .iter()
                .map(|arg| match keeps && horn.terms.int_value(*arg).is_some() {
                    true => *arg,
                    false => map.get(arg).copied().unwrap_or(*arg),
                })
                .collect();
            let result = match (horn.atom(term), horn.terms.int_value(term)) {
                (Some(pred), _) => {
                    let all: Vec<TermId> = changed.iter().chain(vars).copied().collect();
                    let func = system.pred(pred).func;
                    system.terms.mk(Op::Apply(func), &all)
                }
                (None, Some(value)) => self.constant(&mut system.terms, vars, value, term),
                (None, None) if args == changed => term,
                (None, None) => system.terms.rebuild(term, &changed),
            };
            map.insert(term, result);
        }
        map[&root]
    }

    /// A constant as a multiple of a parameter and a difference, if it is close to one.
    fn constant(&self, terms: &mut Store, vars: &[TermId], value: &Int, term: TermId) -> TermId {
        if !is_large(value) {
            return term;
        }
        let found =
            self.0.iter().zip(vars).filter_map(|(own, &var)| Some((multiple(value, own)?, var)));
        let nearest = found.min_by_key(|((times, difference), _)| (times.abs(), difference.abs()));
        if let Some(((times, difference), var)) = nearest {
            let (times, difference) = (terms.int(times), terms.int(difference));
            let product = terms.mul(&[times, var]);
            return terms.add(&[product, difference]);
        }
        term
    }
}

/// Whether the literals of an operation are factors, divisors or moduli.
fn keeps_constants(op: Op) -> bool {
    matches!(op, Op::Mul | Op::IntDiv | Op::Mod)
}

/// A number as a small multiple of another and a small difference.
fn multiple(value: &Int, own: &Int) -> Option<(i64, i64)> {
    let close = OPEN_CLOSE.get() as i64;
    let near = |times: i64| {
        let difference = value - &(own * &Int::from(times));
        let difference = (-close..=close).find(|&small| difference == Int::from(small))?;
        Some((times, difference))
    };
    (1..=OPEN_MAX_MULTIPLE.get() as i64).flat_map(|times| [times, -times]).find_map(near)
}

/// Whether a constant is large and none of the bounds of machine types.
fn is_large(value: &Int) -> bool {
    let size = value.abs();
    let is_bound = |value: &Int| WIDTHS.iter().any(|&width| *value == Int::from(2i64).pow(width));
    // Comparisons that are strict in a program need not be so any more.
    let mut near = (-2..=2).map(|difference| &size + &Int::from(difference));
    size >= Int::from(OPEN_LEAST.get() as i64) && !near.any(|value| is_bound(&value))
}
