//! The text in which an operation's definition is written beside its kernel.
//!
//! The first line is `Name(input: type, ...) -> (output: type, ...) @flag...`; a type is a dtype name,
//! an attribute's name, `N * T` for a counted list, or any of these inside `Ref(...)`. Each further line
//! is an attribute: `name: kind`, with `{a, b}` for allowed values, `>= n`, and `= default`.
//!
//! ```
//! let def = downpour_graph::parse_signature("ConcatV2(values: N * T, axis: Tidx) -> (output: T)
//!     N: int >= 2
//!     T: type
//!     Tidx: {int32, int64} = int32").unwrap();
//! assert_eq!(def.inputs[0].number_attr.as_deref(), Some("N"));
//! ```

use bytes::Bytes;
use downpour_tensor::{DataType, Result, Status};

use crate::attr::{AttrValue, Attrs, Function};
use crate::op_def::{ArgDef, ArgType, AttrDef, AttrType, OpDef};
use crate::partial_shape::PartialShape;

pub fn parse_signature(text: &str) -> Result<OpDef> {
    let mut lines = text.lines().filter(|l| !l.trim().is_empty());
    let head = lines.next().unwrap_or_default();
    let mut def = OpDef::default();
    let attrs = lines.map(|line| parse_attr(line).map_err(|e| e.context(format!("in '{line}'"))));
    def.attrs = attrs.collect::<Result<_>>()?;
    parse_head(head, &mut def).map_err(|e| e.context(format!("in '{head}'")))?;
    Ok(def)
}

fn parse_head(text: &str, def: &mut OpDef) -> Result<()> {
    let mut s = Scanner::new(text);
    def.name = s.word()?;
    def.inputs = parse_args(&mut s, &def.attrs)?;
    s.expect("->")?;
    def.outputs = parse_args(&mut s, &def.attrs)?;
    while s.take("@") {
        match s.word()?.as_str() {
            "stateful" => def.is_stateful = true,
            "commutative" => def.is_commutative = true,
            "aggregate" => def.is_aggregate = true,
            "uninitialized_ok" => def.allows_uninitialized_input = true,
            "distributed" => def.is_distributed = true,
            other => return Err(s.error(&format!("unknown flag @{other}"))),
        }
    }
    s.end()
}

fn parse_args(s: &mut Scanner, attrs: &[AttrDef]) -> Result<Vec<ArgDef>> {
    let mut args = Vec::new();
    s.expect("(")?;
    while !s.take(")") {
        if !args.is_empty() {
            s.expect(",")?;
        }
        let name = s.word()?;
        s.expect(":")?;
        let is_ref = s.take("Ref(");
        let mut ty = s.word()?;
        let mut number_attr = None;
        if s.take("*") {
            number_attr = Some(ty);
            ty = s.word()?;
        }
        if is_ref {
            s.expect(")")?;
        }
        let ty = match (DataType::from_name(&ty), attrs.iter().find(|a| a.name == ty)) {
            (_, Some(attr)) if attr.is_list => ArgType::ListAttr(ty),
            (_, Some(_)) => ArgType::Attr(ty),
            (Some(dtype), None) => ArgType::Fixed(dtype),
            (None, None) => return Err(s.error(&format!("'{ty}' is no dtype and no attribute"))),
        };
        args.push(ArgDef { name, ty, number_attr, is_ref });
    }
    Ok(args)
}

fn parse_attr(line: &str) -> Result<AttrDef> {
    let mut s = Scanner::new(line);
    let name = s.word()?;
    s.expect(":")?;
    let is_list = s.take("list(");
    let mut allowed = Vec::new();
    let ty = if s.take("{") {
        while !s.take("}") {
            if !allowed.is_empty() {
                s.expect(",")?;
            }
            allowed.push(if s.peek() == Some('\'') {
                AttrValue::Str(s.quoted()?)
            } else {
                AttrValue::Type(s.dtype()?)
            });
        }
        match allowed.first() {
            Some(AttrValue::Str(_)) => AttrType::Str,
            _ => AttrType::Type,
        }
    } else {
        let kind = s.word()?;
        AttrType::from_name(&kind).ok_or_else(|| s.error(&format!("unknown kind '{kind}'")))?
    };
    if is_list {
        s.expect(")")?;
    }
    let minimum = if s.take(">=") { Some(s.number()? as i64) } else { None };
    let default = if s.take("=") { Some(parse_default(&mut s, ty, is_list)?) } else { None };
    s.end()?;
    Ok(AttrDef { name, ty, is_list, default, allowed, minimum })
}

fn parse_default(s: &mut Scanner, ty: AttrType, is_list: bool) -> Result<AttrValue> {
    if is_list {
        let mut values = Vec::new();
        s.expect("[")?;
        while !s.take("]") {
            if !values.is_empty() {
                s.expect(",")?;
            }
            values.push(parse_default(s, ty, false)?);
        }
        return Ok(AttrValue::List(values));
    }
    Ok(match ty {
        AttrType::Str => AttrValue::Str(s.quoted()?),
        AttrType::Int => AttrValue::Int(s.integer()?),
        AttrType::Float => AttrValue::Float(s.number()? as f32),
        AttrType::Bool => AttrValue::Bool(s.word()? == "true"),
        AttrType::Type => AttrValue::Type(s.dtype()?),
        AttrType::Shape => AttrValue::Shape(parse_shape(s)?),
        AttrType::Func if s.peek() == Some('\'') => {
            s.quoted()?;
            AttrValue::Func(Function { name: String::new(), attrs: Attrs::new() })
        }
        AttrType::Func => AttrValue::Func(Function { name: s.word()?, attrs: Attrs::new() }),
        AttrType::Tensor => return Err(s.error("tensor defaults have no text form")),
    })
}

fn parse_shape(s: &mut Scanner) -> Result<PartialShape> {
    s.expect("{")?;
    if s.take("unknown_rank") {
        s.expect("}")?;
        return Ok(PartialShape::unknown());
    }
    let mut dims = Vec::new();
    while !s.take("}") {
        if !dims.is_empty() {
            s.expect(",")?;
        }
        dims.push(s.integer()?);
    }
    PartialShape::from_i64(&dims)
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn peek(&mut self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        if self.take(token) { Ok(()) } else { Err(self.error(&format!("expected '{token}'"))) }
    }

    fn span(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn word(&mut self) -> Result<String> {
        match self.span(|c| c.is_alphanumeric() || c == '_' || c == '>') {
            "" => Err(self.error("expected a name")),
            word => Ok(word.to_string()),
        }
    }

    fn dtype(&mut self) -> Result<DataType> {
        let name = self.word()?;
        DataType::from_name(&name).ok_or_else(|| self.error(&format!("'{name}' is no dtype")))
    }

    fn integer(&mut self) -> Result<i64> {
        let text = self.span(|c| c.is_ascii_digit() || c == '-');
        text.parse().map_err(|_| self.error("expected an integer"))
    }

    fn number(&mut self) -> Result<f64> {
        let text = self.span(|c| c.is_alphanumeric() || "+-.".contains(c));
        text.parse().map_err(|_| self.error("expected a number"))
    }

    fn quoted(&mut self) -> Result<Bytes> {
        self.expect("'")?;
        let mut out = String::new();
        let mut chars = self.text[self.at..].char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                '\'' => {
                    self.at += i + 1;
                    return Ok(Bytes::from(out));
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, 'r')) => out.push('\r'),
                    Some((_, c)) => out.push(c),
                    None => break,
                },
                c => out.push(c),
            }
        }
        Err(self.error("a quoted string does not end"))
    }

    fn end(&mut self) -> Result<()> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.error("expected the end")) }
    }

    fn error(&mut self, what: &str) -> Status {
        Status::internal(format!("operation definition: {what} at column {}", self.at + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let def = parse_signature(
            "Thing(a: N * T, b: Tlist, r: Ref(T), s: string) -> (out: T, ref: Ref(float)) @stateful @commutative
                N: int >= 1
                T: {half, float} = float
                Tlist: list(type) >= 0 = []
                pad: {'SAME', 'VALID'}
                eps: float = -0.001
                inf: float = inf
                name: string = 'a\\'b'
                shape: shape = {unknown_rank}
                other: shape = {2, -1}
                on: bool = true
                f: func
                k: list(int) = [1, -2]",
        )
        .unwrap();
        assert_eq!(def.inputs[0].number_attr.as_deref(), Some("N"));
        assert_eq!(def.inputs[1].ty, ArgType::ListAttr("Tlist".into()));
        assert!(def.inputs[2].is_ref && def.outputs[1].is_ref);
        assert_eq!(def.inputs[3].ty, ArgType::Fixed(DataType::String));
        assert!(def.is_stateful && def.is_commutative && !def.is_aggregate);
        assert_eq!(def.attr("N").unwrap().minimum, Some(1));
        assert_eq!(def.attr("T").unwrap().allowed.len(), 2);
        assert_eq!(def.attr("eps").unwrap().default, Some(AttrValue::Float(-0.001)));
        assert_eq!(def.attr("name").unwrap().default, Some(AttrValue::from("a'b")));
        assert_eq!(def.attr("k").unwrap().default, Some(AttrValue::from(vec![1i64, -2])));
    }

    #[test]
    fn mistakes_say_where() {
        let e = parse_signature("X(a: T) -> ()").unwrap_err();
        assert!(e.message().contains("'T' is no dtype"), "{e}");
    }
}
