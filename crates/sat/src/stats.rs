//! What a solver counts.
//!
//! Ticks estimate cache lines touched; they are what effort limits are made of, because they grow
//! with time but are the same on every machine.

macro_rules! stats {
    ($($field:ident $about:literal;)*) => {
        /// Counters since the solver was made.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Stats {
            $(#[doc = $about] pub $field: u64,)*
        }

        impl Stats {
            /// The counters with their names.
            pub fn entries(&self) -> impl Iterator<Item = (&'static str, u64)> + use<> {
                [$((stringify!($field), self.$field),)*].into_iter()
            }
        }
    };
}

stats! {
    solves         "Calls of `solve`.";
    conflicts      "Conflicts met in search.";
    decisions      "Decisions, assumptions included.";
    propagations   "Literals propagated in search.";
    ticks          "Estimated cache lines touched by propagation.";
    restarts       "Restarts.";
    reused_levels  "Levels that restarts and calls kept.";
    rephased       "Times the saved phases were reset.";
    switched       "Changes of mode.";
    chrono         "Conflicts after which a long jump was not made.";
    chrono_implied "Conflicts that implied a literal a level earlier.";
    learned        "Learned clauses.";
    literals       "Literals of learned clauses before minimisation.";
    minimized      "Literals removed from learned clauses.";
    shrunken       "Those for which one literal of their level stands.";
    reductions     "Reductions of learned clauses.";
    reduced        "Learned clauses deleted by reductions.";
    collections    "Garbage collections.";
    fixed          "Variables fixed for good.";
    inprocessings  "Rounds of simplification.";
    simplify_ticks "Ticks spent on simplification.";
    probed         "Literals probed.";
    failed         "Literals whose propagation failed.";
    vivified       "Clauses tried by vivification.";
    strengthened   "Learned clauses shortened by vivification.";
    shortened      "Clauses of the formula shortened by vivification.";
    implied        "Clauses removed by vivification.";
    subsumed       "Clauses removed by subsumption.";
    self_subsumed  "Literals removed by subsumption.";
    forward_subsumed  "Clauses removed by forward subsumption.";
    forward_shortened "Literals removed by forward subsumption.";
    gates          "Definitions found by elimination.";
    eliminated     "Variables eliminated.";
    restored       "Eliminated variables that came back.";
    substituted    "Variables replaced by equivalent ones.";
    trimmed        "Times the proof was trimmed.";
    lost_proofs    "Proofs given up because they outgrew their limit.";
    lemmas         "Lemmas from the theory.";
}
