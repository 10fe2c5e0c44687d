//! The settings of the solver for theories, in one table.

use alphorn_setting::settings;

settings! {
    ARITH_MAX_IDLE                  "arith.max-idle"                       2 "the number of changes after which an unbounded form loses its row";
    ARRAYS_LONGEST_PATH             "arrays.longest-path"                  3 "longer paths between two reads may be stated step by step";
    ARRAYS_MAX_PATHS                "arrays.max-paths"                     2 "how many long paths between two reads are stated as they are";
    ARRAYS_RELEVANCE                "arrays.relevance"                     1 "whether lemmas about arrays are asked for all literals with a value (0), or for those that justify the formulas (1)";
    BOUNDS_MAX_EQUATIONS            "bounds.max-equations"                80 "the most equations from which bounds are derived in one call";
    BOUNDS_MAX_FORMS                "bounds.max-forms"                    20 "the most forms of an unknown from which bounds are derived";
    BOUNDS_MAX_LENGTH               "bounds.max-length"                   40 "the length of equations from which bounds are derived";
    CUTS_MAX_BITS                   "cuts.max-bits"                       40 "the most bits of a cut's numbers";
    CUTS_MAX_CUTS                   "cuts.max-cuts"                        4 "the most cuts that are added in one round";
    CUTS_MAX_LENGTH                 "cuts.max-length"                     30 "the length of rows and cuts";
    CUTS_ROUNDS                     "cuts.rounds"                          2 "the rounds of cuts in one call";
    DIOPHANTINE_MAX_BITS            "diophantine.max-bits"               200 "the bits of coefficients at which solving equations is given up";
    DIOPHANTINE_MAX_BOUNDS          "diophantine.max-bounds"              50 "the most bounds that are derived from equations in one call";
    DIOPHANTINE_MAX_EQUATIONS       "diophantine.max-equations"          150 "the most equations that are solved together";
    FINITE_MAX_COMBINATIONS         "finite.max-combinations"         20_000 "the most combinations of values that a quantified formula is evaluated for";
    FINITE_MAX_VALUES               "finite.max-values"                  256 "the most values of one bound variable that are tried";
    FINITE_MAX_VIOLATIONS           "finite.max-violations"               24 "the most violations of one quantified formula in a model that become instances";
    INDICES_LAST_GENERATION         "indices.last-generation"              1 "the largest generation of an index";
    INDICES_MAX_AT_ONCE             "indices.max-at-once"                 48 "the most instances by indices in one round";
    INDICES_MAX_INDICES             "indices.max-indices"                 24 "the most indices of one sort that bound variables stand for";
    INDICES_MAX_INSTANCES           "indices.max-instances"              600 "the most instances of one formula by indices";
    INSTANCES_LAST_GENERATION       "instances.last-generation"           24 "the largest generation of a term, where limits do not grow";
    INSTANCES_MATCH_STEPS           "instances.match-steps"           20_000 "the steps to find matches of one trigger in one round; may grow in need";
    INSTANCES_MAX_CONFLICTS         "instances.max-conflicts"              4 "the most instances that contradict the search which are stated in one round";
    INSTANCES_MAX_FALSE             "instances.max-false"                 16 "the most instances with a false literal left which are stated in one round";
    INSTANCES_MAX_KEPT              "instances.max-kept"                4000 "the most instances of one formula that are kept to choose from";
    INSTANCES_MAX_MATCHES           "instances.max-matches"             1000 "the most matches of one trigger in one round; may grow in need";
    INSTANCES_MAX_OPEN              "instances.max-open"                  48 "the most other instances that are stated in one round";
    INSTANCES_PATIENCE              "instances.patience"                   3 "after so many rounds with instances out of models, matching may go further";
    INSTANCES_SEARCH                "instances.search"                     2 "whether instances are looked for by matching alone (0), conflicting ones first (1), or equality-inducing ones before matching, too (2)";
    INTEGERS_MAX_DEPTH              "integers.max-depth"                  12 "the depth of derivations from derivations";
    INTEGERS_MAX_PATCHES            "integers.max-patches"                20 "the variables of a row that are tried to make a value whole";
    INTEGERS_MAX_TIGHTENED          "integers.max-tightened"             100 "the most bounds that rounding derives in one call";
    INTERPOLANTS_AT_ONCE            "interpolants.at-once"                 1 "1: the interpolants of a graph's nodes come from one proof, under assignments; 0: each has a problem of its own";
    INTERPOLANTS_LARGEST_SIMPLIFIED "interpolants.largest-simplified"  4_000 "interpolants with more nodes are not simplified";
    INTERPOLANTS_MAX_PROOFS         "interpolants.max-proofs"              3 "how many proofs are tried for interpolants of two formulas";
    MODELS_CONFLICTS                "models.conflicts"                20_000 "conflicts for one question about a model of quantified formulas";
    MODELS_VARIANTS                 "models.variants"                      8 "how many models are tried that differ in what functions are where nothing is known of them";
    OPTIMIZE_ROUNDS                 "optimize.rounds"                 10_000 "how many models are looked at for one greatest value";
    PRODUCTS_ROUNDS                 "products.rounds"                     24 "how often models that have a product of unknowns wrong are refined in one query";
    PROJECT_MAX_CANDIDATES          "project.max-candidates"              24 "how many terms are tried for a variable of words";
    RING_MAX_TERMS                  "ring.max-terms"                     512 "the most terms of an equation that are looked at for products";
    SEPARATE_MAX_MOVES              "separate.max-moves"                   4 "how often one bound of a separating formula is moved";
    SEPARATE_MAX_VALUED             "separate.max-valued"                 12 "how many cubes of a separating formula may have values of the model in them";
    SIMPLEX_BLAND_AFTER             "simplex.bland-after"                200 "the number of pivots in a check after which Bland's rule is followed";
    SIMPLIFY_MAX_CUBES              "simplify.max-cubes"                  64 "the most cubes that are compared with one another";
    SIMPLIFY_MAX_NODES              "simplify.max-nodes"               1_500 "nodes that simplifying a formula under what stands around them visits, and facts that it assumes";
    SIMPLIFY_MAX_PASSES             "simplify.max-passes"                  4 "how often one conjunction or disjunction is looked at again after it changed";
    SIMPLIFY_MAX_QUESTIONS          "simplify.max-questions"             400 "the most questions which parts of a formula are redundant";
    SIMPLIFY_MAX_ROUNDS             "simplify.max-rounds"                  4 "how often the passes of simplification are repeated";
    TRIGGERS_MAX_TRIGGERS           "triggers.max-triggers"                4 "the most triggers of one quantifier";
    TRIGGERS_MAX_WEIGHT             "triggers.max-weight"                  8 "the largest weight of a trigger: instances have to come into reach some time";
    WORDS_MAX_NAMES                 "words.max-names"                      4 "how many ways to say a gate in words are remembered";
}
