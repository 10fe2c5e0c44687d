//! Writing witnesses, one entry per file.
//!
//! All text is quoted, so that nothing in an expression or a name can be taken for anything else.

use super::{Content, Invariant, Location, Segment, Waypoint, Witness};
use alphorn_program::c::DataModel;
use std::fmt::Write;

/// The witness as text.
pub fn print(witness: &Witness) -> String {
    let mut out = String::new();
    let kind = match witness.content {
        Content::Invariants(_) => "invariant_set",
        Content::Violation(_) => "violation_sequence",
    };
    let _ = writeln!(out, "- entry_type: {}", quoted(kind));
    metadata(&mut out, witness);
    match &witness.content {
        Content::Invariants(list) if list.is_empty() => out.push_str("  content: []\n"),
        Content::Violation(list) if list.is_empty() => out.push_str("  content: []\n"),
        Content::Invariants(list) => {
            out.push_str("  content:\n");
            list.iter().for_each(|one| invariant(&mut out, one));
        }
        Content::Violation(list) => {
            out.push_str("  content:\n");
            list.iter().for_each(|one| segment(&mut out, one));
        }
    }
    out
}

/// Text in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 || (0x7f..0xa0).contains(&(c as u32)) || c == '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn metadata(out: &mut String, witness: &Witness) {
    let metadata = &witness.metadata;
    let producer = &metadata.producer;
    out.push_str("  metadata:\n");
    let first = [
        ("format_version", metadata.version.name()),
        ("uuid", &metadata.uuid),
        ("creation_time", &metadata.creation_time),
    ];
    for (key, value) in first {
        let _ = writeln!(out, "    {key}: {}", quoted(value));
    }
    out.push_str("    producer:\n");
    let of_producer = [
        ("name", Some(&producer.name)),
        ("version", Some(&producer.version)),
        ("configuration", producer.configuration.as_ref()),
        ("command_line", producer.command_line.as_ref()),
        ("description", producer.description.as_ref()),
    ];
    for (key, value) in of_producer {
        if let Some(value) = value {
            let _ = writeln!(out, "      {key}: {}", quoted(value));
        }
    }
    let task = &metadata.task;
    out.push_str("    task:\n      input_files:\n");
    for file in &task.input_files {
        let _ = writeln!(out, "        - {}", quoted(file));
    }
    out.push_str("      input_file_hashes:\n");
    for (file, hash) in &task.hashes {
        let _ = writeln!(out, "        {}: {}", quoted(file), quoted(hash));
    }
    let model = match task.data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    let last = [
        ("specification", &*task.specification),
        ("data_model", model),
        ("language", &*task.language),
    ];
    for (key, value) in last {
        let _ = writeln!(out, "      {key}: {}", quoted(value));
    }
}

fn location(out: &mut String, location: &Location) {
    let _ = writeln!(out, "          file_name: {}", quoted(&location.file_name));
    let _ = writeln!(out, "          line: {}", location.line);
    if let Some(column) = location.column {
        let _ = writeln!(out, "          column: {column}");
    }
    if let Some(function) = &location.function {
        let _ = writeln!(out, "          function: {}", quoted(function));
    }
}

fn invariant(out: &mut String, invariant: &Invariant) {
    let _ = writeln!(out, "    - invariant:\n        type: {}", quoted(invariant.kind.name()));
    out.push_str("        location:\n");
    location(out, &invariant.location);
    let _ = writeln!(out, "        value: {}", quoted(&invariant.value));
    out.push_str("        format: \"c_expression\"\n");
}

fn segment(out: &mut String, segment: &Segment) {
    out.push_str("    - segment:\n");
    for one in &segment.avoid {
        waypoint(out, one, "avoid");
    }
    waypoint(out, &segment.follow, if segment.is_cycle { "cycle" } else { "follow" });
}

fn waypoint(out: &mut String, waypoint: &Waypoint, action: &str) {
    let _ = writeln!(out, "      - waypoint:\n          type: {}", quoted(waypoint.kind.name()));
    let _ = writeln!(out, "          action: {}", quoted(action));
    if let Some(constraint) = &waypoint.constraint {
        let _ = writeln!(out, "          constraint:\n            value: {}", quoted(constraint));
        if let Some(format) = super::read::format_of(waypoint.kind) {
            let _ = writeln!(out, "            format: {}", quoted(format));
        }
    }
    out.push_str("          location:\n");
    let mut place = String::new();
    location(&mut place, &waypoint.location);
    place.lines().for_each(|line| {
        let _ = writeln!(out, "  {line}");
    });
}
