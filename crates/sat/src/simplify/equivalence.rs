//! Equivalent literals are replaced by one of them.
//!
//! Literals on a cycle of binary clauses, read as implications, are equivalent. Strongly connected
//! components are found by Tarjan's algorithm; in each, one literal represents the others. The
//! equivalences are derived along paths, go to the stack of `reconstruct.rs`, and carry every clause
//! over to the representatives. Frozen variables are never replaced, so they represent; clauses of
//! groups take no part in cycles, because they will go.
//!
//! After Aspvall, Plass, Tarjan (1979), Van Gelder (2005).

use crate::arena::ClauseRef;
use crate::literal::Lit;
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::theory::Theory;

/// For each literal its representative, and the clause that it implies it.
struct Substitution {
    to: Vec<Lit>,
    implies: Vec<ClauseId>,
}

impl<T: Theory> Solver<T> {
    /// Replaces equivalent literals; on level 0.
    pub(crate) fn substitute(&mut self) {
        if !self.consistent {
            return;
        }
        self.hold_query(true);
        let components = self.components();
        let literals = self.values.len();
        let mut substitution = Substitution {
            to: (0..literals as u32).map(Lit::from_code).collect(),
            implies: vec![ClauseId::NONE; literals],
        };
        let mut replaced = Vec::new();
        for component in components {
            self.represent(&component, &mut substitution, &mut replaced);
            if !self.consistent {
                break;
            }
        }
        if self.consistent && !replaced.is_empty() {
            self.carry_over(&substitution, &replaced);
        }
        self.hold_query(false);
    }

    /// The binary clauses of a literal as implications of its negation.
    fn implications(&self, lit: Lit) -> impl Iterator<Item = (Lit, ClauseRef)> + '_ {
        let binary = self.watches.lists[(!lit).index()].iter().filter(|watch| watch.is_binary());
        binary
            .map(|watch| (watch.blocker, watch.clause()))
            .filter(|(other, _)| self.is_open(*other) && !self.groups.is_activation(other.var()))
    }

    /// The components of more than one literal.
    fn components(&self) -> Vec<Vec<Lit>> {
        const UNSEEN: u32 = 0;
        const DONE: u32 = u32::MAX;
        let mut low = vec![UNSEEN; self.values.len()];
        let mut count = 0;
        let (mut path, mut work) = (Vec::new(), Vec::new());
        let mut components = Vec::new();
        for root in (0..self.values.len() as u32).map(Lit::from_code) {
            let is_node = self.is_open(root)
                && self.simplifier.is_active(root.var())
                && !self.groups.is_activation(root.var());
            if !is_node || low[root.index()] != UNSEEN {
                continue;
            }
            work.push((root, false));
            let mut entered: Vec<(Lit, u32)> = Vec::new();
            while let Some((lit, is_exit)) = work.pop() {
                if !is_exit {
                    if low[lit.index()] != UNSEEN {
                        continue;
                    }
                    count += 1;
                    low[lit.index()] = count;
                    path.push(lit);
                    entered.push((lit, count));
                    work.push((lit, true));
                    for (next, _) in self.implications(lit) {
                        if low[next.index()] == UNSEEN {
                            work.push((next, false));
                        }
                    }
                    continue;
                }
                let (_, number) = entered.pop().expect("exits match entries");
                let reached = self.implications(lit).map(|(next, _)| low[next.index()]).min();
                let lowest = reached.map_or(number, |reached| reached.min(number));
                low[lit.index()] = lowest;
                if lowest == number {
                    let start = path.iter().rposition(|other| *other == lit);
                    let start = start.expect("an open literal is on the path");
                    let component = path.split_off(start);
                    component.iter().for_each(|other| low[other.index()] = DONE);
                    if component.len() > 1 {
                        components.push(component);
                    }
                }
            }
        }
        components
    }

    /// Chooses the representative of a component and derives that the others are equivalent to it.
    fn represent(
        &mut self,
        component: &[Lit],
        substitution: &mut Substitution,
        replaced: &mut Vec<Lit>,
    ) {
        let is_bound = |lit: &&Lit| !self.may_be_taken_out(lit.var());
        let smallest = component.iter().min_by_key(|lit| lit.var());
        let bound = component.iter().filter(is_bound).min_by_key(|lit| lit.var());
        let root = *bound.or(smallest).expect("a component is not empty");
        if component.contains(&!root) {
            self.refute_component(component, root);
            return;
        }
        // The component of the negated literals is the mirror image and is skipped.
        if root.is_negated() {
            return;
        }
        let forward = self.derive_paths(component, root, false);
        let backward = self.derive_paths(component, root, true);
        for (position, &lit) in component.iter().enumerate() {
            if lit != root && self.may_be_taken_out(lit.var()) {
                substitution.to[lit.index()] = root;
                substitution.to[(!lit).index()] = !root;
                substitution.implies[lit.index()] = backward[position];
                substitution.implies[(!lit).index()] = forward[position];
                replaced.push(lit);
            }
        }
    }

    /// For each literal of the component, the clause that `root` implies it, or the reverse.
    fn derive_paths(&mut self, component: &[Lit], root: Lit, reverse: bool) -> Vec<ClauseId> {
        let mut ids = vec![ClauseId::NONE; component.len()];
        if self.trace.is_none() {
            return ids;
        }
        let position = |lit: Lit| component.iter().position(|other| *other == lit);
        let mut reached = vec![root];
        let mut next = 0;
        while next < reached.len() {
            let lit = reached[next];
            next += 1;
            let source = if reverse { !lit } else { lit };
            let edges: Vec<(Lit, ClauseRef)> = self.implications(source).collect();
            for (target, clause) in edges {
                let target = if reverse { !target } else { target };
                let Some(place) = position(target) else { continue };
                if target == root || ids[place] != ClauseId::NONE {
                    continue;
                }
                let edge = ClauseId(self.arena.id(clause));
                let before = position(lit).map_or(ClauseId::NONE, |place| ids[place]);
                let trace = self.trace.as_mut().expect("there is a proof");
                ids[place] = if lit == root {
                    edge
                } else if reverse {
                    // target → lit → root
                    trace.derive(&[!target, root], [edge, before])
                } else {
                    trace.derive(&[!root, target], [before, edge])
                };
                // The proof was given up meanwhile, and the missing numbers mark what is open.
                if ids[place] == ClauseId::NONE {
                    return ids;
                }
                reached.push(target);
            }
        }
        ids
    }

    /// A literal equivalent to its negation is a contradiction.
    fn refute_component(&mut self, component: &[Lit], root: Lit) {
        let place = component.iter().position(|lit| *lit == !root);
        let place = place.expect("the component has the negation");
        let forward = self.derive_paths(component, root, false);
        let backward = self.derive_paths(component, root, true);
        let mut empty = ClauseId::NONE;
        if let Some(trace) = &mut self.trace {
            let negative = trace.derive(&[!root], [forward[place]]);
            empty = trace.derive(&[], [negative, backward[place]]);
        }
        self.contradict(empty);
    }

    /// Rewrites all clauses and takes the replaced variables out.
    fn carry_over(&mut self, substitution: &Substitution, replaced: &[Lit]) {
        for &lit in replaced {
            self.stats.substituted += 1;
            let root = substitution.to[lit.index()];
            let stack = &mut self.simplifier.stack;
            stack.push(!lit, &[!lit, root], substitution.implies[lit.index()]);
            stack.push(lit, &[lit, !root], substitution.implies[(!lit).index()]);
            stack.pair(lit.var(), root.var());
            self.simplifier.set_active(lit.var(), false);
        }
        for is_learned in [false, true] {
            let count = if is_learned { self.learned.len() } else { self.irredundant.len() };
            for index in 0..count {
                let clause = if is_learned { self.learned[index] } else { self.irredundant[index] };
                let is_affected = |lit: Lit| substitution.to[lit.index()] != lit;
                if !self.arena.is_garbage(clause) && self.arena.literals(clause).any(is_affected) {
                    self.rewrite(clause, substitution);
                }
            }
        }
    }

    fn rewrite(&mut self, clause: ClauseRef, substitution: &Substitution) {
        let old: Vec<Lit> = self.arena.literals(clause).collect();
        let mut literals: Vec<Lit> = old.iter().map(|lit| substitution.to[lit.index()]).collect();
        literals.sort_unstable();
        literals.dedup();
        let is_tautology = literals.windows(2).any(|pair| pair[0] == !pair[1]);
        let is_satisfied = literals.iter().any(|lit| self.fixed_value(*lit) == Some(true));
        if self.consistent && !is_tautology && !is_satisfied {
            let id = match &mut self.trace {
                Some(trace) => {
                    let affected = old.iter().filter(|lit| substitution.to[lit.index()] != **lit);
                    let hints = affected.map(|lit| substitution.implies[lit.index()]);
                    trace.derive(&literals, hints.chain([ClauseId(self.arena.id(clause))]))
                }
                None => ClauseId::NONE,
            };
            let (is_learned, lbd) = (self.arena.is_learned(clause), self.arena.lbd(clause));
            let before = literals.len();
            self.remove_fixed(&mut literals);
            let id = if literals.len() < before { self.derive_shorter(&literals, id) } else { id };
            match literals[..] {
                [] => self.contradict(id),
                [unit] => self.add_unit(unit, id),
                _ => {
                    self.store(&literals, is_learned, lbd.min(literals.len() as u32 - 1), id);
                }
            }
        }
        self.delete_clause(clause);
    }
}
