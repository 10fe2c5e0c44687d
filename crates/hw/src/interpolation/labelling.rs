//! Which side of a cut the latches there count for: interpolants of different strength and size.
//!
//! All for the side after the cut gives the strongest interpolants (McMillan), all for both the middle
//! (Pudlák), all for the side before it the weakest (McMillan's dual). *By the proof*, each latch of each
//! state is labelled on its own: a literal becomes part of an interpolant where a clause of the one side has
//! it and the label says the other side, so that a latch that more of the clauses before the cut mention
//! counts for that side, and for the other otherwise.
//!
//! Labels of variables are those of Jančík, Kofroň, Rollini, Sharygina, "On Interpolants and Variable
//! Assignments" (FMCAD 2014); counting is from Alt, Fedyukovich, Hyvärinen, Sharygina, "A Proof-Sensitive
//! Approach for Small Propositional Interpolants" (VSTTE 2015).

use crate::settings::INTERPOLATION_LABELS;
use alphorn_sat::interpolate::{Label, Policy};
use alphorn_sat::{ClauseId, Origin, Trace, Var};

/// How the variables of a proof are labelled.
pub(super) enum Labelling {
    /// All for the later side.
    Later,
    /// All for both.
    Both,
    /// All for the earlier side.
    Earlier,
    /// By what the proof's clauses mention: whether the earlier side mentions it more often.
    ByProof(Vec<bool>),
}

impl Labelling {
    /// The labelling that the settings ask for, for a proof whose partitions `place` puts in order.
    pub(super) fn of(trace: &Trace, goal: ClauseId, place: impl Fn(u32) -> u32) -> Labelling {
        match INTERPOLATION_LABELS.get() {
            0 => Labelling::Later,
            1 => Labelling::Both,
            2 => Labelling::Earlier,
            _ => Labelling::ByProof(counted(trace, goal, place)),
        }
    }

    /// The label of one variable.
    pub(super) fn label(&self, var: Var) -> Label {
        match self {
            Labelling::Later => Label::B,
            Labelling::Both => Label::Both,
            Labelling::Earlier => Label::A,
            Labelling::ByProof(earlier) => match earlier.get(var.index()) {
                Some(true) => Label::A,
                _ => Label::B,
            },
        }
    }

    /// The policy, where `label` gives the label of each variable.
    pub(super) fn policy<'l>(&self, label: &'l dyn Fn(Var) -> Label) -> Policy<'l> {
        match self {
            Labelling::Later => Policy::McMillan,
            Labelling::Both => Policy::Pudlak,
            Labelling::Earlier => Policy::DualMcMillan,
            Labelling::ByProof(_) => Policy::PerVariable(label),
        }
    }
}

/// For each variable whether the first of the partitions that mention it does so more often than the others.
fn counted(trace: &Trace, goal: ClauseId, place: impl Fn(u32) -> u32) -> Vec<bool> {
    let mut first: Vec<(u32, i64)> = Vec::new();
    for id in trace.core(goal) {
        let Origin::Input(label) = trace.origin(id) else { continue };
        let place = place(label);
        for lit in trace.literals(id) {
            let index = lit.var().index();
            if first.len() <= index {
                first.resize(index + 1, (u32::MAX, 0));
            }
            let (earliest, surplus) = &mut first[index];
            match place.cmp(earliest) {
                std::cmp::Ordering::Less if *earliest == u32::MAX => {
                    (*earliest, *surplus) = (place, 1)
                }
                // What was counted so far is later.
                std::cmp::Ordering::Less => (*earliest, *surplus) = (place, 1 - surplus.abs()),
                std::cmp::Ordering::Equal => *surplus += 1,
                std::cmp::Ordering::Greater => *surplus -= 1,
            }
        }
    }
    first.into_iter().map(|(_, surplus)| surplus > 0).collect()
}
