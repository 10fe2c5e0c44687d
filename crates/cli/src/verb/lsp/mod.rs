//! `alphorn lsp`: the language server for editors, on standard input and output.
//!
//! One thread reads messages, one answers them, and each run that decides a document has its own. While somebody types
//! the text is read, at most some times a second; when it is saved it is decided, within the limits of the command.
//! A change of the text ends the run about it, and takes back what was said of it. Requests are answered at once, so
//! there is nothing of them to cancel; a run is ended by `alphorn.stop`.
//!
//! After the Language Server Protocol 3.17. We differ from most servers in having no library for it: of the protocol
//! a dozen messages are needed.

mod document;
mod frame;
mod place;

use crate::args::Lsp;
use crate::speak;
use alphorn_driver::marks::{Marks, marks};
use alphorn_driver::report::Exit;
use alphorn_driver::report::answer::Answer;
use alphorn_driver::run::{panic_text, unanswered};
use alphorn_driver::{CannotRun, Config, Limits, Opened, Stopper, decide};
use document::{Document, MAX_TYPED, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufReader};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long nothing must be typed before the text is read.
const QUIET: Duration = Duration::from_millis(150);

/// What the answering thread hears.
enum Heard {
    /// A message of the editor.
    Message(Value),
    /// What is said on the stream is no message.
    Wrong(String),
    /// The editor is gone.
    End,
    /// A run came to its end: the document, the number of the run, what it found or why it found nothing.
    Decided(String, u64, Result<Vec<Verdict>, String>),
}

/// Serves an editor until it goes.
pub fn main(args: &Lsp) -> u8 {
    let (sender, receiver) = channel();
    let to_reader = sender.clone();
    let reader = std::thread::Builder::new().spawn(move || listen(&to_reader));
    if reader.is_err() {
        speak::complain("", "no thread could be started", false);
        return Exit::Internal as u8;
    }
    let mut server = Server {
        args,
        sender,
        documents: BTreeMap::new(),
        runs: 0,
        in_bytes: false,
        wants_hints: false,
        is_down: false,
    };
    match server.serve(&receiver) {
        Ok(exit) => exit as u8,
        // The editor went away without a word.
        Err(_) => Exit::Internal as u8,
    }
}

/// Hands messages on as they come.
fn listen(sender: &Sender<Heard>) {
    let mut stream = BufReader::new(io::stdin());
    loop {
        let heard = match frame::read(&mut stream) {
            Ok(Some(message)) => Heard::Message(message),
            Ok(None) => Heard::End,
            Err(error) => Heard::Wrong(error.to_string()),
        };
        let is_last = !matches!(heard, Heard::Message(_));
        if sender.send(heard).is_err() || is_last {
            return;
        }
    }
}

struct Server<'a> {
    args: &'a Lsp,
    sender: Sender<Heard>,
    documents: BTreeMap<String, Document>,
    /// How many runs there were.
    runs: u64,
    /// Whether the editor counts columns in bytes.
    in_bytes: bool,
    /// Whether it asks again for what stands behind lines when it is told to.
    wants_hints: bool,
    /// Whether it has said that it will go.
    is_down: bool,
}

impl Server<'_> {
    fn serve(&mut self, receiver: &Receiver<Heard>) -> io::Result<Exit> {
        loop {
            let is_stale = self.documents.values().any(|document| document.is_stale);
            let heard = match is_stale {
                true => receiver.recv_timeout(QUIET),
                false => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match heard {
                Ok(Heard::Message(message)) => {
                    if let Some(exit) = self.message(&message)? {
                        return Ok(exit);
                    }
                }
                Ok(Heard::Wrong(why)) => {
                    self.say(&frame::refusal(&Value::Null, -32700, &why))?;
                    return Ok(Exit::Usage);
                }
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => return Ok(Exit::Usage),
                Ok(Heard::Decided(uri, run, found)) => self.decided(&uri, run, found)?,
                Err(RecvTimeoutError::Timeout) => self.read_stale()?,
            }
        }
    }

    fn say(&self, message: &Value) -> io::Result<()> {
        frame::write(&mut io::stdout().lock(), message)
    }

    fn log(&self, text: &str) -> io::Result<()> {
        let params = json!({ "type": 3, "message": text });
        self.say(&frame::notification("window/logMessage", params))
    }

    /// Answers a message; how the server ends, if it does.
    fn message(&mut self, message: &Value) -> io::Result<Option<Exit>> {
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            // A reply to what we asked: nothing depends on it.
            return Ok(None);
        };
        let params = message.get("params").unwrap_or(&Value::Null);
        if method == "exit" {
            return Ok(Some(if self.is_down { Exit::Safe } else { Exit::Unsafe }));
        }
        match message.get("id") {
            Some(id) => {
                let said = match self.request(method, params) {
                    Ok(result) => frame::reply(id, result),
                    Err((code, why)) => frame::refusal(id, code, &why),
                };
                self.say(&said)?;
            }
            None => self.notified(method, params)?,
        }
        Ok(None)
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value, (i64, String)> {
        if self.is_down {
            return Err((-32600, "the server is shutting down".to_owned()));
        }
        let document = || text(params, "/textDocument/uri").and_then(|uri| self.documents.get(uri));
        match method {
            "initialize" => Ok(self.initialize(params)),
            "shutdown" => {
                self.is_down = true;
                self.documents.values_mut().for_each(Document::stop);
                Ok(Value::Null)
            }
            "textDocument/hover" => {
                let hover =
                    |document: &Document| document.hover(&params["position"], self.in_bytes);
                Ok(document().and_then(hover).unwrap_or(Value::Null))
            }
            "textDocument/inlayHint" => {
                Ok(document().map_or(json!([]), |document| document.inlays(self.in_bytes)))
            }
            "workspace/executeCommand" => {
                let uri = text(params, "/arguments/0").unwrap_or_default().to_owned();
                if !self.documents.contains_key(&uri) {
                    return Err((-32602, "this document is not open".to_owned()));
                }
                match text(params, "/command") {
                    Some("alphorn.decide") => self.decide(&uri),
                    Some("alphorn.stop") => {
                        self.documents.entry(uri).and_modify(Document::stop);
                    }
                    _ => return Err((-32602, "there is no such command".to_owned())),
                }
                Ok(Value::Null)
            }
            _ => Err((-32601, format!("'{method}' is not treated"))),
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        let of = |place: &str| params.pointer(place);
        let encodings = of("/capabilities/general/positionEncodings").and_then(Value::as_array);
        self.in_bytes = encodings.is_some_and(|all| all.iter().any(|one| one == "utf-8"));
        let refresh = of("/capabilities/workspace/inlayHint/refreshSupport");
        self.wants_hints = refresh.and_then(Value::as_bool).unwrap_or(false);
        json!({
            "capabilities": {
                "positionEncoding": if self.in_bytes { "utf-8" } else { "utf-16" },
                "textDocumentSync": { "openClose": true, "change": 1, "save": true },
                "hoverProvider": true,
                "inlayHintProvider": true,
                "executeCommandProvider": { "commands": ["alphorn.decide", "alphorn.stop"] },
            },
            "serverInfo": { "name": "alphorn", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    fn notified(&mut self, method: &str, params: &Value) -> io::Result<()> {
        let Some(uri) = text(params, "/textDocument/uri").map(str::to_owned) else { return Ok(()) };
        let version = params.pointer("/textDocument/version").and_then(Value::as_i64).unwrap_or(0);
        match method {
            "textDocument/didOpen" => {
                let content = text(params, "/textDocument/text").unwrap_or_default().to_owned();
                let mut document = Document::new(&uri, version, content);
                document.read();
                self.documents.insert(uri.clone(), document);
                self.publish(&uri)
            }
            "textDocument/didChange" => {
                let changes = params.get("contentChanges").and_then(Value::as_array);
                let last = changes.and_then(|all| all.last());
                let content = last.and_then(|change| change.get("text")).and_then(Value::as_str);
                if let (Some(document), Some(content)) = (self.documents.get_mut(&uri), content) {
                    document.change(version, content.to_owned());
                }
                Ok(())
            }
            "textDocument/didSave" => {
                if !self.args.no_decide && self.documents.contains_key(&uri) {
                    self.decide(&uri);
                }
                Ok(())
            }
            "textDocument/didClose" => {
                if let Some(mut document) = self.documents.remove(&uri) {
                    document.stop();
                }
                let params = json!({ "uri": uri, "diagnostics": [] });
                self.say(&frame::notification("textDocument/publishDiagnostics", params))
            }
            _ => Ok(()),
        }
    }

    /// Reads what was typed.
    fn read_stale(&mut self) -> io::Result<()> {
        let is_stale = |(_, document): &(&String, &Document)| document.is_stale;
        let stale = self.documents.iter().filter(is_stale).map(|(uri, _)| uri.clone());
        for uri in stale.collect::<Vec<String>>() {
            let Some(document) = self.documents.get_mut(&uri) else { continue };
            if document.text.len() > MAX_TYPED {
                document.is_stale = false;
                self.log(&format!("{uri} is large: it is read when it is saved"))?;
                continue;
            }
            document.read();
            self.publish(&uri)?;
        }
        Ok(())
    }

    fn publish(&self, uri: &str) -> io::Result<()> {
        let Some(document) = self.documents.get(uri) else { return Ok(()) };
        let params = document.diagnostics(uri, self.in_bytes);
        self.say(&frame::notification("textDocument/publishDiagnostics", params))
    }

    /// Begins to decide a document.
    fn decide(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        document.stop();
        document.verdicts.clear();
        document.read();
        let Some(opened) = document.opened.clone().filter(|opened| opened.problem.is_some()) else {
            // What is wrong is marked already.
            let _ = self.publish(uri);
            return;
        };
        self.runs += 1;
        let (run, stopper) = (self.runs, Stopper::new());
        document.run = Some((run, stopper.clone()));
        let config = Config {
            limits: Limits {
                deadline: Some(Instant::now() + self.args.time),
                memory: self.args.memory,
                ..Limits::default()
            },
            threads: self.args.threads.unwrap_or(0),
            engines: self.args.engine.clone(),
            ..Config::default()
        };
        let (uri, sender) = (uri.to_owned(), self.sender.clone());
        let name = uri.clone();
        let work = move || {
            let found = || verdicts(&opened, &config, &stopper);
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(found));
            let found = found.unwrap_or_else(|panic| Err(panic_text(&*panic)));
            // Nobody listens when the editor is gone.
            let _ = sender.send(Heard::Decided(uri, run, found));
        };
        if std::thread::Builder::new().stack_size(64 << 20).spawn(work).is_err() {
            let found = Err("no thread could be started".to_owned());
            let _ = self.sender.send(Heard::Decided(name, run, found));
        }
    }

    /// Tells what a run found, unless the text is another one now.
    fn decided(
        &mut self,
        uri: &str,
        run: u64,
        found: Result<Vec<Verdict>, String>,
    ) -> io::Result<()> {
        let Some(document) = self.documents.get_mut(uri) else { return Ok(()) };
        if document.run.as_ref().is_none_or(|(number, _)| *number != run) {
            return Ok(());
        }
        document.run = None;
        match found {
            Err(why) => {
                let params = json!({ "type": 1, "message": format!("{}: {why}", document.path) });
                self.say(&frame::notification("window/showMessage", params))
            }
            Ok(verdicts) => {
                let said = |verdict: &Verdict| {
                    let Answer { property, verdict, detail, .. } = &verdict.answer;
                    json!({ "property": property, "verdict": verdict, "detail": detail })
                };
                let answers: Vec<Value> = verdicts.iter().map(said).collect();
                document.verdicts = verdicts;
                self.publish(uri)?;
                if self.wants_hints {
                    let id = format!("hints-{run}");
                    let method = "workspace/inlayHint/refresh";
                    self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method }))?;
                }
                let params = json!({ "uri": uri, "answers": answers });
                self.say(&frame::notification("alphorn/verdict", params))
            }
        }
    }
}

/// Decides a document; the answers with their places.
fn verdicts(opened: &Opened, config: &Config, stopper: &Stopper) -> Result<Vec<Verdict>, String> {
    let decided = decide(opened, config, stopper, &mut |_| {}, &mut |_| {});
    let decided = decided.map_err(|why| match why {
        CannotRun::Request(why) | CannotRun::Unsupported(why) => why,
        CannotRun::Untreated(list) => {
            let words = list.iter().map(|one| one.message.clone());
            words.collect::<Vec<String>>().join("; ")
        }
    })?;
    if decided.is_empty() {
        let open = unanswered(opened, None, "it was ended");
        let open = open.into_iter().map(|(_, answer)| answer);
        return Ok(open.map(|answer| Verdict { answer, marks: Marks::default() }).collect());
    }
    let verdict = |decision: alphorn_driver::Decision| {
        let question = opened.question(decision.index);
        let found = decision.evidence.as_ref();
        let marks = found.map(|evidence| marks(&question, decision.index, evidence));
        Verdict { answer: decision.answer, marks: marks.unwrap_or_default() }
    };
    Ok(decided.into_iter().map(verdict).collect())
}

/// A text in an object.
fn text<'a>(value: &'a Value, place: &str) -> Option<&'a str> {
    value.pointer(place).and_then(Value::as_str)
}
