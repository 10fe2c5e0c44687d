//! Interrupts: the first SIGINT or SIGTERM asks the run to end as a time limit does, with what is
//! known; the second ends the process at once.
//!
//! Only verbs whose speaking thread looks at `is_pending` watch; the others end at the first signal.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

static PENDING: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Begins to watch. Where that is impossible signals end the process, as they do by themselves.
pub fn watch() {
    let pending = PENDING.get_or_init(|| Arc::new(AtomicBool::new(false)));
    for signal in [SIGINT, SIGTERM] {
        // In this order: at the second signal the flag is up already.
        let last = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(pending));
        if last.is_ok() {
            let _ = flag::register(signal, Arc::clone(pending));
        }
    }
}

/// Whether the user wants an end.
pub fn is_pending() -> bool {
    PENDING.get().is_some_and(|pending| pending.load(Ordering::Relaxed))
}
