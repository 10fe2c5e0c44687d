//! Rounds of a loop that lead from one state to another: the steps that a closure stands for.
//!
//! An affine loop has one way: its first rounds, then periods that grow evenly, then the rest. Along a line
//! every round is the same. Where a loop has choices, the way is put together of lines, each as long as the
//! solver finds one: a vector `d` such that `m` rounds by `d` are rounds of the loop and what is left to the
//! end can be done in the rounds that are left, which the closure says.
//!
//! Values of the clause's other variables are the solver's, in the first and the last round of a line, and
//! grow evenly in between.

use super::loops::Loop;
use super::{Closure, Method};
use crate::ask::ask_within;
use crate::settings::{ACCEL_CONFLICTS, ACCEL_MAX_LINES};
use alphorn_engine::{Ctx, Lost, Stop};
use alphorn_problem::evidence::horn::{Member, Progression, Step};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Int, Rat, SortId, Store, Substitution, TermId, Value};
use std::collections::BTreeMap;

/// A state that grows evenly: in the first round, and the growth.
#[derive(Clone, Debug)]
struct Line {
    start: Vec<Int>,
    growth: Vec<Int>,
}

impl Line {
    fn at(&self, round: &Int) -> Vec<Int> {
        moved(&self.start, &self.growth, round)
    }
}

fn moved(from: &[Int], by: &[Int], times: &Int) -> Vec<Int> {
    from.iter().zip(by).map(|(x, d)| x + &(d * times)).collect()
}

fn difference(to: &[Int], from: &[Int]) -> Vec<Int> {
    to.iter().zip(from).map(|(to, from)| to - from).collect()
}

/// Why rounds are not told.
pub fn lost() -> Lost {
    Lost("rounds of a loop are not found again".to_owned())
}

/// A way through a loop.
pub struct Way<'a> {
    /// Where terms are made.
    pub store: &'a mut Store,
    /// The loop.
    pub of: &'a Loop,
    /// A closure of it.
    pub closure: &'a Closure,
}

impl Way<'_> {
    /// Progressions of the loop's clauses that lead from a state to another one in so many rounds.
    pub fn find(
        &mut self,
        from: &[Value],
        to: &[Value],
        rounds: &Int,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Progression>>, Stop> {
        let (Some(start), Some(end)) = (self.numbers(from), self.numbers(to)) else {
            return Ok(None);
        };
        match &self.closure.method {
            Method::Affine(_) => self.affine(from, start, rounds, ctx),
            Method::Straight(straight) => {
                let line = Line { start, growth: straight.vector.clone() };
                let way = self.along(from, &line, rounds, ctx)?;
                Ok(way.map(|way| vec![way]))
            }
            Method::Octagon(_) => self.pieces(from, start, &end, rounds, ctx),
        }
    }

    /// Appends the steps that so many rounds are, from what the premises conclude.
    pub fn append(
        &mut self,
        from: &[Value],
        to: &[Value],
        rounds: &Int,
        premises: &[usize],
        steps: &mut Vec<Step>,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let runs = self.find(from, to, rounds, ctx)?.ok_or_else(lost)?;
        let mut premises = premises.to_vec();
        for run in runs {
            let is_plain = run.instances() == Int::from(1);
            let mut told = Step::progress(run, premises).ok_or_else(lost)?;
            if is_plain {
                told.progression = None;
            }
            premises = vec![steps.len()];
            steps.push(told);
        }
        Ok(())
    }

    /// The numbers of a state.
    fn numbers(&self, state: &[Value]) -> Option<Vec<Int>> {
        let number = |&at: &usize| match state.get(at) {
            Some(Value::Int(value)) => Some(value.clone()),
            _ => None,
        };
        self.closure.numbers.iter().map(number).collect()
    }

    fn affine(
        &mut self,
        from: &[Value],
        start: Vec<Int>,
        rounds: &Int,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Progression>>, Stop> {
        let Method::Affine(affine) = &self.closure.method else { return Ok(None) };
        let (prefix, period) = (affine.prefix, affine.period);
        let mut way = Vec::new();
        let few = Int::from(prefix + 2 * period);
        let (first, periods) = match *rounds <= few {
            true => (usize::try_from(rounds.to_u64().unwrap_or(0)).unwrap_or(0), Int::from(0)),
            false => {
                let left = rounds - &Int::from(prefix);
                (prefix, left.div_euclid(&Int::from(period)).unwrap_or_else(|| Int::from(0)))
            }
        };
        let mut state = start;
        for _ in 0..first {
            let Some(next) = self.plain(from, &mut way, &state, ctx)? else { return Ok(None) };
            state = next;
        }
        if !periods.is_zero() {
            let Method::Affine(affine) = &self.closure.method else { return Ok(None) };
            let mut states = vec![state];
            while states.len() <= 2 * period {
                let Some(next) = states.last().and_then(|state| affine.next(state)) else {
                    return Ok(None);
                };
                states.push(next);
            }
            let line = |at: usize| Line {
                start: states[at].clone(),
                growth: difference(&states[at + period], &states[at]),
            };
            let mut members = Vec::with_capacity(period);
            for at in 0..period {
                let round = self.round(from, &line(at), &line(at + 1), &periods, ctx)?;
                let Some(round) = round else { return Ok(None) };
                members.extend(round);
            }
            state = line(0).at(&periods);
            let done = &Int::from(prefix) + &(&periods * &Int::from(period));
            way.push(Progression { rounds: periods, members });
            let mut left = rounds - &done;
            while left.is_positive() {
                let Some(next) = self.plain(from, &mut way, &state, ctx)? else { return Ok(None) };
                state = next;
                left = &left - &Int::from(1);
            }
        }
        Ok(Some(way))
    }

    /// One round of an affine loop; the state after it.
    fn plain(
        &mut self,
        from: &[Value],
        way: &mut Vec<Progression>,
        state: &[Int],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Int>>, Stop> {
        let Method::Affine(affine) = &self.closure.method else { return Ok(None) };
        let Some(next) = affine.next(state) else { return Ok(None) };
        let line = Line { start: state.to_vec(), growth: difference(&next, state) };
        let run = self.along(from, &line, &Int::from(1), ctx)?;
        Ok(run.map(|run| {
            way.push(run);
            next
        }))
    }

    /// So many rounds along a line.
    fn along(
        &mut self,
        from: &[Value],
        line: &Line,
        rounds: &Int,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Progression>, Stop> {
        let after = Line { start: line.at(&Int::from(1)), growth: line.growth.clone() };
        let members = self.round(from, line, &after, rounds, ctx)?;
        Ok(members.map(|members| Progression { rounds: rounds.clone(), members }))
    }

    /// Lines that lead to the end, one after the other.
    fn pieces(
        &mut self,
        from: &[Value],
        start: Vec<Int>,
        end: &[Int],
        rounds: &Int,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Progression>>, Stop> {
        let (mut state, mut left, mut way) = (start, rounds.clone(), Vec::new());
        while left.is_positive() {
            if way.len() >= ACCEL_MAX_LINES.size() {
                return Ok(None);
            }
            let Some((vector, times)) = self.longest(&state, end, &left, ctx)? else {
                return Ok(None);
            };
            let line = Line { start: state, growth: vector };
            let Some(run) = self.along(from, &line, &times, ctx)? else { return Ok(None) };
            way.push(run);
            state = line.at(&times);
            left = &left - &times;
        }
        Ok((state == end).then_some(way))
    }

    /// A vector, and for how many rounds it leads towards the end.
    fn longest(
        &mut self,
        state: &[Int],
        end: &[Int],
        left: &Int,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<(Vec<Int>, Int)>, Stop> {
        let one = Int::from(1);
        let mut lengths = vec![left.clone()];
        let mut part = left.clone();
        while part > one {
            part = part.div_euclid(&Int::from(2)).unwrap_or_else(|| one.clone());
            let most = left - &part;
            lengths.extend([most, part.clone()]);
        }
        lengths.retain(Int::is_positive);
        lengths.sort_by(|a, b| b.cmp(a));
        lengths.dedup();
        for times in lengths {
            if let Some(vector) = self.vector(state, end, left, &times, ctx)? {
                return Ok(Some((vector, times)));
            }
        }
        Ok(None)
    }

    /// A vector by which so many rounds lead towards the end.
    fn vector(
        &mut self,
        state: &[Int],
        end: &[Int],
        left: &Int,
        times: &Int,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Int>>, Stop> {
        let store = &mut *self.store;
        let vars: Vec<TermId> = state.iter().map(|_| store.fresh_var("d", SortId::INT)).collect();
        let mut point = |times: &Int| -> Vec<TermId> {
            let mut terms = Vec::with_capacity(state.len());
            for (value, &d) in state.iter().zip(&vars) {
                let (value, times) = (store.int(value.clone()), store.int(times.clone()));
                let by = store.mul(&[times, d]);
                terms.push(store.add(&[value, by]));
            }
            terms
        };
        let before_last = times - &Int::from(1);
        let points = [Int::from(0), Int::from(1), before_last, times.clone()].map(|t| point(&t));
        let end: Vec<TermId> = end.iter().map(|value| store.int(value.clone())).collect();
        let rows = &self.closure.rows;
        let mut parts = vec![
            rows.formula(store, &[&points[0][..], &points[1]].concat()),
            rows.formula(store, &[&points[2][..], &points[3]].concat()),
        ];
        let rest = left - times;
        if rest.is_zero() {
            for (&reached, &wanted) in points[3].iter().zip(&end) {
                parts.push(store.eq(reached, wanted));
            }
        } else {
            let Method::Octagon(powers) = &self.closure.method else { return Ok(None) };
            let columns = [&points[3][..], &end].concat();
            match powers.relation(store, &rest, &columns) {
                Some(relation) => parts.push(relation),
                None => return Ok(None),
            }
        }
        let mut smt = Smt::new(Options::default());
        for part in parts {
            smt.assert(store, part);
        }
        if ask_within(&mut smt, store, &[], ACCEL_CONFLICTS.get(), ctx)? != Answer::Sat {
            return Ok(None);
        }
        let model = smt.model(store);
        let value = |var: &TermId| match model.vars.get(var) {
            Some(Value::Int(value)) => Some(value.clone()),
            None => Some(Int::from(0)),
            _ => None,
        };
        Ok(vars.iter().map(value).collect())
    }

    /// The clauses' variables where the states before and after grow evenly, for so many rounds.
    fn round(
        &mut self,
        from: &[Value],
        before: &Line,
        after: &Line,
        rounds: &Int,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Member>>, Stop> {
        let (of, store) = (self.of, &mut *self.store);
        let last = rounds - &Int::from(1);
        let vars = || of.links.iter().flat_map(|link| &link.vars).copied();
        let mut growth: BTreeMap<TermId, TermId> = BTreeMap::new();
        let mut map = Substitution::default();
        for var in vars() {
            if store.sort(var) == SortId::INT && !last.is_zero() {
                let by = store.fresh_var("g", SortId::INT);
                let times = store.int(last.clone());
                let sum = store.mul(&[times, by]);
                map.insert(var, store.add(&[var, sum]));
                growth.insert(var, by);
            }
        }
        let mut smt = Smt::new(Options::default());
        let mut rounds = vec![Int::from(0)];
        rounds.extend((!last.is_zero()).then_some(last));
        for (at, round) in rounds.iter().enumerate() {
            let Some(mut parts) =
                self.closure.joined(store, of, from, before.at(round), after.at(round))
            else {
                return Ok(None);
            };
            if at > 0 {
                parts = store.substitute_all(&parts, &map);
            }
            for part in parts {
                smt.assert(store, part);
            }
        }
        if ask_within(&mut smt, store, &[], ACCEL_CONFLICTS.get(), ctx)? != Answer::Sat {
            return Ok(None);
        }
        let model = smt.model(store);
        let mut members = Vec::with_capacity(of.links.len());
        for link in &of.links {
            let value = |var: &TermId| {
                let known = model.vars.get(var).cloned();
                known.or_else(|| Value::default_of(store, store.sort(*var)))
            };
            let grown = |var: &TermId| match growth.get(var).and_then(|by| model.vars.get(by)) {
                Some(Value::Int(value)) => Rat::from(value),
                _ => Rat::from(0),
            };
            let Some(start) = link.vars.iter().map(value).collect() else { return Ok(None) };
            let growth = link.vars.iter().map(grown).collect();
            members.push(Member { clause: link.clause, start, growth });
        }
        Ok(Some(members))
    }
}

impl Closure {
    /// The cases of a loop one after the other, between two states; the rest of a state stays.
    fn joined(
        &self,
        store: &mut Store,
        of: &Loop,
        rest: &[Value],
        before: Vec<Int>,
        after: Vec<Int>,
    ) -> Option<Vec<TermId>> {
        let mut parts: Vec<TermId> = of.links.iter().flat_map(|link| &link.case).copied().collect();
        for pair in of.links.windows(2) {
            for (&given, &wanted) in pair[0].head.iter().zip(&pair[1].args) {
                parts.push(store.eq(given, wanted));
            }
        }
        let ends = [(&of.links.first()?.args, before), (&of.links.last()?.head, after)];
        for (terms, numbers) in ends {
            for (at, &term) in terms.iter().enumerate() {
                let value = match self.numbers.iter().position(|&number| number == at) {
                    Some(number) => store.int(numbers[number].clone()),
                    None => store.value_term(&rest[at])?,
                };
                parts.push(store.eq(term, value));
            }
        }
        Some(parts)
    }
}
