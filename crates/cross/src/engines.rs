//! The roads: engines behind views of another kind, one entry each.

use crate::blind::BLIND;
use crate::horn_bits::{BITS, Guided, WATCHED};
use crate::integers::{IDEAL, WRAPPED};
use crate::joined::JOINED;
use crate::lifted::LIFTED;
use crate::parametric::PARAMETRIC;
use crate::ranged::RANGED;
use crate::runs::Runs;
use crate::steady::STEADY;
use crate::unwrapped::UNWRAPPED;
use crate::words_horn::OnClauses;
use alphorn_chc::accel::{ACCELERATED, CONTRACTED};
use alphorn_chc::engines as horn;
use alphorn_engine::{Card, Road};
use alphorn_hw::bits::WORDS_AS_BITS;
use alphorn_hw::engines as circuit;
use alphorn_problem::{Horn, Words};
use alphorn_program::c::property::Task;

/// The engines for Horn systems over words, beside those for all Horn systems.
pub static HORN_WORD_ENGINES: &[Card<Horn>] = &[
    BITS_IC3,
    BITS_BMC,
    BITS_WATCH,
    IDEAL_WATCH,
    BITS_IMC,
    BITS_SIM,
    INT_PDR,
    INT_DUALITY,
    IDEAL_PDR,
    IDEAL_DUALITY,
    UNWRAPPED_PDR,
    UNWRAPPED_FORWARD,
    UNWRAPPED_DUALITY,
    UNWRAPPED_IC3,
    UNWRAPPED_HOUDINI,
    UNWRAPPED_KIND,
    UNWRAPPED_CELLS,
    OPEN_PDR,
    OPEN_CELLS,
    OPEN_DUALITY,
    OPEN_HOUDINI,
    ACCELERATE_PDR,
    ACCELERATE_BMC,
    CONTRACT_PDR,
    CONTRACT,
    RANGED_PDR,
    STEADY_BMC,
    LIFTED_PDR,
    LIFTED_DUALITY,
    LIFTED_BMC,
    BLIND_PDR,
    BLIND_DUALITY,
    BLIND_SAMPLES,
    JOINED_CELLS,
    JOINED_HEAPS,
    JOINED_PDR,
    JOINED_DUALITY,
    JOINED_BMC,
];

/// The engines for word-level systems that work on clauses.
pub static WORDS_HORN_ENGINES: &[Card<Words>] = &[WORDS_PDR, WORDS_CELLS, WORDS_BMC];

/// The engines for word-level systems that work on bits. A memory of a thousand cells can be written out in
/// bits, but whether that is wise shows only when it is tried: a proof may need every cell at once, or
/// none. So such systems get engines of both kinds in one run.
pub static WORDS_BITS_ENGINES: &[Card<Words>] = &[WORDS_BITS_IC3, WORDS_BITS_BMC];

/// The engines for C programs that work on the program itself.
pub static PROGRAM_ENGINES: &[Card<Task>] = &[RUNS];

/// Violations found by running the program with drawn choices.
pub const RUNS: Card<Task> =
    Card::refuter("runs", "random runs, and runs bent towards branches not taken [Kor90]", || {
        Box::new(Runs)
    });
/// Linear systems over words as circuits, by ic3.
pub const BITS_IC3: Card<Horn> =
    Card::decider("bits-ic3", "linear systems over words as circuits, by ic3 on circuits", || {
        Road::build(&BITS, &circuit::IC3)
    });
/// Linear systems over words as circuits, by bounded search.
pub const BITS_BMC: Card<Horn> =
    Card::refuter("bits-bmc", "linear systems over words as circuits, by bmc on circuits", || {
        Road::build(&BITS, &circuit::BMC)
    });
/// Linear systems over words as circuits with comparisons, by ic3.
pub const BITS_WATCH: Card<Horn> =
    Card::decider("bits-watch", "like bits-ic3, with comparisons of words in its clauses", || {
        Road::build(&WATCHED, &circuit::IC3_OUTPUTS)
    });
/// The same with comparisons of a model of the ideal reading.
pub const IDEAL_WATCH: Card<Horn> = Card::decider(
    "ideal-watch",
    "like ideal-pdr, with what it finds in the clauses of bits-watch",
    || Box::new(Guided),
);
/// Linear systems over words as circuits, by interpolants.
pub const BITS_IMC: Card<Horn> =
    Card::decider("bits-imc", "linear systems over words as circuits, by imc on circuits", || {
        Road::build(&BITS, &circuit::IMC)
    });
/// Linear systems over words as circuits, by simulation.
pub const BITS_SIM: Card<Horn> =
    Card::refuter("bits-sim", "linear systems over words as circuits, by simulation", || {
        Road::build(&BITS, &circuit::SIM)
    });
/// Words as integers, by pdr.
pub const INT_PDR: Card<Horn> =
    Card::decider("int-pdr", "words as integers that wrap around, by pdr", || {
        Road::build(&WRAPPED, &horn::PDR)
    });
/// Words as integers, by duality.
pub const INT_DUALITY: Card<Horn> =
    Card::decider("int-duality", "words as integers that wrap around, by duality", || {
        Road::build(&WRAPPED, &horn::DUALITY)
    });
/// Words as ideal integers, by pdr.
pub const IDEAL_PDR: Card<Horn> =
    Card::decider("ideal-pdr", "words as integers that do not wrap around, by pdr", || {
        Road::build(&IDEAL, &horn::PDR)
    });
/// Words as ideal integers, by duality.
pub const IDEAL_DUALITY: Card<Horn> =
    Card::decider("ideal-duality", "words as integers that do not wrap around, by duality", || {
        Road::build(&IDEAL, &horn::DUALITY)
    });
/// Systems as clauses, by pdr.
pub const WORDS_PDR: Card<Words> =
    Card::decider("words-pdr", "pdr on terms over words and arrays", || {
        Box::new(OnClauses(&horn::PDR))
    });
/// Systems as clauses, by invariants of cells.
pub const WORDS_CELLS: Card<Words> =
    Card::decider("words-cells", "invariants of every cell of arrays, on terms", || {
        Box::new(OnClauses(&horn::CELLS))
    });
/// Systems as clauses, by bounded search.
pub const WORDS_BMC: Card<Words> =
    Card::decider("words-bmc", "bounded search on terms over words and arrays", || {
        Box::new(OnClauses(&horn::BMC))
    });
/// Systems as circuits, by ic3.
pub const WORDS_BITS_IC3: Card<Words> =
    Card::decider("bits-ic3", "ic3 on the bits of words and of all cells of arrays", || {
        Road::build(&WORDS_AS_BITS, &circuit::IC3)
    });
/// Systems as circuits, by bounded search.
pub const WORDS_BITS_BMC: Card<Words> =
    Card::decider("bits-bmc", "bmc on the bits of words and of all cells of arrays", || {
        Road::build(&WORDS_AS_BITS, &circuit::BMC)
    });

/// Systems in which nothing wraps around, by pdr.
pub const UNWRAPPED_PDR: Card<Horn> = Card::prover(
    "unwrapped-pdr",
    "pdr where no value wraps around, which is then part of the model",
    || Road::build(&UNWRAPPED, &horn::PDR),
);
/// Systems in which nothing wraps around, by forward.
pub const UNWRAPPED_FORWARD: Card<Horn> = Card::prover(
    "unwrapped-forward",
    "forward where no value wraps around, which is then part of the model",
    || Road::build(&UNWRAPPED, &horn::FORWARD),
);
/// Systems in which nothing wraps around, by duality.
pub const UNWRAPPED_DUALITY: Card<Horn> = Card::prover(
    "unwrapped-duality",
    "duality where no value wraps around, which is then part of the model",
    || Road::build(&UNWRAPPED, &horn::DUALITY),
);
/// Systems in which nothing wraps around, by ic3.
pub const UNWRAPPED_IC3: Card<Horn> = Card::prover(
    "unwrapped-ic3",
    "ic3 where no value wraps around, which is then part of the model",
    || Road::build(&UNWRAPPED, &horn::IC3),
);
/// Systems in which nothing wraps around, by houdini.
pub const UNWRAPPED_HOUDINI: Card<Horn> = Card::prover(
    "unwrapped-houdini",
    "houdini where no value wraps around, which is then part of the model",
    || Road::build(&UNWRAPPED, &horn::HOUDINI),
);
/// Systems in which nothing wraps around, by kind.
pub const UNWRAPPED_KIND: Card<Horn> = Card::prover(
    "unwrapped-kind",
    "kind where no value wraps around, which is then part of the model",
    || Road::build(&UNWRAPPED, &horn::KIND),
);
/// Systems in which nothing wraps around, by cells.
pub const UNWRAPPED_CELLS: Card<Horn> = Card::prover(
    "unwrapped-cells",
    "cells where no value wraps around, which is then part of the model",
    || Road::build(&UNWRAPPED, &horn::CELLS),
);
/// Systems with their large constants left open, by pdr.
pub const OPEN_PDR: Card<Horn> = Card::prover(
    "open-pdr",
    "pdr with large constants left open, so that loops need not be gone through",
    || Road::build(&PARAMETRIC, &horn::PDR),
);
/// Systems without their arrays, by pdr.
pub const BLIND_PDR: Card<Horn> =
    Card::prover("blind-pdr", "pdr without arrays, which may hold anything then", || {
        Road::build(&BLIND, &horn::PDR)
    });
/// Systems without their arrays, by duality.
pub const BLIND_DUALITY: Card<Horn> =
    Card::prover("blind-duality", "duality without arrays, which may hold anything then", || {
        Road::build(&BLIND, &horn::DUALITY)
    });
/// Systems without their arrays, by small clauses that no derived fact breaks.
pub const BLIND_SAMPLES: Card<Horn> =
    Card::prover("blind-samples", "samples without arrays, which may hold anything then", || {
        Road::build(&BLIND, &horn::SAMPLES)
    });
/// Systems with heaps whose clauses are put together, by cells.
pub const JOINED_CELLS: Card<Horn> = Card::decider(
    "joined-cells",
    "cells on systems with heaps, without predicates between loops",
    || Road::build(&JOINED, &horn::CELLS),
);
/// Systems with heaps whose clauses are put together, by guesses about typed cells.
pub const JOINED_HEAPS: Card<Horn> = Card::prover(
    "joined-heaps",
    "heaps without predicates between loops, where a heap may be as it likes",
    || Road::build(&JOINED, &horn::HEAPS),
);
/// Systems with heaps whose clauses are put together, by pdr.
pub const JOINED_PDR: Card<Horn> = Card::decider(
    "joined-pdr",
    "pdr on systems with heaps, without predicates between loops",
    || Road::build(&JOINED, &horn::PDR),
);
/// Systems with heaps whose clauses are put together, by duality.
pub const JOINED_DUALITY: Card<Horn> = Card::decider(
    "joined-duality",
    "duality on systems with heaps, without predicates between loops",
    || Road::build(&JOINED, &horn::DUALITY),
);
/// Systems with heaps whose clauses are put together, by bounded search.
pub const JOINED_BMC: Card<Horn> = Card::decider(
    "joined-bmc",
    "bmc on systems with heaps, without predicates between loops",
    || Road::build(&JOINED, &horn::BMC),
);
/// Systems with their large constants left open, by cells.
pub const OPEN_CELLS: Card<Horn> = Card::prover(
    "open-cells",
    "cells with large constants left open, so that loops need not be gone through",
    || Road::build(&PARAMETRIC, &horn::CELLS),
);
/// Systems with their large constants left open, by duality.
pub const OPEN_DUALITY: Card<Horn> = Card::prover(
    "open-duality",
    "duality with large constants left open, so that loops need not be gone through",
    || Road::build(&PARAMETRIC, &horn::DUALITY),
);
/// Systems with their large constants left open, by houdini.
pub const OPEN_HOUDINI: Card<Horn> = Card::prover(
    "open-houdini",
    "houdini with large constants left open, so that loops need not be gone through",
    || Road::build(&PARAMETRIC, &horn::HOUDINI),
);

/// Systems with closures of their loops, by pdr.
pub const ACCELERATE_PDR: Card<Horn> = Card::decider(
    "accelerate-pdr",
    "pdr with closures of loops, which take any number of rounds at once [HIK+12]",
    || Road::build(&ACCELERATED, &horn::PDR),
);
/// Systems with closures of their loops, by bmc.
pub const ACCELERATE_BMC: Card<Horn> = Card::decider(
    "accelerate-bmc",
    "bmc with closures of loops, which take any number of rounds at once [HIK+12]",
    || Road::build(&ACCELERATED, &horn::BMC),
);

/// Loops with exact closures taken away, the rest by pdr.
pub const CONTRACT_PDR: Card<Horn> = Card::decider(
    "contract-pdr",
    "loops that have exact closures taken away from the innermost out, what is left by pdr",
    || Road::build(&CONTRACTED, &horn::PDR),
);
/// Loops with exact closures taken away until none is left.
pub const CONTRACT: Card<Horn> = Card::decider(
    "contract",
    "loops that have exact closures taken away until there is no recursion [BIK10]",
    || Road::build(&CONTRACTED, &horn::RECURSION_FREE),
);
/// Predicates split by arguments with few values, by pdr.
pub const RANGED_PDR: Card<Horn> = Card::decider(
    "ranged-pdr",
    "pdr with a predicate for each number that an argument with few values can be",
    || Road::build(&RANGED, &horn::PDR),
);
/// Loops at rest with closures, by bmc.
pub const STEADY_BMC: Card<Horn> = Card::refuter(
    "steady-bmc",
    "accelerate-bmc with loops whose inputs are zero and in which nothing wraps around [FG24]",
    || Road::build(&STEADY, &horn::BMC),
);
/// Systems with their assertions lifted out of calls, by pdr.
pub const LIFTED_PDR: Card<Horn> =
    Card::decider("lifted-pdr", "pdr with assertions lifted out of calls [LQ14]", || {
        Road::build(&LIFTED, &horn::PDR)
    });
/// Systems with their assertions lifted out of calls, by duality.
pub const LIFTED_DUALITY: Card<Horn> =
    Card::decider("lifted-duality", "duality with assertions lifted out of calls [LQ14]", || {
        Road::build(&LIFTED, &horn::DUALITY)
    });
/// Systems with their assertions lifted out of calls, by bmc.
pub const LIFTED_BMC: Card<Horn> =
    Card::decider("lifted-bmc", "bmc with assertions lifted out of calls [LQ14]", || {
        Road::build(&LIFTED, &horn::BMC)
    });
