//! The protocol of NATS, as much of it as we need: lines with a verb, and payloads of a stated length.
//!
//! After "NATS Client Protocol" (docs.nats.io). We ask for no headers, so messages are `MSG` and never `HMSG`. What a server
//! says is within limits: a line of 64 KiB (`INFO` is the longest), a payload of 64 MiB.

use super::address::{Address, Secret};
use super::stream::{Stream, Upgrade};
use serde_json::{Value, json};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How long connecting and each write may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The longest line.
const MAX_LINE: usize = 64 << 10;
/// The longest payload that is read.
const MAX_PAYLOAD: usize = 64 << 20;

/// A connection.
#[derive(Debug)]
pub(super) struct Nats<S: Read + Write = Stream> {
    stream: S,
    buffer: Vec<u8>,
    /// The longest payload that the server takes.
    pub(super) max_payload: usize,
}

/// What a server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A message: its subject, where replies go, and its bytes.
    Message(String, Option<String>, Vec<u8>),
    /// Something is wrong.
    Refused(String),
}

fn wrong(why: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.into())
}

impl Nats {
    /// Connects, and says who we are. That a server does not want us is `PermissionDenied`.
    pub(super) fn connect(address: &Address) -> io::Result<Nats> {
        let places = (address.host.as_str(), address.port).to_socket_addrs()?;
        let mut last = io::Error::new(ErrorKind::NotFound, "the host has no address");
        for place in places {
            match TcpStream::connect_timeout(&place, TIMEOUT) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    stream.set_write_timeout(Some(TIMEOUT))?;
                    stream.set_read_timeout(Some(Duration::from_millis(20)))?;
                    return Nats::greet(Stream::Plain(stream), address);
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

impl<S: Upgrade> Nats<S> {
    /// The first words on a stream.
    fn greet(stream: S, address: &Address) -> io::Result<Nats<S>> {
        let mut nats = Nats { stream, buffer: Vec::new(), max_payload: 1 << 20 };
        let ends = Instant::now() + TIMEOUT;
        let info = nats.line_until(ends)?;
        let info = info.strip_prefix("INFO ").ok_or_else(|| wrong("this is no NATS server"))?;
        let info: Value = serde_json::from_str(info).map_err(|error| wrong(error.to_string()))?;
        let offers = info["tls_required"] == true || info["tls_available"] == true;
        if address.wants_tls && !offers {
            let why = "the server has no TLS, which the address asks for";
            return Err(io::Error::new(ErrorKind::PermissionDenied, why));
        }
        if info["tls_required"] == true || address.wants_tls {
            if !nats.buffer.is_empty() {
                return Err(wrong("the server speaks before it is encrypted"));
            }
            nats.stream = nats.stream.upgrade(address)?;
        }
        if let Some(most) = info["max_payload"].as_u64() {
            nats.max_payload = usize::try_from(most).unwrap_or(usize::MAX).min(MAX_PAYLOAD);
        }
        let mut words = json!({
            "verbose": false, "pedantic": false, "tls_required": address.wants_tls, "headers": false,
            "lang": "rust", "name": "alphorn", "version": env!("CARGO_PKG_VERSION"), "protocol": 1,
        });
        match &address.secret {
            Secret::None => {}
            Secret::User(user, password) => {
                words["user"] = user.as_str().into();
                words["pass"] = password.as_str().into();
            }
            Secret::Token(token) => words["auth_token"] = token.as_str().into(),
        }
        nats.stream.write_all(format!("CONNECT {words}\r\nPING\r\n").as_bytes())?;
        loop {
            let line = nats.line_until(ends)?;
            match line.split(' ').next() {
                Some("PONG") => return Ok(nats),
                Some("-ERR") => {
                    let why = format!("the server refuses us: {}", line[4..].trim());
                    return Err(io::Error::new(ErrorKind::PermissionDenied, why));
                }
                _ => {}
            }
        }
    }
}

impl<S: Read + Write> Nats<S> {
    /// Has messages with a subject sent to us.
    pub(super) fn subscribe(&mut self, subject: &str, number: u32) -> io::Result<()> {
        self.stream.write_all(format!("SUB {subject} {number}\r\n").as_bytes())
    }

    /// Sends a message.
    pub(super) fn publish(&mut self, subject: &str, reply: &str, payload: &[u8]) -> io::Result<()> {
        let mut bytes = format!("PUB {subject} {reply} {}\r\n", payload.len()).into_bytes();
        bytes.extend(payload);
        bytes.extend(b"\r\n");
        self.stream.write_all(&bytes)
    }

    /// The next thing the server says, if it says something within the stream's patience.
    pub(super) fn next(&mut self) -> io::Result<Option<Heard>> {
        loop {
            let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\r\n") else {
                if self.buffer.len() > MAX_LINE {
                    return Err(wrong("the server sends a line without an end"));
                }
                if !self.fill()? {
                    return Ok(None);
                }
                continue;
            };
            let line = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words[..] {
                ["MSG", subject, _, length] => return self.message(end, subject, None, length),
                ["MSG", subject, _, reply, length] => {
                    return self.message(end, subject, Some(reply.to_owned()), length);
                }
                ["PING"] => {
                    self.buffer.drain(..end + 2);
                    self.stream.write_all(b"PONG\r\n")?;
                }
                ["-ERR", ..] => {
                    self.buffer.drain(..end + 2);
                    return Ok(Some(Heard::Refused(line[4..].trim().to_owned())));
                }
                // `+OK`, `PONG`, and news about the server.
                _ => drop(self.buffer.drain(..end + 2)),
            }
        }
    }

    /// A message whose line ends at `end`; nothing if it is not whole yet.
    fn message(
        &mut self,
        end: usize,
        subject: &str,
        reply: Option<String>,
        length: &str,
    ) -> io::Result<Option<Heard>> {
        let length = length.parse::<usize>().ok().filter(|length| *length <= MAX_PAYLOAD);
        let length = length.ok_or_else(|| wrong("a message is longer than 64 MiB"))?;
        let (start, whole) = (end + 2, end + 2 + length + 2);
        while self.buffer.len() < whole {
            if !self.fill()? {
                return Ok(None);
            }
        }
        let payload = self.buffer[start..start + length].to_vec();
        self.buffer.drain(..whole);
        Ok(Some(Heard::Message(subject.to_owned(), reply, payload)))
    }

    fn line_until(&mut self, ends: Instant) -> io::Result<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\r\n") {
                let line = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
                self.buffer.drain(..end + 2);
                return Ok(line);
            }
            if self.buffer.len() > MAX_LINE {
                return Err(wrong("the server sends a line without an end"));
            }
            if Instant::now() > ends {
                return Err(io::Error::new(ErrorKind::TimedOut, "the server does not answer"));
            }
            self.fill()?;
        }
    }

    /// Reads what there is; whether there was something.
    fn fill(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 16 << 10];
        match self.stream.read(&mut bytes) {
            Ok(0) => Err(io::Error::new(ErrorKind::UnexpectedEof, "the server is gone")),
            Ok(count) => {
                self.buffer.extend(&bytes[..count]);
                Ok(true)
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                Ok(false)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(false),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, Heard, Nats, Secret, Upgrade};
    use std::io::{self, Read, Write};

    /// A stream that says one text, some bytes at a time, and keeps what it is told.
    struct Played {
        says: Vec<u8>,
        told: Vec<u8>,
    }

    impl Read for Played {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            if self.says.is_empty() {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let count = self.says.len().min(bytes.len()).min(7);
            bytes[..count].copy_from_slice(&self.says[..count]);
            self.says.drain(..count);
            Ok(count)
        }
    }

    impl Write for Played {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.told.extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Upgrade for Played {
        /// From here on everything that is told is marked.
        fn upgrade(mut self, _: &Address) -> io::Result<Played> {
            self.told.extend(b"<encrypted>");
            Ok(self)
        }
    }

    fn greeted(says: &str, secret: &Secret) -> io::Result<Nats<Played>> {
        greeted_at("nats://host", says, secret)
    }

    fn greeted_at(at: &str, says: &str, secret: &Secret) -> io::Result<Nats<Played>> {
        let address = Address::read(at, |_| None).expect("it is an address");
        let address = Address { secret: secret.clone(), ..address };
        // What is behind the first line comes later.
        Nats::greet(Played { says: says.as_bytes().to_vec(), told: Vec::new() }, &address)
    }

    const HELLO: &str = "INFO {\"max_payload\":1000}\r\nPONG\r\n";

    #[test]
    fn messages_are_read_whatever_pieces_they_come_in() {
        let says =
            format!("{HELLO}PING\r\nMSG a.b 1 5\r\nhe\r\no\r\nMSG c 2 r.x 0\r\n\r\n-ERR 'no'\r\n");
        let mut nats = greeted(&says, &Secret::None).expect("it is a server");
        assert_eq!(nats.max_payload, 1000);
        let mut heard = Vec::new();
        while let Some(one) = nats.next().expect("it speaks well") {
            heard.push(one);
        }
        let message = |subject: &str, reply: Option<&str>, bytes: &[u8]| {
            Heard::Message(subject.to_owned(), reply.map(str::to_owned), bytes.to_vec())
        };
        let expected = [
            message("a.b", None, b"he\r\no"),
            message("c", Some("r.x"), b""),
            Heard::Refused("'no'".to_owned()),
        ];
        assert_eq!(heard, expected);
        assert!(String::from_utf8_lossy(&nats.stream.told).ends_with("PONG\r\n"));
    }

    #[test]
    fn a_server_that_refuses_or_is_none_is_an_error() {
        let refused = greeted("INFO {}\r\n-ERR 'Authorization Violation'\r\n", &Secret::None);
        let refused = refused.map(|_| ()).expect_err("it refuses");
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert!(greeted("HTTP/1.1 400 Bad Request\r\n", &Secret::None).is_err());
        let plain = greeted_at("tls://host", HELLO, &Secret::None);
        let refused = plain.map(|_| ()).expect_err("it has no TLS");
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn nothing_is_told_before_a_server_that_wants_tls_has_it() {
        let secret = Secret::Token("t".to_owned());
        for (at, info) in [("nats://host", "tls_required"), ("tls://host", "tls_available")] {
            // The lengths of pieces are such that the first line comes alone.
            let first = format!("INFO {{\"{info}\":true}}");
            let first = format!("{first}{}\r\n", " ".repeat((5 + 7 - first.len() % 7) % 7));
            let says = format!("{first}PONG\r\n");
            let nats = greeted_at(at, &says, &secret).expect("it is a server");
            let told = String::from_utf8_lossy(&nats.stream.told).into_owned();
            assert!(told.starts_with("<encrypted>CONNECT"), "{told}");
        }
        let injected = greeted("INFO {\"tls_required\": true}\r\nPONG\r\n", &secret);
        assert!(injected.is_err(), "what came with the first line is not from who has the key");
    }

    #[test]
    fn a_secret_is_told_once_connected() {
        let secret = Secret::User("me".to_owned(), "pw".to_owned());
        let nats = greeted(HELLO, &secret).expect("it is a server");
        let told = String::from_utf8_lossy(&nats.stream.told).into_owned();
        assert!(told.contains("\"user\":\"me\"") && told.contains("\"pass\":\"pw\""), "{told}");
    }

    #[test]
    fn lengths_that_cannot_be_are_errors() {
        for says in ["MSG a 1 99999999999999999999\r\n", "MSG a 1 x\r\n", "MSG a 1 99999999999\r\n"]
        {
            let mut nats =
                greeted(&format!("{HELLO}{says}"), &Secret::None).expect("it is a server");
            assert!(nats.next().is_err(), "{says}");
        }
    }
}
