//! The settings of the engines for flows, in one table.

use alphorn_setting::settings;

settings! {
    RANK_HORN_TICKS "rank.horn-ticks" 3_000_000 "the ticks for one question about a union";
    RANK_LP_TICKS "rank.lp-ticks" 5_000_000 "the ticks for one linear program";
    RANK_MAX_CASES "rank.max-cases" 24 "how many ways to tell cases apart are tried for one level";
    RANK_MAX_DEPTH "rank.max-depth" 3 "how many functions a nested rank may have";
    RANK_MAX_ROUNDS "rank.max-rounds" 100 "how often a candidate for a level is refined";
    RANK_MAX_UNION "rank.max-union" 16 "how many functions the union of one cut point may have";
    RANK_MAX_WISHES "rank.max-wishes" 12 "how many invariants are wished for before a rank is given up";
    RANK_SEED_TICKS "rank.seed-ticks" 2_000_000 "the ticks for invariants to begin with";
    RANK_WISH_TICKS "rank.wish-ticks" 2_000_000 "the ticks for invariants on demand, for each level";
    RECUR_CHOSEN_ROUNDS "recur.chosen-rounds" 3 >= 1 "how many rounds choices for what is open must be good for";
    RECUR_CYCLE_STEPS "recur.cycle-steps" 40_000 "the steps of the search for cycles";
    RECUR_FOLLOWED_ROUNDS "recur.followed-rounds" 2 "how many rounds must be possible after the first where runs are followed";
    RECUR_LONG_STEPS "recur.long-steps" 2_500 "how long simulated runs are that should come to sets";
    RECUR_MAX_ADDED "recur.max-added" 5 "how often a set of states is strengthened";
    RECUR_MAX_AHEAD "recur.max-ahead" 24 "how many moves ahead are looked at for a greatest set";
    RECUR_MAX_BACK "recur.max-back" 3 "how many earlier states of a path its last one is compared with";
    RECUR_MAX_COMPARED "recur.max-compared" 10 "how many variables are compared with each other in guesses";
    RECUR_MAX_CONFLICTS "recur.max-conflicts" 500 "the conflicts of one question to the solver";
    RECUR_MAX_CUBES "recur.max-cubes" 12 >= 1 "how many conjunctions a transition is cut into";
    RECUR_MAX_CYCLES "recur.max-cycles" 160 "how many simple cycles are looked at";
    RECUR_MAX_EFFORT "recur.max-effort" 4 "how often more effort is made for sets that nobody has come to";
    RECUR_MAX_FACTORS "recur.max-factors" 6 "how many variables of products have their signs guessed";
    RECUR_MAX_FORMULA "recur.max-formula" 600 "the largest formula for moves ahead, in different terms";
    RECUR_MAX_FOUND "recur.max-found" 4 "how many sets of one round are handed out";
    RECUR_MAX_GIVEN_UP "recur.max-given-up" 12 "how many moves are given up that lead to where none is left";
    RECUR_MAX_LEAN "recur.max-lean" 24 "how many literals may be in a set that loses needless ones";
    RECUR_MAX_LITERAL "recur.max-literal" 120 "the largest literal that is added to a set, in different terms";
    RECUR_MAX_MOVES "recur.max-moves" 4 "how many moves one edge becomes when several cycles are looked at";
    RECUR_MAX_ROUNDS "recur.max-rounds" 40 "how many rounds a run is followed for guesses";
    RECUR_MAX_ROWS "recur.max-rows" 3 "how many inequalities with unknown numbers a set may have";
    RECUR_MAX_RUNS "recur.max-runs" 16 "how many runs are simulated";
    RECUR_MAX_SETS "recur.max-sets" 48 "how many sets are looked at for one way to go round";
    RECUR_MAX_STEMS "recur.max-stems" 400 "how many paths from the starts are kept";
    RECUR_MAX_TERMS "recur.max-terms" 8 "how many terms may be chosen for one open variable";
    RECUR_MAX_UNREACHED "recur.max-unreached" 24 "how many sets are kept that nobody has come to";
    RECUR_MAX_WAYS "recur.max-ways" 8 "how many ways to go round one cycle are tried";
    RECUR_MIN_ROUNDS "recur.min-rounds" 8 >= 1 "how many rounds a run must go for guesses";
    RECUR_REACH_TICKS "recur.reach-ticks" 400_000 "the ticks for one question whether runs come to a set";
    RECUR_RUN_STEPS "recur.run-steps" 250 "how long simulated runs are";
    RECUR_RUN_TRIES "recur.run-tries" 3 "how often values for what is open are drawn";
    RECUR_SAFETY_TICKS "recur.safety-ticks" 1_000_000 "the ticks for one question whether moves come to where none is left";
    RECUR_SKIPPED_ROUNDS "recur.skipped-rounds" 3 "how many rounds pass before states are taken for guesses";
    RECUR_STEMS_AT_ONE "recur.stems-at-one" 12 "how many paths from the starts are kept that end at one location";
    RECUR_TEMPLATE_GUARD "recur.template-guard" 12 "how many rows a guard may have for inequalities with unknown numbers";
    RECUR_TEMPLATE_VARS "recur.template-vars" 8 "how many variables there may be for inequalities with unknown numbers";
    RECUR_WALKS "recur.walks" 4 "how many walks with the solver there are where transitions have many cases";
    RECUR_WALK_BACK "recur.walk-back" 64 "how many earlier states of a walk its last one is compared with";
    RECUR_WALK_STEPS "recur.walk-steps" 150 "how long walks with the solver are";
}
