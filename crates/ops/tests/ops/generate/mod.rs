//! Writes the library's typed functions from operation definitions.

mod names;
mod text;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use downpour_graph::{ArgDef, ArgType, AttrDef, OpDef, OpSpec};

use names::{Taken, snake};
use text::{default_text, doc, parameter_type, setter_value};

/// The files of a family below the library's `ops`: its list, and one for every operation but the internal ones.
pub fn family<'a>(
    name: &str,
    specs: impl Iterator<Item = &'a Arc<OpSpec>>,
) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut list = format!(
        "//! Operations of the family `{name}`. Generated from their definitions by `cargo xtask generate-ops`.\n\n"
    );
    for spec in specs.filter(|spec| !spec.def.is_internal()) {
        let module = snake(&spec.def.name);
        if module == name {
            list.push_str(
                "#[allow(clippy::module_inception)] // an operation with the family's name\n",
            );
        }
        // In turns, so that formatting has nothing to sort.
        let _ = writeln!(list, "mod {module};\npub use {module}::*;");
        let mut text = format!(
            "//! `{}`. Generated from its definition by `cargo xtask generate-ops`.\n\n\
             #[allow(unused_imports)] // which of these it needs depends on its arguments\n\
             use crate::ops::support::*;\n",
            spec.def.name
        );
        operation(&mut text, spec);
        files.insert(format!("{name}/{module}.rs"), text);
    }
    files.insert(format!("{name}.rs"), list);
    files
}

/// True for an argument that stands for several values.
fn is_list(arg: &ArgDef) -> bool {
    arg.number_attr.is_some() || matches!(arg.ty, ArgType::ListAttr(_))
}

/// True for attributes that follow from the inputs.
fn is_inferred(def: &OpDef, attr: &AttrDef) -> bool {
    def.inputs.iter().any(|arg| {
        let ty = match &arg.ty {
            ArgType::Attr(name) | ArgType::ListAttr(name) => Some(name),
            ArgType::Fixed(_) => None,
        };
        ty == Some(&attr.name) || arg.number_attr.as_ref() == Some(&attr.name)
    })
}

/// True when an input says by itself in which graph the node belongs.
fn has_graph(def: &OpDef) -> bool {
    def.inputs.iter().any(|arg| {
        let list = match &arg.ty {
            ArgType::ListAttr(name) => Some(name),
            _ => arg.number_attr.as_ref(),
        };
        match list {
            None => true,
            Some(name) => def.attr(name).and_then(|a| a.minimum).is_some_and(|least| least > 0),
        }
    })
}

fn operation(out: &mut String, spec: &OpSpec) {
    let def = &spec.def;
    let attrs: Vec<&AttrDef> = def.attrs.iter().filter(|a| !is_inferred(def, a)).collect();
    let (required, optional): (Vec<&AttrDef>, Vec<&AttrDef>) =
        attrs.into_iter().partition(|attr| attr.default.is_none());
    let mut taken = Taken::new(&["graph"]);
    let inputs: Vec<(String, &ArgDef)> =
        def.inputs.iter().map(|arg| (taken.name(&arg.name), arg)).collect();
    let arguments: Vec<(String, &AttrDef)> =
        required.iter().map(|attr| (taken.name(&attr.name), *attr)).collect();
    let result = Result::of(def);
    let own_type = !optional.is_empty() || matches!(result, Result::Several);
    let returned = if own_type { def.name.clone() } else { result.shared().to_string() };

    // The function.
    let _ = write!(out, "\n{}", doc(spec, &required));
    let mut parameters = Vec::new();
    if !has_graph(def) {
        parameters.push("graph: &Graph".to_string());
    }
    for (name, arg) in &inputs {
        let ty = if is_list(arg) { "&[Output]" } else { "&Output" };
        parameters.push(format!("{name}: {ty}"));
    }
    for (name, attr) in &arguments {
        parameters.push(format!("{name}: {}", parameter_type(attr)));
    }
    if parameters.len() > 7 {
        out.push_str("#[allow(clippy::too_many_arguments)] // as many as the operation has\n");
    }
    let _ =
        writeln!(out, "pub fn {}({}) -> {returned} {{", snake(&def.name), parameters.join(", "));
    let start = match has_graph(def) {
        true => format!("NodeBuilder::new(\"{}\")", def.name),
        false => format!("NodeBuilder::in_graph(graph, \"{}\")", def.name),
    };
    let mutable = if arguments.is_empty() { "" } else { "mut " };
    let _ = write!(out, "    let {mutable}node = {start}");
    for (name, arg) in &inputs {
        let _ = write!(out, ".{}({name})", if is_list(arg) { "list" } else { "input" });
    }
    out.push_str(";\n");
    for (name, attr) in &arguments {
        let _ = writeln!(out, "    node.set(\"{}\", {});", attr.name, setter_value(attr, name));
    }
    let _ = writeln!(out, "    {returned}(node)\n}}");
    if own_type {
        builder(out, def, &optional, &result);
    }
}

fn builder(out: &mut String, def: &OpDef, optional: &[&AttrDef], result: &Result) {
    let name = &def.name;
    let _ = write!(
        out,
        "\n/// A `{name}` about to be added.\n#[must_use = \"nothing is added before `build`\"]\n\
         pub struct {name}(NodeBuilder);\n\nimpl {name} {{\n"
    );
    let mut taken = Taken::new(&["name", "build"]);
    for attr in optional {
        let method = taken.name(&attr.name);
        let value = setter_value(attr, "value");
        let _ = write!(
            out,
            "    /// The attribute `{}`; {} unless set.\n    pub fn {method}(mut self, value: {}) -> {name} {{\n        \
             self.0.set(\"{}\", {value});\n        self\n    }}\n\n",
            attr.name,
            default_text(attr),
            parameter_type(attr),
            attr.name,
        );
    }
    let _ = write!(
        out,
        "    /// Names the node.\n    pub fn name(self, name: &str) -> {name} {{\n        {name}(self.0.name(name))\n    }}\n\n"
    );
    let (ty, body) = result.build(def);
    if matches!(result, Result::Several) && def.outputs.len() >= MANY {
        let mut taken = Taken::new(&[]);
        let start = out.rfind(&format!("\n/// A `{name}` about")).unwrap_or(out.len());
        let mut values = format!("\n/// The values of a `{name}`.\npub struct {name}Values {{\n");
        for arg in &def.outputs {
            let ty = if is_list(arg) { "Vec<Output>" } else { "Output" };
            let _ = writeln!(
                values,
                "    /// `{}`.\n    pub {}: {ty},",
                arg.name,
                taken.name(&arg.name)
            );
        }
        values.push_str("}\n");
        out.insert_str(start, &values);
    }
    let what = result.describe(def);
    let _ = write!(
        out,
        "    /// Adds the node{what}.\n    pub fn build(self) -> Result<{ty}> {{\n{body}    }}\n}}\n"
    );
}

/// From so many results on they have names instead of places.
const MANY: usize = 4;

/// What adding a node gives.
enum Result {
    Operation,
    One,
    List,
    Several,
}

impl Result {
    fn of(def: &OpDef) -> Result {
        match def.outputs.as_slice() {
            [] => Result::Operation,
            [one] if is_list(one) => Result::List,
            [_] => Result::One,
            _ => Result::Several,
        }
    }

    /// The builder that operations without options share.
    fn shared(&self) -> &'static str {
        match self {
            Result::Operation => "ForOperation",
            Result::One => "ForOutput",
            Result::List | Result::Several => "ForOutputs",
        }
    }

    fn describe(&self, def: &OpDef) -> String {
        match self {
            Result::Operation => String::new(),
            Result::One | Result::List => format!(" and gives `{}`", def.outputs[0].name),
            Result::Several => {
                let names: Vec<String> =
                    def.outputs.iter().map(|arg| format!("`{}`", arg.name)).collect();
                format!(" and gives ({})", names.join(", "))
            }
        }
    }

    /// The type and the body of `build`.
    fn build(&self, def: &OpDef) -> (String, String) {
        match self {
            Result::Operation => ("Operation".into(), "        self.0.operation()\n".into()),
            Result::One => ("Output".into(), "        self.0.output()\n".into()),
            Result::List => ("Vec<Output>".into(), "        self.0.outputs()\n".into()),
            Result::Several => {
                let one = |arg: &ArgDef| if is_list(arg) { "Vec<Output>" } else { "Output" };
                let types: Vec<&str> = def.outputs.iter().map(one).collect();
                let lists = def.outputs.iter().any(is_list);
                let mut body = "        let operation = self.0.operation()?;\n".to_string();
                let values: Vec<String> = def
                    .outputs
                    .iter()
                    .enumerate()
                    .map(|(i, arg)| match (lists, is_list(arg)) {
                        (false, _) => format!("operation.output({i})?"),
                        (true, true) => format!("operation.named_outputs(\"{}\")?", arg.name),
                        (true, false) => {
                            format!("only(operation.named_outputs(\"{}\")?)?", arg.name)
                        }
                    })
                    .collect();
                if def.outputs.len() >= MANY {
                    let mut taken = Taken::new(&[]);
                    let fields: Vec<String> = def
                        .outputs
                        .iter()
                        .zip(values)
                        .map(|(arg, value)| format!("{}: {value}", taken.name(&arg.name)))
                        .collect();
                    let ty = format!("{}Values", def.name);
                    let _ = writeln!(body, "        Ok({ty} {{ {} }})", fields.join(", "));
                    return (ty, body);
                }
                let _ = writeln!(body, "        Ok(({}))", values.join(", "));
                (format!("({})", types.join(", ")), body)
            }
        }
    }
}
