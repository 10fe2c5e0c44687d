//! A list that only grows and whose copies share what they have in common.
//!
//! Items are on pages of a fixed size. A copy of the list has the same pages; whoever adds to a page
//! that others see gets that page, the last one, for itself first. So a copy costs a pointer for each
//! page and the first addition to it at most a page, however long the list is, and positions are the
//! same in all copies: a page and a place on it.

use std::ops::Index;
use std::sync::Arc;

const PAGE_BITS: usize = 8;
/// How many items there are on a page.
const PAGE: usize = 1 << PAGE_BITS;

/// A list of pages. All but the last are full, unless runs of items were put on them.
#[derive(Clone, Debug)]
pub(crate) struct Pages<T> {
    pages: Vec<Arc<Vec<T>>>,
}

impl<T: Clone> Pages<T> {
    pub(crate) fn new() -> Pages<T> {
        Pages { pages: Vec::new() }
    }

    /// The position after the last item: for lists without runs, how many there are.
    pub(crate) fn len(&self) -> usize {
        self.pages.last().map_or(0, |page| (self.pages.len() - 1) * PAGE + page.len())
    }

    /// The last page, for an addition of `count` items that are to be on one page.
    fn page_for(&mut self, count: usize) -> &mut Vec<T> {
        let has_room = |page: &Arc<Vec<T>>| page.len() + count <= PAGE;
        if !self.pages.last().is_some_and(has_room) {
            // Short lists are many, and get no more room than they need.
            let room = if self.pages.is_empty() { count } else { count.max(PAGE) };
            self.pages.push(Arc::new(Vec::with_capacity(room)));
        }
        Arc::make_mut(self.pages.last_mut().expect("there is a page now"))
    }

    pub(crate) fn push(&mut self, item: T) {
        self.page_for(1).push(item);
    }

    /// Adds items that `run` gives together, and returns the position of the first of them. Long runs
    /// have a page of their own.
    pub(crate) fn push_run(&mut self, items: &[T]) -> usize {
        let page = self.page_for(items.len());
        let at = page.len();
        page.extend_from_slice(items);
        (self.pages.len() - 1) * PAGE + at
    }

    /// The `count` items that were added together at a position.
    pub(crate) fn run(&self, at: usize, count: usize) -> &[T] {
        &self.pages[at >> PAGE_BITS][at % PAGE..][..count]
    }

    /// An item, for a change that other copies do not see.
    pub(crate) fn item_mut(&mut self, at: usize) -> &mut T {
        &mut Arc::make_mut(&mut self.pages[at >> PAGE_BITS])[at % PAGE]
    }

    /// Whether every item of `base` is here, at the same position. Pages that are shared are not read.
    pub(crate) fn extends(&self, base: &Pages<T>) -> bool
    where
        T: PartialEq,
    {
        let same = |(own, other): (&Arc<Vec<T>>, &Arc<Vec<T>>)| {
            Arc::ptr_eq(own, other) || own.starts_with(other)
        };
        self.pages.len() >= base.pages.len() && self.pages.iter().zip(&base.pages).all(same)
    }
}

impl<T> Index<usize> for Pages<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.pages[at >> PAGE_BITS][at % PAGE]
    }
}

#[cfg(test)]
mod tests;
