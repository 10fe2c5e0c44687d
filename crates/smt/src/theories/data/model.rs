//! Trees for the classes of a complete assignment.
//!
//! A class with a constructor is the constructor applied to the values of its arguments' classes. One
//! without gets a value that no other class has: a tree with a number, or an element, that occurs nowhere
//! else; or, where trees of the sort have none, one that is deeper than all that were made before.
//! Different classes so have different trees: two with the same constructor differ in an argument, by
//! induction; and a tree made around a fresh one has the mark, or is deeper than what came before.
//! Of codatatypes those that a constructor made are the solution of a system of equations, one for each class; it gives
//! different classes different trees since none of them are bisimilar (`unique`).
//!
//! What selectors give on values of other constructors is a choice of the model.

use std::sync::Arc;

use alphorn_term::eval::{Choices, Table};
use alphorn_term::value::codata::{self, Part};
use alphorn_term::value::{ArrayValue, elements};
use alphorn_term::{CtorId, Int, Op, Rat, Sort, SortId, Store, TermId, Value};
use std::collections::BTreeSet;

use super::tower::Towers;
use crate::datatypes::is_forced;
use crate::euf::Node;
use crate::theories::agreement::shared_values;
use crate::theories::arrays::parts_of;
use crate::theories::kernel::Kernel;
use crate::theories::model::Reading;

/// The most elements that a sort may have for them to be looked through.
pub(super) const MAX_ELEMENTS: u64 = 1 << 10;

/// Values of classes in the making.
struct Growth<'a> {
    kernel: &'a Kernel,
    store: &'a Store,
    reading: &'a Reading<'a>,
    /// The deepest tree so far.
    depth: u32,
    mark: Mark,
    /// Classes that a constructor made and that have no tree yet.
    waiting: Vec<Node>,
    towers: Towers,
}

/// What occurs nowhere: this number and larger ones, the element of this number and later ones.
struct Mark {
    number: Int,
    element: u32,
}

/// Gives all classes of datatype terms their trees; elements of other sorts have smaller numbers
/// than `elements`.
pub(crate) fn grow(reading: &Reading<'_>, elements: u32) {
    let Reading { kernel, store, .. } = *reading;
    let theory = kernel.theory();
    let mut classes = Vec::new();
    for term in &theory.data.terms {
        if let (true, Some(root)) = (is_data(store, *term), theory.equality.root(*term)) {
            classes.push((root, store.sort(*term)));
        }
    }
    let numbers = shared_values(theory);
    let largest = numbers.iter().map(|number| number.value.ceil().abs()).max();
    let mark = Mark { number: &largest.unwrap_or_default() + &Int::ONE, element: elements };
    let (waiting, towers) = (Vec::new(), Towers::default());
    let mut growth = Growth { kernel, store, reading, depth: 0, mark, waiting, towers };
    let roots = classes.iter().map(|(root, _)| *root);
    growth.waiting = roots.filter(|root| growth.made(*root).is_some()).collect();
    growth.grow_all(&classes);
}

/// Chooses what selectors give on values of other constructors.
pub(crate) fn wrong_fields(reading: &Reading<'_>, choices: &mut Choices) {
    let Reading { kernel, store, .. } = *reading;
    for &term in &kernel.theory().data.terms {
        let Op::Field(ctor, field) = store.op(term) else { continue };
        let of = reading.value(store.args(term)[0]);
        let table = choices.fields.entry((ctor, field)).or_insert_with(|| Table {
            default: Value::default_of(store, store.sort(term)),
            ..Table::default()
        });
        if of.ctor() != Some(ctor) {
            table.entries.entry(vec![of]).or_insert_with(|| reading.value(term));
        }
    }
}

impl Growth<'_> {
    fn grow_all(&mut self, classes: &[(Node, SortId)]) {
        // What they are is no choice, and what is made around them is not deeper than other trees.
        for &(root, sort) in classes.iter().filter(|(_, sort)| is_forced(self.store, *sort)) {
            self.keep(root, Value::default_of(self.store, sort));
        }
        self.grow_made();
        for &(root, sort) in classes {
            if self.has_tree(root) || self.made(root).is_some() {
                continue;
            }
            match marked(self.store, sort, &self.mark, &mut Vec::new()) {
                Some(value) => {
                    self.mark.number = &self.mark.number + &Int::ONE;
                    self.mark.element += 1;
                    self.keep(root, Some(value));
                }
                None => {
                    // Deeper than all that are made of earlier ones.
                    self.grow_made();
                    self.depth += 1;
                    let value = self.towers.deeper(self.store, sort, self.depth);
                    self.keep(root, value);
                }
            }
        }
        self.grow_made();
    }

    /// Gives a tree to each class whose arguments' classes have theirs.
    fn grow_made(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain(|&root| {
            self.grow(root);
            !self.has_tree(root)
        });
        self.waiting = waiting;
    }

    fn root(&self, term: TermId) -> Option<Node> {
        self.kernel.theory().equality.root(term)
    }

    /// The application of a constructor that a class was made by.
    fn made(&self, root: Node) -> Option<TermId> {
        let equality = &self.kernel.theory().equality;
        equality.node_terms.get(&equality.closure.carrier(root)?).copied()
    }

    /// Gives a class its tree, after those of its arguments, unless one needs a fresh one.
    fn grow(&mut self, root: Node) {
        // A class below itself by way of arrays gets no tree.
        let mut entered = BTreeSet::new();
        let mut stack = vec![(root, false)];
        while let Some((root, is_ready)) = stack.pop() {
            if self.has_tree(root) {
                continue;
            }
            let Some(made) = self.made(root) else { continue };
            let is_co = self.store.codata_of(self.store.sort(made)).is_some();
            let (roots, open) = match is_co {
                true => match self.trees_below(root) {
                    Some(found) => found,
                    None => continue,
                },
                false => (Vec::new(), self.open_below(self.store.args(made))),
            };
            if open.is_empty() && is_co {
                self.solve(&roots);
            } else if open.is_empty() {
                let value = self.construct(made);
                self.keep(root, value);
            } else if !is_ready && entered.insert(root) {
                stack.push((root, true));
                stack.extend(open.into_iter().map(|root| (root, false)));
            }
        }
    }

    fn has_tree(&self, root: Node) -> bool {
        self.reading.trees.borrow().contains_key(&root)
    }

    /// The classes of codatatypes without trees that are met from one of them, and the other classes
    /// without trees that they rest on; nothing if one of them needs a fresh tree.
    fn trees_below(&self, root: Node) -> Option<(Vec<Node>, Vec<Node>)> {
        let (mut roots, mut others) = (vec![root], Vec::new());
        let mut at = 0;
        while let Some(&root) = roots.get(at) {
            at += 1;
            for &arg in self.store.args(self.made(root)?) {
                if self.store.codata_of(self.store.sort(arg)).is_none() {
                    others.push(arg);
                    continue;
                }
                let below = self.root(arg)?;
                if !self.has_tree(below) && !roots.contains(&below) {
                    roots.push(below);
                }
            }
        }
        Some((roots, self.open_below(&others)))
    }

    /// Gives classes of codatatypes their trees, of which each says what others are.
    fn solve(&mut self, roots: &[Node]) {
        let equations = roots.iter().map(|root| self.equation(*root, roots));
        let Some(equations) = equations.collect::<Option<Vec<_>>>() else { return };
        let all: Vec<u32> = (0..roots.len() as u32).collect();
        for (root, value) in
            roots.iter().zip(Value::codata_all(equations, &all).unwrap_or_default())
        {
            self.keep(*root, Some(value));
        }
    }

    fn equation(&self, root: Node, roots: &[Node]) -> Option<codata::Node> {
        let made = self.made(root)?;
        let Op::Construct(ctor) = self.store.op(made) else { return None };
        let args = self.store.args(made).iter().map(|arg| {
            let own = self.root(*arg).and_then(|own| roots.iter().position(|root| *root == own));
            match own {
                Some(at) => Part::Node(at as u32),
                None => Part::Value(self.reading.value(*arg)),
            }
        });
        Some(codata::Node { ctor, args: args.collect() })
    }

    /// The classes without trees that the arguments of an application rest on, also inside arrays.
    fn open_below(&self, args: &[TermId]) -> Vec<Node> {
        let mut open = Vec::new();
        let mut terms = args.to_vec();
        let mut at = 0;
        while let Some(&term) = terms.get(at) {
            at += 1;
            if is_data(self.store, term) {
                open.extend(self.root(term).filter(|root| !self.has_tree(*root)));
            } else if matches!(self.store.sort_of(self.store.sort(term)), Sort::Array(..)) {
                for part in parts_of(self.reading, term) {
                    if !terms.contains(&part) {
                        terms.push(part);
                    }
                }
            }
        }
        open
    }

    fn keep(&mut self, root: Node, value: Option<Value>) {
        let Some(value) = value else { return };
        self.depth = self.depth.max(depth_of(&value));
        self.reading.trees.borrow_mut().insert(root, value);
    }

    fn construct(&self, made: TermId) -> Option<Value> {
        let Op::Construct(ctor) = self.store.op(made) else { return None };
        let args = self.store.args(made).iter().map(|arg| self.reading.value(*arg)).collect();
        Value::made(self.store, ctor, args)
    }
}

fn is_data(store: &Store, term: TermId) -> bool {
    matches!(store.sort_of(store.sort(term)), Sort::Data(_))
}

pub(super) fn depth_of(value: &Value) -> u32 {
    match value {
        Value::Data(data) => data.depth(),
        Value::Codata(tree) => tree.nodes().len() as u32,
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
        Sort::Array(index, element) => marked_array(store, *index, *element, mark, path),
        _ => None,
    }
}

/// An array whose elements have the mark, or that has another element at an index with it.
fn marked_array(
    store: &Store,
    index: SortId,
    element: SortId,
    mark: &Mark,
    path: &mut Vec<SortId>,
) -> Option<Value> {
    if let Some(value) = marked(store, element, mark, path) {
        return Some(Value::Array(Arc::new(ArrayValue::constant(store, index, value)?)));
    }
    let at = marked(store, index, mark, path)?;
    let default = Value::default_of(store, element)?;
    let others = elements(store, element, MAX_ELEMENTS)?;
    let other = others.into_iter().find(|other| *other != default)?;
    let array = ArrayValue::constant(store, index, default)?.with(store, at, other)?;
    Some(Value::Array(Arc::new(array)))
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
    Value::made(store, ctor, args.collect::<Option<_>>()?)
}
