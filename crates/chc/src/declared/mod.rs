//! Declared functions in clauses: an interpretation of them is looked for, and written out.
//!
//! A system with background functions is safe if *some* interpretation of them, and of the
//! predicates, satisfies all clauses (`problem::horn`). Clauses without predicates are axioms about
//! the functions alone. So a model of the axioms is looked for, in which each function is a table with
//! a value elsewhere; functions that no axiom mentions are constant. With the tables written out
//! the system has no functions, and every engine can solve it. Its model is one of the original
//! together with the tables.
//!
//! Where false can be derived under this interpretation, others are tried: those under which no
//! derivation of the shapes seen so far is possible (`shape`). If false can be derived under all of
//! them, the clauses as formulas have no model, which the solver may be able to show (`refute`).
//! Systems whose functions take or give elements of uninterpreted sorts, whose tables are no terms,
//! are refuted or left as they are.
//!
//! Not a view: every engine needs the functions written out, so that happens once, before all transforms
//! and engines (`simplify_interpreted`), and which clauses as read each clause comes from is told to the
//! user. Of the systems that are tried on the way only derivations matter, and nothing goes back of claims.
//!
//! Invariant: clauses keep their positions and variables.
//!
//! After the background axioms of McMillan, Rybalchenko, Solving constrained Horn clauses using
//! interpolation (MSR-TR-2013-6), which ask for all interpretations of axioms instead of one; the
//! search for one by counterexamples is ours.

mod axioms;
mod defined;
mod functions;
mod numbered;
mod refutation;
mod refute;
mod roles;
mod shape;
mod templates;

use crate::settings::{
    DECLARED_FEW_INSTANCES, DECLARED_MANY_INSTANCES, DECLARED_MAX_ROUNDS, DECLARED_MODEL_CONFLICTS,
};
use crate::settings::{DECLARED_MAX_INTERPRETATIONS, DECLARED_TRIAL_TICKS};
use alphorn_engine::{Back, Ctx, Event, Lost, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_horn::{Simplified, TransformCard, simplify, simplify_with};
use alphorn_problem::evidence::horn::{Derivation, HornClaim};
use alphorn_problem::horn::Head;
use alphorn_problem::obligation::horn::written_out;
use alphorn_problem::{Finding, Horn};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::eval::Table;
use alphorn_term::{FuncId, Model, SortId, Store, TermId, Value};
use refute::{refute, refuted};
use std::collections::{BTreeMap, BTreeSet};

/// A system without functions, and the way back.
type Interpreted = (Horn, Back<Horn, Horn>);

/// `simplify_with` after the functions of the system are interpreted, where it has some.
pub fn simplify_interpreted(
    horn: &Horn,
    chosen: &[&TransformCard],
    ctx: &mut Ctx<'_>,
) -> Result<Simplified, Stop> {
    let seen = match interpret(horn, ctx)? {
        Some(seen) => Some(seen),
        None => uninterpreted(horn, ctx)?,
    };
    let Some((interpreted, back)) = seen else {
        return simplify_with(horn, chosen, ctx);
    };
    let small = simplify_with(&interpreted, chosen, ctx)?;
    Ok(small.behind(back))
}

/// The system with instances of axioms in the place of axioms, and integers in the place of elements of declared
/// sorts, and the way back; none if there are neither.
fn uninterpreted(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Option<Interpreted>, Stop> {
    let Some((weaker, back)) = axioms::instantiated(horn, ctx)? else { return Ok(None) };
    Ok(Some(match numbered::numbered(&weaker) {
        Some((numbers, own)) => (numbers, back.after(own)),
        None => (weaker, back),
    }))
}

/// The system under an interpretation of its functions, and the way back; none if there are no
/// functions, or no interpretation of them is found.
pub fn interpret(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Option<Interpreted>, Stop> {
    let users: Vec<BTreeSet<FuncId>> =
        horn.clauses.iter().map(|clause| horn.functions(clause)).collect();
    let all: BTreeSet<FuncId> = users.iter().flatten().copied().collect();
    if all.is_empty() {
        return Ok(None);
    }
    let has_plain_sorts = |func: &FuncId| {
        let declared = horn.terms.func(*func);
        let is_plain = |sort: &SortId| *sort == SortId::BOOL || sort.is_arithmetic();
        declared.args.iter().chain([&declared.result]).all(is_plain)
    };
    let is_free: Vec<bool> = users.iter().map(BTreeSet::is_empty).collect();
    if !all.iter().all(has_plain_sorts) {
        let found = refute(horn, DECLARED_MANY_INSTANCES.short(), ctx)?;
        return Ok(found.map(|refutation| refuted(horn, refutation)));
    }
    let mut search =
        Search { horn, terms: horn.terms.clone(), all, is_free, learned: Vec::new(), last: None };
    search.run(ctx)
}

/// A search for an interpretation.
struct Search<'h> {
    horn: &'h Horn,
    terms: Store,
    all: BTreeSet<FuncId>,
    /// Which clauses mention no function.
    is_free: Vec<bool>,
    /// What interpretations must satisfy beside the axioms.
    learned: Vec<TermId>,
    last: Option<BTreeMap<FuncId, Table>>,
}

impl Search<'_> {
    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Interpreted>, Stop> {
        let most = DECLARED_MAX_INTERPRETATIONS.size();
        for round in 0..most {
            let found = self.model(ctx)?;
            if let Some(model) = found {
                let tables = |&func| (func, table(&self.terms, &model, func));
                let tables: BTreeMap<FuncId, Table> = self.all.iter().map(tables).collect();
                self.last = Some(tables.clone());
                let Some(derivation) = self.trial(&tables, ctx)? else { break };
                self.learned.push(
                    shape::excluded(self.horn, &derivation, &mut self.terms)
                        .map_err(Stop::Stuck)?,
                );
            }
            let is_last = round + 1 == most || self.learned.len() <= round;
            if round % 4 == 0 || is_last {
                let rounds = if is_last {
                    DECLARED_MANY_INSTANCES.short()
                } else {
                    DECLARED_FEW_INSTANCES.short() << (round / 4)
                };
                if let Some(refutation) = refute(self.horn, rounds, ctx)? {
                    ctx.emit(Event::Remark("functions: whatever they are, false follows".into()));
                    return Ok(Some(refuted(self.horn, refutation)));
                }
            }
            if is_last {
                break;
            }
        }
        let Some(tables) = self.last.take() else {
            ctx.emit(Event::Remark("no interpretation of the functions was found".to_owned()));
            return Ok(None);
        };
        let tried = self.learned.len();
        let text = format!("functions: {} are given values, after {tried} others", tables.len());
        ctx.emit(Event::Remark(text));
        Ok(Some(self.interpreted(tables)))
    }

    /// A model of the clauses that mention no predicate, and of what was learned.
    fn model(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Model>, Stop> {
        let mut smt = Smt::new(Options {
            instance_rounds: DECLARED_MAX_ROUNDS.short(),
            ..Options::default()
        });
        let Search { horn, terms, .. } = self;
        for clause in &horn.clauses {
            if clause.head == Head::False && horn.atoms(clause.body).is_empty() {
                let holds = terms.not(clause.body);
                let axiom = terms.forall(&clause.vars, holds);
                smt.assert(terms, axiom);
            }
        }
        for &formula in &self.learned {
            smt.assert(terms, formula);
        }
        Ok(match ask_within(&mut smt, terms, &[], DECLARED_MODEL_CONFLICTS.get(), ctx)? {
            Answer::Sat => Some(smt.model(terms)),
            Answer::Unsat | Answer::Unknown => None,
        })
    }

    /// A derivation under an interpretation that goes through functions; none if there is a
    /// model, or a derivation without, or nothing is found in short time.
    fn trial(
        &self,
        tables: &BTreeMap<FuncId, Table>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Derivation>, Stop> {
        let chosen = written(self.horn, self.terms.clone(), tables);
        let found = tried(&chosen, ctx)?;
        Ok(found.filter(|derivation| {
            !derivation.steps.iter().all(|step| self.is_free(step.clause.index()))
        }))
    }

    fn is_free(&self, clause: usize) -> bool {
        self.is_free.get(clause).copied().unwrap_or(false)
    }

    /// The system with tables written out, and the way back.
    fn interpreted(&self, tables: BTreeMap<FuncId, Table>) -> Interpreted {
        let chosen = written(self.horn, self.terms.clone(), &tables);
        let is_free = self.is_free.clone();
        let back = Back::new(
            move |claim: HornClaim| {
                Ok(HornClaim { funcs: tables.clone(), hints: Vec::new(), ..claim })
            },
            move |derivation: Derivation| {
                let is_general = |position: usize| is_free.get(position).copied().unwrap_or(false);
                match derivation.steps.iter().all(|step| is_general(step.clause.index())) {
                    true => Ok(derivation),
                    false => Err(Lost(
                        "false is derived for one interpretation of the declared functions, and \
                         not shown to follow for all of them"
                            .to_owned(),
                    )),
                }
            },
        );
        (chosen, back)
    }
}

/// A derivation from a system, if one is found in short time.
fn tried(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Option<Derivation>, Stop> {
    shortly(DECLARED_TRIAL_TICKS.get(), ctx, |ctx| {
        let Simplified { horn: small, back, .. } = simplify(horn, &[], ctx)?;
        let mut engine = (crate::pdr::CARD.build)();
        match engine.run(&small, ctx)? {
            Finding::Holds(_) => Ok(None),
            found => match back.finding(found, ctx)? {
                Finding::Fails(derivation) => Ok(Some(derivation)),
                Finding::Holds(_) => Ok(None),
            },
        }
    })
}

/// What is found within so many ticks; nothing if that fails for a reason of its own.
fn shortly<T>(
    ticks: u64,
    ctx: &mut Ctx<'_>,
    find: impl FnOnce(&mut Ctx<'_>) -> Result<Option<T>, Stop>,
) -> Result<Option<T>, Stop> {
    let found = ctx.apart(|ctx| ctx.within(ticks, find));
    // A flag that was raised is seen at the next tick.
    ctx.tick(1)?;
    Ok(found.unwrap_or(None))
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
