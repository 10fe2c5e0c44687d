//! A Horn system as rules, for searches that keep the variables of every step.
//!
//! Each clause becomes a *rule*: its body with every atom replaced by a truth value, "this atom is
//! used", which is plainly true where the atom is a conjunct. So a body with atoms under
//! disjunctions is one rule and is never multiplied out. Queries are rules without a head.
//!
//! Predicates have formal parameters; annotations are over these. Rules of predicates that no query
//! depends on are left out, since such predicates may be true of everything.

pub(crate) use crate::rule_body::{Atom, Pred};

use crate::rule_body::RuleBody;
use alphorn_engine::Stop;
use alphorn_horn::fragment::understood_with_data;
use alphorn_horn::graph::relevant;
use alphorn_problem::Horn;
use alphorn_problem::horn::{ClauseId, Head};
use alphorn_term::{Store, TermId};

/// A clause.
pub(crate) struct Rule {
    /// Where it is from.
    pub(crate) clause: ClauseId,
    /// The predicate it concludes and the arguments; none for a query.
    pub(crate) head: Option<(Pred, Vec<TermId>)>,
    /// The body, with truth values for its atoms.
    pub(crate) body: TermId,
    /// The predicates that the body uses, each with the truth value that stands for it.
    pub(crate) atoms: Vec<Atom>,
    /// The clause's variables, then the truth values for atoms.
    pub(crate) vars: Vec<TermId>,
}

/// A Horn system as rules.
pub(crate) struct System {
    /// The parameters of each predicate.
    pub(crate) params: Vec<Vec<TermId>>,
    /// The clauses in this form, but for those that can never fire.
    pub(crate) rules: Vec<Rule>,
    /// The rules that conclude each predicate.
    pub(crate) rules_of: Vec<Vec<usize>>,
    /// The rules that use each predicate.
    pub(crate) users_of: Vec<Vec<usize>>,
    /// The rules that are queries.
    pub(crate) queries: Vec<usize>,
    /// Whether some query depends on each predicate.
    pub(crate) relevant: Vec<bool>,
}

impl System {
    /// The rules of a system; terms are added to `store`, which extends the system's.
    pub(crate) fn new(horn: &Horn, store: &mut Store) -> Result<System, Stop> {
        let mut params: Vec<Vec<TermId>> = Vec::with_capacity(horn.preds.len());
        for pred in horn.pred_ids() {
            let sorts = horn.pred_args(pred).to_vec();
            params.push(sorts.into_iter().map(|sort| store.fresh_var("p", sort)).collect());
        }
        let count = params.len();
        let mut system = System {
            params,
            rules: Vec::new(),
            rules_of: vec![Vec::new(); count],
            users_of: vec![Vec::new(); count],
            queries: Vec::new(),
            relevant: relevant(horn),
        };
        for (id, clause) in horn.clauses() {
            let head = match &clause.head {
                Head::Atom(pred, args) => Some((pred.index(), args.clone())),
                Head::False => None,
            };
            if head.as_ref().is_none_or(|(pred, _)| system.relevant[*pred]) {
                understood_with_data(horn, clause)?;
                system.add(horn, store, id, head)?;
            }
        }
        Ok(system)
    }

    fn add(
        &mut self,
        horn: &Horn,
        store: &mut Store,
        id: ClauseId,
        head: Option<(Pred, Vec<TermId>)>,
    ) -> Result<(), Stop> {
        let Some(opened) = RuleBody::of(horn, horn.clause(id), store)? else { return Ok(()) };
        let RuleBody { body, atoms, vars } = opened;
        let number = self.rules.len();
        match &head {
            Some((pred, _)) => self.rules_of[*pred].push(number),
            None => self.queries.push(number),
        }
        for atom in &atoms {
            if self.users_of[atom.pred].last() != Some(&number) {
                self.users_of[atom.pred].push(number);
            }
        }
        self.rules.push(Rule { clause: id, head, body, atoms, vars });
        Ok(())
    }
}

/// The conjuncts of a formula.
pub(crate) fn conjuncts(store: &Store, formula: TermId) -> Vec<TermId> {
    alphorn_term::parts::conjuncts(store, &[formula])
}

/// The disjuncts of a formula.
pub(crate) fn disjuncts(store: &Store, formula: TermId) -> Vec<TermId> {
    alphorn_term::parts::disjuncts(store, &[formula])
}
