//! `downpour gradients`: a graph with the nodes added that compute its gradients.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use downpour_graph::differentiate::{Differentiate, densify, gradients};
use downpour_graph::{
    FunctionLibrary, Gradient, Graph, GraphBuilder, OpRegistry, export_graph, import_graph,
};
use downpour_tensor::{Result, Status};
use downpour_wire::Message;
use downpour_wire::proto::attr_value::Value;
use downpour_wire::proto::{AttrValue, FunctionDef, GraphDef, NodeDef};
use serde::{Deserialize, Serialize};

#[derive(Args)]
pub struct GradientsArgs {
    /// The graph: an encoded GraphDef message.
    #[arg(required_unless_present = "batch")]
    graph: Option<PathBuf>,
    /// A value to differentiate (several are summed): a node's name, or NAME:PORT for a further output.
    #[arg(long, value_name = "TENSOR", num_args = 1.., required_unless_present = "batch")]
    of: Vec<String>,
    /// A value to differentiate by.
    #[arg(long, value_name = "TENSOR", num_args = 1.., required_unless_present = "batch")]
    by: Vec<String>,
    /// The gradient to start from, one for each --of (default: ones).
    #[arg(long, value_name = "TENSOR", num_args = 1..)]
    start: Vec<String>,
    /// A value to treat as constant.
    #[arg(long, value_name = "TENSOR", num_args = 1..)]
    constant: Vec<String>,
    /// Make one tensor of gradients that are rows of a table (IndexedSlices).
    #[arg(long)]
    dense: bool,
    /// Put the nodes of a gradient where the node stands that they belong to.
    #[arg(long)]
    colocate: bool,
    /// Where to write the graph with its gradients.
    #[arg(long, value_name = "FILE", required_unless_present = "batch")]
    out: Option<PathBuf>,
    /// Print one JSON object instead of a line per gradient.
    #[arg(long)]
    json: bool,
    /// Read requests from standard input, one JSON object a line with the options above as fields
    /// (graph, of, by, start, constant, dense, colocate, out), and answer each with a line.
    #[arg(long, conflicts_with_all = ["graph", "of", "by", "start", "constant", "dense", "colocate", "out"])]
    batch: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    graph: PathBuf,
    of: Vec<String>,
    by: Vec<String>,
    #[serde(default)]
    start: Vec<Option<String>>,
    #[serde(default)]
    constant: Vec<String>,
    #[serde(default)]
    dense: bool,
    #[serde(default)]
    colocate: bool,
    out: PathBuf,
}

/// A gradient by the names of its tensors; `null` in JSON where nothing flows.
#[derive(Serialize)]
#[serde(untagged)]
enum Named {
    None,
    Dense { tensor: String },
    Sparse { values: String, indices: String, dense_shape: String },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Gradients { gradients: Vec<Named> },
    Refused { error: String, code: String },
}

pub fn run(args: GradientsArgs) -> Result<()> {
    let registry = downpour_ops::registry()?;
    if args.batch {
        return batch(registry.ops());
    }
    let (Some(graph), Some(out)) = (args.graph, args.out) else {
        return Err(Status::invalid_argument("a graph and --out are needed"));
    };
    let request = Request {
        graph,
        of: args.of,
        by: args.by,
        start: args.start.into_iter().map(Some).collect(),
        constant: args.constant,
        dense: args.dense,
        colocate: args.colocate,
        out,
    };
    let found = answer(&request, registry.ops())?;
    let text = if args.json {
        to_json(&Answer::Gradients { gradients: found })?
    } else {
        let lines: Vec<String> =
            request.by.iter().zip(&found).map(|(x, grad)| format!("{x} {grad}")).collect();
        lines.join("\n")
    };
    print(&text).map(drop)
}

/// Answers until standard input ends; a request that fails does not end the others.
fn batch(registry: &OpRegistry) -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| Status::internal(format!("cannot read: {e}")))?;
        if line.trim().is_empty() {
            continue;
        }
        let result = serde_json::from_str::<Request>(&line)
            .map_err(|e| Status::invalid_argument(format!("not a request: {e}")))
            .and_then(|request| answer(&request, registry));
        let reply = match result {
            Ok(gradients) => Answer::Gradients { gradients },
            Err(status) => Answer::Refused {
                error: status.message().to_string(),
                code: format!("{:?}", status.code()),
            },
        };
        if !print(&to_json(&reply)?)? {
            return Ok(());
        }
    }
    Ok(())
}

fn answer(request: &Request, registry: &OpRegistry) -> Result<Vec<Named>> {
    let mut proto = read(&request.graph)?;
    let mut library = FunctionLibrary::new();
    if let Some(functions) = &proto.library {
        library.extend(functions)?;
    }
    let mut graph = Graph::new();
    import_graph(&mut graph, &proto, registry, &library)?;
    let ends = |names: &[String]| {
        names.iter().map(|name| graph.find_endpoint(name)).collect::<Result<Vec<_>>>()
    };
    let mut grad_ys = Vec::new();
    for name in &request.start {
        grad_ys.push(match name {
            Some(name) => Gradient::Dense(graph.find_endpoint(name)?),
            None => Gradient::None,
        });
    }
    let wanted = Differentiate {
        ys: ends(&request.of)?,
        xs: ends(&request.by)?,
        grad_ys,
        stop_gradients: ends(&request.constant)?,
        colocate: request.colocate,
        ..Differentiate::default()
    };
    let mut found = gradients(&mut graph, registry, &mut library, &wanted)?;
    if request.dense {
        let mut builder = GraphBuilder::new(&mut graph, registry).in_scope("gradients/dense");
        for grad in &mut found {
            *grad = densify(&mut builder, *grad)?.map_or(Gradient::None, Gradient::Dense);
        }
    }
    let named = found.iter().map(|grad| name(&graph, *grad)).collect();
    // What came stays byte for byte, but for calls that were opened and loops that keep more.
    let mut nodes: HashMap<String, NodeDef> =
        export_graph(&graph)?.node.into_iter().map(|node| (node.name.clone(), node)).collect();
    for old in &mut proto.node {
        if let Some(new) = nodes.remove(&old.name)
            && (old.op != new.op || functions(old) != functions(&new))
        {
            *old = new;
        }
    }
    let added = graph.nodes().filter_map(|(_, node)| nodes.remove(&node.name));
    proto.node.extend(added);
    add_functions(&mut proto, &library);
    std::fs::write(&request.out, proto.encode_to_vec()).map_err(|e| {
        Status::unavailable(format!("cannot write '{}': {e}", request.out.display()))
    })?;
    Ok(named)
}

/// What a node calls, by attribute.
fn functions(node: &NodeDef) -> Vec<(&String, &AttrValue)> {
    let calls = |value: &AttrValue| match &value.value {
        Some(Value::Func(_)) => true,
        Some(Value::List(list)) => !list.func.is_empty(),
        _ => false,
    };
    node.attr.iter().filter(|(_, value)| calls(value)).collect()
}

fn add_functions(proto: &mut GraphDef, library: &FunctionLibrary) {
    let name = |function: &FunctionDef| function.signature.as_ref().map(|s| s.name.clone());
    let there: HashSet<Option<String>> =
        proto.library.iter().flat_map(|library| &library.function).map(name).collect();
    let added = library.to_proto().function.into_iter().filter(|f| !there.contains(&name(f)));
    let added: Vec<FunctionDef> = added.collect();
    if !added.is_empty() {
        proto.library.get_or_insert_default().function.extend(added);
    }
}

fn read(path: &Path) -> Result<GraphDef> {
    let bytes = std::fs::read(path)
        .map_err(|e| Status::not_found(format!("cannot read '{}': {e}", path.display())))?;
    GraphDef::decode(bytes.as_slice()).map_err(|e| {
        Status::invalid_argument(format!(
            "'{}' is not an encoded GraphDef ({e}); save one with \
             tf.io.write_graph(graph, folder, name, as_text=False)",
            path.display()
        ))
    })
}

fn name(graph: &Graph, grad: Gradient) -> Named {
    match grad {
        Gradient::None => Named::None,
        Gradient::Dense(end) => Named::Dense { tensor: graph.endpoint_name(end) },
        Gradient::Sparse { values, indices, dense_shape } => Named::Sparse {
            values: graph.endpoint_name(values),
            indices: graph.endpoint_name(indices),
            dense_shape: graph.endpoint_name(dense_shape),
        },
    }
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Named::None => f.write_str("none"),
            Named::Dense { tensor } => f.write_str(tensor),
            Named::Sparse { values, indices, dense_shape } => {
                write!(f, "values={values} indices={indices} dense_shape={dense_shape}")
            }
        }
    }
}

fn to_json(answer: &Answer) -> Result<String> {
    serde_json::to_string(answer)
        .map_err(|e| Status::internal(format!("cannot write the answer: {e}")))
}

/// False when the reader has gone.
fn print(text: &str) -> Result<bool> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        Err(e) => Err(Status::internal(format!("cannot write: {e}"))),
        Ok(()) => Ok(true),
    }
}
