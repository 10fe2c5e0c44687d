//! Who makes choices: a list that is replayed, and somebody whose choices are kept.

use super::{Chooser, Wanted};
use crate::c::property::{Asked, Choice};
use alphorn_problem::Span;

/// The choices of a list, in order.
#[derive(Clone, Debug)]
pub struct Listed<'a> {
    choices: &'a [Choice],
    next: usize,
}

impl<'a> Listed<'a> {
    /// The choices of this list.
    pub fn new(choices: &'a [Choice]) -> Listed<'a> {
        Listed { choices, next: 0 }
    }

    /// How many of them were made.
    pub fn used(&self) -> usize {
        self.next
    }
}

impl Chooser for Listed<'_> {
    fn choose(&mut self, _: Asked, _: Wanted, _: Span) -> Option<Choice> {
        let choice = self.choices.get(self.next)?;
        self.next += 1;
        Some(choice.clone())
    }
}

/// The choices of somebody else, which are kept.
#[derive(Clone, Debug)]
pub struct Recorded<C> {
    inner: C,
    /// What was chosen.
    pub choices: Vec<Choice>,
}

impl<C: Chooser> Recorded<C> {
    /// The choices that `inner` makes.
    pub fn new(inner: C) -> Recorded<C> {
        Recorded { inner, choices: Vec::new() }
    }
}

impl<C: Chooser> Chooser for Recorded<C> {
    fn choose(&mut self, asked: Asked, wanted: Wanted, span: Span) -> Option<Choice> {
        let choice = self.inner.choose(asked, wanted, span)?;
        self.choices.push(choice.clone());
        Some(choice)
    }
}
