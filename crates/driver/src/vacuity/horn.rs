//! Horn clauses that cannot lead to a query.
//!
//! A clause can apply if its body has a model when the predicates that can have facts hold anywhere and the
//! others nowhere; a predicate can have facts if a clause that can apply concludes it. This is an
//! over-approximation, so a query that cannot apply is never reached. The reasons are read off
//! backwards: bodies without a model, and predicates that no clause concludes.

use super::{Found, Questions};
use crate::settings::VACUITY_MAX_TERMS;
use alphorn_front::{Code, Diagnostic};
use alphorn_problem::horn::{Clause, ClauseId, Head, PredId};
use alphorn_problem::{Horn, Span};
use alphorn_term::Substitution;
use alphorn_term::{Store, TermId};

/// The most reasons that are told.
const MAX_REASONS: usize = 3;

/// Whether no query can be reached, and which cannot.
pub(super) fn look(horn: &Horn, source: &[u8]) -> Found {
    let queries: Vec<ClauseId> =
        horn.clauses().filter(|(_, c)| c.head == Head::False).map(|(id, _)| id).collect();
    if queries.is_empty() {
        let message =
            "the clauses have no query: no clause concludes false, so nothing can go wrong";
        return Found::vacuous(Span::NONE, message.to_owned());
    }
    if horn.terms.len() > VACUITY_MAX_TERMS.size() {
        return Found::default();
    }
    let mut search = Search::new(horn, source);
    search.saturate();
    let dead: Vec<ClauseId> = queries.iter().copied().filter(|id| !search.fires(*id)).collect();
    let mut found = Found { is_vacuous: dead.len() == queries.len(), warnings: Vec::new() };
    for query in dead {
        for (clause, why) in search.reasons(query) {
            let what = match queries.len() {
                1 => "the query cannot be reached".to_owned(),
                _ => format!("the query {} cannot be reached", search.title(query)),
            };
            let message = format!("{what}: {why}");
            let span = horn.clause(clause).span;
            let warning = Diagnostic::warning(Code::Vacuous, span, message);
            if found.warnings.len() < MAX_REASONS && !found.warnings.contains(&warning) {
                found.warnings.push(warning);
            }
        }
    }
    found
}

/// Whether a program asks nothing. A query that cannot fire is no mistake there: it is a check that holds on
/// its path.
pub(super) fn look_at_program(horn: &Horn) -> Found {
    if horn.clauses().any(|(_, clause)| clause.head == Head::False) {
        return Found::default();
    }
    let message = "nothing is left to prove: the program makes no check, or each holds by itself";
    let warning = Diagnostic::warning(Code::Vacuous, Span::NONE, message);
    Found { is_vacuous: false, warnings: vec![warning] }
}

struct Search<'a> {
    horn: &'a Horn,
    source: &'a [u8],
    store: Store,
    questions: Questions,
    /// Whether a predicate can have facts.
    derivable: Vec<bool>,
}

impl Search<'_> {
    fn new<'a>(horn: &'a Horn, source: &'a [u8]) -> Search<'a> {
        let derivable = vec![false; horn.preds.len()];
        let store = horn.terms.clone();
        Search { horn, source, store, questions: Questions::new(), derivable }
    }

    /// Finds the predicates that can have facts. Each round asks about clauses whose predicates may hold
    /// now; a body that was refuted with the same predicates is not asked about again.
    fn saturate(&mut self) {
        let bodies: Vec<Vec<PredId>> = self.horn.clauses.iter().map(|c| self.preds(c)).collect();
        let mut is_refuted = vec![false; bodies.len()];
        loop {
            let mut has_changed = false;
            for (index, (id, clause)) in self.horn.clauses().enumerate() {
                let Head::Atom(pred, _) = clause.head else { continue };
                if self.derivable[pred.index()] || is_refuted[index] {
                    continue;
                }
                if self.fires(id) {
                    self.derivable[pred.index()] = true;
                    has_changed = true;
                } else {
                    let mut all = bodies[index].iter();
                    is_refuted[index] = all.all(|pred| self.derivable[pred.index()]);
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    fn preds(&self, clause: &Clause) -> Vec<PredId> {
        let atoms = self.horn.atoms(clause.body);
        let mut preds: Vec<PredId> = atoms.into_iter().filter_map(|a| self.horn.atom(a)).collect();
        preds.sort_unstable();
        preds.dedup();
        preds
    }

    /// The body with each atom of a predicate that `holds` true, and the others false.
    fn body(&mut self, clause: ClauseId, holds: impl Fn(PredId) -> bool) -> TermId {
        let body = self.horn.clause(clause).body;
        let mut map = Substitution::default();
        for atom in self.horn.atoms(body) {
            if let Some(pred) = self.horn.atom(atom) {
                map.insert(atom, if holds(pred) { TermId::TRUE } else { TermId::FALSE });
            }
        }
        self.store.substitute(body, &map)
    }

    /// Whether a clause can apply, as far as is known.
    fn fires(&mut self, clause: ClauseId) -> bool {
        let derivable = self.derivable.clone();
        let body = self.body(clause, |pred| derivable[pred.index()]);
        !self.questions.refutes(&mut self.store, body)
    }

    /// A clause as messages name it.
    fn title(&self, clause: ClauseId) -> String {
        let Clause { name, span, .. } = self.horn.clause(clause);
        let name = name.as_ref().map_or(String::new(), |name| format!(" {name}"));
        let before = self.source.get(..span.start as usize).filter(|_| *span != Span::NONE);
        let place = before.map_or(String::new(), |before| {
            format!(" (line {})", 1 + before.iter().filter(|byte| **byte == b'\n').count())
        });
        format!("clause {}{name}{place}", clause.0)
    }

    /// Why a query is not reached: clauses, and what about them.
    fn reasons(&mut self, query: ClauseId) -> Vec<(ClauseId, String)> {
        let mut reasons: Vec<(ClauseId, String)> = Vec::new();
        let mut seen = vec![false; self.horn.preds.len()];
        let mut open: Vec<ClauseId> = vec![query];
        while let Some(clause) = open.pop() {
            let body = self.body(clause, |_| true);
            if self.questions.refutes(&mut self.store, body) {
                let title = self.title(clause);
                let so = match &self.horn.clause(clause).head {
                    Head::False => String::new(),
                    Head::Atom(pred, _) => format!(", so it gives {} no facts", self.name(*pred)),
                };
                reasons.push((clause, format!("nothing satisfies the body of {title}{so}")));
                continue;
            }
            for pred in self.preds(self.horn.clause(clause)) {
                if self.derivable[pred.index()] || std::mem::replace(&mut seen[pred.index()], true)
                {
                    continue;
                }
                let concludes = |c: &Clause| matches!(c.head, Head::Atom(p, _) if p == pred);
                let all: Vec<ClauseId> =
                    self.horn.clauses().filter(|(_, c)| concludes(c)).map(|(id, _)| id).collect();
                if all.is_empty() {
                    let title = self.title(clause);
                    let why =
                        format!("no clause concludes {}, which {title} needs", self.name(pred));
                    reasons.push((clause, why));
                }
                open.extend(all);
            }
        }
        if reasons.is_empty() {
            let needs = self.preds(self.horn.clause(query));
            let dead = needs.into_iter().find(|pred| !self.derivable[pred.index()]);
            let why = match dead {
                Some(pred) => format!("no fact leads to {}", self.name(pred)),
                None => "its body never holds".to_owned(),
            };
            reasons.push((query, why));
        }
        reasons.sort();
        reasons
    }

    fn name(&self, pred: PredId) -> String {
        self.horn.pred_name(pred).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_front::smtlib;

    /// Whether all is vacuous, and what is said.
    fn found(clauses: &str) -> (bool, Vec<String>) {
        let text = format!(
            "(set-logic HORN)\n(declare-fun P (Int) Bool)\n(declare-fun Q (Int) Bool)\n{clauses}\n(check-sat)\n"
        );
        let horn = smtlib::read(text.as_bytes()).0.expect("a system").horn;
        let found = look(&horn, text.as_bytes());
        (found.is_vacuous, found.warnings.into_iter().map(|warning| warning.message).collect())
    }

    const QUERY: &str = "(assert (forall ((x Int)) (=> (and (P x) (> x 5)) false)))";
    const STEP: &str = "(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))";

    #[test]
    fn contradictory_facts_are_named() {
        let fact = "(assert (forall ((x Int)) (=> (and (= x 0) (= x 1)) (P x))))";
        let (is_vacuous, said) = found(&format!("{fact}\n{STEP}\n{QUERY}"));
        assert!(is_vacuous);
        let expected = "the query cannot be reached: nothing satisfies the body of clause 0 (line 4), \
                        so it gives P no facts";
        assert_eq!(said, [expected]);
    }

    #[test]
    fn no_query_and_no_facts_are_named() {
        let (is_vacuous, said) = found("(assert (P 0))");
        assert!(is_vacuous && said[0].contains("no query"), "{said:?}");
        let (is_vacuous, said) = found(&format!("{STEP}\n{QUERY}"));
        assert!(is_vacuous);
        assert_eq!(said, ["the query cannot be reached: no fact leads to P"]);
        let (is_vacuous, said) = found(QUERY);
        assert!(is_vacuous && said[0].contains("no clause concludes P"), "{said:?}");
    }

    #[test]
    fn a_query_that_contradicts_itself_is_named_and_others_are_not() {
        let dead = "(assert (forall ((x Int)) (=> (and (P x) (> x 5) (< x 5)) false)))";
        let (is_vacuous, said) = found(&format!("(assert (P 0))\n{dead}\n{QUERY}"));
        assert!(!is_vacuous);
        let expected = "the query clause 1 (line 5) cannot be reached: nothing satisfies the body of \
                        clause 1 (line 5)";
        assert_eq!(said, [expected]);
    }

    #[test]
    fn what_may_happen_is_not_reported() {
        assert_eq!(found(&format!("(assert (P 0))\n{STEP}\n{QUERY}")), (false, Vec::new()));
        // Never reached, but only an invariant shows it.
        assert_eq!(found(&format!("(assert (P 0))\n{QUERY}")), (false, Vec::new()));
        let other = "(assert (forall ((x Int)) (=> (or (Q x) (= x 0)) (P x))))";
        assert_eq!(found(&format!("{other}\n{QUERY}")), (false, Vec::new()));
    }
}
