//! The specifiers before declarators: storage class, qualifiers, the type. For example, `static const unsigned long`.

use super::{Parsed, Parser, Reported};
use crate::ast::{Attribute, AttributeKind, Specifiers, StorageClass, TypeSpecifier};
use crate::keyword::Keyword;
use crate::token::{Punct, TokenKind};
use crate::types::{Basic, FloatKind, IntKind, Qualifiers};
use trifold_source::{Diagnostic, Span};

/// The words of a basic type, in any order: `long unsigned int long`.
#[derive(Default)]
struct Words {
    base: Option<Keyword>,
    long: u8,
    short: bool,
    signed: bool,
    unsigned: bool,
    complex: bool,
}

impl Words {
    fn is_empty(&self) -> bool {
        self.base.is_none() && self.long == 0 && !(self.short || self.signed || self.unsigned || self.complex)
    }

    /// Adds a word; can it stand with the others?
    fn add(&mut self, keyword: Keyword) -> bool {
        let flag = match keyword {
            Keyword::Long => {
                self.long += 1;
                return self.long <= 2;
            }
            Keyword::Short => &mut self.short,
            Keyword::Signed => &mut self.signed,
            Keyword::Unsigned => &mut self.unsigned,
            Keyword::Complex => &mut self.complex,
            _ => return self.base.replace(keyword).is_none(),
        };
        !std::mem::replace(flag, true)
    }

    /// The type that the words are.
    fn basic(&self) -> Option<Basic> {
        let sign = match (self.signed, self.unsigned) {
            (true, true) => return None,
            (false, false) => None,
            (signed, _) => Some(signed),
        };
        let length = if self.short { -1 } else { i8::try_from(self.long).ok()? };
        if self.short && self.long > 0 {
            return None;
        }
        let unsigned = sign == Some(false);
        let pick = |signed, other| Some(Basic::Integer(if unsigned { other } else { signed }));
        let float = |kind| if self.complex { Basic::Complex(kind) } else { Basic::Float(kind) };
        match (self.base, length, sign) {
            (Some(Keyword::Void), 0, None) if !self.complex => Some(Basic::Void),
            (Some(Keyword::Bool), 0, None) if !self.complex => Some(Basic::Bool),
            (Some(Keyword::Double), 1, None) => Some(float(FloatKind::LongDouble)),
            (Some(keyword), 0, None) if float_kind(keyword).is_some() => float_kind(keyword).map(float),
            (None, 0, None) if self.complex => Some(float(FloatKind::Double)),
            // Complex integers are an extension that is not in use.
            _ if self.complex => None,
            (Some(Keyword::Char), 0, None) => Some(Basic::Integer(IntKind::Char)),
            (Some(Keyword::Char), 0, Some(_)) => pick(IntKind::SChar, IntKind::UChar),
            (Some(Keyword::Int128), 0, _) => pick(IntKind::Int128, IntKind::UInt128),
            (None | Some(Keyword::Int), -1, _) => pick(IntKind::Short, IntKind::UShort),
            (None | Some(Keyword::Int), 0, _) => pick(IntKind::Int, IntKind::UInt),
            (None | Some(Keyword::Int), 1, _) => pick(IntKind::Long, IntKind::ULong),
            (None | Some(Keyword::Int), 2, _) => pick(IntKind::LongLong, IntKind::ULongLong),
            _ => None,
        }
    }
}

fn float_kind(keyword: Keyword) -> Option<FloatKind> {
    Some(match keyword {
        Keyword::Float => FloatKind::Float,
        Keyword::Double => FloatKind::Double,
        Keyword::Float16 => FloatKind::Float16,
        Keyword::Float32 => FloatKind::Float32,
        Keyword::Float32x => FloatKind::Float32x,
        Keyword::Float64 => FloatKind::Float64,
        Keyword::Float64x => FloatKind::Float64x,
        Keyword::Float128 => FloatKind::Float128,
        Keyword::Decimal32 => FloatKind::Decimal32,
        Keyword::Decimal64 => FloatKind::Decimal64,
        Keyword::Decimal128 => FloatKind::Decimal128,
        _ => return None,
    })
}

fn is_basic_word(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(keyword, Void | Bool | Char | Short | Int | Long | Signed | Unsigned | Complex | Int128)
        || float_kind(keyword).is_some()
}

/// The qualifier that a keyword is.
pub(super) fn qualifier(keyword: Keyword) -> Option<Qualifiers> {
    match keyword {
        Keyword::Const => Some(Qualifiers::CONST),
        Keyword::Volatile => Some(Qualifiers::VOLATILE),
        Keyword::Restrict => Some(Qualifiers::RESTRICT),
        Keyword::Atomic => Some(Qualifiers::ATOMIC),
        _ => None,
    }
}

fn storage_class(keyword: Keyword) -> Option<StorageClass> {
    match keyword {
        Keyword::Typedef => Some(StorageClass::Typedef),
        Keyword::Extern => Some(StorageClass::Extern),
        Keyword::Static => Some(StorageClass::Static),
        Keyword::Auto => Some(StorageClass::Auto),
        Keyword::Register => Some(StorageClass::Register),
        _ => None,
    }
}

impl Parser<'_> {
    /// Does a type start that many tokens ahead?
    pub(super) fn starts_type(&self, ahead: usize) -> bool {
        use Keyword::*;
        let ahead = self.after_extensions(ahead);
        match self.peek_at(ahead).kind {
            TokenKind::Name(symbol) if self.is_type_name(symbol) => true,
            _ => match self.keyword_ahead(ahead) {
                Some(Struct | Union | Enum | Typeof | AutoType | Attribute) => true,
                Some(keyword) => is_basic_word(keyword) || qualifier(keyword).is_some(),
                None => false,
            },
        }
    }

    /// The first token from that one on that is not `__extension__`.
    fn after_extensions(&self, mut ahead: usize) -> usize {
        while self.keyword_ahead(ahead) == Some(Keyword::Extension) {
            ahead += 1;
        }
        ahead
    }

    /// Does a declaration start that many tokens ahead?
    pub(super) fn starts_declaration(&self, ahead: usize) -> bool {
        use Keyword::*;
        let ahead = self.after_extensions(ahead);
        match self.keyword_ahead(ahead) {
            Some(Inline | Noreturn | Alignas | StaticAssert | ThreadLocal | Constexpr) => true,
            Some(keyword) if storage_class(keyword).is_some() => true,
            _ => self.starts_type(ahead),
        }
    }

    /// Storage class, qualifiers and type, in any order.
    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let start = self.peek().span;
        let mut words = Words::default();
        let mut ty: Option<TypeSpecifier> = None;
        let mut result = Specifiers {
            storage: None,
            thread_local: false,
            inline: false,
            qualifiers: Qualifiers::NONE,
            attributes: Vec::new(),
            ty: TypeSpecifier::Missing,
            span: start,
        };
        let from = self.position;
        loop {
            self.attributes(&mut result.attributes)?;
            let span = self.peek().span;
            if let TokenKind::Name(symbol) = self.peek().kind
                && self.is_type_name(symbol)
                && ty.is_none()
                && words.is_empty()
            {
                ty = Some(TypeSpecifier::Named(self.name("a type")?));
                continue;
            }
            let Some(keyword) = self.keyword() else { break };
            if is_basic_word(keyword) {
                self.check_body_has_ended(ty.as_ref())?;
                self.advance();
                if ty.is_some() || !words.add(keyword) {
                    return self.conflicting(self.since(start));
                }
            } else if let Some(class) = storage_class(keyword) {
                self.advance();
                if result.storage.is_some_and(|before| before != class) {
                    self.error("specifiers", span, "a declaration has one storage class at most");
                    return Err(Reported);
                }
                result.storage = Some(class);
            } else if keyword == Keyword::Atomic && self.at_ahead(1, Punct::LeftParen) {
                self.advance();
                self.set(&mut ty, start, &words, |p| p.type_in_parens().map(Box::new).map(TypeSpecifier::Atomic))?;
            } else if let Some(qualifier) = qualifier(keyword) {
                self.advance();
                result.qualifiers |= qualifier;
            } else {
                match keyword {
                    Keyword::Extension | Keyword::Constexpr => drop(self.advance()),
                    Keyword::Inline => {
                        self.advance();
                        result.inline = true;
                    }
                    Keyword::ThreadLocal => {
                        self.advance();
                        result.thread_local = true;
                    }
                    Keyword::Noreturn => {
                        self.advance();
                        result.attributes.push(Attribute { kind: AttributeKind::Noreturn, span });
                    }
                    Keyword::Alignas => {
                        let attribute = self.alignas()?;
                        result.attributes.push(attribute);
                    }
                    Keyword::Struct | Keyword::Union => {
                        self.check_body_has_ended(ty.as_ref())?;
                        self.set(&mut ty, start, &words, |p| p.nested(Self::record).map(TypeSpecifier::Record))?;
                    }
                    Keyword::Enum => {
                        self.set(&mut ty, start, &words, |p| p.enumeration().map(TypeSpecifier::Enum))?;
                    }
                    Keyword::Typeof => self.set(&mut ty, start, &words, |p| p.nested(Self::typeof_specifier))?,
                    Keyword::AutoType => {
                        self.advance();
                        self.set(&mut ty, start, &words, |_| Ok(TypeSpecifier::Auto))?;
                    }
                    _ => break,
                }
            }
        }
        if self.position > from {
            result.span = self.since(start);
        }
        result.ty = match ty {
            Some(ty) => ty,
            None if words.is_empty() => TypeSpecifier::Missing,
            None => match words.basic() {
                Some(basic) => TypeSpecifier::Basic(basic),
                None => return self.conflicting(result.span),
            },
        };
        Ok(result)
    }

    /// A type on the next line after the members of a struct shows that a semicolon was forgotten.
    fn check_body_has_ended(&mut self, ty: Option<&TypeSpecifier>) -> Parsed<()> {
        let has_body = match ty {
            Some(TypeSpecifier::Record(record)) => record.members.is_some(),
            Some(TypeSpecifier::Enum(enumeration)) => enumeration.constants.is_some(),
            _ => false,
        };
        if has_body && self.peek().starts_line { self.unexpected("`;`") } else { Ok(()) }
    }

    fn conflicting<T>(&mut self, span: Span) -> Parsed<T> {
        self.sink.push(Diagnostic::error("specifiers", span, "these words do not form a type"));
        Err(Reported)
    }

    /// Reads the type, which must be the only one.
    fn set(
        &mut self,
        ty: &mut Option<TypeSpecifier>,
        start: Span,
        words: &Words,
        read: impl FnOnce(&mut Self) -> Parsed<TypeSpecifier>,
    ) -> Parsed<()> {
        let read = read(self)?;
        if ty.is_some() || !words.is_empty() {
            return self.conflicting(self.since(start));
        }
        *ty = Some(read);
        Ok(())
    }

    /// `typeof(x)` or `typeof(type)`.
    fn typeof_specifier(&mut self) -> Parsed<TypeSpecifier> {
        self.advance();
        if self.at(Punct::LeftParen) && self.starts_type(1) {
            return self.type_in_parens().map(Box::new).map(TypeSpecifier::TypeofType);
        }
        let opened = self.expect(Punct::LeftParen)?;
        let operand = self.expression()?;
        self.close(Punct::RightParen, opened)?;
        Ok(TypeSpecifier::TypeofExpr(Box::new(operand)))
    }

    /// `const volatile …`, with attributes between them.
    pub(super) fn qualifiers(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<Qualifiers> {
        let mut qualifiers = Qualifiers::NONE;
        loop {
            self.attributes(attributes)?;
            match self.keyword().and_then(qualifier) {
                Some(qualifier) => qualifiers |= qualifier,
                None if self.at_keyword(Keyword::Extension) => {}
                None => return Ok(qualifiers),
            }
            self.advance();
        }
    }
}
