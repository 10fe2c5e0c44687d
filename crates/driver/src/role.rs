//! What processes that work on one problem together do differently.
//!
//! Each has all engines, so that one that is lost takes none along; but each begins with others, in the order of the plan, and draws
//! other numbers. Every fourth works on the problem as read: what transforms take away may be what an engine wants.
//!
//! That the difference between runs is the gain of running many is from Chaki and Karimi, "Model Checking with
//! Multi-Threaded IC3 Portfolios" (VMCAI 2016).

use crate::config::Config;
use alphorn_engine::Entry;
use alphorn_problem::Problem;

/// How many processes there are for each that has no transforms.
const PERIOD: usize = 4;

impl Config {
    /// Takes a role among those that work on the problem; the first changes nothing.
    pub fn take_role(&mut self, role: usize) {
        self.role = role;
        self.seed = self.seed.wrapping_add(role as u64);
        if role % PERIOD == PERIOD - 1 && self.with.is_empty() && self.without.is_empty() {
            self.without = vec!["all".to_owned()];
        }
    }
}

/// The engines in the order in which a process of a role begins them, `threads` at a time.
pub(crate) fn turned<P: Problem>(
    entries: &[Entry<P>],
    role: usize,
    threads: usize,
) -> Vec<Entry<P>> {
    let mut turned = entries.to_vec();
    if role == 0 || turned.is_empty() {
        return turned;
    }
    let by = role.wrapping_mul(threads.max(1)) % turned.len();
    turned.rotate_left(by);
    // Who begins does not wait.
    turned.iter_mut().take(threads.max(1)).for_each(|entry| entry.late = 0);
    turned
}

#[cfg(test)]
mod tests {
    use super::turned;
    use crate::Config;
    use alphorn_cross::plan::plan_circuit;
    use alphorn_problem::Circuit;

    #[test]
    fn every_process_has_all_engines_and_begins_with_others() {
        let entries = plan_circuit(&Circuit::default());
        let names = |role: usize| -> Vec<&str> {
            turned(&entries, role, 1).iter().map(|entry| entry.card.name).collect()
        };
        let mut first = Vec::new();
        for role in 0..entries.len() {
            first.push(names(role)[0]);
            let (mut own, mut all) = (names(role), names(0));
            own.sort_unstable();
            all.sort_unstable();
            assert_eq!(own, all);
        }
        assert_eq!(first, names(0));
    }

    #[test]
    fn roles_have_seeds_and_one_of_four_no_transforms() {
        let of = |role: usize| {
            let mut config = Config::default();
            config.take_role(role);
            (config.seed, config.without)
        };
        assert_eq!(of(0), (0, Vec::new()));
        assert_eq!(of(2), (2, Vec::new()));
        assert_eq!(of(3), (3, vec!["all".to_owned()]));
    }
}
