//! The search: rounds of random runs, changed lists, and lists that are moved towards a comparison.

use super::cover::{Cover, Target, Trail};
use super::draw::{Drawn, MANNERS, MANY_STEPS, Manner, Source};
use super::simplify::simplify;
use crate::settings::{RUNS_MAX_FAR_CHOICES, RUNS_MAX_KEPT, RUNS_MAX_MOVED, RUNS_PER_ROUND};
use alphorn_engine::{Ctx, Engine, Event, Rng, Stop};
use alphorn_problem::{Finding, Span};
use alphorn_program::c::evidence::Run;
use alphorn_program::c::property::{Asked, Choice, Task};
use alphorn_program::c::run::{Chooser, Limits, Outcome, Recorded, Runnable, Wanted};
use rustc_hash::FxHashMap;

/// Runs of a C program, with choices that are drawn and moved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Runs;

/// The steps of a run, round by round.
const ROUNDS: [u64; 6] = [1_000, 5_000, 25_000, 100_000, 500_000, 2_000_000];
/// The steps of runs that only go far: nobody notes what they do, so that they are fast.
const FAR: [u64; 3] = [16_000_000, 128_000_000, 1 << 30];
/// After how many steps such a run is asked whether it may go on.
const SLICE: u64 = 1_000_000;

/// A list of choices that is worth changing.
#[derive(Clone, Debug)]
struct Kept {
    choices: Vec<Choice>,
    /// How often it was changed.
    used: u32,
}

/// The way to the outcome that a comparison never had.
#[derive(Clone, Debug)]
struct Best {
    distance: u128,
    choices: Vec<Choice>,
    /// How often somebody tried to come closer from here.
    tried: u32,
}

/// Makes so many choices, and no more.
struct AtMost<C> {
    chooser: C,
    left: usize,
}

impl<C: Chooser> Chooser for AtMost<C> {
    fn choose(&mut self, asked: Asked, wanted: Wanted, span: Span) -> Option<Choice> {
        self.left = self.left.checked_sub(1)?;
        self.chooser.choose(asked, wanted, span)
    }
}

struct Search<'a> {
    program: &'a Runnable,
    source: &'a Source,
    rng: Rng,
    cover: Cover,
    kept: Vec<Kept>,
    best: FxHashMap<Target, Best>,
    steps: u64,
    runs: u64,
    /// Steps of all runs.
    spent: u64,
    /// Runs that ended at something that is not treated, and what that was.
    untreated: (u64, Option<&'static str>),
    asked: u64,
    /// Whether the last run was cut off.
    is_cut_off: bool,
    /// Runs that were cut off.
    cut: u64,
}

impl Engine<Task> for Runs {
    fn run(&mut self, task: &Task, ctx: &mut Ctx<'_>) -> Result<Finding<Task>, Stop> {
        let program = Runnable::new(task);
        let source = Source::new(&program);
        let mut search = Search {
            program: &program,
            source: &source,
            rng: ctx.rng(0x7275_6e73),
            cover: Cover::default(),
            kept: Vec::new(),
            best: FxHashMap::default(),
            steps: 0,
            runs: 0,
            spent: 0,
            untreated: (0, None),
            asked: 0,
            is_cut_off: false,
            cut: 0,
        };
        match search.search(ctx)? {
            Some(run) => Ok(Finding::Fails(simplify(&program, &source, run, ctx)?)),
            None => Err(search.given_up()),
        }
    }
}

impl Search<'_> {
    /// A few runs of every length, as long as some of them are cut off, and then the rounds.
    fn search(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Run>, Stop> {
        for steps in ROUNDS {
            self.steps = steps;
            let cut = self.cut;
            for manner in MANNERS {
                if let Some(run) = self.go(&[], manner, ctx)?.0 {
                    return Ok(Some(run));
                }
                if self.asked == 0 {
                    break;
                }
            }
            if self.cut == cut {
                break;
            }
        }
        if self.asked == 0 {
            // A second run would be the same as far as the first one went.
            return self.far(&FAR[2..], ctx);
        }
        if let Some(run) = self.far(&FAR[..1], ctx)? {
            return Ok(Some(run));
        }
        let has_threads = self.program.task().unit.find_function("pthread_create").is_some();
        let mut spent = [0; ROUNDS.len()];
        for (round, steps) in ROUNDS.into_iter().enumerate() {
            self.steps = steps;
            let end = self.spent + steps * RUNS_PER_ROUND.get();
            for turn in 0..60 {
                if self.spent > end {
                    break;
                }
                let manner = MANNERS[turn % MANNERS.len()];
                if let Some(run) = self.go(&[], manner, ctx)?.0 {
                    return Ok(Some(run));
                }
            }
            while self.spent < end {
                // Threads that wait for each other in loops take all steps there are, so each length has the same share.
                let shares = if has_threads { 0..=round } else { round..=round };
                let length = shares.min_by_key(|&length| spent[length]).unwrap_or(round);
                self.steps = ROUNDS[length];
                let before = self.spent;
                let found = match self.rng.below(3) {
                    0 => self.approach(ctx)?,
                    1 => self.change(ctx)?,
                    _ => {
                        let manner = MANNERS[self.rng.below(MANNERS.len() as u64) as usize];
                        self.go(&[], manner, ctx)?.0
                    }
                };
                if found.is_some() {
                    return Ok(found);
                }
                spent[length] += self.spent - before;
            }
            let runs = self.runs;
            ctx.emit(Event::Remark(format!("{runs} runs of at most {steps} steps")));
        }
        self.far(&FAR[1..], ctx)
    }

    /// Runs that go far, if runs so far were cut off and made few choices: what comes after long loops. Without
    /// choices every run is the same.
    fn far(&mut self, lengths: &[u64], ctx: &mut Ctx<'_>) -> Result<Option<Run>, Stop> {
        let manners = if self.asked == 0 { &MANNERS[..1] } else { &MANNERS[..4] };
        for &steps in lengths {
            for &manner in manners {
                if !self.is_cut_off {
                    return Ok(None);
                }
                let drawn = Drawn::new(self.program, self.source, &mut self.rng, manner, &[]);
                let mut chooser =
                    Recorded::new(AtMost { chooser: drawn, left: RUNS_MAX_FAR_CHOICES.size() });
                let limits = Limits { steps, ..Limits::default() };
                let mut told = 0;
                let mut stop = None;
                let mut goes_on = |steps: u64| {
                    let ticked = ctx.tick(steps - told);
                    told = steps;
                    stop = ticked.err();
                    stop.is_none()
                };
                let ran =
                    self.program.run_in_slices(&mut chooser, limits, &mut (), SLICE, &mut goes_on);
                if let Some(stop) = stop {
                    return Err(stop);
                }
                ctx.tick(ran.steps - told + 50)?;
                self.runs += 1;
                match ran.outcome {
                    Outcome::Violation(violation) => {
                        let choices = chooser.choices;
                        return Ok(Some(Run { choices, steps: ran.steps, violation }));
                    }
                    outcome => self.is_cut_off = outcome == Outcome::Limit,
                }
            }
        }
        Ok(None)
    }

    /// Why nothing is found.
    fn given_up(&self) -> Stop {
        match self.untreated {
            (count, Some(what)) if count * 2 > self.runs => {
                Stop::Unsupported(format!("runs come to what is not treated: {what}"))
            }
            _ => Stop::Stuck(format!("{} runs show no violation", self.runs)),
        }
    }

    /// Runs with a list of choices, and further ones drawn; returns the violation, and what the run did.
    fn go(
        &mut self,
        list: &[Choice],
        manner: Manner,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Option<Run>, Trail), Stop> {
        let mut trail = Trail::default();
        let drawn = Drawn::new(self.program, self.source, &mut self.rng, manner, list);
        let mut chooser = Recorded::new(drawn);
        let limits = Limits { steps: self.steps, ..Limits::default() };
        let ran = self.program.run(&mut chooser, limits, &mut trail);
        let choices = chooser.choices;
        // A run costs something even if it is over at once.
        let cost = ran.steps + 50;
        ctx.tick(cost)?;
        self.spent += cost;
        self.runs += 1;
        self.is_cut_off = ran.outcome == Outcome::Limit;
        self.asked += choices.len() as u64;
        match ran.outcome {
            Outcome::Violation(violation) => {
                let run = Run { choices, steps: ran.steps, violation };
                return Ok((Some(run), trail));
            }
            Outcome::Limit => self.cut += 1,
            Outcome::Untreated(what, _) => {
                self.untreated.0 += 1;
                self.untreated.1.get_or_insert(what);
            }
            _ => {}
        }
        if self.cover.add(&trail) > 0 && self.kept.len() < RUNS_MAX_KEPT.size() {
            self.kept.push(Kept { choices: choices.clone(), used: 0 });
        }
        for (&target, &distance) in &trail.distances {
            let is_better = self.best.get(&target).is_none_or(|best| distance < best.distance);
            if is_better {
                let best = Best { distance, choices: choices.clone(), tried: 0 };
                self.best.insert(target, best);
            }
        }
        Ok((None, trail))
    }

    /// Changes a list that led to something new.
    fn change(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Run>, Stop> {
        if self.kept.is_empty() {
            return Ok(None);
        }
        // Of a few, the one that was changed least; new ones come last.
        let mut pick = self.rng.below(self.kept.len() as u64) as usize;
        for _ in 0..3 {
            let other = self.rng.below(self.kept.len() as u64) as usize;
            if self.kept[other].used < self.kept[pick].used {
                pick = other;
            }
        }
        self.kept[pick].used += 1;
        let mut list = self.kept[pick].choices.clone();
        for _ in 0..=self.rng.below(3) {
            self.mutate(&mut list);
        }
        let manner = MANNERS[self.rng.below(MANNERS.len() as u64) as usize];
        Ok(self.go(&list, manner, ctx)?.0)
    }

    /// Changes a list in one place.
    fn mutate(&mut self, list: &mut Vec<Choice>) {
        if list.is_empty() {
            return;
        }
        let index = self.rng.below(list.len() as u64) as usize;
        match self.rng.below(8) {
            0 => list.truncate(index),
            1 => {
                list.remove(index);
            }
            2 => {
                let copy = list[index].clone();
                list.insert(index, copy);
            }
            3 if !self.kept.is_empty() => {
                // Goes on like another list.
                let other = self.rng.below(self.kept.len() as u64) as usize;
                let other = &self.kept[other].choices;
                list.truncate(index);
                list.extend(other.iter().skip(index).cloned());
            }
            4 => {
                let other = self.rng.below(list.len() as u64) as usize;
                list.swap(index, other);
            }
            _ => {
                let step = 1_i128 << self.rng.below(8);
                let step = if self.rng.below(2) == 0 { step } else { -step };
                let fresh = self.fresh_number();
                let is_fresh = self.rng.below(2) == 0;
                match &mut list[index] {
                    Choice::Value(number) => {
                        *number = if is_fresh { fresh } else { number.wrapping_add(step) };
                    }
                    Choice::Contents { cells, default } => {
                        let cell = self.rng.below(cells.len() as u64 + 1) as usize;
                        let number = cells.get_mut(cell).map_or(default, |cell| &mut cell.1);
                        *number = if is_fresh { fresh } else { number.wrapping_add(step) };
                    }
                    Choice::Allocated(is_there) => *is_there = !*is_there,
                    Choice::Turn { thread, points } => {
                        let other = fresh.unsigned_abs();
                        match is_fresh {
                            true => *thread = (other % 4) as u32,
                            false => *points = 1 + (other % 16) as u64,
                        }
                    }
                }
            }
        }
    }

    /// Some number that programs like.
    fn fresh_number(&mut self) -> i128 {
        let mut drawn = Drawn::new(self.program, self.source, &mut self.rng, Manner::Mixed, &[]);
        drawn.some_number()
    }

    /// Moves the choices of the run that came closest to an outcome that was never seen: values, and how long turns of threads are.
    fn approach(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Run>, Stop> {
        let mut open: Vec<(u32, Target)> = self
            .best
            .iter()
            .filter(|(_, best)| best.distance > 0 && best.tried < 4)
            .map(|(&target, best)| (best.tried, target))
            .collect();
        if open.is_empty() {
            return self.change(ctx);
        }
        open.sort_unstable();
        let target = open[self.rng.below(open.len().min(4) as u64) as usize].1;
        let Some(best) = self.best.get_mut(&target) else { return Ok(None) };
        best.tried += 1;
        let mut list = best.choices.clone();
        let mut distance = best.distance;
        let mut index = list.len();
        let last = index.saturating_sub(RUNS_MAX_MOVED.size());
        while index > last && distance > 0 {
            index -= 1;
            let Some(start) = movable(&list[index]) else { continue };
            for sign in [1, -1] {
                let (mut at, mut step) = (start, 1_i128);
                loop {
                    let tried = at.wrapping_add(sign * step);
                    move_to(&mut list[index], tried);
                    let (found, trail) = self.go(&list, Manner::Bits, ctx)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                    let now = trail.distances.get(&target).copied().unwrap_or(u128::MAX);
                    if now < distance {
                        (distance, at) = (now, tried);
                        // As far as the distance says, but not more than doubling at first.
                        step = step.saturating_mul(2).min(1 << 62);
                        if now == 0 {
                            break;
                        }
                    } else if step > 1 {
                        step = 1;
                    } else {
                        break;
                    }
                }
                move_to(&mut list[index], at);
                if at != start {
                    break;
                }
            }
        }
        Ok(None)
    }
}

/// The number in a choice that can be moved: a value, or how long a thread runs before others do.
fn movable(choice: &Choice) -> Option<i128> {
    match choice {
        Choice::Value(number) => Some(*number),
        Choice::Turn { points, .. } => (*points < MANY_STEPS).then_some(i128::from(*points)),
        _ => None,
    }
}

/// Gives a choice another number; a turn has at least one step.
fn move_to(choice: &mut Choice, to: i128) {
    match choice {
        Choice::Value(number) => *number = to,
        Choice::Turn { points, .. } => {
            *points = u64::try_from(to.clamp(1, i128::from(MANY_STEPS))).unwrap_or(1);
        }
        _ => {}
    }
}
