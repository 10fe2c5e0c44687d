//! The registry: an entry per engine, by its name, and tables of them.

use crate::bits::Memory;
use crate::games;
use crate::ic3::Tuned;
use crate::predicates;
use crate::{
    Avy, Bmc, Clauses, Counting, CountingAnew, Generalization, Ic3, Igr, Imc, Kind, LOOPS, Leap,
    SLICE, Sequences, Settings, Shoals, Sliced, explore, words,
};
use alphorn_engine::{Card, Road};
use alphorn_problem::{Circuit, Game, Words};

/// The engines for circuits.
pub static CIRCUIT_ENGINES: &[Card<Circuit>] = &[
    SIM,
    EXPLICIT,
    BMC,
    LEAP,
    KIND,
    IC3,
    IC3_INTERNAL,
    IMC,
    AVY,
    IGR,
    SLICED_IC3,
    SLICED_SIM,
    LASSO,
    L2S,
    KLIVE,
    RLIVE,
];

/// Engines with other settings, found by name only.
pub static CIRCUIT_VARIANTS: &[Card<Circuit>] = &[
    IMC_SEQUENCE,
    IMC_CLAUSES,
    AVY_STRIDES,
    AVY_INTERNAL,
    AVY_CLAUSES,
    AVY_CORE,
    AVY_ANEW,
    AVY_PROOFS,
    KAVY,
    IGR_PLAIN,
    IGR_EQUALITIES,
    IGR_REWIND,
    IC3_PLAIN,
    IC3_OUTPUTS,
    IC3_CTP,
    IC3_DYNAMIC,
    KLIVE_ANEW,
    SLICED_AVY,
];

/// The engines for word-level transition systems as such. Where a system can be written out in bits,
/// the engines for circuits work on it, too.
pub static WORDS_ENGINES: &[Card<Words>] = &[WORDS_SIM, WORDS_EXPLICIT, EXPLORE, WORDS_MEMORY];

/// The engines for safety games.
pub static GAME_ENGINES: &[Card<Game>] = &[GAME_SAT, GAME_BDD, GAME_IC3, GAME_PLAIN, GAME_WORDS];

/// The engine `game-sat`.
pub const GAME_SAT: Card<Game> = Card::decider(
    "game-sat",
    "games: states that lose, learned by two solvers, among those that are reached [BKS14]",
    || Box::new(games::Learned { among: games::Among::Entered }),
);
/// The engine `game-ic3`.
pub const GAME_IC3: Card<Game> = Card::decider(
    "game-ic3",
    "games: frames of what is reached while the controller avoids what loses [MGS13]",
    || Box::new(games::Learned { among: games::Among::Frames }),
);
/// The engine `game-plain`.
pub const GAME_PLAIN: Card<Game> =
    Card::decider("game-plain", "game-sat that looks at all states [BKS14]", || {
        Box::new(games::Learned { among: games::Among::All })
    });
/// The engine `game-bdd`.
pub const GAME_BDD: Card<Game> = Card::decider(
    "game-bdd",
    "games: layers of states that lose, as decision diagrams [BPRS14]",
    || Box::new(games::Symbolic { as_clauses: true }),
);
/// The engine `game-words`.
pub const GAME_WORDS: Card<Game> = Card::prover(
    "game-words",
    "games over words: game-bdd on comparisons of words in place of wide words [WR14]",
    || Box::new(predicates::Predicates),
);
/// The engine `sim`.
pub const SIM: Card<Circuit> =
    Card::refuter("sim", "random and guided simulation, 64 runs at a time", || {
        Box::new(explore::Sim)
    });
/// The engine `explicit`.
pub const EXPLICIT: Card<Circuit> =
    Card::decider("explicit", "breadth-first search over states", || Box::new(explore::Explicit));
/// The engine `bmc`.
pub const BMC: Card<Circuit> =
    Card::refuter("bmc", "bounded model checking, one step at a time [BCCZ99]", || Box::new(Bmc));
/// The engine `leap`.
pub const LEAP: Card<Circuit> =
    Card::refuter("leap", "bounded model checking that leaps over lengths that take long", || {
        Box::new(Leap)
    });
/// The engine `kind`.
pub const KIND: Card<Circuit> =
    Card::decider("kind", "k-induction with simple paths on demand [SSS00]", || Box::new(Kind));
/// The engine `ic3`.
pub const IC3: Card<Circuit> =
    Card::decider("ic3", "an invariant of clauses from what stands in its way [Bra11]", || {
        Box::new(Ic3)
    });
/// The engine `ic3-internal`.
pub const IC3_INTERNAL: Card<Circuit> =
    Card::decider("ic3-internal", "ic3 whose clauses speak about gates, too [DGIV21]", || {
        Box::new(Tuned(Settings { internal_signals: true, ..Settings::default() }))
    });
/// The engine `imc`.
pub const IMC: Card<Circuit> =
    Card::decider("imc", "reachable states from interpolants of bounded proofs [McM03]", || {
        Box::new(Imc)
    });
/// The engine `avy`.
pub const AVY: Card<Circuit> = Card::decider(
    "avy",
    "a clausal trace strengthened by sequences of interpolants [VG14]",
    || Box::new(Avy::default()),
);
/// The engine `igr`.
pub const IGR: Card<Circuit> =
    Card::decider("igr", "sets of states per level, refined by interpolants [CPP14]", || {
        Box::new(Igr::default())
    });
/// The engine `igr-plain`.
pub const IGR_PLAIN: Card<Circuit> = Card::decider(
    "igr-plain",
    "igr that neither looks for equal latches nor drops conjuncts",
    || Box::new(Igr { equalities: false, drop_redundant: false, ..Igr::default() }),
);
/// The engine `igr-equalities`.
pub const IGR_EQUALITIES: Card<Circuit> = Card::decider(
    "igr-equalities",
    "igr that looks for equal latches, and drops no conjuncts",
    || Box::new(Igr { drop_redundant: false, ..Igr::default() }),
);
/// The engine `igr-rewind`.
pub const IGR_REWIND: Card<Circuit> = Card::decider(
    "igr-rewind",
    "igr whose look ahead gets shorter from the first level on",
    || Box::new(Igr { force_rewind: 0, ..Igr::default() }),
);
/// The engine `sliced-ic3`.
pub const SLICED_IC3: Card<Circuit> = Card::decider(
    "sliced-ic3",
    "ic3 on slices: of many inputs that are alike few are open, more where proofs need it [GLST05]",
    || Box::new(Sliced(&IC3)),
);
/// The engine `sliced-sim`.
pub const SLICED_SIM: Card<Circuit> = Card::refuter(
    "sliced-sim",
    "sim on a slice: of many inputs that are alike one is open",
    || Road::build(&SLICE, &SIM),
);
/// The engine `sliced-avy`.
pub const SLICED_AVY: Card<Circuit> =
    Card::decider("sliced-avy", "avy on slices, as sliced-ic3", || Box::new(Sliced(&AVY)));
/// The engine `lasso`.
pub const LASSO: Card<Circuit> =
    Card::refuter("lasso", "justice: bounded search for a loop [BAS02]", || {
        Road::build(&LOOPS, &BMC)
    });
/// The engine `l2s`.
pub const L2S: Card<Circuit> =
    Card::decider("l2s", "justice: loops as a safety property, by ic3 [BAS02]", || {
        Road::build(&LOOPS, &IC3)
    });
/// The engine `klive`.
pub const KLIVE: Card<Circuit> =
    Card::decider("klive", "justice: how often the signals can be seen, by ic3 [CS12]", || {
        Box::new(Counting)
    });
/// The engine `klive-anew`.
pub const KLIVE_ANEW: Card<Circuit> = Card::decider(
    "klive-anew",
    "klive that simplifies each number's circuit and keeps no lemmas",
    || Box::new(CountingAnew(|| Box::new(Ic3))),
);
/// The engine `rlive`.
pub const RLIVE: Card<Circuit> = Card::decider(
    "rlive",
    "justice: states from which the signals are seen no more, by ic3 [XCGL24]",
    || Box::new(Shoals),
);
/// The engine `imc-sequence`.
pub const IMC_SEQUENCE: Card<Circuit> = Card::decider(
    "imc-sequence",
    "a set per step from one refutation cut at every step [VG09]",
    || Box::new(Sequences),
);
/// The engine `imc-clauses`.
pub const IMC_CLAUSES: Card<Circuit> = Card::decider(
    "imc-clauses",
    "a trace of clauses that look more and more steps ahead [VRN13]",
    || Box::new(Clauses),
);
/// The engine `avy-strides`.
pub const AVY_STRIDES: Card<Circuit> =
    Card::decider("avy-strides", "avy whose runs grow by four steps at a time", || {
        Box::new(Avy { stride: 4, ..Avy::default() })
    });
/// The engine `avy-internal`.
pub const AVY_INTERNAL: Card<Circuit> =
    Card::decider("avy-internal", "avy whose clauses speak about gates, too", || {
        Box::new(Avy { internal_signals: true, ..Avy::default() })
    });
/// The engine `avy-clauses`.
pub const AVY_CLAUSES: Card<Circuit> = Card::decider(
    "avy-clauses",
    "avy with the clauses of proofs as lemmas, where they hold [GV14]",
    || Box::new(Avy { clausal: true, ..Avy::default() }),
);
/// The engine `avy-core`.
pub const AVY_CORE: Card<Circuit> =
    Card::decider("avy-core", "avy whose proofs need a least part of the steps", || {
        Box::new(Avy { min_core: true, ..Avy::default() })
    });
/// The engine `avy-anew`.
pub const AVY_ANEW: Card<Circuit> =
    Card::decider("avy-anew", "avy that makes the steps of each question anew", || {
        Box::new(Avy { keep_steps: false, ..Avy::default() })
    });
/// The engine `avy-proofs`.
pub const AVY_PROOFS: Card<Circuit> = Card::decider(
    "avy-proofs",
    "avy that looks for other proofs and never for obligations",
    || Box::new(Avy { obligations: false, ..Avy::default() }),
);
/// The engine `kavy`.
pub const KAVY: Card<Circuit> =
    Card::decider("kavy", "avy whose proofs are inductions over several steps [KVGG19]", || {
        Box::new(Avy { repeats: usize::MAX, clausal: true, ..Avy::default() })
    });
/// The engine `ic3-plain`.
pub const IC3_PLAIN: Card<Circuit> =
    Card::decider("ic3-plain", "ic3 that blocks no counterexamples to generalization", || {
        Box::new(Tuned(Settings { generalization: Generalization::Plain, ..Settings::default() }))
    });
/// The engine `ic3-outputs`.
pub const IC3_OUTPUTS: Card<Circuit> =
    Card::decider("ic3-outputs", "ic3 whose clauses speak about outputs alone [CGMT14]", || {
        Box::new(Tuned(Settings { output_signals: true, ..Settings::default() }))
    });
/// The engine `ic3-ctp`.
pub const IC3_CTP: Card<Circuit> =
    Card::decider("ic3-ctp", "ic3 that blocks what stands in the way of pushing lemmas", || {
        Box::new(Tuned(Settings { block_in_propagation: true, ..Settings::default() }))
    });
/// The engine `ic3-dynamic`.
pub const IC3_DYNAMIC: Card<Circuit> =
    Card::decider("ic3-dynamic", "ic3 that tries harder where obligations come back", || {
        Box::new(Tuned(Settings { generalization: Generalization::Dynamic, ..Settings::default() }))
    });
/// The engine `words-sim`.
pub const WORDS_SIM: Card<Words> =
    Card::refuter("words-sim", "random simulation by evaluation of terms", || Box::new(words::Sim));
/// The engine `words-explicit`.
pub const WORDS_EXPLICIT: Card<Words> =
    Card::decider("words-explicit", "breadth-first search over states of words", || {
        Box::new(words::Explicit)
    });
/// The engine `explore`.
pub const EXPLORE: Card<Words> = Card::decider(
    "explore",
    "breadth-first search over packed states, with compiled rules",
    || Box::new(words::Explore),
);
/// The engine `words-memory`.
pub const WORDS_MEMORY: Card<Words> =
    Card::decider("words-memory", "ic3 on those cells of large arrays that matter [Bje08]", || {
        Box::new(Memory)
    });
