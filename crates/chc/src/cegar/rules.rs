//! Rules that need all of their atoms.
//!
//! A body may have atoms under disjunctions. Abstract facts are put for atoms one by one, so such a rule
//! becomes several, one for each set of atoms by which its body can be true: those of all conjuncts, and of
//! one disjunct. The constraints stay one formula; only atoms are multiplied out.
//!
//! Invariant: for all values, a body holds with some facts iff the body of one of its cases holds with some of
//! these.

use crate::la::system::{Atom, Rule, System};
use crate::settings::CEGAR_MAX_CASES;
use alphorn_engine::Stop;
use alphorn_term::{Op, Store, Substitution, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Sets of truth values that stand for atoms.
type Choices = BTreeSet<BTreeSet<TermId>>;

/// A system whose rules need all of their atoms.
pub(super) fn conjunctive(store: &mut Store, system: System) -> Result<System, Stop> {
    let System { params, rules, relevant, .. } = system;
    let nothing = vec![Vec::new(); params.len()];
    let (rules_of, users_of) = (nothing.clone(), nothing);
    let (split, queries) = (Vec::new(), Vec::new());
    let mut result = System { params, rules: split, rules_of, users_of, queries, relevant };
    for rule in rules {
        for case in cases(store, rule)? {
            let number = result.rules.len();
            match &case.head {
                Some((pred, _)) => result.rules_of[*pred].push(number),
                None => result.queries.push(number),
            }
            for atom in &case.atoms {
                if result.users_of[atom.pred].last() != Some(&number) {
                    result.users_of[atom.pred].push(number);
                }
            }
            result.rules.push(case);
        }
    }
    Ok(result)
}

/// The cases of a rule.
fn cases(store: &mut Store, rule: Rule) -> Result<Vec<Rule>, Stop> {
    let flags = rule.atoms.iter().map(|atom| atom.used).filter(|&used| used != TermId::TRUE);
    let flags: BTreeSet<TermId> = flags.collect();
    if flags.is_empty() {
        return Ok(vec![rule]);
    }
    let choices = choices(store, rule.body, &flags).ok_or_else(|| {
        Stop::Unsupported("a body can be true by too many different sets of atoms".to_owned())
    })?;
    let mut cases = Vec::with_capacity(choices.len());
    for chosen in choices {
        let mut map = Substitution::default();
        for &flag in &flags {
            map.insert(flag, store.bool(chosen.contains(&flag)));
        }
        let body = store.substitute(rule.body, &map);
        if body == TermId::FALSE {
            continue;
        }
        let is_part = |atom: &&Atom| atom.used == TermId::TRUE || chosen.contains(&atom.used);
        let atom =
            |atom: &Atom| Atom { pred: atom.pred, args: atom.args.clone(), used: TermId::TRUE };
        cases.push(Rule {
            clause: rule.clause,
            head: rule.head.clone(),
            body,
            atoms: rule.atoms.iter().filter(is_part).map(atom).collect(),
            vars: rule.vars.iter().copied().filter(|var| !flags.contains(var)).collect(),
        });
    }
    Ok(cases)
}

/// The sets of flags by which a body can be true; none if they are too many.
fn choices(store: &Store, body: TermId, flags: &BTreeSet<TermId>) -> Option<Choices> {
    let mut done: FxHashMap<TermId, Choices> = FxHashMap::default();
    for term in store.subterms(&[body]) {
        let below = store.args(term).iter().map(|arg| &done[arg]);
        let found: Choices = match store.op(term) {
            _ if flags.contains(&term) => [BTreeSet::from([term])].into(),
            Op::And => {
                let mut all: Choices = [BTreeSet::new()].into();
                for part in below {
                    let pairs = all.iter().flat_map(|one| part.iter().map(move |two| one | two));
                    all = pairs.take(CEGAR_MAX_CASES.size() * CEGAR_MAX_CASES.size()).collect();
                    if all.len() > CEGAR_MAX_CASES.size() {
                        return None;
                    }
                }
                all
            }
            Op::Or => below.flatten().cloned().collect(),
            // Atoms stand under conjunctions and disjunctions alone.
            _ if below.flatten().all(BTreeSet::is_empty) => [BTreeSet::new()].into(),
            _ => return None,
        };
        if found.len() > CEGAR_MAX_CASES.size() {
            return None;
        }
        done.insert(term, found);
    }
    done.remove(&body)
}
