//! The settings of whole runs, in one table.

use alphorn_setting::settings;

settings! {
    BROKEN_MAX_TRIES    "broken.max-tries"           512      "how many valuations are tried for a clause of a model that may be false";
    BROKEN_MAX_VALUES   "broken.max-values"           24      "how many values there are to try for a sort";
    BROKEN_TICKS        "broken.ticks"        16_777_216      "ticks for the search for a clause of a model that is false";
    HINTS_MAX_LEARNED   "hints.max-learned"        1_000      "the most lemmas of other runs that engines begin with; the last ones are taken";
    HINTS_MAX_TICKS     "hints.max-ticks"      4_000_000      "ticks for the trial of what an earlier run learned";
    HINTS_MAX_TRIED     "hints.max-tried"            100      "the most lemmas of other runs that are tried before the transforms, the last ones";
    JOURNAL_MAX_LINES   "journal.max-lines"       20_000      "the most lemmas of one run that a journal gets";
    JOURNAL_PERIOD      "journal.period"           2_000 >= 1 "how often a journal is written, in milliseconds";
    JOURNAL_PERIOD_LIVE "journal.period-live"        100 >= 1 "how often processes hear of each other, in milliseconds";
    PROGRAMS_RUNS_TICKS "programs.runs-ticks" 10_000_000      "ticks that a program is run for before its clauses are looked at";
    PROGRAMS_WAY_TICKS  "programs.way-ticks"  60_000_000      "ticks for one way to make clauses of threads, if there is another one and no limit on time";
    SEVERAL_ADOPTION    "several.adoption"        20_000      "ticks for the question whether a known invariant proves a property";
    SEVERAL_ROUNDS      "several.rounds"               8      "how many rounds of doubling slices there are about, before the last";
    SEVERAL_SHORTEST    "several.shortest"            50 >= 1 "the shortest slice of time for one property, in milliseconds";
    SEVERAL_TOGETHER    "several.together"             8 >= 1 "the part of the time, one in so many, in which properties are asked together";
    VACUITY_CONFLICTS   "vacuity.conflicts"          200      "conflicts for one question whether a problem is vacuous";
    VACUITY_MAX_TERMS   "vacuity.max-terms"      100_000      "larger problems are not looked at, in terms or gates: the answer must not wait";
    VACUITY_MAX_TICKS   "vacuity.max-ticks"      200_000      "ticks for all questions about a problem";
    VACUITY_TICKS       "vacuity.ticks"           20_000      "ticks for one question";
}
