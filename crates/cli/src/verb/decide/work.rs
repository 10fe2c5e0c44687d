//! The working thread: reads the file, decides it, and tells the speaking one.

use super::Message;
#[cfg(feature = "cluster")]
use crate::cluster;
use crate::hint_file::{Files, NoHints, read_files};
use crate::speak;
use crate::wants::Wants;
use alphorn_driver::journal::Wire;
use alphorn_driver::program::{Unasked, Wishes, questions};
use alphorn_driver::run::{CannotRun, Stopper, memory_limit, property_named};
use alphorn_driver::{AnyProblem, Config, Format, decide, open_program};
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// What a run is told beside its file, and by whom.
pub(super) struct Beside<'a> {
    pub(super) files: &'a Files,
    /// The address of a broker, and the name of a run there.
    #[cfg(feature = "cluster")]
    pub(super) join: Option<&'a (String, String)>,
}

/// The work: read, decide, tell.
pub(super) fn work(
    file: &str,
    format: Option<Format>,
    (mut config, property, wants, wishes): (Config, Option<&str>, Wants, Wishes),
    beside: &Beside<'_>,
    stopper: &Stopper,
    sender: &Sender<Message>,
) {
    // When nobody listens any more the process is about to end: nothing to do about it.
    let tell = |message: Message| {
        let _ = sender.send(message);
    };
    let opened = open_program(file, format, memory_limit(config.limits.memory), &wishes);
    tell(Message::Opened(Box::new(opened.clone())));
    if speak::exit_of(&opened).is_some() {
        return;
    }
    if let Err(why) = wants.fit(&opened) {
        return tell(Message::End(Err(CannotRun::Request(why))));
    }
    let property = match &opened.problem {
        // The questions were asked when it was opened.
        Some(AnyProblem::C(_)) => match property.map(questions) {
            Some(Err(Unasked::Wrong(why))) => {
                return tell(Message::End(Err(CannotRun::Request(why))));
            }
            Some(Err(Unasked::Untreated(why))) => {
                return tell(Message::End(Err(CannotRun::Unsupported(why))));
            }
            _ => None,
        },
        _ => property,
    };
    match property.map(|wanted| property_named(&opened, wanted)).transpose() {
        Ok(property) => config.property = property,
        Err(error) => return tell(Message::End(Err(error))),
    }
    let told = match read_files(&opened, beside.files) {
        Ok(told) => told,
        Err(NoHints::Wrong(wrong)) => return tell(Message::Hints(wrong)),
        Err(NoHints::Request(why)) => return tell(Message::End(Err(CannotRun::Request(why)))),
    };
    told.remarks.into_iter().for_each(|remark| tell(Message::Remark(remark)));
    config.hints = told.hints;
    for journal in &told.journals {
        config.wires.push(Arc::clone(journal) as Arc<dyn Wire>);
    }
    #[cfg(feature = "cluster")]
    let joined = match beside.join.map(|join| cluster::join(join, &opened)).transpose() {
        Ok(joined) => joined,
        Err(why) => return tell(Message::End(Err(CannotRun::Request(why)))),
    };
    #[cfg(feature = "cluster")]
    if let Some(joined) = &joined {
        tell(Message::Remark(cluster::describe(joined)));
        config.take_role(joined.role);
        config.wires.push(Arc::clone(joined) as Arc<dyn Wire>);
    }
    let result =
        decide(&opened, &config, stopper, &mut |note| tell(Message::Note(note)), &mut |decision| {
            tell(Message::Decided(Box::new(decision.clone())))
        });
    #[cfg(feature = "cluster")]
    for remark in joined.as_deref().map(cluster::close).unwrap_or_default() {
        tell(Message::Remark(remark));
    }
    if told.journals.iter().any(|journal| journal.has_failed()) {
        tell(Message::Remark("the journal could not be written to the end".to_owned()));
    }
    tell(Message::End(result.map(|_| ())));
}
