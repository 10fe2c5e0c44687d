//! The controller of a network: what it does with packets, and what its messages do to tables.
//!
//! Messages of one step between barriers arrive in any order: where a rule is added and deleted between two of them, a further
//! input says which was last. What comes before the last barrier is done together with the controller's step (Kuai's fusion).

use super::system::{Fact, Maker};
use super::tree::{Handler, Message, Port};
use alphorn_term::{Bv, SortId, TermId};

impl Maker<'_> {
    pub(super) fn has_value(&mut self, variable: usize, value: usize) -> TermId {
        let var = self.variables[variable];
        let value = self.store.bv(Bv::from_u64(self.store.width(var), value as u64));
        self.store.eq(var, value)
    }

    pub(super) fn controller(&mut self) {
        let network = self.network;
        let ports: Vec<Port> = self.ports.keys().copied().collect();
        // What a handler says to switches does not depend on the packet.
        let mut uses: Vec<Vec<TermId>> = vec![Vec::new(); network.handlers.len()];
        for port in ports {
            for packet in 0..self.packets.len() {
                let mut open = vec![self.fact(&Fact::At(port, packet))];
                for rule in self.rules(port, packet) {
                    let installed = self.fact(&Fact::Installed(port.0, rule));
                    open.push(self.store.not(installed));
                }
                for (at, handler) in network.handlers.iter().enumerate() {
                    if !self.fits_at(&handler.pattern, port, packet) {
                        continue;
                    }
                    let happens = self.action();
                    let when: Vec<TermId> = (handler.when.iter())
                        .map(|(variable, value)| self.has_value(*variable, *value))
                        .collect();
                    let is_meant = self.store.and(&when);
                    let mut parts = open.clone();
                    parts.extend([happens, is_meant]);
                    let condition = self.store.and(&parts);
                    self.treat(port.0, packet, &handler.treatment, condition);
                    uses[at].push(condition);
                    // A later handler is asked only if this one is not meant.
                    open.push(self.store.not(is_meant));
                }
            }
        }
        for (handler, uses) in network.handlers.iter().zip(uses) {
            let condition = self.store.or(&uses);
            for (variable, value) in &handler.sets {
                let var = self.variables[*variable];
                let value = self.store.bv(Bv::from_u64(self.store.width(var), *value as u64));
                self.assign(var, condition, value);
            }
            for switch in 0..network.switches.len() {
                self.send(handler, switch, condition);
            }
        }
    }

    /// The messages of a handler arrive in the queue of a switch, under a condition; what comes before the last
    /// barrier is done.
    fn send(&mut self, handler: &Handler, switch: usize, condition: TermId) {
        let all = handler.messages.iter().filter(|(to, _)| *to == switch);
        let all: Vec<Message> = all.map(|(_, message)| *message).collect();
        let mut batches: Vec<&[Message]> = all.split(|one| *one == Message::Barrier).collect();
        let last = batches.pop().unwrap_or(&[]);
        let has_barrier = !batches.is_empty();
        for rule in 0..self.network.rules.len() {
            let (add, delete) = (Fact::Adding(switch, rule), Fact::Deleting(switch, rule));
            let installed = Fact::Installed(switch, rule);
            if has_barrier {
                let mut now = self.fact(&installed);
                for (at, batch) in batches.iter().enumerate() {
                    let no = self.store.bool(false);
                    let (mut adds, mut deletes) = match at {
                        0 => (self.fact(&add), self.fact(&delete)),
                        _ => (no, no),
                    };
                    let yes = self.store.bool(true);
                    adds = if batch.contains(&Message::Add(rule)) { yes } else { adds };
                    deletes = if batch.contains(&Message::Delete(rule)) { yes } else { deletes };
                    now = self.arrived(now, (adds, deletes), (switch, rule));
                }
                if let Some(var) = self.facts.get(&installed).copied() {
                    self.assign(var, condition, now);
                }
            }
            for (fact, message) in [(add, Message::Add(rule)), (delete, Message::Delete(rule))] {
                let Some(var) = self.facts.get(&fact).copied() else { continue };
                if has_barrier {
                    let none = self.store.bool(false);
                    self.assign(var, condition, none);
                }
                if last.contains(&message) {
                    let is_sent = self.store.bool(true);
                    self.assign(var, condition, is_sent);
                }
            }
        }
    }

    /// Whether a rule is in a table after messages have arrived.
    fn arrived(
        &mut self,
        now: TermId,
        (adds, deletes): (TermId, TermId),
        (switch, rule): (usize, usize),
    ) -> TermId {
        let both = self.store.and(&[adds, deletes]);
        let either = match both == self.store.bool(false) {
            true => both,
            false => {
                let name = format!("{}:last", self.name(&Fact::Installed(switch, rule)));
                let input = self.store.var(&name, SortId::BOOL);
                if !self.inputs.contains(&input) {
                    self.inputs.push(input);
                }
                input
            }
        };
        let no = self.store.bool(false);
        let unless = self.store.ite(deletes, no, now);
        let yes = self.store.bool(true);
        let one = self.store.ite(adds, yes, unless);
        self.store.ite(both, either, one)
    }

    pub(super) fn messages(&mut self) {
        for switch in 0..self.network.switches.len() {
            for rule in 0..self.network.rules.len() {
                let Some(installed) = self.facts.get(&Fact::Installed(switch, rule)).copied()
                else {
                    continue;
                };
                for (fact, value) in
                    [(Fact::Adding(switch, rule), true), (Fact::Deleting(switch, rule), false)]
                {
                    let Some(sent) = self.facts.get(&fact).copied() else { continue };
                    let happens = self.action();
                    let condition = self.store.and(&[happens, sent]);
                    let value = self.store.bool(value);
                    self.assign(installed, condition, value);
                }
            }
        }
    }
}
