//! The settings of views between kinds of problems, of plans and of runs of programs, in one table.

use alphorn_setting::settings;

settings! {
    AFFINE_MAX_ROUNDS       "affine.max-rounds"               200 "the most rounds over all clauses";
    AFFINE_WIDEST           "affine.widest"                    64 "the widest words whose affine relations are looked for";
    BITS_MAX_EXPANDED       "bits.max-expanded"             4_096 "the most facts a row with open arguments is expanded into";
    BITS_MAX_PAIRS          "bits.max-pairs"            4_000_000 "the most pairs of bodies that are compared for whether they exclude each other";
    INTEGERS_VIEW_MAX_CASES "integers-view.max-cases"           4 "the most multiples of the number of words between which cases decide";
    LIFTED_DEPTH            "lifted.depth"                      2 "from how many predicates between a query and facts on, and one more, assertions are lifted out of calls";
    OPEN_CLOSE              "open.close"                        2 "how far constants may be apart that are one parameter";
    OPEN_LEAST              "open.least"                       50 "the least constant that becomes a parameter";
    OPEN_MAX_MULTIPLE       "open.max-multiple"                10 "the largest multiple of a parameter that a constant may be";
    OPEN_MAX_PARAMETERS     "open.max-parameters"               3 "the most parameters";
    PLAN_COUNTERS           "plan.counters"                     4 "from how many counters on a monotone system has engines of its own";
    PLAN_FEW_LATCHES        "plan.few-latches"                 64 "the most latches of a circuit that has imc early in its plan";
    PLAN_INDEX_BITS         "plan.index-bits"                   4 "from how many index bits on an array is better kept as one";
    PLAN_WIDE               "plan.wide"                        25 "from how many arguments on a predicate is wide";
    RUNS_MAX_CELLS          "runs.max-cells"                   64 "the most cells of an object that get numbers of their own";
    RUNS_MAX_FAR_CHOICES    "runs.max-far-choices"         10_000 "the most choices of a run that only goes far";
    RUNS_MAX_KEPT           "runs.max-kept"                 4_000 "the most lists of choices that are kept";
    RUNS_MAX_MOVED          "runs.max-moved"                   40 "how many choices of a run are moved towards a comparison, the last ones first";
    RUNS_MAX_SIMPLIFY       "runs.max-simplify"               400 "how many runs may be spent on making one simpler";
    RUNS_MAX_SIMPLIFY_STEPS "runs.max-simplify-steps" 100_000_000 "how many steps may be spent on making a run simpler";
    RUNS_PER_ROUND          "runs.per-round"                  400 "how many runs of full length a round may take";
    RUNS_SAMPLE_STEPS       "runs.sample-steps"            20_000 "the steps of a sampled run";
    SHADOW_MAX_VISITS       "shadow.max-visits"             2_000 "how many visits of heads are looked at in one run";
    SHADOW_RUNS             "shadow.runs"                      40 "how many runs are drawn beside an invariant";
    UNWRAPPED_LEAST_TURN    "unwrapped.least-turn"            256 "the least number of values of a type that nothing is to wrap in";
    WATCH_MAX_PAIRED        "watch.max-paired"                  6 "the most states of which all pairs are compared";
    WATCH_MAX_WATCHED       "watch.max-watched"               120 "the most comparisons that are watched";
    WATCH_NARROW            "watch.narrow"                      8 "states of at most so many bits are watched bit by bit";
    WATCH_NARROWEST         "watch.narrowest"                   3 "the narrowest words whose order is watched";
}
