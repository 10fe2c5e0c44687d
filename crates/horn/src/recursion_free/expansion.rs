//! Expansions: the derivations of a query that a system without recursion allows, as formulas.
//!
//! A *node* is a use of a predicate: variables for its arguments, and a flag that says whether the
//! use is part of the derivation. Its *label* says that, if so, some clause concludes it: for each
//! clause a branch, with variables of its own, in which every atom is replaced by the flag of a
//! child and equations for the child's arguments. The labels of all nodes together are satisfiable
//! iff the query has a derivation. Nodes that were not expanded are known by what is already proved
//! of their predicate; leaving them so makes labels weaker.
//!
//! In a *tree* every child has one parent; atoms of different clauses of the parent may share it,
//! as one clause is taken. In a *graph* there is one node for each predicate, which is enough for
//! linear systems: a derivation is a path there.
//!
//! A use that every derivation must have needs no flag. So the labels of a tree-like system are
//! its constraints, and flags are those of disjunctive interpolation (Rümmer, Hojjat, Kuncak,
//! CAV 2013).

use crate::settings::ACYCLIC_RESTRUCTURES;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::{ClauseId, Head, PredId};
use alphorn_problem::obligation::horn::unfold;
use alphorn_term::{SortId, Store, Substitution, TermId};
use rustc_hash::FxHashMap;

/// The node of the query.
pub const ROOT: usize = 0;

/// A use of a predicate.
#[derive(Debug)]
pub struct Node {
    /// The predicate; none for the query.
    pub pred: Option<PredId>,
    /// The node that uses it; in a graph the first one.
    pub parent: Option<usize>,
    /// Variables that stand for the arguments of this use.
    pub params: Vec<TermId>,
    /// Whether the use is part of the derivation; none if it always is.
    pub flag: Option<TermId>,
    /// What is known of its predicate, as a label.
    pub(super) known: TermId,
    /// What is known of it; branches are part of it once it is expanded.
    pub label: TermId,
    /// The clauses that may conclude it, once it is expanded.
    pub branches: Option<Vec<Branch>>,
}

/// A clause that may conclude a node.
#[derive(Debug)]
pub struct Branch {
    /// Which clause of the system.
    pub clause: ClauseId,
    /// The clause's variables under the names they have here.
    pub vars: Vec<TermId>,
    /// The clause's body, with atoms as said above, and equations for the head.
    pub condition: TermId,
    /// The atoms of the clause, and the nodes that stand for them.
    pub atoms: Vec<(TermId, usize)>,
}

/// The derivations of a query, unfolded as far as was asked, as one formula.
pub struct Expansion<'a> {
    horn: &'a Horn,
    /// What holds of each predicate in every model that will be made.
    known: Vec<Definition>,
    clauses_of: &'a [Vec<ClauseId>],
    query: ClauseId,
    is_graph: bool,
    /// The nodes, parents before children.
    pub nodes: Vec<Node>,
    /// The children: by parent, predicate and number among equals; in a graph, by predicate.
    children: FxHashMap<(usize, PredId, usize), usize>,
}

impl<'a> Expansion<'a> {
    /// The expansion of a query with nothing but the query expanded.
    pub fn new(
        horn: &'a Horn,
        known: &[Definition],
        clauses_of: &'a [Vec<ClauseId>],
        query: ClauseId,
        is_graph: bool,
        store: &mut Store,
    ) -> Expansion<'a> {
        let root = Node {
            pred: None,
            parent: None,
            params: Vec::new(),
            flag: None,
            known: TermId::TRUE,
            label: TermId::TRUE,
            branches: None,
        };
        let children = FxHashMap::default();
        let nodes = vec![root];
        let known = known.to_vec();
        let mut expansion = Expansion { horn, known, clauses_of, query, is_graph, nodes, children };
        expansion.expand(ROOT, store);
        expansion
    }

    /// The variables over which it is known what holds of a predicate.
    pub fn params(&self, pred: PredId) -> &[TermId] {
        &self.known[pred.index()].params
    }

    /// Adds a formula over these variables to what is known of a predicate; the nodes whose labels change.
    pub fn learn(&mut self, pred: PredId, formula: TermId, store: &mut Store) -> Vec<usize> {
        let known = &mut self.known[pred.index()];
        known.body = store.and(&[known.body, formula]);
        let params = known.params.clone();
        let mut changed = Vec::new();
        for (index, node) in self.nodes.iter_mut().enumerate() {
            if node.pred == Some(pred) {
                let here = store.rename(formula, &params, &node.params);
                let here = match node.flag {
                    Some(flag) => store.implies(flag, here),
                    None => here,
                };
                node.known = store.and(&[node.known, here]);
                node.label = store.and(&[node.label, here]);
                changed.push(index);
            }
        }
        changed
    }

    /// Whether a node has its clauses.
    fn is_expanded(&self, node: usize) -> bool {
        self.nodes[node].branches.is_some()
    }

    /// Adds the clauses of a node to its label; does nothing if it has them.
    pub fn expand(&mut self, node: usize, store: &mut Store) {
        if self.is_expanded(node) {
            return;
        }
        let query = [self.query];
        let clauses = match self.nodes[node].pred {
            Some(pred) => &self.clauses_of[pred.index()],
            None => &query[..],
        };
        let is_certain = self.nodes[node].flag.is_none() && clauses.len() == 1;
        let mut branches = Vec::with_capacity(clauses.len());
        for &clause in clauses {
            branches.push(self.branch(node, clause, is_certain, store));
        }
        let ways: Vec<TermId> = branches.iter().map(|branch| branch.condition).collect();
        let some = store.or(&ways);
        let label = match self.nodes[node].flag {
            Some(flag) => store.implies(flag, some),
            None => some,
        };
        let node = &mut self.nodes[node];
        node.label = store.and(&[node.label, label]);
        node.branches = Some(branches);
    }

    /// Leaves a node one of its branches.
    pub fn restrict(&mut self, node: usize, branch: usize, store: &mut Store) {
        let this = &mut self.nodes[node];
        if let Some(branches) = &this.branches
            && branches.len() > 1
        {
            let condition = branches[branch].condition;
            let way = match this.flag {
                Some(flag) => store.implies(flag, condition),
                None => condition,
            };
            this.label = store.and(&[this.known, way]);
        }
    }

    fn branch(
        &mut self,
        node: usize,
        clause_id: ClauseId,
        is_certain: bool,
        store: &mut Store,
    ) -> Branch {
        let horn = self.horn;
        let clause = horn.clause(clause_id);
        let conjuncts = horn.conjunctive(clause_id).map(|(atoms, _)| atoms).unwrap_or_default();
        let mut counts: FxHashMap<PredId, usize> = FxHashMap::default();
        // Without restructuring the uses of each clause are counted apart.
        let first = match ACYCLIC_RESTRUCTURES.get() {
            0 => clause_id.index() << 16,
            _ => 0,
        };
        let mut atoms: Vec<(TermId, usize)> = Vec::new();
        for atom in horn.atoms(clause.body) {
            let pred = horn.atom(atom).expect("atoms are applications of predicates");
            let count = counts.entry(pred).or_default();
            let is_certain = is_certain && !self.is_graph && conjuncts.contains(&atom);
            let child = self.child(node, pred, first + *count, is_certain, store);
            *count += 1;
            atoms.push((atom, child));
        }
        let names: Vec<TermId> = clause
            .vars
            .iter()
            .map(|&var| {
                let hint = store.var_name(var).unwrap_or("x").to_owned();
                store.fresh_var(&hint, store.sort(var))
            })
            .collect();
        let nodes = &self.nodes;
        let child_of: FxHashMap<TermId, usize> = atoms.iter().copied().collect();
        let body = unfold(horn, clause, store, |store, atom, args| {
            let child = &nodes[child_of[&atom]];
            let mut parts: Vec<TermId> = child.flag.into_iter().collect();
            parts.extend(args.iter().zip(&child.params).map(|(&arg, &param)| store.eq(arg, param)));
            Ok(Some(store.and(&parts)))
        });
        let mut parts = vec![body.expect("no replacement fails")];
        if let Head::Atom(_, args) = &clause.head {
            let params = &nodes[node].params;
            parts.extend(args.iter().zip(params).map(|(&arg, &param)| store.eq(arg, param)));
        }
        let condition = store.and(&parts);
        let rename: Substitution = clause.vars.iter().copied().zip(names.iter().copied()).collect();
        let condition = store.substitute(condition, &rename);
        Branch { clause: clause_id, vars: names, condition, atoms }
    }

    /// The node for a node's atom number `count` of a predicate.
    fn child(
        &mut self,
        parent: usize,
        pred: PredId,
        count: usize,
        is_certain: bool,
        store: &mut Store,
    ) -> usize {
        let key = if self.is_graph { (ROOT, pred, 0) } else { (parent, pred, count) };
        if let Some(&child) = self.children.get(&key) {
            return child;
        }
        let sorts = self.horn.pred_args(pred);
        let params: Vec<TermId> = sorts.iter().map(|&sort| store.fresh_var("arg", sort)).collect();
        let flag = (!is_certain).then(|| store.fresh_var("use", SortId::BOOL));
        let known = &self.known[pred.index()];
        let known = store.rename(known.body, &known.params, &params);
        let known = match flag {
            Some(flag) => store.implies(flag, known),
            None => known,
        };
        let (pred, parent) = (Some(pred), Some(parent));
        let node = Node { pred, parent, params, flag, known, label: known, branches: None };
        self.nodes.push(node);
        self.children.insert(key, self.nodes.len() - 1);
        self.nodes.len() - 1
    }
}
