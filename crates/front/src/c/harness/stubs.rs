//! What a test has before and after the program's text.

use super::fill::Numbers;
use super::{ASSUMED, EXHAUSTED, Maker, VIOLATED, memory};
use alphorn_program::c::layout::Signature;
use alphorn_program::c::library::{Known, Sync, known};
use alphorn_program::c::property::Property;
use alphorn_program::c::tree::{Function, Storage};
use alphorn_program::c::{FuncId, Type, TypeId, VarId};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Text as a string literal.
pub(super) fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// Variables of the library that its functions use, whoever else declares them.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// What stands in for a function that nobody defines.
enum Stub {
    /// Returns what was chosen, in order.
    Values,
    /// Returns a null pointer, which nobody chose.
    Null,
    /// The violation.
    Violation,
    /// Ends the run unless its argument is true.
    Assume,
    /// The violation unless its argument is true: `assert` without its header.
    Assert,
    /// Does nothing.
    Nothing,
}

impl Maker<'_> {
    /// How to use the file, and what the violation does.
    pub(super) fn head(&self, file: &str, property: Property, flags: &[&str]) -> String {
        let comment: String = file
            .chars()
            .map(|c| if c.is_control() { '?' } else { c })
            .collect::<String>()
            .replace("*/", "* /")
            .replace("/*", "/ *");
        let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
        let folder = if folder == "." { String::new() } else { format!(" -iquote {folder}") };
        let folder = folder.replace("*/", "* /");
        let mut text = format!(
            "/* A test: a run of {comment} that violates {}.\n   Compile and run it:\n     \
             cc {}{folder} -o test THIS_FILE && ./test; echo $?\n   It leaves with {VIOLATED} if the \
             violation happens. */\n",
            property.name(),
            flags.join(" ")
        );
        text.push_str(memory::declarations(property));
        let look = memory::look(property);
        let _ = write!(
            text,
            "extern int alphorn_write(int, const void *, __SIZE_TYPE__) __asm__(\"write\");\n\
             extern void alphorn_leave(int) __asm__(\"_exit\") __attribute__((__noreturn__));\n\
             static __attribute__((__noreturn__, __unused__)) void alphorn_violated(void) \
             {{ alphorn_write(2, \"alphorn: violated\\n\", 18); alphorn_leave({VIOLATED}); }}\n\
             static __attribute__((__noreturn__, __unused__)) void alphorn_assumed(void) \
             {{ alphorn_leave({ASSUMED}); }}\n\
             static __attribute__((__noreturn__, __unused__)) void alphorn_exhausted(void) \
             {{ {look}alphorn_write(2, \"alphorn: no value left\\n\", 23); alphorn_leave({EXHAUSTED}); }}\n\
             const char *__ubsan_default_options(void) {{ return \"exitcode={VIOLATED}\"; }}\n\
             const char *__asan_default_options(void) {{ return \
             \"exitcode={VIOLATED}:detect_leaks={}\"; }}\n",
            u8::from(property == Property::ValidMemtrack),
        );
        if self.task.unit.function(self.task.entry).name == "main" {
            let _ = writeln!(text, "#define main {}", self.entry_name());
        }
        text
    }

    /// Allocation that fails where it failed in the run.
    pub(super) fn allocation(&mut self, text: &mut String, allocated: &[bool]) {
        let flags: Vec<&str> = allocated.iter().map(|ok| if *ok { "1" } else { "0" }).collect();
        let _ = writeln!(
            text,
            "extern void *alphorn_real_malloc(__SIZE_TYPE__) __asm__(\"malloc\");\n\
             extern void *alphorn_real_calloc(__SIZE_TYPE__, __SIZE_TYPE__) __asm__(\"calloc\");\n\
             extern void *alphorn_real_realloc(void *, __SIZE_TYPE__) __asm__(\"realloc\");\n\
             static int alphorn_allocates(void) {{ static const char all[] = {{{}}}; \
             static unsigned at; return at < sizeof all ? all[at++] : 1; }}\n\
             void *alphorn_malloc(__SIZE_TYPE__ size) {{ return alphorn_allocates() ? \
             alphorn_real_malloc(size) : 0; }}\n\
             void *alphorn_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) {{ return \
             alphorn_allocates() ? alphorn_real_calloc(count, size) : 0; }}\n\
             void *alphorn_realloc(void *old, __SIZE_TYPE__ size) {{ return \
             alphorn_allocates() ? alphorn_real_realloc(old, size) : 0; }}\n\
             #define malloc alphorn_malloc\n#define calloc alphorn_calloc\n\
             #define realloc alphorn_realloc",
            flags.join(",")
        );
    }

    fn signature<'f>(&'f self, function: &Function) -> Option<&'f Signature> {
        match self.task.unit.types.get(function.ty) {
            Type::Function(signature) => Some(signature),
            _ => None,
        }
    }

    /// A type that has the same name wherever it is: integers, `void`, nothing else.
    fn plain_type(&self, ty: TypeId) -> Option<Cow<'static, str>> {
        match self.task.unit.types.get(ty) {
            Type::Void => Some("void".into()),
            Type::Int(kind) => Some(kind.name()),
            _ => None,
        }
    }

    /// What a function returns, as far as calls need it.
    fn result_type(&self, ty: TypeId) -> Option<Cow<'static, str>> {
        match self.task.unit.types.get(ty) {
            Type::Pointer(_) => Some("void *".into()),
            Type::Float(_) => None,
            _ => self.plain_type(ty),
        }
    }

    /// Whether a function is declared in the file itself.
    fn is_here(&self, function: &Function) -> bool {
        let (start, end) = (function.span.start as usize, function.span.end as usize);
        self.source.get(start..end) == Some(function.name.as_bytes())
    }

    /// The functions that nobody defines, with what stands in for them.
    fn stubs(&self) -> Vec<(FuncId, Stub)> {
        let mut stubs = Vec::new();
        for (index, function) in self.task.unit.functions.iter().enumerate() {
            let id = FuncId(index as u32);
            if function.body.is_some() {
                continue;
            }
            let stub = match known(&function.name) {
                Some(Known::Nondet(_) | Known::NondetFloat) => Stub::Values,
                Some(Known::NondetPointer) => Stub::Null,
                Some(Known::Error | Known::AssertFail) => Stub::Violation,
                Some(Known::Assert) => Stub::Assert,
                Some(Known::Assume) if function.name != "__builtin_assume" => Stub::Assume,
                Some(Known::Sync(Sync::AtomicBegin) | Known::Sync(Sync::AtomicEnd)) => {
                    Stub::Nothing
                }
                Some(_) => continue,
                None if self.calls.contains_key(&id) || self.is_here(function) => Stub::Values,
                None => continue,
            };
            stubs.push((id, stub));
        }
        stubs
    }

    /// Whether a function can be declared and defined by its types: nothing in them has qualifiers.
    fn is_plain(&self, signature: &Signature) -> bool {
        self.plain_type(signature.result).is_some()
            && !signature.is_variadic
            && (signature.is_open
                || signature.params.iter().all(|&param| self.plain_type(param).is_some()))
    }

    fn parameters(&self, signature: &Signature, is_named: bool) -> String {
        if signature.is_open {
            return String::new();
        }
        if signature.params.is_empty() {
            return "void".to_owned();
        }
        let parameter = |(at, &ty): (usize, &TypeId)| {
            let name = if is_named { format!(" p{at}") } else { String::new() };
            format!("{}{name}", self.plain_type(ty).unwrap_or("int".into()))
        };
        signature.params.iter().enumerate().map(parameter).collect::<Vec<_>>().join(", ")
    }

    /// Declarations of what is defined behind the program, for programs that do not declare it.
    pub(super) fn prototypes(
        &self,
        text: &mut String,
        locals: &BTreeMap<VarId, Vec<i128>>,
        objects: &BTreeMap<VarId, Vec<Numbers>>,
    ) {
        for var in objects.keys() {
            let _ = writeln!(text, "void alphorn_fill_{}(void *);", var.0);
        }
        for var in locals.keys() {
            let ty = self.result_type(self.task.unit.var(*var).ty).unwrap_or("int".into());
            let _ = writeln!(text, "{ty} alphorn_local_{}(void);", var.0);
        }
        for (id, _) in self.stubs() {
            let function = self.task.unit.function(id);
            if let Some(signature) = self.signature(function)
                && self.is_plain(signature)
            {
                let result = self.plain_type(signature.result).unwrap_or("int".into());
                let params = self.parameters(signature, false);
                let _ = writeln!(text, "{result} {}({params});", function.name);
            }
        }
    }

    /// The values that locals without initialiser have, each time.
    pub(super) fn values_of_locals(&self, text: &mut String, locals: &BTreeMap<VarId, Vec<i128>>) {
        for (var, values) in locals {
            let ty = self.result_type(self.task.unit.var(*var).ty).unwrap_or("int".into());
            let _ = writeln!(
                text,
                "{ty} alphorn_local_{}(void) {{ {} }}",
                var.0,
                returned(&ty, values)
            );
        }
    }

    /// Definitions of functions that nobody defines.
    pub(super) fn definitions(&mut self, text: &mut String) {
        for (id, stub) in self.stubs() {
            let function = self.task.unit.function(id);
            let Some(signature) = self.signature(function) else { continue };
            let returns = self.result_type(signature.result);
            let result = returns.clone().unwrap_or("void".into());
            let values = self.calls.get(&id).cloned().unwrap_or_default();
            // What the run did not call may be there or not: the library's own must stay what it is.
            let is_known = known(&function.name).is_some();
            if matches!(stub, Stub::Values) && !is_known && values.is_empty() && result != "void" {
                let _ = writeln!(text, "__asm__(\".weak {}\");", function.name);
                continue;
            }
            let is_plain = self.is_plain(signature);
            let body = match stub {
                Stub::Values if returns.is_none() => "alphorn_exhausted();".to_owned(),
                Stub::Values if result == "void" => String::new(),
                Stub::Values => returned(&result, &values),
                Stub::Null => "return 0;".to_owned(),
                Stub::Violation => "alphorn_violated();".to_owned(),
                Stub::Assume => "if (!p0) alphorn_assumed();".to_owned(),
                Stub::Assert => "if (!p0) alphorn_violated();".to_owned(),
                Stub::Nothing => String::new(),
            };
            let name = &function.name;
            let params = match (&stub, is_plain) {
                (Stub::Assume | Stub::Assert, true)
                    if signature.is_open || signature.params.is_empty() =>
                {
                    "int p0".to_owned()
                }
                (Stub::Assume | Stub::Assert, false) => "int p0".to_owned(),
                (_, true) => self.parameters(signature, true),
                (_, false) => "void".to_owned(),
            };
            let weak = "__attribute__((__weak__)) ";
            let (name, params) = (name.clone(), params);
            if returns.is_none() && self.calls.contains_key(&id) {
                let span = function.span;
                self.leave_out("what a function returns that is no integer", span);
            }
            if is_plain {
                let _ = writeln!(text, "{weak}{result} {name}({params}) {{ {body} }}");
            } else {
                let _ = writeln!(
                    text,
                    "{result} alphorn_stub_{name}({params}) {{ {body} }}\n\
                     __asm__(\".weak {name}\\n.set {name}, alphorn_stub_{name}\");"
                );
            }
        }
    }

    /// What is defined elsewhere, and a `main` that calls the entry.
    pub(super) fn main(
        &mut self,
        text: &mut String,
        property: Property,
        at_start: &[(VarId, i128)],
    ) {
        let unit = std::sync::Arc::clone(&self.task.unit);
        // The compiler's own header may speak of a function that ours does not.
        if unit.find_function("__assert_fail").is_none() {
            text.push_str(
                "void __assert_fail(const char *a, const char *b, unsigned int c, const char *d) \
                 { alphorn_violated(); }\n",
            );
        }
        for variable in unit.vars.iter().filter(|var| var.storage == Storage::Extern) {
            // What is declared in headers the library defines, and what has no size nobody can.
            if let Type::Record(record) = unit.types.get(variable.ty)
                && !unit.types.record(*record).is_complete
            {
                continue;
            }
            let name = &variable.name;
            if STREAMS.contains(&name.as_str()) {
                continue;
            }
            let (start, end) = (variable.span.start as usize, variable.span.end as usize);
            if self.source.get(start..end) == Some(name.as_bytes()) {
                let _ = writeln!(text, "__attribute__((__weak__)) __typeof__({name}) {name};");
            }
        }
        let entry = unit.function(self.task.entry);
        let value_of = |var: VarId| at_start.iter().find(|(other, _)| *other == var).map(|at| at.1);
        let mut start = String::new();
        for &(var, value) in at_start {
            let variable = unit.var(var);
            if variable.storage == Storage::Extern && self.plain_type(variable.ty).is_some() {
                let _ = write!(start, "{} = {}; ", variable.name, number(value));
            }
        }
        let args: Vec<String> =
            entry.params.iter().map(|&param| number(value_of(param).unwrap_or(0))).collect();
        let name = self.entry_name();
        let call = format!("{name}({});", args.join(", "));
        let (prepared, call) = memory::guarded(text, property, call);
        let _ = writeln!(text, "int main(void) {{ {start}{prepared}{call} return 0; }}");
    }
}

/// Returns values one after the other.
fn returned(ty: &str, values: &[i128]) -> String {
    if values.is_empty() {
        return "alphorn_exhausted();".to_owned();
    }
    let cast = if ty == "void *" { "(void *)" } else { "" };
    let all: Vec<String> = values.iter().map(|value| format!("{cast}{}", number(*value))).collect();
    let ty = if ty == "void *" { "void *const" } else { &format!("const {ty}") };
    format!(
        "static {ty} all[] = {{{}}}; static unsigned at; if (at >= sizeof all / sizeof *all) \
         alphorn_exhausted(); return all[at++];",
        all.join(", ")
    )
}

/// A number of up to 128 bits.
fn number(value: i128) -> String {
    if let Ok(value) = i64::try_from(value) {
        return match value {
            i64::MIN => "(-9223372036854775807LL - 1)".to_owned(),
            _ if i32::try_from(value).is_ok_and(|small| small != i32::MIN) => value.to_string(),
            _ => format!("{value}LL"),
        };
    }
    if let Ok(value) = u64::try_from(value) {
        return format!("{value}ULL");
    }
    let bits = value as u128;
    format!("(__int128)(((unsigned __int128){}ULL << 64) | {}ULL)", bits >> 64, bits as u64)
}
