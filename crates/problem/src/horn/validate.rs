//! Whether clauses are well formed: their sorts, their variables, and where atoms stand.

use super::{Clause, ClauseId, Head, Horn};
use alphorn_term::{Op, SortId, TermId};
use std::collections::BTreeSet;

impl Horn {
    /// Checks the type's invariant; the error names the clause.
    pub fn validate(&self) -> Result<(), (ClauseId, String)> {
        for (id, clause) in self.clauses() {
            self.validate_clause(clause).map_err(|message| (id, message))?;
        }
        for (&id, quantified) in &self.quantified {
            let Some(clause) = self.clauses.get(id.index()) else {
                return Err((id, "there is no such clause".to_owned()));
            };
            let all = [quantified.body].into_iter().chain(quantified.terms());
            self.only_own(clause, all.collect()).map_err(|message| (id, message))?;
            quantified.validate(&self.terms, clause.body).map_err(|message| (id, message))?;
        }
        Ok(())
    }

    /// Whether everything free in terms is among the clause's variables.
    fn only_own(&self, clause: &Clause, roots: Vec<TermId>) -> Result<(), String> {
        let own: BTreeSet<TermId> = clause.vars.iter().copied().collect();
        for var in self.terms.free_vars(&roots) {
            if !own.contains(&var) {
                let name = self.terms.var_name(var).unwrap_or("?");
                return Err(format!("the variable {name} is not among the clause's variables"));
            }
        }
        Ok(())
    }

    fn validate_clause(&self, clause: &Clause) -> Result<(), String> {
        let store = &self.terms;
        if store.sort(clause.body) != SortId::BOOL {
            return Err("the body is not a formula".to_owned());
        }
        let mut roots = vec![clause.body];
        if let Head::Atom(pred, args) = &clause.head {
            let sorts = self.pred_args(*pred);
            if sorts.len() != args.len()
                || sorts.iter().zip(args).any(|(&sort, &arg)| store.sort(arg) != sort)
            {
                return Err("the head does not fit its declaration".to_owned());
            }
            if args.iter().any(|&arg| !self.atoms(arg).is_empty()) {
                return Err("a predicate stands inside an argument of the head".to_owned());
            }
            roots.extend(args);
        }
        self.only_own(clause, roots)?;
        let mut stack = vec![clause.body];
        let mut seen = BTreeSet::new();
        while let Some(term) = stack.pop() {
            if !store.has_apply(term) || !seen.insert(term) {
                continue;
            }
            if matches!(store.op(term), Op::And | Op::Or) {
                stack.extend(store.args(term));
            } else if self.atom(term).is_some() {
                if store.args(term).iter().any(|&arg| !self.atoms(arg).is_empty()) {
                    return Err("a predicate stands inside an argument of another".to_owned());
                }
            } else if !self.atoms(term).is_empty() {
                return Err("a predicate stands below something else than and, or".to_owned());
            }
        }
        Ok(())
    }
}
