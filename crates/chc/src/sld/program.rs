//! Clauses as rules: a head and atoms with patterns for arguments, and guards for the rest.
//!
//! What equations and testers of a body say of data is put into the patterns by unification, once and for all, so
//! that heads tell which rules can meet a goal. A body with alternatives is several rules of one
//! clause. The query is the goal that has no arguments.
//!
//! Invariant: an instance of a rule whose guards are true is an instance of its clause, with the values of
//! `values` for its variables.

use super::bindings::{Bindings, Cell, NONE, Node};
use crate::settings::{SLD_MAX_ALTERNATIVES, SLD_MAX_RULES};
use alphorn_engine::Stop;
use alphorn_horn::transform::{conjuncts, head_args};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, ClauseId, Head};
use alphorn_term::value::MAX_VALUE_DEPTH;
use alphorn_term::{CtorId, Model, Op, SortId, Store, Substitution, TermId, Value, eval};
use std::collections::BTreeMap;

/// A term over the variables of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// A variable, by its number.
    Var(u32),
    /// A constructor applied.
    Data(CtorId, Vec<Pattern>),
    /// A value that is none of a datatype.
    Value(Value),
}

/// A formula that must be true, and what its variables are.
pub(crate) struct Guard {
    pub(crate) formula: TermId,
    pub(crate) vars: Vec<(TermId, Pattern)>,
}

/// A clause, or one alternative of it.
pub(crate) struct Rule {
    pub(crate) clause: ClauseId,
    pub(crate) head: Vec<Pattern>,
    pub(crate) body: Vec<(usize, Vec<Pattern>)>,
    pub(crate) guards: Vec<Guard>,
    /// The values of the clause's variables.
    pub(crate) values: Vec<Pattern>,
    /// How many variables the patterns have.
    pub(crate) vars: usize,
}

impl Rule {
    /// Whether both are facts, and the same one.
    fn is_same_fact(&self, other: &Rule) -> bool {
        let is_fact = |rule: &Rule| rule.body.is_empty() && rule.guards.is_empty();
        is_fact(self) && is_fact(other) && self.head == other.head
    }
}

/// A set of rules of one predicate.
pub(crate) type Rules = u128;

/// The rules of a predicate.
#[derive(Default)]
pub(crate) struct Procedure {
    /// The sorts of its arguments.
    pub(crate) sorts: Vec<SortId>,
    /// Those with the fewest atoms first.
    pub(crate) rules: Vec<Rule>,
    /// For each argument which rules can meet what it is; nothing where all can.
    pub(crate) index: Vec<Option<Index>>,
}

/// Which rules can meet an argument.
#[derive(Default)]
pub(crate) struct Index {
    /// Those whose pattern is a variable.
    any: Rules,
    ctors: BTreeMap<CtorId, Rules>,
    values: BTreeMap<Value, Rules>,
}

impl Index {
    /// The rules for what begins with a constructor.
    pub(crate) fn of(&self, ctor: CtorId) -> Rules {
        self.any | self.ctors.get(&ctor).copied().unwrap_or(0)
    }

    /// The rules for an argument.
    pub(crate) fn rules(&self, bindings: &Bindings, cell: Cell) -> Rules {
        match cell {
            Cell::Free(_) | Cell::Bound(_) => Rules::MAX,
            Cell::Data(ctor, ..) => self.of(ctor),
            Cell::Value(place) => {
                self.any | self.values.get(bindings.value_at(place)).copied().unwrap_or(0)
            }
        }
    }
}

impl Procedure {
    /// All of them.
    pub(crate) fn all(&self) -> Rules {
        if self.rules.len() == Rules::BITS as usize {
            return Rules::MAX;
        }
        (1 << self.rules.len()) - 1
    }

    fn finish(&mut self) {
        self.rules.sort_by_key(|rule| rule.body.len());
        let count = self.rules.first().map_or(0, |rule| rule.head.len());
        for position in 0..count {
            let mut index = Index::default();
            for (at, rule) in self.rules.iter().enumerate() {
                match &rule.head[position] {
                    Pattern::Var(_) => index.any |= 1 << at,
                    Pattern::Data(ctor, _) => *index.ctors.entry(*ctor).or_default() |= 1 << at,
                    Pattern::Value(value) => {
                        *index.values.entry(value.clone()).or_default() |= 1 << at;
                    }
                }
            }
            self.index.push((index.any != self.all()).then_some(index));
        }
    }
}

/// The system as a program: a procedure for each predicate, and the queries' at the end.
pub(crate) fn program(horn: &Horn, store: &mut Store) -> Result<Vec<Procedure>, Stop> {
    if is_deep(horn) {
        return Err(Stop::Unsupported("clauses have terms deeper than values are".to_owned()));
    }
    let mut procedures: Vec<Procedure> = Vec::new();
    procedures.resize_with(horn.preds.len() + 1, Procedure::default);
    for (pred, procedure) in horn.pred_ids().zip(&mut procedures) {
        procedure.sorts = horn.pred_args(pred).to_vec();
    }
    for (id, clause) in horn.clauses() {
        let pred = match &clause.head {
            Head::Atom(pred, _) => pred.index(),
            Head::False => horn.preds.len(),
        };
        for alternative in alternatives(horn, clause.body)? {
            if let Some(rule) = Reader::new(horn, store).rule(id, clause, &alternative)
                && !procedures[pred].rules.iter().any(|known| known.is_same_fact(&rule))
            {
                procedures[pred].rules.push(rule);
            }
        }
        if procedures[pred].rules.len() > SLD_MAX_RULES.size().min(Rules::BITS as usize) {
            return Err(Stop::Unsupported("a predicate has too many clauses".to_owned()));
        }
    }
    procedures.iter_mut().for_each(Procedure::finish);
    Ok(procedures)
}

/// Whether a term is deeper than a value can be: patterns are walked through by recursion.
fn is_deep(horn: &Horn) -> bool {
    let mut roots: Vec<TermId> = Vec::new();
    for clause in &horn.clauses {
        roots.push(clause.body);
        roots.extend(head_args(clause));
    }
    let mut depths: BTreeMap<TermId, u32> = BTreeMap::new();
    horn.terms.subterms(&roots).into_iter().any(|term| {
        let args = horn.terms.args(term).iter();
        let depth = 1 + args.map(|arg| depths[arg]).max().unwrap_or(0);
        depths.insert(term, depth);
        depth > MAX_VALUE_DEPTH
    })
}

/// The ways in which a body can be true, each a conjunction: disjunctions are written out where
/// they have atoms or equations of data.
fn alternatives(horn: &Horn, body: TermId) -> Result<Vec<Vec<TermId>>, Stop> {
    let store = &horn.terms;
    let mut done: Vec<Vec<TermId>> = Vec::new();
    let mut open = vec![(Vec::new(), conjuncts(store, body))];
    while let Some((mut known, mut rest)) = open.pop() {
        let Some(part) = rest.pop() else {
            done.push(known);
            continue;
        };
        if done.len() + open.len() >= SLD_MAX_ALTERNATIVES.size() {
            return Err(Stop::Unsupported("a body has too many alternatives".to_owned()));
        }
        if store.op(part) == Op::Or && is_split(horn, part) {
            for &one in store.args(part).iter().rev() {
                let mut rest = rest.clone();
                rest.extend(conjuncts(store, one));
                open.push((known.clone(), rest));
            }
        } else {
            known.push(part);
            open.push((known, rest));
        }
    }
    Ok(done)
}

/// Whether a disjunction is better written out.
fn is_split(horn: &Horn, part: TermId) -> bool {
    let store = &horn.terms;
    store.subterms(&[part]).into_iter().any(|term| match store.op(term) {
        Op::Eq => is_data(store, store.sort(store.args(term)[0])),
        Op::Is(_) => true,
        _ => horn.atom(term).is_some(),
    })
}

/// Whether values of a sort have constructors.
pub(crate) fn is_data(store: &Store, sort: SortId) -> bool {
    matches!(store.sort_of(sort), alphorn_term::Sort::Data(_))
}

/// Reads a clause.
struct Reader<'a> {
    horn: &'a Horn,
    store: &'a mut Store,
    bindings: Bindings,
    vars: BTreeMap<TermId, Node>,
    guards: Vec<TermId>,
}

impl<'a> Reader<'a> {
    fn new(horn: &'a Horn, store: &'a mut Store) -> Reader<'a> {
        let (bindings, vars, guards) = (Bindings::default(), BTreeMap::new(), Vec::new());
        Reader { horn, store, bindings, vars, guards }
    }

    /// The rule of one alternative; none if it cannot be true.
    fn rule(mut self, id: ClauseId, clause: &Clause, parts: &[TermId]) -> Option<Rule> {
        let mut atoms = Vec::new();
        let mut late = Vec::new();
        for &part in parts {
            match self.horn.atom(part) {
                Some(pred) => atoms.push((pred.index(), part)),
                None if self.has_field(part) => late.push(part),
                None => self.part(part).then_some(())?,
            }
        }
        for part in late {
            self.part(part).then_some(())?;
        }
        let head = self.all(head_args(clause));
        let mut body = Vec::with_capacity(atoms.len());
        for (pred, atom) in atoms {
            let args = self.store.args(atom).to_vec();
            body.push((pred, self.all(&args)));
        }
        let values: Vec<Node> = clause.vars.iter().map(|&var| self.node(var)).collect();
        let mut guards: Vec<(TermId, Vec<(TermId, Node)>)> = Vec::new();
        while let Some(formula) = self.guards.pop() {
            let formula = self.without_data(formula);
            let vars = self.store.free_vars(&[formula]);
            guards.push((formula, vars.into_iter().map(|var| (var, self.node(var))).collect()));
        }
        let mut names = BTreeMap::new();
        let mut pattern = |node: Node| pattern(&self.bindings, node, &mut names);
        let mut patterns = |nodes: Vec<Node>| nodes.into_iter().map(&mut pattern).collect();
        let (head, values): (_, Vec<Pattern>) = (patterns(head), patterns(values));
        let body = body.into_iter().map(|(pred, args)| (pred, patterns(args))).collect();
        let guards = guards.into_iter().map(|(formula, vars)| {
            let (vars, nodes): (Vec<TermId>, Vec<Node>) = vars.into_iter().unzip();
            Guard { formula, vars: vars.into_iter().zip(patterns(nodes)).collect() }
        });
        let guards = guards.collect();
        Some(Rule { clause: id, head, body, guards, values, vars: names.len() })
    }

    fn has_field(&self, part: TermId) -> bool {
        let all = self.store.subterms(&[part]);
        all.into_iter().any(|term| matches!(self.store.op(term), Op::Field(..)))
    }

    /// Makes a conjunct true by what variables are, or keeps it as a guard; false if it cannot be true.
    fn part(&mut self, part: TermId) -> bool {
        let args = self.store.args(part).to_vec();
        match self.store.op(part) {
            Op::True => true,
            Op::False => false,
            Op::Var(_) => self.equal(part, TermId::TRUE),
            Op::Not if matches!(self.store.op(args[0]), Op::Var(_)) => {
                self.equal(args[0], TermId::FALSE)
            }
            Op::Eq => self.equal(args[0], args[1]),
            Op::Is(ctor) => {
                let count = self.store.ctor(ctor).fields.len();
                let fields: Vec<Node> = (0..count).map(|_| self.bindings.free()).collect();
                let made = self.bindings.data(ctor, &fields);
                let node = self.node(args[0]);
                self.bindings.unify(node, made)
            }
            _ => {
                self.guards.push(part);
                true
            }
        }
    }

    fn equal(&mut self, one: TermId, other: TermId) -> bool {
        let (one, other) = (self.node(one), self.node(other));
        self.bindings.unify(one, other)
    }

    fn all(&mut self, terms: &[TermId]) -> Vec<Node> {
        terms.iter().map(|&term| self.node(term)).collect()
    }

    /// The node of a term; what has no pattern is a variable with a guard.
    fn node(&mut self, term: TermId) -> Node {
        if let Some(&node) = self.vars.get(&term) {
            return node;
        }
        let args = self.store.args(term).to_vec();
        let node = match self.store.op(term) {
            Op::Var(_) => self.bindings.free(),
            Op::Construct(ctor) => {
                let args = self.all(&args);
                return self.bindings.data(ctor, &args);
            }
            Op::Field(ctor, position) => {
                let whole = self.node(args[0]);
                match self.bindings.cell(self.bindings.find(whole)) {
                    Cell::Data(also, first, _) if also == ctor => {
                        return self.bindings.args(first)[position as usize];
                    }
                    _ => self.defined(term),
                }
            }
            _ => match eval(self.store, term, &Model::new()) {
                Ok(value @ (Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Bv(_))) => {
                    return self.bindings.value(value);
                }
                _ => self.defined(term),
            },
        };
        self.vars.insert(term, node);
        node
    }

    /// A new variable that a guard says to be the term.
    fn defined(&mut self, term: TermId) -> Node {
        let name = self.store.fresh_var("t", self.store.sort(term));
        let formula = self.store.eq(name, term);
        self.guards.push(formula);
        self.node(name)
    }

    /// A formula with variables in the place of terms that begin with constructors.
    fn without_data(&mut self, formula: TermId) -> TermId {
        let mut map = Substitution::default();
        for term in self.store.subterms(&[formula]) {
            if matches!(self.store.op(term), Op::Construct(_)) {
                let name = self.store.fresh_var("t", self.store.sort(term));
                let node = self.node(term);
                self.vars.insert(name, node);
                map.insert(term, name);
            }
        }
        self.store.substitute(formula, &map)
    }
}

/// A node as a pattern; variables are numbered as they come.
fn pattern(bindings: &Bindings, node: Node, names: &mut BTreeMap<Node, u32>) -> Pattern {
    let node = bindings.find(node);
    match bindings.cell(node) {
        Cell::Data(ctor, first, _) => {
            let args = bindings.args(first).iter();
            Pattern::Data(ctor, args.map(|&arg| pattern(bindings, arg, names)).collect())
        }
        Cell::Value(place) => Pattern::Value(bindings.value_at(place).clone()),
        Cell::Free(_) | Cell::Bound(_) => {
            let next = names.len() as u32;
            debug_assert!(node != NONE);
            Pattern::Var(*names.entry(node).or_insert(next))
        }
    }
}
