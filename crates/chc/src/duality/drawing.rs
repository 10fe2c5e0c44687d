//! The unwinding as data for reports: what was derived from what, what is known of it, what covers it.
//!
//! Said once, when the search is over. Only the first instances are told, as nobody looks at more of
//! them; instances come after those they are derived from and after those that cover them, so that
//! every part from the start is whole.

use super::unwinding::Unwinding;
use alphorn_engine::{Ctx, Event, UnwoundInstance};
use alphorn_horn::readable::Names;
use alphorn_problem::evidence::horn::Definition;

/// The most instances that are told.
const MAX_INSTANCES: usize = 150;
/// Annotations with more nodes are left out.
const LARGEST: usize = 150;

impl Unwinding<'_> {
    /// Tells of the unwinding.
    pub(super) fn draw(&mut self, ctx: &mut Ctx<'_>) {
        let count = self.instances.len() as u64;
        if count == 0 {
            return;
        }
        let names = Names::of(self.bounded.horn);
        let count_told = self.instances.len().min(MAX_INSTANCES);
        let instances = (0..count_told).map(|id| self.drawn(id, &names)).collect();
        ctx.emit(Event::Unwinding { instances, count });
    }

    fn drawn(&mut self, id: usize, names: &Names<'_>) -> UnwoundInstance {
        let horn = self.bounded.horn;
        let node = &self.bounded.nodes[id];
        let store = &mut self.bounded.store;
        let body = store.and(&node.lemmas);
        let mut premises: Vec<usize> =
            node.ways.iter().flat_map(|way| way.children.iter().flatten().copied()).collect();
        premises.sort_unstable();
        premises.dedup();
        let pred = horn.pred_ids().nth(node.pred);
        let annotation = match pred {
            Some(pred) if store.dag_size(&[body]) <= LARGEST => {
                let params = self.bounded.system.params[node.pred].clone();
                let tidy = names.tidied(store, pred, &Definition { params, body });
                store.show_readable(tidy.body)
            }
            _ => "…".to_owned(),
        };
        UnwoundInstance {
            predicate: pred.map_or_else(String::new, |pred| horn.pred_name(pred).to_owned()),
            annotation,
            premises,
            covered_by: self.instances[id].covered_by,
        }
    }
}
