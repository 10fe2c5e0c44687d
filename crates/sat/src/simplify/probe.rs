//! Failed literals: what leads to a conflict on its own is false.
//!
//! The roots of the binary implication graph are decided in turn on level 1; a conflict gives a
//! unit clause by ordinary analysis. Probing goes on in the next round where its budget ended.
//!
//! After Freeman (1995), Lynce, Marques-Silva (ICTAI 2003).

use crate::literal::{Lit, Var};
use crate::solver::Solver;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Probes literals within `budget` ticks; on level 0.
    pub(crate) fn probe(&mut self, budget: u64) {
        let end = self.stats.ticks + budget;
        let variables = self.variables();
        for _ in 0..variables {
            if !self.consistent || self.stats.ticks > end {
                break;
            }
            let var = Var(self.simplifier.probe_from % variables);
            self.simplifier.probe_from = (var.0 + 1) % variables;
            for lit in [var.positive(), var.negative()] {
                if self.consistent && self.is_root(lit) {
                    self.probe_literal(lit);
                }
            }
        }
    }

    /// Whether the literal implies others by binary clauses but is implied by none.
    fn is_root(&self, lit: Lit) -> bool {
        let has_binary =
            |lit: Lit| self.watches.lists[lit.index()].iter().any(|watch| watch.is_binary());
        self.is_open(lit)
            && self.simplifier.is_active(lit.var())
            && has_binary(!lit)
            && !has_binary(lit)
    }

    fn probe_literal(&mut self, lit: Lit) {
        self.stats.probed += 1;
        self.decide(lit);
        if let Some(conflict) = self.propagate() {
            self.stats.failed += 1;
            self.analyze(conflict);
            let id = self.derive_collected();
            self.clear_analysis();
            let unit = self.scratch.clause[0];
            self.add_unit(unit, id);
        }
        self.backtrack(0);
    }
}
