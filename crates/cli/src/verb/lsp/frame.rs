//! Messages on the two streams: a header with the length, and an object of JSON-RPC.

use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};

/// The longest message that is read.
const MAX_BYTES: usize = 64 << 20;
/// The longest line of a header.
const MAX_HEADER: u64 = 4096;

/// The next message; none at the end. What is no message is an error.
pub fn read(stream: &mut impl BufRead) -> io::Result<Option<Value>> {
    let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    let mut length = None;
    loop {
        let mut line = String::new();
        if stream.take(MAX_HEADER).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.ok_or_else(|| wrong("a message has no length"))?;
    if length > MAX_BYTES {
        return Err(wrong("a message is longer than 64 MiB"));
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    serde_json::from_slice(&body).map(Some).map_err(|error| wrong(&error.to_string()))
}

/// Writes a message.
pub fn write(stream: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(stream, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    stream.flush()
}

/// A notification.
pub fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// The reply to a request.
pub fn reply(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The reply to a request that cannot be met.
pub fn refusal(id: &Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use serde_json::json;

    #[test]
    fn what_is_written_is_read() {
        let mut stream = Vec::new();
        let messages = [json!({ "id": 1 }), json!({ "text": "é\n" })];
        messages.iter().for_each(|message| write(&mut stream, message).expect("it is memory"));
        let mut stream = &stream[..];
        for message in messages {
            assert_eq!(read(&mut stream).expect("it is well formed"), Some(message));
        }
        assert_eq!(read(&mut stream).expect("it is the end"), None);
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        for text in [
            "\r\n{}",
            "Content-Length: x\r\n\r\n{}",
            "Content-Length: 99999999999\r\n\r\n",
            "Content-Length: 2\r\n\r\n{]",
        ] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text}");
        }
    }
}
