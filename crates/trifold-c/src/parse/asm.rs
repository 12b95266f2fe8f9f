//! Assembler text, whose operands are expressions. For example, `asm volatile ("" : "=r" (x) : "r" (y) : "memory")`.

use super::{Parsed, Parser};
use crate::ast::{Asm, Expr};
use crate::keyword::Keyword;
use crate::literal::StringLiteral;
use crate::token::Punct;

impl Parser<'_> {
    /// `asm("…");` outside of functions, at the keyword.
    pub(super) fn asm_declaration(&mut self) -> Parsed<()> {
        self.advance();
        let opened = self.expect(Punct::LeftParen)?;
        self.string()?;
        self.close(Punct::RightParen, opened)?;
        self.expect(Punct::Semicolon)?;
        Ok(())
    }

    /// `asm volatile goto ("…" : … : … : … : …);`, at the keyword.
    pub(super) fn asm_statement(&mut self) -> Parsed<Asm> {
        self.advance();
        while matches!(self.keyword(), Some(Keyword::Volatile | Keyword::Inline | Keyword::Goto)) {
            self.advance();
        }
        let opened = self.expect(Punct::LeftParen)?;
        let template = self.string()?;
        let mut asm =
            Asm { template, outputs: Vec::new(), inputs: Vec::new(), clobbers: Vec::new(), labels: Vec::new() };
        if self.accept(Punct::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.accept(Punct::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.accept(Punct::Colon) {
            asm.clobbers = self.asm_list(Self::string)?;
        }
        if self.accept(Punct::Colon) {
            asm.labels = self.asm_list(|p| p.name("a label"))?;
        }
        self.close(Punct::RightParen, opened)?;
        self.expect(Punct::Semicolon)?;
        Ok(asm)
    }

    fn asm_operands(&mut self) -> Parsed<Vec<(StringLiteral, Expr)>> {
        self.asm_list(|p| {
            if p.at(Punct::LeftBracket) {
                let opened = p.advance().span;
                p.name("the name of an operand")?;
                p.close(Punct::RightBracket, opened)?;
            }
            let constraint = p.string()?;
            let opened = p.expect(Punct::LeftParen)?;
            let operand = p.expression()?;
            p.close(Punct::RightParen, opened)?;
            Ok((constraint, operand))
        })
    }

    /// Items separated by commas up to a colon or the end, possibly none.
    fn asm_list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.at(Punct::Colon) || self.at(Punct::RightParen) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.accept(Punct::Comma) {
                return Ok(items);
            }
        }
    }
}
