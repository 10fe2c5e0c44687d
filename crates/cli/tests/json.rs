//! Every line of `--json` output is an object of the published schema.
//!
//! The validator below knows the keywords the schema uses and fails on any other, so that the
//! schema cannot grow past what is compared.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("schema/output.schema.json"));
    serde_json::from_str(&text.expect("the schema is there")).expect("the schema is JSON")
}

/// Why `value` does not fit `schema`.
fn misfit(value: &Value, schema: &Value) -> Option<String> {
    let rules = schema.as_object().expect("a schema is an object");
    for (keyword, rule) in rules {
        let fits = match keyword.as_str() {
            "$schema" | "title" | "description" => true,
            "const" => value == rule,
            "enum" => rule.as_array().expect("a list").contains(value),
            "type" => match rule {
                Value::String(name) => has_type(value, name),
                _ => {
                    let names = rule.as_array().expect("a list").iter();
                    names.filter_map(Value::as_str).any(|name| has_type(value, name))
                }
            },
            "pattern" => {
                // The one pattern there is: a letter and three digits.
                let code = value.as_str().unwrap_or_default().as_bytes();
                assert_eq!(rule, "^[A-Z][0-9]{3}$");
                code.len() == 4
                    && code[0].is_ascii_uppercase()
                    && code[1..].iter().all(u8::is_ascii_digit)
            }
            "required" => {
                let names = rule.as_array().expect("a list").iter().filter_map(Value::as_str);
                let mut names = names.peekable();
                !value.is_object() || names.all(|name| value.get(name).is_some())
            }
            "properties" => {
                let Some(object) = value.as_object() else { continue };
                let properties = rule.as_object().expect("an object");
                let mut known = object.iter().filter_map(|(k, v)| Some((v, properties.get(k)?)));
                if let Some(why) = known.find_map(|(v, schema)| misfit(v, schema)) {
                    return Some(why);
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(*rule, Value::Bool(false));
                let properties = rules["properties"].as_object().expect("an object");
                value.as_object().is_none_or(|o| o.keys().all(|key| properties.contains_key(key)))
            }
            "items" => value.as_array().is_none_or(|a| a.iter().all(|v| misfit(v, rule).is_none())),
            "oneOf" => {
                let fitting = rule.as_array().expect("a list").iter();
                fitting.filter(|schema| misfit(value, schema).is_none()).count() == 1
            }
            other => panic!("the validator does not know the keyword {other}"),
        };
        if !fits {
            return Some(format!("{keyword} of {rule} on {value}"));
        }
    }
    None
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the validator does not know the type {other}"),
    }
}

/// Runs a command and returns the kinds of the objects it prints.
#[track_caller]
fn kinds(args: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args.split_whitespace())
        .current_dir(root())
        .output()
        .expect("the binary runs");
    assert!(output.stderr.is_empty(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    let schema = schema();
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let mut kinds = Vec::new();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("every line is JSON");
        assert_eq!(misfit(&value, &schema), None, "{args}: {line}");
        if value["kind"] == "answer" && value["verdict"] != "unknown" {
            assert!(!value["checked"].is_null(), "a verdict without a check: {line}");
        }
        kinds.push(value["kind"].as_str().unwrap_or_default().to_owned());
    }
    kinds
}

#[test]
fn answers_events_and_complaints_fit_the_schema() {
    assert_eq!(kinds("--json examples/toggle.aag"), ["answer"]);
    assert_eq!(kinds("--json examples/bounded_counter.smt2"), ["answer"]);
    assert_eq!(kinds("terminate --json examples/gcd.c"), ["answer"]);
    assert_eq!(kinds("terminate --json examples/drift.t2"), ["answer"]);
    assert_eq!(kinds("ctl --json examples/server.t2 --property AG(AF(busy==1))"), ["answer"]);
    let fair = "ctl --json examples/server.t2 --property AG(AF(busy==1)) --fair at(wait),at(work)";
    assert_eq!(kinds(fair), ["answer"]);
    assert_eq!(kinds("--json --time 200ms corpus/horn/shape/infinite_counter.smt2"), ["answer"]);
    let verbose = kinds("--json -v --engine explicit examples/traffic_light.btor2");
    assert_eq!(verbose.last().map(String::as_str), Some("answer"));
    assert!(verbose.contains(&"event".to_owned()), "{verbose:?}");
    assert_eq!(kinds("--json nowhere.smt2"), ["diagnostic"]);
    let several = kinds("--json examples/toggle.aag nowhere.smt2 examples/bounded_counter.smt2");
    assert_eq!(several, ["answer", "diagnostic", "answer", "summary"]);
    assert_eq!(kinds("--json --engine magic examples/toggle.aag"), ["error"]);
    assert_eq!(kinds("--json corpus/horn/dialect/curried.smt2"), ["answer", "reply"]);
    let untold = kinds("--json corpus/horn/dialect/untold.smt2");
    assert_eq!(untold, ["diagnostic", "diagnostic", "answer", "reply", "reply", "reply"]);
    assert!(kinds("engines --json").iter().all(|kind| kind == "engine"));
    let folder = "corpus/aiger/parameters";
    let front = kinds(&format!("pareto --json {folder}/sensors.aag --cost {folder}/sensors.cost"));
    assert_eq!(front, ["point", "point", "front"]);
    let wrong = kinds(&format!("pareto --json {folder}/scan.aag --cost {folder}/sensors.cost"));
    assert_eq!(wrong, ["diagnostic", "diagnostic"]);
    let explained = kinds(&format!("explain --json {folder}/scan.aag {folder}/scan.json"));
    assert_eq!(explained, ["explanation"]);
    let folder = "corpus/matching";
    let of = |more: &str| kinds(&format!("match --json {folder}/alu3.aag {folder}/alu3-{more}"));
    assert_eq!(of("add-slt.template"), ["match"]);
    assert_eq!(of("mul.template"), ["match"]);
    assert_eq!(of("nowhere.template"), ["diagnostic"]);
    assert_eq!(kinds("explore --json corpus/protocols/two_turns.m"), ["explored"]);
    assert_eq!(kinds("explore --json corpus/protocols/lost_token.m"), ["explored"]);
    assert_eq!(kinds("explore --json examples/toggle.aag"), ["error"]);
    assert_eq!(kinds("synth --json corpus/games/arbiter.aag"), ["answer"]);
    let both = "respond --json corpus/protocols/two_turns.m --from true --to turn=0 --fair weak";
    assert_eq!(kinds(both), ["answer"]);
}

/// The answer to a command.
#[track_caller]
fn answer(args: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args.split_whitespace())
        .current_dir(root())
        .output()
        .expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let value: Value = serde_json::from_str(text.trim_end()).expect("one object");
    assert_eq!(misfit(&value, &schema()), None, "{args}: {value}");
    value
}

#[test]
fn answers_carry_evidence_model_tree_and_trace() {
    let run = answer("--json --engine bmc examples/lock.aag");
    assert_eq!(run["trace"]["steps"], 4);
    let signals = run["trace"]["signals"].as_array().expect("signals");
    assert_eq!(signals[0]["role"], "property");
    let values = signals[0]["values"].as_array().expect("values");
    assert_eq!(values.last(), Some(&Value::from("1")), "the last step violates it: {run}");
    let round = answer("--json --engine lasso corpus/aiger/justice/blinks.aag");
    assert_eq!(round["trace"]["loop_start"], 1, "{round}");
    let tree = answer("--json --engine forward corpus/horn/finite/word_counter.smt2");
    let steps = tree["tree"].as_array().expect("a derivation");
    assert_eq!(steps.last().expect("steps")["fact"], "false");
    assert_eq!(steps[1]["premises"], serde_json::json!([0]));
    let model = answer("--json --engine pdr examples/bounded_counter.smt2");
    let definitions = model["model"].as_array().expect("a model");
    assert!(definitions[0].as_str().expect("text").starts_with("(define-fun"), "{model}");
    let invariant = answer("--json --engine ic3 corpus/aiger/basic/hold.aag");
    assert!(invariant["model"].is_array(), "{invariant}");
    assert_eq!(invariant["left_out"], serde_json::json!([]));
    let ranks = answer("terminate --json examples/gcd.c");
    assert_eq!(ranks["question"], "termination");
    assert!(ranks["runs"]["ranking"]["levels"][0]["removed"][0]["transition"].is_u64(), "{ranks}");
    let endless = answer("terminate --json examples/drift.t2");
    let found = &endless["runs"]["recurrence"];
    let last = found["path"].as_array().and_then(|path| path.last()).expect("a path");
    let at = last["at"].as_u64().expect("a location") as usize;
    assert!(found["sets"][at].is_string(), "the path leads into the sets: {endless}");
    // What is carried as evidence is evidence.
    let file = std::env::temp_dir().join(format!("alphorn-carried-{}", std::process::id()));
    let text = model["evidence_text"].as_str().expect("evidence");
    std::fs::write(&file, text).expect("a file can be written");
    let checked = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(["check", "examples/bounded_counter.smt2", &file.to_string_lossy()])
        .current_dir(root())
        .status()
        .expect("the binary runs");
    assert!(checked.success());
    std::fs::remove_file(file).expect("the file can be removed");
}

#[test]
fn the_validator_can_fail() {
    let schema = schema();
    let broken = [
        r#"{"schema":1,"kind":"answer"}"#,
        r#"{"schema":2,"kind":"error","file":"x","message":"y"}"#,
        r#"{"schema":1,"kind":"error","file":"x","message":7}"#,
        r#"{"schema":1,"kind":"error","file":"x","message":"y","more":1}"#,
        r#"{"schema":1,"kind":"gossip"}"#,
    ];
    for text in broken {
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert!(misfit(&value, &schema).is_some(), "{text}");
    }
}
