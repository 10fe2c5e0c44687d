//! Alphorn in a Python process: a job that answers a request (`driver::request`) in threads of its own, and the
//! command line. All that Python users see is written in Python above this.
//!
//! Python waits for a job a moment at a time and without the interpreter's lock, so that its other threads go on
//! and an interrupt is noticed.

use alphorn_driver::open::read_bytes;
use alphorn_driver::request::{Asking, respond};
use alphorn_driver::{Limit, Stopper};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Readers recurse in places (terms, values).
const STACK: usize = 1 << 26;

/// A request that is being answered.
#[pyclass(frozen)]
struct Job {
    lines: Mutex<Receiver<String>>,
    stopper: Stopper,
    interrupt: Arc<AtomicBool>,
}

#[pymethods]
impl Job {
    /// Begins to answer a request, which is an object of JSON, about these contents of files.
    #[new]
    fn new(request: &str, problem: Vec<u8>, evidence: Vec<u8>) -> PyResult<Job> {
        let wrong = |error: serde_json::Error| PyValueError::new_err(error.to_string());
        let request = serde_json::from_str(request).map_err(wrong)?;
        let (stopper, interrupt) = (Stopper::new(), Arc::<AtomicBool>::default());
        let (sender, lines) = channel();
        let asking = Asking {
            request,
            problem,
            evidence,
            in_rounds: false,
            stopper: stopper.clone(),
            interrupt: Arc::clone(&interrupt),
        };
        let work = move || {
            // Nobody may be listening any more.
            respond(asking, &mut |line| drop(sender.send(line.to_string())));
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
        thread.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Job { lines: Mutex::new(lines), stopper, interrupt })
    }

    /// The next line of the response, within so many milliseconds; an empty one if there is none yet, and nothing
    /// when there will be none.
    fn poll(&self, py: Python<'_>, milliseconds: u64) -> Option<String> {
        py.detach(|| {
            let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            match lines.recv_timeout(Duration::from_millis(milliseconds)) {
                Ok(line) => Some(line),
                Err(RecvTimeoutError::Timeout) => Some(String::new()),
                Err(RecvTimeoutError::Disconnected) => None,
            }
        })
    }

    /// Asks the work to end.
    fn stop(&self) {
        self.stopper.stop(Limit::Interrupted);
        self.interrupt.store(true, Ordering::Relaxed);
    }
}

/// The content of a file, expanded if it is compressed.
#[pyfunction]
fn read<'py>(py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| read_bytes(path, None));
    match bytes {
        Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
        Err(diagnostic) => Err(PyOSError::new_err(format!("{path}: {}", diagnostic.message))),
    }
}

/// Does what a command line says, and ends the process; `again` are the words that start the command.
#[pyfunction]
fn command(py: Python<'_>, again: Vec<OsString>, words: Vec<OsString>) {
    py.detach(|| alphorn_cli::main_started_by(again, words))
}

/// What is written in Rust.
#[pymodule]
fn _alphorn(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Job>()?;
    module.add_function(wrap_pyfunction!(read, module)?)?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
