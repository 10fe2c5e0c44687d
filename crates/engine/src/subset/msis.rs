//! BigMSIS: a subset of which nothing can be removed.
//!
//! To see whether a clause can go, remove it and look for something that is then not supported. If it
//! must stay (or is the property), so must the clause. If it could go as well, remove it too and look
//! on; the removed clauses form a stack in which each is necessary for those above it, so when one at
//! the top must stay all do, and when the search comes back to one on the stack all from there on stay
//! or go together. When nothing is unsupported the clauses at the top are gone for good.
//!
//! Out of budget the set at hand will do: whatever has not been decided stays.

use super::{Element, Support};
use crate::{Ctx, Stop};

/// A minimal subset, given clauses that are known to be necessary.
pub fn msis<S: Support>(
    support: &mut S,
    necessary: &[usize],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<usize>, Stop> {
    let mut run = Run::new(support, necessary);
    while let Some(first) = run.undecided() {
        match run.decide(first, ctx) {
            Ok(()) => {}
            Err(Stop::Budget(_)) => break,
            Err(other) => return Err(other),
        }
    }
    Ok(run.members())
}

/// What is known about a clause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It is not in the set.
    Gone,
    /// It stays for good.
    Necessary,
    /// Not decided.
    Open,
    /// Removed on trial: its group on the stack.
    Stacked(usize),
}

struct Run<'s, S> {
    support: &'s mut S,
    standing: Vec<Standing>,
    /// The clauses that supported each one when it was last looked at, and the property's at the end.
    supporters: Vec<Option<Vec<usize>>>,
}

impl<'s, S: Support> Run<'s, S> {
    fn new(support: &'s mut S, necessary: &[usize]) -> Run<'s, S> {
        let count = support.count();
        let mut standing = vec![Standing::Open; count];
        necessary.iter().for_each(|&index| standing[index] = Standing::Necessary);
        Run { support, standing, supporters: vec![None; count + 1] }
    }

    fn undecided(&self) -> Option<usize> {
        self.standing.iter().position(|standing| *standing == Standing::Open)
    }

    fn members(&self) -> Vec<usize> {
        let is_member = |index: &usize| self.standing[*index] != Standing::Gone;
        (0..self.standing.len()).filter(is_member).collect()
    }

    /// Decides about a clause, and about those met on the way.
    fn decide(&mut self, first: usize, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let mut stack: Vec<Vec<usize>> = vec![vec![first]];
        self.standing[first] = Standing::Stacked(0);
        while let Some(top) = stack.len().checked_sub(1) {
            match self.unsupported(top, ctx)? {
                None => {
                    let gone = stack.pop().unwrap_or_default();
                    gone.iter().for_each(|&index| self.standing[index] = Standing::Gone);
                }
                Some(Element::Property) => return self.keep(&stack),
                Some(Element::Part(index)) => match self.standing[index] {
                    Standing::Stacked(group) => {
                        let merged: Vec<usize> = stack.drain(group + 1..).flatten().collect();
                        merged.iter().for_each(|&m| self.standing[m] = Standing::Stacked(group));
                        stack[group].extend(merged);
                    }
                    Standing::Open => {
                        self.standing[index] = Standing::Stacked(stack.len());
                        stack.push(vec![index]);
                    }
                    Standing::Necessary | Standing::Gone => return self.keep(&stack),
                },
            }
        }
        Ok(())
    }

    /// All stacked clauses stay.
    fn keep(&mut self, stack: &[Vec<usize>]) -> Result<(), Stop> {
        stack.iter().flatten().for_each(|&index| self.standing[index] = Standing::Necessary);
        Ok(())
    }

    /// Something that is not supported without the group `top`: first what must stay, then what is
    /// stacked, then the rest.
    fn unsupported(&mut self, top: usize, ctx: &mut Ctx<'_>) -> Result<Option<Element>, Stop> {
        let present = |standing: Standing| match standing {
            Standing::Gone => false,
            Standing::Stacked(group) => group != top,
            Standing::Necessary | Standing::Open => true,
        };
        let members: Vec<usize> =
            (0..self.standing.len()).filter(|&index| present(self.standing[index])).collect();
        let mut order: Vec<usize> = members.clone();
        order.sort_by_key(|&index| match self.standing[index] {
            Standing::Necessary => 0,
            Standing::Stacked(_) => 1,
            _ => 2,
        });
        let property = self.standing.len();
        let elements =
            std::iter::once(Element::Property).chain(order.into_iter().map(Element::Part));
        for element in elements {
            let place = match element {
                Element::Property => property,
                Element::Part(index) => index,
            };
            let known = self.supporters[place].as_ref();
            if known.is_some_and(|known| known.iter().all(|&i| present(self.standing[i]))) {
                continue;
            }
            match self.support.supporters(element, &members, ctx)? {
                Some(supporters) => self.supporters[place] = Some(supporters),
                None => return Ok(Some(element)),
            }
        }
        Ok(None)
    }
}
