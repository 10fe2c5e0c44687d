//! Streams of JetStream: what is asked of its API, and what its replies say.
//!
//! After "JetStream wire API Reference" (docs.nats.io). A run's stream keeps its lines for a day, within limits of number and
//! size; a consumer of ours is ephemeral, wants no acknowledgements, and begins where we stopped.

use serde_json::{Value, json};

/// How long lines are kept, in nanoseconds.
const MAX_AGE: u64 = 24 * 3600 * 1_000_000_000;
/// How many lines a run keeps.
const MAX_LINES: u64 = 200_000;
/// How many bytes a run keeps.
const MAX_BYTES: u64 = 1 << 30;

/// The names that a run has at the broker.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The stream.
    pub(super) stream: String,
    /// The subject of its lines.
    pub(super) subject: String,
    /// The subject of what is for us alone.
    pub(super) inbox: String,
}

impl Names {
    /// The names of a run and of a process in it; nothing if the run's name is none.
    pub(super) fn of(run: &str, own: &str) -> Option<Names> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_name = !run.is_empty() && run.len() <= 64 && run.bytes().all(is_plain);
        is_name.then(|| Names {
            stream: format!("ALPHORN_{run}"),
            subject: format!("alphorn.{run}"),
            inbox: format!("_INBOX.alphorn.{own}"),
        })
    }

    /// Asks for the stream: the subject, and what is sent there.
    pub(super) fn create(&self) -> (String, Value) {
        let config = json!({
            "name": self.stream, "subjects": [self.subject], "retention": "limits",
            "storage": "file", "discard": "old", "num_replicas": 1, "max_consumers": -1,
            "max_msgs": MAX_LINES, "max_bytes": MAX_BYTES, "max_age": MAX_AGE,
        });
        (format!("$JS.API.STREAM.CREATE.{}", self.stream), config)
    }

    /// Asks for its lines from a number on.
    pub(super) fn consume(&self, from: u64) -> (String, Value) {
        let config = json!({
            "deliver_subject": format!("{}.lines", self.inbox), "deliver_policy": "by_start_sequence",
            "opt_start_seq": from.max(1), "ack_policy": "none", "replay_policy": "instant",
        });
        let asked = json!({ "stream_name": self.stream, "config": config });
        (format!("$JS.API.CONSUMER.CREATE.{}", self.stream), asked)
    }
}

/// Why the API refuses something, if it does. That there is a stream already is no reason.
pub(super) fn refusal(reply: &Value) -> Option<String> {
    const IN_USE: u64 = 10058;
    let error = reply.get("error")?;
    if error["err_code"] == IN_USE {
        return None;
    }
    let said = error["description"].as_str().unwrap_or("it does not say why");
    Some(said.to_owned())
}

/// The number of a line in its stream and how many come after it, as the address for acknowledgements has them:
/// `$JS.ACK.<stream>.<consumer>.<delivered>.<stream sequence>.<consumer sequence>.<time>.<pending>`.
pub(super) fn numbers(address: &str) -> Option<(u64, u64)> {
    let words: Vec<&str> = address.strip_prefix("$JS.ACK.")?.split('.').collect();
    // Newer servers put a domain and an account first, and a token last.
    let (sequence, pending) = match words.len() {
        7 => (words[3], words[6]),
        10.. => (words[5], words[8]),
        _ => return None,
    };
    Some((sequence.parse().ok()?, pending.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{Names, numbers, refusal};
    use serde_json::json;

    #[test]
    fn names_are_plain() {
        assert!(Names::of("night-3_a", "x").is_some());
        for run in ["", "a.b", "a b", "a>", "*", &"x".repeat(65)] {
            assert!(Names::of(run, "x").is_none(), "{run}");
        }
    }

    #[test]
    fn lines_have_numbers() {
        assert_eq!(numbers("$JS.ACK.ALPHORN_a.c.1.17.3.1700000000.5"), Some((17, 5)));
        assert_eq!(numbers("$JS.ACK._.h.ALPHORN_a.c.1.17.3.1700000000.5.t"), Some((17, 5)));
        assert_eq!(numbers("$JS.ACK.x"), None);
        assert_eq!(numbers("other"), None);
    }

    #[test]
    fn a_stream_that_is_there_is_no_refusal() {
        assert_eq!(refusal(&json!({ "error": { "err_code": 10058 } })), None);
        assert_eq!(refusal(&json!({ "did_create": true })), None);
        let why = json!({ "error": { "err_code": 10039, "description": "not enabled" } });
        assert_eq!(refusal(&why).as_deref(), Some("not enabled"));
    }
}
