//! Progressions carried back through one transform.
//!
//! A progression of the changed system stands for rounds of steps. The first of them are carried back one by
//! one, as any step; what they become is compared. If two groups of rounds became the same clauses, with
//! premises that correspond, then what their numbers grew by is taken to be the growth of all groups to come,
//! and these are a progression of the system before. A transform may have left out arguments that take more
//! rounds to come back, so groups of several rounds are tried, too. Nothing is proved here: the checker looks
//! at all rounds.

use super::replay::Replay;
use alphorn_problem::evidence::horn::{Member, Progression, Step};
use alphorn_problem::horn::Head;
use alphorn_term::{Int, Rat, Value};
use std::collections::BTreeSet;
use std::ops::Range;

/// How many rounds are compared with as many.
const GROUPS: [u64; 6] = [1, 2, 3, 4, 6, 8];
/// Progressions of at most so many instances are carried back step by step if they do not grow evenly.
const MAX_PLAIN: u64 = 10_000;

impl Replay<'_, '_> {
    /// Derives what a progression of the changed system derived; its rounds come in the opposite order if it
    /// is reversed.
    pub(super) fn progress(&mut self, run: &Progression, is_reversed: bool) -> bool {
        let mut marks = vec![self.steps.len()];
        let rest = |fired: usize| &run.rounds - &Int::from(fired as u64);
        for group in GROUPS {
            // So many rounds that whole groups are left.
            let mut wanted = marks.len() - 1;
            while wanted < 1 + 2 * group as usize
                || rest(wanted).rem_euclid(&Int::from(group)).is_none_or(|left| !left.is_zero())
            {
                wanted += 1;
            }
            while marks.len() <= wanted && rest(marks.len() - 1).is_positive() {
                if !self.round(run, marks.len() - 1, is_reversed) {
                    return false;
                }
                marks.push(self.steps.len());
            }
            if marks.len() <= wanted || !rest(wanted).is_positive() {
                return true;
            }
            let (size, end) = (group as usize, marks.len() - 1);
            let first = marks[end - 2 * size]..marks[end - size];
            let second = marks[end - size]..marks[end];
            let rounds = rest(wanted).div_exact(&Int::from(group));
            if let Some(rounds) = rounds
                && let Some(step) = generalised(&self.steps, first, second, rounds)
            {
                return self.conclude(step);
            }
        }
        if run.instances() > Int::from(MAX_PLAIN) {
            return false;
        }
        (marks.len() - 1..)
            .take_while(|&fired| rest(fired).is_positive())
            .all(|fired| self.round(run, fired, is_reversed))
    }

    /// Derives what a round derived.
    fn round(&mut self, run: &Progression, round: usize, is_reversed: bool) -> bool {
        let mut number = Int::from(round as u64);
        if is_reversed {
            number = &(&run.rounds - &Int::from(1)) - &number;
        }
        let mut members: Vec<&Member> = run.members.iter().collect();
        if is_reversed {
            members.reverse();
        }
        members
            .iter()
            .all(|member| self.step(&Step::new(member.clause, member.at(&number), Vec::new())))
    }

    /// Adds a progression to the derivation, with what it concludes.
    fn conclude(&mut self, step: Step) -> bool {
        let Some(args) = self.arguments(&step) else { return false };
        let Head::Atom(pred, _) = self.before.clauses[step.clause.index()].head else {
            return false;
        };
        self.insert(pred, args, self.steps.len());
        self.steps.push(step);
        true
    }
}

/// The progression that goes on as the steps of two groups of rounds did, one after the other.
fn generalised(
    steps: &[Step],
    first: Range<usize>,
    second: Range<usize>,
    rounds: Int,
) -> Option<Step> {
    let size = second.len();
    if size == 0 || first.len() != size {
        return None;
    }
    let mut members = Vec::with_capacity(size);
    for (old, new) in steps[first.clone()].iter().zip(&steps[second.clone()]) {
        if old.clause != new.clause || old.premises.len() != new.premises.len() {
            return None;
        }
        // A progression inside a progression is none.
        if old.progression.is_some() || new.progression.is_some() {
            return None;
        }
        let corresponds = |(&old, &new): (&usize, &usize)| match new >= first.start {
            true => new == old + size,
            false => new == old,
        };
        if !old.premises.iter().zip(&new.premises).all(corresponds) {
            return None;
        }
        members.push(member(old, new)?);
    }
    // Only what the last member needs.
    let mut needed = BTreeSet::from([size - 1]);
    let mut outer: BTreeSet<usize> = BTreeSet::new();
    let mut stack = vec![size - 1];
    while let Some(at) = stack.pop() {
        for &premise in &steps[second.start + at].premises {
            let inner = match premise {
                _ if second.contains(&premise) => premise - second.start,
                _ if first.contains(&premise) => {
                    outer.insert(premise + size);
                    premise - first.start
                }
                _ => {
                    outer.insert(premise);
                    continue;
                }
            };
            if needed.insert(inner) {
                stack.push(inner);
            }
        }
    }
    let members: Vec<Member> = needed.into_iter().map(|at| members[at].clone()).collect();
    Step::progress(Progression { rounds, members }, outer.into_iter().collect())
}

/// The member that goes on as a step and the one that corresponds to it did.
fn member(old: &Step, new: &Step) -> Option<Member> {
    let (mut start, mut growth) = (Vec::new(), Vec::new());
    for (old, new) in old.values.iter().zip(&new.values) {
        let (value, grown) = match (old, new) {
            (Value::Int(old), Value::Int(new)) => {
                let grown = new - old;
                (Value::Int(new + &grown), Rat::from(grown))
            }
            (Value::Real(old), Value::Real(new)) => {
                let grown = new - old;
                (Value::Real(new + &grown), grown)
            }
            (old, new) if old == new => (new.clone(), Rat::from(0)),
            _ => return None,
        };
        start.push(value);
        growth.push(grown);
    }
    Some(Member { clause: new.clause, start, growth })
}
