//! Descriptors of fields and methods. For example, `(ILjava/lang/String;)V` has two parameters and no result.

use crate::kind::{Element, Kind};

/// The type of a field, a parameter or a result.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FieldType {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    /// A class, `java/lang/String`, or a class of arrays, `[I`.
    Ref(String),
}

impl FieldType {
    /// Reads a descriptor, all of it.
    pub fn parse(text: &str) -> Option<FieldType> {
        let (ty, rest) = FieldType::first(text)?;
        rest.is_empty().then_some(ty)
    }

    fn first(text: &str) -> Option<(FieldType, &str)> {
        let simple = match text.chars().next()? {
            'Z' => FieldType::Boolean,
            'B' => FieldType::Byte,
            'C' => FieldType::Char,
            'S' => FieldType::Short,
            'I' => FieldType::Int,
            'J' => FieldType::Long,
            'F' => FieldType::Float,
            'D' => FieldType::Double,
            'L' => {
                let (name, rest) = text[1..].split_once(';')?;
                return (!name.is_empty()).then(|| (FieldType::Ref(name.to_string()), rest));
            }
            '[' => {
                let depth = text.len() - text.trim_start_matches('[').len();
                if depth > 255 {
                    return None;
                }
                let (_, rest) = FieldType::first(&text[depth..])?;
                return Some((FieldType::Ref(text[..text.len() - rest.len()].to_string()), rest));
            }
            _ => return None,
        };
        Some((simple, &text[1..]))
    }

    pub fn kind(&self) -> Kind {
        match self {
            FieldType::Long => Kind::Long,
            FieldType::Float => Kind::Float,
            FieldType::Double => Kind::Double,
            FieldType::Ref(_) => Kind::Ref,
            _ => Kind::Int,
        }
    }

    /// The class of a reference.
    pub fn class(&self) -> Option<&str> {
        match self {
            FieldType::Ref(class) => Some(class),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MethodDescriptor {
    pub parameters: Vec<FieldType>,
    pub result: Option<FieldType>,
}

impl MethodDescriptor {
    pub fn parse(text: &str) -> Option<MethodDescriptor> {
        let mut rest = text.strip_prefix('(')?;
        let mut parameters = Vec::new();
        loop {
            if let Some(result) = rest.strip_prefix(')') {
                let result = if result == "V" { None } else { Some(FieldType::parse(result)?) };
                return Some(MethodDescriptor { parameters, result });
            }
            let (parameter, after) = FieldType::first(rest)?;
            parameters.push(parameter);
            rest = after;
        }
    }
}

/// The type of the elements of a class of arrays; other classes have none.
pub(crate) fn element_type(class: &str) -> Option<FieldType> {
    FieldType::parse(class.strip_prefix('[')?)
}

/// How the elements of a class of arrays are kept.
pub(crate) fn element_of(class: &str) -> Option<Element> {
    Some(match element_type(class)? {
        FieldType::Boolean | FieldType::Byte => Element::Byte,
        FieldType::Char => Element::Char,
        FieldType::Short => Element::Short,
        FieldType::Int => Element::Int,
        FieldType::Long => Element::Long,
        FieldType::Float => Element::Float,
        FieldType::Double => Element::Double,
        FieldType::Ref(_) => Element::Ref,
    })
}

/// The class of arrays of a class.
pub(crate) fn array_of(class: &str) -> String {
    if class.starts_with('[') { format!("[{class}") } else { format!("[L{class};") }
}

/// A class as people write it, `java.util.List` or `int[]`.
pub(crate) fn readable(class: &str) -> String {
    if let Some(element) = element_type(class) {
        let element = match element {
            FieldType::Ref(class) => readable(&class),
            simple => format!("{simple:?}").to_lowercase(),
        };
        return format!("{element}[]");
    }
    class.replace('/', ".")
}

/// How many entries the arguments of a call are.
pub(crate) fn argument_count(descriptor: &str) -> usize {
    MethodDescriptor::parse(descriptor).map_or(0, |signature| signature.parameters.len())
}

/// Is a method described so one that gets the arguments of the command line, or nothing?
pub(crate) fn is_entry(signature: &MethodDescriptor) -> bool {
    match &signature.parameters[..] {
        [] => true,
        [only] => only.class() == Some("[Ljava/lang/String;"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_read_or_refused() {
        let method = MethodDescriptor::parse("(I[[JLjava/lang/String;)[Z").unwrap();
        let text = FieldType::Ref("java/lang/String".to_string());
        assert_eq!(method.parameters, [FieldType::Int, FieldType::Ref("[[J".to_string()), text]);
        assert_eq!(method.result, Some(FieldType::Ref("[Z".to_string())));
        for wrong in ["", "I", "(", "(V)V", "(I", "()", "()VV", "(L;)V", "(Lx)V", "([)V", "()[V"] {
            assert_eq!(MethodDescriptor::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn classes_of_arrays_have_elements() {
        assert_eq!(element_type("[[I"), Some(FieldType::Ref("[I".to_string())));
        assert_eq!(element_type("java/lang/String"), None);
        assert_eq!((array_of("A"), array_of("[I")), ("[LA;".to_string(), "[[I".to_string()));
        assert_eq!(readable("[[Ljava/lang/String;"), "java.lang.String[][]");
    }
}
