//! Deciding a C program: it is run, and its clauses are given to engines, made in one way after the other.

use super::{Accepted, Brought, CannotRun, Decision, Ran, Run, checked};
use crate::evidence::AnyEvidence;
use crate::program::{Encoding, complaints, prepare_program, ways};
use crate::settings::{PROGRAMS_RUNS_TICKS, PROGRAMS_WAY_TICKS};
use alphorn_cross::c_horn::AsHorn;
use alphorn_cross::engines::RUNS;
use alphorn_engine::{Ctx, Ended, Entry, Limit, Note, Stop, Stopper};
use alphorn_problem::horn::{Clause, Head};
use alphorn_problem::{Finding, Verdict};
use alphorn_program::c::property::Task;
use std::sync::Arc;
use std::time::Instant;

/// How much shorter than others a program with threads is run at first.
const FEWER_FOR_THREADS: u64 = 8;
/// How much longer than others a program with threads is run that has no clauses.
const MORE_FOR_THREADS: u64 = 20;

impl Run<'_> {
    /// Runs a C program for a while, and then gives its clauses to engines while it runs on.
    pub(super) fn decide_program(
        &mut self,
        task: &Arc<Task>,
        encoding: Option<Encoding>,
    ) -> Result<Decision, CannotRun> {
        let is_named = |name: &String| name == RUNS.name;
        let wrap = |checked| AnyEvidence::C(Arc::clone(task), checked);
        let names = &self.config.engines;
        let ways = ways(task, encoding);
        let is_query = |clause: &Clause| clause.head == Head::False;
        let is_trivial = (ways.iter()).any(
            |way| matches!(way, Ok((seen, _)) if !seen.clauses.horn.clauses.iter().any(is_query)),
        );
        let runs = names.is_empty() && !is_trivial || names.iter().any(is_named);
        // Whether it is run further beside the engines.
        let goes_on = self.config.threads != 1 && !self.config.in_rounds;
        if runs {
            let is_alone = !names.is_empty() && names.iter().all(is_named);
            // Of threads that have no clauses nothing but runs can be seen.
            let has_threads = task.unit.find_function("pthread_create").is_some();
            let ticks = match ways.iter().any(Result::is_ok) {
                _ if is_alone => u64::MAX,
                false if has_threads => PROGRAMS_RUNS_TICKS.get().saturating_mul(MORE_FOR_THREADS),
                // What is asked of threads is mostly seen at once, or not so.
                true if has_threads && goes_on => PROGRAMS_RUNS_TICKS.get() / FEWER_FOR_THREADS,
                _ => PROGRAMS_RUNS_TICKS.get(),
            };
            let ran = self.run_program(task, ticks, Stopper::new());
            if ran.answer.is_some() || is_alone {
                return Ok(self.decision(ran, wrap));
            }
        }
        let mut untreated = Vec::new();
        let mut seen = Vec::new();
        for way in ways {
            match way {
                Ok(way) => seen.push(way),
                Err(all) => untreated = all,
            }
        }
        if seen.is_empty() {
            return Err(CannotRun::Untreated(complaints(&untreated)));
        }
        if !runs || !goes_on {
            let ran = self.prove_program(task, seen, &Stopper::new())?;
            return Ok(self.decision(ran, wrap));
        }
        let (proving, running) = (Stopper::new(), Stopper::new());
        let further = {
            let (task, config, ends) = (Arc::clone(task), self.config.clone(), self.ends);
            let (stopper, opened) = (self.stopper.clone(), self.opened.clone());
            let (property, proving) = (self.property.clone(), proving.clone());
            let running = running.clone();
            std::thread::spawn(move || {
                let listen = &mut |_: Note| {};
                let (opened, config, stopper) = (&opened, &config, &stopper);
                let share = Stopper::new();
                let mut run =
                    Run { opened, config, stopper, listen, ends, property, known: &[], share };
                let ran = run.run_program(&task, u64::MAX, running);
                if ran.answer.is_some() {
                    proving.stop(Limit::Answered);
                }
                ran
            })
        };
        let ran = self.prove_program(task, seen, &proving)?;
        if ran.answer.is_some() {
            running.stop(Limit::Answered);
            return Ok(self.decision(ran, wrap));
        }
        match further.join() {
            Ok(found) if found.answer.is_some() => Ok(self.decision(found, wrap)),
            _ => Ok(self.decision(ran, wrap)),
        }
    }

    /// Gives the clauses of a program to engines, one way after the other, each for its part of the time, until there
    /// is an answer or a flag is raised.
    fn prove_program(
        &mut self,
        task: &Arc<Task>,
        seen: Vec<(AsHorn, u32)>,
        flag: &Stopper,
    ) -> Result<Ran<Accepted<Task>>, CannotRun> {
        let ends = self.ends;
        let mut parts: u32 = seen.iter().map(|(_, part)| part).sum();
        let mut last = None;
        for (seen, part) in seen {
            let is_last = part == parts;
            let mut config = self.config.clone();
            if !is_last {
                config.limits.ticks = config.limits.ticks.min(PROGRAMS_WAY_TICKS.get());
            }
            let begun = Instant::now();
            let own = ends.map(|ends| begun + ends.saturating_duration_since(begun) * part / parts);
            parts -= part;
            let (opened, stopper) = (self.opened, self.stopper);
            let (listen, property) = (&mut *self.listen, self.property.clone());
            let share = Stopper::within(&[stopper, flag], own);
            let (config, known, ends) = (&config, &[][..], own);
            let mut run = Run { opened, config, stopper, listen, ends, property, known, share };
            let share = run.share.clone();
            let prepared = prepare_program(task, seen, config, &share, &mut *run.listen);
            let ran = run.run(task, prepared.map_err(CannotRun::Request)?, ());
            let is_over =
                ran.answer.is_some() || flag.reason().is_some() || stopper.reason().is_some();
            last = Some(ran);
            if is_over {
                break;
            }
        }
        Ok(last.expect("there is a way"))
    }

    /// Runs a C program, with choices that are drawn, until a flag is raised.
    fn run_program(&mut self, task: &Arc<Task>, ticks: u64, share: Stopper) -> Ran<Accepted<Task>> {
        let original = Arc::clone(task);
        let accept = move |_: &Task, finding: Finding<Task>, _: &mut Ctx<'_>| match finding {
            Finding::Fails(run) => checked(&*original, (), Verdict::Unsafe(run)),
            Finding::Holds(_) => {
                Err(Ended::Stopped(Stop::Stuck("runs alone prove nothing".to_owned())))
            }
        };
        let mut config = self.config.clone();
        config.limits.ticks = config.limits.ticks.min(ticks);
        let (opened, stopper, ends) = (self.opened, self.stopper, self.ends);
        let (listen, property) = (&mut *self.listen, self.property.clone());
        let config = &config;
        let mut first = Run { opened, config, stopper, listen, ends, property, known: &[], share };
        first.portfolio(Arc::clone(task), &[Entry::share(&RUNS, 1)], Brought::nothing(), accept)
    }
}
