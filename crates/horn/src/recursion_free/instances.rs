//! From facts that are formulas to a derivation of values.
//!
//! A search that shares facts among uses knows which clause concludes them, and from which facts of the predicates
//! in it, but no values. Here the values are chosen, from the query down: those of a clause's variables satisfy the
//! clause, the facts that stand for its atoms, and have it conclude what the clause above needs. Equal conclusions are
//! derived once.
//!
//! Invariant: every step comes after its premises, and concludes what they are taken for.

use super::Solver;
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
}

impl<'s, 'a> Instances<'s, 'a> {
    pub(super) fn new(solver: &'s mut Solver<'a>, facts: &'s [Vec<Facts>]) -> Instances<'s, 'a> {
        Instances { solver, facts, steps: Vec::new(), step_of: FxHashMap::default() }
    }

    /// The derivation of a query in a way that was found.
    pub(super) fn derivation(
        mut self,
        query: &Facts,
        ctx: &mut Ctx<'_>,
    ) -> Result<Derivation, Stop> {
        self.step(query, &[], ctx)?;
        Ok(Derivation::of(self.steps))
    }

    /// A step that concludes values by the clause of facts that they are among.
    fn step(&mut self, facts: &Facts, values: &[Value], ctx: &mut Ctx<'_>) -> Result<usize, Stop> {
        ctx.tick(1)?;
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
        let mut smt = Smt::new(Options::default());
        smt.assert(terms, body.map_err(Stop::Stuck)?);
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
        let mut premises = Vec::with_capacity(atoms.len());
        for ((pred, args), &which) in atoms.iter().zip(&facts.premises) {
            let terms = &self.solver.terms;
            let values = args.iter().map(|&arg| eval(terms, arg, &model));
            let values =
                values.collect::<Result<Vec<Value>, _>>().map_err(|_| undecided("an argument"))?;
            let key = (*pred, values);
            if let Some(&step) = self.step_of.get(&key) {
                premises.push(step);
                continue;
            }
            let all: &'s [Vec<Facts>] = self.facts;
            let step = self.step(&all[pred.index()][which], &key.1, ctx)?;
            self.step_of.insert(key, step);
            premises.push(step);
        }
        let values = clause.vars.iter().map(|var| model.vars.get(var).cloned());
        let values = values.collect::<Option<Vec<Value>>>().ok_or_else(|| undecided("values"))?;
        self.steps.push(Step::new(facts.clause, values, premises));
        Ok(self.steps.len() - 1)
    }
}
