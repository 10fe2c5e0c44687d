//! As much of XML as files of UPPAAL have: elements, attributes, text with entities, comments.
//!
//! Text is decoded in a copy of the file, at its place and padded with blanks, so that readers of the text inside see
//! places of the file. Nothing recurses, and there are no more elements than the file has brackets.

use crate::diag::{Code, Diagnostic};
use crate::infix::Fallible;
use alphorn_problem::Span;

/// An element.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<usize>,
    /// Where the first piece of text inside begins and ends.
    pub text: (usize, usize),
    pub span: Span,
}

/// A file: its elements, the first of which holds the others, and its bytes with decoded texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Document {
    pub elements: Vec<Element>,
    pub bytes: Vec<u8>,
}

impl Document {
    /// The children of an element that have a name.
    pub fn children<'d>(&'d self, at: usize, name: &'d str) -> impl Iterator<Item = usize> + 'd {
        let children = self.elements[at].children.iter().copied();
        children.filter(move |&child| self.elements[child].name == name)
    }

    /// The first child of an element that has a name.
    pub fn child(&self, at: usize, name: &str) -> Option<usize> {
        let mut children = self.elements[at].children.iter().copied();
        children.find(|&child| self.elements[child].name == name)
    }

    pub fn attribute(&self, at: usize, name: &str) -> Option<&str> {
        let found = self.elements[at].attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The text of an element, without blanks around it.
    pub fn text(&self, at: usize) -> &str {
        let (start, end) = self.elements[at].text;
        str::from_utf8(&self.bytes[start..end]).unwrap_or_default().trim()
    }
}

fn wrong(at: usize, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::TimedSyntax, Span::new(at, at + 1), message))
}

/// Reads a file whose outermost element has a name.
pub(super) fn read(bytes: &[u8], outermost: &str) -> Fallible<Document> {
    let mut document = Document { elements: Vec::new(), bytes: bytes.to_vec() };
    let (mut open, mut at): (Vec<usize>, usize) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let skipped = [("<?", "?>"), ("<!--", "-->"), ("<!", ">")];
        let skipped = skipped.iter().find(|(begin, _)| rest.starts_with(begin.as_bytes()));
        if let Some((_, end)) = skipped {
            let length = rest.windows(end.len()).position(|piece| piece == end.as_bytes());
            at += length.ok_or_else(|| wrong(at, format!("`{end}` expected before the end")))?
                + end.len();
        } else if rest.starts_with(b"</") {
            let end =
                position(rest, b'>').ok_or_else(|| wrong(at, "`>` expected before the end"))?;
            let name = str::from_utf8(rest[2..end].trim_ascii()).unwrap_or_default();
            let inner = open.pop().ok_or_else(|| wrong(at, "nothing is open here"))?;
            if document.elements[inner].name != name {
                let message = format!("</{}> expected", document.elements[inner].name);
                return Err(wrong(at, message));
            }
            at += end + 1;
        } else if rest[0] == b'<' {
            let (element, length, is_closed) = tag(rest, at)?;
            let id = document.elements.len();
            match open.last() {
                Some(&parent) => document.elements[parent].children.push(id),
                None if id > 0 => return Err(wrong(at, "there is a second outermost element")),
                None => {}
            }
            document.elements.push(element);
            if !is_closed {
                open.push(id);
            }
            at += length;
        } else {
            let end = at + position(rest, b'<').unwrap_or(rest.len());
            let is_blank = rest[..end - at].iter().all(u8::is_ascii_whitespace);
            if let Some(&inner) = open.last().filter(|_| !is_blank) {
                decode(&mut document.bytes[at..end]);
                let text = &mut document.elements[inner].text;
                if text.0 == text.1 {
                    *text = (at, end);
                }
            }
            at = end;
        }
    }
    match (document.elements.first(), open.last()) {
        (Some(first), None) if first.name == outermost => Ok(document),
        (_, Some(&inner)) => {
            let Element { name, span, .. } = &document.elements[inner];
            let message = format!("<{name}> is not closed");
            Err(Box::new(Diagnostic::error(Code::TimedSyntax, *span, message)))
        }
        _ => Err(wrong(0, format!("<{outermost}> expected"))),
    }
}

fn position(bytes: &[u8], wanted: u8) -> Option<usize> {
    bytes.iter().position(|&byte| byte == wanted)
}

/// An opening tag: its element, its length, and whether it closes itself.
fn tag(rest: &[u8], at: usize) -> Fallible<(Element, usize, bool)> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-:.".contains(&byte);
    let run = |from: usize, is_part: &dyn Fn(u8) -> bool| {
        from + rest[from..].iter().position(|&byte| !is_part(byte)).unwrap_or(rest.len() - from)
    };
    let text = |from: usize, to: usize| String::from_utf8_lossy(&rest[from..to]).into_owned();
    let mut place = run(1, &is_name);
    let mut element = Element { name: text(1, place), ..Element::default() };
    loop {
        place = run(place, &|byte| byte.is_ascii_whitespace());
        let is_closed = rest[place..].starts_with(b"/>");
        if is_closed || rest[place..].starts_with(b">") {
            let length = place + 1 + usize::from(is_closed);
            element.span = Span::new(at, at + length);
            return Ok((element, length, is_closed));
        }
        let end = run(place, &is_name);
        let equals = run(end, &|byte| byte.is_ascii_whitespace() || byte == b'=');
        let quote = rest.get(equals).copied().filter(|quote| b"\"'".contains(quote));
        let close = quote.and_then(|quote| position(&rest[equals + 1..], quote));
        match close {
            Some(close) if end > place => {
                let mut value = rest[equals + 1..equals + 1 + close].to_vec();
                decode(&mut value);
                let value = String::from_utf8_lossy(&value).trim_end().to_owned();
                element.attributes.push((text(place, end), value));
                place = equals + close + 2;
            }
            _ => return Err(wrong(at + place.min(rest.len() - 1), "an attribute or `>` expected")),
        }
    }
}

/// Puts characters in the place of entities, and blanks behind.
fn decode(text: &mut [u8]) {
    let names: [(&[u8], u8); 6] = [
        (b"&lt;", b'<'),
        (b"&gt;", b'>'),
        (b"&amp;", b'&'),
        (b"&quot;", b'"'),
        (b"&apos;", b'\''),
        (b"&#10;", b'\n'),
    ];
    let (mut from, mut to) = (0, 0);
    while from < text.len() {
        let entity = names.iter().find(|(name, _)| text[from..].starts_with(name));
        // Names and blanks stand where they stood, so that places are those of the file.
        if entity.is_none()
            && to < from
            && (text[from].is_ascii_alphanumeric() || text[from] == b' ')
        {
            text[to..from].fill(b' ');
            to = from;
        }
        let (byte, length) = entity.map_or((text[from], 1), |(name, byte)| (*byte, name.len()));
        text[to] = byte;
        from += length;
        to += 1;
    }
    text[to..].fill(b' ');
}
