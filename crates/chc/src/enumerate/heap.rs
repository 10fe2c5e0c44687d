//! Values that are shared: equal ones have one number.
//!
//! Invariant: the parts of a value have smaller numbers than it, and two numbers are equal values only if they
//! are the same.

use crate::sld::bindings::{NONE, Node};
use crate::sld::guard::Terms;
use crate::sld::program::Pattern;
use alphorn_term::value::{MAX_VALUE_DEPTH, MAX_VALUE_SIZE};
use alphorn_term::{CtorId, Value};
use rustc_hash::FxHashMap;

/// A value, by its number; `NONE` is a variable that has none yet.
pub(super) type Ground = Node;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Shape {
    Data(CtorId, Box<[Ground]>),
    Value(Value),
}

/// All values of a run.
#[derive(Default)]
pub(super) struct Heap {
    /// What they are, with how deep and how large.
    shapes: Vec<(Shape, u32, u64)>,
    known: FxHashMap<Shape, Ground>,
}

impl Heap {
    fn add(&mut self, shape: Shape, depth: u32, size: u64) -> Ground {
        let shapes = &mut self.shapes;
        *self.known.entry(shape).or_insert_with_key(|shape| {
            shapes.push((shape.clone(), depth, size));
            (shapes.len() - 1) as Ground
        })
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// A constructor applied; none if that is more than a value can be.
    pub(super) fn data(&mut self, ctor: CtorId, args: &[Ground]) -> Option<Ground> {
        let (mut depth, mut size) = (1, 1u64);
        for &arg in args {
            let (_, own, parts) = &self.shapes[arg as usize];
            depth = depth.max(own + 1);
            size = size.saturating_add(*parts);
        }
        let fits = depth <= MAX_VALUE_DEPTH && size <= MAX_VALUE_SIZE;
        fits.then(|| self.add(Shape::Data(ctor, args.into()), depth, size))
    }

    /// The number of a value; none if it is too large.
    pub(super) fn write(&mut self, value: &Value) -> Option<Ground> {
        let Value::Data(data) = value else {
            return Some(self.add(Shape::Value(value.clone()), 0, value.size()));
        };
        let args: Option<Vec<Ground>> = data.args.iter().map(|arg| self.write(arg)).collect();
        self.data(data.ctor, &args?)
    }

    /// The value that a number stands for.
    pub(super) fn value(&self, ground: Ground) -> Option<Value> {
        match &self.shapes.get(ground as usize)?.0 {
            Shape::Data(ctor, args) => {
                let args: Option<Vec<Value>> = args.iter().map(|&arg| self.value(arg)).collect();
                Value::data(*ctor, args?)
            }
            Shape::Value(value) => Some(value.clone()),
        }
    }

    /// The value of a pattern in a frame, if all its variables have one.
    pub(super) fn build(&mut self, pattern: &Pattern, frame: &[Ground]) -> Option<Ground> {
        match pattern {
            Pattern::Var(var) => Some(frame[*var as usize]).filter(|&ground| ground != NONE),
            Pattern::Data(ctor, args) => {
                let args: Option<Vec<Ground>> =
                    args.iter().map(|arg| self.build(arg, frame)).collect();
                self.data(*ctor, &args?)
            }
            Pattern::Value(value) => self.write(value),
        }
    }

    /// Whether a value is an instance of a pattern; variables that get values are written down.
    pub(super) fn meet(
        &self,
        pattern: &Pattern,
        ground: Ground,
        frame: &mut [Ground],
        new: &mut Vec<u32>,
    ) -> bool {
        match (pattern, &self.shapes[ground as usize].0) {
            (Pattern::Var(var), _) => {
                let known = &mut frame[*var as usize];
                if *known == NONE {
                    *known = ground;
                    new.push(*var);
                }
                *known == ground
            }
            (Pattern::Data(ctor, args), Shape::Data(also, values)) => {
                let mut parts = args.iter().zip(values);
                ctor == also && parts.all(|(arg, &value)| self.meet(arg, value, frame, new))
            }
            (Pattern::Value(one), Shape::Value(other)) => one == other,
            _ => false,
        }
    }
}

impl Terms for Heap {
    fn same(&self, one: Node, other: Node) -> Result<bool, Node> {
        if one == NONE || other == NONE { Err(NONE) } else { Ok(one == other) }
    }

    fn top(&self, node: Node) -> Result<Option<CtorId>, Node> {
        match self.shapes.get(node as usize) {
            Some((Shape::Data(ctor, _), ..)) => Ok(Some(*ctor)),
            Some(_) => Ok(None),
            None => Err(node),
        }
    }

    fn read(&self, node: Node) -> Result<Value, Option<Node>> {
        if node == NONE {
            return Err(Some(node));
        }
        self.value(node).ok_or(None)
    }
}
