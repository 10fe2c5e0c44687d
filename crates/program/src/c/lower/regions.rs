//! Regions: what pointers may point to, by unification.
//!
//! A node is a set of objects of one type, or of arrays of it; a cell is a part of the objects of a node,
//! by its path. Every pointer that the program has points to one cell. Assigning a pointer makes two cells
//! one: if they are the wholes of two nodes, the nodes become one; if one is a part of a node and the other
//! a whole, the one node becomes that part of the other (so that `&p->next` and `&head` may be in one
//! variable). Where that cannot be, or objects are used with different types, the node is mixed.
//!
//! Invariant, which the lowering demands again at every assignment: pointers that meet have one cell.
//!
//! Source: Steensgaard's analysis with paths [Steensgaard 1996; the cells of Lattner's data structure
//! analysis].

use super::shape::{Path, Step, Unions, gcd, grain, leaves, type_at};
use crate::c::layout::{Type, TypeId, Types};
use crate::c::tree::{FuncId, VarId};
use alphorn_problem::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A set of objects, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A part of the objects of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The set that the objects belong to.
    pub node: NodeId,
    /// The way from the type of its objects down to the part.
    pub path: Path,
}

/// A set of objects.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Of which node it is a part now.
    parent: Option<(NodeId, Path)>,
    /// The type of its objects, or of their elements.
    pub ty: Option<TypeId>,
    /// Whether its objects may be arrays.
    pub is_indexed: bool,
    /// Whether it is used with different types.
    pub is_mixed: bool,
    /// What the pointers in it point to.
    pointees: BTreeMap<Path, Cell>,
    /// How many places make objects of it, and whether one of them may do so again.
    pub sites: u32,
    /// Whether there may be more objects than places that make them.
    pub is_many: bool,
    /// Whether pointers to it may point outside the program.
    pub is_foreign: bool,
    /// How many bytes divide every size and distance with which it is used; zero for none yet.
    grain: u64,
}

/// What something points to, by the paths of the pointers in it.
pub type Pointees = BTreeMap<Path, Cell>;

/// Who holds a pointer, beside memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A variable that is not in memory.
    Variable(VarId),
    /// The result of a function.
    Result(FuncId),
}

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// A variable in memory.
    Variable(VarId),
    /// A string literal.
    Text(u32),
    /// A call that allocates, or returns what is not known.
    Call(Span),
    /// All functions.
    Functions,
}

/// The regions of a program.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    nodes: Vec<Node>,
    holders: FxHashMap<(Holder, Path), Cell>,
    sites: FxHashMap<Site, Cell>,
    /// The members that stand for unions.
    pub unions: Unions,
}

impl Regions {
    /// No regions yet.
    pub fn new(unions: Unions) -> Regions {
        Regions { unions, ..Regions::default() }
    }

    /// What is known of a set of objects.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node.0 as usize]
    }

    /// The nodes that are not part of others.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> {
        let all = self.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none());
        all.map(|(index, _)| NodeId(index as u32))
    }

    /// A cell of its own.
    pub fn fresh(&mut self) -> Cell {
        self.nodes.push(Node::default());
        let node = NodeId(u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 nodes"));
        Cell { node, path: Vec::new() }
    }

    /// The cell as a part of a node that is not a part itself.
    pub fn find(&self, cell: &Cell) -> Cell {
        let mut cell = cell.clone();
        while let Some((parent, prefix)) = &self.node(cell.node).parent {
            let mut path = prefix.clone();
            path.extend(&cell.path);
            cell = Cell { node: *parent, path };
        }
        // What is mixed has no parts.
        if self.node(cell.node).is_mixed {
            cell.path.clear();
        }
        cell
    }

    /// The node is used with different types: all of its parts are one, and so are its pointers.
    fn mix(&mut self, types: &Types, node: NodeId) {
        self.node_mut(node).is_mixed = true;
        self.node_mut(node).is_indexed = true;
        let pointees = std::mem::take(&mut self.node_mut(node).pointees);
        for pointee in pointees.into_values() {
            self.add_pointee(types, &Cell { node, path: Vec::new() }, pointee);
        }
    }

    /// A pointer in memory points to a cell, beside what it points to already.
    fn add_pointee(&mut self, types: &Types, at: &Cell, pointee: Cell) {
        let at = self.find(at);
        match self.node(at.node).pointees.get(&at.path).cloned() {
            Some(other) => self.unify(types, &other, &pointee),
            None => drop(self.node_mut(at.node).pointees.insert(at.path, pointee)),
        }
    }

    /// Whether two cells are one.
    pub fn is_same(&self, left: &Cell, right: &Cell) -> bool {
        self.find(left) == self.find(right)
    }

    /// The part of a cell at a step.
    pub fn part(&self, cell: &Cell, step: Step) -> Cell {
        let mut cell = self.find(cell);
        cell.path.push(step);
        cell
    }

    /// What a holder's pointer at a path points to.
    pub fn held(&mut self, holder: Holder, path: &[Step]) -> Cell {
        if let Some(cell) = self.holders.get(&(holder, path.to_vec())) {
            return cell.clone();
        }
        let cell = self.fresh();
        self.holders.insert((holder, path.to_vec()), cell.clone());
        cell
    }

    /// What a pointer in memory points to.
    pub fn stored(&mut self, cell: &Cell) -> Cell {
        let cell = self.find(cell);
        if let Some(pointee) = self.node(cell.node).pointees.get(&cell.path) {
            return pointee.clone();
        }
        let pointee = self.fresh();
        self.node_mut(cell.node).pointees.insert(cell.path, pointee.clone());
        pointee
    }

    /// The objects that come from a site.
    pub fn site(&mut self, site: Site) -> Cell {
        if let Some(cell) = self.sites.get(&site) {
            return cell.clone();
        }
        let cell = self.fresh();
        self.sites.insert(site, cell.clone());
        cell
    }

    /// Notes that a site makes objects, once or often.
    pub fn note_site(&mut self, site: Site, is_many: bool) {
        let cell = self.site(site);
        let node = self.find(&cell).node;
        self.node_mut(node).sites += 1;
        self.node_mut(node).is_many |= is_many;
    }

    /// Notes that a pointer to a cell may point outside the program.
    pub fn note_foreign(&mut self, cell: &Cell) {
        let node = self.find(cell).node;
        self.node_mut(node).is_foreign = true;
    }

    /// Notes that the pointers in a node may point outside the program.
    pub fn note_foreign_pointees(&mut self, node: NodeId) {
        let pointees: Vec<Cell> = self.node(node).pointees.values().cloned().collect();
        pointees.iter().for_each(|cell| self.note_foreign(cell));
    }

    /// The objects of a site, if it is one.
    pub fn known_site(&self, site: &Site) -> Option<Cell> {
        self.sites.get(site).cloned()
    }

    /// Every place of the program that makes objects.
    pub fn all_sites(&self) -> Vec<Site> {
        self.sites.keys().copied().collect()
    }

    /// How many bytes the grains of a mixed node have.
    pub fn grain(&self, node: NodeId) -> u64 {
        self.node(node).grain.max(1)
    }

    /// Whether pointers are stored in a mixed node.
    pub fn has_pointees(&self, node: NodeId) -> bool {
        !self.node(node).pointees.is_empty()
    }

    /// Notes that so many bytes are a distance with which a node is used.
    fn note_grain(&mut self, node: NodeId, bytes: u64) {
        let node = self.node_mut(node);
        node.grain = gcd(node.grain, bytes);
    }

    /// A pointer to a cell is moved by so many bytes, as one to characters: if there are none, it goes to
    /// another part of its object.
    pub fn move_by_bytes(&mut self, types: &Types, cell: &Cell, bytes: u64, target: TypeId) {
        let found = self.find(cell);
        let ty = self.node(found.node).ty.and_then(|whole| type_at(types, whole, &found.path));
        let is_text = ty.is_none_or(|ty| is_compatible(types, ty, target));
        if self.node(found.node).is_mixed || !is_text {
            self.note_grain(found.node, bytes);
            return self.mix(types, found.node);
        }
        self.require(types, cell, target);
        self.index(types, cell);
    }

    /// The objects of a node may be arrays.
    pub fn index(&mut self, types: &Types, cell: &Cell) {
        let cell = self.find(cell);
        match cell.path.last() {
            None => self.node_mut(cell.node).is_indexed = true,
            Some(Step::Element) => {}
            Some(Step::Field(_)) => self.mix(types, cell.node),
        }
    }

    /// What is at a cell is used with a type.
    pub fn require(&mut self, types: &Types, cell: &Cell, ty: TypeId) {
        if matches!(types.get(ty), Type::Void | Type::Function(_)) {
            return;
        }
        let cell = self.find(cell);
        self.note_grain(cell.node, grain(types, ty));
        if leaves(types, &self.unions, ty).is_err() {
            self.mix(types, cell.node);
        }
        let found = match self.node(cell.node).ty {
            Some(whole) => type_at(types, whole, &cell.path),
            None if cell.path.is_empty() => {
                self.node_mut(cell.node).ty = Some(ty);
                return;
            }
            None => None,
        };
        if !found.is_some_and(|found| is_compatible(types, found, ty)) {
            self.mix(types, cell.node);
        }
    }

    /// Makes two cells one.
    pub fn unify(&mut self, types: &Types, left: &Cell, right: &Cell) {
        let (left, right) = (self.find(left), self.find(right));
        if left == right {
            return;
        }
        if left.node == right.node {
            return self.mix(types, left.node);
        }
        let is_mixed = |cell: &Cell| self.node(cell.node).is_mixed;
        if is_mixed(&left) || is_mixed(&right) {
            self.embed(types, right.node, left.node, Vec::new());
        } else if let Some(prefix) = before(&left.path, &right.path) {
            self.embed(types, right.node, left.node, prefix);
        } else if let Some(prefix) = before(&right.path, &left.path) {
            self.embed(types, left.node, right.node, prefix);
        } else {
            self.mix(types, left.node);
            let left = self.find(&left).node;
            let right = self.find(&right).node;
            if left != right {
                self.embed(types, right, left, Vec::new());
            }
        }
    }

    /// Makes a node the part of another at a path.
    fn embed(&mut self, types: &Types, inner: NodeId, outer: NodeId, path: Path) {
        let node = std::mem::take(self.node_mut(inner));
        let whole = self.node(outer).ty;
        let part = whole.and_then(|whole| type_at(types, whole, &path));
        let fits = match (part, node.ty) {
            (Some(part), Some(ty)) => is_compatible(types, part, ty),
            (Some(_), None) => true,
            (None, _) if path.is_empty() && whole.is_none() => {
                self.node_mut(outer).ty = node.ty;
                true
            }
            (None, ty) => ty.is_none(),
        };
        let may_be_indexed = !node.is_indexed || !matches!(path.last(), Some(Step::Field(_)));
        let is_mixed = node.is_mixed || self.node(outer).is_mixed || !fits || !may_be_indexed;
        let path = if is_mixed { Vec::new() } else { path };
        let target = self.node_mut(outer);
        target.is_indexed |= node.is_indexed && path.is_empty();
        target.sites += node.sites;
        target.is_many |= node.is_many;
        target.is_foreign |= node.is_foreign;
        target.grain = gcd(target.grain, node.grain);
        self.node_mut(inner).parent = Some((outer, path.clone()));
        for (rest, pointee) in node.pointees {
            let mut path = path.clone();
            path.extend(rest);
            self.add_pointee(types, &Cell { node: outer, path }, pointee);
        }
        if is_mixed {
            let outer = self.find(&Cell { node: outer, path: Vec::new() }).node;
            self.mix(types, outer);
        }
    }

    /// The nodes that can be reached from a cell by pointers, itself among them.
    pub fn reachable(&self, from: &[Cell]) -> Vec<NodeId> {
        let mut found: Vec<NodeId> = Vec::new();
        let mut open: Vec<NodeId> = from.iter().map(|cell| self.find(cell).node).collect();
        while let Some(node) = open.pop() {
            if !found.contains(&node) {
                found.push(node);
                open.extend(self.node(node).pointees.values().map(|cell| self.find(cell).node));
            }
        }
        found.sort();
        found
    }
}

/// What stands before `rest` in a path that ends with it.
fn before(path: &[Step], rest: &[Step]) -> Option<Path> {
    path.strip_suffix(rest).map(<[Step]>::to_vec)
}

/// Whether what is stored with one type can be read with the other: numbers that differ in their sign
/// at most, pointers, arrays of such.
pub fn is_compatible(types: &Types, left: TypeId, right: TypeId) -> bool {
    if left == right {
        return true;
    }
    match (types.get(left), types.get(right)) {
        (Type::Int(a), Type::Int(b)) => a.bits(types.model) == b.bits(types.model),
        (Type::Pointer(_), Type::Pointer(_)) => true,
        (Type::Array(a, m), Type::Array(b, n)) => m == n && is_compatible(types, *a, *b),
        _ => false,
    }
}
