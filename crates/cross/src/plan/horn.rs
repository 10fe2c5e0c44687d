//! Which engines a Horn system gets, and how they share the time.
//!
//! The shape of the system says which have something to say: folding needs
//! linear clauses, unwinding into trees pays where clauses are not, and a wide state of truth values
//! and reals is a matter for the engines that work on states. Arrays need invariants of all of their
//! elements in many programs, and none of them in those that only hand them on. Words are circuits, and
//! integers that wrap around.
//!
//! The weights were measured on problems of each shape (`bench/notes/chc.md`).

use crate::engines;
use crate::lifted::is_deep;
use crate::settings::{PLAN_COUNTERS, PLAN_WIDE};
use alphorn_chc::engines as horn;
use alphorn_chc::{is_counting, speaks_of_data};
use alphorn_engine::{Entry, Plan};
use alphorn_horn::shape::Shape;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{Sort, SortId, TermId};

/// A row of a plan.
const fn share(card: &'static alphorn_engine::Card<Horn>, weight: u32) -> Entry<Horn> {
    Entry::share(card, weight)
}

/// Systems of which transforms have left a contradiction: there is one derivation to carry back, and once is enough.
static REFUTED: Plan<Horn> = Plan {
    about: "systems that transforms have refuted",
    rows: &[share(&horn::RECURSION_FREE, 1)],
};

/// Systems of which transforms have left nothing: there is one model to carry back, and once is enough.
static PROVED: Plan<Horn> =
    Plan { about: "systems that transforms have proved", rows: &[share(&horn::VACUOUS, 1)] };

/// Systems without recursion.
static ACYCLIC: Plan<Horn> = Plan {
    about: "systems without recursion",
    rows: &[
        share(&horn::VACUOUS, 1),
        share(&horn::RECURSION_FREE, 6),
        share(&horn::IMAGE, 20),
        share(&horn::FORWARD, 1),
        share(&horn::PDR, 6),
        share(&horn::DUALITY, 2),
    ],
};

/// Recursive systems with several atoms in some body.
static TREES: Plan<Horn> = Plan {
    about: "recursive systems with several atoms in some body",
    rows: &[
        share(&horn::VACUOUS, 1),
        share(&horn::FORWARD, 1),
        share(&horn::PDR, 10),
        share(&horn::DUALITY, 5),
        share(&horn::BMC, 2),
        share(&horn::POLYHEDRA, 2).late(100),
        share(&horn::SAMPLES, 7).late(20),
        share(&horn::POLYNOMIALS, 2).late(50),
        share(&horn::HOUDINI, 2).late(50),
        share(&engines::UNWRAPPED_PDR, 10),
        share(&engines::UNWRAPPED_DUALITY, 4),
        share(&engines::UNWRAPPED_HOUDINI, 2).late(50),
        share(&engines::OPEN_PDR, 4).late(50),
        share(&engines::RANGED_PDR, 5).late(50),
    ],
};

/// Beside these, with assertions lifted out of calls.
static DEEP: Plan<Horn> = Plan {
    about: "systems whose queries are deep below calls, with assertions lifted out of them",
    rows: &[share(&engines::LIFTED_PDR, 3), share(&engines::LIFTED_BMC, 2)],
};

/// Linear systems of few variables.
static NARROW: Plan<Horn> = Plan {
    about: "linear systems of few variables",
    rows: &[
        share(&horn::VACUOUS, 1),
        share(&horn::FORWARD, 1),
        share(&horn::PDR, 10),
        share(&horn::DUALITY, 4),
        share(&horn::IC3, 3),
        share(&horn::BMC, 2),
        share(&horn::POLYNOMIALS, 2).late(50),
        share(&horn::HOUDINI, 2).late(50),
        share(&horn::POLYHEDRA, 8).late(100),
        share(&horn::SAMPLES, 2).late(100),
        share(&horn::KIND, 3).late(50),
        share(&horn::PDKIND, 2).late(100),
        share(&horn::TPA, 2).late(200),
        share(&horn::IMC, 1).late(400),
    ],
};

/// Linear systems with a wide state.
static WIDE: Plan<Horn> = Plan {
    about: "linear systems with a wide state",
    rows: &[
        share(&horn::VACUOUS, 1),
        share(&horn::IMAGE, 8),
        share(&horn::PDR, 45),
        share(&horn::IC3, 5).later(200, 45),
        share(&horn::BMC, 3),
        share(&horn::KIND, 3).late(50),
        share(&horn::PDKIND, 5).late(100),
        share(&horn::FORWARD, 1).late(100),
        share(&horn::TPA, 1).late(400),
        share(&horn::IMC, 1).late(400),
    ],
};

/// Beside these two, as if nothing wrapped, and with large constants left open.
static LINEAR: Plan<Horn> = Plan {
    about: "linear systems, as if nothing wrapped, and with large constants left open",
    rows: &[
        share(&engines::UNWRAPPED_PDR, 10),
        share(&engines::UNWRAPPED_FORWARD, 1),
        share(&engines::UNWRAPPED_DUALITY, 3),
        share(&engines::UNWRAPPED_IC3, 3),
        share(&engines::UNWRAPPED_HOUDINI, 2).late(50),
        share(&engines::UNWRAPPED_KIND, 3).late(50),
        share(&engines::OPEN_PDR, 5).late(100),
        share(&engines::OPEN_DUALITY, 2).late(50),
        share(&engines::OPEN_HOUDINI, 1).late(50),
        share(&engines::ACCELERATE_PDR, 4).late(50),
        share(&engines::ACCELERATE_BMC, 1).late(50),
        share(&engines::STEADY_BMC, 1),
        share(&horn::ABMC, 2).late(50),
        share(&horn::WQO, 6),
        share(&horn::ZONES, 6),
    ],
};

/// Before all others, for monotone systems of counters: they end with an answer where memory and time suffice.
static COUNTERS: Plan<Horn> = Plan {
    about: "monotone systems of counters, such as Petri nets, before all others",
    rows: &[share(&horn::WQO, 40), share(&horn::IIC, 60), share(&horn::KARP_MILLER, 60)],
};

/// Systems with arrays: invariants of all cells, and those of the elements that clauses name.
static ARRAYS: Plan<Horn> = Plan {
    about: "systems with arrays: invariants of all cells, and those of the elements that clauses name",
    rows: &[
        share(&horn::VACUOUS, 1),
        share(&horn::RECURSION_FREE, 2),
        share(&horn::DUALITY, 8),
        share(&horn::CELLS, 12),
        share(&horn::HEAPS, 6),
        share(&horn::PDR, 3),
        share(&engines::UNWRAPPED_CELLS, 6),
        share(&engines::OPEN_CELLS, 8),
        share(&engines::OPEN_PDR, 3).late(100),
        share(&engines::BLIND_PDR, 2).late(50),
        share(&engines::BLIND_DUALITY, 1).late(100),
        share(&engines::BLIND_SAMPLES, 2).late(100),
        share(&engines::UNWRAPPED_PDR, 5),
        share(&horn::BMC, 4),
        share(&horn::FORWARD, 2),
        share(&horn::KIND, 1).late(400),
    ],
};

/// Beside these, where bodies have several atoms: threads that own cells of a memory.
static ARRAY_TREES: Plan<Horn> = Plan {
    about: "systems with arrays and with several atoms in some body, beside the others",
    rows: &[share(&horn::SAMPLES, 8).late(40)],
};

/// Systems with heaps of typed cells: some see them access by access, others from loop to loop.
static HEAPS: Plan<Horn> = Plan {
    about: "systems with heaps of typed cells, access by access and from loop to loop",
    rows: &[
        share(&horn::VACUOUS, 1),
        share(&engines::JOINED_CELLS, 18),
        share(&engines::JOINED_HEAPS, 8),
        share(&engines::JOINED_DUALITY, 1),
        share(&engines::JOINED_PDR, 1),
        share(&engines::JOINED_BMC, 2),
        share(&horn::HEAPS, 9),
        share(&horn::CELLS, 4),
        share(&horn::PDR, 1),
        share(&horn::FORWARD, 1),
    ],
};

/// Systems over datatypes.
static DATA: Plan<Horn> = Plan {
    about: "systems over datatypes",
    rows: &[
        share(&horn::VACUOUS, 1),
        share(&horn::FOLDS, 14),
        share(&horn::AUTOMATA, 4),
        share(&horn::INDUCTION, 6),
        share(&horn::FORWARD, 2),
        share(&horn::SLD, 2),
        share(&horn::ENUMERATE, 4),
        share(&horn::BMC, 3),
        share(&horn::PDR, 4),
        share(&horn::DUALITY, 1).late(400),
    ],
};

/// Linear systems over words.
static WORDS_LINEAR: Plan<Horn> = Plan {
    about: "linear systems over words",
    rows: &[
        share(&horn::VACUOUS, 1),
        share(&horn::FORWARD, 2),
        share(&engines::INT_PDR, 10),
        share(&engines::BITS_IC3, 10),
        share(&engines::IDEAL_WATCH, 4),
        share(&engines::BITS_BMC, 2),
        share(&engines::BITS_WATCH, 10),
        share(&horn::PDR, 2).late(200),
        share(&engines::BITS_SIM, 1).late(50),
        share(&engines::BITS_IMC, 2).late(400),
    ],
};

/// Systems over words with several atoms in some body.
static WORDS_TREES: Plan<Horn> = Plan {
    about: "systems over words with several atoms in some body",
    rows: &[
        share(&horn::VACUOUS, 1),
        share(&horn::FORWARD, 2),
        share(&engines::INT_PDR, 8),
        share(&engines::IDEAL_PDR, 4),
        share(&engines::INT_DUALITY, 2).late(50),
        share(&engines::IDEAL_DUALITY, 2).late(50),
    ],
};

/// All plans for Horn systems.
pub static HORN_PLANS: &[&Plan<Horn>] = &[
    &REFUTED,
    &PROVED,
    &ACYCLIC,
    &TREES,
    &DEEP,
    &COUNTERS,
    &NARROW,
    &WIDE,
    &LINEAR,
    &ARRAYS,
    &ARRAY_TREES,
    &HEAPS,
    &DATA,
    &WORDS_LINEAR,
    &WORDS_TREES,
];

/// The engines for what is left of a system with a heap of typed cells.
pub fn plan_heaps(horn: &Horn) -> Vec<Entry<Horn>> {
    match has_arrays(horn) {
        true => HEAPS.rows.to_vec(),
        false => plan_horn(horn),
    }
}

/// Whether arguments are arrays.
fn has_arrays(horn: &Horn) -> bool {
    let is_array = |&sort: &SortId| matches!(horn.terms.sort_of(sort), Sort::Array(..));
    horn.pred_ids().any(|pred| horn.pred_args(pred).iter().any(is_array))
}

/// The engines for a system, with their shares of the time; where there is more than words, those for
/// words beside those for systems without.
pub fn plan_horn(horn: &Horn) -> Vec<Entry<Horn>> {
    let is_refuted = |clause: &Clause| clause.head == Head::False && clause.body == TermId::TRUE;
    if horn.clauses.iter().any(is_refuted) {
        return REFUTED.rows.to_vec();
    }
    if horn.clauses.is_empty() {
        return PROVED.rows.to_vec();
    }
    let shape = Shape::of(horn);
    let width = horn.pred_ids().map(|pred| horn.pred_args(pred).len()).max().unwrap_or(0);
    let is_word = |sort: &Sort| matches!(sort, Sort::BitVec(_));
    let general: &[&Plan<Horn>] = match shape {
        _ if speaks_of_data(horn) => &[&DATA],
        _ if has_arrays(horn) && !shape.is_linear => &[&ARRAYS, &ARRAY_TREES],
        _ if has_arrays(horn) => &[&ARRAYS],
        _ if !shape.is_recursive() => &[&ACYCLIC],
        _ if is_deep(horn, &shape) => &[&TREES, &DEEP],
        _ if !shape.is_linear => &[&TREES],
        _ if width < PLAN_WIDE.size() => &[&NARROW, &LINEAR],
        _ => &[&WIDE, &LINEAR],
    };
    let counts = width >= PLAN_COUNTERS.size() && is_counting(horn);
    let counters: &[Entry<Horn>] = if counts { COUNTERS.rows } else { &[] };
    let general = general.iter().flat_map(|plan| plan.rows);
    let general = general.filter(|entry| !counts || !COUNTERS.has(entry.card.name));
    let general = counters.iter().chain(general).copied();
    if !has_sort(horn, is_word) {
        return general.collect();
    }
    let words = if horn.is_linear() { &WORDS_LINEAR } else { &WORDS_TREES };
    let mut entries = words.rows.to_vec();
    if has_sort(horn, |sort| !is_word(sort) && *sort != Sort::Bool) {
        entries.extend(general.filter(|entry| !words.has(entry.card.name)));
    }
    entries
}

/// Whether a system has an argument or a variable of such a sort.
fn has_sort(horn: &Horn, is_it: impl Fn(&Sort) -> bool) -> bool {
    let store = &horn.terms;
    let args = horn.pred_ids().flat_map(|pred| horn.pred_args(pred)).copied();
    let vars = horn.clauses.iter().flat_map(|clause| &clause.vars).map(|&var| store.sort(var));
    args.chain(vars).any(|sort| is_it(store.sort_of(sort)))
}
