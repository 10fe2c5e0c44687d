//! Where engines that work on one problem tell each other what they know.
//!
//! What is told is a lemma of the problem (`Problem::Lemma`): a hint, not a truth. Whoever uses one must
//! still prove what follows from it, and every answer is checked. So a wrong lemma costs time, never an
//! answer that is wrong.
//!
//! Invariant: lemmas are only ever added, and each engine reads each lemma of others once.

use crate::settings::EXCHANGE_MAX_LEMMAS;
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// The place where lemmas about one problem lie.
#[derive(Debug, Default)]
pub struct Exchange {
    said: Mutex<Vec<(usize, Arc<dyn Any + Send + Sync>)>>,
}

impl Exchange {
    /// Adds a lemma of the engine `from`, unless it is there.
    pub(crate) fn publish<L>(&self, from: usize, lemma: L)
    where
        L: PartialEq + Send + Sync + 'static,
    {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = |known: &Arc<dyn Any + Send + Sync>| known.downcast_ref() == Some(&lemma);
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
        self.news(usize::MAX, 0).0
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
}
