//! Systems in which predicates are shared, without a node for each use: succinct expansion.
//!
//! A tree has a node for each use of a predicate, which may be exponentially many. Here a predicate is expanded
//! once, and its uses have in common what is known of it: formulas that hold of all its facts, and facts. A clause
//! that the formulas allow to fire gives a goal to an atom of its body: what the rest of the clause asks of its
//! arguments (projection). Either the atom's predicate has a fact of that kind, which is looked for in the same way,
//! or its clauses exclude the goal, and an interpolant says what holds of the predicate instead. So the uses
//! of a predicate are as many as there are different goals.
//!
//! Invariant: what is known of predicates follows from their clauses and what is known of the predicates in these.
//!
//! The recursion goes from predicates to those below them, and ends because there is no recursion among these. After
//! Komuravelli, Gurfinkel, Chaki (CAV 2014), whose may and must summaries these are; without frames, as nothing is
//! bounded.

use super::{Solver, solution};
use crate::ask::ask;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::{ClauseId, Head, PredId};
use alphorn_problem::obligation::horn::{instance, unfold};
use alphorn_smt::project::project;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Substitution, TermId, Value, eval};

/// A search that shares what is known of predicates among their uses.
pub(super) struct Shared<'s, 'a> {
    pub(super) solver: &'s mut Solver<'a>,
    /// What was derived, each step after its premises.
    steps: Vec<Step>,
    /// By predicate: the arguments of facts as terms, and the steps that derive them.
    facts: Vec<Vec<(Vec<TermId>, usize)>>,
}

/// A clause on its way to an instance.
struct Firing {
    id: ClauseId,
    /// What the clause says without its atoms, and what is asked of its conclusion.
    parts: Vec<TermId>,
    atoms: Vec<(PredId, Vec<TermId>)>,
    /// By atom: which fact of its predicate stands for it.
    chosen: Vec<Option<usize>>,
}

impl<'s, 'a> Shared<'s, 'a> {
    pub(super) fn new(solver: &'s mut Solver<'a>) -> Shared<'s, 'a> {
        let facts = vec![Vec::new(); solver.horn.preds.len()];
        Shared { solver, steps: Vec::new(), facts }
    }

    /// Derives a query, or makes what is known exclude it.
    pub(super) fn query(
        mut self,
        query: ClauseId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Derivation>, Stop> {
        Ok(match self.fire(query, &[], ctx)? {
            Some(_) => Some(Derivation::of(self.steps)),
            None => None,
        })
    }

    /// A fact of a predicate that satisfies a goal, literals over its parameters; if there is none, what is
    /// known excludes the goal afterwards.
    fn reach(
        &mut self,
        pred: PredId,
        goal: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<usize>, Stop> {
        ctx.tick(1)?;
        for at in 0..self.solver.clauses_of[pred.index()].len() {
            let clause = self.solver.clauses_of[pred.index()][at];
            if let Some(fact) = self.fire(clause, goal, ctx)? {
                return Ok(Some(fact));
            }
        }
        let inside = self.one_step(pred)?;
        let terms = &mut self.solver.terms;
        let mut smt = Smt::new(Options::default());
        smt.assert(terms, inside);
        if ask(&mut smt, terms, goal, ctx)? != Answer::Unsat {
            return Err(undecided("whether a goal is excluded"));
        }
        let needed: Vec<TermId> = smt.failed();
        let outside = terms.and(&needed);
        let lemma = match solution::separating(terms, inside, outside, ctx)? {
            Some(lemma) => lemma,
            None => terms.not(outside),
        };
        let known = &mut self.solver.known[pred.index()];
        known.body = self.solver.terms.and(&[known.body, lemma]);
        Ok(None)
    }

    /// An instance of a clause whose conclusion satisfies a goal, which is about the parameters of the
    /// predicate in its head: the fact, or for a query its step. None if what is known excludes it.
    fn fire(
        &mut self,
        id: ClauseId,
        goal: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<usize>, Stop> {
        let mut firing = self.firing(id, goal)?;
        loop {
            ctx.tick(1)?;
            let parts = self.parts(&firing, None)?;
            let terms = &mut self.solver.terms;
            let mut smt = Smt::new(Options::default());
            for part in parts {
                smt.assert(terms, part);
            }
            match ask(&mut smt, terms, &[], ctx)? {
                Answer::Unknown => return Err(undecided("whether a clause can fire")),
                Answer::Unsat if firing.chosen.iter().all(Option::is_none) => return Ok(None),
                Answer::Unsat => {
                    firing.chosen.iter_mut().for_each(|chosen| *chosen = None);
                    continue;
                }
                Answer::Sat => {}
            }
            let model = self.whole(id, smt.model(&self.solver.terms));
            let Some(at) = firing.chosen.iter().position(Option::is_none) else {
                return self.conclude(&firing, &model).map(Some);
            };
            if let Some(fact) = self.fitting(&firing, at, &mut smt, ctx)? {
                firing.chosen[at] = Some(fact);
                continue;
            }
            let goal = self.goal(&firing, at, model)?;
            match self.reach(firing.atoms[at].0, &goal, ctx)? {
                Some(fact) => firing.chosen[at] = Some(fact),
                // What is chosen was chosen for what is excluded now.
                None => firing.chosen.iter_mut().for_each(|chosen| *chosen = None),
            }
        }
    }

    fn firing(&mut self, id: ClauseId, goal: &[TermId]) -> Result<Firing, Stop> {
        let Solver { horn, terms, known, .. } = &mut *self.solver;
        let clause = horn.clause(id);
        let mut atoms = Vec::new();
        let constraint = unfold(horn, clause, terms, |_, atom, args| {
            let pred = horn.atom(atom).expect("only atoms are unfolded");
            atoms.push((pred, args.to_vec()));
            Ok(Some(TermId::TRUE))
        });
        let mut parts = vec![constraint.map_err(Stop::Stuck)?];
        if let Head::Atom(pred, args) = &clause.head {
            let params = known[pred.index()].params.iter().copied();
            let map: Substitution = params.zip(args.iter().copied()).collect();
            parts.extend(terms.substitute_all(goal, &map));
        }
        let chosen = vec![None; atoms.len()];
        Ok(Firing { id, parts, atoms, chosen })
    }

    /// What a clause must satisfy: its constraint, and of its atoms the chosen facts or what is known; without
    /// what is known of one of them.
    fn parts(&mut self, firing: &Firing, without: Option<usize>) -> Result<Vec<TermId>, Stop> {
        let Solver { horn, terms, known, .. } = &mut *self.solver;
        let clause = horn.clause(firing.id);
        let mut parts = firing.parts.clone();
        for (at, (pred, args)) in firing.atoms.iter().enumerate() {
            if let Some(fact) = firing.chosen[at] {
                let values = &self.facts[pred.index()][fact].0;
                parts.extend(args.iter().zip(values).map(|(&arg, &value)| terms.eq(arg, value)));
            } else if without != Some(at) {
                let holds = instance(clause, &known[pred.index()], args, terms);
                parts.push(holds.map_err(Stop::Stuck)?);
            }
        }
        Ok(parts)
    }

    /// A fact that an atom of a clause may be, beside what is known of the others.
    fn fitting(
        &mut self,
        firing: &Firing,
        at: usize,
        smt: &mut Smt,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<usize>, Stop> {
        let (pred, args) = &firing.atoms[at];
        let terms = &mut self.solver.terms;
        let mut ways = Vec::new();
        for (values, _) in &self.facts[pred.index()] {
            let same: Vec<TermId> =
                args.iter().zip(values).map(|(&arg, &value)| terms.eq(arg, value)).collect();
            ways.push(terms.and(&same));
        }
        let any = terms.or(&ways);
        if any == TermId::FALSE || ask(smt, terms, &[any], ctx)? != Answer::Sat {
            return Ok(None);
        }
        let model = self.whole(firing.id, smt.model(&self.solver.terms));
        let terms = &self.solver.terms;
        let holds = |way: &TermId| eval(terms, *way, &model) == Ok(Value::Bool(true));
        Ok(ways.iter().position(holds))
    }

    /// What the rest of a clause asks of the arguments of an atom, about the parameters of its predicate.
    fn goal(&mut self, firing: &Firing, at: usize, mut model: Model) -> Result<Vec<TermId>, Stop> {
        let mut parts = self.parts(firing, Some(at))?;
        let Solver { horn, terms, known, .. } = &mut *self.solver;
        let (pred, args) = &firing.atoms[at];
        for (&param, &arg) in known[pred.index()].params.iter().zip(args) {
            let value =
                eval(terms, arg, &model).map_err(|_| undecided("the value of an argument"))?;
            model.set(param, value);
            parts.push(terms.eq(param, arg));
        }
        let vars = &horn.clause(firing.id).vars;
        let asked = project(terms, &parts, vars, &model)
            .and_then(|projection| projection.with_values(terms, &model));
        asked.ok_or_else(|| undecided("what a clause asks of an atom"))
    }

    /// Records the instance of a clause that a model is, whose atoms are facts.
    fn conclude(&mut self, firing: &Firing, model: &Model) -> Result<usize, Stop> {
        let Solver { horn, terms, .. } = &mut *self.solver;
        let clause = horn.clause(firing.id);
        let values = clause.vars.iter().map(|var| model.vars.get(var).cloned());
        let values = values.collect::<Option<Vec<Value>>>().ok_or_else(|| undecided("values"))?;
        let mut premises = Vec::with_capacity(firing.atoms.len());
        for ((pred, _), chosen) in firing.atoms.iter().zip(&firing.chosen) {
            premises.extend(chosen.map(|fact| self.facts[pred.index()][fact].1));
        }
        let step = Step::new(firing.id, values, premises);
        let conclusion = step.conclusion(horn);
        self.steps.push(step);
        let Head::Atom(pred, _) = &clause.head else { return Ok(self.steps.len() - 1) };
        let (_, values) = conclusion.ok_or_else(|| undecided("what a clause concludes"))?;
        let values = values.iter().map(|value| terms.value_term(value)).collect::<Option<Vec<_>>>();
        let facts = &mut self.facts[pred.index()];
        facts.push((values.ok_or_else(|| undecided("the terms of values"))?, self.steps.len() - 1));
        Ok(facts.len() - 1)
    }

    /// A model with values for all variables of a clause, where there are any.
    fn whole(&self, id: ClauseId, mut model: Model) -> Model {
        let Solver { horn, terms, .. } = &*self.solver;
        for &var in &horn.clause(id).vars {
            if !model.vars.contains_key(&var)
                && let Some(value) = Value::default_of(terms, terms.sort(var))
            {
                model.set(var, value);
            }
        }
        model
    }

    /// What the clauses of a predicate conclude from what is known, about its parameters.
    fn one_step(&mut self, pred: PredId) -> Result<TermId, Stop> {
        let Solver { horn, terms, known, clauses_of, .. } = &mut *self.solver;
        let mut ways = Vec::new();
        for &id in &clauses_of[pred.index()] {
            let clause = horn.clause(id);
            let body = unfold(horn, clause, terms, |store, atom, args| {
                let of = horn.atom(atom).expect("only atoms are unfolded");
                instance(clause, &known[of.index()], args, store).map(Some)
            });
            let mut parts = vec![body.map_err(Stop::Stuck)?];
            if let Head::Atom(_, args) = &clause.head {
                let params = &known[pred.index()].params;
                parts.extend(params.iter().zip(args).map(|(&param, &arg)| terms.eq(param, arg)));
            }
            ways.push(terms.and(&parts));
        }
        Ok(terms.or(&ways))
    }
}

fn undecided(what: &str) -> Stop {
    Stop::Stuck(format!("the solver cannot tell {what}"))
}
