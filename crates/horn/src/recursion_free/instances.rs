//! From facts that are formulas to a derivation of values.
//!
//! A search that shares facts among uses knows which clause concludes them, and from which facts of the predicates
//! in it, but no values. Here the values are chosen, from the query down: those of a clause's variables satisfy the
//! clause, the facts that stand for its atoms, and have it conclude what the clause above needs. Where equations determine
//! them they are evaluated (`determined`), and found by the solver elsewhere. Equal conclusions are derived once.
//!
//! Invariant: every step comes after its premises, and concludes what they are taken for.

use super::Solver;
use super::determined::{Determined, Valued};
use super::shared::{Facts, undecided};
use crate::ask::ask;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::{Head, PredId};
use alphorn_problem::obligation::horn::{instance, unfold};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{TermId, Value, eval};
use rustc_hash::FxHashMap;

/// A derivation that grows from its premises.
pub(super) struct Instances<'s, 'a> {
    solver: &'s mut Solver<'a>,
    /// By predicate: the facts that were found.
    facts: &'s [Vec<Facts>],
    steps: Vec<Step>,
    /// The step that derives a fact.
    step_of: FxHashMap<(PredId, Vec<Value>), usize>,
    /// Clauses that were had before, by their predicates and which facts of these they conclude.
    prepared: FxHashMap<(PredId, usize), Prepared>,
}

/// A clause with facts in the places of its atoms.
struct Prepared {
    body: TermId,
    atoms: Vec<(PredId, Vec<TermId>)>,
    /// Its variables as functions of what it concludes, where they are.
    determined: Option<Determined>,
}

impl<'s, 'a> Instances<'s, 'a> {
    pub(super) fn new(solver: &'s mut Solver<'a>, facts: &'s [Vec<Facts>]) -> Instances<'s, 'a> {
        let (steps, step_of) = (Vec::new(), FxHashMap::default());
        Instances { solver, facts, steps, step_of, prepared: FxHashMap::default() }
    }

    /// The derivation of a query in a way that was found.
    pub(super) fn derivation(
        mut self,
        query: &Facts,
        ctx: &mut Ctx<'_>,
    ) -> Result<Derivation, Stop> {
        let prepared = self.prepare(query)?;
        let valued = self.solved(query, &prepared, &[], ctx)?;
        self.concluded(query, valued, &prepared.atoms, ctx)?;
        Ok(Derivation::of(self.steps))
    }

    /// The step that concludes values by the clause of facts that they are among.
    fn step(
        &mut self,
        (pred, which): (PredId, usize),
        values: &[Value],
        ctx: &mut Ctx<'_>,
    ) -> Result<usize, Stop> {
        ctx.tick(1)?;
        let all: &'s [Vec<Facts>] = self.facts;
        let facts = &all[pred.index()][which];
        // It is put back: a clause without recursion is not had below itself.
        let mut prepared = match self.prepared.remove(&(pred, which)) {
            Some(prepared) => prepared,
            None => self.prepare(facts)?,
        };
        let store = &self.solver.terms;
        let determined = prepared.determined.as_mut();
        let valued = match determined.and_then(|determined| determined.at(store, values)) {
            Some(valued) => valued,
            None => self.solved(facts, &prepared, values, ctx)?,
        };
        let step = self.concluded(facts, valued, &prepared.atoms, ctx);
        self.prepared.insert((pred, which), prepared);
        step
    }

    fn prepare(&mut self, facts: &Facts) -> Result<Prepared, Stop> {
        let Solver { horn, terms, .. } = &mut *self.solver;
        let horn = *horn;
        let clause = horn.clause(facts.clause);
        let mut atoms: Vec<(PredId, Vec<TermId>)> = Vec::new();
        let body = unfold(horn, clause, terms, |store, atom, args| {
            let pred = horn.atom(atom).expect("only atoms are unfolded");
            let which = &self.facts[pred.index()][facts.premises[atoms.len()]].which;
            atoms.push((pred, args.to_vec()));
            instance(clause, which, args, store).map(Some)
        });
        let body = body.map_err(Stop::Stuck)?;
        let determined = Determined::of(terms, clause, body, &atoms);
        Ok(Prepared { body, atoms, determined })
    }

    /// Values with which a clause concludes what it is to, by the solver.
    fn solved(
        &mut self,
        facts: &Facts,
        prepared: &Prepared,
        values: &[Value],
        ctx: &mut Ctx<'_>,
    ) -> Result<Valued, Stop> {
        let Solver { horn, terms, .. } = &mut *self.solver;
        let clause = horn.clause(facts.clause);
        let mut smt = Smt::new(Options::default());
        smt.assert(terms, prepared.body);
        if let Head::Atom(_, args) = &clause.head {
            for (&arg, value) in args.iter().zip(values) {
                let value = terms.value_term(value).ok_or_else(|| undecided("a value's term"))?;
                let same = terms.eq(arg, value);
                smt.assert(terms, same);
            }
        }
        if ask(&mut smt, terms, &[], ctx)? != Answer::Sat {
            return Err(undecided("the values of a derivation"));
        }
        let model = smt.model(terms);
        let model = self.solver.whole(facts.clause, model);
        let terms = &self.solver.terms;
        let mut all = Vec::with_capacity(prepared.atoms.len());
        for (_, args) in &prepared.atoms {
            let values = args.iter().map(|&arg| eval(terms, arg, &model));
            let values = values.collect::<Result<Vec<Value>, _>>();
            all.push(values.map_err(|_| undecided("an argument"))?);
        }
        let values = clause.vars.iter().map(|var| model.vars.get(var).cloned());
        let values = values.collect::<Option<Vec<Value>>>().ok_or_else(|| undecided("values"))?;
        Ok((values, all))
    }

    /// The step of a clause at values, after steps for its premises.
    fn concluded(
        &mut self,
        facts: &Facts,
        (values, args): Valued,
        atoms: &[(PredId, Vec<TermId>)],
        ctx: &mut Ctx<'_>,
    ) -> Result<usize, Stop> {
        let mut premises = Vec::with_capacity(atoms.len());
        for (((pred, _), own), &which) in atoms.iter().zip(args).zip(&facts.premises) {
            let key = (*pred, own);
            if let Some(&step) = self.step_of.get(&key) {
                premises.push(step);
                continue;
            }
            let step = self.step((*pred, which), &key.1, ctx)?;
            self.step_of.insert(key, step);
            premises.push(step);
        }
        self.steps.push(Step::new(facts.clause, values, premises));
        Ok(self.steps.len() - 1)
    }
}
