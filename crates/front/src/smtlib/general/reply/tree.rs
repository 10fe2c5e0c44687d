//! Values of codatatypes, as cvc5 prints them: written out from the root, and where a subtree is one that is
//! being written, `cbv_Stream_1` says how many of those around it are between, of all codatatypes.
//!
//! A tree with few nodes may be long when it is written out; what would be too long is printed as `?`.

use super::Printer;
use alphorn_term::print::quote;
use alphorn_term::value::CodataValue;
use alphorn_term::value::codata::Part;
use std::fmt::Write;

/// The most subtrees that are written.
const MAX_WRITTEN: usize = 1 << 16;

/// Writes a tree.
pub(super) fn write(printer: &mut Printer<'_>, out: &mut String, tree: &CodataValue) {
    let start = out.len();
    let mut walk = Walk { tree, path: Vec::new(), written: 0 };
    if walk.node(printer, out, 0).is_none() {
        out.truncate(start);
        out.push('?');
    }
}

struct Walk<'a> {
    tree: &'a CodataValue,
    /// The nodes that are being written, the root first.
    path: Vec<u32>,
    written: usize,
}

impl Walk<'_> {
    /// Writes a node; nothing if the whole is too long. Recurses on nodes, of which there are few.
    fn node(&mut self, printer: &mut Printer<'_>, out: &mut String, at: u32) -> Option<()> {
        let node = &self.tree.nodes()[at as usize];
        let store = printer.store;
        let ctor = store.ctor(node.ctor);
        if let Some(above) = self.path.iter().rev().position(|other| *other == at) {
            let name = store.show_sort(store.data(ctor.data).sort);
            let _ = write!(out, "{}", quote(&format!("cbv_{name}_{above}")));
            return Some(());
        }
        self.written += 1;
        if self.written > MAX_WRITTEN {
            return None;
        }
        let head = printer.constructor(node.ctor);
        if node.args.is_empty() {
            out.push_str(&head);
            return Some(());
        }
        let _ = write!(out, "({head}");
        self.path.push(at);
        for (part, &(_, sort)) in node.args.iter().zip(&ctor.fields) {
            out.push(' ');
            match part {
                Part::Node(next) => self.node(printer, out, *next)?,
                Part::Value(value) => printer.value(out, value, sort),
            }
        }
        self.path.pop();
        out.push(')');
        Some(())
    }
}
