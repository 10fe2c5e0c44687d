//! Declared functions in clauses: an interpretation of them is chosen, and written out.
//!
//! A system with background functions is safe if *some* interpretation of them, and of the
//! predicates, satisfies all clauses (`problem::horn`). Clauses without predicates are axioms about
//! the functions alone. So a model of the axioms is looked for, in which each function is a table with
//! a value elsewhere; functions that no axiom mentions are constant. With the tables written out
//! the system has no functions, and every engine can solve it. Its model is one of the original
//! together with the tables.
//!
//! Where false can be derived under this interpretation, another one may still be safe, so only a
//! derivation that needs no function is carried back. Systems whose functions take or give elements of
//! uninterpreted sorts, whose tables are no terms, are left as they are.
//!
//! Invariant: clauses keep their positions and variables.
//!
//! After the background axioms of McMillan, Rybalchenko, Solving constrained Horn clauses using
//! interpolation (MSR-TR-2013-6), which ask for all interpretations of axioms instead of one.

use crate::ask::ask;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::evidence::horn::{Derivation, HornModel};
use alphorn_problem::horn::{Clause, Head};
use alphorn_problem::obligation::horn::written_out;
use alphorn_problem::{Back, Horn, Lost};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::eval::Table;
use alphorn_term::{FuncId, Model, Op, SortId, Store, TermId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How often instances of axioms are looked for.
const MOST_ROUNDS: u32 = 150;

/// A system without functions, and the way back.
type Interpreted = (Horn, Back<Horn, Horn>);

/// The system under an interpretation of its functions, and the way back; none if there are no
/// functions, or no interpretation of them is found.
pub(crate) fn interpret(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Option<Interpreted>, Stop> {
    let users: Vec<BTreeSet<FuncId>> =
        horn.clauses.iter().map(|clause| functions(horn, clause)).collect();
    let all: BTreeSet<FuncId> = users.iter().flatten().copied().collect();
    let has_plain_sorts = |func: &FuncId| {
        let declared = horn.terms.func(*func);
        let is_plain = |sort: &SortId| *sort == SortId::BOOL || sort.is_arithmetic();
        declared.args.iter().chain([&declared.result]).all(is_plain)
    };
    if all.is_empty() || !all.iter().all(has_plain_sorts) {
        return Ok(None);
    }
    let mut terms = horn.terms.clone();
    let Some(model) = model_of_axioms(horn, &mut terms, ctx)? else {
        ctx.emit(Event::Remark("no interpretation of the functions was found".to_owned()));
        return Ok(None);
    };
    let tables: BTreeMap<FuncId, Table> =
        all.iter().map(|&func| (func, table(&terms, &model, func))).collect();
    let chosen = written(horn, terms, &tables);
    ctx.emit(Event::Remark(format!("functions: {} are given values", tables.len())));
    let is_free: Vec<bool> = users.iter().map(BTreeSet::is_empty).collect();
    let back = Back::new(
        move |model: HornModel| {
            let proofs = Vec::new();
            Ok(HornModel { funcs: tables.clone(), proofs, ..model })
        },
        move |derivation: Derivation| {
            let is_general = |position: usize| is_free.get(position).copied().unwrap_or(false);
            match derivation.steps.iter().all(|step| is_general(step.clause.index())) {
                true => Ok(derivation),
                false => Err(Lost(
                    "false is derived for one interpretation of the declared functions, and others \
                     were not tried"
                        .to_owned(),
                )),
            }
        },
    );
    Ok(Some((chosen, back)))
}

/// The functions that a clause mentions and that are no predicates.
fn functions(horn: &Horn, clause: &Clause) -> BTreeSet<FuncId> {
    let mut roots = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        roots.extend(args);
    }
    let all = horn.terms.subterms(&roots);
    let function = |term: TermId| match horn.terms.op(term) {
        Op::Apply(func) if horn.pred_of(func).is_none() => Some(func),
        _ => None,
    };
    all.into_iter().filter_map(function).collect()
}

/// A model of the clauses that mention no predicate.
fn model_of_axioms(
    horn: &Horn,
    terms: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Model>, Stop> {
    let mut smt = Smt::new(Options { instance_rounds: MOST_ROUNDS, ..Options::default() });
    for clause in &horn.clauses {
        if clause.head == Head::False && horn.atoms(clause.body).is_empty() {
            let holds = terms.not(clause.body);
            let axiom = terms.forall(&clause.vars, holds);
            smt.assert(terms, axiom);
        }
    }
    Ok(match ask(&mut smt, terms, &[], ctx)? {
        Answer::Sat => Some(smt.model(terms)),
        Answer::Unsat | Answer::Unknown => None,
    })
}

/// What a function is in a model, with a value everywhere.
fn table(terms: &Store, model: &Model, func: FuncId) -> Table {
    let mut table = model.funcs.get(&func).cloned().unwrap_or_default();
    if table.default.is_none() {
        table.default = Value::default_of(terms, terms.func(func).result);
    }
    table
}

/// The system with tables written out.
fn written(horn: &Horn, mut terms: Store, tables: &BTreeMap<FuncId, Table>) -> Horn {
    let mut clauses = horn.clauses.clone();
    for clause in &mut clauses {
        clause.body = written_out(clause.body, tables, &mut terms);
        if let Head::Atom(_, args) = &mut clause.head {
            for arg in args {
                *arg = written_out(*arg, tables, &mut terms);
            }
        }
    }
    let mut chosen = Horn::new(terms);
    for pred in &horn.preds {
        chosen.add_pred(pred.func, pred.span);
    }
    chosen.clauses = clauses;
    chosen
}
