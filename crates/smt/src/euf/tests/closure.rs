//! Random traces of assertions, levels and nodes made in between, compared step by step with the
//! naive closure; explanations are assertions that suffice, and stay the same while they hold.

use super::super::{Conflict, Euf, Node, Tag};
use super::naive::{Naive, Term};
use alphorn_testkit::Rng;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug)]
struct Asserted {
    a: usize,
    b: usize,
    is_equal: bool,
}

/// A caller's view of the closure: everything by its own numbers, undone by its own levels.
struct Trace {
    euf: Euf,
    random: Rng,
    terms: Vec<Term>,
    nodes: Vec<Node>,
    /// By tag.
    asserted: Vec<Asserted>,
    /// What holds: tags by level.
    levels: Vec<Vec<Tag>>,
    watched: Vec<(usize, usize)>,
    /// Known equations with their explanations, by level.
    known: Vec<Vec<(u32, bool, Vec<Tag>)>>,
    shared: Vec<usize>,
    merged: Vec<Vec<(Node, Node)>>,
    is_broken: bool,
    explained: usize,
    superfluous: usize,
    conflicts: usize,
}

impl Trace {
    fn new(seed: u64) -> Trace {
        let mut trace = Trace {
            euf: Euf::new(),
            random: Rng::new(seed),
            terms: Vec::new(),
            nodes: Vec::new(),
            asserted: Vec::new(),
            levels: vec![Vec::new()],
            watched: Vec::new(),
            known: vec![Vec::new()],
            shared: Vec::new(),
            merged: vec![Vec::new()],
            is_broken: false,
            explained: 0,
            superfluous: 0,
            conflicts: 0,
        };
        for symbol in 0..5 {
            trace.make(Term { symbol, args: Vec::new(), value: (symbol < 2).then_some(symbol) });
        }
        trace
    }

    fn make(&mut self, term: Term) {
        let args: Vec<Node> = term.args.iter().map(|&arg| self.nodes[arg]).collect();
        let node = self.euf.node(term.symbol, &args, term.value);
        match self.terms.iter().position(|other| *other == term) {
            Some(at) => assert_eq!(self.nodes[at], node),
            None => {
                self.terms.push(term);
                self.nodes.push(node);
            }
        }
    }

    fn make_random(&mut self) {
        let symbol = 10 + self.random.below(3) as u64;
        let arity = if symbol == 12 { 2 } else { 1 };
        let args = (0..arity).map(|_| self.random.below(self.terms.len())).collect();
        self.make(Term { symbol, args, value: None });
    }

    fn naive(&self, tags: impl Iterator<Item = Tag>) -> Naive {
        let (mut equal, mut distinct) = (Vec::new(), Vec::new());
        for tag in tags {
            let Asserted { a, b, is_equal } = self.asserted[tag as usize];
            if is_equal { equal.push((a, b)) } else { distinct.push((a, b)) }
        }
        Naive::new(&self.terms, &equal, &distinct)
    }

    fn step(&mut self) {
        let count = self.terms.len();
        match self.random.below(20) {
            _ if self.is_broken && self.levels.len() > 1 => self.pop(),
            0..=2 if count < 24 => self.make_random(),
            3..=6 => {
                self.euf.push();
                self.levels.push(Vec::new());
                self.known.push(Vec::new());
                self.merged.push(Vec::new());
            }
            7..=9 if self.levels.len() > 1 => self.pop(),
            10 if self.watched.len() < 30 => {
                let (a, b) = (self.random.below(count), self.random.below(count));
                self.euf.watch_equality(self.nodes[a], self.nodes[b], self.watched.len() as u32);
                self.watched.push((a, b));
            }
            11 if self.shared.len() < 8 => {
                let node = self.random.below(count);
                self.euf.mark_shared(self.nodes[node]);
                if !self.shared.contains(&node) {
                    self.shared.push(node);
                }
            }
            kind => self.assert(kind < 17),
        }
        // Not closing now and then: nodes and levels may come while something is pending.
        if self.random.below(4) > 0 {
            let result = self.euf.close();
            self.settle(result);
        }
    }

    fn assert(&mut self, is_equal: bool) {
        let count = self.terms.len();
        let (a, b) = (self.random.below(count), self.random.below(count));
        let tag = self.asserted.len() as Tag;
        self.asserted.push(Asserted { a, b, is_equal });
        self.levels.last_mut().unwrap().push(tag);
        let (x, y) = (self.nodes[a], self.nodes[b]);
        let result = if is_equal {
            self.euf.assert_equal(x, y, tag)
        } else {
            self.euf.assert_distinct(x, y, tag)
        };
        self.settle(result);
    }

    fn pop(&mut self) {
        let count = 1 + self.random.below((self.levels.len() - 1).min(3));
        self.euf.pop(count);
        let keep = self.levels.len() - count;
        self.levels.truncate(keep);
        self.known.truncate(keep);
        self.merged.truncate(keep);
        assert_eq!(self.euf.level() + 1, keep);
        self.is_broken = false;
        let result = self.euf.close();
        self.settle(result);
    }

    fn settle(&mut self, result: Result<(), Conflict>) {
        let naive = self.naive(self.levels.concat().into_iter());
        assert_eq!(result.is_ok(), naive.is_consistent);
        if let Err(conflict) = result {
            self.is_broken = true;
            self.conflicts += 1;
            let all = self.levels.concat();
            assert!(conflict.tags.iter().all(|tag| all.contains(tag)));
            assert!(!self.naive(conflict.tags.iter().copied()).is_consistent);
            self.measure(&conflict.tags, |naive| !naive.is_consistent);
            return;
        }
        for a in 0..self.terms.len() {
            for b in 0..self.terms.len() {
                let (x, y) = (self.nodes[a], self.nodes[b]);
                assert_eq!(self.euf.are_equal(x, y), naive.are_equal(a, b));
                assert_eq!(self.euf.are_distinct(x, y), naive.are_distinct(a, b));
            }
        }
        self.check_classes();
        self.check_implied(&naive);
        self.check_shared(&naive);
        let (a, b) = (self.random.below(self.terms.len()), self.random.below(self.terms.len()));
        self.check_explanation(a, b);
    }

    fn check_classes(&self) {
        for &node in &self.nodes {
            let class: Vec<Node> = self.euf.class(node).collect();
            let expected = self.nodes.iter().filter(|&&other| self.euf.are_equal(node, other));
            assert_eq!(class.len(), expected.count());
            assert!(class.iter().all(|&other| self.euf.are_equal(node, other)));
        }
    }

    fn explain(&mut self, a: usize, b: usize, is_equal: bool) -> Vec<Tag> {
        let mut tags = Vec::new();
        if is_equal {
            self.euf.explain_equal(self.nodes[a], self.nodes[b], &mut tags);
        } else {
            self.euf.explain_distinct(self.nodes[a], self.nodes[b], &mut tags);
        }
        tags
    }

    fn check_explanation(&mut self, a: usize, b: usize) {
        let (x, y) = (self.nodes[a], self.nodes[b]);
        let is_equal = self.euf.are_equal(x, y);
        if !is_equal && !self.euf.are_distinct(x, y) {
            return;
        }
        let tags = self.explain(a, b, is_equal);
        let all = self.levels.concat();
        assert!(tags.iter().all(|tag| all.contains(tag)));
        assert!(tags.windows(2).all(|pair| pair[0] < pair[1]));
        let follows = |naive: &Naive| {
            if is_equal { naive.are_equal(a, b) } else { naive.are_distinct(a, b) }
        };
        assert!(follows(&self.naive(tags.iter().copied())));
        self.measure(&tags, follows);
    }

    /// How much of an explanation is not needed.
    fn measure(&mut self, tags: &[Tag], follows: impl Fn(&Naive) -> bool) {
        self.explained += tags.len();
        for &left_out in tags {
            let rest = tags.iter().copied().filter(|&tag| tag != left_out);
            self.superfluous += usize::from(follows(&self.naive(rest)));
        }
    }

    /// Known equations are reported, with explanations that later merges do not change.
    fn check_implied(&mut self, naive: &Naive) {
        let mut out = Vec::new();
        self.euf.implied(&mut out);
        for (id, truth) in out {
            let (a, b) = self.watched[id as usize];
            let tags = self.explain(a, b, truth);
            self.known.last_mut().unwrap().push((id, truth, tags));
        }
        let known: Vec<(u32, bool, Vec<Tag>)> = self.known.concat();
        let mut by_id = FxHashMap::default();
        for (id, truth, tags) in known {
            let (a, b) = self.watched[id as usize];
            assert_eq!(truth, naive.are_equal(a, b));
            assert_eq!(!truth, naive.are_distinct(a, b));
            assert_eq!(self.explain(a, b, truth), tags);
            by_id.insert(id, truth);
        }
        for (id, &(a, b)) in self.watched.iter().enumerate() {
            let is_known = naive.are_equal(a, b) || naive.are_distinct(a, b);
            assert_eq!(by_id.contains_key(&(id as u32)), is_known);
        }
    }

    /// The reported pairs connect exactly the marked nodes that are equal.
    fn check_shared(&mut self, naive: &Naive) {
        let mut out = Vec::new();
        self.euf.merges(&mut out);
        self.merged.last_mut().unwrap().append(&mut out);
        let mut class: FxHashMap<Node, Node> =
            self.shared.iter().map(|&at| (self.nodes[at], self.nodes[at])).collect();
        for (x, y) in self.merged.concat() {
            let (from, to) = (class[&x], class[&y]);
            for entry in class.values_mut().filter(|entry| **entry == from) {
                *entry = to;
            }
        }
        for &a in &self.shared {
            for &b in &self.shared {
                let connected = class[&self.nodes[a]] == class[&self.nodes[b]];
                assert_eq!(connected, naive.are_equal(a, b));
            }
        }
    }
}

#[test]
fn random_traces_agree_with_the_naive_closure() {
    let (mut explained, mut superfluous, mut conflicts) = (0, 0, 0);
    for seed in 0..400 {
        let mut trace = Trace::new(seed);
        for _ in 0..120 {
            trace.step();
            if trace.is_broken && trace.levels.len() == 1 {
                break;
            }
        }
        explained += trace.explained;
        superfluous += trace.superfluous;
        conflicts += trace.conflicts;
    }
    assert!(conflicts > 300, "the traces reach conflicts: {conflicts}");
    assert!(superfluous * 10 < explained, "{superfluous} of {explained} tags are not needed");
}

#[test]
fn a_node_made_in_a_level_is_congruent_below() {
    let mut euf = Euf::new();
    let (a, b) = (euf.node(0, &[], None), euf.node(1, &[], None));
    let fa = euf.node(2, &[a], None);
    euf.push();
    euf.assert_equal(a, b, 7).unwrap();
    euf.push();
    let fb = euf.node(2, &[b], None);
    euf.close().unwrap();
    assert!(euf.are_equal(fa, fb));
    euf.pop(1);
    euf.close().unwrap();
    assert!(euf.are_equal(fa, fb));
    let mut tags = Vec::new();
    euf.explain_equal(fa, fb, &mut tags);
    assert_eq!(tags, [7]);
    euf.pop(1);
    euf.close().unwrap();
    assert!(!euf.are_equal(fa, fb));
}

#[test]
fn long_chains_are_closed_and_undone() {
    let mut euf = Euf::new();
    let count = 20_000;
    let nodes: Vec<Node> = (0..count).map(|i| euf.node(i, &[], None)).collect();
    let images: Vec<Node> = nodes.iter().map(|&n| euf.node(count, &[n], None)).collect();
    for _ in 0..3 {
        euf.push();
        for (tag, pair) in nodes.windows(2).enumerate() {
            euf.assert_equal(pair[0], pair[1], tag as Tag).unwrap();
        }
        let mut tags = Vec::new();
        euf.explain_equal(images[0], images[images.len() - 1], &mut tags);
        assert_eq!(tags.len(), nodes.len() - 1);
        euf.pop(1);
        assert!(!euf.are_equal(images[0], images[1]));
    }
}

#[test]
fn values_make_equations_false_and_classes_clash() {
    let mut euf = Euf::new();
    let (one, two) = (euf.node(0, &[], Some(1)), euf.node(1, &[], Some(2)));
    let (x, y) = (euf.node(2, &[], None), euf.node(3, &[], None));
    euf.watch_equality(x, y, 9);
    euf.assert_equal(x, one, 4).unwrap();
    euf.push();
    euf.assert_equal(y, two, 5).unwrap();
    let mut implied = Vec::new();
    euf.implied(&mut implied);
    assert_eq!(implied, [(9, false)]);
    let mut tags = Vec::new();
    euf.explain_distinct(x, y, &mut tags);
    assert_eq!(tags, [4, 5]);
    let conflict = euf.assert_equal(x, y, 6).unwrap_err();
    assert_eq!(conflict.tags, [4, 5, 6]);
    assert_eq!(euf.close().unwrap_err().tags, [4, 5, 6]);
    euf.pop(1);
    euf.close().unwrap();
    assert!(!euf.are_distinct(x, y));
}
