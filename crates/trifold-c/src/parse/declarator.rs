//! Declarators: how a declared name uses the specified type. For example, `*(*f)(int)` declares `f` as a pointer to a
//! function that returns a pointer.

use super::{NameKind, Parsed, Parser};
use crate::ast::{
    ArraySize, Attribute, Declarator, Derivation, Parameter, Parameters, Specifiers, StorageClass, TypeName,
    TypeSpecifier,
};
use crate::keyword::Keyword;
use crate::token::{Punct, TokenKind};
use crate::types::Qualifiers;

/// May, must or must not a declarator name something?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Required,
    Optional,
    Forbidden,
}

impl Parser<'_> {
    /// A declarator with the attributes after it.
    pub(super) fn declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let start = self.peek().span;
        let from = self.position;
        let mut declarator = Declarator { name: None, derivations: Vec::new(), attributes: Vec::new(), span: start };
        self.nested(|p| p.derive(naming, &mut declarator))?;
        if self.position > from {
            declarator.span = self.since(start);
        }
        self.attributes(&mut declarator.attributes)?;
        Ok(declarator)
    }

    /// Adds the parts that are read to the declarator, from the name outwards.
    fn derive(&mut self, naming: Naming, declarator: &mut Declarator) -> Parsed<()> {
        let mut pointers = Vec::new();
        self.attributes(&mut declarator.attributes)?;
        while self.accept(Punct::Star) || self.at(Punct::Caret) && self.no_blocks()? {
            pointers.push(Derivation::Pointer(self.qualifiers(&mut declarator.attributes)?));
        }
        self.direct(naming, declarator)?;
        declarator.derivations.extend(pointers.into_iter().rev());
        Ok(())
    }

    fn no_blocks(&mut self) -> Parsed<bool> {
        self.unexpected("a declarator (blocks are not C)")
    }

    /// A name, or a declarator in parentheses, or nothing; then arrays and parameters.
    fn direct(&mut self, naming: Naming, declarator: &mut Declarator) -> Parsed<()> {
        match self.peek().kind {
            TokenKind::Name(_) if naming != Naming::Forbidden => declarator.name = Some(self.name("a name")?),
            TokenKind::Punct(Punct::LeftParen) if self.opens_declarator(naming) => {
                let opened = self.advance().span;
                self.nested(|p| p.derive(naming, declarator))?;
                self.close(Punct::RightParen, opened)?;
            }
            _ if naming == Naming::Required => return self.unexpected("a name"),
            _ => {}
        }
        loop {
            self.attributes(&mut declarator.attributes)?;
            let start = self.peek().span;
            let derivation = if self.at(Punct::LeftBracket) {
                self.nested(Self::array)?
            } else if self.at(Punct::LeftParen) {
                let parameters = self.nested(|p| p.scoped(Self::parameters))?;
                Derivation::Function(parameters, self.since(start))
            } else {
                return Ok(());
            };
            declarator.derivations.push(derivation);
        }
    }

    /// Does the parenthesis at the cursor enclose a declarator, not parameters?
    fn opens_declarator(&self, naming: Naming) -> bool {
        if naming == Naming::Required {
            return true;
        }
        match self.peek_at(1).kind {
            TokenKind::Punct(Punct::Star | Punct::LeftParen | Punct::LeftBracket | Punct::Caret) => true,
            TokenKind::Keyword(Keyword::Attribute) => true,
            TokenKind::Name(symbol) => naming == Naming::Optional && !self.is_type_name(symbol),
            _ => false,
        }
    }

    /// `[static const 3]`, `[*]`, `[n]` or `[]`.
    fn array(&mut self) -> Parsed<Derivation> {
        let opened = self.expect(Punct::LeftBracket)?;
        let mut ignored = Vec::new();
        let mut qualifiers = Qualifiers::NONE;
        let mut is_static = false;
        loop {
            qualifiers |= self.qualifiers(&mut ignored)?;
            if !self.accept_keyword(Keyword::Static) {
                break;
            }
            is_static = true;
        }
        let size = if self.at(Punct::RightBracket) {
            ArraySize::Unknown
        } else if self.at(Punct::Star) && self.at_ahead(1, Punct::RightBracket) {
            self.advance();
            ArraySize::Star
        } else {
            ArraySize::Expr(Box::new(self.assignment()?))
        };
        self.close(Punct::RightBracket, opened)?;
        Ok(Derivation::Array { size, is_static, qualifiers, span: self.since(opened) })
    }

    /// `(int a, ...)`, or `(a, b)`, or `()`.
    fn parameters(&mut self) -> Parsed<Parameters> {
        let opened = self.expect(Punct::LeftParen)?;
        let result = if self.at(Punct::RightParen) {
            Parameters::Names(Vec::new())
        } else if matches!(self.peek().kind, TokenKind::Name(_)) && !self.starts_declaration(0) {
            self.parameter_names()?
        } else {
            self.prototype()?
        };
        self.close(Punct::RightParen, opened)?;
        Ok(result)
    }

    fn parameter_names(&mut self) -> Parsed<Parameters> {
        // `f(x y)`: more likely an unknown type than a list of names.
        if matches!(self.peek_at(1).kind, TokenKind::Name(_)) || self.at_ahead(1, Punct::Star) {
            return self.unknown_type();
        }
        let mut names = Vec::new();
        loop {
            names.push(self.name("the name of a parameter")?);
            if !self.accept(Punct::Comma) {
                return Ok(Parameters::Names(names));
            }
        }
    }

    fn prototype(&mut self) -> Parsed<Parameters> {
        let mut parameters = Vec::new();
        loop {
            if self.accept(Punct::Ellipsis) {
                return Ok(Parameters::Prototype { parameters, variadic: true });
            }
            parameters.push(self.parameter()?);
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        // `(void)` declares no parameter.
        if let [Parameter { specifiers, declarator }] = parameters.as_slice()
            && matches!(specifiers.ty, TypeSpecifier::Basic(crate::types::Basic::Void))
            && declarator.name.is_none()
            && declarator.derivations.is_empty()
        {
            parameters.clear();
        }
        Ok(Parameters::Prototype { parameters, variadic: false })
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let specifiers = self.specifiers_with_type("the type of a parameter")?;
        let declarator = self.declarator(Naming::Optional)?;
        if let Some(name) = declarator.name {
            self.declare(name, NameKind::Other);
        }
        Ok(Parameter { specifiers, declarator })
    }

    /// Specifiers with a type in them; it may only be left out beside a qualifier.
    pub(super) fn specifiers_with_type(&mut self, what: &str) -> Parsed<Specifiers> {
        let specifiers = self.specifiers()?;
        let is_missing = matches!(specifiers.ty, TypeSpecifier::Missing) && specifiers.qualifiers.is_empty();
        match self.peek().kind {
            _ if !is_missing => Ok(specifiers),
            TokenKind::Name(_) if specifiers.storage.is_none() => self.unknown_type(),
            _ => self.unexpected(what),
        }
    }

    /// Reports that the name at the cursor is not a type.
    pub(super) fn unknown_type<T>(&mut self) -> Parsed<T> {
        let token = self.peek();
        let message = format!("there is no type `{}`", self.spelling(token));
        self.fail(trifold_source::Diagnostic::error("unknown-type", token.span, message))
    }

    /// A type without a name in it, as in casts.
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        self.nested(|p| {
            let specifiers = p.specifiers_with_type("a type")?;
            if specifiers.storage.is_some_and(|class| class != StorageClass::Register) {
                p.error("specifiers", specifiers.span, "a storage class has no meaning here");
            }
            let declarator = p.declarator(Naming::Forbidden)?;
            Ok(TypeName { specifiers, declarator })
        })
    }

    /// Attributes that say nothing we need.
    pub(super) fn skip_attributes(&mut self) -> Parsed<()> {
        let mut ignored: Vec<Attribute> = Vec::new();
        self.attributes(&mut ignored)
    }
}
