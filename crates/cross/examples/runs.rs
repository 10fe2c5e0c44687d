//! Runs of a C program: `runs FILE ilp32|lp64 PROPERTY[,PROPERTY…] [TICKS]` prints how the engine `runs` ends.
//!
//! What it finds is checked before it is printed.

use alphorn_check::program::check_run;
use alphorn_cross::runs::Runs;
use alphorn_engine::{Ctx, Engine, Stopper};
use alphorn_front::c;
use alphorn_problem::Finding;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::property::{Malloc, Property, Task};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    match answer(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

fn answer(args: &[String]) -> Result<String, String> {
    let [file, model, names, rest @ ..] = args else {
        return Err("usage: runs FILE ilp32|lp64 PROPERTIES [TICKS]".to_owned());
    };
    let model = if model == "ilp32" { DataModel::Ilp32 } else { DataModel::Lp64 };
    let mut properties = Vec::new();
    for name in names.split(',') {
        let known = Property::ALL.into_iter().find(|property| property.name() == name);
        properties.push(known.ok_or_else(|| format!("no property is called {name}"))?);
    }
    let ticks = match rest.first() {
        Some(ticks) => ticks.parse().map_err(|_| format!("not a number: {ticks}"))?,
        None => 100_000_000,
    };
    let text = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let (unit, diagnostics) = c::read(&text, &c::Options::new(model));
    let unit = unit.ok_or_else(|| format!("{file} is not read: {:?}", diagnostics))?;
    let entry = unit.find_function("main").ok_or("there is no main")?;
    let task = Task { unit: Arc::new(unit), entry, properties, malloc: Malloc::Succeeds };
    let mut remarks = 0;
    let mut sink = |_| remarks += 1;
    let mut ctx = Ctx::new(ticks, Stopper::new(), 0, &mut sink);
    Ok(match Runs.run(&task, &mut ctx) {
        Ok(Finding::Fails(run)) => {
            check_run(&task, &run).map_err(|refusal| format!("refused: {refusal}"))?;
            let line = 1 + text[..run.violation.span.start as usize]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            let name = run.violation.property.name();
            let (steps, choices) = (run.steps, run.choices);
            let used = ctx.ticks_used();
            format!("unsafe {name} line {line} steps {steps} ticks {used} choices {choices:?}")
        }
        Ok(Finding::Holds(_)) => "safe".to_owned(),
        Err(stop) => format!("unknown {}", stop.describe()),
    })
}
