//! What is asked about a program: property files, task definitions, and names on the command line.
//!
//! A property file has a line per property, `CHECK( init(main()), LTL(G ! overflow) )`; what stands in
//! `LTL` is written alone, too, in witnesses. A task definition says which files make the program, which
//! properties are asked, and the data model. A name on the command line is that of a property or of a
//! group of them. Termination and data races are understood and not treated.
//!
//! Source: the rules of SV-COMP; the task definition format 2.0 of BenchExec.

mod names;
mod specification;
mod task;

use alphorn_program::c::Property;

pub use names::{GROUPS, Group, Named, named};
pub use specification::{read, sentence, specification};
pub use task::{Expected, TaskFile, read_task};

/// A property of all runs that is understood and not treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Untreated {
    /// Every run ends.
    Termination,
}

impl Untreated {
    /// All of them.
    pub const ALL: [Untreated; 1] = [Untreated::Termination];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Untreated::Termination => "termination",
        }
    }

    /// What to say about it.
    pub fn sentence(self) -> &'static str {
        match self {
            Untreated::Termination => "whether runs end is asked alone: --property termination",
        }
    }
}

/// A property that somebody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wanted {
    /// One that is treated.
    Treated(Property),
    /// One that is not.
    Untreated(Untreated),
}

/// What is asked about a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specification {
    /// The function where runs begin, if it is said.
    pub entry: Option<String>,
    /// The properties, in order and none twice.
    pub wanted: Vec<Wanted>,
}

impl Specification {
    /// Adds a property if it is not there yet.
    pub fn add(&mut self, wanted: Wanted) {
        if !self.wanted.contains(&wanted) {
            self.wanted.push(wanted);
        }
    }

    /// The properties that are treated.
    pub fn properties(&self) -> Vec<Property> {
        let treated = |wanted: &Wanted| match wanted {
            Wanted::Treated(property) => Some(*property),
            Wanted::Untreated(_) => None,
        };
        self.wanted.iter().filter_map(treated).collect()
    }

    /// Those that are not.
    pub fn untreated(&self) -> Vec<Untreated> {
        let untreated = |wanted: &Wanted| match wanted {
            Wanted::Untreated(property) => Some(*property),
            Wanted::Treated(_) => None,
        };
        self.wanted.iter().filter_map(untreated).collect()
    }
}
