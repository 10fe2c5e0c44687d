//! All reachable states of a system over words, by all cores.
//!
//! States are owned by the thread that their hash names. In each round every thread expands the states of the last
//! distance that it owns, keeps the new ones that are its own, and puts the others into a box for their owner; then
//! every thread empties the boxes for it. So a state is found at its least distance, each once, and what comes out
//! depends on the number of threads only in the order of states.
//!
//! What is found is not evidence: a run that violates a property is checked like any other (`check`), and that there is
//! none is only said.

#[cfg(feature = "dataflow")]
pub mod dataflow;
mod graphs;

use alphorn_check::accept::{AskedProperty, accept};
use alphorn_engine::{Ctx, Event, Stop, Stopper};
use alphorn_hw::words::explore::{Scene, Seen, Table, Workspace, hash};
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::evidence::words::WordTrace;
use alphorn_problem::{Verdict, Words};

/// How a search is bounded.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many threads take part.
    pub threads: usize,
    /// The most states.
    pub max_states: u64,
}

/// What a search saw.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// How many states are reachable; at least so many if the search did not end.
    pub states: u64,
    /// How many times a choice of inputs did something in a state.
    pub steps: u64,
    /// The largest distance of a state from the first ones.
    pub depth: u64,
    /// How many bytes a state takes.
    pub bytes: usize,
    /// Whether all states were seen.
    pub is_complete: bool,
    /// For each property that is violated, a shortest run, accepted by the checker.
    pub violations: Vec<(usize, WordTrace)>,
    /// What was found about what stays within reach, or leads to what.
    pub others: Vec<Other>,
}

/// What was found on the graph of all states about a property that is none of safety.
#[derive(Clone, Debug)]
pub struct Other {
    /// The property.
    pub property: Property,
    /// A run that violates it, accepted by the checker.
    pub violation: Option<WordTrace>,
    /// What was counted.
    pub remark: String,
}

/// A state, by its owner and its number there.
type Id = (u32, u32);

/// What a thread owns.
struct Shard {
    table: Table,
    /// Where each state came from, and by which choice; first states come from themselves.
    origins: Vec<(Id, u32)>,
    /// The first state that was not expanded.
    next: usize,
    /// States for others: the words of each, where it came from, and by which choice.
    boxes: Vec<Vec<u64>>,
    steps: u64,
    /// What its rounds run in.
    workspace: Option<Workspace>,
    /// The first violation of each property: a state and a choice.
    bad: Vec<Option<(usize, usize)>>,
}

impl Shard {
    fn new(size: usize, shards: usize, properties: usize) -> Shard {
        Shard {
            table: Table::new(size),
            origins: Vec::new(),
            next: 0,
            boxes: vec![Vec::new(); shards],
            steps: 0,
            workspace: None,
            bad: vec![None; properties],
        }
    }

    fn add(&mut self, state: &[u64], hash: u64, origin: Id, choice: u32) {
        if self.table.insert(state, hash).1 {
            self.origins.push((origin, choice));
        }
    }

    /// Expands all states that were not.
    fn round(&mut self, own: usize, scene: &Scene<'_>) {
        let model = &scene.model;
        let workspace = self.workspace.get_or_insert_with(|| model.workspace());
        let mut state = vec![0; model.size()];
        let (end, shards) = (self.table.len(), self.boxes.len());
        for number in self.next..end {
            state.copy_from_slice(self.table.state(number));
            let origin = (own as u32, number as u32);
            let (table, origins, boxes, bad) =
                (&mut self.table, &mut self.origins, &mut self.boxes, &mut self.bad);
            let fired = model.expand(&state, workspace, |seen, to| match seen {
                Seen::Bad(choice, property) => {
                    bad[property].get_or_insert((number, choice));
                }
                Seen::Next(choice) => {
                    let hash = hash(to);
                    let owner = owner(hash, shards);
                    if owner != own {
                        boxes[owner].extend_from_slice(to);
                        boxes[owner].extend([number as u64, choice as u64]);
                    } else if table.insert(to, hash).1 {
                        origins.push((origin, choice as u32));
                    }
                }
            });
            self.steps += fired as u64;
        }
        self.next = end;
    }

    /// Takes what others have found.
    fn take(&mut self, from: usize, letters: &[u64], size: usize) {
        for letter in letters.chunks_exact(size + 2) {
            let (state, origin) = (&letter[..size], (from as u32, letter[size] as u32));
            self.add(state, hash(state), origin, letter[size + 1] as u32);
        }
    }
}

fn owner(hash: u64, shards: usize) -> usize {
    (hash >> 40) as usize % shards
}

/// Goes through all states; or says why the system is not for that. Of a system with a question about a response, those
/// of the system without it, and whether a fair run violates it.
pub fn explore(words: &Words, bounds: Bounds) -> Result<Explored, String> {
    if let Some(response) = &words.response {
        return graphs::respond(words, response, bounds);
    }
    let mut found = safety(words, bounds)?;
    if found.is_complete {
        for index in 0..words.homes.len() {
            found.others.push(graphs::home(words, index, bounds)?);
        }
    }
    Ok(found)
}

/// Looks for violations of safety properties in all states.
fn safety(words: &Words, bounds: Bounds) -> Result<Explored, String> {
    let mut silent = |_: Event| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut silent);
    let scene = Scene::new(words, &mut ctx).map_err(reason)?;
    let (shards, size) = (bounds.threads.max(1), scene.model.size());
    let new = |_| Shard::new(size, shards, scene.model.properties());
    let mut all: Vec<Shard> = (0..shards).map(new).collect();
    for first in &scene.firsts {
        let hash = hash(first);
        let owner = owner(hash, shards);
        let origin = (owner as u32, all[owner].table.len() as u32);
        all[owner].add(first, hash, origin, 0);
    }
    let mut found = Explored { bytes: 8 * size, ..Explored::default() };
    loop {
        std::thread::scope(|scope| {
            for (own, shard) in all.iter_mut().enumerate() {
                let scene = &scene;
                scope.spawn(move || shard.round(own, scene));
            }
        });
        let boxes: Vec<Vec<Vec<u64>>> = all
            .iter_mut()
            .map(|shard| std::mem::replace(&mut shard.boxes, vec![Vec::new(); shards]))
            .collect();
        std::thread::scope(|scope| {
            for (own, shard) in all.iter_mut().enumerate() {
                let boxes = &boxes;
                scope.spawn(move || {
                    for (from, letters) in boxes.iter().enumerate() {
                        shard.take(from, &letters[own], size);
                    }
                });
            }
        });
        found.states = all.iter().map(|shard| shard.table.len() as u64).sum();
        found.steps = all.iter().map(|shard| shard.steps).sum();
        violations(words, &scene, &all, &mut found)?;
        found.is_complete = all.iter().all(|shard| shard.next == shard.table.len());
        if found.is_complete || found.states > bounds.max_states {
            return Ok(found);
        }
        found.depth += 1;
    }
}

/// Why a system is not gone through.
fn reason(stop: Stop) -> String {
    match stop {
        Stop::Unsupported(why) | Stop::Stuck(why) => why.to_string(),
        other => format!("{other:?}"),
    }
}

/// Adds the violations that are new, each with its run, which the checker accepts.
fn violations(
    words: &Words,
    scene: &Scene<'_>,
    all: &[Shard],
    found: &mut Explored,
) -> Result<(), String> {
    for property in 0..scene.model.properties() {
        if found.violations.iter().any(|(known, _)| *known == property) {
            continue;
        }
        let first = all.iter().enumerate().find_map(|(own, shard)| {
            shard.bad[property].map(|(number, choice)| (own, number, choice))
        });
        let Some((own, number, choice)) = first else { continue };
        let (mut at, mut choices) = ((own as u32, number as u32), vec![choice]);
        loop {
            let (origin, choice) = all[at.0 as usize].origins[at.1 as usize];
            if origin == at {
                break;
            }
            choices.push(choice as usize);
            at = origin;
        }
        choices.reverse();
        let start = all[at.0 as usize].table.state(at.1 as usize);
        conclude(words, scene, property, (start, &choices), found)?;
    }
    Ok(())
}

/// Adds the run that starts in a state and makes these choices, which the checker accepts.
fn conclude(
    words: &Words,
    scene: &Scene<'_>,
    property: usize,
    (start, choices): (&[u64], &[usize]),
    found: &mut Explored,
) -> Result<(), String> {
    let mut trace = scene.trace(start, choices);
    trace.property = Property::Bad(property);
    let asked = AskedProperty::of(Property::Bad(property));
    let verdict = Verdict::Unsafe(trace.clone());
    accept(words, asked, verdict).map_err(|refusal| format!("a run was refused: {refusal}"))?;
    found.violations.push((property, trace));
    Ok(())
}
