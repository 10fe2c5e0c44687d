//! Clauses as atoms over nodes, where a node is a variable or what a constructor makes of nodes.
//!
//! Equations of the body are solved by unification, so that what is left of them are the nodes; a clause
//! whose equations have no solution says nothing and goes. Whatever else a body says is left out: the
//! clause then says more than it did.

use alphorn_horn::transform::conjuncts;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::obligation::fold::constructors;
use alphorn_term::value::cardinality;
use alphorn_term::{CtorId, Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How many states the values of each sort have.
pub(super) struct Domains {
    of: BTreeMap<SortId, usize>,
}

impl Domains {
    /// So many for every datatype, or fewer if it has fewer values; two for truth values.
    pub(super) fn new(store: &Store, states: usize) -> Domains {
        let mut of = BTreeMap::from([(SortId::BOOL, 2)]);
        for data in store.datas() {
            let sort = store.data(data).sort;
            let values = cardinality(store, sort).and_then(|count| usize::try_from(count).ok());
            of.insert(sort, values.map_or(states, |values| values.clamp(1, states)));
        }
        Domains { of }
    }

    /// The states of a sort; none if its values are left out.
    pub(super) fn size(&self, sort: SortId) -> Option<usize> {
        self.of.get(&sort).copied()
    }

    /// The positions of those sorts that have states.
    pub(super) fn kept(&self, sorts: &[SortId]) -> Vec<usize> {
        (0..sorts.len()).filter(|&at| self.of.contains_key(&sorts[at])).collect()
    }
}

/// What a value is known to be.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Any value with so many states.
    Any(usize),
    /// This state.
    State(usize),
    /// What a constructor makes of nodes.
    Made(CtorId, Vec<usize>),
}

/// A clause over nodes; children come before parents.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) nodes: Vec<Node>,
    pub(super) body: Vec<(PredId, Vec<usize>)>,
    pub(super) head: Option<(PredId, Vec<usize>)>,
}

/// All clauses that say something.
pub(super) fn ground(horn: &Horn, store: &mut Store, domains: &Domains) -> Vec<Ground> {
    let mut all = Vec::with_capacity(horn.clauses.len());
    for clause in &horn.clauses {
        let work = Work {
            store,
            domains,
            bindings: FxHashMap::default(),
            known: FxHashMap::default(),
            nodes: Vec::new(),
        };
        all.extend(work.clause(horn, clause));
    }
    all
}

struct Work<'a> {
    store: &'a mut Store,
    domains: &'a Domains,
    bindings: FxHashMap<TermId, TermId>,
    known: FxHashMap<TermId, usize>,
    nodes: Vec<Node>,
}

impl Work<'_> {
    fn clause(mut self, horn: &Horn, clause: &Clause) -> Option<Ground> {
        let parts = conjuncts(self.store, clause.body);
        for &part in &parts {
            self.solve(part)?;
        }
        let mut body = Vec::new();
        for &part in &parts {
            if let Some(pred) = horn.atom(part) {
                let args = self.store.args(part).to_vec();
                body.push((pred, self.args(&args)?));
            }
        }
        let head = match &clause.head {
            Head::False => None,
            Head::Atom(pred, args) => Some((*pred, self.args(args)?)),
        };
        Some(Ground { nodes: self.nodes, body, head })
    }

    /// Learns from a conjunct; nothing if it cannot hold.
    fn solve(&mut self, part: TermId) -> Option<()> {
        let args = self.store.args(part).to_vec();
        match self.store.op(part) {
            Op::False => None,
            Op::Eq if self.is_kept(args[0]) => self.unify(args[0], args[1]),
            Op::Var(_) => self.unify(part, TermId::TRUE),
            Op::Is(ctor) => self.made_by(args[0], ctor),
            Op::Not => {
                let inner = args[0];
                let of = self.store.args(inner).to_vec();
                match self.store.op(inner) {
                    Op::Var(_) => self.unify(inner, TermId::FALSE),
                    Op::Is(ctor) => {
                        let all = constructors(self.store, self.store.sort(of[0]));
                        let others: Vec<CtorId> =
                            all.into_iter().filter(|&other| other != ctor).collect();
                        match others[..] {
                            [other] => self.made_by(of[0], other),
                            _ => Some(()),
                        }
                    }
                    _ => Some(()),
                }
            }
            _ => Some(()),
        }
    }

    fn is_kept(&self, term: TermId) -> bool {
        self.domains.size(self.store.sort(term)).is_some()
    }

    fn made_by(&mut self, term: TermId, ctor: CtorId) -> Option<()> {
        let fields = alphorn_horn::folds::fields_of(self.store, ctor, term);
        let made = self.store.mk(Op::Construct(ctor), &fields);
        self.unify(term, made)
    }

    /// What a term is bound to, at the top.
    fn walk(&self, mut term: TermId) -> TermId {
        loop {
            if let Some(&next) = self.bindings.get(&term) {
                term = next;
                continue;
            }
            if let Op::Field(ctor, field) = self.store.op(term) {
                let whole = self.walk(self.store.args(term)[0]);
                if self.store.op(whole) == Op::Construct(ctor) {
                    let part = self.store.args(whole)[field as usize];
                    if part != term {
                        term = part;
                        continue;
                    }
                }
            }
            return term;
        }
    }

    fn unify(&mut self, left: TermId, right: TermId) -> Option<()> {
        let mut stack = vec![(left, right)];
        while let Some((left, right)) = stack.pop() {
            let (left, right) = (self.walk(left), self.walk(right));
            if left == right || !self.is_kept(left) {
                continue;
            }
            match (self.store.op(left), self.store.op(right)) {
                (Op::Construct(a), Op::Construct(b)) => {
                    if a != b {
                        return None;
                    }
                    let (left, right) = (self.store.args(left), self.store.args(right));
                    stack.extend(left.iter().copied().zip(right.iter().copied()));
                }
                (Op::True, Op::False) | (Op::False, Op::True) => return None,
                (Op::Var(_) | Op::Field(..), _) if !self.occurs(left, right) => {
                    _ = self.bindings.insert(left, right);
                }
                (_, Op::Var(_) | Op::Field(..)) if !self.occurs(right, left) => {
                    _ = self.bindings.insert(right, left);
                }
                (Op::Var(_), Op::Construct(_)) | (Op::Construct(_), Op::Var(_)) => return None,
                _ => {}
            }
        }
        Some(())
    }

    /// Whether a variable is below what a term is made of.
    fn occurs(&self, var: TermId, term: TermId) -> bool {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            let term = self.walk(term);
            if term == var {
                return true;
            }
            if matches!(self.store.op(term), Op::Construct(_) | Op::Field(..)) {
                stack.extend(self.store.args(term));
            }
        }
        false
    }

    fn args(&mut self, args: &[TermId]) -> Option<Vec<usize>> {
        let kept: Vec<TermId> = args.iter().copied().filter(|&arg| self.is_kept(arg)).collect();
        kept.into_iter().map(|arg| self.node(arg)).collect()
    }

    fn node(&mut self, term: TermId) -> Option<usize> {
        let term = self.walk(term);
        if let Some(&node) = self.known.get(&term) {
            return Some(node);
        }
        let node = match self.store.op(term) {
            Op::True => Node::State(1),
            Op::False => Node::State(0),
            Op::Construct(ctor) => {
                let args = self.store.args(term).to_vec();
                Node::Made(ctor, self.args(&args)?)
            }
            _ => Node::Any(self.domains.size(self.store.sort(term))?),
        };
        self.nodes.push(node);
        self.known.insert(term, self.nodes.len() - 1);
        Some(self.nodes.len() - 1)
    }
}
