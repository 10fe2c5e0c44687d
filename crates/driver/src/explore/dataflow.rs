//! All reachable states of a system over words, by several processes, as a dataflow.
//!
//! A state is owned by the worker that its hash names, and travels to it along one edge of a dataflow that leads back to
//! where it comes from: a round of the loop is a distance from the first states, and progress tracking says when
//! all states of a distance have arrived \[MMI13\]. So states, steps and depth do not depend on how many processes
//! and workers there are. A second dataflow brings the counts and, going back from owner to owner, the runs to
//! the first worker.
//!
//! Every message has the fingerprint of the file and of the number of workers, so that processes about different
//! files end with a word. A connection that breaks ends the process by `lost`: whoever is left has no answer.
//!
//! Source: owners by hash as in PReach \[BG14\], on timely dataflow.

use super::{Bounds, Explored, Id, Shard, conclude, owner};
use alphorn_engine::{Ctx, Event, Stopper};
use alphorn_hw::words::explore::{Model, Scene, Seen, Workspace, hash};
use alphorn_problem::Words;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use timely::communication::Config as Communication;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Concat, ConnectLoop, Feedback, Probe, ToStream};
use timely::{Config, WorkerConfig};

/// Which processes work together.
#[derive(Clone, Debug)]
pub struct Together {
    /// Where each process listens, as `HOST:PORT`.
    pub addresses: Vec<String>,
    /// Which of them this is.
    pub process: usize,
    /// What the problem was read from, hashed.
    pub fingerprint: u64,
}

/// What all processes must have in common: the file and the number of threads of each.
pub fn fingerprint(bytes: &[u8], threads: Option<usize>) -> u64 {
    let hash = alphorn_front::sha256::hash(bytes);
    let words =
        hash.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
    words.fold(threads.unwrap_or(0) as u64, |all, word| all.rotate_left(7) ^ word)
}

/// For a worker, from another one: what is meant for whom, from whom, about what, and the contents.
type Letter = (u64, u64, u64, Vec<u64>);

/// The origin of a first state.
const NOWHERE: u64 = u64::MAX;

/// Goes through all states together with other processes. The first of them is told what all have seen, the others
/// nothing. If another process is lost, `lost` is called with the reason, and must end this one.
pub fn explore_together(
    words: &Arc<Words>,
    bounds: Bounds,
    together: &Together,
    lost: fn(&str) -> !,
) -> Result<Option<Explored>, String> {
    std::panic::set_hook(Box::new(move |why| lost(&why.to_string())));
    let communication = match together.addresses.len() {
        1 => Communication::Process(bounds.threads),
        _ => Communication::Cluster {
            threads: bounds.threads,
            process: together.process,
            addresses: together.addresses.clone(),
            report: false,
            zerocopy: false,
            log_fn: Arc::new(|_| None),
        },
    };
    let config = Config { communication, worker: WorkerConfig::default() };
    let (own, fingerprint) = (Arc::clone(words), together.fingerprint);
    let guards = timely::execute(config, move |worker| {
        let mut silent = |_: Event| {};
        let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut silent);
        // That this works was tried before.
        let scene = Scene::new(&own, &mut ctx).map_err(|stop| format!("{stop:?}"))?;
        let shard = search(worker, &scene, bounds, fingerprint);
        Ok::<_, String>(gather(worker, &shard, scene.model.size(), fingerprint))
    })?;
    let mut first = None;
    for found in guards.join() {
        let found = found.and_then(|found| found)?;
        first = first.or(found);
    }
    let Some(Gathered { mut found, runs }) = first else { return Ok(None) };
    let mut silent = |_: Event| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut silent);
    let scene = Scene::new(words, &mut ctx).map_err(|stop| format!("{stop:?}"))?;
    for (property, start, choices) in runs {
        if found.violations.iter().all(|(known, _)| *known != property) {
            conclude(words, &scene, property, (&start, &choices), &mut found)?;
        }
    }
    Ok(Some(found))
}

/// What a worker owns, and how far it came.
struct Owned {
    shard: Shard,
    depth: u64,
    is_complete: bool,
}

type Worker = timely::worker::Worker<timely::communication::Allocator>;

/// The search: one dataflow with a loop.
fn search(worker: &mut Worker, scene: &Scene<'_>, bounds: Bounds, fingerprint: u64) -> Owned {
    let (own, peers) = (worker.index(), worker.peers());
    let size = scene.model.size();
    let shard = Shard::new(size, peers, scene.model.properties());
    let owned = Rc::new(RefCell::new(Owned { shard, depth: 0, is_complete: true }));
    let most = bounds.max_states / peers as u64;
    // To everybody, so that all hear of each other; the first states to oneself.
    let mut firsts: Vec<Letter> = Vec::new();
    for to in 0..peers {
        let mut states = Vec::new();
        for first in scene.firsts.iter().filter(|_| to == own) {
            if owner(hash(first), peers) == own {
                states.extend_from_slice(first);
                states.extend([NOWHERE, 0, 0]);
            }
        }
        firsts.push((to as u64, own as u64, fingerprint, states));
    }
    let model = scene.model.clone();
    let kept = Rc::clone(&owned);
    let probe = worker.dataflow::<u64, _, _>(move |scope| {
        let (handle, back) = scope.feedback(1);
        let mut waiting: std::collections::BTreeMap<u64, Vec<Letter>> = Default::default();
        let mut workspace = model.workspace();
        let found = firsts.to_stream(scope).concat(&back).unary_notify(
            Exchange::new(|letter: &Letter| letter.0),
            "explore",
            None,
            move |input, output, rounds| {
                input.for_each(|time, letters| {
                    let round = *time.time();
                    waiting.entry(round).or_default().append(letters);
                    rounds.notify_at(time.retain());
                });
                rounds.for_each(|time, _, _| {
                    let mut letters = waiting.remove(time.time()).unwrap_or_default();
                    // By sender, so that the order does not depend on the network.
                    letters.sort_by_key(|letter| letter.1);
                    let owned = &mut *kept.borrow_mut();
                    let before = owned.shard.table.len();
                    for (_, from, about, states) in &letters {
                        assert!(
                            *about == fingerprint,
                            "worker {from} has another file, or another number of threads"
                        );
                        owned.shard.take_all(own, states, size);
                    }
                    if owned.shard.table.len() > before {
                        owned.depth = *time.time();
                    }
                    if owned.shard.table.len() as u64 > most {
                        owned.is_complete = false;
                        return;
                    }
                    expand(&mut owned.shard, &model, &mut workspace, own);
                    let mut session = output.session(&time);
                    for (to, states) in owned.shard.boxes.iter_mut().enumerate() {
                        if !states.is_empty() {
                            let states = std::mem::take(states);
                            session.give((to as u64, own as u64, fingerprint, states));
                        }
                    }
                });
            },
        );
        found.connect_loop(handle);
        found.probe()
    });
    while !probe.done() {
        worker.step_or_park(Some(Duration::from_millis(20)));
    }
    let empty = Owned { shard: Shard::new(size, peers, 0), depth: 0, is_complete: true };
    owned.replace(empty)
}

/// Expands all states that were not, into boxes for their owners.
fn expand(shard: &mut Shard, model: &Model, workspace: &mut Workspace, own: usize) {
    let (end, peers) = (shard.table.len(), shard.boxes.len());
    for number in shard.next..end {
        let (boxes, bad) = (&mut shard.boxes, &mut shard.bad);
        let fired = model.expand(shard.table.state(number), workspace, |seen, to| match seen {
            Seen::Bad(choice, property) => {
                bad[property].get_or_insert((number, choice));
            }
            Seen::Next(choice) => {
                let for_owner = &mut boxes[owner(hash(to), peers)];
                for_owner.extend_from_slice(to);
                for_owner.extend([own as u64, number as u64, choice as u64]);
            }
        });
        shard.steps += fired as u64;
    }
    shard.next = end;
}

impl Shard {
    /// Takes states that were sent: the words of each, the owner and the number of where it came from, the choice.
    fn take_all(&mut self, own: usize, states: &[u64], size: usize) {
        for letter in states.chunks_exact(size + 3) {
            let (state, data) = letter.split_at(size);
            let here: Id = (own as u32, self.table.len() as u32);
            let origin = if data[0] == NOWHERE { here } else { (data[0] as u32, data[1] as u32) };
            self.add(state, hash(state), origin, data[2] as u32);
        }
    }
}

/// What the first worker gets to know: counts, and runs by property, first state and choices.
struct Gathered {
    found: Explored,
    runs: Vec<(usize, Vec<u64>, Vec<usize>)>,
}

/// Brings counts and runs to the first worker. A run is followed back by its owners, one after the other.
fn gather(worker: &mut Worker, owned: &Owned, size: usize, fingerprint: u64) -> Option<Gathered> {
    let own = worker.index();
    let shard = &owned.shard;
    let complete = owned.is_complete && shard.next == shard.table.len();
    let mut counts = vec![shard.table.len() as u64, shard.steps, owned.depth, u64::from(complete)];
    counts.insert(0, NOWHERE);
    let mut letters: Vec<Letter> = vec![(0, own as u64, fingerprint, counts)];
    for (property, bad) in shard.bad.iter().enumerate() {
        if let Some((number, choice)) = bad {
            let run = vec![property as u64, *number as u64, *choice as u64];
            letters.push((own as u64, own as u64, fingerprint, run));
        }
    }
    let (origins, table) = (shard.origins.clone(), shard.table.clone());
    let arrived: Rc<RefCell<Vec<Vec<u64>>>> = Rc::default();
    let kept = Rc::clone(&arrived);
    let probe = worker.dataflow::<u64, _, _>(move |scope| {
        let (handle, back) = scope.feedback(1);
        let on = letters.to_stream(scope).concat(&back).unary(
            Exchange::new(|letter: &Letter| letter.0),
            "gather",
            move |_, _| {
                move |input, output| {
                    input.for_each(|time, letters| {
                        let mut session = output.session(&time);
                        for (_, from, about, mut data) in letters.drain(..) {
                            // Counts, and runs that are whole, are for who reads them.
                            if data[0] == NOWHERE || from == NOWHERE {
                                kept.borrow_mut().push(data);
                                continue;
                            }
                            let number = data[1] as usize;
                            let (origin, choice) = origins[number];
                            if origin == (own as u32, number as u32) {
                                // The first state, and who reads it.
                                data.extend_from_slice(table.state(number));
                                session.give((0, NOWHERE, about, data));
                            } else {
                                data[1] = u64::from(origin.1);
                                data.push(u64::from(choice));
                                session.give((u64::from(origin.0), from, about, data));
                            }
                        }
                    });
                }
            },
        );
        on.connect_loop(handle);
        on.probe()
    });
    while !probe.done() {
        worker.step_or_park(Some(Duration::from_millis(20)));
    }
    if own != 0 {
        return None;
    }
    let mut found = Explored { bytes: 8 * size, is_complete: true, ..Explored::default() };
    let mut runs = Vec::new();
    for data in arrived.take() {
        match data[..] {
            [NOWHERE, states, steps, depth, complete] => {
                found.states += states;
                found.steps += steps;
                found.depth = found.depth.max(depth);
                found.is_complete &= complete == 1;
            }
            _ => {
                // The property, the number of the first state, the choices from the last on, the first state.
                let (run, start) = data.split_at(data.len() - size);
                let choices: Vec<usize> =
                    run[2..].iter().rev().map(|&choice| choice as usize).collect();
                runs.push((run[0] as usize, start.to_vec(), choices));
            }
        }
    }
    runs.sort_by(|a, b| (a.0, a.2.len(), &a.2).cmp(&(b.0, b.2.len(), &b.2)));
    Some(Gathered { found, runs })
}
