//! Types for messages, in the syntax of C. For example, an array of three pointers to functions is `int (*[3])(void)`.

use super::{ArrayLength, Type, TypeId, Types};
use crate::names::Names;

impl Types {
    /// The type as it would be written.
    pub fn show(&self, id: TypeId, names: &Names) -> String {
        self.around(id, String::new(), names)
    }

    /// The declaration of `inner` with this type.
    fn around(&self, id: TypeId, inner: String, names: &Names) -> String {
        let qualifiers = self.qualifiers(id).text();
        let base = |text: &str| {
            let blank = if inner.is_empty() { "" } else { " " };
            format!("{qualifiers}{text}{blank}{inner}")
        };
        match self.get(id) {
            Type::Error => base("<error>"),
            Type::Void => base("void"),
            Type::Bool => base("_Bool"),
            Type::Integer(kind) => base(kind.text()),
            Type::Float(kind) => base(kind.text()),
            Type::Complex(kind) => base(&format!("{} _Complex", kind.text())),
            Type::Enum(id) => base(&tagged("enum", self.enumeration(*id).tag.map(|tag| names.text(tag)))),
            Type::Record(id) => {
                let record = self.record(*id);
                let keyword = if record.is_union { "union" } else { "struct" };
                base(&tagged(keyword, record.tag.map(|tag| names.text(tag))))
            }
            Type::Vector(element, length) => {
                base(&format!("{} __attribute__((vector_size({length})))", self.show(*element, names)))
            }
            Type::Pointer(to) => {
                let star = format!("*{qualifiers}{inner}");
                let star = star.trim_end().to_string();
                let binds_stronger = matches!(self.get(*to), Type::Array(..) | Type::Function(_));
                self.around(*to, if binds_stronger { format!("({star})") } else { star }, names)
            }
            Type::Array(element, length) => {
                let length = match length {
                    ArrayLength::Known(length) => length.to_string(),
                    ArrayLength::Unknown => String::new(),
                    ArrayLength::Variable(_) => "*".into(),
                };
                self.around(*element, format!("{inner}[{length}]"), names)
            }
            Type::Function(function) => {
                let mut parameters: Vec<String> = function.parameters.iter().map(|p| self.show(*p, names)).collect();
                if function.variadic {
                    parameters.push("...".into());
                }
                if parameters.is_empty() && function.prototype {
                    parameters.push("void".into());
                }
                self.around(function.result, format!("{inner}({})", parameters.join(", ")), names)
            }
        }
    }
}

fn tagged(keyword: &str, tag: Option<&str>) -> String {
    format!("{keyword} {}", tag.unwrap_or("<anonymous>"))
}
