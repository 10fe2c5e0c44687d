//! Progressions: many steps of a derivation in a row, told by how their values grow.
//!
//! A loop that is taken a million times is a million instances of its clauses. Mostly their values grow by
//! the same amounts in each round, and then the first round and the growth say it all. A round may take
//! several clauses, and use facts of its own, of the round before, and facts that stay as they are.

use super::horn::{Derivation, Fact, Step};
use crate::horn::{ClauseId, Horn};
use alphorn_term::{Int, Model, Op, Rat, Value, eval};
use std::collections::BTreeMap;

/// Rounds of instances of clauses, whose numbers grow by the same amounts from round to round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progression {
    /// How many rounds there are: at least one.
    pub rounds: Int,
    /// The instances of a round, in order.
    pub members: Vec<Member>,
}

/// An instance of each round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The clause.
    pub clause: ClauseId,
    /// Values of the clause's variables in the first round.
    pub start: Vec<Value>,
    /// How much each grows from round to round: an integer for an integer, nothing for what is no number.
    pub growth: Vec<Rat>,
}

impl Member {
    /// The values in a round, counted from 0; round -1 is the one before the first.
    pub fn at(&self, round: &Int) -> Vec<Value> {
        let round = Rat::from(round.clone());
        let values = self.start.iter().zip(&self.growth);
        values.map(|(value, growth)| grown(value, &(growth * &round))).collect()
    }
}

/// A number and so much more; what is no number stays.
fn grown(value: &Value, by: &Rat) -> Value {
    match value {
        Value::Int(start) => {
            let sum = &Rat::from(start.clone()) + by;
            Value::Int(sum.floor())
        }
        Value::Real(start) => Value::Real(start + by),
        _ => value.clone(),
    }
}

impl Progression {
    /// The last instance of the last round: its clause and its values.
    pub fn last(&self) -> Option<(ClauseId, Vec<Value>)> {
        let member = self.members.last()?;
        Some((member.clause, member.at(&(&self.rounds - &Int::from(1)))))
    }

    /// How many instances there are.
    pub fn instances(&self) -> Int {
        &self.rounds * &Int::from(self.members.len() as u64)
    }
}

impl Derivation {
    /// How many instances of clauses there are, with those of progressions.
    pub fn instances(&self) -> Int {
        let all = self.steps.iter().map(|step| match &step.progression {
            Some(progression) => progression.instances(),
            None => Int::from(1),
        });
        all.fold(Int::from(0), |sum, count| &sum + &count)
    }

    /// The derivation without progressions, if it has at most so many steps then.
    pub fn expanded(&self, horn: &Horn, max_steps: usize) -> Option<Derivation> {
        if self.steps.iter().all(|step| step.progression.is_none()) {
            return Some(self.clone());
        }
        if self.instances() > Int::from(max_steps as u64) {
            return None;
        }
        let mut steps: Vec<Step> = Vec::new();
        // Where each step is then.
        let mut places: Vec<usize> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let place = |premise: &usize| places.get(*premise).copied();
            let premises: Vec<usize> = step.premises.iter().map(place).collect::<Option<_>>()?;
            match &step.progression {
                None => {
                    steps.push(Step::new(step.clause, step.values.clone(), premises));
                }
                Some(progression) => expand(horn, progression, &premises, &mut steps)?,
            }
            places.push(steps.len().checked_sub(1)?);
        }
        Some(Derivation { steps, refuted: self.refuted.clone() })
    }
}

/// Appends the instances of a progression, whose premises stand at these places.
fn expand(
    horn: &Horn,
    progression: &Progression,
    premises: &[usize],
    steps: &mut Vec<Step>,
) -> Option<()> {
    let mut known: BTreeMap<Fact, usize> = BTreeMap::new();
    for &premise in premises {
        known.insert(steps.get(premise)?.conclusion(horn)?, premise);
    }
    let rounds = progression.rounds.to_u64()?;
    for round in 0..rounds {
        for member in &progression.members {
            let values = member.at(&Int::from(round));
            let premises = used(horn, member.clause, &values, &known)?;
            let step = Step::new(member.clause, values, premises);
            let fact = step.conclusion(horn)?;
            known.entry(fact).or_insert(steps.len());
            steps.push(step);
        }
    }
    Some(())
}

/// The steps that conclude atoms of a clause's body under these values.
fn used(
    horn: &Horn,
    clause: ClauseId,
    values: &[Value],
    known: &BTreeMap<Fact, usize>,
) -> Option<Vec<usize>> {
    let clause = horn.clauses.get(clause.index())?;
    let mut model = Model::new();
    for (&var, value) in clause.vars.iter().zip(values) {
        model.set(var, value.clone());
    }
    let mut premises = Vec::new();
    for atom in horn.atoms(clause.body) {
        let Op::Apply(func) = horn.terms.op(atom) else { continue };
        let args = horn.terms.args(atom).iter().map(|&arg| eval(&horn.terms, arg, &model).ok());
        let Some(args) = args.collect::<Option<Vec<Value>>>() else { continue };
        if let Some(&step) = known.get(&(func, args))
            && !premises.contains(&step)
        {
            premises.push(step);
        }
    }
    Some(premises)
}
