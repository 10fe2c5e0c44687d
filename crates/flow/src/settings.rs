//! The settings of the engines for flows, in one table.

use alphorn_setting::settings;

settings! {
    RANK_HORN_TICKS "rank.horn-ticks" 600_000 "the ticks for one question to engines for clauses";
    RANK_LP_TICKS "rank.lp-ticks" 5_000_000 "the ticks for one linear program";
    RANK_MAX_CASES "rank.max-cases" 24 "how many ways to tell cases apart are tried for one level";
    RANK_MAX_DEPTH "rank.max-depth" 3 "how many functions a nested rank may have";
    RANK_MAX_ROUNDS "rank.max-rounds" 100 "how often a candidate for a level is refined";
    RANK_MAX_UNION "rank.max-union" 16 "how many functions the union of one cut point may have";
    RANK_MAX_WISHES "rank.max-wishes" 30 "how many invariants are wished for before a rank is given up";
    RANK_SEED_TICKS "rank.seed-ticks" 2_000_000 "the ticks for invariants to begin with";
    RANK_WISH_TICKS "rank.wish-ticks" 2_000_000 "the ticks for invariants on demand, for each level";
}
