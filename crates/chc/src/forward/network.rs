//! A clause compiled into a network of its terms, for propagation in both directions.
//!
//! Every distinct subterm of the body and of the head's arguments is a node; nodes know their
//! arguments and their parents. Arguments come before their parents. Variables and predicate
//! atoms are where values enter; quantifiers are opaque, with their free variables as arguments.

use crate::settings::FORWARD_SMALL_SORT;
use alphorn_problem::Horn;
use alphorn_problem::horn::{ClauseId, Head, PredId};
use alphorn_term::eval::Program;
use alphorn_term::value::elements;
use alphorn_term::{Op, SortId, Store, Substitution, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// What kind of node a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The clause's variable of this number.
    Var(u32),
    /// The body's predicate atom of this number.
    Atom(u32),
    /// A quantified formula.
    Opaque,
    /// Anything else.
    Plain,
}

/// A term of the clause.
pub(super) struct Node {
    pub term: TermId,
    pub op: Op,
    pub sort: SortId,
    pub kind: Kind,
    pub args: Vec<u32>,
    pub parents: Vec<u32>,
    /// Whether a predicate atom occurs in it.
    pub has_atom: bool,
}

/// A predicate atom of the body.
pub(super) struct Atom {
    pub node: u32,
    pub pred: PredId,
    pub args: Vec<u32>,
}

/// A compiled clause.
pub(super) struct Network {
    pub clause: ClauseId,
    pub nodes: Vec<Node>,
    /// The nodes of the clause's variables, in their order.
    pub vars: Vec<u32>,
    /// The variables of the body by node, in the order of occurrence.
    pub body_vars: Vec<u32>,
    pub atoms: Vec<Atom>,
    pub body: u32,
    /// The head, if the clause is not a query: the predicate, the arguments' nodes, and for each
    /// argument the variables it mentions.
    pub head: Option<(PredId, Vec<u32>, Vec<Vec<u32>>)>,
    /// All values of the small sorts that variables have.
    pub domains: FxHashMap<SortId, Vec<Value>>,
    /// Conjunctions and disjunctions of the body, outermost first.
    pub junctions: Vec<u32>,
    /// Evaluates the body (with a Boolean variable for each atom) and the head's arguments.
    pub program: Program,
}

impl Network {
    /// Compiles a clause; `store` gets the variables that stand for atoms.
    pub fn new(horn: &Horn, store: &mut Store, id: ClauseId) -> Network {
        let clause = horn.clause(id);
        let head_args: &[TermId] = match &clause.head {
            Head::Atom(_, args) => args,
            Head::False => &[],
        };
        let mut roots: Vec<TermId> = clause.vars.clone();
        roots.push(clause.body);
        roots.extend(head_args);
        let mut builder = Builder {
            horn,
            vars: &clause.vars,
            nodes: Vec::new(),
            at: FxHashMap::default(),
            atoms: Vec::new(),
        };
        builder.add_all(&roots);
        let Builder { nodes, at, atoms, .. } = builder;
        let below = |term: TermId| -> Vec<u32> {
            let mut found = store.free_vars(&[term]);
            let mut seen = FxHashSet::default();
            found.retain(|var| seen.insert(*var));
            found.iter().map(|var| at[var]).collect()
        };
        let head = match &clause.head {
            Head::False => None,
            Head::Atom(pred, args) => Some((
                *pred,
                args.iter().map(|arg| at[arg]).collect(),
                args.iter().map(|&arg| below(arg)).collect(),
            )),
        };
        let body_vars = below(clause.body);
        let mut domains: FxHashMap<SortId, Vec<Value>> = FxHashMap::default();
        for &var in &clause.vars {
            let sort = store.sort(var);
            if !domains.contains_key(&sort)
                && let Some(values) = elements(store, sort, FORWARD_SMALL_SORT.get())
            {
                domains.insert(sort, values);
            }
        }
        let program =
            compile(store, clause.vars.as_slice(), clause.body, head_args, &atoms, &nodes);
        Network {
            clause: id,
            vars: clause.vars.iter().map(|var| at[var]).collect(),
            body_vars,
            body: at[&clause.body],
            junctions: (0..nodes.len() as u32)
                .rev()
                .filter(|&n| matches!(nodes[n as usize].op, Op::And | Op::Or))
                .collect(),
            nodes,
            domains,
            atoms,
            head,
            program,
        }
    }

    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }
}

fn compile(
    store: &mut Store,
    vars: &[TermId],
    body: TermId,
    head_args: &[TermId],
    atoms: &[Atom],
    nodes: &[Node],
) -> Program {
    let mut inputs = vars.to_vec();
    let mut map = Substitution::default();
    for atom in atoms {
        let truth = store.fresh_var("holds", SortId::BOOL);
        map.insert(nodes[atom.node as usize].term, truth);
        inputs.push(truth);
    }
    let mut outputs = vec![store.substitute(body, &map)];
    outputs.extend(head_args);
    Program::new(store, &inputs, &outputs)
}

struct Builder<'a> {
    horn: &'a Horn,
    vars: &'a [TermId],
    nodes: Vec<Node>,
    at: FxHashMap<TermId, u32>,
    atoms: Vec<Atom>,
}

impl Builder<'_> {
    fn add_all(&mut self, roots: &[TermId]) {
        let mut stack: Vec<(TermId, bool)> =
            roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((term, ready)) = stack.pop() {
            if self.at.contains_key(&term) {
                continue;
            }
            let store = &self.horn.terms;
            let opaque = matches!(store.op(term), Op::Forall | Op::Exists);
            let args = if opaque { store.free_vars(&[term]) } else { store.args(term).to_vec() };
            if !ready && !args.is_empty() {
                stack.push((term, true));
                stack.extend(args.iter().rev().map(|&arg| (arg, false)));
            } else {
                self.add(term, opaque, &args);
            }
        }
    }

    fn add(&mut self, term: TermId, opaque: bool, args: &[TermId]) {
        let store = &self.horn.terms;
        let id = self.nodes.len() as u32;
        let args: Vec<u32> = args.iter().map(|arg| self.at[arg]).collect();
        let mut kind = if opaque { Kind::Opaque } else { Kind::Plain };
        let mut has_atom = args.iter().any(|&arg| self.nodes[arg as usize].has_atom);
        if let Op::Var(_) = store.op(term) {
            let number = self.vars.iter().position(|&var| var == term);
            let number = number.expect("free variables of a clause are among its variables");
            kind = Kind::Var(number as u32);
        } else if let Some(pred) = self.horn.atom(term) {
            kind = Kind::Atom(self.atoms.len() as u32);
            has_atom = true;
            self.atoms.push(Atom { node: id, pred, args: args.clone() });
        }
        for (index, &arg) in args.iter().enumerate() {
            if !args[..index].contains(&arg) {
                self.nodes[arg as usize].parents.push(id);
            }
        }
        self.at.insert(term, id);
        let (op, sort) = (store.op(term), store.sort(term));
        self.nodes.push(Node { term, op, sort, kind, args, parents: Vec::new(), has_atom });
    }
}
