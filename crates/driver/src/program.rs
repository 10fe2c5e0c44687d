//! C programs: the way from what engines find to verdicts on the source.
//!
//! A program is run first, and its clauses are given to engines then. What is asked about programs, and
//! what evidence about them looks like, is in `audit::program`, which is handed on.

use crate::config::Config;
use crate::prepare::{Concluded, Prepared, prepare_horn};
pub use alphorn_audit::program::*;
use alphorn_cross::c_horn::{AsHorn, c_to_horn};
use alphorn_cross::shadow::{Shadow, shadow};
use alphorn_engine::{Ctx, Event, Note, Stop, Stopper};
use alphorn_problem::{Finding, Horn, Verdict};
use alphorn_program::c::evidence::{self as program, Numbers, ProgramProof, Sight};
use alphorn_program::c::lower::Untreated;
use alphorn_program::c::property::Task;
use std::sync::Arc;
use std::time::Instant;

/// What shadow runs are drawn from.
const SHADOW: u64 = 0x7368_6164;

/// A program as clauses: with unbounded integers, or with words where bits are looked at; or what is not
/// treated either way.
fn as_horn(task: &Task, sight: Option<Sight>) -> Result<AsHorn, Vec<Untreated>> {
    let numbers = |numbers| c_to_horn(task, program::Encoding { numbers, sight });
    match numbers(Numbers::Integers) {
        Err(untreated) if untreated.iter().all(|one| one.needs_words) => numbers(Numbers::Words),
        result => result,
    }
}

/// A way to make clauses of a program, with its part of the time; or what it does not treat.
type Way = Result<(AsHorn, u32), Vec<Untreated>>;

/// The ways in which a program is looked at, one after the other: threads one by one, and their product.
pub(crate) fn ways(task: &Task, encoding: Option<Encoding>) -> Vec<Way> {
    let one = |sight, part| as_horn(task, sight).map(|seen| (seen, part));
    let has_threads = task.unit.find_function("pthread_create").is_some();
    match encoding {
        _ if !has_threads => vec![one(None, 1)],
        Some(Encoding::Product) => vec![one(None, 1)],
        // Any number of copies of a template is refused where a program is opened; threads one by one are any number.
        Some(Encoding::RelyGuarantee | Encoding::Parameterised) => vec![one(Some(Sight::Own), 1)],
        Some(Encoding::OwickiGries) => vec![one(Some(Sight::Places), 1)],
        None => vec![one(Some(Sight::Own), 3), one(None, 3), one(Some(Sight::Places), 2)],
    }
}

/// Simplifies the clauses of a program, and chooses engines for them.
pub(crate) fn prepare_program(
    task: &Arc<Task>,
    seen: AsHorn,
    config: &Config,
    stopper: &Stopper,
    listen: &mut dyn FnMut(Note),
) -> Result<Prepared<Task, Horn>, String> {
    let (begun, size) = (Instant::now(), size(&seen.seen.problem));
    listen(Note { engine: "clauses", at: begun.elapsed(), event: Event::Remark(size) });
    let prepared = prepare_horn(&seen.seen.problem, &[], config, stopper, listen)?;
    let Prepared { small, conclude, entries, origins, hints, speech, time } = prepared;
    let task = Arc::clone(task);
    let conclude = move |finding: Finding<Horn>, ctx: &mut Ctx<'_>| {
        let Concluded { verdict, open } = conclude(finding, ctx)?;
        let verdict = match verdict {
            Verdict::Safe(model) => {
                let seed = ctx.rng(SHADOW).next_u64();
                let shadow = shadow(&task, &seen, &model, seed).map_err(Stop::Stuck)?;
                let Shadow { runs, visits } = shadow;
                let remark =
                    format!("{runs} runs satisfy the invariants, in {visits} visits of loops");
                ctx.emit(Event::Remark(remark));
                Verdict::Safe(ProgramProof { encoding: seen.encoding, model })
            }
            Verdict::Unsafe(derivation) => Verdict::Unsafe(seen.seen.back.trace(derivation, ctx)?),
        };
        Ok(Concluded { verdict, open })
    };
    Ok(Prepared { small, conclude: Box::new(conclude), entries, origins, hints, speech, time })
}

/// How large the clauses of a program are.
fn size(horn: &Horn) -> String {
    let args: usize = horn.pred_ids().map(|pred| horn.pred_args(pred).len()).sum();
    let (clauses, preds) = (horn.clauses.len(), horn.preds.len());
    format!("{clauses} clauses, {preds} predicates with {args} arguments")
}
