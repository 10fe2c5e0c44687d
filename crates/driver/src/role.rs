//! What processes that work on one problem together do differently.
//!
//! The first has the plan as it is. Each of the others has all engines, too, so that one that is lost takes none along, but gives
//! nearly all of its time to some of them: the next three a third of the plan each, the six after those a sixth each, and so on, so that
//! an engine has about the time of a whole machine somewhere as soon as there are machines enough. Each draws other numbers. Of
//! those beyond the first four every fourth works on the problem as read: what transforms take away may be what an engine wants.
//!
//! That the difference between runs is the gain of running many is from Chaki and Karimi, "Model Checking with
//! Multi-Threaded IC3 Portfolios" (VMCAI 2016).

use crate::config::Config;
use alphorn_engine::Entry;
use alphorn_problem::Problem;

/// How many processes there are for each that has no transforms.
const PERIOD: usize = 4;
/// Into how many parts the first processes after the first divide the engines.
const PARTS: usize = 3;
/// How many times its share an engine has where it is one of those that a process is for.
const FOCUS: u32 = 12;

impl Config {
    /// Takes a role among those that work on the problem; the first changes nothing.
    pub fn take_role(&mut self, role: usize) {
        self.role = role;
        self.seed = self.seed.wrapping_add(role as u64);
        let is_as_read = role >= PERIOD && role % PERIOD == PERIOD - 1;
        if is_as_read && self.with.is_empty() && self.without.is_empty() {
            self.without = vec!["all".to_owned()];
        }
    }
}

/// The engines as a process of a role has them: those that it is for come first, at once, and with most of the time.
pub(crate) fn turned<P: Problem>(entries: &[Entry<P>], role: usize) -> Vec<Entry<P>> {
    let Some((part, parts)) = part(role, entries.len()) else { return entries.to_vec() };
    let (mut own, others): (Vec<_>, Vec<_>) =
        entries.iter().copied().enumerate().partition(|(at, _)| at % parts == part);
    for (_, entry) in &mut own {
        *entry = entry.late(0);
        entry.weight = entry.weight.saturating_mul(FOCUS);
        entry.later = entry.later.map(|(after, weight)| (after, weight.saturating_mul(FOCUS)));
    }
    own.into_iter().chain(others).map(|(_, entry)| entry).collect()
}

/// Which part of how many a role is for; none if it has the plan as it is.
fn part(role: usize, engines: usize) -> Option<(usize, usize)> {
    let (mut role, mut parts) = (role.checked_sub(1)?, PARTS);
    while parts < engines && role >= parts {
        (role, parts) = (role - parts, parts * 2);
    }
    let parts = parts.min(engines);
    (parts > 0).then(|| (role % parts, parts))
}

#[cfg(test)]
mod tests {
    use super::{FOCUS, PARTS, turned};
    use crate::Config;
    use alphorn_cross::plan::plan_circuit;
    use alphorn_engine::Entry;
    use alphorn_problem::Circuit;

    #[test]
    fn every_process_has_all_engines_and_each_engine_has_most_of_one() {
        let entries = plan_circuit(&Circuit::default());
        let weights = |role: usize| -> Vec<(&str, u32)> {
            let mut own: Vec<_> = turned(&entries, role)
                .iter()
                .map(|entry| (entry.card.name, entry.weight))
                .collect();
            own.sort_unstable();
            own
        };
        for group in [1..=PARTS, PARTS + 1..=3 * PARTS] {
            let mut focused = vec![0; entries.len()];
            for role in group {
                for (at, (own, plain)) in weights(role).iter().zip(weights(0)).enumerate() {
                    assert_eq!(own.0, plain.0);
                    focused[at] += usize::from(own.1 == plain.1 * FOCUS);
                }
            }
            assert!(focused.iter().all(|&times| times == 1), "{focused:?}");
        }
    }

    #[test]
    fn what_a_process_is_for_begins_at_once() {
        let entries = plan_circuit(&Circuit::default());
        for role in 1..=PARTS {
            let first = turned(&entries, role)[0];
            assert_eq!((first.late, first.weight % FOCUS), (0, 0));
        }
    }

    #[test]
    fn the_first_process_has_the_plan_and_a_plan_may_be_short() {
        let entries = plan_circuit(&Circuit::default());
        let names = |entries: &[Entry<Circuit>]| -> Vec<&str> {
            entries.iter().map(|entry| entry.card.name).collect()
        };
        assert_eq!(names(&turned(&entries, 0)), names(&entries));
        assert_eq!(turned(&entries[..1], 7).len(), 1);
        assert!(turned::<Circuit>(&[], 2).is_empty());
    }

    #[test]
    fn roles_have_seeds_and_one_of_four_beyond_the_first_four_no_transforms() {
        let of = |role: usize| {
            let mut config = Config::default();
            config.take_role(role);
            (config.seed, config.without)
        };
        assert_eq!(of(0), (0, Vec::new()));
        assert_eq!(of(3), (3, Vec::new()));
        assert_eq!(of(7), (7, vec!["all".to_owned()]));
    }
}
