//! Texts made smaller by their brackets: whatever the language, and also where the text cannot be read.
//!
//! A text is a tree of bracketed groups over words. Items of a group are left out in chunks, an item being what ends
//! with a semicolon or a block in languages that have these, and a word or group in others; a group is replaced by
//! one inside it, or loses its brackets; words go one by one; numbers become smaller. In XML elements are groups. Candidates
//! need not be well formed: whoever asks about them finds out.
//!
//! After Misherghi and Su, "HDD: Hierarchical Delta Debugging" (ICSE 2006), with brackets in place of a grammar.

use crate::chunks::chunks;
use crate::search::Reduce;
use std::ops::Range;

/// A text in some language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether a semicolon begins a comment, as in SMT-LIB; else it ends an item.
    pub has_semicolon_comments: bool,
}

/// A part of a text and what stands in its place, which is smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    range: Range<usize>,
    by: Vec<u8>,
}

/// A word, a comment or a quoted text; or a group with its brackets.
#[derive(Clone, Debug)]
struct Node {
    range: Range<usize>,
    /// What is between the brackets, of a group.
    inside: Option<Vec<Node>>,
}

/// What a tag of XML does.
enum Tag {
    /// It begins an element.
    Start,
    /// It ends one.
    End,
    /// It is an element, a comment or something else by itself.
    Alone,
}

/// How deep groups are seen; what is deeper is a flat list of words.
const MAX_DEPTH: usize = 1000;

impl Text {
    /// The end of what begins at `at`, which is no space and no bracket.
    fn word(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        let line = || rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let until = |mark: u8| {
            let close = rest[1..].iter().position(|byte| *byte == mark || *byte == b'\n');
            close.map_or(rest.len(), |close| close + 2)
        };
        let length = match rest {
            [b';', ..] if self.has_semicolon_comments => line(),
            [b'/', b'/', ..] | [b'#', b'i' | b'd' | b'p' | b'e' | b'u', ..]
                if !self.has_semicolon_comments =>
            {
                line()
            }
            [b'/', b'*', ..] if !self.has_semicolon_comments => {
                rest.windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |at| at + 2)
            }
            [b'"', ..] => until(b'"'),
            [b'|', ..] if self.has_semicolon_comments => until(b'|'),
            [first, ..] if is_word(*first) => {
                rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
            }
            _ => 1,
        };
        at + length.max(1)
    }

    /// The tag that begins at `at` in a text of XML, and where it ends.
    fn tag(&self, at: usize) -> (Tag, usize) {
        let rest = &self.bytes[at..];
        let after = |mark: &[u8]| {
            let place = rest.windows(mark.len()).position(|part| part == mark);
            place.map_or(rest.len(), |place| place + mark.len())
        };
        if rest.starts_with(b"<!--") {
            return (Tag::Alone, at + after(b"-->"));
        }
        let length = after(b">");
        let tag = match rest {
            [b'<', b'/', ..] => Tag::End,
            [b'<', b'?' | b'!', ..] => Tag::Alone,
            _ if rest[..length].ends_with(b"/>") => Tag::Alone,
            _ => Tag::Start,
        };
        (tag, at + length)
    }

    /// The text as a tree.
    fn nodes(&self) -> Vec<Node> {
        // The groups that are open: where each begins, and what was there before it.
        let mut open: Vec<(usize, Vec<Node>)> = Vec::new();
        let mut list: Vec<Node> = Vec::new();
        let mut at = 0;
        let is_xml = self.bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<');
        while let Some(&byte) = self.bytes.get(at) {
            let next = match byte {
                byte if byte.is_ascii_whitespace() => at + 1,
                b'<' if is_xml => {
                    let (tag, end) = self.tag(at);
                    match tag {
                        Tag::Start if open.len() < MAX_DEPTH => {
                            open.push((at, std::mem::take(&mut list)));
                        }
                        Tag::End if !open.is_empty() => close(&mut open, &mut list, end),
                        _ => list.push(Node { range: at..end, inside: None }),
                    }
                    end
                }
                b'(' | b'{' | b'[' if open.len() < MAX_DEPTH => {
                    open.push((at, std::mem::take(&mut list)));
                    at + 1
                }
                b')' | b'}' | b']' if !open.is_empty() => {
                    close(&mut open, &mut list, at + 1);
                    at + 1
                }
                _ => {
                    let end = self.word(at);
                    list.push(Node { range: at..end, inside: None });
                    end
                }
            };
            at = next;
        }
        while !open.is_empty() {
            close(&mut open, &mut list, self.bytes.len());
        }
        list
    }

    /// The steps that leave out lines, for languages whose blocks have words in place of brackets.
    fn lines(&self) -> Vec<Edit> {
        let has_blocks = self.has_semicolon_comments || self.bytes.contains(&b'{');
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut start = 0;
        for line in self.bytes.split_inclusive(|byte| *byte == b'\n') {
            lines.push(start..start + line.len());
            start += line.len();
        }
        let several = chunks(lines.len()).filter(|_| !has_blocks && lines.len() > 1);
        several
            .map(|chunk| self.edit(lines[chunk.start].start..lines[chunk.end - 1].end, b""))
            .collect()
    }

    /// The steps in a list of nodes, and in the groups among them.
    fn list(&self, nodes: &[Node], all: &mut Vec<Edit>) {
        let mut level: Vec<&[Node]> = vec![nodes];
        // The outer groups first, as they are larger.
        while !level.is_empty() {
            let mut inner: Vec<&[Node]> = Vec::new();
            for nodes in level {
                let items = self.items(nodes);
                for chunk in chunks(items.len()) {
                    all.push(self.edit(items[chunk.start].start..items[chunk.end - 1].end, b""));
                }
                for node in nodes {
                    let Some(inside) = &node.inside else { continue };
                    inner.push(inside);
                    if let (Some(first), Some(last)) = (inside.first(), inside.last()) {
                        let bare = first.range.start..last.range.end;
                        all.push(self.edit(node.range.clone(), &self.bytes[bare]));
                    }
                    let groups = inside.iter().filter(|node| node.inside.is_some());
                    all.extend(groups.map(|group| {
                        self.edit(node.range.clone(), &self.bytes[group.range.clone()])
                    }));
                }
            }
            level = inner;
        }
        self.words(nodes, all);
    }

    /// The steps at single words.
    fn words(&self, nodes: &[Node], all: &mut Vec<Edit>) {
        let mut next: Vec<&Node> = nodes.iter().rev().collect();
        while let Some(node) = next.pop() {
            if let Some(inside) = &node.inside {
                next.extend(inside.iter().rev());
                continue;
            }
            let word = &self.bytes[node.range.clone()];
            all.push(self.edit(node.range.clone(), b""));
            if word.iter().all(u8::is_ascii_digit) {
                all.extend(less(word).into_iter().map(|by| self.edit(node.range.clone(), &by)));
            }
        }
    }

    /// The parts of a list that can go by themselves.
    fn items(&self, nodes: &[Node]) -> Vec<Range<usize>> {
        let first = |node: &Node| self.bytes[node.range.start];
        let ends = |node: &Node| match &node.inside {
            Some(_) => first(node) == b'{',
            None => first(node) == b';' && !self.has_semicolon_comments || first(node) == b'#',
        };
        if !nodes.iter().any(ends) {
            return nodes.iter().map(|node| node.range.clone()).collect();
        }
        let mut items: Vec<Range<usize>> = Vec::new();
        let mut is_open = false;
        for node in nodes {
            match items.last_mut() {
                Some(item) if is_open => item.end = node.range.end,
                _ => items.push(node.range.clone()),
            }
            is_open = !ends(node);
        }
        items
    }

    fn edit(&self, range: Range<usize>, by: &[u8]) -> Edit {
        Edit { range, by: by.to_vec() }
    }
}

/// Ends the innermost group.
fn close(open: &mut Vec<(usize, Vec<Node>)>, list: &mut Vec<Node>, end: usize) {
    if let Some((start, before)) = open.pop() {
        let inside = Some(std::mem::replace(list, before));
        list.push(Node { range: start..end, inside });
    }
}

/// Whether a byte is of a word: of names and numbers in any language.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'\'' | b'@' | b'$') || byte >= 128
}

/// Smaller numbers: 0, 1, and all but the last digit.
fn less(number: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![b"0".to_vec(), b"1".to_vec()];
    all.push(number[..number.len() - 1].to_vec());
    all
}

impl Reduce for Text {
    type Step = Edit;

    fn steps(&self) -> Vec<Edit> {
        let nodes = self.nodes();
        let mut all = self.lines();
        self.list(&nodes, &mut all);
        // Space goes last.
        let blanks = self.bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        all.push(self.edit(0..blanks, b""));
        let blank = |at: usize| self.bytes[at].is_ascii_whitespace();
        let doubled = (1..self.bytes.len()).rev().filter(|&at| blank(at) && blank(at - 1));
        let doubled: Vec<usize> = doubled.collect();
        if let (Some(&last), Some(&first)) = (doubled.first(), doubled.last()) {
            let kept = (first..=last).filter(|&at| !(blank(at) && blank(at - 1)));
            let by: Vec<u8> = kept.map(|at| self.bytes[at]).collect();
            all.push(Edit { range: first..last + 1, by });
        }
        all
    }

    fn after(&self, step: &Edit) -> Option<Text> {
        let old = &self.bytes[step.range.clone()];
        // Shorter, or of the same length and before it in order: that goes on only so long.
        if (step.by.len(), &step.by[..]) >= (old.len(), old) {
            return None;
        }
        let mut bytes = self.bytes[..step.range.start].to_vec();
        bytes.extend(&step.by);
        bytes.extend(&self.bytes[step.range.end..]);
        // What is between a line that goes and the next one goes with it.
        if step.by.is_empty() {
            let at = step.range.start;
            let is_alone = at == 0 || bytes[at - 1] == b'\n';
            if is_alone && bytes.get(at) == Some(&b'\n') {
                bytes.remove(at);
            }
        }
        Some(Text { bytes, ..*self })
    }
}
