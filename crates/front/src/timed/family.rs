//! A network with a template of which there may be any number of copies.
//!
//! The template is a process of the network whose variables stand for those of a copy: its location, its clocks and integers,
//! and its name, an integer from a first one up to `size` and a number. A *scene* is the network of some copies: all that there are,
//! with numbers for names, and then it is a network like any other; or some of unknown many, with
//! unknown names, ascending, of which the moves and invariants of those that are not on the scene are missing.
//! Everything else in the network is shared. Shared terms do not speak of a copy's variables.

use super::network::{Edge, Location, Move, Network, Number, Process};
use alphorn_problem::Span;
use alphorn_term::{Int, Store, Substitution, TermId};
use std::collections::BTreeMap;
use std::ops::Range;

/// What a process is that stands for its copies.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// Its position among the processes of the network.
    pub process: usize,
    /// Its positions among the clocks and integers.
    pub clocks: Range<usize>,
    pub numbers: Range<usize>,
    /// The name of a copy.
    pub id: TermId,
    /// The first name.
    pub least: Int,
    /// The constant of the file that changes with the number of copies, and what is added to it to have the last name.
    pub size: TermId,
    pub more: Int,
}

/// A copy that a query speaks of: its location and its name.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    pub at: TermId,
    pub id: TermId,
}

/// What must not be reached: that some copies, which may be the same, make a formula true.
#[derive(Clone, Debug)]
pub(super) struct Bad {
    pub formula: TermId,
    pub witnesses: Vec<Witness>,
    pub span: Span,
}

/// A network with a template; its own list of what is bad is not used.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub network: Network,
    pub template: Template,
    pub bad: Vec<Bad>,
}

/// Some copies together with what is shared.
pub(super) struct Scene {
    pub network: Network,
    /// The variables of the state that are shared.
    pub shared: Vec<TermId>,
    /// Those of each copy, in the same order.
    pub own: Vec<Vec<TermId>>,
    /// The names of the copies.
    pub ids: Vec<TermId>,
}

/// Which copies are on a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    /// So many, and there are no others.
    All(usize),
    /// So many of any number.
    Some(usize),
}

impl Template {
    /// The last name of a copy, as a term over the constant.
    pub(super) fn last(&self, terms: &mut Store) -> TermId {
        match self.more.is_zero() {
            true => self.size,
            false => {
                let more = terms.int(self.more.clone());
                terms.add(&[self.size, more])
            }
        }
    }
}

impl Family {
    /// The network of some copies, over these terms.
    pub(super) fn scene(&self, terms: Store, copies: Copies) -> Scene {
        let (Copies::All(count) | Copies::Some(count)) = copies;
        let template = &self.template;
        let mut scene = Scene {
            network: Network { terms, name: self.network.name.clone(), ..Network::new() },
            shared: Vec::new(),
            own: vec![Vec::new(); count],
            ids: Vec::new(),
        };
        scene.network.now = self.network.now;
        let mut common = Substitution::default();
        if let Copies::All(count) = copies {
            let last = &template.least + &Int::from(count as i64 - 1);
            let size = scene.network.terms.int(&last - &template.more);
            common.insert(template.size, size);
        }
        let changes = self.changes(&mut scene, copies, &common);
        self.variables(&mut scene, copies, (&common, &changes));
        self.processes(&mut scene, (&common, &changes));
        self.moves(&mut scene, count);
        for bad in &self.bad {
            let formula = among(&mut scene, bad, count);
            let formula = scene.network.terms.substitute(formula, &common);
            scene.network.bad.push((formula, bad.span));
        }
        scene
    }

    /// What the template's variables are for each copy.
    fn changes(
        &self,
        scene: &mut Scene,
        copies: Copies,
        common: &Substitution,
    ) -> Vec<Substitution> {
        let template = &self.template;
        let process = &self.network.processes[template.process];
        let terms = &mut scene.network.terms;
        let mut changes = Vec::new();
        for at in 0..scene.own.len() {
            let number = &template.least + &Int::from(at as i64);
            let (id, prefix) = match copies {
                Copies::All(_) => {
                    (terms.int(number.clone()), format!("{}@{number}@", process.name))
                }
                Copies::Some(_) => {
                    let prefix = format!("{}#{}", process.name, at + 1);
                    let sort = terms.sort(template.id);
                    (terms.var(&format!("{prefix}.id"), sort), prefix)
                }
            };
            let mut change = common.clone();
            change.insert(template.id, id);
            scene.ids.push(id);
            let clocks = self.network.clocks[template.clocks.clone()].iter().copied();
            let numbers = self.network.numbers[template.numbers.clone()].iter();
            let vars = clocks.chain(numbers.map(|number| number.var)).chain([process.at]);
            for var in vars {
                let name = terms.var_name(var).unwrap_or_default().to_owned();
                let name = name.strip_prefix(&process.name).unwrap_or(&name);
                let copy = terms.var(&format!("{prefix}{name}"), terms.sort(var));
                change.insert(var, copy);
            }
            changes.push(change);
        }
        changes
    }

    fn variables(
        &self,
        scene: &mut Scene,
        copies: Copies,
        (common, changes): (&Substitution, &[Substitution]),
    ) {
        let template = &self.template;
        let Scene { network, shared, own, ids } = scene;
        shared.push(network.now);
        for (at, &clock) in self.network.clocks.iter().enumerate() {
            if at == template.clocks.start {
                copied(&self.network.clocks[template.clocks.clone()], changes, own, |clock| {
                    network.clocks.push(clock);
                });
            }
            if !template.clocks.contains(&at) {
                network.clocks.push(clock);
                shared.push(clock);
            }
        }
        let within = |number: &Number, change: &Substitution, terms: &mut Store| Number {
            var: terms.substitute(number.var, change),
            least: terms.substitute(number.least, change),
            most: terms.substitute(number.most, change),
            first: terms.substitute(number.first, change),
        };
        if let Copies::Some(_) = copies {
            let size = template.size;
            network.numbers.push(Number { var: size, least: size, most: size, first: size });
            shared.push(size);
            let least = network.terms.int(template.least.clone());
            let most = template.last(&mut network.terms);
            for (own, &id) in own.iter_mut().zip(ids.iter()) {
                network.numbers.push(Number { var: id, least, most, first: id });
                own.push(id);
            }
        }
        for (at, number) in self.network.numbers.iter().enumerate() {
            if at == template.numbers.start {
                for (change, own) in changes.iter().zip(own.iter_mut()) {
                    for number in &self.network.numbers[template.numbers.clone()] {
                        let number = within(number, change, &mut network.terms);
                        own.push(number.var);
                        network.numbers.push(number);
                    }
                }
            }
            if !template.numbers.contains(&at) {
                let number = within(number, common, &mut network.terms);
                shared.push(number.var);
                network.numbers.push(number);
            }
        }
    }

    fn processes(&self, scene: &mut Scene, (common, changes): (&Substitution, &[Substitution])) {
        let Scene { network, shared, own, ids: _ } = scene;
        for (at, process) in self.network.processes.iter().enumerate() {
            if at == self.template.process {
                for (change, own) in changes.iter().zip(own.iter_mut()) {
                    let copy = changed(process, change, &mut network.terms);
                    own.push(copy.at);
                    network.processes.push(copy);
                }
            } else {
                let process = changed(process, common, &mut network.terms);
                shared.push(process.at);
                network.processes.push(process);
            }
        }
    }

    /// Every move, with every choice of different copies for the template.
    fn moves(&self, scene: &mut Scene, count: usize) {
        let template = self.template.process;
        for moved in &self.network.moves {
            let wanted = moved.edges.iter().filter(|(process, _)| *process == template).count();
            for who in crate::views::choices(count, wanted) {
                let mut who = who.into_iter();
                let mut of = |process: usize| match process.cmp(&template) {
                    std::cmp::Ordering::Less => process,
                    std::cmp::Ordering::Equal => template + who.next().expect("one for each"),
                    std::cmp::Ordering::Greater => process + count - 1,
                };
                let edges = moved.edges.iter().map(|&(process, edge)| (of(process), edge));
                let (edges, is_urgent) = (edges.collect(), moved.is_urgent);
                scene.network.moves.push(Move { edges, is_urgent, ..Move::default() });
            }
        }
    }

    /// Which copy of a scene a process of its network is.
    pub(super) fn copy_of(&self, process: usize, count: usize) -> Option<usize> {
        process.checked_sub(self.template.process).filter(|&copy| copy < count)
    }
}

/// Adds variables of all copies.
fn copied(
    vars: &[TermId],
    changes: &[Substitution],
    own: &mut [Vec<TermId>],
    mut add: impl FnMut(TermId),
) {
    for (change, own) in changes.iter().zip(own) {
        for var in vars {
            let copy = change[var];
            own.push(copy);
            add(copy);
        }
    }
}

/// A process with other variables.
fn changed(process: &Process, change: &Substitution, terms: &mut Store) -> Process {
    let name = terms.substitute(process.at, change);
    let name = terms.var_name(name).and_then(|name| name.strip_suffix(".at"));
    let name = name.unwrap_or(&process.name).to_owned();
    let locations = process.locations.iter().map(|location| Location {
        invariant: terms.substitute(location.invariant, change),
        ..location.clone()
    });
    let locations = locations.collect();
    let edges = process.edges.iter().map(|edge| Edge {
        guard: terms.substitute(edge.guard, change),
        ranges: terms.substitute_all(&edge.ranges, change),
        updates: edge
            .updates
            .iter()
            .map(|(&var, &value)| (terms.substitute(var, change), terms.substitute(value, change)))
            .collect::<BTreeMap<TermId, TermId>>(),
        ..edge.clone()
    });
    let edges = edges.collect();
    Process { name, at: terms.substitute(process.at, change), locations, edges }
}

/// That copies of a scene make a formula true, any of them, also one in several roles.
fn among(scene: &mut Scene, bad: &Bad, count: usize) -> TermId {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in &bad.witnesses {
        let longer = |known: &Vec<usize>| {
            (0..count).map(|copy| [known.as_slice(), &[copy]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let Scene { network, own, ids, .. } = scene;
    let mut parts = Vec::new();
    for who in all {
        let mut change = Substitution::default();
        for (witness, copy) in bad.witnesses.iter().zip(who) {
            change.insert(witness.at, *own[copy].last().expect("a copy is somewhere"));
            change.insert(witness.id, ids[copy]);
        }
        parts.push(network.terms.substitute(bad.formula, &change));
    }
    network.terms.or(&parts)
}
