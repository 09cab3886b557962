//! Types, values and documentation of generated functions.

use std::fmt::Write;

use downpour_graph::{ArgDef, ArgType, AttrDef, AttrType, AttrValue, GradientRule, OpDef, OpSpec};

/// The Rust type of an attribute as a parameter.
pub fn parameter_type(attr: &AttrDef) -> &'static str {
    match (attr.ty, attr.is_list) {
        (AttrType::Str, false) => "&str",
        (AttrType::Int, false) => "i64",
        (AttrType::Float, false) => "f32",
        (AttrType::Bool, false) => "bool",
        (AttrType::Type, false) => "DataType",
        (AttrType::Shape, false) => "&PartialShape",
        (AttrType::Tensor, false) => "&Tensor",
        (AttrType::Func, false) => "&Function",
        (AttrType::Str, true) => "&[&str]",
        (AttrType::Int, true) => "&[i64]",
        (AttrType::Float, true) => "&[f32]",
        (AttrType::Bool, true) => "&[bool]",
        (AttrType::Type, true) => "&[DataType]",
        (AttrType::Shape, true) => "&[PartialShape]",
        (AttrType::Tensor, true) => "&[Tensor]",
        (AttrType::Func, true) => "&[Function]",
    }
}

/// The expression that makes an attribute of a parameter.
pub fn setter_value(attr: &AttrDef, name: &str) -> String {
    match (attr.ty, attr.is_list) {
        (AttrType::Str, false) => format!("text({name})"),
        (AttrType::Str, true) => format!("texts({name})"),
        (AttrType::Shape | AttrType::Tensor | AttrType::Func, false) => {
            format!("{name}.clone().into()")
        }
        (_, false) => format!("{name}.into()"),
        (_, true) => format!("{name}.to_vec().into()"),
    }
}

fn value_text(value: &AttrValue) -> String {
    match value {
        AttrValue::Str(s) => format!("`\"{}\"`", String::from_utf8_lossy(s).escape_debug()),
        AttrValue::Int(v) => format!("`{v}`"),
        AttrValue::Float(v) => format!("`{v:?}`"),
        AttrValue::Bool(v) => format!("`{v}`"),
        AttrValue::Type(t) => t.name().to_string(),
        AttrValue::Shape(s) => format!("`{s}`"),
        AttrValue::Tensor(t) => format!("a {} tensor of shape `{}`", t.dtype(), t.shape()),
        AttrValue::Func(f) if f.name.is_empty() => "no function".to_string(),
        AttrValue::Func(f) => format!("the function `{}`", f.name),
        AttrValue::List(values) if values.is_empty() => "an empty list".to_string(),
        AttrValue::List(values) => values.iter().map(value_text).collect::<Vec<_>>().join(", "),
        AttrValue::Placeholder(name) => format!("`${name}`"),
    }
}

/// The default in words.
pub fn default_text(attr: &AttrDef) -> String {
    attr.default.as_ref().map(value_text).unwrap_or_default()
}

fn type_text(def: &OpDef, arg: &ArgDef) -> String {
    let of = |name: &str| match def.attr(name).map(|attr| attr.allowed.as_slice()) {
        Some(allowed) if !allowed.is_empty() => {
            format!("`{name}` ({})", allowed.iter().map(value_text).collect::<Vec<_>>().join(", "))
        }
        _ => format!("`{name}` (any type)"),
    };
    let one = match &arg.ty {
        ArgType::Fixed(dtype) => dtype.name().to_string(),
        ArgType::Attr(name) => of(name),
        ArgType::ListAttr(name) => format!("several, of types `{name}`"),
    };
    let several = arg.number_attr.as_ref().map(|n| format!("`{n}` values of ")).unwrap_or_default();
    format!("{several}{one}{}", if arg.is_ref { ", a reference" } else { "" })
}

fn attr_text(attr: &AttrDef) -> String {
    let mut text = match attr.is_list {
        true => format!("list({})", attr.ty.name()),
        false => attr.ty.name().to_string(),
    };
    if let Some(least) = attr.minimum {
        let _ = write!(text, ", at least {least}{}", if attr.is_list { " long" } else { "" });
    }
    if !attr.allowed.is_empty() {
        let allowed: Vec<String> = attr.allowed.iter().map(value_text).collect();
        let _ = write!(text, ", one of {}", allowed.join(", "));
    }
    text
}

/// The documentation of an operation's function.
pub fn doc(spec: &OpSpec, required: &[&AttrDef]) -> String {
    let def = &spec.def;
    let names = |args: &[ArgDef]| -> String {
        args.iter().map(|arg| arg.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let mut out =
        format!("/// `{}({}) -> ({})`.\n///\n", def.name, names(&def.inputs), names(&def.outputs));
    for arg in &def.inputs {
        let _ = writeln!(out, "/// * `{}`: {}", arg.name, type_text(def, arg));
    }
    for attr in required {
        let _ = writeln!(out, "/// * `{}`: attribute, {}", attr.name, attr_text(attr));
    }
    for arg in &def.outputs {
        let _ = writeln!(out, "/// * gives `{}`: {}", arg.name, type_text(def, arg));
    }
    if !out.ends_with("///\n") {
        out.push_str("///\n");
    }
    let gradient = match spec.gradient {
        GradientRule::Rule(_) => "Differentiable.",
        GradientRule::NotDifferentiable => "Gradients do not flow through it.",
        GradientRule::Missing => "Has no gradient.",
    };
    let state = if def.is_stateful { " Has state or effects." } else { "" };
    let _ = writeln!(out, "/// {gradient}{state}");
    out
}
