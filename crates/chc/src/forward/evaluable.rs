//! Whether the checker's evaluation can follow a clause under tables of facts.
//!
//! The checker takes facts for the atoms, lets equations `v = t` give variables values, splits
//! disjunctions while something is open, and then tries all values of what is left, which must
//! be few. It does not solve equations and it has a limit on its work. This file follows the same
//! branches without values: which variables are determined depends on the branch alone. The work
//! is overestimated by multiplying the tables' sizes.

use super::facts::Facts;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::value::cardinality;
use alphorn_term::{Op, TermId};
use rustc_hash::FxHashSet;

/// The most work we expect of the checker, a quarter of what it is willing to do.
const MAX_WORK: u64 = 1 << 26;
/// The largest sort whose values the checker tries for an open variable.
const MAX_VALUES: u64 = 1 << 16;

/// The tables' sizes and the work they cause.
pub(super) struct Evaluable<'a> {
    horn: &'a Horn,
    sizes: Vec<u64>,
    work: u64,
}

#[derive(Clone)]
struct Branch {
    determined: FxHashSet<TermId>,
    conjuncts: Vec<TermId>,
    splits: Vec<TermId>,
    /// How many combinations of facts lead here at most.
    weight: u64,
}

impl<'a> Evaluable<'a> {
    pub fn new(horn: &'a Horn, facts: &Facts) -> Evaluable<'a> {
        let sizes = facts.relations.iter().map(|relation| u64::from(relation.len())).collect();
        Evaluable { horn, sizes, work: 0 }
    }

    /// Whether the checker can evaluate the clause, given that it did all before.
    pub fn check(&mut self, clause: &Clause) -> Result<(), String> {
        let store = &self.horn.terms;
        let mut roots = vec![clause.body];
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
        let (vars, size) = (store.free_vars(&roots), store.dag_size(&roots) as u64);
        let mut first = Branch {
            determined: FxHashSet::default(),
            conjuncts: Vec::new(),
            splits: Vec::new(),
            weight: 1,
        };
        self.assume(&mut first, clause.body);
        let mut branches = vec![first];
        while let Some(mut branch) = branches.pop() {
            self.propagate(&mut branch);
            let settled = vars.iter().all(|var| branch.determined.contains(var));
            match self.next_split(&mut branch).filter(|_| !settled) {
                None => self.end(&branch, &vars, size)?,
                Some(term) => match self.horn.atom(term) {
                    Some(pred) => {
                        let (table, arity) = (self.sizes[pred.index()], store.args(term).len());
                        let copy = branch.conjuncts.len() + branch.splits.len() + vars.len();
                        self.spend(&[branch.weight, table, 1 + (arity + copy) as u64])?;
                        branch.weight = branch.weight.saturating_mul(table);
                        let is_var = |arg: &&TermId| matches!(store.op(**arg), Op::Var(_));
                        branch.determined.extend(store.args(term).iter().filter(is_var));
                        if table > 0 {
                            branches.push(branch);
                        }
                    }
                    None => {
                        for &side in store.args(term) {
                            let mut one = branch.clone();
                            self.assume(&mut one, side);
                            self.spend(&[one.weight, 1 + size])?;
                            branches.push(one);
                        }
                    }
                },
            }
        }
        Ok(())
    }

    fn spend(&mut self, factors: &[u64]) -> Result<(), String> {
        let work = factors.iter().fold(1u64, |product, &factor| product.saturating_mul(factor));
        self.work = self.work.saturating_add(work);
        if self.work > MAX_WORK {
            return Err("the facts are complete, but too many to be checked".to_owned());
        }
        Ok(())
    }

    fn assume(&self, branch: &mut Branch, formula: TermId) {
        let store = &self.horn.terms;
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            match store.op(term) {
                Op::And => stack.extend(store.args(term)),
                Op::Or => branch.splits.push(term),
                _ if self.horn.atom(term).is_some() => branch.splits.push(term),
                _ => branch.conjuncts.push(term),
            }
        }
    }

    fn propagate(&self, branch: &mut Branch) {
        let store = &self.horn.terms;
        let is_var = |term: TermId| matches!(store.op(term), Op::Var(_));
        loop {
            let before = branch.determined.len();
            for &term in &branch.conjuncts {
                match (store.op(term), store.args(term)) {
                    (Op::Var(_), _) => _ = branch.determined.insert(term),
                    (Op::Not, &[var]) if is_var(var) => _ = branch.determined.insert(var),
                    (Op::Eq, &[left, right]) => {
                        for (var, other) in [(left, right), (right, left)] {
                            if is_var(var) && !branch.determined.contains(&var) {
                                let known = |var| branch.determined.contains(var);
                                if store.free_vars(&[other]).iter().all(known) {
                                    branch.determined.insert(var);
                                }
                            }
                        }
                    }
                    _ => {}
                }
            }
            if branch.determined.len() == before {
                return;
            }
        }
    }

    fn next_split(&self, branch: &mut Branch) -> Option<TermId> {
        let atoms = |&term: &TermId| self.horn.atom(term).is_some();
        let position = branch.splits.iter().position(atoms);
        let position = position.or(branch.splits.len().checked_sub(1))?;
        Some(branch.splits.swap_remove(position))
    }

    /// The instances of a branch that is not split further.
    fn end(&mut self, branch: &Branch, vars: &[TermId], size: u64) -> Result<(), String> {
        let store = &self.horn.terms;
        let mut instances = branch.weight;
        for var in vars.iter().filter(|var| !branch.determined.contains(var)) {
            let count = cardinality(store, store.sort(*var)).filter(|&count| count <= MAX_VALUES);
            let name = store.var_name(*var).unwrap_or("?");
            let count = count.ok_or_else(|| {
                format!("the facts are complete, but evaluation cannot check it: it cannot determine {name}")
            })?;
            instances = instances.saturating_mul(count);
        }
        self.spend(&[instances, 1 + size])
    }
}
