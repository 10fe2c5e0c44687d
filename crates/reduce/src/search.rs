//! The search: steps in a round, each taken if what is asked still holds.

/// A problem that can be made smaller.
pub trait Reduce: Clone {
    /// One way to make a problem smaller.
    type Step;

    /// The steps from here, the large ones first. Following them ends.
    fn steps(&self) -> Vec<Self::Step>;

    /// The problem after a step; none if that is not well formed, or not smaller.
    fn after(&self, step: &Self::Step) -> Option<Self>;
}

/// The smallest problem found of which `holds` is true, as it is of `problem`; where it says nothing the search ends.
///
/// After a step the search goes on at its place in the list: what was refused before is tried again at the end only, so
/// that a round takes about as many questions as there are steps.
pub fn reduce<P: Reduce>(problem: P, mut holds: impl FnMut(&P) -> Option<bool>) -> P {
    let mut best = problem;
    let mut at = 0;
    'rounds: loop {
        let steps = best.steps();
        for tried in 0..steps.len() {
            let place = (at + tried) % steps.len();
            let Some(candidate) = best.after(&steps[place]) else { continue };
            match holds(&candidate) {
                None => return best,
                Some(false) => {}
                Some(true) => {
                    best = candidate;
                    at = place;
                    continue 'rounds;
                }
            }
        }
        return best;
    }
}
