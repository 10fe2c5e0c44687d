//! Where engines that work on one problem tell each other what they know.
//!
//! What is told is a lemma of the problem (`Problem::Lemma`): a hint, not a truth. Whoever uses one must
//! still prove what follows from it, and every answer is checked. So a wrong lemma costs time, never an
//! answer that is wrong.
//!
//! Beside them lies what engines remember: lemmas that hold up to a level, which are no news for others
//! and are kept for a later run, where somebody keeps a record.
//!
//! Invariant: lemmas are only ever added, and each engine reads each lemma of others once.

use crate::settings::EXCHANGE_MAX_LEMMAS;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A lemma of some problem.
type Told = Arc<dyn Any + Send + Sync>;

/// What each engine remembers, with the level up to which it holds.
type Remembered = BTreeMap<usize, Vec<(Told, u64)>>;

/// Nobody's number: who brings lemmas from outside.
const OUTSIDE: usize = usize::MAX;

/// The place where lemmas about one problem lie.
#[derive(Debug, Default)]
pub struct Exchange {
    said: Mutex<Vec<(usize, Told)>>,
    /// What each engine remembers, with levels; nothing where nobody keeps a record.
    remembered: Option<Mutex<Remembered>>,
}

impl Exchange {
    /// A place of which somebody keeps a record.
    pub fn recorded() -> Exchange {
        Exchange { remembered: Some(Mutex::default()), ..Exchange::default() }
    }

    /// Whether somebody keeps a record.
    pub(crate) fn is_recorded(&self) -> bool {
        self.remembered.is_some()
    }

    /// Puts what an engine remembers in the place of what it remembered.
    pub(crate) fn remember<L: Send + Sync + 'static>(&self, who: usize, lemmas: Vec<(L, u64)>) {
        if let Some(remembered) = &self.remembered {
            let lemmas = lemmas.into_iter();
            let lemmas = lemmas.map(|(lemma, level)| (Arc::new(lemma) as Told, level)).collect();
            let mut all = remembered.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(who, lemmas);
        }
    }

    /// What engines remember, with who does and up to which level it holds.
    pub fn remembered<L: Send + Sync + 'static>(&self) -> Vec<(usize, Arc<L>, u64)> {
        let Some(remembered) = &self.remembered else { return Vec::new() };
        let all = remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let flat = all.iter().flat_map(|(who, list)| list.iter().map(|told| (*who, told)));
        let read = flat.filter_map(|(who, (lemma, level))| {
            Some((who, Arc::clone(lemma).downcast().ok()?, *level))
        });
        read.collect()
    }

    /// Adds a lemma from outside.
    pub fn bring<L: PartialEq + Send + Sync + 'static>(&self, lemma: L) {
        self.publish(OUTSIDE, lemma);
    }

    /// The lemmas of engines from position `seen` on, with who told them, and the position to go on from.
    pub fn told<L: Send + Sync + 'static>(&self, seen: usize) -> (Vec<(usize, Arc<L>)>, usize) {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let own = said[seen.min(said.len())..].iter().filter(|(from, _)| *from != OUTSIDE);
        let read =
            own.filter_map(|(from, lemma)| Some((*from, Arc::clone(lemma).downcast().ok()?)));
        (read.collect(), said.len())
    }

    /// Adds a lemma of the engine `from`, unless it is there.
    pub(crate) fn publish<L>(&self, from: usize, lemma: L)
    where
        L: PartialEq + Send + Sync + 'static,
    {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = |known: &Told| known.downcast_ref() == Some(&lemma);
        if said.len() < EXCHANGE_MAX_LEMMAS.size() && !said.iter().any(|(_, known)| is_known(known))
        {
            said.push((from, Arc::new(lemma)));
        }
    }

    /// The lemmas of others from position `seen` on, and the position to go on from.
    pub(crate) fn news<L: Send + Sync + 'static>(
        &self,
        who: usize,
        seen: usize,
    ) -> (Vec<Arc<L>>, usize) {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let others = said[seen..].iter().filter(|(from, _)| *from != who);
        let read = others.filter_map(|(_, lemma)| Arc::clone(lemma).downcast().ok());
        (read.collect(), said.len())
    }

    /// All lemmas of a kind.
    pub fn all<L: Send + Sync + 'static>(&self) -> Vec<Arc<L>> {
        self.news(OUTSIDE - 1, 0).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reads_what_others_say_once() {
        let exchange = Exchange::default();
        exchange.publish(0, "x is positive");
        exchange.publish(1, "x is positive");
        assert_eq!(exchange.all::<&str>().len(), 1);
        assert!(exchange.news::<&str>(0, 0).0.is_empty());
        let (news, seen) = exchange.news::<&str>(1, 0);
        assert_eq!(news.len(), 1);
        assert!(exchange.news::<&str>(1, seen).0.is_empty());
    }

    #[test]
    fn what_comes_from_outside_is_news_to_all_and_is_not_told_back() {
        let exchange = Exchange::recorded();
        exchange.bring("x is even");
        exchange.publish(1, "x is positive");
        assert_eq!(exchange.news::<&str>(0, 0).0.len(), 2);
        let (told, seen) = exchange.told::<&str>(0);
        assert_eq!(told, [(1, Arc::new("x is positive"))]);
        assert!(exchange.told::<&str>(seen).0.is_empty());
    }

    #[test]
    fn what_is_remembered_takes_the_place_of_what_was() {
        let exchange = Exchange::recorded();
        exchange.remember(0, vec![("x < 3", 3)]);
        exchange.remember(0, vec![("x < 4", 4)]);
        assert_eq!(exchange.remembered::<&str>(), [(0, Arc::new("x < 4"), 4)]);
        let unrecorded = Exchange::default();
        unrecorded.remember(0, vec![("x < 3", 3)]);
        assert!(unrecorded.remembered::<&str>().is_empty());
    }
}
