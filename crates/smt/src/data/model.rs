//! Trees for the classes of a complete assignment.
//!
//! A class with a constructor is the constructor applied to the values of its arguments' classes. One
//! without gets a value that no other class has: a tree with a number, or an element, that occurs nowhere
//! else; or, where trees of the sort have none, one that is deeper than all that were made before.
//! Different classes so have different trees: two with the same constructor differ in an argument, by
//! induction; and a tree made around a fresh one has the mark, or is deeper than what came before.
//!
//! What selectors give on values of other constructors is a choice of the model.

use alphorn_term::eval::{Choices, Table};
use alphorn_term::{CtorId, Int, Op, Rat, Sort, SortId, Store, TermId, Value};
use rustc_hash::FxHashMap;

use crate::euf::Node;
use crate::smt::Smt;

/// Values of classes in the making.
pub(crate) struct Growth<'a> {
    smt: &'a Smt,
    store: &'a Store,
    /// The values of terms that are no trees.
    value_of: &'a dyn Fn(TermId) -> Value,
    trees: FxHashMap<Node, Value>,
    /// The deepest tree so far.
    depth: u32,
    mark: Mark,
}

/// What occurs nowhere: this number and larger ones, the element of this number and later ones.
struct Mark {
    number: Int,
    element: u32,
}

impl Smt {
    /// The trees of all classes of datatype terms, by the class's root; `value_of` tells the values of
    /// other terms, and `elements` how many elements a sort has at most.
    pub(crate) fn trees(
        &self,
        store: &Store,
        value_of: &dyn Fn(TermId) -> Value,
        elements: u32,
    ) -> FxHashMap<Node, Value> {
        let theory = self.search.theory();
        let mut classes = Vec::new();
        for term in &self.encoder.data {
            if let (Sort::Data(_), Some(node)) =
                (store.sort_of(store.sort(*term)), self.encoder.nodes.get(term))
            {
                classes.push((theory.euf.root(*node), store.sort(*term)));
            }
        }
        let numbers = theory.shared_values();
        let largest = numbers.iter().map(|number| number.value.ceil().abs()).max();
        let mark = Mark { number: &largest.unwrap_or_default() + &Int::ONE, element: elements };
        let trees = FxHashMap::default();
        let mut growth = Growth { smt: self, store, value_of, trees, depth: 0, mark };
        growth.grow_all(&classes);
        growth.trees
    }

    /// The values of selectors on values of other constructors.
    pub(crate) fn wrong_fields(
        &self,
        store: &Store,
        value_of: &dyn Fn(TermId) -> Value,
        choices: &mut Choices,
    ) {
        for &term in &self.encoder.data {
            let Op::Field(ctor, field) = store.op(term) else { continue };
            let of = value_of(store.args(term)[0]);
            let table = choices.fields.entry((ctor, field)).or_insert_with(|| Table {
                default: Value::default_of(store, store.sort(term)),
                ..Table::default()
            });
            if !matches!(&of, Value::Data(data) if data.ctor == ctor) {
                table.entries.entry(vec![of]).or_insert_with(|| value_of(term));
            }
        }
    }
}

impl Growth<'_> {
    fn grow_all(&mut self, classes: &[(Node, SortId)]) {
        self.grow_made(classes);
        for &(root, sort) in classes {
            if self.trees.contains_key(&root) || self.made(root).is_some() {
                continue;
            }
            let value = self.fresh(sort);
            self.keep(root, value);
            // A fresh tree is deeper than all that are made of earlier ones.
            self.grow_made(classes);
        }
    }

    /// Gives a tree to each class whose arguments' classes have theirs.
    fn grow_made(&mut self, classes: &[(Node, SortId)]) {
        for &(root, _) in classes {
            self.grow(root);
        }
    }

    fn root(&self, term: TermId) -> Option<Node> {
        let node = self.smt.encoder.nodes.get(&term)?;
        Some(self.smt.search.theory().euf.root(*node))
    }

    /// The application of a constructor that a class was made by.
    fn made(&self, root: Node) -> Option<TermId> {
        let carrier = self.smt.search.theory().euf.carrier(root)?;
        self.smt.encoder.node_terms.get(&carrier).copied()
    }

    /// Gives a class its tree, after those of its arguments, unless one needs a fresh one.
    fn grow(&mut self, root: Node) {
        let mut stack = vec![(root, false)];
        while let Some((root, is_ready)) = stack.pop() {
            if self.trees.contains_key(&root) {
                continue;
            }
            let Some(made) = self.made(root) else { continue };
            let args = self.store.args(made).iter();
            let args = args.filter(|arg| is_data(self.store, **arg));
            let roots = args.filter_map(|arg| self.root(*arg));
            let open: Vec<Node> = roots.filter(|root| !self.trees.contains_key(root)).collect();
            if open.is_empty() {
                let value = self.construct(made);
                self.keep(root, value);
            } else if !is_ready {
                stack.push((root, true));
                stack.extend(open.into_iter().map(|root| (root, false)));
            }
        }
    }

    fn keep(&mut self, root: Node, value: Option<Value>) {
        let Some(value) = value else { return };
        self.depth = self.depth.max(depth_of(&value));
        self.trees.insert(root, value);
    }

    fn construct(&self, made: TermId) -> Option<Value> {
        let Op::Construct(ctor) = self.store.op(made) else { return None };
        let mut args = Vec::new();
        for &arg in self.store.args(made) {
            args.push(match self.store.sort_of(self.store.sort(arg)) {
                Sort::Data(_) => self.trees.get(&self.root(arg)?)?.clone(),
                _ => (self.value_of)(arg),
            });
        }
        Value::data(ctor, args)
    }

    /// A value that no class has.
    fn fresh(&mut self, sort: SortId) -> Option<Value> {
        if let Some(value) = marked(self.store, sort, &self.mark, &mut Vec::new()) {
            self.mark.number = &self.mark.number + &Int::ONE;
            self.mark.element += 1;
            return Some(value);
        }
        deeper(self.store, sort, self.depth + 1)
    }
}

fn is_data(store: &Store, term: TermId) -> bool {
    matches!(store.sort_of(store.sort(term)), Sort::Data(_))
}

fn depth_of(value: &Value) -> u32 {
    match value {
        Value::Data(data) => data.depth(),
        _ => 0,
    }
}

/// A value of a sort that contains the mark.
fn marked(store: &Store, sort: SortId, mark: &Mark, path: &mut Vec<SortId>) -> Option<Value> {
    match store.sort_of(sort) {
        Sort::Int => Some(Value::Int(mark.number.clone())),
        Sort::Real => Some(Value::Real(Rat::from(mark.number.clone()))),
        Sort::Uninterpreted(..) => Some(Value::Element(sort, mark.element)),
        Sort::Data(data) if !path.contains(&sort) => {
            path.push(sort);
            let ctors = store.data(*data).ctors.iter();
            let found = ctors.copied().find_map(|ctor| marked_field(store, ctor, mark, path));
            path.pop();
            found
        }
        _ => None,
    }
}

fn marked_field(store: &Store, ctor: CtorId, mark: &Mark, path: &mut Vec<SortId>) -> Option<Value> {
    let fields = &store.ctor(ctor).fields;
    let find = |place: usize, path: &mut Vec<SortId>| {
        Some((place, marked(store, fields[place].1, mark, path)?))
    };
    let (place, value) = (0..fields.len()).find_map(|place| find(place, path))?;
    let args = fields.iter().enumerate().map(|(at, (_, sort))| match at == place {
        true => Some(value.clone()),
        false => Value::default_of(store, *sort),
    });
    Value::data(ctor, args.collect::<Option<_>>()?)
}

/// A value of a sort that is at least so deep.
fn deeper(store: &Store, sort: SortId, depth: u32) -> Option<Value> {
    let default = Value::default_of(store, sort)?;
    if depth_of(&default) >= depth {
        return Some(default);
    }
    // The way from the sort back to itself, innermost first.
    let way = way_inside(store, sort)?;
    let mut value = default;
    while depth_of(&value) < depth {
        for (ctor, place) in way.iter().rev() {
            let fields = store.ctor(*ctor).fields.iter().enumerate();
            let args = fields.map(|(at, (_, sort))| match at == *place {
                true => Some(value.clone()),
                false => Value::default_of(store, *sort),
            });
            value = Value::data(*ctor, args.collect::<Option<_>>()?)?;
        }
    }
    Some(value)
}

/// Constructors with a place each that lead from a value of a sort to one of the same sort inside it.
fn way_inside(store: &Store, sort: SortId) -> Option<Vec<(CtorId, usize)>> {
    let mut reached: Vec<(SortId, Vec<(CtorId, usize)>)> = vec![(sort, Vec::new())];
    let mut at = 0;
    while let Some((current, way)) = reached.get(at).cloned() {
        at += 1;
        let Sort::Data(data) = store.sort_of(current) else { continue };
        for &ctor in &store.data(*data).ctors {
            for (place, (_, field)) in store.ctor(ctor).fields.iter().enumerate() {
                let mut longer = way.clone();
                longer.push((ctor, place));
                if *field == sort {
                    return Some(longer);
                }
                if reached.iter().all(|(other, _)| other != field) {
                    reached.push((*field, longer));
                }
            }
        }
    }
    None
}
