//! Where a command ends, in a text that is still arriving.
//!
//! A command is complete with the parenthesis that closes it, and is answered then: whoever sent it
//! may be waiting. Text that is no command is handed on at the end of its line. Parentheses in
//! comments, strings and symbols between bars do not count.
//!
//! Invariant: each byte is looked at once, however small the pieces are in which it arrives.

/// What the bytes are part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Text,
    Comment,
    String,
    Bars,
}

/// Cuts a text that arrives in pieces into commands.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    /// What has arrived, and where in it that begins which was not handed on.
    bytes: Vec<u8>,
    start: usize,
    /// How many of the bytes were looked at.
    seen: usize,
    within: Within,
    depth: usize,
    /// Whether something stands outside of all parentheses.
    is_loose: bool,
    /// Whether a backslash stands before the next byte. The standard has none between bars; some
    /// writers escape a bar by one, and are to get an error and not to wait for ever.
    is_escaped: bool,
}

impl Splitter {
    /// Takes a piece of text.
    pub fn feed(&mut self, piece: &[u8]) {
        self.bytes.drain(..self.start);
        self.seen -= self.start;
        self.start = 0;
        self.bytes.extend_from_slice(piece);
    }

    /// The text up to the end of the next command, if that has arrived.
    pub fn next_command(&mut self) -> Option<Vec<u8>> {
        while let Some(&byte) = self.bytes.get(self.seen) {
            self.seen += 1;
            if self.is_end(byte) {
                self.is_loose = false;
                let start = std::mem::replace(&mut self.start, self.seen);
                return Some(self.bytes[start..self.seen].to_vec());
            }
        }
        None
    }

    /// All that is left, when nothing more will arrive.
    pub fn rest(&mut self) -> Vec<u8> {
        let Splitter { mut bytes, start, .. } = std::mem::take(self);
        bytes.drain(..start);
        bytes
    }

    /// Whether this byte ends what can be handed on.
    fn is_end(&mut self, byte: u8) -> bool {
        let is_escaped = std::mem::replace(&mut self.is_escaped, byte == b'\\');
        match (self.within, byte) {
            (Within::Bars, b'|') if is_escaped => {}
            (Within::Text, b';') => self.within = Within::Comment,
            (Within::Text, b'"') => self.within = Within::String,
            (Within::Text, b'|') => self.within = Within::Bars,
            (Within::Text, b'(') => self.depth += 1,
            (Within::Text, b')') => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            (Within::Text | Within::Comment, b'\n') => {
                self.within = Within::Text;
                return self.depth == 0 && self.is_loose;
            }
            (Within::String, b'"') | (Within::Bars, b'|') => self.within = Within::Text,
            (Within::Comment | Within::String | Within::Bars, _) | (_, b' ' | b'\t' | b'\r') => {}
            _ => self.is_loose |= self.depth == 0,
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Splitter;

    /// The commands in a text that arrives in pieces of a length, and what is left.
    fn split(text: &str, length: usize) -> Vec<String> {
        let mut splitter = Splitter::default();
        let mut commands = Vec::new();
        for piece in text.as_bytes().chunks(length) {
            splitter.feed(piece);
            commands.extend(std::iter::from_fn(|| splitter.next_command()));
        }
        commands.push(splitter.rest());
        commands.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
    }

    #[test]
    fn commands_end_with_their_parenthesis_however_they_arrive() {
        let text = "(a (b)) ; not ( this\n(c \"(\"\"\" |)(|)\nloose words\n)(d ; )\n)(open";
        let expected = [
            "(a (b))",
            " ; not ( this\n(c \"(\"\"\" |)(|)",
            "\nloose words\n",
            ")",
            "(d ; )\n)",
            "(open",
        ];
        for length in [1, 2, 3, 7, 100] {
            assert_eq!(split(text, length), expected, "{length}");
        }
    }

    #[test]
    fn a_bar_behind_a_backslash_does_not_swallow_the_next_commands() {
        assert_eq!(split("(a |\\|x\\||)(b)", 1), ["(a |\\|x\\||)", "(b)", ""]);
    }

    #[test]
    fn all_bytes_are_handed_on() {
        for text in ["", "(", ")", "x", "x\n", "\"", "|(", "; (\n(", "(\"\n)\" x)y"] {
            assert_eq!(split(text, 1).concat(), text);
        }
    }
}
