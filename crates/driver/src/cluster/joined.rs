//! A process that has joined a run: what it tells goes out, what others tell comes in, and it has a role.
//!
//! A thread of its own owns the connection. It sends what is told within a rate, keeps what is not acknowledged, and
//! connects again when the broker is gone: lines may be told twice, which does not matter.

use super::address::Address;
use super::jetstream::{Names, numbers, refusal};
use super::nats::{Heard, Nats};
use crate::journal::file::problem_hash;
use crate::journal::{Line, Wire};
use crate::open::Opened;
use alphorn_front::sha256;
use alphorn_report::journal::VERSION;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How long an answer of the broker is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many lines are told in a second, and at once.
const MAX_RATE: f64 = 500.0;
const MAX_BURST: f64 = 1000.0;
/// How many lines wait to be told; answers wait always.
const MAX_WAITING: usize = 10_000;
/// How many lines of others are kept, and of how many bytes.
const MAX_HEARD: usize = 200_000;
const MAX_HEARD_BYTES: usize = 1 << 28;
/// How long it takes to try again, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LAST_PAUSE: Duration = Duration::from_secs(5);

/// Why a process cannot be part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotJoined {
    /// The run has no name that can be one.
    Name,
    /// The broker does not want us, or has no streams.
    Refused(String),
    /// The run is about another problem.
    OtherProblem(String),
}

/// A process in a run.
#[derive(Debug)]
pub struct Joined {
    shared: Arc<Mutex<Shared>>,
    /// Its place among those that joined.
    pub role: usize,
    /// Whether the broker was there at the beginning.
    pub is_connected: bool,
}

/// What both threads see.
#[derive(Debug, Default)]
struct Shared {
    waiting: VecDeque<Line>,
    heard: Vec<Line>,
    bytes: usize,
    /// What others have learned.
    learned: BTreeSet<String>,
    /// How many of them are in our own answer's invariant.
    used: usize,
    /// Lines that were not told because they are too long or too many.
    lost: usize,
    /// When the connection must be over.
    closes: Option<Instant>,
    is_closed: bool,
}

impl Shared {
    /// Whether an answer with this evidence came from others.
    fn has_heard(&self, answer: &Line) -> bool {
        let Line::Answer { evidence: own, .. } = answer else { return false };
        let is_it = |line: &Line| matches!(line, Line::Answer { evidence, .. } if evidence == own);
        self.heard.iter().any(is_it)
    }

    /// Keeps a line of somebody else, unless there are too many.
    fn hear(&mut self, line: Line, bytes: usize) {
        if self.heard.len() >= MAX_HEARD || self.bytes + bytes > MAX_HEARD_BYTES {
            return;
        }
        self.bytes += bytes;
        self.learned.extend(line.learned().map(|(what, _)| what));
        self.heard.push(line);
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Joined {
    /// Joins a run about a problem. Where there is no broker the process works alone, and goes on trying.
    pub fn join(address: &Address, run: &str, opened: &Opened) -> Result<Joined, NotJoined> {
        let own = identity(opened);
        let names = Names::of(run, &own).ok_or(NotJoined::Name)?;
        let shared = Arc::new(Mutex::new(Shared::default()));
        let mut member = Member {
            address: address.clone(),
            names,
            head: Line::Head {
                alphorn: VERSION,
                problem: problem_hash(opened),
                file: opened.file.clone(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            own,
            shared: Arc::clone(&shared),
            next: 1,
            heads: Vec::new(),
            strangers: BTreeSet::new(),
            unconfirmed: BTreeMap::new(),
            count: 0,
            may_send: MAX_BURST,
            sent: Instant::now(),
        };
        let (nats, role) = match member.begin() {
            Ok((nats, sequence)) => {
                if let Some((_, _, other)) = member.stranger_before(sequence) {
                    return Err(NotJoined::OtherProblem(other));
                }
                let before = member.heads.iter().filter(|(number, ..)| *number < sequence).count();
                (Some(nats), before)
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return Err(NotJoined::Refused(error.to_string()));
            }
            Err(_) => (None, 0),
        };
        let is_connected = nats.is_some();
        let worker = std::thread::Builder::new().spawn(move || member.work(nats));
        if worker.is_err() {
            lock(&shared).is_closed = true;
        }
        Ok(Joined { shared, role, is_connected })
    }

    /// How many lemmas were heard of others, and how many of these the invariants of our own answers are made of.
    pub fn gain(&self) -> (usize, usize) {
        let shared = lock(&self.shared);
        (shared.learned.len(), shared.used)
    }

    /// Ends the connection when all is told, or after some time; how many lines were not told.
    pub fn close(&self, patience: Duration) -> usize {
        let ends = Instant::now() + patience;
        lock(&self.shared).closes = Some(ends);
        while !lock(&self.shared).is_closed && Instant::now() < ends + patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        let shared = lock(&self.shared);
        shared.lost + shared.waiting.len()
    }
}

impl Wire for Joined {
    fn tell(&self, line: &Line) {
        let mut shared = lock(&self.shared);
        let is_answer = matches!(line, Line::Answer { .. });
        match is_answer || shared.waiting.len() < MAX_WAITING {
            true => shared.waiting.push_back(line.clone()),
            false => shared.lost += 1,
        }
    }

    fn tell_answer(&self, lines: &[Line]) {
        let mut shared = lock(&self.shared);
        // An answer that was heard has the lemmas of who found it.
        if !lines.last().is_some_and(|answer| shared.has_heard(answer)) {
            let own: BTreeSet<String> =
                lines.iter().filter_map(|line| Some(line.learned()?.0)).collect();
            shared.used += own.intersection(&shared.learned).count();
        }
        drop(shared);
        lines.iter().for_each(|line| self.tell(line));
    }

    fn heard(&self, from: usize) -> Vec<Line> {
        let shared = lock(&self.shared);
        shared.heard[from.min(shared.heard.len())..].to_vec()
    }

    fn is_live(&self) -> bool {
        true
    }
}

/// A name that no other process has.
fn identity(opened: &Opened) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let text = format!("{} {now:?} {host} {}", std::process::id(), opened.file);
    sha256::hex(text.as_bytes())[..16].to_owned()
}

/// The thread's own.
struct Member {
    address: Address,
    names: Names,
    head: Line,
    own: String,
    shared: Arc<Mutex<Shared>>,
    /// The first line of the stream that was not read yet.
    next: u64,
    /// Who said what they are about: the number of the line, who, and the problem.
    heads: Vec<(u64, String, String)>,
    /// Those who work on another problem.
    strangers: BTreeSet<String>,
    /// What was sent and is not confirmed, by its number.
    unconfirmed: BTreeMap<u64, Vec<u8>>,
    count: u64,
    /// How many lines may be sent now.
    may_send: f64,
    sent: Instant,
}

/// What the broker says about a request.
fn denied(why: String) -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, format!("the broker refuses the run: {why}"))
}

impl Member {
    /// Connects, says what we are about, and reads what was told before; with the number of our first line.
    fn begin(&mut self) -> io::Result<(Nats, u64)> {
        let mut nats = Nats::connect(&self.address)?;
        // The broker sends lines only where somebody listens to their subject by its own name.
        for (number, part) in (1..).zip(["reply", "told.*", "lines"]) {
            nats.subscribe(&format!("{}.{part}", self.names.inbox), number)?;
        }
        let (subject, asked) = self.names.create();
        if let Some(why) = refusal(&self.request(&mut nats, &subject, &asked)?) {
            return Err(denied(why));
        }
        let hello = self.names.subject.clone();
        let head = json!({ "from": self.own, "line": self.head });
        let reply = self.request(&mut nats, &hello, &head)?;
        if let Some(why) = refusal(&reply) {
            return Err(denied(why));
        }
        let sequence = reply["seq"].as_u64().unwrap_or(u64::MAX);
        let (subject, asked) = self.names.consume(self.next);
        if let Some(why) = refusal(&self.request(&mut nats, &subject, &asked)?) {
            return Err(denied(why));
        }
        let ends = Instant::now() + PATIENCE;
        while self.next <= sequence && Instant::now() < ends {
            if let Some(heard) = nats.next()? {
                self.take(heard);
            }
        }
        Ok((nats, sequence))
    }

    /// Somebody who said before a line of ours that they work on another problem, if nobody works on ours.
    fn stranger_before(&self, sequence: u64) -> Option<(u64, String, String)> {
        let Line::Head { problem: own, .. } = &self.head else { return None };
        let mut before = self.heads.iter().filter(|(number, ..)| *number < sequence);
        before.find(|(_, _, problem)| problem != own).cloned()
    }

    /// Asks, and waits for the reply.
    fn request(&mut self, nats: &mut Nats, subject: &str, asked: &Value) -> io::Result<Value> {
        let inbox = format!("{}.reply", self.names.inbox);
        nats.publish(subject, &inbox, asked.to_string().as_bytes())?;
        let ends = Instant::now() + PATIENCE;
        while Instant::now() < ends {
            match nats.next()? {
                Some(Heard::Message(subject, _, payload)) if subject == inbox => {
                    return serde_json::from_slice(&payload).map_err(|error| {
                        io::Error::new(ErrorKind::InvalidData, error.to_string())
                    });
                }
                Some(Heard::Refused(why)) => return Err(denied(why)),
                Some(other) => self.take(other),
                None => {}
            }
        }
        let why = "the broker does not answer; is JetStream on (nats-server -js)?";
        Err(io::Error::new(ErrorKind::TimedOut, why))
    }

    fn work(mut self, mut nats: Option<Nats>) {
        let mut pause = FIRST_PAUSE;
        loop {
            let closes = lock(&self.shared).closes;
            if closes.is_some_and(|ends| Instant::now() >= ends) {
                break;
            }
            nats = match nats {
                Some(mut nats) => match self.turn(&mut nats) {
                    Ok(()) if closes.is_some() && self.is_idle() => break,
                    Ok(()) => Some(nats),
                    Err(_) => None,
                },
                None => match self.begin() {
                    Ok((mut nats, _)) => {
                        pause = FIRST_PAUSE;
                        self.repeat(&mut nats).is_ok().then_some(nats)
                    }
                    Err(_) if closes.is_some() => break,
                    Err(_) => {
                        std::thread::sleep(pause);
                        pause = (2 * pause).min(LAST_PAUSE);
                        None
                    }
                },
            };
        }
        lock(&self.shared).is_closed = true;
    }

    /// Whether nothing waits to be told or confirmed.
    fn is_idle(&self) -> bool {
        lock(&self.shared).waiting.is_empty() && self.unconfirmed.is_empty()
    }

    /// Sends what waits, and takes what has come.
    fn turn(&mut self, nats: &mut Nats) -> io::Result<()> {
        let passed = self.sent.elapsed().as_secs_f64();
        self.sent = Instant::now();
        self.may_send = (self.may_send + passed * MAX_RATE).min(MAX_BURST);
        while self.may_send >= 1.0 {
            let Some(line) = lock(&self.shared).waiting.pop_front() else { break };
            let payload = json!({ "from": self.own, "line": line }).to_string().into_bytes();
            if payload.len() > nats.max_payload {
                lock(&self.shared).lost += 1;
                continue;
            }
            self.may_send -= 1.0;
            self.count += 1;
            self.unconfirmed.insert(self.count, payload);
            self.send(nats, self.count)?;
        }
        if let Some(heard) = nats.next()? {
            self.take(heard);
        }
        Ok(())
    }

    fn send(&self, nats: &mut Nats, number: u64) -> io::Result<()> {
        let Some(payload) = self.unconfirmed.get(&number) else { return Ok(()) };
        let reply = format!("{}.told.{number}", self.names.inbox);
        nats.publish(&self.names.subject, &reply, payload)
    }

    /// Sends again what was not confirmed.
    fn repeat(&mut self, nats: &mut Nats) -> io::Result<()> {
        let numbers: Vec<u64> = self.unconfirmed.keys().copied().collect();
        numbers.into_iter().try_for_each(|number| self.send(nats, number))
    }

    /// Takes what the broker says.
    fn take(&mut self, heard: Heard) {
        let Heard::Message(subject, address, payload) = heard else { return };
        let rest = subject.strip_prefix(&self.names.inbox).unwrap_or_default();
        if let Some(number) = rest.strip_prefix(".told.").and_then(|number| number.parse().ok()) {
            self.unconfirmed.remove(&number);
        }
        // A line has the subject that it was told under, whoever has asked for it.
        if subject != self.names.subject {
            return;
        }
        let Some((sequence, _)) = address.as_deref().and_then(numbers) else { return };
        if sequence < self.next {
            return;
        }
        self.next = sequence + 1;
        #[derive(serde::Deserialize)]
        struct Told {
            from: String,
            line: Line,
        }
        // What is no line was not told by us.
        let Ok(Told { from, line }) = serde_json::from_slice::<Told>(&payload) else { return };
        if from == self.own {
            return;
        }
        if let Line::Head { problem, .. } = &line {
            let is_own = matches!(&self.head, Line::Head { problem: own, .. } if own == problem);
            if is_own {
                self.strangers.remove(&from);
            } else {
                self.strangers.insert(from.clone());
            }
            self.heads.push((sequence, from, problem.clone()));
            return;
        }
        if !self.strangers.contains(&from) {
            lock(&self.shared).hear(line, payload.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, Joined, MAX_HEARD_BYTES, NotJoined, lock};
    use crate::journal::{Holds, Line, Wire};
    use crate::open::open_bytes;
    use std::time::Duration;

    const HORN: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(check-sat)";

    #[test]
    fn without_a_broker_a_process_works_alone_and_ends() {
        let opened = open_bytes("a.smt2", HORN.as_bytes().to_vec(), None);
        // Nobody listens at this port of this machine.
        let address = Address::read("nats://127.0.0.1:1", |_| None).expect("it is an address");
        let joined = Joined::join(&address, "alone", &opened).expect("that is no reason to stop");
        assert_eq!((joined.role, joined.is_connected), (0, false));
        let line = Line::Bound { bound: 1, property: "horn".to_owned(), by: "bmc".to_owned() };
        joined.tell(&line);
        assert!(joined.heard(0).is_empty());
        assert_eq!(joined.close(Duration::from_millis(300)), 1);
    }

    #[test]
    fn lemmas_of_others_in_our_invariant_are_counted_and_what_is_too_much_is_not_kept() {
        let clause = |names: &[&str]| Line::Clause {
            clause: names.iter().map(|name| (*name).to_owned()).collect(),
            by: "ic3".to_owned(),
            holds: Holds::Always,
        };
        let answer = |evidence: &str| Line::Answer {
            answer: "safe".to_owned(),
            property: "bad 0".to_owned(),
            by: "ic3".to_owned(),
            evidence: evidence.to_owned(),
        };
        let opened = open_bytes("a.smt2", HORN.as_bytes().to_vec(), None);
        let address = Address::read("nats://127.0.0.1:1", |_| None).expect("it is an address");
        let joined = Joined::join(&address, "counted", &opened).expect("it works alone");
        for names in [&["a", "-b"][..], &["c"], &["d"]] {
            lock(&joined.shared).hear(clause(names), 10);
        }
        lock(&joined.shared).hear(clause(&["e"]), MAX_HEARD_BYTES);
        joined.tell_answer(&[clause(&["-b", "a"]), clause(&["x"]), answer("ours")]);
        assert_eq!(joined.gain(), (3, 1));
        lock(&joined.shared).hear(answer("theirs"), 10);
        joined.tell_answer(&[clause(&["c"]), answer("theirs")]);
        assert_eq!(joined.gain(), (3, 1));
    }

    #[test]
    fn a_run_needs_a_name() {
        let opened = open_bytes("a.smt2", HORN.as_bytes().to_vec(), None);
        let address = Address::read("nats://127.0.0.1:1", |_| None).expect("it is an address");
        let refused = Joined::join(&address, "a.b", &opened).map(|_| ());
        assert_eq!(refused, Err(NotJoined::Name));
    }
}
