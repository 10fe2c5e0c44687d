//! The settings of turns, rounds, exchange and small subsets, in one table.

use alphorn_setting::settings;

settings! {
    EXCHANGE_MAX_LEMMAS  "exchange.max-lemmas"        4_000      "the most lemmas that are kept for other engines";
    MINIMUM_MAX_TICKS    "minimum.max-ticks"     15_000_000      "ticks for the search for a smallest subset";
    ROUNDS_PROOF         "rounds.proof"                   4 >= 1 "how many slices the proof of what was found may take where engines run in rounds";
    ROUNDS_SHORTEST      "rounds.shortest"               20 >= 1 "the slice of an engine of weight 1 in the first round, in milliseconds";
    TURNS_LONGEST        "turns.longest"                200 >= 1 "the longest slice of time, in milliseconds";
    TURNS_PART           "turns.part"                     8 >= 1 "a slice is the time that an engine has had so far, divided by this";
    TURNS_PATIENCE       "turns.patience"                 2      "how long an engine may go without ticking before its place is given away, in longest slices";
    TURNS_PROOF          "turns.proof"                    8 >= 1 "how many times its share of the time an engine has for the proof of what it found, where turns go by the clock";
    TURNS_PROOF_PATIENCE "turns.proof-patience"          20 >= 1 "how many times as long it may go without ticking, at most, while a proof is written";
    TURNS_SHORTEST       "turns.shortest"                10 >= 1 "the first slice of time, in milliseconds";
}
