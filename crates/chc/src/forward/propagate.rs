//! Propagation of values through a clause's network.
//!
//! A node *has a value* when every solution of the clause below the present choices gives it that
//! value. It is *justified* when the value follows from the values of variables and the matched
//! atoms below it; a matched atom only once its arguments evaluate to the fact's values. Values flow up by evaluation and down by inversion: a conjunction that must
//! hold makes its conjuncts hold, `x = t` makes `x` what `t` is, a disjunction with one disjunct
//! left makes it hold. When the body is justified, the instance is a solution whatever the
//! remaining variables are.
//!
//! Errors of evaluation give no value and no conflict: an operator that does not look at the
//! argument may still be justified.

use super::invert::{Inverse, invert};
use super::network::{Atom, Kind, Network};
use alphorn_term::eval::{Choices, apply};
use alphorn_term::{Model, Op, Store, Value, eval};

/// The present choices cannot be extended to a solution.
#[derive(Debug)]
pub(super) struct Conflict;

#[derive(Clone, Copy)]
enum Undo {
    Value(u32),
    Justified(u32),
    Barred(u32),
    Matched(u32),
}

/// The values of a network's nodes, with a trail to take them back.
pub(super) struct State {
    pub values: Vec<Option<Value>>,
    pub justified: Vec<bool>,
    /// Disjuncts not to be chosen below the present choices.
    pub barred: Vec<bool>,
    /// Atoms for which a fact has been chosen.
    pub matched: Vec<bool>,
    trail: Vec<Undo>,
    queue: Vec<u32>,
    /// For each junction, an argument that was not justified when last looked at.
    watched: Vec<u32>,
    /// Nodes visited since the last `take_work`.
    work: u64,
}

impl State {
    pub fn new(net: &Network) -> State {
        let count = net.nodes.len();
        State {
            values: vec![None; count],
            justified: vec![false; count],
            barred: vec![false; count],
            matched: vec![false; count],
            trail: Vec::new(),
            queue: Vec::new(),
            watched: vec![0; count],
            work: 0,
        }
    }

    pub fn value(&self, node: u32) -> Option<&Value> {
        self.values[node as usize].as_ref()
    }

    pub fn truth(&self, node: u32) -> Option<bool> {
        self.value(node).and_then(Value::as_bool)
    }

    pub fn is_justified(&self, node: u32) -> bool {
        self.justified[node as usize]
    }

    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Takes back everything since `mark`.
    pub fn undo(&mut self, mark: usize) {
        self.queue.clear();
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Value(node)) => self.values[node as usize] = None,
                Some(Undo::Justified(node)) => self.justified[node as usize] = false,
                Some(Undo::Barred(node)) => self.barred[node as usize] = false,
                Some(Undo::Matched(node)) => self.matched[node as usize] = false,
                None => {}
            }
        }
    }

    /// Evaluates the literals and everything else without variables.
    pub fn settle_ground(&mut self, net: &Network, store: &Store) -> Result<(), Conflict> {
        for node in 0..net.nodes.len() as u32 {
            let data = net.node(node);
            if data.kind == Kind::Plain && data.args.is_empty() {
                let value = apply_node(net, store, node, &[]);
                if let Some(value) = value {
                    self.assign(net, node, value, true)?;
                }
            }
        }
        self.settle(net, store)
    }

    /// Gives a node a value; variables are justified by having one.
    pub fn assign(
        &mut self,
        net: &Network,
        node: u32,
        value: Value,
        justified: bool,
    ) -> Result<(), Conflict> {
        let at = node as usize;
        let justified = justified || matches!(net.nodes[at].kind, Kind::Var(_));
        match &self.values[at] {
            Some(present) if *present != value => return Err(Conflict),
            Some(_) if !justified || self.justified[at] => return Ok(()),
            Some(_) => {}
            None => {
                self.values[at] = Some(value);
                self.trail.push(Undo::Value(node));
            }
        }
        if justified {
            self.justified[at] = true;
            self.trail.push(Undo::Justified(node));
        }
        self.queue.push(node);
        Ok(())
    }

    /// Makes an atom hold by a fact with these values.
    pub fn match_atom(
        &mut self,
        net: &Network,
        atom: &Atom,
        values: &[Value],
    ) -> Result<(), Conflict> {
        for (&arg, value) in atom.args.iter().zip(values) {
            self.assign(net, arg, value.clone(), false)?;
        }
        self.matched[atom.node as usize] = true;
        self.trail.push(Undo::Matched(atom.node));
        self.assign(net, atom.node, Value::Bool(true), false)?;
        self.infer_atom(net, atom.node)
    }

    /// A matched atom is justified when its arguments are.
    fn infer_atom(&mut self, net: &Network, node: u32) -> Result<(), Conflict> {
        let settled = || net.node(node).args.iter().all(|&arg| self.is_justified(arg));
        if self.matched[node as usize] && settled() {
            return self.assign(net, node, Value::Bool(true), true);
        }
        Ok(())
    }

    /// Excludes a disjunct from being chosen.
    pub fn bar(&mut self, net: &Network, node: u32) -> Result<(), Conflict> {
        if !std::mem::replace(&mut self.barred[node as usize], true) {
            self.trail.push(Undo::Barred(node));
        }
        for &parent in &net.node(node).parents {
            self.last_argument(net, parent)?;
        }
        Ok(())
    }

    /// Propagates until nothing changes.
    pub fn settle(&mut self, net: &Network, store: &Store) -> Result<(), Conflict> {
        while let Some(node) = self.queue.pop() {
            self.work += 1;
            self.down(net, store, node)?;
            for &parent in &net.node(node).parents {
                match net.node(parent).op {
                    Op::And | Op::Or => self.junction_up(net, parent, node)?,
                    _ => self.infer(net, store, parent)?,
                }
            }
        }
        Ok(())
    }

    /// What the value of `node` says about its arguments.
    fn down(&mut self, net: &Network, store: &Store, node: u32) -> Result<(), Conflict> {
        let data = net.node(node);
        match (data.op, data.kind) {
            (_, Kind::Var(_) | Kind::Atom(_) | Kind::Opaque) => Ok(()),
            (Op::And | Op::Or, _) => {
                let dominant = data.op == Op::Or;
                if self.truth(node) == Some(!dominant) {
                    for &arg in &data.args {
                        self.assign(net, arg, Value::Bool(!dominant), false)?;
                    }
                    return Ok(());
                }
                self.last_argument(net, node)
            }
            _ => self.infer(net, store, node),
        }
    }

    fn junction_up(&mut self, net: &Network, node: u32, arg: u32) -> Result<(), Conflict> {
        let data = net.node(node);
        let dominant = data.op == Op::Or;
        if self.truth(arg) == Some(dominant) {
            let justified = self.is_justified(arg);
            return self.assign(net, node, Value::Bool(dominant), justified);
        }
        let watched = data.args[self.watched[node as usize] as usize];
        if self.is_justified(watched) {
            match data.args.iter().position(|&arg| !self.is_justified(arg)) {
                Some(position) => self.watched[node as usize] = position as u32,
                None => {
                    let any = data.args.iter().any(|&arg| self.truth(arg) == Some(dominant));
                    let value = Value::Bool(if any { dominant } else { !dominant });
                    return self.assign(net, node, value, true);
                }
            }
        }
        self.last_argument(net, node)
    }

    /// A disjunction that must hold with one possible disjunct left (or dually).
    fn last_argument(&mut self, net: &Network, node: u32) -> Result<(), Conflict> {
        let data = net.node(node);
        let dominant = match data.op {
            Op::And => false,
            Op::Or => true,
            _ => return Ok(()),
        };
        if self.truth(node) != Some(dominant) {
            return Ok(());
        }
        let mut last = None;
        for &arg in &data.args {
            match self.truth(arg) {
                Some(value) if value == dominant => return Ok(()),
                None if self.barred[arg as usize] => {}
                None if last.replace(arg).is_some() => return Ok(()),
                _ => {}
            }
        }
        match last {
            Some(arg) => self.assign(net, arg, Value::Bool(dominant), false),
            None => Err(Conflict),
        }
    }

    /// Evaluation and inversion at a node that is not a junction.
    fn infer(&mut self, net: &Network, store: &Store, node: u32) -> Result<(), Conflict> {
        let data = net.node(node);
        match (data.kind, data.op, data.args.as_slice()) {
            (Kind::Var(_), ..) => Ok(()),
            (Kind::Atom(_), ..) => self.infer_atom(net, node),
            (Kind::Opaque, ..) => self.infer_opaque(net, store, node),
            (_, Op::Not, &[arg]) => {
                if let Some(value) = self.truth(arg) {
                    self.assign(net, node, Value::Bool(!value), self.is_justified(arg))?;
                }
                match self.truth(node) {
                    Some(value) => self.assign(net, arg, Value::Bool(!value), false),
                    None => Ok(()),
                }
            }
            (_, Op::Eq, &[left, right]) => self.infer_eq(net, node, left, right),
            (_, Op::Ite, &[condition, then, other]) => {
                self.infer_ite(net, node, condition, then, other)
            }
            _ => self.infer_plain(net, store, node),
        }
    }

    fn infer_opaque(&mut self, net: &Network, store: &Store, node: u32) -> Result<(), Conflict> {
        let data = net.node(node);
        let mut model = Model::new();
        for &arg in &data.args {
            let Some(value) = self.value(arg) else { return Ok(()) };
            model.set(net.node(arg).term, value.clone());
        }
        match eval(store, data.term, &model) {
            Ok(value) => self.assign(net, node, value, true),
            Err(_) => Ok(()),
        }
    }

    fn infer_eq(&mut self, net: &Network, node: u32, a: u32, b: u32) -> Result<(), Conflict> {
        if let (Some(left), Some(right)) = (self.value(a), self.value(b)) {
            let same = Value::Bool(left == right);
            let justified = self.is_justified(a) && self.is_justified(b);
            return self.assign(net, node, same, justified);
        }
        let Some(same) = self.truth(node) else { return Ok(()) };
        for (known, other) in [(a, b), (b, a)] {
            match self.value(known) {
                Some(value) if same => return self.assign(net, other, value.clone(), false),
                Some(&Value::Bool(value)) => {
                    return self.assign(net, other, Value::Bool(!value), false);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn infer_ite(
        &mut self,
        net: &Network,
        node: u32,
        condition: u32,
        then: u32,
        other: u32,
    ) -> Result<(), Conflict> {
        if let Some(truth) = self.truth(condition) {
            let branch = if truth { then } else { other };
            if let Some(value) = self.value(branch).cloned() {
                let justified = self.is_justified(condition) && self.is_justified(branch);
                self.assign(net, node, value, justified)?;
            }
            if let Some(value) = self.value(node).cloned() {
                self.assign(net, branch, value, false)?;
            }
            return Ok(());
        }
        if let (Some(left), Some(right)) = (self.value(then), self.value(other))
            && left == right
        {
            let (value, left) = (left.clone(), self.is_justified(then));
            let justified = left && self.is_justified(other);
            self.assign(net, node, value, justified)?;
        }
        let Some(value) = self.value(node) else { return Ok(()) };
        let differs = |branch: u32| self.value(branch).is_some_and(|found| found != value);
        match (differs(then), differs(other)) {
            (true, true) => Err(Conflict),
            (true, false) => self.assign(net, condition, Value::Bool(false), false),
            (false, true) => self.assign(net, condition, Value::Bool(true), false),
            (false, false) => Ok(()),
        }
    }

    fn infer_plain(&mut self, net: &Network, store: &Store, node: u32) -> Result<(), Conflict> {
        let data = net.node(node);
        let mut unknown =
            data.args.iter().enumerate().filter(|(_, arg)| self.value(**arg).is_none());
        let (first, second) = (unknown.next(), unknown.next());
        let Some((position, _)) = first else {
            let args: Vec<Value> =
                data.args.iter().filter_map(|&arg| self.value(arg).cloned()).collect();
            let justified = data.args.iter().all(|&arg| self.is_justified(arg));
            return match apply_node(net, store, node, &args) {
                Some(value) => self.assign(net, node, value, justified),
                None => Ok(()),
            };
        };
        let Some(target) = self.value(node).cloned() else { return Ok(()) };
        if second.is_some() && !matches!(data.op, Op::Construct(_) | Op::Concat) {
            return Ok(());
        }
        let args: Vec<Option<Value>> =
            data.args.iter().map(|&arg| self.value(arg).cloned()).collect();
        let widths = data.args.iter().map(|&arg| store.width(net.node(arg).term)).collect();
        match invert(store, data.op, &target, &args, widths, position) {
            Inverse::Open => Ok(()),
            Inverse::Impossible => Err(Conflict),
            Inverse::Argument(value) => self.assign(net, data.args[position], value, false),
            Inverse::All(values) => {
                for (&arg, value) in data.args.iter().zip(values) {
                    self.assign(net, arg, value, false)?;
                }
                Ok(())
            }
        }
    }
}

/// The value of a node's operator on values; none where evaluation has none.
fn apply_node(net: &Network, store: &Store, node: u32, args: &[Value]) -> Option<Value> {
    let data = net.node(node);
    if let Some(value) = store.literal_value(data.term) {
        return Some(value);
    }
    match data.op {
        Op::Apply(_) | Op::Var(_) | Op::Forall | Op::Exists => None,
        op => apply(store, op, data.sort, args, &Choices::default()).ok(),
    }
}
