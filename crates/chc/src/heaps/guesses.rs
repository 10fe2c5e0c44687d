//! What a heap of typed cells is like: the formulas that are guessed.
//!
//! Cells have tags, and links from cell to cell; zero is a link to nothing. What proofs that no program goes astray in
//! its heap need is mostly of a few forms: a pointer is null or has a tag; cells with a tag have links to cells
//! with another tag, or to nothing, but for a cell that is just being made; what was never handed out has
//! the first tag. These are all instances of the forms over a predicate's pointers, links, tags and limits, in
//! the manner of Liquid types (Rondon, Kawaguchi, Jhala, PLDI 2008), of which `houdini` keeps those that hold together.

use super::pointers::Heap;
use crate::settings::HEAPS_MAX_GUESSES;
use alphorn_term::{SortId, Store, TermId};
use rustc_hash::FxHashSet;

/// How many forms are tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detail {
    /// Whether one cell may be different from all others.
    pub(super) has_exceptions: bool,
    /// Whether values of links count as tags, as numbers do that share a column with links.
    pub(super) has_values: bool,
}

/// The formulas about a predicate with these parameters, the last of which is an index that stands for all.
pub(super) fn guesses(
    store: &mut Store,
    params: &[TermId],
    heap: &Heap,
    detail: Detail,
) -> Vec<TermId> {
    let Some((&index, args)) = params.split_last() else { return Vec::new() };
    let at = |positions: &[usize]| positions.iter().map(|&at| args[at]).collect::<Vec<TermId>>();
    let is_tag = |at: &usize| detail.has_values || !heap.links.contains(at);
    let tags = heap.tags.iter().filter(|(at, _)| is_tag(at));
    let mut forms = Forms {
        index,
        has_exceptions: detail.has_exceptions,
        pointers: [at(&heap.pointers), heap.fixed.clone()].concat(),
        links: at(&heap.links),
        tags: tags
            .flat_map(|(at, literals)| literals.iter().map(|&tag| (args[*at], tag)))
            .collect(),
        limits: at(&heap.limits),
        zero: store.int(0),
        one: store.int(1),
        // That there are no facts: queries are often told by a predicate that nothing must reach.
        found: vec![TermId::FALSE],
        seen: FxHashSet::default(),
    };
    for &param in args {
        if store.sort(param) == SortId::BOOL {
            let negation = store.not(param);
            forms.add(store, &[param]);
            forms.add(store, &[negation]);
        }
    }
    forms.about_limits(store);
    forms.about_pointers(store);
    forms.about_cells(store);
    forms.found
}

struct Forms {
    index: TermId,
    has_exceptions: bool,
    pointers: Vec<TermId>,
    links: Vec<TermId>,
    /// Arrays, and values that their elements may have.
    tags: Vec<(TermId, TermId)>,
    limits: Vec<TermId>,
    zero: TermId,
    one: TermId,
    found: Vec<TermId>,
    seen: FxHashSet<TermId>,
}

impl Forms {
    /// Adds a disjunction.
    fn add(&mut self, store: &mut Store, parts: &[TermId]) {
        let guess = store.or(parts);
        let has_room = self.found.len() < HEAPS_MAX_GUESSES.size();
        if has_room && !store.is_literal(guess) && self.seen.insert(guess) {
            self.found.push(guess);
        }
    }

    /// What may be known of a place: its tag, and that it was handed out.
    fn facts(&self, store: &mut Store, place: TermId) -> Vec<TermId> {
        let mut facts = Vec::new();
        for &(array, tag) in &self.tags {
            let element = store.select(array, place);
            facts.push(store.eq(element, tag));
        }
        facts.push(store.ge(place, self.one));
        for &limit in self.limits.iter().filter(|&&limit| limit != place) {
            facts.push(store.le(place, limit));
        }
        facts
    }

    fn about_limits(&mut self, store: &mut Store) {
        for limit in self.limits.clone() {
            for bound in [self.zero, self.one] {
                let above = store.ge(limit, bound);
                self.add(store, &[above]);
            }
        }
    }

    fn about_pointers(&mut self, store: &mut Store) {
        let pointers = self.pointers.clone();
        for (position, &pointer) in pointers.iter().enumerate() {
            let is_null = store.eq(pointer, self.zero);
            let is_some = store.not(is_null);
            self.add(store, &[is_null]);
            self.add(store, &[is_some]);
            for fact in self.facts(store, pointer) {
                self.add(store, &[fact]);
                self.add(store, &[is_null, fact]);
            }
            let mut others = pointers[..position].to_vec();
            others.extend(self.limits.iter().filter(|limit| !pointers.contains(limit)));
            for other in others {
                self.about_two(store, pointer, other);
            }
            for link in self.links.clone() {
                let next = store.select(link, pointer);
                let ends = store.eq(next, self.zero);
                let goes_on = store.not(ends);
                self.add(store, &[ends]);
                self.add(store, &[is_null, ends]);
                self.add(store, &[goes_on]);
                let mut facts = self.facts(store, next);
                facts.extend(neighbours(store, next, pointer));
                for fact in facts {
                    self.add(store, &[fact]);
                    self.add(store, &[ends, fact]);
                }
                for &other in &pointers {
                    let leads = store.eq(next, other);
                    self.add(store, &[leads]);
                    self.add(store, &[is_null, leads]);
                }
            }
        }
    }

    fn about_two(&mut self, store: &mut Store, one: TermId, other: TermId) {
        let equal = store.eq(one, other);
        let different = store.not(equal);
        let nulls = [one, other].map(|pointer| store.eq(pointer, self.zero));
        let somes = nulls.map(|null| store.not(null));
        self.add(store, &[equal]);
        self.add(store, &[different]);
        self.add(store, &[nulls[0], different]);
        self.add(store, &[nulls[1], different]);
        self.add(store, &[somes[0], nulls[1]]);
        self.add(store, &[somes[1], nulls[0]]);
        for neighbour in neighbours(store, one, other) {
            self.add(store, &[neighbour]);
        }
    }

    /// What holds of all cells, or of all but one.
    fn about_cells(&mut self, store: &mut Store) {
        let index = self.index;
        let below = store.lt(index, self.one);
        let positive = store.not(below);
        for (array, tag) in self.tags.clone() {
            let element = store.select(array, index);
            let is_so = store.eq(element, tag);
            self.add(store, &[is_so]);
            self.add(store, &[positive, is_so]);
            for limit in self.limits.clone() {
                let inside = store.le(index, limit);
                let outside = store.not(inside);
                self.add(store, &[inside, is_so]);
                self.add(store, &[outside, below, is_so]);
            }
            for &(other, second) in self.tags.clone().iter().filter(|&&(other, _)| other == array) {
                let element = store.select(other, index);
                let is_other = store.eq(element, second);
                self.add(store, &[is_so, is_other]);
            }
        }
        let mut exceptions = vec![TermId::FALSE];
        if self.has_exceptions {
            for &place in self.pointers.iter().chain(&self.limits) {
                if !store.is_literal(place) {
                    exceptions.push(store.eq(index, place));
                }
            }
        }
        let mut guards = vec![TermId::FALSE];
        for (array, tag) in self.tags.clone() {
            let element = store.select(array, index);
            let is_so = store.eq(element, tag);
            guards.push(store.not(is_so));
        }
        for exception in exceptions {
            for &guard in &guards {
                self.about_place(store, guard, exception);
                for link in self.links.clone() {
                    self.about_link(store, link, guard, exception);
                }
            }
        }
    }

    /// Where all cells are, but for those that are guarded or excepted: of lists that are taken apart cell by cell, what
    /// is left lies on one side of a pointer.
    fn about_place(&mut self, store: &mut Store, guard: TermId, exception: TermId) {
        for pointer in self.pointers.clone() {
            let (above, below) = (store.le(pointer, self.index), store.le(self.index, pointer));
            self.add(store, &[exception, guard, above]);
            self.add(store, &[exception, guard, below]);
        }
    }

    /// What holds of a link of all cells but those that are guarded or excepted.
    fn about_link(&mut self, store: &mut Store, link: TermId, guard: TermId, exception: TermId) {
        let next = store.select(link, self.index);
        let ends = store.eq(next, self.zero);
        let goes_on = store.not(ends);
        self.add(store, &[exception, guard, ends]);
        self.add(store, &[exception, guard, goes_on]);
        for fact in self.facts(store, next) {
            self.add(store, &[exception, guard, fact]);
            self.add(store, &[exception, guard, ends, fact]);
        }
        let forth = store.lt(self.index, next);
        self.add(store, &[exception, guard, ends, forth]);
        let back = store.lt(next, self.index);
        self.add(store, &[exception, guard, back]);
        for neighbour in neighbours(store, next, self.index) {
            self.add(store, &[exception, guard, ends, neighbour]);
        }
        for pointer in self.pointers.clone() {
            if store.is_literal(pointer) {
                continue;
            }
            let leads = store.eq(next, pointer);
            let leads_elsewhere = store.not(leads);
            self.add(store, &[exception, guard, leads_elsewhere]);
        }
    }
}

/// That a link leads to a place near by: cells that are handed out one after the other.
fn neighbours(store: &mut Store, next: TermId, place: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    for distance in [1, 2, -1, -2] {
        let distance = store.int(distance);
        let neighbour = store.add(&[place, distance]);
        found.push(store.eq(next, neighbour));
    }
    found
}
