//! Any number of copies of a template as Horn clauses.
//!
//! A predicate `seen` of what is shared and of k copies, ascending by their names, stands for: whichever k copies are looked at, they
//! and what is shared are so. What happens is a step of a scene: of k copies and of those others that move. Before it, all sets of k
//! on the scene are as they are seen; after it, so is the set that is looked at. Whoever is not on the scene could only forbid
//! a step (by an invariant that time would break, a committed location, an urgent channel), so a scene allows what the network
//! does, and more. By induction `seen` holds of all that can be reached, for every number of copies from k on;
//! those below are networks of their own, each with an exact predicate. So a model is a proof for any number of copies, and a
//! derivation is no violation (`Horn::allows_more`): violations are runs of a network whose copies are counted.
//!
//! After Hojjat's thesis, ch. 6 (k = 1, with a name for a copy), and Gurfinkel, Shoham, Meshman \[GSM16\].

use super::encode::{Encoding, Step, add, delay, joint, start};
use super::family::{Copies, Family, Scene};
use crate::views::{push, subsets};
use alphorn_problem::horn::{Head, PredId};
use alphorn_problem::{Horn, Span};
use alphorn_term::{Op, SortId, TermId};
use std::collections::BTreeMap;

/// The clauses of any number of copies, seen by so many at once.
pub(super) fn any(mut family: Family, seen: usize) -> Horn {
    let mut horn = Horn::new(std::mem::take(&mut family.network.terms));
    for count in 1..seen {
        let mut network = family.scene(std::mem::take(&mut horn.terms), Copies::All(count)).network;
        horn.terms = std::mem::take(&mut network.terms);
        network.name = format!("all{count}");
        add(&mut horn, network, Encoding::Product);
    }
    let mut scene = family.scene(std::mem::take(&mut horn.terms), Copies::Some(seen));
    let args = view(&scene, &(0..seen).collect::<Vec<usize>>());
    let sorts: Vec<SortId> = args.iter().map(|&var| scene.network.terms.sort(var)).collect();
    let mut first = start(&mut scene.network);
    first.extend(ascending(&mut scene));
    let later = delay(&mut scene.network);
    horn.terms = std::mem::take(&mut scene.network.terms);
    let pred = horn.declare_pred("seen", &sorts);
    push(&mut horn, &first, Head::Atom(pred, args), Some("start"), Span::NONE);
    let mut maker = Maker { horn, pred, seen };
    maker.steps(&mut scene, &family, later);
    let is_copy = |edge: &&(usize, usize)| edge.0 == family.template.process;
    let moves = family.network.moves.iter();
    let most = moves.map(|moved| moved.edges.iter().filter(is_copy).count()).max().unwrap_or(0);
    for others in 0..=most {
        let mut scene = maker.scene(&family, seen + others);
        let mut steps = Vec::new();
        for at in 0..scene.network.moves.len() {
            steps.extend(joint(&mut scene.network, at));
        }
        maker.horn.terms = std::mem::take(&mut scene.network.terms);
        maker.steps(&mut scene, &family, steps);
    }
    // Fewer copies than a query has names for may have all of the roles.
    let roles = family.bad.iter().map(|bad| bad.witnesses.len()).max().unwrap_or(0);
    for count in seen..=seen.max(roles) {
        let mut scene = maker.scene(&family, count);
        let order = ascending(&mut scene);
        maker.horn.terms = std::mem::take(&mut scene.network.terms);
        let body = [maker.atoms(&scene), order].concat();
        for &(bad, span) in &scene.network.bad {
            push(&mut maker.horn, &[body.as_slice(), &[bad]].concat(), Head::False, None, span);
        }
    }
    maker.horn.allows_more = true;
    maker.horn
}

struct Maker {
    horn: Horn,
    pred: PredId,
    seen: usize,
}

impl Maker {
    /// A scene, which has the terms until they are taken back.
    fn scene(&mut self, family: &Family, count: usize) -> Scene {
        family.scene(std::mem::take(&mut self.horn.terms), Copies::Some(count))
    }

    /// That all sets of copies that can be seen at once are as they are seen.
    fn atoms(&mut self, scene: &Scene) -> Vec<TermId> {
        let func = self.horn.pred(self.pred).func;
        let sets = subsets(scene.own.len(), self.seen).into_iter();
        sets.map(|set| self.horn.terms.mk(Op::Apply(func), &view(scene, &set))).collect()
    }

    /// What steps do to those that are seen, if all others on the scene take part.
    fn steps(&mut self, scene: &mut Scene, family: &Family, steps: impl IntoIterator<Item = Step>) {
        let count = scene.own.len();
        let atoms = self.atoms(scene);
        scene.network.terms = std::mem::take(&mut self.horn.terms);
        let order = ascending(scene);
        self.horn.terms = std::mem::take(&mut scene.network.terms);
        let state = scene.network.state();
        for step in steps {
            let movers: Vec<usize> =
                step.movers.iter().filter_map(|&mover| family.copy_of(mover, count)).collect();
            let after: BTreeMap<TermId, TermId> =
                state.iter().copied().zip(step.after.iter().copied()).collect();
            for kept in subsets(count, self.seen) {
                if (0..count).any(|copy| !kept.contains(&copy) && !movers.contains(&copy)) {
                    continue;
                }
                let body = [atoms.as_slice(), &order, &step.body].concat();
                let args = view(scene, &kept).iter().map(|var| after[var]).collect();
                let head = Head::Atom(self.pred, args);
                push(&mut self.horn, &body, head, Some(&step.name), step.span);
            }
        }
    }
}

/// What is shared, and some copies.
fn view(scene: &Scene, copies: &[usize]) -> Vec<TermId> {
    let own = copies.iter().flat_map(|&copy| scene.own[copy].iter());
    scene.shared.iter().chain(own).copied().collect()
}

/// That the names of copies ascend.
fn ascending(scene: &mut Scene) -> Vec<TermId> {
    let Scene { network, ids, .. } = scene;
    ids.windows(2).map(|pair| network.terms.lt(pair[0], pair[1])).collect()
}
