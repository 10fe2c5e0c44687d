//! The transform `cases`: disjunctions that say what variables are become several clauses.
//!
//! Front ends write all transitions of a program as one disjunction, in each part of which equations
//! say what the next values are. As long as they stand below a disjunction nothing can be put in for
//! these variables, and an engine sees a relation where there are functions. Here each part becomes a
//! clause of its own, from the outside in, as long as clauses stay few; the other transforms put the
//! equations in. Disjunctions of comparisons stay: they are conditions and determine nothing.
//!
//! The opposite of `merging`, and `splitting` for constraints instead of atoms.

use super::change::{Change, Recipe};
use super::system::{System, conjuncts, used_vars};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::Clause;
use alphorn_term::{Op, SortId, Store, TermId};

/// The most clauses that a system of fewer may become.
const MOST_CLAUSES: usize = 1_000;

pub(super) fn apply(
    system: &System,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Change>, Stop> {
    let mut clauses = Vec::with_capacity(system.clauses.len());
    let mut room = MOST_CLAUSES.saturating_sub(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        let mut open = vec![clause.body];
        while let Some(body) = open.pop() {
            ctx.tick(1)?;
            let parts = conjuncts(store, body);
            let choice = parts.iter().position(|&part| is_choice(store, part));
            let choice = choice.filter(|&at| store.args(parts[at]).len() <= room + 1);
            let Some(choice) = choice else {
                let mut part = Clause { body, ..clause.clone() };
                part.vars = used_vars(store, &part);
                clauses.push((part, Recipe::same(at)));
                continue;
            };
            let options = store.args(parts[choice]).to_vec();
            room -= options.len() - 1;
            for &option in options.iter().rev() {
                let mut parts = parts.clone();
                parts[choice] = option;
                open.push(store.and(&parts));
            }
        }
    }
    let has_changed = clauses.len() > system.clauses.len();
    Ok(has_changed.then(|| Change::of_clauses(system, store, clauses)))
}

/// Whether a formula is a disjunction of which at least half of the parts determine a variable.
fn is_choice(store: &Store, formula: TermId) -> bool {
    if store.op(formula) != Op::Or {
        return false;
    }
    let determines = |part: &&TermId| {
        store.op(**part) == Op::And
            && conjuncts(store, **part).iter().any(|&conjunct| determined(store, conjunct))
    };
    let parts = store.args(formula);
    2 * parts.iter().filter(determines).count() >= parts.len()
}

/// Whether a conjunct is an equation of a word or number variable.
fn determined(store: &Store, conjunct: TermId) -> bool {
    let is_var =
        |&arg: &TermId| matches!(store.op(arg), Op::Var(_)) && store.sort(arg) != SortId::BOOL;
    store.op(conjunct) == Op::Eq && store.args(conjunct).iter().any(is_var)
}
