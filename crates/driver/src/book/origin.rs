//! Where engines come from: whose file tells the idea, which settings are theirs, and who decides what a view shows.
//!
//! A page of the book is about one engine and its presets. A test asks that every engine is on one page, and that the
//! files are there.

/// An engine with a page of its own.
pub struct Origin {
    /// What it works on.
    pub kind: &'static str,
    pub engine: &'static str,
    /// The file whose head tells the idea, in `crates`.
    pub source: &'static str,
    /// The first words of its settings.
    pub settings: &'static [&'static str],
    /// Presets of it, which differ by a choice.
    pub presets: &'static [&'static str],
    /// The engine, with what that works on, that decides what a view shows.
    pub by: Option<(&'static str, &'static str)>,
}

const fn own(
    kind: &'static str,
    engine: &'static str,
    source: &'static str,
    settings: &'static [&'static str],
    presets: &'static [&'static str],
) -> Origin {
    Origin { kind, engine, source, settings, presets, by: None }
}

const fn view(
    kind: &'static str,
    engine: &'static str,
    source: &'static str,
    settings: &'static [&'static str],
    by: (&'static str, &'static str),
) -> Origin {
    Origin { kind, engine, source, settings, presets: &[], by: Some(by) }
}

pub const ORIGINS: &[Origin] = &[
    own("horn", "vacuous", "chc/src/vacuous.rs", &[], &[]),
    own("horn", "recursion-free", "horn/src/recursion_free/mod.rs", &["acyclic"], &[]),
    own("horn", "forward", "chc/src/forward/mod.rs", &["forward"], &[]),
    own("horn", "houdini", "chc/src/houdini/mod.rs", &["houdini"], &[]),
    own("horn", "folds", "chc/src/fold/mod.rs", &["folds", "fold-laws"], &[]),
    own("horn", "automata", "chc/src/automata/mod.rs", &["automata"], &[]),
    own("horn", "induction", "chc/src/induction/mod.rs", &["induction"], &[]),
    own("horn", "pdr", "chc/src/pdr/mod.rs", &["pdr"], &["pdr-unguided", "pdr-separating"]),
    own("horn", "wqo", "chc/src/wqo/mod.rs", &["wqo"], &[]),
    own("horn", "iic", "chc/src/wqo/iic.rs", &["wqo"], &[]),
    own("horn", "karp-miller", "chc/src/wqo/karp_miller.rs", &["karp-miller"], &[]),
    own("horn", "zones", "chc/src/zones/mod.rs", &["zones"], &[]),
    own("horn", "ic3", "chc/src/ts/ic3/mod.rs", &["ts-ic3"], &[]),
    own("horn", "tpa", "chc/src/ts/tpa/mod.rs", &["tpa"], &[]),
    own(
        "horn",
        "duality",
        "chc/src/duality/mod.rs",
        &["duality"],
        &[
            "duality-local",
            "duality-whole",
            "duality-mark1",
            "duality-mark2",
            "duality-mark3",
            "duality-mark4",
            "duality-mark5",
            "duality-mark6",
            "duality-mark7",
        ],
    ),
    own(
        "horn",
        "cegar",
        "chc/src/cegar/mod.rs",
        &["cegar"],
        &["cegaar", "cegar-di", "cegar-global", "cegar-path", "cegar-plain"],
    ),
    own("horn", "bmc", "chc/src/bmc/mod.rs", &["bmc"], &["bmc-forward", "bmc-backward"]),
    own("horn", "abmc", "chc/src/accel/search.rs", &["abmc", "accel"], &[]),
    own("horn", "sld", "chc/src/sld/mod.rs", &["sld"], &[]),
    own("horn", "enumerate", "chc/src/enumerate/mod.rs", &["enumerate"], &[]),
    own("horn", "polynomials", "chc/src/polynomials/mod.rs", &["polynomials"], &[]),
    own("horn", "cells", "chc/src/cells/mod.rs", &["cells"], &["cells-cegar", "cells-pairs"]),
    own("horn", "heaps", "chc/src/heaps/mod.rs", &["heaps"], &[]),
    own("horn", "image", "chc/src/ts/image.rs", &["image"], &[]),
    own("horn", "kind", "chc/src/ts/kind.rs", &["kind", "guess", "strengthen"], &[]),
    own("horn", "pdkind", "chc/src/ts/pdkind/mod.rs", &["pdkind"], &[]),
    own("horn", "imc", "chc/src/ts/imc.rs", &["strengthen"], &[]),
    own(
        "horn",
        "la",
        "chc/src/la/mod.rs",
        &["la"],
        &["la-mark1", "la-mark2", "la-mark3", "la-mark4", "la-mark5", "la-mark6", "la-mark7"],
    ),
    view("horn", "bits-ic3", "cross/src/horn_bits.rs", &["bits"], ("circuit", "ic3")),
    view("horn", "bits-bmc", "cross/src/horn_bits.rs", &["bits"], ("circuit", "bmc")),
    view(
        "horn",
        "bits-watch",
        "cross/src/watch.rs",
        &["watch", "bits"],
        ("circuit", "ic3-outputs"),
    ),
    view("horn", "ideal-watch", "cross/src/watch.rs", &["watch", "integers-view"], ("horn", "pdr")),
    view("horn", "bits-imc", "cross/src/horn_bits.rs", &["bits"], ("circuit", "imc")),
    view("horn", "bits-sim", "cross/src/horn_bits.rs", &["bits"], ("circuit", "sim")),
    view("horn", "int-pdr", "cross/src/integers/mod.rs", &["integers-view"], ("horn", "pdr")),
    view(
        "horn",
        "int-duality",
        "cross/src/integers/mod.rs",
        &["integers-view"],
        ("horn", "duality"),
    ),
    view("horn", "ideal-pdr", "cross/src/integers/mod.rs", &["integers-view"], ("horn", "pdr")),
    view(
        "horn",
        "ideal-duality",
        "cross/src/integers/mod.rs",
        &["integers-view"],
        ("horn", "duality"),
    ),
    view("horn", "unwrapped-pdr", "cross/src/unwrapped.rs", &["unwrapped"], ("horn", "pdr")),
    view(
        "horn",
        "unwrapped-forward",
        "cross/src/unwrapped.rs",
        &["unwrapped"],
        ("horn", "forward"),
    ),
    view(
        "horn",
        "unwrapped-duality",
        "cross/src/unwrapped.rs",
        &["unwrapped"],
        ("horn", "duality"),
    ),
    view("horn", "unwrapped-ic3", "cross/src/unwrapped.rs", &["unwrapped"], ("horn", "ic3")),
    view(
        "horn",
        "unwrapped-houdini",
        "cross/src/unwrapped.rs",
        &["unwrapped"],
        ("horn", "houdini"),
    ),
    view("horn", "unwrapped-kind", "cross/src/unwrapped.rs", &["unwrapped"], ("horn", "kind")),
    view("horn", "unwrapped-cells", "cross/src/unwrapped.rs", &["unwrapped"], ("horn", "cells")),
    view("horn", "open-pdr", "cross/src/parametric.rs", &["open"], ("horn", "pdr")),
    view("horn", "open-cells", "cross/src/parametric.rs", &["open"], ("horn", "cells")),
    view("horn", "open-duality", "cross/src/parametric.rs", &["open"], ("horn", "duality")),
    view("horn", "open-houdini", "cross/src/parametric.rs", &["open"], ("horn", "houdini")),
    view("horn", "accelerate-pdr", "chc/src/accel/view.rs", &["accel"], ("horn", "pdr")),
    view("horn", "accelerate-bmc", "chc/src/accel/view.rs", &["accel"], ("horn", "bmc")),
    view(
        "horn",
        "contract-pdr",
        "chc/src/accel/contracted.rs",
        &["contract", "accel"],
        ("horn", "pdr"),
    ),
    view(
        "horn",
        "contract",
        "chc/src/accel/contracted.rs",
        &["contract", "accel"],
        ("horn", "recursion-free"),
    ),
    view("horn", "ranged-pdr", "cross/src/ranged.rs", &["ranges"], ("horn", "pdr")),
    view("horn", "steady-bmc", "cross/src/steady.rs", &["accel"], ("horn", "bmc")),
    view("horn", "lifted-pdr", "cross/src/lifted.rs", &["lifted"], ("horn", "pdr")),
    view("horn", "lifted-duality", "cross/src/lifted.rs", &["lifted"], ("horn", "duality")),
    view("horn", "lifted-bmc", "cross/src/lifted.rs", &["lifted"], ("horn", "bmc")),
    view("horn", "joined-cells", "cross/src/joined.rs", &[], ("horn", "cells")),
    view("horn", "joined-heaps", "cross/src/joined.rs", &[], ("horn", "heaps")),
    view("horn", "joined-pdr", "cross/src/joined.rs", &[], ("horn", "pdr")),
    view("horn", "joined-duality", "cross/src/joined.rs", &[], ("horn", "duality")),
    view("horn", "joined-bmc", "cross/src/joined.rs", &[], ("horn", "bmc")),
    own("circuit", "sim", "hw/src/explore/sim.rs", &["sim"], &[]),
    own("circuit", "explicit", "hw/src/explore/explicit.rs", &["explicit"], &[]),
    own("circuit", "bmc", "hw/src/bmc/mod.rs", &[], &[]),
    own("circuit", "leap", "hw/src/bmc/leap.rs", &["leap"], &[]),
    own("circuit", "kind", "hw/src/kind.rs", &[], &[]),
    own(
        "circuit",
        "ic3",
        "hw/src/ic3/mod.rs",
        &["ic3"],
        &["ic3-plain", "ic3-outputs", "ic3-ctp", "ic3-dynamic"],
    ),
    own("circuit", "ic3-internal", "hw/src/ic3/signals.rs", &["ic3"], &[]),
    own(
        "circuit",
        "imc",
        "hw/src/imc/mod.rs",
        &["interpolation"],
        &["imc-sequence", "imc-clauses"],
    ),
    own(
        "circuit",
        "avy",
        "hw/src/avy/mod.rs",
        &["avy", "interpolation"],
        &[
            "avy-strides",
            "avy-internal",
            "avy-clauses",
            "avy-core",
            "avy-anew",
            "avy-proofs",
            "kavy",
        ],
    ),
    own(
        "circuit",
        "igr",
        "hw/src/igr/mod.rs",
        &["igr", "interpolation"],
        &["igr-plain", "igr-equalities", "igr-rewind"],
    ),
    own("circuit", "sliced-ic3", "hw/src/slice/mod.rs", &["slice"], &["sliced-avy"]),
    view("circuit", "sliced-sim", "hw/src/slice/mod.rs", &["slice"], ("circuit", "sim")),
    view("circuit", "lasso", "hw/src/live/lasso.rs", &[], ("circuit", "bmc")),
    view("circuit", "l2s", "hw/src/live/mod.rs", &[], ("circuit", "ic3")),
    Origin {
        kind: "circuit",
        engine: "klive",
        source: "hw/src/live/mod.rs",
        settings: &[],
        presets: &["klive-anew"],
        by: Some(("circuit", "ic3")),
    },
    view("circuit", "rlive", "hw/src/live/shoals.rs", &[], ("circuit", "ic3")),
    own("words", "words-sim", "hw/src/words/sim.rs", &["words-sim"], &[]),
    own("words", "words-explicit", "hw/src/words/explicit.rs", &["words-explicit"], &[]),
    own("words", "explore", "hw/src/words/explore/mod.rs", &["explore"], &[]),
    view("words", "words-memory", "hw/src/bits/cells.rs", &["memory"], ("circuit", "ic3")),
    view("words", "words-pdr", "cross/src/words_horn.rs", &[], ("horn", "pdr")),
    view("words", "words-cells", "cross/src/words_horn.rs", &[], ("horn", "cells")),
    view("words", "words-bmc", "cross/src/words_horn.rs", &[], ("horn", "bmc")),
    view("words", "bits-ic3", "hw/src/bits/mod.rs", &[], ("circuit", "ic3")),
    view("words", "bits-bmc", "hw/src/bits/mod.rs", &[], ("circuit", "bmc")),
    own("program", "runs", "cross/src/runs/mod.rs", &["runs"], &[]),
    own("flow", "lasso", "flow/src/recur/lasso.rs", &["recur"], &[]),
    own("flow", "rank", "flow/src/rank/mod.rs", &["rank"], &[]),
    own("flow", "recurrence", "flow/src/recur/mod.rs", &["recur"], &[]),
    own("flow", "rank-union", "flow/src/rank/union.rs", &["rank"], &[]),
    own("temporal", "labels", "flow/src/temporal/mod.rs", &[], &["labels-not"]),
    own("game", "game-sat", "hw/src/games/region.rs", &["games"], &["game-plain"]),
    own("game", "game-ic3", "hw/src/games/incremental.rs", &["games"], &[]),
    own("game", "game-bdd", "hw/src/games/symbolic.rs", &["games"], &[]),
    own("game", "game-words", "hw/src/predicates/mod.rs", &["games"], &[]),
];

/// The page that an engine is on: its own, or that of the engine it is a preset of.
pub fn page_of(kind: &str, engine: &str) -> Option<&'static Origin> {
    let is_it = |origin: &&Origin| {
        origin.kind == kind && (origin.engine == engine || origin.presets.contains(&engine))
    };
    ORIGINS.iter().find(is_it)
}
