//! Lemmas on demand: what a model of the clauses gets wrong about operators, stated as clauses.
//!
//! The search knows arithmetic and equality. What arrays, datatypes and words mean beyond equality is
//! told when a complete assignment violates it: each theory looks at the assignment and adds
//! instances of its axioms that are false there, and the search is called again. An assignment that
//! no theory objects to is a model.
//!
//! Invariant: clauses are added only if they hold in every model, each with a `Leaf` from which its
//! proof step is made; a theory that adds nothing agrees with the assignment.
//!
//! After Brummayer, Biere, "Lemmas on demand for the extensional theory of arrays" (JSAT 2009).

use alphorn_term::Store;

use crate::smt::Smt;

impl Smt {
    /// Lets the theories object to the assignment that the search found; whether one did.
    ///
    /// The first that does is enough: its clauses change the assignment for the others.
    pub(crate) fn refine(&mut self, store: &mut Store) -> bool {
        let before = self.search.theory().unclear;
        let is_refined =
            self.refine_words(store) || self.refine_trees(store) || self.refine_arrays(store);
        self.has_unclear_lemmas |= self.search.theory().unclear > before;
        // Instances come last: they are judged by what the theories agree on.
        is_refined || self.refine_quantifiers(store)
    }
}
