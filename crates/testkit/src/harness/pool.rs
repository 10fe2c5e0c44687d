//! Runs tests on some threads; the next free one takes the next test.

use super::Test;
use crate::shrink::quiet::failure;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Runs the tests and reports each as it ends, with what it said if it failed.
pub(super) fn run(tests: &[Test], threads: usize, report: &mut impl FnMut(&str, Option<String>)) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(tests.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let said = failure(|| (test.body)());
                    if sender.send((test, said)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (test, said) in receiver {
            report(&test.name, said);
        }
    });
}
