//! The language server, spoken to as an editor does.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u64,
}

impl Editor {
    fn new(words: &[&str], encodings: Value) -> Editor {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
        command.arg("lsp").args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut editor = Editor { child, input, output, requests: 0 };
        let can = json!({ "capabilities": { "general": { "positionEncodings": encodings } } });
        let told = editor.ask("initialize", can);
        assert_eq!(told["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("it listens");
        self.input.flush().expect("it listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn hear(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("it speaks") > 0, "the server is gone");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("it is whole");
        serde_json::from_slice(&body).expect("it is JSON")
    }

    /// The result of a request; what comes before is passed over.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let heard = self.hear();
            if heard["id"] == id {
                return if heard["error"].is_null() {
                    heard["result"].clone()
                } else {
                    heard["error"].clone()
                };
            }
        }
    }

    /// The parameters of the next notification of a kind.
    fn wait(&mut self, method: &str) -> Value {
        loop {
            let heard = self.hear();
            if heard["method"] == method {
                return heard["params"].clone();
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) -> Value {
        let document = json!({ "uri": uri, "languageId": "smt2", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.wait("textDocument/publishDiagnostics")
    }

    fn save(&mut self, uri: &str) -> Value {
        self.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
        self.wait("textDocument/publishDiagnostics")
    }

    fn close(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
    }
}

const COUNTER: &str = "(set-logic HORN)\n(declare-fun inv (Int) Bool)\n(assert (inv 0))\n\
    (assert (forall ((x Int)) (=> (and (inv x) (< x 9)) (inv (+ x 1)))))\n\
    (assert (forall ((x Int)) (=> (and (inv x) (> x 9)) false)))\n(check-sat)\n";

#[test]
fn an_invariant_is_shown_where_its_predicate_is() {
    let mut editor = Editor::new(&[], json!(["utf-16"]));
    let uri = "file:///tmp/counter.smt2";
    assert_eq!(editor.open(uri, COUNTER)["diagnostics"], json!([]));
    let said = editor.save(uri);
    assert_eq!(said["diagnostics"][0]["code"], "SAFE", "{said}");
    assert_eq!(editor.wait("alphorn/verdict")["answers"][0]["verdict"], "safe");
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 3, "character": 37 } });
    let hover = editor.ask("textDocument/hover", at);
    assert!(
        hover["contents"]["value"].as_str().is_some_and(|text| text.contains("(inv ")),
        "{hover}"
    );
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let hints = editor
        .ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": range }));
    assert_eq!(hints[0]["position"]["line"], 1, "{hints}");
    editor.close();
}

#[test]
fn a_violation_is_marked_at_its_clause_with_the_steps_to_it() {
    let mut editor = Editor::new(&[], json!(["utf-8", "utf-16"]));
    let uri = "file:///tmp/unsafe.smt2";
    editor.open(uri, &COUNTER.replace("(> x 9)", "(> x 8)"));
    let said = editor.save(uri);
    let found = &said["diagnostics"][0];
    assert_eq!((&found["code"], &found["severity"]), (&json!("UNSAFE"), &json!(1)));
    assert_eq!(found["range"]["start"]["line"], 4);
    let steps = found["relatedInformation"].as_array().expect("there are steps");
    assert!(steps.len() >= 2 && steps[0]["location"]["uri"] == uri, "{steps:?}");
    // Another text takes it back.
    let text = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": "(assert" }] });
    editor.tell("textDocument/didChange", text);
    let said = editor.wait("textDocument/publishDiagnostics");
    assert_eq!(said["version"], 2);
    assert!(said["diagnostics"].as_array().is_some_and(|all| !all.is_empty()));
    assert!(
        said["diagnostics"]
            .as_array()
            .is_some_and(|all| all.iter().all(|one| one["code"] != "UNSAFE"))
    );
    editor.close();
}

#[test]
fn the_failing_line_of_a_program_is_marked() {
    let mut editor = Editor::new(&["--time", "20s"], Value::Null);
    let uri = "file:///tmp/fails.c";
    editor.open(
        uri,
        "#include <assert.h>\nint main(void) {\n  int x = 1;\n  x++;\n  assert(x == 1);\n}\n",
    );
    let said = editor.save(uri);
    let found = &said["diagnostics"][0];
    assert_eq!(
        (&found["code"], &found["range"]["start"]["line"]),
        (&json!("UNSAFE"), &json!(4)),
        "{said}"
    );
    editor.close();
}

#[test]
fn a_run_is_ended_by_the_command_and_the_server_goes_on() {
    let mut editor = Editor::new(&["--engine", "bmc", "--time", "10m"], Value::Null);
    let uri = "file:///tmp/endless.smt2";
    editor.open(uri, &COUNTER.replace("(< x 9)", "true").replace("(> x 9)", "(< x 0)"));
    let command = |name: &str| json!({ "command": name, "arguments": [uri] });
    assert_eq!(editor.ask("workspace/executeCommand", command("alphorn.decide")), Value::Null);
    assert_eq!(editor.ask("workspace/executeCommand", command("alphorn.stop")), Value::Null);
    let refused = editor.ask("workspace/executeCommand", command("alphorn.other"));
    assert_eq!(refused["code"], -32602);
    assert_eq!(editor.ask("textDocument/definition", json!({}))["code"], -32601);
    editor.close();
}

#[test]
fn what_is_no_message_ends_the_server_with_a_word() {
    let mut editor = Editor::new(&[], Value::Null);
    editor.input.write_all(b"Content-Length: 3\r\n\r\n{]}").expect("it listens");
    editor.input.flush().expect("it listens");
    assert_eq!(editor.hear()["error"]["code"], -32700);
    assert_eq!(editor.child.wait().expect("it ends").code(), Some(3));
}
