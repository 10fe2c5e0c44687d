//! Horn systems made smaller: fewer clauses, then simpler bodies and heads.

use super::{Shrink, shorter, terms};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::TermId;

impl Shrink for Horn {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let fewer =
            shorter(&self.clauses).map(|clauses| changed(self, |horn| horn.clauses = clauses));
        let bodies = (0..self.clauses.len()).flat_map(move |at| {
            let bodies = terms::smaller(&self.terms, self.clauses[at].body);
            bodies.into_iter().map(move |(store, body)| {
                changed(self, |horn| {
                    horn.terms = store;
                    horn.clauses[at].body = body;
                })
            })
        });
        let heads = (0..self.clauses.len()).flat_map(move |at| {
            let Head::Atom(pred, args) = &self.clauses[at].head else { return Vec::new() };
            let mut found = Vec::new();
            for place in 0..args.len() {
                for (store, arg) in terms::smaller(&self.terms, args[place]) {
                    let mut args = args.clone();
                    args[place] = arg;
                    found.push(changed(self, |horn| {
                        horn.terms = store;
                        horn.clauses[at].head = Head::Atom(*pred, args);
                    }));
                }
            }
            found
        });
        let vars = (0..self.clauses.len()).filter_map(move |at| {
            let clause = &self.clauses[at];
            let used = self.terms.free_vars(&terms_of(clause));
            let vars = clause.vars.iter().copied().filter(|var| used.contains(var)).collect();
            let mut horn = self.clone();
            horn.clauses[at].vars = vars;
            (horn.clauses[at].vars.len() < clause.vars.len()).then_some(horn)
        });
        let all = fewer.chain(bodies).chain(heads).chain(vars);
        Box::new(all.filter(|horn| horn.validate().is_ok()))
    }

    fn show(&self) -> String {
        alphorn_front::smtlib::print_horn(self)
    }
}

/// A changed copy.
fn changed(horn: &Horn, change: impl FnOnce(&mut Horn)) -> Horn {
    let mut horn = horn.clone();
    change(&mut horn);
    horn
}

fn terms_of(clause: &Clause) -> Vec<TermId> {
    let mut terms = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        terms.extend(args);
    }
    terms
}
