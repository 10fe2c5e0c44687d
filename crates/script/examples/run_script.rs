//! Runs scripts by the solver for theories alone, without the engines: for measuring it.
//!
//!     run_script [--no-check] [--set NAME=VALUE]... FILE
//!
//! Replies are printed as `alphorn smt` prints them; what the checker refuses is told on standard error, and the
//! process fails. Limits are for the caller to set.

use std::process::ExitCode;
use std::sync::Arc;

use alphorn_script::kernel::Own;
use alphorn_script::{Deciders, NoEngines, Request, Said, run_with};

/// Sets a number for an experiment.
fn set(text: &str) -> Option<()> {
    let (name, value) = text.split_once('=')?;
    let value = value.parse().ok()?;
    let setting = alphorn_smt::settings::SETTINGS.iter().find(|setting| setting.name == name)?;
    setting.allows(value).then(|| setting.set(value))
}

fn main() -> ExitCode {
    let mut request = Request::default();
    let mut file = None;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--no-check" => request.check = false,
            "--set" => {
                if args.next().and_then(|text| set(&text)).is_none() {
                    eprintln!("--set takes the name of a setting, = and a number that it allows");
                    return ExitCode::FAILURE;
                }
            }
            _ => file = Some(arg),
        }
    }
    let text: Arc<[u8]> = match file.map(std::fs::read) {
        Some(Ok(text)) => text.into(),
        Some(Err(error)) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
        None => {
            eprintln!("which file?");
            return ExitCode::FAILURE;
        }
    };
    let work = move || {
        let deciders = Deciders { solver: &Own::new, horn: &NoEngines };
        let mut is_refused = false;
        run_with(&text, &request, &deciders, |said| match said {
            Said::Reply(reply) => println!("{reply}"),
            Said::Refused(why) => {
                is_refused = true;
                eprintln!("refused: {why}");
            }
            Said::Asked | Said::Noticed(_) => {}
        });
        is_refused
    };
    let worker = std::thread::Builder::new().stack_size(64 << 20).spawn(work);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(false)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
