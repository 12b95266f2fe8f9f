//! Writes heap programs as text that [`parse`](super::parse()) reads.

use super::is_plain;
use crate::computation::Meaning;
use crate::ids::{FieldId, ProcId, StructId, VarId};
use crate::operand::{Expr, Operand};
use crate::program::{Procedure, Program, Type};
use crate::scalar::{Scalar, UnaryOp};
use crate::statement::{Condition, Region, Statement};
use std::fmt::Write;

/// The text of a program. Reading it back gives the same program up to spans and the numbering of variables and fields.
pub fn print(program: &Program) -> String {
    let mut text = String::new();
    for structure in &program.structs {
        text += &format!("struct {} {{\n", name(&structure.name));
        for field in structure.fields.iter().map(|field| &program[*field]) {
            let ty = if field.embedded { embedded(program, field.ty) } else { show_type(program, field.ty) };
            text += &format!("    {ty}{};\n", name(&field.name));
        }
        text += "}\n\n";
    }
    for global in program.globals() {
        text += &format!("global {};\n", declaration(program, global));
    }
    for id in program.procedure_ids() {
        print_procedure(program, id, &mut text);
    }
    text
}

fn print_procedure(program: &Program, id: ProcId, text: &mut String) {
    let procedure = &program[id];
    let parameters: Vec<String> = procedure.parameters.iter().map(|id| declaration(program, *id)).collect();
    let result = procedure.result.map(|result| format!(" -> {}", declaration(program, result))).unwrap_or_default();
    let entry = if program.entry == Some(id) { "entry " } else { "" };
    *text += &format!("\n{entry}proc {}({}){result} graph {{\n", name(&procedure.name), parameters.join(", "));
    for local in procedure.locals.iter().filter(|local| procedure.result != Some(**local)) {
        *text += &format!("    {};\n", declaration(program, *local));
    }
    print_graph(program, procedure, text);
    *text += "}\n";
}

fn print_graph(program: &Program, procedure: &Procedure, text: &mut String) {
    let (entry, exit) = (procedure.entry.0, procedure.exit.0);
    *text += &format!("    node_count {}, entry {entry}, exit {exit};\n", procedure.nodes.len());
    for (index, node) in procedure.nodes.iter().enumerate() {
        if node.loop_head || node.label.is_some() {
            let loops = if node.loop_head { " loop" } else { "" };
            let label = node.label.as_ref().map(|label| format!(" {}", string(label))).unwrap_or_default();
            *text += &format!("    {index}{loops}{label};\n");
        }
    }
    for edge in &procedure.edges {
        *text += &format!("    {} -> {}: {};\n", edge.from.0, edge.to.0, show_statement(program, &edge.statement));
    }
}

/// The text of a statement.
pub fn show_statement(program: &Program, statement: &Statement) -> String {
    let var = |id: &VarId| name(&program[*id].name);
    let field = |id: &FieldId| name(&program[*id].name);
    match statement {
        Statement::Skip => "skip".to_string(),
        Statement::Set { to, value } => format!("{} = {}", var(to), show_operand(program, value)),
        Statement::Load { to, object, field: f } => format!("{} = {}->{}", var(to), var(object), field(f)),
        Statement::Store { object, field: f, value } => {
            format!("{}->{} = {}", var(object), field(f), show_operand(program, value))
        }
        Statement::Allocate { to, structure, region, zeroed, may_fail } => {
            let region = match region {
                Region::Heap => "new",
                Region::Stack => "stack",
                Region::Static => "static",
            };
            let (zeroed, or_null) = (if *zeroed { "zeroed " } else { "" }, if *may_fail { " or null" } else { "" });
            format!("{} = {region} {zeroed}{}{or_null}", var(to), struct_name(program, *structure))
        }
        Statement::Owner { to, part, field: f } => {
            let structure = struct_name(program, program[*f].structure);
            format!("{} = owner({}, {structure}::{})", var(to), var(part), field(f))
        }
        Statement::Nondet { to, range, meaning } => {
            let range = range.map(|(low, high)| format!("({low}, {high})")).unwrap_or_default();
            format!("{} = nondet{range}{}", var(to), show_meaning(program, meaning))
        }
        Statement::Free { pointer } => format!("free({})", var(pointer)),
        Statement::EndLife { object } => format!("end {}", var(object)),
        Statement::Assume(condition) => format!("assume({})", show_condition(program, condition)),
        Statement::Assert(condition) => format!("assert({})", show_condition(program, condition)),
        Statement::Error { kind, text } => format!("error({}, {})", kind.name(), string(text)),
        Statement::Stop => "stop".to_string(),
        Statement::Call { to, targets, arguments } => {
            let names: Vec<String> = targets.iter().map(|target| name(&program[*target].name)).collect();
            let called = if names.len() == 1 { names.concat() } else { format!("{{{}}}", names.join(", ")) };
            show_call(program, *to, &called, arguments)
        }
        Statement::UnknownCall { to, name: called, arguments } => {
            show_call(program, *to, &format!("unknown {}", name(called)), arguments)
        }
        Statement::Return => "return".to_string(),
        Statement::Unsupported { text } => format!("unsupported {}", string(text)),
    }
}

fn show_call(program: &Program, to: Option<VarId>, called: &str, arguments: &[Operand]) -> String {
    let to = to.map(|to| format!("{} = ", name(&program[to].name))).unwrap_or_default();
    let arguments: Vec<String> = arguments.iter().map(|argument| show_operand(program, argument)).collect();
    format!("{to}{called}({})", arguments.join(", "))
}

fn show_meaning(program: &Program, meaning: &Meaning) -> String {
    match meaning {
        Meaning::Open => String::new(),
        Meaning::Computed(operation, arguments) => {
            format!(" as {}", show_call(program, None, &operation.name(), arguments))
        }
    }
}

fn show_operand(program: &Program, operand: &Operand) -> String {
    match operand {
        Operand::Null => "null".to_string(),
        Operand::Uninitialised => "uninit".to_string(),
        Operand::Pointer(variable) => name(&program[*variable].name),
        Operand::Scalar(expr) => show_expr(program, expr),
    }
}

/// The text of a condition.
pub fn show_condition(program: &Program, condition: &Condition) -> String {
    match condition {
        Condition::Pointers { left, right, equal } => {
            let symbol = if *equal { "==" } else { "!=" };
            format!("{} {symbol} {}", show_operand(program, left), show_operand(program, right))
        }
        Condition::Scalar(expr) => show_expr(program, expr),
    }
}

/// The text of an expression.
pub fn show_expr(program: &Program, expr: &Expr) -> String {
    let nested = |expr: &Expr| match expr {
        Expr::Binary(..) => format!("({})", show_expr(program, expr)),
        _ => show_expr(program, expr),
    };
    match expr {
        Expr::Constant(value, Scalar::Bool) => (if *value == 0 { "false" } else { "true" }).to_string(),
        Expr::Constant(value, Scalar::I32) => value.to_string(),
        Expr::Constant(value, scalar) => format!("{value}{}", show_scalar(*scalar)),
        Expr::Variable(variable) => name(&program[*variable].name),
        Expr::Unary(op, operand) => {
            let symbol = match op {
                UnaryOp::Negate => "-",
                UnaryOp::Complement if program.scalar_of(operand) == Some(Scalar::Bool) => "!",
                UnaryOp::Complement => "~",
            };
            // The parentheses tell the negation of a constant from a negative constant.
            match **operand {
                Expr::Variable(_) => format!("{symbol}{}", show_expr(program, operand)),
                _ => format!("{symbol}({})", show_expr(program, operand)),
            }
        }
        Expr::Binary(op, left, right) => format!("{} {} {}", nested(left), op.symbol(), nested(right)),
        Expr::Convert(scalar, operand) => format!("{}({})", show_scalar(*scalar), show_expr(program, operand)),
    }
}

fn show_scalar(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "bool".to_string(),
        Scalar::Int { signed, bits } => format!("{}{bits}", if signed { 'i' } else { 'u' }),
    }
}

/// A type, so that a name can follow.
fn show_type(program: &Program, ty: Type) -> String {
    match ty {
        Type::Scalar(scalar) => format!("{} ", show_scalar(scalar)),
        Type::Pointer(None) => "void *".to_string(),
        Type::Pointer(Some(structure)) => format!("{} *", struct_name(program, structure)),
    }
}

fn embedded(program: &Program, ty: Type) -> String {
    format!("embedded {} ", show_type(program, ty).trim_end_matches('*').trim_end())
}

fn declaration(program: &Program, variable: VarId) -> String {
    let variable = &program[variable];
    format!("{}{}", show_type(program, variable.ty), name(&variable.name))
}

fn struct_name(program: &Program, structure: StructId) -> String {
    name(&program[structure].name)
}

/// A name, quoted if need be.
fn name(name: &str) -> String {
    if is_plain(name) { name.to_string() } else { format!("`{}`", escape(name, '`')) }
}

fn string(text: &str) -> String {
    format!("\"{}\"", escape(text, '"'))
}

/// Puts a backslash before the quote and the backslash, and writes line ends as `\n`.
fn escape(text: &str, quote: char) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\\' => escaped.push_str("\\\\"),
            c if c == quote => {
                let _ = write!(escaped, "\\{c}");
            }
            c => escaped.push(c),
        }
    }
    escaped
}
