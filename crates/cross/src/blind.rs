//! Horn systems without their arrays.
//!
//! Many programs carry a memory that has nothing to do with what is asked of them: which thread holds a lock, how far a counter
//! went. Here predicates lose the arguments that are arrays, and whatever clauses say of arrays is anything: a cell that is read, or
//! that two arrays are equal. What that makes of a clause has more instances than the clause, so a model that does not speak
//! of arrays is a model of the system as it is; a derivation is none.

use alphorn_engine::{Back, Ctx, Lost, Seen, Steps, Stop, View};
use alphorn_horn::{TRANSFORMS, simplify_with};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{Op, Sort, SortId, Store, TermId};
use rustc_hash::FxHashMap;

/// Systems without their arrays.
pub static BLIND: View<Horn, Horn> = View { name: "arrays left out", steps: Steps::Changed, make };

fn make(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    let sorts: Vec<Vec<SortId>> =
        horn.pred_ids().map(|pred| horn.pred_args(pred).to_vec()).collect();
    if !sorts.iter().flatten().any(|&sort| is_array(&horn.terms, sort)) {
        return Err(Stop::Unsupported("no argument is an array".to_owned()));
    }
    let mut blind = Horn::new(horn.terms.clone());
    for (pred, sorts) in horn.pred_ids().zip(&sorts) {
        let left = sorts.iter().copied().filter(|&sort| !is_array(&horn.terms, sort));
        let left: Vec<SortId> = left.collect();
        let symbol = blind.terms.fresh_symbol(horn.pred_name(pred));
        let name = blind.terms.name(symbol).to_owned();
        blind.declare_pred(&name, &left);
    }
    for clause in &horn.clauses {
        ctx.tick(1)?;
        let clause = without(horn, &mut blind, clause);
        blind.clauses.push(clause);
    }
    let chosen: Vec<_> = TRANSFORMS.iter().filter(|card| card.is_default).collect();
    let small = simplify_with(&blind, &chosen, ctx)?;
    let back = Back::new(
        move |claim| Ok(with_arrays(claim, &sorts)),
        |_| Err(Lost("a derivation in which arrays hold anything".to_owned())),
    );
    Ok(Seen::new(blind, back).then(Seen::new(small.horn, small.back)))
}

fn is_array(terms: &Store, sort: SortId) -> bool {
    matches!(terms.sort_of(sort), Sort::Array(..))
}

/// A claim with parameters for arrays, of which it says nothing.
fn with_arrays(mut claim: HornClaim, sorts: &[Vec<SortId>]) -> HornClaim {
    for (Definition { params, .. }, sorts) in claim.preds.iter_mut().zip(sorts) {
        let mut left = std::mem::take(params).into_iter();
        for &sort in sorts {
            let param = match is_array(&claim.terms, sort) {
                true => Some(claim.terms.fresh_var("a", sort)),
                false => left.next(),
            };
            params.extend(param);
        }
    }
    claim.hints.clear();
    claim
}

/// A clause without arrays.
fn without(horn: &Horn, blind: &mut Horn, clause: &Clause) -> Clause {
    let mut sight = Sight { horn, map: FxHashMap::default(), vars: clause.vars.clone() };
    let body = sight.term(blind, clause.body);
    let head = match &clause.head {
        Head::False => Head::False,
        Head::Atom(pred, args) => {
            let left = args.iter().filter(|&&arg| !is_array(&horn.terms, horn.terms.sort(arg)));
            Head::Atom(*pred, left.map(|&arg| sight.term(blind, arg)).collect())
        }
    };
    sight.vars.retain(|&var| !is_array(&blind.terms, blind.terms.sort(var)));
    Clause { vars: sight.vars, body, head, ..clause.clone() }
}

/// The terms of a clause as they are seen.
struct Sight<'a> {
    horn: &'a Horn,
    map: FxHashMap<TermId, TermId>,
    vars: Vec<TermId>,
}

impl Sight<'_> {
    /// A term that is no array, without those that are.
    fn term(&mut self, blind: &mut Horn, root: TermId) -> TermId {
        let terms = &self.horn.terms;
        for term in terms.subterms(&[root]) {
            if self.map.contains_key(&term) {
                continue;
            }
            let args: Vec<TermId> = terms.args(term).to_vec();
            let is_array = |&arg: &TermId| is_array(terms, terms.sort(arg));
            let seen = |arg: &TermId| self.map.get(arg).copied().unwrap_or(*arg);
            let result = if let Some(pred) = self.horn.atom(term) {
                let left: Vec<TermId> =
                    args.iter().filter(|&arg| !is_array(arg)).map(seen).collect();
                let func = blind.pred(pred).func;
                blind.terms.mk(Op::Apply(func), &left)
            } else if is_array(&term) {
                term
            } else if args.iter().any(is_array) {
                self.anything(blind, term)
            } else if matches!(terms.op(term), Op::Forall | Op::Exists) {
                // What is bound in it is not the clause's.
                match terms.subterms(&[term]).iter().any(is_array) {
                    true => self.anything(blind, term),
                    false => term,
                }
            } else {
                let seen: Vec<TermId> = args.iter().map(seen).collect();
                if seen == args { term } else { blind.terms.rebuild(term, &seen) }
            };
            self.map.insert(term, result);
        }
        self.map[&root]
    }

    /// A variable that stands for a term.
    fn anything(&mut self, blind: &mut Horn, term: TermId) -> TermId {
        let var = blind.terms.fresh_var("any", self.horn.terms.sort(term));
        self.vars.push(var);
        var
    }
}
