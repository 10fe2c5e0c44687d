//! Problems of the kinds that products make smaller too, by their steps.

use super::{Shrink, steps};
use alphorn_problem::{Circuit, Horn, Words};

impl Shrink for Horn {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        steps(self)
    }

    fn show(&self) -> String {
        alphorn_front::smtlib::print_horn(self)
    }
}

impl Shrink for Circuit {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        steps(self)
    }

    fn show(&self) -> String {
        alphorn_front::aiger::write_ascii(self)
    }
}

impl Shrink for Words {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        steps(self)
    }

    fn show(&self) -> String {
        alphorn_front::btor2::print(self).unwrap_or_else(|reason| format!("{reason:?}\n{self:?}"))
    }
}
