//! From a network to a transition system over words.
//!
//! A state says of each packet (a value for each field) whether it is at a port of a switch, has arrived at a client, or was
//! dropped by a switch; of each rule whether it is in the table of a switch, and whether a message that adds or deletes
//! it is on its way; and which values the controller's variables have. An input says what happens (`actions`): a client sends,
//! or replies; a switch treats all its packets by its table, each by all rules of the highest priority that fit; the
//! controller treats one packet that no rule of its switch fits; a message arrives (`controller`). Where it cannot, nothing changes.

use super::tree::{Condition, Message, Network, Pattern, Place, Port, Treatment};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_problem::words::{Named, State, Words};
use alphorn_term::{Bv, SortId, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The most packets, and the most states and actions.
const MAX_PACKETS: usize = 1 << 12;
const MAX_SIZE: usize = 1 << 14;

/// A packet: the position of a value for each field.
pub(super) type Packet = Vec<usize>;

/// What a state is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// A packet is at a port.
    At(Port, usize),
    Arrived(usize, usize),
    Dropped(usize, usize),
    /// A rule is in the table of a switch.
    Installed(usize, usize),
    Adding(usize, usize),
    Deleting(usize, usize),
}

pub(super) struct Maker<'n> {
    pub network: &'n Network,
    pub packets: Vec<Packet>,
    pub store: Store,
    pub facts: BTreeMap<Fact, TermId>,
    pub variables: Vec<TermId>,
    /// The ports that packets may arrive at, and what is behind each.
    pub ports: BTreeMap<Port, Behind>,
    step: TermId,
    width: u32,
    /// How facts and variables go on.
    nexts: BTreeMap<TermId, TermId>,
    pub inputs: Vec<TermId>,
    actions: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Behind {
    Client(usize),
    Port(Port),
}

fn too_large(what: &str) -> Box<Diagnostic> {
    let message = format!("the network has too many {what}");
    Box::new(Diagnostic::unsupported(Code::FileTooLarge, Span::NONE, message))
}

/// The transition system of a network.
pub(super) fn system(network: &Network) -> Result<Words, Box<Diagnostic>> {
    let mut packets: Vec<Packet> = vec![Vec::new()];
    for field in &network.fields {
        if packets.len() * field.values.len() > MAX_PACKETS {
            return Err(too_large("packets"));
        }
        let values = 0..field.values.len();
        packets = packets
            .iter()
            .flat_map(|packet| values.clone().map(|value| [&packet[..], &[value]].concat()))
            .collect();
    }
    let mut ports: BTreeMap<Port, Behind> = BTreeMap::new();
    for (at, client) in network.clients.iter().enumerate() {
        ports.insert(client.port, Behind::Client(at));
    }
    for (one, other) in &network.links {
        ports.insert(*one, Behind::Port(*other));
        ports.insert(*other, Behind::Port(*one));
    }
    let size = (ports.len() + network.clients.len() + network.switches.len())
        .saturating_mul(packets.len())
        .saturating_add(3 * network.switches.len() * network.rules.len());
    let actions = (ports.len().saturating_mul(packets.len()))
        .saturating_mul(network.handlers.len())
        .saturating_add(size);
    if size > MAX_SIZE || actions > MAX_SIZE * 4 {
        return Err(too_large("packets at its ports"));
    }
    let mut store = Store::new();
    let width = usize::BITS - actions.leading_zeros();
    let sort = store.bv_sort(width);
    let step = store.var("step", sort);
    let mut maker = Maker {
        network,
        packets,
        store,
        facts: BTreeMap::new(),
        variables: Vec::new(),
        ports,
        step,
        width,
        nexts: BTreeMap::new(),
        inputs: vec![step],
        actions: 0,
    };
    maker.declare();
    maker.clients();
    maker.switches();
    maker.controller();
    maker.messages();
    Ok(maker.finish())
}

impl Maker<'_> {
    fn declare(&mut self) {
        let network = self.network;
        let mut facts: Vec<Fact> = Vec::new();
        for packet in 0..self.packets.len() {
            facts.extend(self.ports.keys().map(|port| Fact::At(*port, packet)));
            facts.extend((0..network.clients.len()).map(|client| Fact::Arrived(client, packet)));
            facts.extend((0..network.switches.len()).map(|switch| Fact::Dropped(switch, packet)));
        }
        for switch in 0..network.switches.len() {
            for rule in 0..network.rules.len() {
                facts.push(Fact::Installed(switch, rule));
                let sent = |message| {
                    let mut all = network.handlers.iter().flat_map(|handler| &handler.messages);
                    all.any(|found| *found == (switch, message))
                };
                if sent(Message::Add(rule)) {
                    facts.push(Fact::Adding(switch, rule));
                }
                if sent(Message::Delete(rule)) {
                    facts.push(Fact::Deleting(switch, rule));
                }
            }
        }
        for fact in facts {
            let name = self.name(&fact);
            let var = self.store.var(&name, SortId::BOOL);
            self.nexts.insert(var, var);
            self.facts.insert(fact, var);
        }
        for variable in &network.variables {
            let bits = usize::BITS - (variable.values.len() - 1).leading_zeros();
            let sort = self.store.bv_sort(bits.max(1));
            let var = self.store.var(&format!("controller.{}", variable.name), sort);
            self.nexts.insert(var, var);
            self.variables.push(var);
        }
    }

    /// How a fact is called in runs.
    pub(super) fn name(&self, fact: &Fact) -> String {
        let network = self.network;
        let packet = |packet: usize| {
            let values = self.packets[packet].iter().zip(&network.fields);
            let shown: Vec<String> = values
                .map(|(value, field)| format!("{}={}", field.name, field.values[*value]))
                .collect();
            if shown.is_empty() { "packet".to_owned() } else { shown.join(",") }
        };
        let rule = |switch: usize, rule: usize| {
            format!("{}.{}", network.switches[switch], network.rules[rule].name)
        };
        match fact {
            Fact::At(port, at) => {
                format!("{}.{}:{}", network.switches[port.0], port.1, packet(*at))
            }
            Fact::Arrived(client, at) => {
                format!("{}:{}", network.clients[*client].name, packet(*at))
            }
            Fact::Dropped(switch, at) => {
                format!("{}.dropped:{}", network.switches[*switch], packet(*at))
            }
            Fact::Installed(switch, at) => rule(*switch, *at),
            Fact::Adding(switch, at) => format!("{}:add", rule(*switch, *at)),
            Fact::Deleting(switch, at) => format!("{}:del", rule(*switch, *at)),
        }
    }

    pub(super) fn fact(&mut self, fact: &Fact) -> TermId {
        self.facts.get(fact).copied().unwrap_or_else(|| self.store.bool(false))
    }

    /// Whether the next action happens, if it can.
    pub(super) fn action(&mut self) -> TermId {
        let number = self.store.bv(Bv::from_u64(self.width, self.actions as u64));
        self.actions += 1;
        self.store.eq(self.step, number)
    }

    /// A fact becomes true under a condition.
    fn add(&mut self, fact: &Fact, condition: TermId) {
        if let Some(var) = self.facts.get(fact).copied() {
            self.nexts.entry(var).and_modify(|next| *next = self.store.or(&[*next, condition]));
        }
    }

    /// Something has another value under a condition.
    pub(super) fn assign(&mut self, var: TermId, condition: TermId, value: TermId) {
        let next = self.nexts.get(&var).copied().unwrap_or(var);
        let next = self.store.ite(condition, value, next);
        self.nexts.insert(var, next);
    }

    fn fits(&self, pattern: &Pattern, packet: usize) -> bool {
        pattern.fields.iter().all(|(field, value)| self.packets[packet][*field] == *value)
    }

    pub(super) fn fits_at(&self, pattern: &Pattern, port: Port, packet: usize) -> bool {
        pattern.port.is_none_or(|wanted| wanted == port.1)
            && pattern.switch.is_none_or(|wanted| wanted == port.0)
            && self.fits(pattern, packet)
    }

    fn changed(&self, packet: usize, sets: &[(usize, usize)]) -> usize {
        let mut values = self.packets[packet].clone();
        sets.iter().for_each(|(field, value)| values[*field] = *value);
        // Packets are in the order of their values, the last field changing first.
        values
            .iter()
            .zip(&self.network.fields)
            .fold(0, |at, (value, field)| at * field.values.len() + value)
    }

    /// A packet at a switch is treated so under a condition.
    pub(super) fn treat(
        &mut self,
        switch: usize,
        packet: usize,
        treatment: &Treatment,
        condition: TermId,
    ) {
        let packet = self.changed(packet, &treatment.sets);
        if treatment.ports.is_empty() {
            self.add(&Fact::Dropped(switch, packet), condition);
        }
        for port in &treatment.ports {
            match self.ports.get(&(switch, *port)).copied() {
                Some(Behind::Client(client)) => self.add(&Fact::Arrived(client, packet), condition),
                Some(Behind::Port(port)) => self.add(&Fact::At(port, packet), condition),
                // Nobody is there.
                None => {}
            }
        }
    }

    fn clients(&mut self) {
        for (at, client) in self.network.clients.iter().enumerate() {
            for pattern in &client.sends {
                let happens = self.action();
                for packet in 0..self.packets.len() {
                    if self.fits(pattern, packet) {
                        self.add(&Fact::At(client.port, packet), happens);
                    }
                }
            }
            for (pattern, sets) in &client.replies {
                let happens = self.action();
                for packet in 0..self.packets.len() {
                    if self.fits(pattern, packet) {
                        let has = self.fact(&Fact::Arrived(at, packet));
                        let condition = self.store.and(&[happens, has]);
                        let reply = self.changed(packet, sets);
                        self.add(&Fact::At(client.port, reply), condition);
                    }
                }
            }
        }
    }

    /// The rules that may be about a packet at a port, the most important first.
    pub(super) fn rules(&self, port: Port, packet: usize) -> Vec<usize> {
        let rules = self.network.rules.iter().enumerate();
        let mut fitting: Vec<usize> = rules
            .filter(|(_, rule)| self.fits_at(&rule.pattern, port, packet))
            .map(|(at, _)| at)
            .collect();
        fitting.sort_by_key(|rule| std::cmp::Reverse(self.network.rules[*rule].priority));
        fitting
    }

    fn switches(&mut self) {
        let network = self.network;
        for switch in 0..network.switches.len() {
            let happens = self.action();
            let ports: Vec<Port> =
                self.ports.keys().copied().filter(|port| port.0 == switch).collect();
            for port in ports {
                for packet in 0..self.packets.len() {
                    let is_here = self.fact(&Fact::At(port, packet));
                    let fitting = self.rules(port, packet);
                    for &rule in &fitting {
                        let priority = network.rules[rule].priority;
                        let mut parts = vec![happens, is_here];
                        parts.push(self.fact(&Fact::Installed(switch, rule)));
                        for &other in &fitting {
                            if network.rules[other].priority > priority {
                                let higher = self.fact(&Fact::Installed(switch, other));
                                parts.push(self.store.not(higher));
                            }
                        }
                        let condition = self.store.and(&parts);
                        self.treat(switch, packet, &network.rules[rule].treatment, condition);
                    }
                }
            }
        }
    }

    /// When a packet is at some places.
    fn is_at(&mut self, places: &[Place], pattern: &Pattern) -> TermId {
        let mut any = BTreeSet::new();
        for packet in 0..self.packets.len() {
            if !self.fits(pattern, packet) {
                continue;
            }
            for place in places {
                let facts: Vec<Fact> = match *place {
                    Place::Client(client) => vec![Fact::Arrived(client, packet)],
                    Place::Dropped(switch) => vec![Fact::Dropped(switch, packet)],
                    Place::Switch(switch) => {
                        let ports = self.ports.keys().filter(|port| port.0 == switch);
                        let meant = ports.filter(|port| pattern.port.is_none_or(|p| p == port.1));
                        meant.map(|port| Fact::At(*port, packet)).collect()
                    }
                };
                for fact in facts {
                    any.insert(self.fact(&fact));
                }
            }
        }
        self.store.or(&any.into_iter().collect::<Vec<_>>())
    }

    fn finish(mut self) -> Words {
        let mut bads = Vec::new();
        for bad in &self.network.bads {
            let mut parts = Vec::new();
            for condition in &bad.conditions {
                parts.push(match condition {
                    Condition::At(places, pattern) => self.is_at(places, pattern),
                    Condition::Controller(variable, value) => self.has_value(*variable, *value),
                });
            }
            let term = self.store.and(&parts);
            bads.push(Named { term, name: bad.name.clone(), span: bad.span });
        }
        let mut states = Vec::new();
        for (fact, &var) in &self.facts {
            let is_first = match fact {
                Fact::Installed(switch, rule) => self.network.installed.contains(&(*switch, *rule)),
                _ => false,
            };
            let init = Some(self.store.bool(is_first));
            let next = self.nexts.get(&var).copied();
            states.push(State { var, init, next, span: Span::NONE });
        }
        for &var in &self.variables {
            let init = Some(self.store.bv(Bv::from_u64(self.store.width(var), 0)));
            let next = self.nexts.get(&var).copied();
            states.push(State { var, init, next, span: Span::NONE });
        }
        let (terms, inputs) = (self.store, self.inputs);
        Words { terms, inputs, states, bads, ..Words::default() }
    }
}
