//! Files, classes and their members. For example, `class List<T> { T data; List<T> next; }`.

use super::{Parsed, Parser};
use crate::ast::{Class, ClassKind, Field, Member, Method, Name, Parameter, Stmt, StmtKind};
use crate::lex::TokenKind;
use trifold_source::Span;

/// The modifiers before a declaration.
#[derive(Clone, Copy, Default)]
struct Modifiers {
    is_static: bool,
    is_abstract: bool,
    is_default: bool,
    is_private: bool,
    is_final: bool,
    special: Option<&'static str>,
}

impl Parser<'_> {
    pub(super) fn file(mut self) -> Vec<Class> {
        let mut classes = Vec::new();
        while !self.at_end() {
            let before = self.position;
            if self.accept("package") {
                let _ = self.qualified();
                self.recover();
            } else if self.accept("import") {
                // Imported classes are found by their names.
                self.recover();
            } else if !self.accept(";") {
                let modifiers = self.modifiers();
                match self.class(modifiers) {
                    Ok(class) => classes.push(class),
                    Err(_) => self.recover(),
                }
            }
            // A stray brace is skipped; it was reported.
            if self.position == before {
                self.advance();
            }
        }
        classes
    }

    fn modifiers(&mut self) -> Modifiers {
        let mut modifiers = Modifiers::default();
        loop {
            self.skip_annotations();
            match self.spelling(self.peek()) {
                "static" => modifiers.is_static = true,
                "abstract" => modifiers.is_abstract = true,
                "default" => modifiers.is_default = true,
                "native" => modifiers.special = Some("native method"),
                "synchronized" => modifiers.special = Some("synchronized method"),
                "private" => modifiers.is_private = true,
                "final" => modifiers.is_final = true,
                "public" | "protected" | "strictfp" | "transient" | "volatile" => {}
                "sealed" if self.is_class_ahead(1) => {}
                _ => return modifiers,
            }
            self.advance();
        }
    }

    fn is_class_ahead(&self, count: usize) -> bool {
        ["class", "interface", "enum", "abstract"].iter().any(|keyword| self.at_ahead(count, keyword))
            || self.at_ahead(count, "@") && self.at_ahead(count + 1, "interface")
            || self.at_ahead(count, "record") && self.is_name_ahead(count + 1) && self.at_ahead(count + 2, "(")
    }

    fn class(&mut self, modifiers: Modifiers) -> Parsed<Class> {
        self.accept("@");
        let kind = match self.spelling(self.peek()) {
            "class" => ClassKind::Class,
            "interface" => ClassKind::Interface,
            "enum" => ClassKind::Other("enumeration"),
            "record" => ClassKind::Other("record"),
            _ => return self.unexpected("a class"),
        };
        self.advance();
        let name = self.name("the name of the class")?;
        let mut class = Class {
            name,
            kind,
            is_abstract: modifiers.is_abstract || kind == ClassKind::Interface,
            type_parameters: self.type_parameters()?,
            extends: Vec::new(),
            implements: Vec::new(),
            members: Vec::new(),
        };
        if let ClassKind::Other(_) = kind {
            while !self.at("{") && !self.at_end() {
                self.advance();
            }
            self.skip_balanced();
            return Ok(class);
        }
        if self.accept("extends") {
            class.extends = self.types()?;
        }
        if self.accept("implements") {
            class.implements = self.types()?;
        }
        if self.accept("permits") {
            self.types()?;
        }
        let opened = self.expect("{")?;
        self.nested(|parser| {
            parser.members(&mut class, opened);
            Ok(())
        })?;
        Ok(class)
    }

    fn members(&mut self, class: &mut Class, opened: Span) {
        loop {
            if self.accept("}") {
                return;
            }
            if self.at_end() {
                let error = trifold_source::Diagnostic::error("syntax", opened, "this brace is never closed");
                self.sink.push(error);
                return;
            }
            let before = self.position;
            if self.member(class).is_err() {
                self.recover();
                if self.position == before {
                    self.advance();
                }
            }
        }
    }

    fn member(&mut self, class: &mut Class) -> Parsed<()> {
        if self.accept(";") {
            return Ok(());
        }
        let start = self.peek().span;
        let modifiers = self.modifiers();
        if self.is_class_ahead(0) {
            let member = self.class(modifiers)?;
            class.members.push(Member::Class(member));
            return Ok(());
        }
        if self.at("{") {
            let body = self.block()?;
            class.members.push(Member::Initializer { is_static: modifiers.is_static, body });
            return Ok(());
        }
        let type_parameters = self.type_parameters()?;
        let is_constructor = self.at(&class.name.text) && self.at_ahead(1, "(");
        let result = if is_constructor { None } else { Some(self.ty()?) };
        let name = self.name("the name of a member")?;
        if !self.at("(") {
            let Some(ty) = result else { return self.unexpected("`(`") };
            return self.fields(class, modifiers, ty, name);
        }
        let parameters = self.parameters()?;
        let result = result.map(|ty| self.brackets(ty));
        if self.accept("throws") {
            self.types()?;
        }
        let body = if self.at("{") {
            Some(self.block()?)
        } else {
            self.expect(";")?;
            None
        };
        let in_interface = class.kind == ClassKind::Interface;
        class.members.push(Member::Method(Method {
            name,
            result,
            is_static: modifiers.is_static,
            is_abstract: body.is_none() && (modifiers.is_abstract || in_interface && !modifiers.is_default),
            is_private: modifiers.is_private,
            special: modifiers.special,
            type_parameters,
            parameters,
            body,
            span: self.since(start),
        }));
        Ok(())
    }

    fn fields(&mut self, class: &mut Class, modifiers: Modifiers, ty: crate::ast::TypeRef, name: Name) -> Parsed<()> {
        let is_interface = class.kind == ClassKind::Interface;
        let (is_static, is_final) = (modifiers.is_static || is_interface, modifiers.is_final || is_interface);
        let mut next = Some(name);
        while let Some(name) = next {
            let ty = self.brackets(ty.clone());
            let initializer = if self.accept("=") { Some(self.initializer()?) } else { None };
            class.members.push(Member::Field(Field { name, ty, is_static, is_final, initializer }));
            next = if self.accept(",") { Some(self.name("the name of a field")?) } else { None };
        }
        self.expect(";").map(|_| ())
    }

    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.at(")") {
            self.modifiers();
            let ty = self.ty()?;
            let variadic = self.accept("...");
            let name = self.name("the name of a parameter")?;
            let ty = self.brackets(ty);
            parameters.push(Parameter { name, ty, variadic });
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(parameters)
    }

    /// Statements in braces.
    pub(super) fn block(&mut self) -> Parsed<Vec<Stmt>> {
        let opened = self.expect("{")?;
        self.nested(|parser| {
            let mut statements = Vec::new();
            while !parser.accept("}") {
                if parser.at_end() {
                    let error = trifold_source::Diagnostic::error("syntax", opened, "this brace is never closed");
                    return parser.fail(error);
                }
                let before = parser.position;
                match parser.statement() {
                    Ok(Stmt { kind: StmtKind::Empty, .. }) => {}
                    Ok(statement) => statements.push(statement),
                    Err(_) => {
                        parser.recover();
                        if parser.position == before && parser.peek().kind != TokenKind::Punct("}") {
                            parser.advance();
                        }
                    }
                }
            }
            Ok(statements)
        })
    }
}
