//! Whether a claim fails, without a report of each failure on the way to the smallest.
//!
//! The hook that reports panics is one for the whole process, and other tests run beside this one: it is
//! wrapped once, and looks at a mark of its own thread.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

static WRAPPED: Once = Once::new();

/// What the claim says when it panics, if it does.
pub(crate) fn failure(claim: impl FnOnce()) -> Option<String> {
    WRAPPED.call_once(|| {
        let report = take_hook();
        set_hook(Box::new(move |info| {
            if !IS_QUIET.get() {
                report(info);
            }
        }));
    });
    let before = IS_QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(claim));
    IS_QUIET.set(before);
    let panic = outcome.err()?;
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    Some(text.unwrap_or_else(|| "it panics".to_owned()))
}
