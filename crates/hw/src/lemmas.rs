//! What other engines proved about latches, as lemmas of an engine that works on the cone.
//!
//! Clauses come from an exchange and speak about the circuit that all engines are given; those that
//! mention only latches of the cone are put into its variables. None is believed. A clause that a first
//! state violates goes; of the others those go that a step can violate from a state in which all hold,
//! until none does. What is left is inductive together with what was kept before, as certificates ask of
//! lemmas. As long as nobody tells anything there is no work.
//!
//! Invariant: the clauses kept are inductive together.
//!
//! The trial is Houdini's (Flanagan, Leino, FME 2001).

use crate::bmc::unroll::{Start, Unrolling};
use crate::settings::LEMMAS_LONGEST;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use rustc_hash::FxHashMap;

/// The lemmas, and what it takes to try others.
pub(crate) struct Lemmas<'a> {
    circuit: &'a Circuit,
    /// By variable of a latch in the circuit given: its variable in the cone.
    images: FxHashMap<u32, u32>,
    trial: Option<Trial<'a>>,
    kept: Vec<Vec<Lit>>,
}

/// The first step of all runs, and two steps of any.
struct Trial<'a> {
    first: Unrolling<'a>,
    pair: Unrolling<'a>,
}

impl<'a> Lemmas<'a> {
    /// No lemmas about a circuit whose latches have these variables elsewhere.
    pub(crate) fn new(circuit: &'a Circuit, names: &[u32]) -> Lemmas<'a> {
        let latches = (0..circuit.latches.len()).map(|index| circuit.latch(index).var());
        let images = names.iter().copied().zip(latches).collect();
        Lemmas { circuit, images, trial: None, kept: Vec::new() }
    }

    /// All lemmas.
    pub(crate) fn kept(&self) -> &[Vec<Lit>] {
        &self.kept
    }

    /// Takes in what others have told, as far as it is inductive; returns what was added.
    pub(crate) fn take_news(&mut self, ctx: &mut Ctx<'_>) -> Result<&[Vec<Lit>], Stop> {
        let before = self.kept.len();
        let news = ctx.news::<Circuit>();
        let mut tried: Vec<Vec<Lit>> = Vec::new();
        for clause in news.iter().filter_map(|clause| self.shrink(clause)) {
            if !self.kept.contains(&clause) {
                tried.push(clause);
            }
        }
        if !tried.is_empty() {
            let inductive = self.trial()?.inductive(tried, ctx)?;
            self.kept.extend(inductive);
        }
        Ok(&self.kept[before..])
    }

    /// The clause in the variables of the cone, if it is one about its latches that says something.
    fn shrink(&self, clause: &[Lit]) -> Option<Vec<Lit>> {
        let image = |lit: &Lit| {
            let var = self.images.get(&lit.var())?;
            Some(Lit::new(*var, lit.is_negated()))
        };
        let mut shrunk: Vec<Lit> = clause.iter().map(image).collect::<Option<_>>()?;
        shrunk.sort_unstable();
        shrunk.dedup();
        let is_true = shrunk.windows(2).any(|pair| pair[0] == !pair[1]);
        (!is_true && (1..=LEMMAS_LONGEST.size()).contains(&shrunk.len())).then_some(shrunk)
    }

    /// The steps in which clauses are tried.
    fn trial(&mut self) -> Result<&mut Trial<'a>, Stop> {
        if self.trial.is_none() {
            let mut first = Unrolling::new(self.circuit, Start::Reset);
            let mut pair = Unrolling::new(self.circuit, Start::Any);
            first.step(0)?;
            pair.step(0)?;
            pair.step(1)?;
            self.trial = Some(Trial { first, pair });
        }
        Ok(self.trial.as_mut().expect("it was made"))
    }
}

impl Trial<'_> {
    /// The largest part of the clauses that, with what is known to hold, is inductive; from here on it
    /// is known.
    fn inductive(
        &mut self,
        clauses: Vec<Vec<Lit>>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Vec<Lit>>, Stop> {
        let mut tried = Vec::with_capacity(clauses.len());
        for clause in clauses {
            if !self.first.violates(&clause, ctx)? {
                tried.push(clause);
            }
        }
        loop {
            self.pair.try_lemmas(&tried);
            let count = tried.len();
            let mut kept = Vec::with_capacity(count);
            for clause in tried {
                if !self.pair.violates(&clause, ctx)? {
                    kept.push(clause);
                }
            }
            tried = kept;
            if tried.len() == count {
                break;
            }
        }
        self.pair.keep_lemmas(&tried);
        Ok(tried)
    }
}
