//! The façade: open a file, run engines on it, check what they say, convert, report.
//!
//! The command line, and later the Python and web front ends, call this crate and nothing below
//! it. Everything that leaves here as a verdict has been through `check` against the problem as
//! read from the file (`run::Decision` holds a `Checked` verdict, which nothing else can make).
//!
//! A program needs no other crate. This one opens a file of Horn clauses, has it decided, looks at the
//! model, and checks the evidence once more, from its text and without any engine:
//!
//! ```
//! use alphorn_driver::certify::{Certified, certify};
//! use alphorn_driver::report::Outcome;
//! use alphorn_driver::{AnyEvidence, AnyProblem, Config, Stopper, Verdict, decide, open};
//!
//! let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bounded_counter.smt2");
//! let opened = open(file, None, None);
//! let Some(AnyProblem::Horn(horn)) = &opened.problem else {
//!     panic!("{:?}", opened.diagnostics);
//! };
//!
//! let (config, stopper) = (Config::default(), Stopper::new());
//! let mut listen = |note| println!("{note:?}");
//! let decisions = decide(&opened, &config, &stopper, &mut listen, &mut |_| {});
//! let decision = decisions.expect("there is a property").remove(0);
//! assert_eq!(decision.answer.verdict, Outcome::Safe);
//!
//! let evidence = decision.evidence.expect("there is a verdict");
//! if let AnyEvidence::Horn(checked) = &evidence
//!     && let Verdict::Safe(model) = checked.verdict()
//! {
//!     for (pred, definition) in horn.pred_ids().zip(&model.preds) {
//!         let params = definition.params.iter().map(|&param| model.terms.show(param));
//!         let params: Vec<String> = params.collect();
//!         let body = model.terms.show(definition.body);
//!         println!("{}({}) is {body}", horn.pred_name(pred), params.join(", "));
//!     }
//! }
//!
//! let text = evidence.text(&opened);
//! assert!(matches!(certify(&opened, text.as_bytes())[..], [Certified::Accepted(_)]));
//! ```

mod advice;
pub mod anonymous;
#[cfg(test)]
mod book;
pub mod carried;
pub mod certify;
#[cfg(any(feature = "cluster", test))]
pub mod cluster;
pub mod config;
pub mod convert;
pub mod doctor;
pub mod explain;
pub mod explore;
pub mod flow;
mod game;
pub mod hints;
pub mod invariant;
pub mod journal;
pub mod live;
pub mod marks;
pub mod matching;
pub mod obligations;
pub mod page;
pub mod pareto;
mod partial;
pub mod place;
mod prepare;
pub mod program;
pub mod reduce;
pub mod registry;
pub mod reply;
pub mod request;
mod role;
pub mod run;
pub mod sat;
pub mod settings;
mod several;
pub mod smt;
pub mod source;
mod speech;
mod vacuity;
pub mod wire;

pub use alphorn_audit::{compressed, evidence, format, judge, open, preprocess, waveform};
pub use config::{Config, Limits};
pub use evidence::AnyEvidence;
pub use format::Format;
pub use open::{AnyProblem, Opened, open_bytes, open_program};
pub use run::{CannotRun, Decision, Event, Limit, Note, Stopper, decide};

pub use alphorn_check::Refusal;
pub use alphorn_check::accept::Checked;
pub use alphorn_front::{Code, Diagnostic, Diagnostics, Severity, sha256};
pub use alphorn_hw::minimize::Effort;
pub use alphorn_problem as problem;
pub use alphorn_problem::{Circuit, Horn, Verdict, Words};
pub use alphorn_report as report;
pub use alphorn_term as term;
