//! A run of a circuit or a word-level system as signals over time, and as a VCD file.
//!
//! A signal has a name, a width and a value per step; an `x` is a bit that does not matter. Names are
//! taken apart where they show structure: dots separate scopes, and bits called `count[0]`, `count[1]`,
//! … become one signal `count`. Everything else about a name is kept.
//!
//! VCD is the value change dump of IEEE 1364-2005, section 18: what wave viewers read. A step takes ten
//! time units, and a signal `step` counts the steps. A run that goes round for ever has a signal `loop`,
//! which is 1 in the steps that repeat.

#[cfg(test)]
mod tests;

use crate::printable::{self, is_active};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a signal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The violated property.
    Property,
    /// A constraint.
    Constraint,
    /// An input.
    Input,
    /// A latch or a state.
    State,
    /// An output.
    Output,
}

impl Role {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Role::Property => "property",
            Role::Constraint => "constraint",
            Role::Input => "input",
            Role::State => "state",
            Role::Output => "output",
        }
    }
}

/// A signal with its value in each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// What it is.
    pub role: Role,
    /// Its name as the file has it.
    pub name: String,
    /// How many bits it has.
    pub width: u32,
    /// Its values one after the other, each from the highest bit down, as `0`, `1` and `x`.
    pub bits: String,
}

impl Signal {
    /// How many steps it has values for.
    pub fn steps(&self) -> usize {
        self.bits.len() / (self.width.max(1) as usize)
    }

    /// Its value in a step.
    pub fn value(&self, step: usize) -> &str {
        let width = self.width as usize;
        self.bits.get(step * width..(step + 1) * width).unwrap_or_default()
    }

    /// Whether its value is ever another one.
    pub fn changes(&self) -> bool {
        (1..self.steps()).any(|step| self.value(step) != self.value(step - 1))
    }
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waveform {
    /// The signals, by role.
    pub signals: Vec<Signal>,
    /// What could not be shown, in words.
    pub left_out: Vec<String>,
    /// The step that follows the last one, if the run repeats for ever from there.
    pub loop_start: Option<usize>,
}

impl Waveform {
    /// How many steps the run has, the violation's included.
    pub fn steps(&self) -> usize {
        self.signals.iter().map(Signal::steps).max().unwrap_or(0)
    }

    /// The run with bits of one name put together, by role and name.
    pub fn gathered(self) -> Waveform {
        let mut groups: BTreeMap<(Role, String), BTreeMap<u32, usize>> = BTreeMap::new();
        let mut is_clear = true;
        for (at, signal) in self.signals.iter().enumerate().filter(|(_, s)| s.width == 1) {
            if let Some((name, bit)) = indexed(&signal.name) {
                let group = groups.entry((signal.role, name.to_owned())).or_default();
                is_clear &= group.insert(bit, at).is_none();
            }
        }
        let taken = |signal: &Signal| (signal.role, signal.name.clone());
        let names: Vec<(Role, String)> = self.signals.iter().map(taken).collect();
        // Bits 0 … n − 1 make a word, if nothing else has its name.
        groups.retain(|key, bits| {
            bits.len() > 1 && bits.keys().copied().eq(0..bits.len() as u32) && !names.contains(key)
        });
        if !is_clear {
            groups.clear();
        }
        let mut first_of: BTreeMap<usize, &(Role, String)> = BTreeMap::new();
        let mut gone = vec![false; self.signals.len()];
        for (key, bits) in &groups {
            bits.values().for_each(|&at| gone[at] = true);
            first_of.insert(bits.values().copied().min().unwrap_or(0), key);
        }
        let mut signals = Vec::new();
        for (at, signal) in self.signals.iter().enumerate() {
            if let Some(key) = first_of.get(&at) {
                signals.push(word(&self.signals, key, &groups[*key]));
            } else if !gone[at] {
                signals.push(signal.clone());
            }
        }
        signals.sort_by_cached_key(|signal| (signal.role, natural(&signal.name)));
        Waveform { signals, ..self }
    }
}

/// A name as people sort it: numbers in it count as numbers.
fn natural(name: &str) -> Vec<(u64, String)> {
    let mut parts: Vec<(u64, String)> = vec![(0, String::new())];
    for c in name.chars() {
        let is_text = parts.last().is_some_and(|(_, text)| !text.is_empty());
        match (c.to_digit(10), parts.last_mut()) {
            (Some(digit), Some((number, _))) if !is_text => {
                *number = number.saturating_mul(10).saturating_add(u64::from(digit));
            }
            (Some(digit), _) => parts.push((u64::from(digit), String::new())),
            (None, Some((_, text))) => text.push(c),
            (None, None) => {}
        }
    }
    parts
}

/// A signal made of others, one per bit.
fn word(signals: &[Signal], (role, name): &(Role, String), bits: &BTreeMap<u32, usize>) -> Signal {
    let steps = bits.values().map(|&at| signals[at].steps()).min().unwrap_or(0);
    let value = |step: usize| bits.values().rev().map(move |&at| signals[at].value(step));
    Signal {
        role: *role,
        name: name.clone(),
        width: bits.len() as u32,
        bits: (0..steps).flat_map(value).collect(),
    }
}

/// The name and the number of a bit called `name[3]` or `name<3>`.
fn indexed(name: &str) -> Option<(&str, u32)> {
    let (open, inner) = match name.as_bytes().last()? {
        b']' => ('[', name.strip_suffix(']')?),
        b'>' => ('<', name.strip_suffix('>')?),
        _ => return None,
    };
    let (base, number) = inner.rsplit_once(open)?;
    let is_plain = !base.is_empty() && (number == "0" || !number.starts_with('0'));
    if !is_plain || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((base, number.parse().ok()?))
}

/// A name's scopes and what is left of it: `cpu.alu.carry` is `carry` in `cpu`, `alu`.
fn scoped(name: &str) -> (Vec<&str>, &str) {
    let mut parts: Vec<&str> = name.split('.').collect();
    if parts.iter().any(|part| part.is_empty()) || name.contains(' ') {
        return (Vec::new(), name);
    }
    let last = parts.pop().unwrap_or(name);
    (parts, last)
}

/// A scope of a VCD file.
#[derive(Default)]
struct Scope<'w> {
    inner: BTreeMap<&'w str, Scope<'w>>,
    /// The signals, by position, with their names here.
    signals: Vec<(usize, &'w str)>,
}

impl<'w> Scope<'w> {
    fn add(&mut self, path: &[&'w str], at: usize, name: &'w str) {
        match path.split_first() {
            Some((first, rest)) => self.inner.entry(first).or_default().add(rest, at, name),
            None => self.signals.push((at, name)),
        }
    }

    fn declare(&self, out: &mut String, signals: &[Signal]) {
        for &(at, name) in &self.signals {
            let signal = &signals[at];
            let kind = if signal.role == Role::State { "reg" } else { "wire" };
            let range = match signal.width {
                1 => String::new(),
                width => format!(" [{}:0]", width - 1),
            };
            let (width, name) = (signal.width, identifier(name));
            let _ = writeln!(out, "$var {kind} {width} {} {name}{range} $end", code(at + 1));
        }
        for (name, scope) in &self.inner {
            let _ = writeln!(out, "$scope module {} $end", identifier(name));
            scope.declare(out, signals);
            out.push_str("$upscope $end\n");
        }
    }
}

/// A name without blanks and other characters that would end it.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_whitespace() || is_active(c) { '_' } else { c };
    // `$end` ends a declaration wherever it stands.
    let name: String = name.chars().map(plain).collect();
    if name.is_empty() { "_".to_owned() } else { name.replace('$', "_") }
}

/// The short name of signal number `at` in a VCD file.
fn code(mut at: usize) -> String {
    let mut out = String::new();
    loop {
        out.push(char::from(b'!' + (at % 94) as u8));
        at /= 94;
        if at == 0 {
            return out;
        }
        at -= 1;
    }
}

/// How many time units a step takes.
const STEP: usize = 10;

/// The run as a VCD file; `about` is put into a comment.
pub fn vcd(waveform: &Waveform, about: &str) -> String {
    let mut out = format!("$comment {} $end\n", printable::line(&about.replace('$', "_")));
    out.push_str("$version alphorn $end\n$timescale 1ns $end\n$scope module top $end\n");
    let _ = writeln!(out, "$var integer 32 {} step $end", code(0));
    let in_loop = code(waveform.signals.len() + 1);
    if waveform.loop_start.is_some() {
        let _ = writeln!(out, "$var wire 1 {in_loop} loop $end");
    }
    let mut top = Scope::default();
    for (at, signal) in waveform.signals.iter().enumerate() {
        let (path, name) = scoped(&signal.name);
        // The outermost scope is there already where files call it so.
        let path = path.strip_prefix(&["top"]).unwrap_or(&path);
        top.add(path, at, name);
    }
    top.declare(&mut out, &waveform.signals);
    out.push_str("$upscope $end\n$enddefinitions $end\n");
    let steps = waveform.steps();
    for step in 0..steps {
        let _ = writeln!(out, "#{}\nb{step:b} {}", STEP * step, code(0));
        match waveform.loop_start {
            Some(start) if start == step => {
                let _ = writeln!(out, "1{in_loop}");
            }
            Some(_) if step == 0 => {
                let _ = writeln!(out, "0{in_loop}");
            }
            _ => {}
        }
        for (at, signal) in waveform.signals.iter().enumerate() {
            let value = signal.value(step);
            if value.is_empty() || (step > 0 && signal.value(step - 1) == value) {
                continue;
            }
            let _ = match signal.width {
                1 => writeln!(out, "{value}{}", code(at + 1)),
                _ => writeln!(out, "b{value} {}", code(at + 1)),
            };
        }
    }
    // Viewers draw up to the last time there is.
    let _ = writeln!(out, "#{}", STEP * steps);
    out
}
