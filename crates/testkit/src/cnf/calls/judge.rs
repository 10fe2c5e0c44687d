//! Judging what the solver says: models are evaluated, failures searched for a model, refutations replayed.

use super::Run;
use alphorn_check::lrat;
use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use alphorn_sat::drat::Limits;
use alphorn_sat::{ClauseId, Lit, Refutation, Step, Trace, Var};

impl Run {
    /// Sets the domain to the cone of all that the query mentions.
    pub(super) fn restrict(&mut self, assumptions: &[Lit], clauses: &[Vec<Lit>]) {
        let mut is_inside = vec![false; self.variables.len()];
        let seeds = self.domain.iter().flatten().chain(assumptions).chain(clauses.iter().flatten());
        for lit in seeds {
            if lit.var().index() < is_inside.len() {
                is_inside[lit.var().index()] = true;
            }
        }
        for index in (0..is_inside.len()).rev() {
            if let (true, Some((_, inputs))) = (is_inside[index], self.gates[index]) {
                inputs.iter().for_each(|lit| is_inside[lit.var().index()] = true);
            }
        }
        let inside = (0..is_inside.len()).filter(|index| is_inside[*index]);
        let domain: Vec<Var> = inside.map(|index| self.variables[index]).collect();
        self.solver.set_domain(&domain);
    }

    /// Whether an assignment satisfies the definitions, the clauses and the assumptions.
    pub(super) fn has_model(&self, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
        let mut all = clauses.to_vec();
        for (index, gate) in self.gates.iter().enumerate() {
            if let Some((shape, inputs)) = *gate {
                all.extend(shape.clauses(Var(index as u32).positive(), inputs));
            }
        }
        all.extend(assumptions.iter().map(|lit| vec![*lit]));
        search(&all, &mut vec![None; self.variables.len()])
    }

    /// Extends the solver's model by the definitions and evaluates it.
    pub(super) fn check_model(
        &self,
        clauses: &[Vec<Lit>],
        assumptions: &[Lit],
    ) -> Result<(), String> {
        let mut model: Vec<bool> = Vec::new();
        for (index, var) in self.variables.iter().enumerate() {
            let holds = |lit: Lit, model: &[bool]| model[lit.var().index()] != lit.is_negated();
            let given = self.solver.value(var.positive());
            if self.solver.value(var.negative()) != given.map(|value| !value) {
                return Err(format!("the literals of {var:?} agree"));
            }
            if given.is_none() && self.domain.is_none() {
                return Err(format!("{var:?} has no value"));
            }
            let defined = self.gates[index]
                .map(|(shape, inputs)| shape.evaluate(inputs.map(|lit| holds(lit, &model))));
            if given.is_some() && defined.is_some() && given != defined {
                return Err(format!("the gate {var:?} has the wrong value"));
            }
            model.push(given.or(defined).unwrap_or(false));
        }
        let holds = |lit: &Lit| model[lit.var().index()] != lit.is_negated();
        if !assumptions.iter().all(holds) {
            return Err("the model violates an assumption".into());
        }
        match clauses.iter().find(|clause| !clause.iter().any(holds)) {
            Some(clause) => Err(format!("the model violates {clause:?}")),
            None => Ok(()),
        }
    }

    /// Checks the failed assumptions by enumeration, and the proof by replay.
    pub(super) fn check_failure(
        &self,
        inside: &[Lit],
        assumptions: &[Lit],
        active: &[usize],
        temporary: Option<&[Lit]>,
    ) -> Result<(), String> {
        let failed = self.solver.failed();
        if failed.iter().any(|lit| !inside.contains(lit) || !self.solver.is_failed(*lit)) {
            return Err("a failed literal is not an assumption".into());
        }
        let core: Vec<Lit> = assumptions
            .iter()
            .copied()
            .filter(|lit| self.solver.is_failed(self.lit(*lit).expect("it was mapped before")))
            .collect();
        let mut clauses = self.clauses.clone();
        for index in active {
            if self.solver.is_failed(self.groups[*index].0.lit()) {
                clauses.extend(self.groups[*index].1.iter().cloned());
            }
        }
        clauses.extend(temporary.map(<[Lit]>::to_vec));
        if self.has_model(&clauses, &core) {
            return Err("the failed assumptions do not suffice".into());
        }
        let Some(trace) = self.solver.trace() else { return Ok(()) };
        let Some(goal) = self.solver.conclusion() else {
            let opposed = failed.iter().any(|lit| failed.contains(&!*lit));
            return if opposed { Ok(()) } else { Err("there is no conclusion".into()) };
        };
        if trace.literals(goal).iter().any(|lit| !self.solver.is_failed(!*lit)) {
            return Err("the conclusion has other literals than the failed assumptions".into());
        }
        replay_conclusion(trace, goal)
    }
}

/// Lets the checker replay how a conclusion follows; hints that were not recorded are found first.
pub(super) fn replay_conclusion(trace: &Trace, goal: ClauseId) -> Result<(), String> {
    if !trace.has_hints() {
        let restored = trace.restored(goal, |_| 0, 0, &Limits::default());
        let (trace, goal) = restored.map_err(|failure| format!("no hints: {failure:?}"))?;
        return replay_conclusion(&trace, goal);
    }
    for id in trace.trim(goal).clauses {
        if !trace.hints(id).is_empty() {
            check_chain(trace, id)?;
        }
    }
    replay(&trace.refutation(goal))
}

/// Looks for a model by splitting and unit propagation, as simply as can be.
fn search(clauses: &[Vec<Lit>], values: &mut Vec<Option<bool>>) -> bool {
    let before = values.clone();
    let mut shortest: Option<(usize, Lit)> = None;
    let mut progressed = true;
    while progressed {
        progressed = false;
        shortest = None;
        for clause in clauses {
            let value =
                |lit: &Lit| values[lit.var().index()].map(|value| value != lit.is_negated());
            if clause.iter().any(|lit| value(lit) == Some(true)) {
                continue;
            }
            let open: Vec<Lit> =
                clause.iter().copied().filter(|lit| value(lit).is_none()).collect();
            match open[..] {
                [] => {
                    *values = before;
                    return false;
                }
                [lit] => {
                    values[lit.var().index()] = Some(!lit.is_negated());
                    progressed = true;
                }
                [lit, ..] if shortest.is_none_or(|(size, _)| open.len() < size) => {
                    shortest = Some((open.len(), lit));
                }
                _ => {}
            }
        }
    }
    let Some((_, lit)) = shortest else { return true };
    for value in [!lit.is_negated(), lit.is_negated()] {
        values[lit.var().index()] = Some(value);
        if search(clauses, values) {
            return true;
        }
    }
    *values = before;
    false
}

/// Resolves along the chain of a derived clause and compares.
fn check_chain(trace: &Trace, id: ClauseId) -> Result<(), String> {
    let (start, steps) = trace.chain(id);
    let mut resolvent = trace.literals(start).to_vec();
    for (pivot, with) in steps {
        if !resolvent.contains(&pivot) {
            continue;
        }
        resolvent.retain(|lit| *lit != pivot);
        resolvent.extend(trace.literals(with).iter().filter(|lit| **lit != !pivot));
    }
    match resolvent.iter().find(|lit| !trace.literals(id).contains(lit)) {
        Some(lit) => Err(format!("the chain of {id:?} leaves {lit:?}")),
        None => Ok(()),
    }
}

/// Lets the checker replay a refutation.
pub fn replay(refutation: &Refutation) -> Result<(), String> {
    let numbers = |clause: &[Lit]| clause.iter().map(|lit| lit.to_dimacs()).collect::<Vec<i32>>();
    let formula: Vec<Vec<i32>> = refutation.formula.iter().map(|clause| numbers(clause)).collect();
    let steps = refutation.steps.iter().map(|step| match step {
        Step::Add { id, literals, hints } => LratStep::Add {
            id: *id,
            clause: numbers(literals),
            hints: hints.iter().map(|hint| *hint as i64).collect(),
        },
        Step::Delete(ids) => LratStep::Delete(ids.clone()),
    });
    let proof = Lrat { steps: steps.collect() };
    lrat::refute(formula.iter().map(Vec::as_slice), &proof)
        .map_err(|refusal| format!("{refusal:?}"))
}
