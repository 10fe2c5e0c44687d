//! The program's text with what the test puts into it.
//!
//! Text is put in where the tree says that something stands, and only if the text there is what it should
//! be: what comes from a macro or another file is left alone. No line is added, so that compilers name the
//! lines of the file.

use super::Maker;
use super::fill::Numbers;
use alphorn_program::c::library::{Known, known};
use alphorn_program::c::tree::Storage;
use alphorn_program::c::{FuncId, Type, VarId};
use std::collections::BTreeMap;

impl Maker<'_> {
    /// Whether a variable is chosen before the entry runs.
    pub(super) fn is_at_start(&self, var: VarId) -> bool {
        let variable = self.task.unit.var(var);
        match variable.storage {
            Storage::Extern => true,
            Storage::Parameter => variable.function == Some(self.task.entry),
            _ => false,
        }
    }

    /// The name under which the entry is known.
    pub(super) fn entry_name(&self) -> &str {
        match self.task.unit.function(self.task.entry).name.as_str() {
            "main" => "alphorn_program_main",
            other => other,
        }
    }

    /// Functions that report an error and that the program defines itself.
    fn own_errors(&self) -> Vec<FuncId> {
        let unit = &self.task.unit;
        let is_error = |name: &str| matches!(known(name), Some(Known::Error | Known::AssertFail));
        let functions = unit.functions.iter().enumerate();
        let own = functions.filter(move |(_, f)| f.body.is_some() && is_error(&f.name));
        own.map(|(index, _)| FuncId(index as u32)).collect()
    }

    /// The program's text with what is put in.
    pub(super) fn edited(
        &mut self,
        locals: &BTreeMap<VarId, Vec<i128>>,
        objects: &BTreeMap<VarId, Vec<Numbers>>,
    ) -> Vec<u8> {
        let unit = std::sync::Arc::clone(&self.task.unit);
        let mut edits: Vec<(usize, String)> = Vec::new();
        for function in self.own_errors() {
            let Some(body) = &unit.function(function).body else { continue };
            let start = body.span.start as usize;
            match self.source.get(start) {
                Some(b'{') => edits.push((start + 1, " alphorn_violated();".to_owned())),
                _ => self
                    .leave_out("a function that reports errors and comes from a macro", body.span),
            }
        }
        for &var in locals.keys() {
            let variable = unit.var(var);
            let (start, end) = (variable.span.start as usize, variable.span.end as usize);
            let is_name = self.source.get(start..end) == Some(variable.name.as_bytes());
            let after = self.source.get(end..).unwrap_or_default().trim_ascii_start();
            let is_plain = matches!(after.first(), Some(b';' | b','));
            let is_scalar = matches!(unit.types.get(variable.ty), Type::Int(_) | Type::Pointer(_));
            if is_name && is_plain && is_scalar {
                edits.push((end, format!(" = alphorn_local_{}()", var.0)));
            } else {
                self.leave_out(
                    "the first value of a variable that is not initialised",
                    variable.span,
                );
            }
        }
        for &var in objects.keys() {
            if let Some((end, _)) = self.filled(var) {
                let name = &unit.var(var).name;
                edits.push((end, format!(" alphorn_fill_{}(&{name});", var.0)));
            }
        }
        edits.sort();
        edits.dedup();
        let mut text = Vec::with_capacity(self.source.len() + 64 * edits.len());
        let mut from = 0;
        for (at, what) in edits {
            text.extend(&self.source[from..at]);
            text.extend(what.into_bytes());
            from = at;
        }
        text.extend(&self.source[from..]);
        text
    }
}
