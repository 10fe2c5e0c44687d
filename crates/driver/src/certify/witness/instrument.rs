//! A program with what a witness says put into its text.
//!
//! Helpers stand before the program, and calls of them where the witness says so: around conditions and
//! calls, before statements. They make no choices and change nothing of the program, so a run of the one is a
//! run of the other with the same choices.
//!
//! The automaton of a sequence counts the segments that were passed; after the last of those that repeat comes
//! the first of them again. Whoever comes by a waypoint to follow, and does not pass it, leaves; so does who
//! passes one to avoid. A run that passes what repeats again and again waits only so long in between: how long,
//! in rounds of loops and passed labels, is chosen anew each time.

use super::expression::{may_be_undefined, pure};
use super::places::{Branch, Places, Way};
use super::{Result, misplaced, untreated};
use crate::source::Lines;
use alphorn_front::c::read_expression;
use alphorn_front::witness::{Invariant, InvariantKind, Location, Segment, Waypoint, WaypointKind};
use alphorn_problem::Span;
use alphorn_program::c::library::{Known, known};
use alphorn_program::c::property::Task;
use alphorn_program::c::{FuncId, Stmt, Type, Unit};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A program with a witness in it.
pub(super) struct Instrumented {
    /// Its text.
    pub(super) text: Vec<u8>,
    /// Where the helper of each invariant stands in it, and where the invariant belongs in the program.
    helpers: Vec<(Span, u32)>,
    /// The statement of the violation, in the program, and how many segments come before the last.
    pub(super) target: Span,
    pub(super) segments: usize,
    /// A place in the witness for complaints about all of it.
    pub(super) span: Span,
}

impl Instrumented {
    /// The invariant, counted from 1, whose helper has an offset in it, and its place in the program.
    pub(super) fn invariant_at(&self, offset: u32) -> Option<(usize, u32)> {
        let found = self.helpers.iter().position(|(s, _)| s.start <= offset && offset < s.end)?;
        Some((found + 1, self.helpers[found].1))
    }
}

/// What is put in: text before an offset. At one offset what closes comes before what opens, and what is
/// wider is outside.
#[derive(Default)]
struct Edits(Vec<(u32, bool, i64, String)>);

impl Edits {
    /// Puts text around a span.
    fn around(&mut self, span: Span, before: String, after: String) {
        let width = i64::from(span.end - span.start);
        self.0.push((span.start, true, -width, before));
        self.0.push((span.end, false, width, after));
    }

    /// Puts text before an offset.
    fn before(&mut self, at: u32, text: String) {
        self.0.push((at, true, i64::MIN, text));
    }

    fn done(mut self, prelude: &str, source: &[u8]) -> Vec<u8> {
        self.0.sort_by_key(|(at, opens, width, _)| (*at, *opens, *width));
        let mut text = prelude.as_bytes().to_vec();
        let mut from = 0;
        for (at, _, _, what) in self.0 {
            let at = (at as usize).min(source.len());
            text.extend(&source[from..at]);
            text.extend(what.into_bytes());
            from = at;
        }
        text.extend(&source[from..]);
        text
    }
}

/// Finds the places of a witness in a program.
struct Finder<'a> {
    task: &'a Task,
    lines: Lines<'a>,
    places: Places,
}

impl<'a> Finder<'a> {
    fn new(task: &'a Task, source: &'a [u8]) -> Finder<'a> {
        Finder { task, lines: Lines::of(source), places: Places::of(&task.unit, source) }
    }

    /// The leftmost of some offsets that fits a location.
    fn fit(
        &self,
        location: &Location,
        offsets: impl Iterator<Item = (u32, usize)>,
    ) -> Option<usize> {
        let fits = |offset: u32| {
            let (line, column) = self.lines.place(offset);
            line == location.line && location.column.is_none_or(|wanted| wanted == column)
        };
        let mut all: Vec<(u32, usize)> = offsets.filter(|(offset, _)| fits(*offset)).collect();
        all.sort_unstable();
        all.first().map(|(_, index)| *index)
    }

    fn statement(&self, location: &Location) -> Option<usize> {
        let all = self.places.statements.iter().enumerate();
        self.fit(location, all.map(|(index, one)| (one.span.start, index)))
    }

    fn branch(&self, location: &Location) -> Option<&Branch> {
        let all = self.places.branches.iter().enumerate();
        let found = self.fit(location, all.map(|(index, one)| (one.at, index)))?;
        self.places.branches.get(found)
    }

    fn call(&self, location: &Location) -> Option<usize> {
        let all = self.places.calls.iter().enumerate();
        self.fit(location, all.map(|(index, one)| (one.span.end.saturating_sub(1), index)))
    }

    /// An expression at an offset of the program, as text to put there. Where its evaluation might be
    /// undefined, a run would end there for no reason of the program's, and what comes after would be
    /// safe by that alone; so such expressions are not treated.
    fn defined(&self, text: &str, at: u32, span: Span) -> Result<String> {
        let value = pure(text).map_err(|why| misplaced(span, why))?;
        let mut unit = Unit::clone(&self.task.unit);
        let holds = |body: &Stmt| body.span.start <= at && at < body.span.end;
        let function = unit.functions.iter().position(|f| f.body.as_ref().is_some_and(holds));
        let function = function.map(|index| FuncId(index as u32));
        let expr = read_expression(&mut unit, function, at, text).map_err(|diagnostics| {
            let why = diagnostics.list.first().map_or("", |first| &first.message);
            misplaced(span, format!("an expression of the witness is not understood: {why}"))
        })?;
        match may_be_undefined(&expr, &unit.types) {
            true => Err(untreated(span, "an expression that may be undefined is not treated")),
            false => Ok(value),
        }
    }

    /// Counts the rounds of each loop, and how often each label is passed.
    fn wait_everywhere(&self, edits: &mut Edits) {
        for one in &self.places.loops {
            edits.around(one.body, "{ alphorn_wait(); ".to_owned(), " }".to_owned());
        }
        for &index in &self.places.labelled {
            self.before_statement(index, "alphorn_wait();".to_owned(), edits);
        }
    }

    /// Puts text before a statement.
    fn before_statement(&self, index: usize, text: String, edits: &mut Edits) {
        let statement = &self.places.statements[index];
        match statement.is_in_block {
            true => edits.before(statement.span.start, format!("{text} ")),
            false => edits.around(statement.span, format!("{{ {text} "), " }".to_owned()),
        }
    }
}

/// Whoever has waited as long as was chosen leaves.
const WAIT: &str = "extern unsigned long __VERIFIER_nondet_ulong(void); static unsigned long alphorn_patience; \
    static void alphorn_wait(void) { \
    if (alphorn_due) { alphorn_due = 0; alphorn_patience = __VERIFIER_nondet_ulong(); } \
    if (alphorn_patience == 0) abort(); alphorn_patience--; } ";

const DECLARATIONS: &str = "extern void abort(void); extern void __VERIFIER_error(void); ";

/// The program in which every invariant is an assertion.
pub(super) fn invariants(task: &Task, source: &[u8], list: &[Invariant]) -> Result<Instrumented> {
    let finder = Finder::new(task, source);
    let mut edits = Edits::default();
    let mut prelude = DECLARATIONS.to_owned();
    let mut helpers = Vec::new();
    for (index, invariant) in list.iter().enumerate() {
        let start = prelude.len() as u32;
        let name = format!("alphorn_invariant_{index}");
        let _ =
            write!(prelude, "static void {name}(int holds) {{ if (!holds) __VERIFIER_error(); }} ");
        let location = &invariant.location;
        let nowhere = |what: &str| {
            let place = format!("line {}", location.line);
            misplaced(invariant.span, format!("the program has no {what} at {place}"))
        };
        let at = match invariant.kind {
            InvariantKind::Loop => {
                let all = finder.places.loops.iter().enumerate();
                let found = finder.fit(location, all.map(|(index, one)| (one.at, index)));
                let one = &finder.places.loops[found.ok_or_else(|| nowhere("loop"))?];
                let value = finder.defined(&invariant.value, one.at, invariant.span)?;
                let call = format!("{name}(({value}) != 0)");
                match (one.is_do, one.condition) {
                    (false, Some(condition)) => {
                        edits.around(condition, format!("({call}, ("), "))".to_owned());
                    }
                    _ => edits.around(one.body, format!("{{ {call}; "), " }".to_owned()),
                }
                one.at
            }
            InvariantKind::Location => {
                let found = finder.statement(location).ok_or_else(|| nowhere("statement"))?;
                let at = finder.places.statements[found].span.start;
                let value = finder.defined(&invariant.value, at, invariant.span)?;
                finder.before_statement(found, format!("{name}(({value}) != 0);"), &mut edits);
                at
            }
        };
        helpers.push((Span { start, end: prelude.len() as u32 }, at));
    }
    let span = list.first().map_or(Span::NONE, |first| first.span);
    let text = edits.done(&format!("{prelude}\n"), source);
    Ok(Instrumented { text, helpers, target: Span::NONE, segments: 0, span })
}

/// A place of the program with what the segments want there: the segment, whether to follow, the condition.
#[derive(Default)]
struct Stop {
    wants: Vec<(usize, bool, String)>,
}

impl Stop {
    /// The steps of the automaton there; conditions are over `v`, or over flags `c0`, `c1`, ….
    fn steps(&self, order: &[Segment]) -> String {
        let mut text = String::new();
        let mut segments: Vec<usize> = self.wants.iter().map(|(segment, ..)| *segment).collect();
        segments.sort_unstable();
        segments.dedup();
        for (at, segment) in segments.iter().enumerate() {
            let otherwise = if at == 0 { "" } else { "else " };
            let _ = write!(text, "{otherwise}if (alphorn_state == {segment}) {{ ");
            let own = self.wants.iter().filter(|(other, ..)| other == segment);
            for (_, _, condition) in own.clone().filter(|(_, follows, _)| !follows) {
                let _ = write!(text, "if ({condition}) abort(); ");
            }
            if let Some((_, _, condition)) = own.clone().find(|(_, follows, _)| *follows) {
                let (next, then) = match order[*segment].is_cycle {
                    false => (segment + 1, ""),
                    true if segment + 1 < order.len() => (segment + 1, "alphorn_due = 1; "),
                    true => (first_that_repeats(order), "alphorn_due = 1; "),
                };
                let pass = format!("{{ alphorn_state = {next}; {then}}}");
                let _ = write!(text, "if ({condition}) {pass} else abort(); ");
            }
            text.push_str("} ");
        }
        text
    }
}

fn first_that_repeats(order: &[Segment]) -> usize {
    order.iter().position(|segment| segment.is_cycle).unwrap_or(order.len())
}

/// Where a waypoint stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Where {
    /// Before a statement, by its position.
    Statement(usize),
    /// Around the condition that begins and ends here.
    Condition(u32, u32),
    /// When a call is entered, by its position.
    Enter(usize),
    /// When a call has returned.
    Return(usize),
}

/// The program in which an automaton ends the runs that do not follow the waypoints, and, if it is to wait only so
/// long, those that do not come to what repeats.
pub(super) fn waypoints(
    task: &Task,
    source: &[u8],
    segments: &[Segment],
    waits: bool,
) -> Result<Instrumented> {
    let finder = Finder::new(task, source);
    let mut edits = Edits::default();
    let mut stops: BTreeMap<Where, Stop> = BTreeMap::new();
    let mut assumptions: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let last = segments.len() - 1;
    let mut at_target = Span::NONE;
    for (index, segment) in segments.iter().enumerate() {
        let all = segment.avoid.iter().map(|one| (one, false)).chain([(&segment.follow, true)]);
        for (waypoint, follows) in all {
            if waypoint.kind == WaypointKind::Target {
                at_target = target(&finder, waypoint, last, &mut edits)?;
                continue;
            }
            let (place, condition) = condition(&finder, waypoint, &mut assumptions)?;
            stops.entry(place).or_default().wants.push((index, follows, condition));
        }
    }
    let mut prelude = format!(
        "{DECLARATIONS}static int alphorn_state; static int alphorn_armed; static int alphorn_due = 1; \
            static void alphorn_error(void) {{ if (!alphorn_armed) abort(); }} "
    );
    if waits {
        prelude.push_str(WAIT);
        finder.wait_everywhere(&mut edits);
    }
    for (at, (place, stop)) in stops.iter().enumerate() {
        let (name, steps) = (format!("alphorn_stop_{at}"), stop.steps(segments));
        match *place {
            Where::Statement(index) => {
                let flags = &assumptions[&index];
                let params: Vec<String> = (0..flags.len()).map(|at| format!("int c{at}")).collect();
                let _ = write!(prelude, "static void {name}({}) {{ {steps}}} ", params.join(", "));
                let args: Vec<String> = flags.iter().map(|flag| format!("({flag}) != 0")).collect();
                finder.before_statement(index, format!("{name}({});", args.join(", ")), &mut edits);
            }
            Where::Condition(start, end) => {
                let is_switch = finder.places.branches.iter().any(|branch| {
                    branch.condition == Span { start, end } && matches!(branch.way, Way::Switch(_))
                });
                let _ =
                    write!(prelude, "static long long {name}(long long v) {{ {steps}return v; }} ");
                let whole = if is_switch { "(" } else { "!!(" };
                edits.around(Span { start, end }, format!("{name}({whole}"), "))".to_owned());
            }
            Where::Enter(index) => {
                let _ = write!(prelude, "static void {name}(void) {{ {steps}}} ");
                let span = finder.places.calls[index].span;
                edits.around(span, format!("({name}(), "), ")".to_owned());
            }
            Where::Return(index) => {
                let call = &finder.places.calls[index];
                let Type::Int(kind) = task.unit.types.get(call.result) else { continue };
                let kind = kind.name();
                let _ = write!(prelude, "static {kind} {name}({kind} v) {{ {steps}return v; }} ");
                edits.around(call.span, format!("{name}("), ")".to_owned());
            }
        }
    }
    // An error that is not at the target is none.
    for call in &finder.places.calls {
        let is_error = call.function.is_some_and(|function| {
            matches!(known(&task.unit.function(function).name), Some(Known::Error))
        });
        if is_error {
            edits.around(call.span, "(alphorn_error(), ".to_owned(), ")".to_owned());
        }
    }
    let text = edits.done(&format!("{prelude}\n"), source);
    let span = segments[0].follow.span;
    Ok(Instrumented { text, helpers: Vec::new(), target: at_target, segments: last, span })
}

/// Arms the target while its statement runs in the last segment.
fn target(
    finder: &Finder<'_>,
    waypoint: &Waypoint,
    last: usize,
    edits: &mut Edits,
) -> Result<Span> {
    let Some(index) = finder.statement(&waypoint.location) else {
        let message = format!("the program has no statement at line {}", waypoint.location.line);
        return Err(misplaced(waypoint.span, message));
    };
    let statement = &finder.places.statements[index];
    // What a declaration declares is used behind it, so that a block must not end with it.
    let (open, close) = if statement.is_in_block { ("", "") } else { ("{ ", "}") };
    let before = format!("{open}alphorn_armed = alphorn_state == {last}; ");
    edits.around(statement.span, before, format!(" alphorn_armed = 0; {close}"));
    Ok(statement.span)
}

/// Where a waypoint stands, and when it is passed.
fn condition(
    finder: &Finder<'_>,
    waypoint: &Waypoint,
    assumptions: &mut BTreeMap<usize, Vec<String>>,
) -> Result<(Where, String)> {
    let location = &waypoint.location;
    let nowhere = |what: &str| {
        misplaced(waypoint.span, format!("the program has no {what} at line {}", location.line))
    };
    let text = waypoint.constraint.as_deref().unwrap_or("").trim();
    match waypoint.kind {
        WaypointKind::Assumption => {
            let index = finder.statement(location).ok_or_else(|| nowhere("statement"))?;
            let at = finder.places.statements[index].span.start;
            let text = finder.defined(text, at, waypoint.span)?;
            let flags = assumptions.entry(index).or_default();
            let at = flags.iter().position(|flag| *flag == text).unwrap_or_else(|| {
                flags.push(text);
                flags.len() - 1
            });
            Ok((Where::Statement(index), format!("c{at}")))
        }
        WaypointKind::Branching => {
            let branch = finder.branch(location).ok_or_else(|| nowhere("branch"))?;
            let condition = match (&branch.way, text) {
                (Way::Condition, "true") => "v".to_owned(),
                (Way::Condition, "false") => "!v".to_owned(),
                (Way::Switch(cases), "default") => {
                    let outside = |(low, high): &(i128, i128)| format!("(v < {low} || v > {high})");
                    let parts: Vec<String> = cases.iter().map(outside).collect();
                    if parts.is_empty() { "1".to_owned() } else { parts.join(" && ") }
                }
                (Way::Switch(_), value) if value.parse::<i64>().is_ok() => format!("v == {value}"),
                (Way::Condition, _) => {
                    return Err(misplaced(waypoint.span, "a branch is true or false"));
                }
                (Way::Switch(_), _) => {
                    let message = "a switch goes to a number or to default";
                    return Err(misplaced(waypoint.span, message));
                }
            };
            let span = branch.condition;
            Ok((Where::Condition(span.start, span.end), condition))
        }
        WaypointKind::FunctionEnter => {
            let index = finder.call(location).ok_or_else(|| nowhere("call"))?;
            Ok((Where::Enter(index), "1".to_owned()))
        }
        WaypointKind::FunctionReturn => {
            let index = finder.call(location).ok_or_else(|| nowhere("call"))?;
            let result = finder.task.unit.types.get(finder.places.calls[index].result);
            if !matches!(result, Type::Int(_)) {
                let message = "results that are no integers are not treated";
                return Err(untreated(waypoint.span, message));
            }
            let text = pure(&text.replace("\\result", "v"));
            let text = text.map_err(|why| misplaced(waypoint.span, why))?;
            Ok((Where::Return(index), text))
        }
        WaypointKind::Target => Err(nowhere("such waypoint")),
    }
}
