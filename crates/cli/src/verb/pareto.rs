//! `alphorn pareto`: the cheapest parameters at which a property holds.
//!
//! Points are said as they are found to be optimal, and each was accepted by the checker before. At a limit
//! those stand, with the last valid one; only that there are no others is then not known.

use super::{bytes_of, opened};
use crate::args::Pareto;
use crate::{interrupt, speak, target};
use alphorn_driver::certify::Unfinished as Left;
use alphorn_driver::certify::within;
use alphorn_driver::pareto::{self, Parametric, Told, Unasked, Unfinished, Wish};
use alphorn_driver::problem::evidence::front::{Front, Monotony, Point};
use alphorn_driver::report::{Exit, json};
use alphorn_driver::{Checked, Opened, Severity, Stopper, Verdict};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What is known so far, as the working thread leaves it.
#[derive(Default)]
struct Known {
    points: Vec<Point>,
    /// Whether the last point is optimal.
    is_optimal: bool,
    monotony: Option<Monotony>,
    /// Whether the answer was given, so that nothing more is said.
    is_over: bool,
}

/// Looks for the front of a file.
pub fn main(args: Pareto) -> u8 {
    interrupt::watch();
    let problem = match asked(&args) {
        Ok(problem) => Arc::new(problem),
        Err(exit) => return exit as u8,
    };
    let begun = Instant::now();
    let known = Arc::new(Mutex::new(Known::default()));
    let stopper = Stopper::new();
    let work = {
        let (problem, known, stopper) = (Arc::clone(&problem), Arc::clone(&known), stopper.clone());
        let (file, is_json, is_monotone) = (args.file.clone(), args.json, args.monotone);
        move || {
            let mut hear = |told: Told| hear(&file, &problem, &known, is_json, told);
            pareto::front(&problem, is_monotone, &stopper, &mut hear)
        }
    };
    let ended = within(args.given.time, args.given.memory, interrupt::is_pending, work);
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.is_over = true;
    let said = Said { args: &args, problem: &problem, begun };
    let why = match ended {
        Ok(Ok((checked, effort))) => {
            let questions = format!(
                "{} questions, {} answered by what was known",
                effort.candidates, effort.known
            );
            return said.front(&checked, known.monotony.as_ref(), &questions) as u8;
        }
        Ok(Err(Unfinished::Refused(refusal))) => {
            let message = format!("the evidence was refused: {refusal}");
            speak::complain(&args.file, &message, args.json);
            return Exit::Refused as u8;
        }
        Ok(Err(Unfinished::Stopped(why))) => why,
        Err(Left::Limit(limit)) => limit.describe().to_owned(),
        Err(Left::Failed(text)) => {
            speak::complain(&args.file, &format!("a fault of this program: {text}"), args.json);
            return Exit::Internal as u8;
        }
    };
    said.unfinished(&known, &why) as u8
}

/// The question, or how the program ends without one.
fn asked(args: &Pareto) -> Result<Parametric, Exit> {
    if let Some(path) = &args.evidence
        && let Err((about, why)) = target::guard(&[&args.file, &args.cost], path)
    {
        speak::complain(&about, &why, args.json);
        return Err(Exit::Usage);
    }
    let opened = opened(&args.file, &args.given, args.json)?;
    let wish = Wish { params: args.params.clone(), property: args.property.clone() };
    let costs = bytes_of(&args.cost, &args.given, args.json)?;
    question(&opened, &wish, (&args.cost, &costs), args.json)
}

/// The question about a model that was opened, with the path and bytes of a file of costs, or how the program
/// ends without one.
pub fn question(
    opened: &Opened,
    wish: &Wish,
    (path, costs): (&str, &[u8]),
    is_json: bool,
) -> Result<Parametric, Exit> {
    pareto::question(opened, wish, costs).map_err(|unasked| match unasked {
        Unasked::Model(diagnostic) => {
            let is_untreated = diagnostic.severity == Severity::Unsupported;
            speak::list(&opened.file, &opened.bytes, &[*diagnostic], is_json);
            if is_untreated { Exit::Unsupported } else { Exit::Input }
        }
        Unasked::Costs(diagnostics) => {
            speak::list(path, costs, &diagnostics.list, is_json);
            speak::exit_after(&diagnostics)
        }
    })
}

/// Takes note of what the search tells, and says points that are optimal.
fn hear(file: &str, problem: &Parametric, known: &Mutex<Known>, is_json: bool, told: Told) {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    match told {
        Told::Monotony(monotony) => known.monotony = Some(monotony),
        Told::Valid(point) => {
            if !known.is_optimal {
                known.points.pop();
            }
            known.points.push(point);
            known.is_optimal = false;
        }
        Told::Optimal => {
            known.is_optimal = true;
            if let Some(point) = known.points.last()
                && !known.is_over
            {
                say_point(file, problem, &point.valuation, true, is_json);
            }
        }
    }
}

fn say_point(
    file: &str,
    problem: &Parametric,
    valuation: &[bool],
    is_optimal: bool,
    is_json: bool,
) {
    if is_json {
        let names: Vec<&str> = problem.costs.iter().map(|cost| cost.name.as_str()).collect();
        let costs: Vec<(&str, u64)> = names.into_iter().zip(problem.price(valuation)).collect();
        let raised = pareto::raised(problem, valuation);
        speak::object(&json::point(file, &costs, &raised, is_optimal));
        return;
    }
    let doubt = if is_optimal { "" } else { "  (valid; perhaps not optimal)" };
    speak::out(&format!("{file}: point {}{doubt}\n", pareto::point_text(problem, valuation)));
}

/// What an answer is made of.
struct Said<'a> {
    args: &'a Pareto,
    problem: &'a Parametric,
    begun: Instant,
}

impl Said<'_> {
    /// Says the whole front.
    fn front(
        &self,
        checked: &Checked<Parametric>,
        monotony: Option<&Monotony>,
        questions: &str,
    ) -> Exit {
        let (Verdict::Safe(front) | Verdict::Unsafe(front)) = checked.verdict();
        let is_empty = front.points.is_empty();
        let verdict = if is_empty { "NO VALUATION" } else { "FRONT" };
        let assumption = match monotony {
            Some(Monotony::Asserted) => "assuming that the property is monotone",
            Some(Monotony::Proved(_)) => "the property is monotone",
            _ => "the property is not seen to be monotone",
        };
        let assumed = checked.asked().is_monotone.then_some("the property is monotone");
        self.say(
            verdict,
            &format!("{}, {assumption}, {questions}", count(front)),
            Some(front),
            assumed,
        );
        match self.write(checked) {
            Exit::Safe if is_empty => Exit::Unsafe,
            exit => exit,
        }
    }

    /// Says that the search did not end, and what is known.
    fn unfinished(&self, known: &Known, why: &str) -> Exit {
        if !known.is_optimal
            && let Some(point) = known.points.last()
        {
            say_point(&self.args.file, self.problem, &point.valuation, false, self.args.json);
        }
        let count = known.points.len();
        let detail = match count {
            0 => why.to_owned(),
            1 => format!("{why}; 1 point is valid, there may be others"),
            _ => format!("{why}; {count} points are valid, there may be others"),
        };
        self.say("UNKNOWN", &detail, None, None);
        if count == 0 || self.args.evidence.is_none() {
            return Exit::Unknown;
        }
        match pareto::points(self.problem, known.points.clone()) {
            Ok(checked) => self.write(&checked).max(Exit::Unknown),
            Err(refusal) => {
                let message = format!("the evidence was refused: {refusal}");
                speak::complain(&self.args.file, &message, self.args.json);
                Exit::Refused
            }
        }
    }

    fn say(&self, verdict: &str, detail: &str, front: Option<&Front>, assumed: Option<&str>) {
        let milliseconds = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let checked = front.map(pareto::checked_text);
        if self.args.json {
            let word = verdict.to_lowercase();
            let object = json::front(
                &self.args.file,
                &word,
                detail,
                checked.as_deref(),
                assumed,
                milliseconds,
            );
            speak::object(&object);
            return;
        }
        let seconds = milliseconds as f64 / 1000.0;
        speak::out(&format!("{}: {verdict}  {detail}  {seconds:.2} s\n", self.args.file));
        if let Some(checked) = checked {
            speak::out(&format!("  checked  {checked}\n"));
        }
    }

    fn write(&self, checked: &Checked<Parametric>) -> Exit {
        let text = self.args.evidence.as_ref().map(|_| pareto::text(self.problem, checked));
        speak::write_all([(&self.args.evidence, text)], self.args.json)
    }
}

fn count(front: &Front) -> String {
    match front.points.len() {
        1 => "1 point".to_owned(),
        count => format!("{count} points"),
    }
}
