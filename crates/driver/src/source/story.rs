//! A run as the lines that it passes, with the values that it leaves.

use super::lines::Lines;
use alphorn_front::c::harness::Chosen;
use alphorn_problem::Span;
use alphorn_program::c::evidence::Run;
use alphorn_program::c::property::{Asked, Choice, Task};
use alphorn_program::c::run::{Limits, Listed, Runnable, State, Value, Watcher};
use alphorn_program::c::tree::Storage;
use alphorn_program::c::{FuncId, Type, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// A statement that a run passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it stands.
    pub span: Span,
    /// Its line in the file, from one.
    pub line: usize,
    /// The function that it belongs to.
    pub function: String,
    /// How deep in calls it is.
    pub depth: usize,
    /// The thread that passes it, by the order of creation.
    pub thread: u32,
    /// The variables that have other values afterwards, with these.
    pub values: Vec<(String, String)>,
}

/// A run of a program, told along its lines.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// The statements, in order; the last one is where the violation is. Of long runs the middle is missing.
    pub lines: Vec<Line>,
    /// How many statements are missing, and after which.
    pub missing: Option<(usize, usize)>,
    /// What was chosen, in order.
    pub chosen: Vec<Chosen>,
    /// The statement that was being run at each choice, and the one that came next.
    pub at: Vec<(Span, Option<Span>)>,
    /// Lines that are passed.
    pub passed: BTreeSet<usize>,
    /// Functions that are entered.
    pub entered: BTreeSet<FuncId>,
    /// The last statement that began.
    pub last: Span,
    /// How many steps of calls are not told, because the calls were made before with the same arguments.
    pub spared: u64,
}

/// How many statements are kept from the beginning and from the end.
const MAX_KEPT: usize = 2_000;
/// How many variables are followed.
const MAX_FOLLOWED: usize = 60;

/// The story of a run of a program, whose text is `source`.
pub fn story(task: &Task, run: &Run, source: &[u8]) -> Story {
    let lines = Lines::of(source);
    let mut teller = Teller {
        task,
        lines: &lines,
        story: Story::default(),
        lanes: vec![Vec::new()],
        thread: 0,
        globals: BTreeMap::new(),
        next: 0,
    };
    let limits = Limits { steps: run.steps.saturating_add(1), ..Limits::default() };
    let ran = Runnable::new(task).run(&mut Listed::new(&run.choices), limits, &mut teller);
    let mut story = teller.story;
    story.spared = ran.spared;
    let count = story.lines.len();
    if count > 2 * MAX_KEPT {
        story.lines.drain(MAX_KEPT..count - MAX_KEPT);
        story.missing = Some((MAX_KEPT, count - 2 * MAX_KEPT));
    }
    story.passed.insert(lines.line(run.violation.span.start));
    story
}

/// The values that were seen last in a call.
struct Frame {
    function: Option<FuncId>,
    followed: Vec<VarId>,
    values: Vec<Option<Value>>,
    /// The line that was begun last here.
    line: Option<usize>,
}

struct Teller<'a> {
    task: &'a Task,
    lines: &'a Lines<'a>,
    story: Story,
    /// The calls of each thread.
    lanes: Vec<Vec<Frame>>,
    /// The thread that runs.
    thread: usize,
    /// The values of globals that were seen last, in whatever thread.
    globals: BTreeMap<VarId, Value>,
    /// The first choice whose next statement is not known yet.
    next: usize,
}

impl Teller<'_> {
    /// The scalars that a function sees by name: its own, and global ones.
    fn followed(&self, function: Option<FuncId>) -> Vec<VarId> {
        let unit = &self.task.unit;
        let all = unit.vars.iter().enumerate().filter(|(_, var)| {
            let is_own = match var.storage {
                Storage::Global => true,
                Storage::Parameter | Storage::Local | Storage::Static => var.function == function,
                Storage::Extern | Storage::Hidden => false,
            };
            is_own && matches!(unit.types.get(var.ty), Type::Int(_) | Type::Pointer(_))
        });
        all.map(|(at, _)| VarId(at as u32)).take(MAX_FOLLOWED).collect()
    }

    /// Notes what has changed since the last statement of the call that runs.
    fn compare(&mut self, state: &State<'_>) {
        let depth = state.depth();
        while self.lanes[self.thread].len() < depth {
            let followed = self.followed(state.function());
            let values = vec![None; followed.len()];
            let function = state.function();
            self.lanes[self.thread].push(Frame { function, followed, values, line: None });
        }
        self.lanes[self.thread].truncate(depth.max(1));
        let unit = &self.task.unit;
        let are_several = self.lanes.len() > 1;
        let Some(frame) = self.lanes[self.thread].last_mut() else { return };
        if frame.function != state.function() {
            return;
        }
        let mut changed = Vec::new();
        for (var, before) in frame.followed.iter().zip(&mut frame.values) {
            let now = state.var(*var);
            // What another thread has changed is not the doing of this one.
            let is_shared = are_several && unit.var(*var).function.is_none();
            let old = if is_shared { self.globals.get(var).copied() } else { *before };
            if let Some(value) = now {
                self.globals.insert(*var, value);
            }
            if let Some(value) = now
                && now != old
            {
                changed.push((unit.var(*var).name.clone(), shown(value)));
            }
            *before = now;
        }
        if let Some(line) = frame.line
            && let Some(line) = self.story.lines.get_mut(line)
        {
            line.values.extend(changed);
        }
    }
}

impl Watcher for Teller<'_> {
    fn statement(&mut self, span: Span, state: &State<'_>) {
        self.compare(state);
        for at in &mut self.story.at[self.next..] {
            at.1 = Some(span);
        }
        self.next = self.story.at.len();
        self.story.last = span;
        let line = self.lines.line(span.start);
        self.story.passed.insert(line);
        let function = state.function().map(|f| self.task.unit.function(f).name.clone());
        let index = self.story.lines.len();
        self.story.lines.push(Line {
            span,
            line,
            function: function.unwrap_or_default(),
            depth: state.depth(),
            thread: self.thread as u32,
            values: Vec::new(),
        });
        if let Some(frame) = self.lanes[self.thread].last_mut() {
            frame.line = Some(index);
        }
    }

    fn loop_head(&mut self, _: Span, state: &State<'_>) {
        self.compare(state);
    }

    fn enter(&mut self, function: FuncId, _: Span, _: &State<'_>) {
        self.story.entered.insert(function);
    }

    fn turn(&mut self, thread: u32, state: &State<'_>) {
        self.compare(state);
        self.thread = thread as usize;
        while self.lanes.len() <= self.thread {
            self.lanes.push(Vec::new());
        }
    }

    fn chosen(&mut self, asked: Asked, choice: &Choice, span: Span) {
        self.story.chosen.push(Chosen { asked, choice: choice.clone(), span });
        self.story.at.push((self.story.last, None));
    }
}

/// A value for people.
fn shown(value: Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Address(_) | Value::Fragment(..) => "an address".to_owned(),
        Value::Undefined | Value::Record(_) => "?".to_owned(),
    }
}
