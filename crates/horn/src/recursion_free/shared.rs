//! Systems in which predicates are shared, without a node for each use: succinct expansion.
//!
//! A tree has a node for each use of a predicate, which may be exponentially many. Here a predicate is expanded
//! once, and its uses have in common what is known of it: formulas that hold of all its facts, and formulas that
//! only facts satisfy. A clause that the former allow to fire gives a goal to an atom of its body: what the rest of
//! the clause asks of its arguments (projection). Either the atom's predicate has a fact of that kind, which is
//! looked for in the same way, or its clauses exclude the goal, and an interpolant says what holds of the predicate
//! instead. A clause that fires gives all facts that it concludes in the way it did (projection again), whatever
//! was asked. So the uses of a predicate are as many as there are different goals, and its facts as many as there
//! are ways to derive one, however large the numbers in them.
//!
//! Invariant: what is known of predicates follows from their clauses and what is known of the predicates in these;
//! every fact follows from a clause and facts of the predicates in it. Values are chosen at the end (`instances`).
//!
//! The recursion goes from predicates to those below them, and ends because there is no recursion among these. After
//! Komuravelli, Gurfinkel, Chaki (CAV 2014), whose may and must summaries these are; without frames, as nothing is
//! bounded.

use super::instances::Instances;
use super::{Solver, solution};
use crate::ask::ask;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::horn::{Definition, Derivation};
use alphorn_problem::horn::{ClauseId, Head, PredId};
use alphorn_problem::obligation::horn::{instance, unfold};
use alphorn_smt::project::project;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Substitution, TermId, Value, eval};

/// A search that shares what is known of predicates among their uses.
pub(super) struct Shared<'s, 'a> {
    pub(super) solver: &'s mut Solver<'a>,
    /// By predicate: facts that were found.
    facts: Vec<Vec<Facts>>,
}

/// Facts that one clause concludes from facts of the predicates in it.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) clause: ClauseId,
    /// By atom of the clause: which facts of its predicate are meant.
    pub(super) premises: Vec<usize>,
    /// Which facts they are, over the parameters of the predicate that the clause concludes.
    pub(super) which: Definition,
}

/// A clause on its way to an instance.
struct Firing {
    id: ClauseId,
    /// What the clause says without its atoms.
    constraint: TermId,
    /// What is asked of its conclusion.
    goal: Vec<TermId>,
    atoms: Vec<(PredId, Vec<TermId>)>,
    /// By atom: which facts of its predicate stand for it.
    chosen: Vec<Option<usize>>,
}

impl<'s, 'a> Shared<'s, 'a> {
    pub(super) fn new(solver: &'s mut Solver<'a>) -> Shared<'s, 'a> {
        let facts = vec![Vec::new(); solver.horn.preds.len()];
        Shared { solver, facts }
    }

    /// Derives a query, or makes what is known exclude it.
    pub(super) fn query(
        mut self,
        query: ClauseId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Derivation>, Stop> {
        match self.fire(query, &[], ctx)? {
            Some(way) => Instances::new(self.solver, &self.facts).derivation(&way, ctx).map(Some),
            None => Ok(None),
        }
    }

    /// Facts of a predicate some of which satisfy a goal, literals over its parameters; if there are none, what is
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
            if let Some(found) = self.fire(clause, goal, ctx)? {
                let facts = &mut self.facts[pred.index()];
                facts.push(found);
                return Ok(Some(facts.len() - 1));
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
        let found = solution::separating(terms, inside, outside, ctx)?;
        let lemma = found.unwrap_or_else(|| terms.not(outside));
        let known = &mut self.solver.known[pred.index()];
        known.body = self.solver.terms.and(&[known.body, lemma]);
        Ok(None)
    }

    /// A way to derive the head of a clause so that it satisfies a goal, which is about the parameters of
    /// the predicate there. None if what is known excludes it.
    fn fire(
        &mut self,
        id: ClauseId,
        goal: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Facts>, Stop> {
        let mut firing = self.firing(id, goal)?;
        loop {
            ctx.tick(1)?;
            let parts = self.parts(&firing, None)?;
            let terms = &mut self.solver.terms;
            let mut smt = Smt::new(Options::default());
            for part in parts.into_iter().chain(firing.goal.iter().copied()) {
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
            let model = self.solver.whole(id, smt.model(&self.solver.terms));
            let Some(at) = firing.chosen.iter().position(Option::is_none) else {
                return self.conclude(&firing, model).map(Some);
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
        let constraint = constraint.map_err(Stop::Stuck)?;
        let goal = match &clause.head {
            Head::Atom(pred, args) => {
                let params = known[pred.index()].params.iter().copied();
                let map: Substitution = params.zip(args.iter().copied()).collect();
                terms.substitute_all(goal, &map)
            }
            Head::False => Vec::new(),
        };
        let chosen = vec![None; atoms.len()];
        Ok(Firing { id, constraint, goal, atoms, chosen })
    }

    /// What a clause says: its constraint, and of its atoms the chosen facts or what is known; without
    /// what is known of one of them.
    fn parts(&mut self, firing: &Firing, without: Option<usize>) -> Result<Vec<TermId>, Stop> {
        let Solver { horn, terms, known, .. } = &mut *self.solver;
        let clause = horn.clause(firing.id);
        let mut parts = vec![firing.constraint];
        for (at, (pred, args)) in firing.atoms.iter().enumerate() {
            if without == Some(at) {
                continue;
            }
            let which = match firing.chosen[at] {
                Some(facts) => &self.facts[pred.index()][facts].which,
                None => &known[pred.index()],
            };
            parts.push(instance(clause, which, args, terms).map_err(Stop::Stuck)?);
        }
        Ok(parts)
    }

    /// Facts that an atom of a clause may be among, beside what is known of the others.
    fn fitting(
        &mut self,
        firing: &Firing,
        at: usize,
        smt: &mut Smt,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<usize>, Stop> {
        let (pred, args) = &firing.atoms[at];
        let Solver { horn, terms, .. } = &mut *self.solver;
        let clause = horn.clause(firing.id);
        let mut ways = Vec::new();
        for facts in &self.facts[pred.index()] {
            ways.push(instance(clause, &facts.which, args, terms).map_err(Stop::Stuck)?);
        }
        let any = terms.or(&ways);
        if any == TermId::FALSE || ask(smt, terms, &[any], ctx)? != Answer::Sat {
            return Ok(None);
        }
        let model = self.solver.whole(firing.id, smt.model(&self.solver.terms));
        let terms = &self.solver.terms;
        let holds = |way: &TermId| eval(terms, *way, &model) == Ok(Value::Bool(true));
        Ok(ways.iter().position(holds))
    }

    /// What the rest of a clause asks of the arguments of an atom, about the parameters of its predicate.
    fn goal(&mut self, firing: &Firing, at: usize, model: Model) -> Result<Vec<TermId>, Stop> {
        let mut parts = self.parts(firing, Some(at))?;
        parts.extend(&firing.goal);
        let (pred, args) = &firing.atoms[at];
        self.about(*pred, args, firing.id, parts, model)
    }

    /// The facts that a clause concludes like the one that a model makes it conclude.
    fn conclude(&mut self, firing: &Firing, model: Model) -> Result<Facts, Stop> {
        let premises = firing.chosen.iter().flatten().copied().collect();
        let parts = self.parts(firing, None)?;
        let horn = self.solver.horn;
        let which = match &horn.clause(firing.id).head {
            Head::Atom(pred, args) => {
                let literals = self.about(*pred, args, firing.id, parts, model)?;
                let params = self.solver.known[pred.index()].params.clone();
                Definition { params, body: self.solver.terms.and(&literals) }
            }
            Head::False => Definition { params: Vec::new(), body: TermId::TRUE },
        };
        Ok(Facts { clause: firing.id, premises, which })
    }

    /// What formulas of a clause say of arguments of a predicate, near a model: literals about its parameters that
    /// imply that the clause's variables have values.
    fn about(
        &mut self,
        pred: PredId,
        args: &[TermId],
        id: ClauseId,
        mut parts: Vec<TermId>,
        mut model: Model,
    ) -> Result<Vec<TermId>, Stop> {
        let Solver { horn, terms, known, .. } = &mut *self.solver;
        for (&param, &arg) in known[pred.index()].params.iter().zip(args) {
            let value =
                eval(terms, arg, &model).map_err(|_| undecided("the value of an argument"))?;
            model.set(param, value);
            parts.push(terms.eq(param, arg));
        }
        let vars = &horn.clause(id).vars;
        let literals = project(terms, &parts, vars, &model)
            .and_then(|projection| projection.with_values(terms, &model));
        // Projection may leave a variable below operators that it does not know.
        let is_over_params =
            |found: &Vec<TermId>| !terms.subterms(found).iter().any(|term| vars.contains(term));
        literals.filter(is_over_params).ok_or_else(|| undecided("what a clause says of an atom"))
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

pub(super) fn undecided(what: &str) -> Stop {
    Stop::Stuck(format!("the solver cannot tell {what}"))
}
