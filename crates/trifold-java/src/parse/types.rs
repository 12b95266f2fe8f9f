//! Types. Type arguments are read and left out, because objects know their classes. For example, `Map<K, List<V>>[]` is
//! read as an array of `Map`.

use super::{Parsed, Parser};
use crate::ast::{Name, TypeParameter, TypeRef, TypeRefKind};
use crate::lex::TokenKind;

const PRIMITIVES: [&str; 9] = ["void", "boolean", "byte", "short", "char", "int", "long", "float", "double"];

impl Parser<'_> {
    /// A type, with brackets.
    pub(super) fn ty(&mut self) -> Parsed<TypeRef> {
        let element = self.element_type()?;
        Ok(self.brackets(element))
    }

    /// A type without brackets.
    pub(super) fn element_type(&mut self) -> Parsed<TypeRef> {
        self.skip_annotations();
        let start = self.peek().span;
        if let Some(primitive) = PRIMITIVES.into_iter().find(|primitive| self.at(primitive)) {
            self.advance();
            return Ok(TypeRef { kind: TypeRefKind::Primitive(primitive), span: start });
        }
        let mut names = Vec::new();
        loop {
            names.push(self.name("a type")?);
            if self.at("<") {
                self.type_arguments()?;
            }
            if !(self.at(".") && self.is_name_ahead(1)) {
                break;
            }
            self.advance();
        }
        Ok(TypeRef { kind: TypeRefKind::Named(names), span: self.since(start) })
    }

    /// As many arrays as there are pairs of brackets.
    pub(super) fn brackets(&mut self, mut ty: TypeRef) -> TypeRef {
        while self.at("[") && self.at_ahead(1, "]") {
            self.advance();
            self.advance();
            let span = self.since(ty.span);
            ty = TypeRef { kind: TypeRefKind::Array(Box::new(ty)), span };
        }
        ty
    }

    /// `<A, ? extends B>`, also `<>`.
    pub(super) fn type_arguments(&mut self) -> Parsed<()> {
        self.expect("<")?;
        self.nested(|parser| {
            while !parser.at(">") {
                if parser.accept("?") {
                    if parser.accept("extends") || parser.accept("super") {
                        parser.ty()?;
                    }
                } else {
                    parser.ty()?;
                }
                if !parser.accept(",") {
                    break;
                }
            }
            Ok(())
        })?;
        self.expect(">").map(|_| ())
    }

    /// `<T extends A & B, U>`, if there are some.
    pub(super) fn type_parameters(&mut self) -> Parsed<Vec<TypeParameter>> {
        let mut parameters = Vec::new();
        if !self.accept("<") {
            return Ok(parameters);
        }
        loop {
            self.skip_annotations();
            let name = self.name("a type parameter")?;
            let bound = if self.accept("extends") { Some(self.ty()?) } else { None };
            while self.accept("&") {
                self.ty()?;
            }
            parameters.push(TypeParameter { name, bound });
            if !self.accept(",") {
                break;
            }
        }
        self.expect(">")?;
        Ok(parameters)
    }

    pub(super) fn types(&mut self) -> Parsed<Vec<TypeRef>> {
        let mut types = vec![self.ty()?];
        while self.accept(",") {
            types.push(self.ty()?);
        }
        Ok(types)
    }

    /// Does a type begin that many tokens ahead, and where does it end? Looks only.
    pub(super) fn type_ends(&self, from: usize) -> Option<usize> {
        let mut at = from;
        if PRIMITIVES.iter().any(|primitive| self.at_ahead(at, primitive)) {
            at += 1;
        } else {
            loop {
                if !self.is_name_ahead(at) {
                    return None;
                }
                at += 1;
                if self.at_ahead(at, "<") {
                    at = self.arguments_end(at)?;
                }
                if !(self.at_ahead(at, ".") && self.is_name_ahead(at + 1)) {
                    break;
                }
                at += 1;
            }
        }
        while self.at_ahead(at, "[") && self.at_ahead(at + 1, "]") {
            at += 2;
        }
        Some(at)
    }

    /// Where type arguments end that begin that many tokens ahead, if they are type arguments.
    fn arguments_end(&self, from: usize) -> Option<usize> {
        let (mut at, mut depth) = (from, 0usize);
        loop {
            match self.ahead(at).kind {
                TokenKind::Punct("<") => depth += 1,
                TokenKind::Punct(">") => depth -= 1,
                TokenKind::Punct("." | "," | "?" | "[" | "]" | "&" | "@") | TokenKind::Word => {}
                _ => return None,
            }
            at += 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }

    /// The names of a qualified name, such as those after `throws` and `import`.
    pub(super) fn qualified(&mut self) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name("a name")?];
        while self.at(".") && self.is_name_ahead(1) {
            self.advance();
            names.push(self.name("a name")?);
        }
        Ok(names)
    }
}
