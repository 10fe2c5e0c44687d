//! Types as people write them, for messages.

use super::Typer;
use alphorn_program::c::layout::{FloatKind, Length};
use alphorn_program::c::{Type, TypeId, Types};

/// How many types inside each other are shown.
const MAX_SHOWN: usize = 8;

impl Typer {
    /// A type as it is written in C, in backquotes.
    pub fn show(&self, ty: TypeId) -> String {
        format!("`{}`", declaration(self.types(), ty, String::new(), MAX_SHOWN))
    }
}

/// A declaration of `name` with this type.
fn declaration(types: &Types, ty: TypeId, name: String, fuel: usize) -> String {
    if fuel == 0 {
        return format!("…{name}");
    }
    let simple =
        |text: &str| if name.is_empty() { text.to_owned() } else { format!("{text} {name}") };
    match types.get(ty) {
        Type::Void => simple("void"),
        Type::Int(kind) => simple(&kind.name()),
        Type::Float(kind) => simple(match kind {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "__float128",
        }),
        Type::VaList => simple("__builtin_va_list"),
        Type::Record(record) => {
            let record = types.record(*record);
            let word = if record.is_union { "union" } else { "struct" };
            simple(&format!("{word} {}", record.name.as_deref().unwrap_or("{…}")))
        }
        Type::Pointer(target) => {
            let inner = match types.get(*target) {
                Type::Array(..) | Type::Function(_) => format!("(*{name})"),
                _ => format!("*{name}"),
            };
            declaration(types, *target, inner, fuel - 1)
        }
        Type::Array(element, length) => {
            let inner = match length {
                Length::Fixed(length) => format!("{name}[{length}]"),
                Length::Variable(_) => format!("{name}[*]"),
                Length::Unknown => format!("{name}[]"),
            };
            declaration(types, *element, inner, fuel - 1)
        }
        Type::Function(signature) => {
            let mut params: Vec<String> = Vec::new();
            for &param in signature.params.iter().take(MAX_SHOWN) {
                params.push(declaration(types, param, String::new(), fuel - 1));
            }
            if signature.is_variadic || signature.params.len() > MAX_SHOWN {
                params.push("...".to_owned());
            }
            if params.is_empty() && !signature.is_open {
                params.push("void".to_owned());
            }
            let inner = format!("{name}({})", params.join(", "));
            declaration(types, signature.result, inner, fuel - 1)
        }
    }
}
