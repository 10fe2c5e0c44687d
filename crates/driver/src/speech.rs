//! Lemmas of the problem that engines are given, as lines about the problem as read, and back.
//!
//! About Horn clauses: through the transforms as hints go (`Passage`), then as text over declared predicates.
//! About circuits: by what each latch was before the transforms, then by names; a latch without a name is `@`
//! and its number.

use crate::settings::HINTS_MAX_LEARNED;
use alphorn_engine::{Back, Ctx};
use alphorn_front::lemma_text::{LemmaText, each, read_lemmas, write_lemmas};
use alphorn_horn::Passage;
use alphorn_hw::transform::origins;
use alphorn_problem::circuit::Lit;
use alphorn_problem::hint::{Hint, HintKind};
use alphorn_problem::horn::PredId;
use alphorn_problem::lemma::{HornLemma, LatchClause};
use alphorn_problem::{Circuit, Horn, Problem};
use alphorn_report::journal::{Holds, Line};
use alphorn_term::{Store, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How lemmas of a problem of type `S` are said in lines.
pub(crate) trait Speech<S: Problem>: Send + Sync {
    /// The lines that say a lemma, for each of them.
    fn say(&self, lemmas: &[(&S::Lemma, &str, Holds)]) -> Vec<Line>;

    /// What lines say, as lemmas to be tried.
    fn understand(&self, lines: &[Line]) -> Vec<S::Lemma>;
}

/// The speech about a Horn system that was simplified.
pub(crate) struct HornSpeech {
    pub(crate) original: Arc<Horn>,
    pub(crate) passage: Passage,
}

impl Speech<Horn> for HornSpeech {
    fn say(&self, lemmas: &[(&HornLemma, &str, Holds)]) -> Vec<Line> {
        let own: Vec<HornLemma> = lemmas.iter().map(|(lemma, ..)| (*lemma).clone()).collect();
        let carried = self.passage.back(&own);
        let mut store = self.original.terms.clone();
        let (mut said, mut about) = (Vec::new(), Vec::new());
        for (carried, (_, by, holds)) in carried.iter().zip(lemmas) {
            for lemma in carried.iter().filter(|lemma| lemma.is_formula()) {
                said.extend(over_params(&self.original, &mut store, lemma));
                about.resize(said.len(), (*by, *holds));
            }
        }
        let texts = write_lemmas(&self.original, &store, &said);
        texts.into_iter().zip(about).map(|(text, (by, holds))| line(text, by, holds)).collect()
    }

    fn understand(&self, lines: &[Line]) -> Vec<HornLemma> {
        let (hints, _) = horn_hints(&self.original, lines);
        hints.iter().flat_map(|hint| self.passage.forward(hint)).collect()
    }
}

/// A line about a predicate.
pub(crate) fn line(text: LemmaText, by: &str, holds: Holds) -> Line {
    let LemmaText { pred, params, formula } = text;
    Line::Lemma { lemma: pred, params, formula, by: by.to_owned(), holds }
}

/// A lemma over parameters with plain names.
fn over_params(
    horn: &Horn,
    store: &mut Store,
    lemma: &HornLemma,
) -> Option<(PredId, Vec<TermId>, TermId)> {
    let sorts = horn.pred_args(lemma.pred).iter().enumerate();
    let params: Vec<TermId> =
        sorts.map(|(place, &sort)| store.var(&format!("x{place}"), sort)).collect();
    let formula = lemma.read(store, &params)?;
    Some((lemma.pred, params, formula))
}

/// What lines say of the predicates of a system, as hints; first what is said to hold for good, with how many
/// these are.
pub(crate) fn horn_hints(horn: &Horn, lines: &[Line]) -> (Vec<HornLemma>, usize) {
    let (mut for_good, mut so_far) = (Vec::new(), Vec::new());
    for line in distinct(lines) {
        let Line::Lemma { lemma, params, formula, holds, .. } = line else { continue };
        let (pred, params, formula) = (lemma.clone(), params.clone(), formula.clone());
        let part = if *holds == Holds::Always { &mut for_good } else { &mut so_far };
        part.push(LemmaText { pred, params, formula });
    }
    // What was told last is nearest to an answer. Whoever tells more costs no more.
    let read = |texts: &[LemmaText]| -> Vec<HornLemma> {
        let texts = &texts[texts.len().saturating_sub(HINTS_MAX_LEARNED.size())..];
        let read = read_lemmas(horn, texts);
        let lemma = |(store, hint): (&Store, &Hint)| {
            HornLemma::of_hint(store, hint.pred, &hint.params, hint.term, HintKind::Formula)
        };
        each(&read).filter_map(lemma).collect()
    };
    let mut hints = read(&for_good);
    let count = hints.len();
    hints.extend(read(&so_far));
    (hints, count)
}

/// The speech about a circuit that was simplified.
pub(crate) struct CircuitSpeech {
    original: Arc<Circuit>,
    names: Vec<String>,
    places: BTreeMap<String, usize>,
    /// What each latch of the small circuit was.
    origins: Vec<Lit>,
    /// The first variable of a latch of the small circuit.
    first: u32,
}

impl CircuitSpeech {
    /// The speech about what `back` leads back from, if latches are still something.
    pub(crate) fn new(
        original: &Arc<Circuit>,
        small: &Circuit,
        back: &Back<Circuit, Circuit>,
        ctx: &mut Ctx<'_>,
    ) -> Option<CircuitSpeech> {
        let latches: Vec<Lit> = (0..small.latches.len()).map(|index| small.latch(index)).collect();
        let origins = origins(&latches, back, ctx)?;
        let first = latches.first()?.var();
        let names = names(original);
        let places = names.iter().cloned().zip(0..).collect();
        Some(CircuitSpeech { original: Arc::clone(original), names, places, origins, first })
    }

    fn named(&self, lit: Lit) -> Option<String> {
        let place = lit.var().checked_sub(self.original.latch(0).var())? as usize;
        let name = self.names.get(place)?;
        Some(if lit.is_negated() { format!("-{name}") } else { name.clone() })
    }
}

/// The names of latches, each once.
fn names(circuit: &Circuit) -> Vec<String> {
    let mut names = vec![String::new(); circuit.latches.len()];
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let latches = || circuit.symbols.entries.iter().filter(|(kind, ..)| *kind == b'l');
    for (_, _, name) in latches() {
        *counts.entry(name).or_default() += 1;
    }
    for (_, place, name) in latches() {
        let is_plain = counts[name.as_str()] == 1 && !name.starts_with(['@', '-']);
        if let Some(own) = names.get_mut(*place as usize).filter(|_| is_plain) {
            own.clone_from(name);
        }
    }
    for (place, name) in names.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
        *name = format!("@{place}");
    }
    names
}

impl Speech<Circuit> for CircuitSpeech {
    fn say(&self, lemmas: &[(&LatchClause, &str, Holds)]) -> Vec<Line> {
        let mut lines = Vec::new();
        for (clause, by, holds) in lemmas {
            let origin = |lit: &Lit| {
                let place = lit.var().checked_sub(self.first)? as usize;
                self.named(self.origins.get(place)?.xor(lit.is_negated()))
            };
            let clause: Option<Vec<String>> = clause.iter().map(origin).collect();
            let by = (*by).to_owned();
            lines.extend(clause.map(|clause| Line::Clause { clause, by, holds: *holds }));
        }
        lines
    }

    fn understand(&self, lines: &[Line]) -> Vec<LatchClause> {
        let mut images: BTreeMap<u32, Lit> = BTreeMap::new();
        for (origin, place) in self.origins.iter().zip(0..) {
            images.insert(origin.var(), Lit::new(self.first + place, origin.is_negated()));
        }
        let clauses = circuit_clauses(&self.original, &self.places, lines);
        let image = |lit: &Lit| images.get(&lit.var()).map(|image| image.xor(lit.is_negated()));
        clauses.iter().filter_map(|clause| clause.iter().map(image).collect()).collect()
    }
}

/// What lines say of the latches of a circuit, whose places are known by name.
fn circuit_clauses(
    circuit: &Circuit,
    places: &BTreeMap<String, usize>,
    lines: &[Line],
) -> Vec<Vec<Lit>> {
    let lit = |name: &String| {
        let (name, is_negated) =
            name.strip_prefix('-').map_or((name.as_str(), false), |n| (n, true));
        Some(circuit.latch(*places.get(name)?).xor(is_negated))
    };
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    for line in distinct(lines) {
        if let Line::Clause { clause, .. } = line {
            clauses.extend(clause.iter().map(lit).collect::<Option<Vec<Lit>>>());
        }
    }
    clauses
}

/// A clause over the latches of a circuit, as a line.
pub(crate) fn clause_lines(circuit: &Circuit, clauses: &[Vec<Lit>], by: &str) -> Vec<Line> {
    let names = names(circuit);
    let first = circuit.latch(0).var();
    let named = |lit: &Lit| {
        let name = names.get(lit.var().checked_sub(first)? as usize)?;
        Some(if lit.is_negated() { format!("-{name}") } else { name.clone() })
    };
    let clause = |clause: &Vec<Lit>| clause.iter().map(named).collect::<Option<Vec<String>>>();
    let line = |clause| Line::Clause { clause, by: by.to_owned(), holds: Holds::Always };
    clauses.iter().filter_map(clause).map(line).collect()
}

/// The strongest of lines that say the same, in the order in which they were first said.
fn distinct(lines: &[Line]) -> Vec<&Line> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut kept: Vec<&Line> = Vec::new();
    for line in lines {
        let key = match line {
            Line::Lemma { lemma, params, formula, .. } => {
                format!("{lemma} {} {formula}", params.join(" "))
            }
            Line::Clause { clause, .. } => clause.join(" "),
            _ => continue,
        };
        match places.get(&key) {
            Some(&at) if strength(line) > strength(kept[at]) => kept[at] = line,
            Some(_) => {}
            None => {
                places.insert(key, kept.len());
                kept.push(line);
            }
        }
    }
    kept
}

/// How far a line says that something holds.
fn strength(line: &Line) -> Option<Holds> {
    match line {
        Line::Lemma { holds, .. } | Line::Clause { holds, .. } => Some(*holds),
        _ => None,
    }
}
