//! Expressions. For example, `a.b[i].m(x) + 1` is read as `((((a.b)[i]).m(x)) + 1)`.

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::lex::TokenKind;
use trifold_ir::BinaryOp as Plain;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| parser.assignment())
    }

    fn assignment(&mut self) -> Parsed<Expr> {
        if self.at_lambda() {
            return self.lambda();
        }
        let start = self.peek().span;
        let target = self.conditional()?;
        let Some((op, tokens)) = self.assignment_operator() else { return Ok(target) };
        self.skip(tokens);
        let value = Box::new(self.expression()?);
        self.expr(ExprKind::Assign { op, target: Box::new(target), value }, start)
    }

    /// The operator of an assignment at the cursor, and its length in tokens.
    fn assignment_operator(&self) -> Option<(Option<BinaryOp>, usize)> {
        if self.at("=") {
            return Some((None, 1));
        }
        let plain = [
            ("+=", Plain::Add),
            ("-=", Plain::Subtract),
            ("*=", Plain::Multiply),
            ("/=", Plain::Divide),
            ("%=", Plain::Remainder),
            ("&=", Plain::And),
            ("|=", Plain::Or),
            ("^=", Plain::Xor),
            ("<<=", Plain::ShiftLeft),
        ];
        if let Some((_, op)) = plain.into_iter().find(|(text, _)| self.at(text)) {
            return Some((Some(BinaryOp::Plain(op)), 1));
        }
        match self.angles() {
            [true, true, false] => Some((Some(BinaryOp::Plain(Plain::ShiftRight)), 2)),
            [true, true, true] if self.at_ahead(2, ">=") => Some((Some(BinaryOp::UnsignedShift), 3)),
            _ => None,
        }
        .filter(|(_, tokens)| self.at_ahead(tokens - 1, ">="))
    }

    /// Are there `>` or `>=` at the cursor and the next two tokens, with nothing in between?
    fn angles(&self) -> [bool; 3] {
        let is_angle = |count: usize| {
            let joined = count == 0 || self.ahead(count - 1).span.end == self.ahead(count).span.start;
            joined && (self.at_ahead(count, ">") || self.at_ahead(count, ">="))
        };
        let first = is_angle(0);
        let second = first && self.at(">") && is_angle(1);
        [first, second, second && self.at_ahead(1, ">") && is_angle(2)]
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        let condition = self.binary(0)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let yes = Box::new(self.expression()?);
        self.expect(":")?;
        let no = Box::new(self.nested(|parser| match parser.at_lambda() {
            true => parser.lambda(),
            false => parser.conditional(),
        })?);
        self.expr(ExprKind::Conditional(Box::new(condition), yes, no), start)
    }

    /// The binary operator at the cursor, how strongly it binds, and its length in tokens.
    fn binary_operator(&self) -> Option<(BinaryOp, u8, usize)> {
        const TABLE: [(&str, Plain, u8); 16] = [
            ("|", Plain::Or, 3),
            ("^", Plain::Xor, 4),
            ("&", Plain::And, 5),
            ("==", Plain::Equal, 6),
            ("!=", Plain::NotEqual, 6),
            ("<", Plain::Less, 7),
            ("<=", Plain::LessEqual, 7),
            (">", Plain::Greater, 7),
            (">=", Plain::GreaterEqual, 7),
            ("<<", Plain::ShiftLeft, 8),
            (">>", Plain::ShiftRight, 8),
            ("+", Plain::Add, 9),
            ("-", Plain::Subtract, 9),
            ("*", Plain::Multiply, 10),
            ("/", Plain::Divide, 10),
            ("%", Plain::Remainder, 10),
        ];
        if self.assignment_operator().is_some() {
            return None;
        }
        match self.angles() {
            [true, true, true] => return Some((BinaryOp::UnsignedShift, 8, 3)),
            [true, true, false] => return Some((BinaryOp::Plain(Plain::ShiftRight), 8, 2)),
            _ => {}
        }
        if self.at("||") {
            return Some((BinaryOp::OrElse, 1, 1));
        }
        if self.at("&&") {
            return Some((BinaryOp::AndThen, 2, 1));
        }
        let found = TABLE.into_iter().find(|(text, ..)| self.at(text));
        found.map(|(_, op, strength)| (BinaryOp::Plain(op), strength, 1))
    }

    /// Operators that bind more strongly than `weakest`.
    fn binary(&mut self, weakest: u8) -> Parsed<Expr> {
        let start = self.peek().span;
        let mut left = self.unary()?;
        loop {
            if weakest < 7 && self.at("instanceof") {
                self.advance();
                self.accept("final");
                let ty = self.ty()?;
                let is_pattern = self.is_name_ahead(0) || self.at("(");
                left = self.expr(ExprKind::InstanceOf(Box::new(left), ty), start)?;
                if is_pattern {
                    if self.at("(") {
                        self.skip_balanced()
                    } else {
                        self.skip(1)
                    }
                    left = self.expr(ExprKind::Unsupported("a pattern"), start)?;
                }
                continue;
            }
            let Some((op, strength, tokens)) = self.binary_operator().filter(|(_, strength, _)| *strength > weakest)
            else {
                return Ok(left);
            };
            self.skip(tokens);
            let right = Box::new(self.nested(|parser| parser.binary(strength))?);
            left = self.expr(ExprKind::Binary(op, Box::new(left), right), start)?;
        }
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        if self.at("++") || self.at("--") {
            let up = self.at("++");
            self.advance();
            let target = Box::new(self.nested(|parser| parser.unary())?);
            return self.expr(ExprKind::Step { up, prefix: true, target }, start);
        }
        let ops = [("+", UnaryOp::Plus), ("-", UnaryOp::Minus), ("~", UnaryOp::Complement), ("!", UnaryOp::Not)];
        if let Some((_, op)) = ops.into_iter().find(|(text, _)| self.at(text)) {
            self.advance();
            let operand = Box::new(self.nested(|parser| parser.unary())?);
            return self.expr(ExprKind::Unary(op, operand), start);
        }
        if self.at_cast() {
            self.advance();
            let ty = self.ty()?;
            while self.accept("&") {
                self.ty()?;
            }
            self.expect(")")?;
            let operand = Box::new(self.nested(|parser| match parser.at_lambda() {
                true => parser.lambda(),
                false => parser.unary(),
            })?);
            return self.expr(ExprKind::Cast(ty, operand), start);
        }
        self.postfix()
    }

    /// A type in parentheses, and a token after it that cannot follow an expression in parentheses.
    fn at_cast(&self) -> bool {
        if !self.at("(") {
            return false;
        }
        let Some(mut end) = self.type_ends(1) else { return false };
        while self.at_ahead(end, "&") {
            match self.type_ends(end + 1) {
                Some(next) => end = next,
                None => return false,
            }
        }
        if !self.at_ahead(end, ")") {
            return false;
        }
        let is_primitive = !self.is_name_ahead(1);
        let after = self.ahead(end + 1);
        let word = self.spelling(after);
        match after.kind {
            TokenKind::Number | TokenKind::Character | TokenKind::Text => true,
            TokenKind::Word => {
                self.is_name_ahead(end + 1) || ["this", "super", "new", "null", "true", "false"].contains(&word)
            }
            TokenKind::Punct("(" | "!" | "~") => true,
            TokenKind::Punct("+" | "-" | "++" | "--") => is_primitive,
            _ => false,
        }
    }

    fn at_lambda(&self) -> bool {
        if self.is_name_ahead(0) {
            return self.at_ahead(1, "->");
        }
        if !self.at("(") {
            return false;
        }
        let (mut at, mut depth) = (0, 0usize);
        loop {
            match self.ahead(at).kind {
                TokenKind::Punct("(") => depth += 1,
                TokenKind::Punct(")") => depth -= 1,
                TokenKind::End | TokenKind::Punct("{" | "}" | ";") => return false,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return self.at_ahead(at, "->");
            }
        }
    }

    fn lambda(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        while !self.accept("->") {
            self.advance();
        }
        if self.at("{") {
            self.skip_balanced();
        } else {
            self.expression()?;
        }
        self.expr(ExprKind::Unsupported("a lambda"), start)
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        let mut expr = self.primary()?;
        loop {
            if self.at("++") || self.at("--") {
                let up = self.at("++");
                self.advance();
                expr = self.expr(ExprKind::Step { up, prefix: false, target: Box::new(expr) }, start)?;
            } else if self.accept("[") {
                let index = Box::new(self.expression()?);
                self.expect("]")?;
                expr = self.expr(ExprKind::Index(Box::new(expr), index), start)?;
            } else if self.accept("::") {
                self.advance();
                expr = self.expr(ExprKind::Unsupported("a method reference"), start)?;
            } else if self.accept(".") {
                expr = self.selector(expr, start)?;
            } else {
                return Ok(expr);
            }
        }
    }

    /// The member after a dot.
    fn selector(&mut self, before: Expr, start: trifold_source::Span) -> Parsed<Expr> {
        if self.at("<") {
            self.type_arguments()?;
        }
        for keyword in ["new", "class", "super"] {
            if self.at(keyword) {
                self.advance();
                if keyword == "new" {
                    self.ty()?;
                }
                if self.at("(") {
                    self.skip_balanced();
                }
                if self.at("{") {
                    self.skip_balanced();
                }
                return self.expr(ExprKind::Unsupported("a member that is not analysed"), start);
            }
        }
        if self.accept("this") {
            return self.expr(ExprKind::Unsupported("the object around another"), start);
        }
        let name = self.name("the name of a member")?;
        if !self.at("(") {
            return self.expr(ExprKind::Field(Box::new(before), name), start);
        }
        let arguments = self.arguments()?;
        self.expr(ExprKind::Call { receiver: Some(Box::new(before)), name, arguments }, start)
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.at(")") {
            arguments.push(self.expression()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        let token = self.peek();
        match token.kind {
            TokenKind::Number | TokenKind::Character | TokenKind::Text => {
                let kind = self.literal()?;
                return self.expr(kind, start);
            }
            TokenKind::Punct("(") => {
                self.advance();
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(Expr { span: self.since(start), ..inner });
            }
            _ => {}
        }
        let constants = [("null", ExprKind::Null), ("true", ExprKind::Bool(true)), ("false", ExprKind::Bool(false))];
        if let Some((_, kind)) = constants.into_iter().find(|(text, _)| self.at(text)) {
            self.advance();
            return self.expr(kind, start);
        }
        if self.at("this") || self.at("super") {
            let is_super = self.at("super");
            self.advance();
            let kind = match self.at("(") {
                true => ExprKind::ConstructorCall { is_super, arguments: self.arguments()? },
                false if is_super => ExprKind::Super,
                false => ExprKind::This,
            };
            return self.expr(kind, start);
        }
        if self.accept("new") {
            return self.creation(start);
        }
        if self.at("switch") {
            while !self.at("{") && !self.at_end() {
                self.advance();
            }
            self.skip_balanced();
            return self.expr(ExprKind::Unsupported("`switch`"), start);
        }
        // `int[]::new` and `int.class`
        if !self.is_name_ahead(0)
            && self.type_ends(0).is_some_and(|end| self.at_ahead(end, "::") || self.at_ahead(end, "."))
        {
            self.ty()?;
            self.advance();
            self.advance();
            return self.expr(ExprKind::Unsupported("a type as a value"), start);
        }
        let name = self.name("an expression")?;
        if !self.at("(") {
            return self.expr(ExprKind::Name(name), start);
        }
        let arguments = self.arguments()?;
        self.expr(ExprKind::Call { receiver: None, name, arguments }, start)
    }

    /// The expression after `new`.
    fn creation(&mut self, start: trifold_source::Span) -> Parsed<Expr> {
        let mut ty = self.element_type()?;
        if self.at("[") {
            let mut lengths = Vec::new();
            while self.at("[") {
                self.advance();
                if !self.at("]") {
                    lengths.push(self.expression()?);
                }
                self.expect("]")?;
                let span = self.since(ty.span);
                ty = crate::ast::TypeRef { kind: crate::ast::TypeRefKind::Array(Box::new(ty)), span };
            }
            if self.at("{") {
                self.skip_balanced();
                return self.expr(ExprKind::Unsupported("an array with given elements"), start);
            }
            return self.expr(ExprKind::NewArray { ty, lengths }, start);
        }
        let arguments = self.arguments()?;
        if self.at("{") {
            self.skip_balanced();
            return self.expr(ExprKind::Unsupported("a class without a name"), start);
        }
        self.expr(ExprKind::New { ty, arguments }, start)
    }
}
