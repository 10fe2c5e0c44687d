//! Observations: a run in which an output was seen to be wrong, and which latches explain it.
//!
//! ```text
//! { "inputs": ["0110", "1100"], "flipped_at": 0, "observed": { "output": "scan", "time": 1, "simulated": 1 } }
//! ```
//!
//! A row of inputs has a bit for each, the first input first. `simulated` is what the output should have
//! been; it may be left out.

use super::{Changed, Explanation, Unexplained};
use alphorn_audit::parameters::latch_name;
use alphorn_check::circuit::{Simulation, check_root};
use alphorn_engine::{Ctx, Event, Stopper};
use alphorn_front::{Code, Diagnostic};
use alphorn_hw::explain::Found;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::flips::{Observation, Side};
use alphorn_problem::{Circuit, Span};
use serde_json::Value;

/// Reads an observation about a circuit.
pub fn read_observation(circuit: &Circuit, text: &[u8]) -> Result<Observation, Box<Diagnostic>> {
    read(circuit, text).map_err(|(place, message)| {
        let span = place.map_or(Span::NONE, |at| Span::new(at, (at + 1).min(text.len())));
        let hint = "an observation has inputs, flipped_at, and observed with output and time";
        Box::new(Diagnostic::error(Code::Evidence, span, message).hint(hint))
    })
}

fn read(circuit: &Circuit, text: &[u8]) -> Result<Observation, (Option<usize>, String)> {
    let wrong = |message: String| (None, message);
    let value: Value = serde_json::from_slice(text).map_err(|error| {
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        let before: usize = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
        (Some(before + error.column().saturating_sub(1)), format!("this is no JSON: {error}"))
    })?;
    let number = |value: &Value, name: &str| {
        let number = value.get(name).and_then(Value::as_u64);
        number.map(|number| number as usize).ok_or_else(|| wrong(format!("`{name}` is missing")))
    };
    let rows = value.get("inputs").and_then(Value::as_array);
    let rows = rows.ok_or_else(|| wrong("`inputs` is missing".into()))?;
    let mut inputs = Vec::with_capacity(rows.len());
    for (step, row) in rows.iter().enumerate() {
        let bits = row.as_str().unwrap_or_default();
        if !bits.bytes().all(|byte| matches!(byte, b'0' | b'1'))
            || bits.len() != circuit.inputs as usize
        {
            let wanted = circuit.inputs;
            return Err(wrong(format!("row {step} of the inputs should have {wanted} bits")));
        }
        inputs.push(bits.bytes().map(|byte| byte == b'1').collect::<Vec<bool>>());
    }
    let source = number(&value, "flipped_at")?;
    let observed = value.get("observed").ok_or_else(|| wrong("`observed` is missing".into()))?;
    let at = number(observed, "time")?;
    let name = observed.get("output").and_then(Value::as_str).unwrap_or_default();
    let position = (0..circuit.outputs.len()).find(|index| {
        circuit.symbols.name(b'o', *index) == Some(name) || format!("o{index}") == name
    });
    let Some(position) = position else {
        return Err(wrong(format!("the circuit has no output `{name}`")));
    };
    if source > at || at >= inputs.len() {
        let steps = inputs.len();
        return Err(wrong(format!("the run has {steps} steps, and not {source} before {at}")));
    }
    let start = start(circuit, &inputs[0]).map_err(wrong)?;
    let watched = circuit.outputs[position];
    let observation = Observation { start, inputs, watched, at, source };
    let simulated = seen(circuit, &observation).map_err(wrong)?;
    match observed.get("simulated").and_then(Value::as_u64) {
        Some(said) if said != u64::from(simulated) => {
            let found = u64::from(simulated);
            Err(wrong(format!("the run gives `{name}` = {found} at {at}, not {said}")))
        }
        _ => Ok(observation),
    }
}

/// The first state: as resets have it, and 0 where they leave it open.
fn start(circuit: &Circuit, row: &[bool]) -> Result<Vec<bool>, String> {
    let mut simulation = Simulation::<bool>::new(circuit)?;
    for (index, value) in row.iter().enumerate() {
        simulation.set(circuit.input(index).var(), *value);
    }
    simulation.reset();
    Ok(simulation.state().to_vec())
}

/// What should have been seen.
fn seen(circuit: &Circuit, observation: &Observation) -> Result<bool, String> {
    value_at(circuit, observation, observation.watched, observation.at)
}

/// What a literal is in a step of the run without a fault.
fn value_at(
    circuit: &Circuit,
    observation: &Observation,
    lit: Lit,
    at: usize,
) -> Result<bool, String> {
    let mut simulation = Simulation::<bool>::new(circuit)?;
    for (index, value) in observation.start.iter().enumerate() {
        simulation.set(circuit.latch(index).var(), *value);
    }
    for (step, row) in observation.inputs.iter().enumerate().take(at + 1) {
        if step > 0 {
            simulation.advance();
        }
        for (index, value) in row.iter().enumerate() {
            simulation.set(circuit.input(index).var(), *value);
        }
        simulation.settle();
    }
    Ok(simulation.value(lit))
}

/// The latches that explain an observation.
pub fn roots(
    circuit: &Circuit,
    observation: &Observation,
    with_glitches: bool,
    stopper: &Stopper,
) -> Result<Explanation, Unexplained> {
    let mut ignore = |_: Event| {};
    let mut ctx = Ctx::new(u64::MAX, stopper.clone(), 0, &mut ignore);
    let found = alphorn_hw::explain::roots(circuit, observation, with_glitches, &mut ctx)?;
    let mut explanation = Explanation { size: Some(1), ..Explanation::default() };
    for Found { latch, glitches, path } in found {
        let root = check_root(circuit, observation, latch, &glitches)?;
        let value = value_at(circuit, observation, circuit.latch(latch), observation.source);
        let value = value.map_err(Unexplained::Unsupported)?;
        let step =
            |(latch, step): &(usize, usize)| format!("{}@{step}", latch_name(circuit, *latch));
        let steps: Vec<String> = path.iter().map(step).collect();
        let mut remark = steps.join(" → ");
        for glitch in root.glitches() {
            let side = if glitch.side == Side::Left { "left" } else { "right" };
            remark.push_str(&format!(
                ", gate {} sees it on the {side} at {}",
                glitch.gate, glitch.step
            ));
        }
        explanation.sets.push(vec![Changed {
            step: observation.source,
            kind: "latch",
            name: latch_name(circuit, root.latch()),
            from: u8::from(value).to_string(),
            to: u8::from(!value).to_string(),
        }]);
        explanation.remarks.push(remark);
    }
    let count = explanation.sets.len();
    explanation.summary = match count {
        0 => "no latch explains the observation".to_owned(),
        1 => "1 latch explains the observation".to_owned(),
        _ => format!("{count} latches explain the observation, each by itself"),
    };
    let known = &mut explanation.known;
    match count {
        0 => explanation.size = None,
        _ => known
            .push("each was checked by simulating the run with the flip and without it".to_owned()),
    }
    known.push(match with_glitches {
        false => "every latch was tried by simulation".to_owned(),
        true => "that there are no others is known from a search that was not checked".to_owned(),
    });
    Ok(explanation)
}
