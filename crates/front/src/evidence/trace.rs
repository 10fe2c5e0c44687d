//! A derivation in the order in which it happens, for people: facts with the names of their arguments,
//! and a clause that is applied many times in a row on one line. Clauses that take turns have a line each.
//!
//! ```text
//!      0  sum  n = 0, s = 0            by clause 0 (line 3)
//!   1–10  sum  n = 1 … 10, s = 0 … 45  by clause 1 (line 4), 10 times
//!     11  false                        by clause 2 (line 5), with k = 3
//!
//!   1, 3 … 19  ping  n = 1 … 19  by clause 1 (line 4), 10 times
//!   2, 4 … 20  pong  n = 2 … 20  by clause 2 (line 5), 10 times
//! ```
//!
//! A step that uses another fact than the one before it says which. Invariant: every step is on exactly
//! one line.

#[cfg(test)]
mod tests;

use super::tree::{Line, tree_lines};
use super::values::Printer;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::{Head, Horn};
use alphorn_term::Value;
use alphorn_term::print::quote;
use std::fmt::Write;

/// An argument of the facts of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its value in the first fact.
    pub first: String,
    /// Its value in the last fact.
    pub last: String,
}

/// One step, or steps at equal distances by the same clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceLine {
    /// The first step, by its position.
    pub first: usize,
    /// The last one.
    pub last: usize,
    /// How far one is from the next: 1, or more where several clauses take turns.
    pub stride: usize,
    /// The predicate; none for the query.
    pub predicate: Option<String>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The clause: its number, its name, its line.
    pub clause: String,
    /// Values of the clause's variables that no fact shows, in the last step.
    pub values: Vec<String>,
    /// The steps that the first one uses.
    pub premises: Vec<usize>,
    /// If it is a step that stands for many: how many rounds of its clauses there are.
    pub rounds: Option<String>,
}

impl TraceLine {
    /// How many steps are on the line.
    pub fn times(&self) -> usize {
        (self.last - self.first) / self.stride + 1
    }

    /// One more step on the line.
    fn extend(&mut self, now: TraceLine) {
        self.last = now.last;
        for (argument, new) in self.arguments.iter_mut().zip(now.arguments) {
            argument.last = new.last;
        }
        self.values = now.values;
    }
}

/// The most clauses that take turns and are noticed.
const LONGEST_ROUND: usize = 8;
/// How often clauses must take turns to be put together.
const LEAST_ROUNDS: usize = 3;

/// The lines of a derivation; `source` is the text that the system was read from.
pub fn trace_lines(horn: &Horn, derivation: &Derivation, source: &[u8]) -> Vec<TraceLine> {
    let mut printer = Printer::new(horn.terms.clone());
    let mut lines: Vec<TraceLine> = Vec::new();
    for line in tree_lines(horn, derivation, source) {
        let Line { step, clause, values, premises, rounds, .. } = line;
        let used = &derivation.steps[step];
        let first = first_conclusion(horn, used);
        let (predicate, arguments) = match (&horn.clause(used.clause).head, used.conclusion(horn)) {
            (Head::Atom(pred, _), Some((_, args))) => {
                let names = horn.argument_names(*pred);
                let argument = |(at, value)| {
                    let name: Option<&str> = names[at];
                    let last = printer.show(value).replace(['\n', '\r'], " ");
                    let name =
                        name.map_or_else(|| format!("#{at}"), |name| quote(name).to_string());
                    let first = match first.as_ref().and_then(|values| values.get(at)) {
                        Some(value) => printer.show(value).replace(['\n', '\r'], " "),
                        None => last.clone(),
                    };
                    Argument { name, first, last }
                };
                let arguments = args.iter().enumerate().map(argument).collect();
                (Some(quote(horn.pred_name(*pred)).replace(['\n', '\r'], " ")), arguments)
            }
            _ => (None, Vec::new()),
        };
        let (first, last, stride) = (step, step, 1);
        lines.push(TraceLine {
            first,
            last,
            stride,
            predicate,
            arguments,
            clause,
            values,
            premises,
            rounds,
        });
    }
    folded(lines)
}

/// The arguments of what the last member of a progression concludes in its first round.
fn first_conclusion(horn: &Horn, step: &Step) -> Option<Vec<Value>> {
    let member = step.progression.as_ref()?.members.last()?;
    let first = Step::new(member.clause, member.start.clone(), Vec::new());
    first.conclusion(horn).map(|(_, values)| values)
}

/// Lines of one step each, with those put together that repeat.
fn folded(lines: Vec<TraceLine>) -> Vec<TraceLine> {
    let mut rounds: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        // The most steps at once, in the shortest rounds.
        let of = |round: usize| (repeats(&lines[at..], round), round);
        let found = (1..=LONGEST_ROUND)
            .map(of)
            .max_by_key(|&(count, round)| (count * round, std::cmp::Reverse(round)));
        let (count, round) = found.unwrap_or((1, 1));
        rounds.push((round, count));
        at += count * round;
    }
    let mut out: Vec<TraceLine> = Vec::new();
    let mut lines = lines.into_iter();
    for (round, count) in rounds {
        let begun = out.len();
        out.extend(lines.by_ref().take(round));
        out[begun..].iter_mut().for_each(|line| line.stride = round);
        for (at, line) in lines.by_ref().take((count - 1) * round).enumerate() {
            out[begun + at % round].extend(line);
        }
    }
    out
}

/// How many rounds of so many steps repeat the first one. A round of one step follows from the one
/// before; of longer ones each step follows from what the same step of the round before follows from, a
/// round later, or what was there before. A round of one clause several times is none.
fn repeats(lines: &[TraceLine], round: usize) -> usize {
    let Some(start) = lines.first().map(|line| line.first) else { return 1 };
    let is_same = |at: usize| {
        let (now, before) = (&lines[at], &lines[at - round]);
        let is_later =
            |(&new, &old): (&usize, &usize)| new == old + round || (new == old && new < start);
        let follows = match round {
            1 => now.premises == [before.last] && (at == 1 || before.premises.len() == 1),
            _ => {
                let is_alike = now.premises.len() == before.premises.len();
                is_alike && now.premises.iter().zip(&before.premises).all(is_later)
            }
        };
        let is_plain = now.rounds.is_none() && before.rounds.is_none();
        is_plain && follows && now.clause == before.clause && now.predicate == before.predicate
    };
    if round == 1 {
        return 1 + (1..lines.len()).take_while(|&at| is_same(at)).count();
    }
    let is_mixed = lines.iter().take(round).any(|line| line.clause != lines[0].clause);
    if !is_mixed {
        return 0;
    }
    let more = (round..lines.len()).take_while(|&at| is_same(at)).count() / round;
    if more + 1 >= LEAST_ROUNDS { more + 1 } else { 0 }
}

/// The most lines that are printed of a long trace: so many at its beginning, and at its end.
const ENDS: (usize, usize) = (30, 10);
/// The widest column of facts.
const WIDEST: usize = 60;

/// The lines as a table; all of them, or the ends of a long one.
pub fn print_trace(lines: &[TraceLine], is_all: bool) -> String {
    let number = |line: &TraceLine| match line {
        TraceLine { first, last, .. } if first == last => first.to_string(),
        TraceLine { first, last, stride: 1, .. } => format!("{first}–{last}"),
        TraceLine { first, last, stride, .. } => format!("{first}, {} … {last}", first + stride),
    };
    let fact = |line: &TraceLine| {
        let Some(predicate) = &line.predicate else { return "false".to_owned() };
        let mut out = predicate.clone();
        for (at, Argument { name, first, last }) in line.arguments.iter().enumerate() {
            let _ = write!(out, "{}{name} = {first}", if at == 0 { "  " } else { ", " });
            if first != last {
                let _ = write!(out, " … {last}");
            }
        }
        out
    };
    let count = |text: &String| text.chars().count();
    let (numbers, facts): (Vec<String>, Vec<String>) =
        lines.iter().map(|line| (number(line), fact(line))).unzip();
    let margin = numbers.iter().map(count).max().unwrap_or(0);
    let column = facts.iter().map(count).filter(|&width| width <= WIDEST).max().unwrap_or(0);
    let (head, tail) = ENDS;
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        if !is_all && lines.len() > head + tail && (head..lines.len() - tail).contains(&at) {
            if at == head {
                let hidden = lines.len() - head - tail;
                let _ = writeln!(out, "  {:>margin$}  {hidden} more lines (--trace=all)", "…");
            }
            continue;
        }
        let _ =
            write!(out, "  {:>margin$}  {:<column$}  by {}", numbers[at], facts[at], line.clause);
        match (&line.rounds, line.times()) {
            (Some(rounds), _) => {
                let _ = write!(out, ", {rounds} times");
            }
            (None, 1) => {}
            (None, times) => {
                let _ = write!(out, ", {times} times");
            }
        }
        let follows = line.premises.is_empty() || line.premises == [line.first.wrapping_sub(1)];
        if !follows {
            let premises: Vec<String> = line.premises.iter().map(usize::to_string).collect();
            let _ = write!(out, ", from {}", premises.join(" and "));
            if line.stride > 1 {
                out.push_str(" and so on");
            }
        }
        if !line.values.is_empty() {
            let _ = write!(out, ", with {}", line.values.join(", "));
        }
        out.push('\n');
    }
    out
}
