//! What a session knows: what is in force, its solvers, its options, and the last answer.
//!
//! Declarations were settled when the command was read; here are the assertions with their levels, and
//! the functions that models speak about. What commands do to it is in `commands`.

use crate::in_force::InForce;
use crate::instances::Instances;
use crate::kernel::{Kernel, Settings};
use crate::options::Options;
use crate::plain::{Counted, Plain};
use crate::state::State;
use crate::text::{Kept, Text};
use crate::{Request, Said, Summary};
use alphorn_engine::Alarm;
use alphorn_front::smtlib::general::Written;
use alphorn_term::{FuncId, Store, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An assertion in force, with what replies say about it.
#[derive(Clone, Debug)]
pub(crate) struct Asserted {
    pub(crate) formula: Written,
    pub(crate) name: Option<String>,
    /// Its number in the solver; nothing for what the solver is not given.
    pub(crate) posted: Option<usize>,
    /// The function of which it says what it is, if it is a definition.
    pub(crate) defines: Option<FuncId>,
}

/// What else `pop` goes back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) posted: usize,
    pub(crate) named: usize,
    pub(crate) text: usize,
}

/// A run of a script.
pub(crate) struct Session<'a, K> {
    pub(crate) store: Store,
    pub(crate) text: Text,
    pub(crate) request: &'a Request,
    pub(crate) make: &'a dyn Fn(&Settings) -> K,
    say: &'a mut dyn FnMut(Said),
    /// The solver for formulas without quantifiers.
    pub(crate) plain: Option<Plain<K>>,
    /// The solver for formulas with quantifiers.
    pub(crate) instances: Option<Instances>,
    /// What solvers that are no more have counted.
    pub(crate) counted: Counted,
    /// Whether there was an assertion or a level, so that options for solvers are settled.
    pub(crate) has_begun: bool,
    pub(crate) options: Options,
    pub(crate) logic: Option<String>,
    pub(crate) infos: BTreeMap<String, String>,
    pub(crate) in_force: InForce<Asserted, Mark>,
    /// How many assertions are for the solver without quantifiers.
    pub(crate) posted: usize,
    /// The names of formulas within the assertions.
    pub(crate) named: Vec<(String, TermId)>,
    /// Formulas without quantifiers, where they were found, for some with them.
    pub(crate) eliminated: BTreeMap<TermId, Option<TermId>>,
    /// How many questions in a row were not answered by what formulas leave free.
    pub(crate) not_freed: u32,
    /// The outermost number of levels at which a part of the script was left out.
    pub(crate) left_out: Option<usize>,
    pub(crate) alarm: Alarm,
    /// Something to say about the command at hand.
    pub(crate) remark: Option<&'static str>,
    pub(crate) state: State,
    pub(crate) summary: Summary,
}

/// What a command comes to: a reply, `None` for success, or what is wrong with it.
pub(crate) type Reply = Result<Option<String>, String>;

impl<'a, K: Kernel> Session<'a, K> {
    pub(crate) fn new(
        store: Store,
        request: &'a Request,
        make: &'a dyn Fn(&Settings) -> K,
        say: &'a mut dyn FnMut(Said),
    ) -> Session<'a, K> {
        Session {
            store,
            text: Text::Kept(Kept::default()),
            request,
            make,
            say,
            plain: None,
            instances: None,
            counted: Counted::default(),
            has_begun: false,
            options: Options::new(request),
            logic: None,
            infos: BTreeMap::new(),
            in_force: InForce::default(),
            posted: 0,
            named: Vec::new(),
            eliminated: BTreeMap::new(),
            not_freed: 0,
            left_out: None,
            alarm: Alarm::new(Arc::clone(&request.interrupt)),
            remark: None,
            state: State::Fresh,
            summary: Summary::default(),
        }
    }

    pub(crate) fn tell(&mut self, said: Said) {
        (self.say)(said);
    }

    /// A part of the script is not treated: until its level ends, nothing is satisfiable for sure.
    pub(crate) fn leave_out(&mut self) {
        self.state = State::Fresh;
        self.left_out = self.left_out.or(Some(self.in_force.level()));
    }

    /// Whether a part of the script that is in force is not treated.
    pub(crate) fn leaves_out(&self) -> bool {
        self.left_out.is_some()
    }

    /// A term as the script has it.
    pub(crate) fn text(&self, written: Written) -> String {
        self.text.at(written.span)
    }
}
