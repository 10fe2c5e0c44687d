//! Which functions are pure: what a call of one does is a matter of its arguments alone.
//!
//! A function is pure if all the code that it can come to is among what is listed here, and so is that of every
//! function that it calls. Listed is what reads and writes slots of its own frame and the stack, computes with
//! integers, jumps, and ends the run. Not listed is what has anything to do with globals, memory, addresses, floating
//! numbers or choices, and calls through pointers. Slots have no value when a frame is made, and none holds
//! an object, so that two calls with the same integers go the same way: both end the run, neither has an end, or both
//! return the same and leave everything outside their frames as it was.
//!
//! Memory that is lost is looked for in functions, too, if somebody asks about it; then none is pure.

use super::code::{Body, Callee, Code, Instr, Param, Pc};
use super::value::Value;
use crate::c::library::Known;

/// What is known of each function, by position: whether it is pure and a call of it may take long.
pub fn worth_remembering(code: &Code) -> Vec<bool> {
    let mut is_pure: Vec<bool> = code.callees.iter().map(has_plain_frame).collect();
    // The function that came to an instruction last, counted from one.
    let mut seen = vec![0; code.instrs.len()];
    let all = code.callees.iter().zip(1..);
    let found: Vec<Found> = all
        .map(|(callee, number)| match callee {
            Callee::Body(body) if has_plain_frame(callee) => {
                look_through(code, body, &mut seen, number)
            }
            _ => Found::default(),
        })
        .collect();
    // Functions that call each other are pure together, so all are until something speaks against it.
    loop {
        let mut is_same = true;
        for index in 0..is_pure.len() {
            let is_fine = |&callee: &usize| is_pure[callee];
            if is_pure[index] && !(found[index].is_plain && found[index].calls.iter().all(is_fine))
            {
                is_pure[index] = false;
                is_same = false;
            }
        }
        if is_same {
            break;
        }
    }
    let worth = is_pure.iter().zip(&found);
    worth.map(|(&is_pure, found)| is_pure && (found.has_loop || !found.calls.is_empty())).collect()
}

/// What the code of a function does.
#[derive(Default)]
struct Found {
    /// Whether all of it is listed.
    is_plain: bool,
    has_loop: bool,
    /// The functions with bodies that it calls.
    calls: Vec<usize>,
}

/// Whether a frame of a function has nothing but scalars.
fn has_plain_frame(callee: &Callee) -> bool {
    let Callee::Body(body) = callee else { return false };
    body.objects.is_empty() && body.params.iter().all(|param| matches!(param, Param::Slot))
}

/// Goes through all the code that a function can come to.
fn look_through(code: &Code, body: &Body, seen: &mut [u32], number: u32) -> Found {
    let mut found = Found { is_plain: true, ..Found::default() };
    let mut todo = vec![body.start];
    while let Some(pc) = todo.pop() {
        if std::mem::replace(&mut seen[pc as usize], number) == number {
            continue;
        }
        let next: Pc = pc + 1;
        match code.instrs[pc as usize] {
            Instr::Const(Value::Int(_))
            | Instr::Get(_)
            | Instr::Set(_)
            | Instr::Pop
            | Instr::Dup
            | Instr::Swap
            | Instr::Over
            | Instr::Neg(_)
            | Instr::BitNot(_)
            | Instr::Not
            | Instr::Truth
            | Instr::Arith(..)
            | Instr::Compare(..)
            | Instr::ToInt(_)
            | Instr::Enter(_)
            | Instr::Leave(_)
            | Instr::Statement => todo.push(next),
            Instr::LoopHead => {
                found.has_loop = true;
                todo.push(next);
            }
            Instr::Jump(to) | Instr::Travel { to, .. } => {
                found.has_loop |= to <= pc;
                todo.push(to);
            }
            Instr::Branch(_, to) => todo.extend([to, next]),
            Instr::Switch(table) => {
                let cases = &code.cases[table as usize];
                todo.extend(cases.ranges.iter().map(|range| range.2));
                todo.push(cases.default.0);
            }
            Instr::Call(function, _) => {
                let function = function.0 as usize;
                match &code.callees[function] {
                    Callee::Body(_) => found.calls.push(function),
                    Callee::Known(known) if computes_or_stops(*known) => {}
                    _ => found.is_plain = false,
                }
                todo.push(next);
            }
            Instr::Return | Instr::ReturnNothing => {}
            _ => found.is_plain = false,
        }
        if !found.is_plain {
            return found;
        }
    }
    found
}

/// Whether a function of the library computes something from its arguments, or ends the run, and nothing else.
fn computes_or_stops(known: Known) -> bool {
    matches!(
        known,
        Known::Assume
            | Known::Error
            | Known::Assert
            | Known::AssertFail
            | Known::Stop
            | Known::Abs
            | Known::Upper
            | Known::Lower
            | Known::First
    )
}
