//! A worker that pushes to a parameter server and pulls from it: `downpour-bench-service ADDRESS [MEGABYTES]`.
//!
//! The server is `downpour serve`. For every line on stdin, a number of seconds, it pushes and pulls for so long and
//! prints the seconds of each push and pull together as a list. `benches/cluster_against_tensorflow.py` drives it.

use std::io::BufRead;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_cluster::{Dialer, GradientInput, Metrics, Tcp, UpdateProgram, parameter_server};
use downpour_params::{Client, Definition, Gradient, Mode, Patience, Update};
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::{AttrValue, GraphDef, NodeDef, VersionDef, attr_value::Value};
use downpour_wire::{Message, shape_to_proto, tensor_to_proto};

/// The variables of the server: what is pushed to, and the counter of steps.
const NAMES: [&str; 2] = ["w", "global_step"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let megabytes = arguments.get(1).map_or(Some(100), |text| text.parse().ok());
    let (Some(address), Some(megabytes)) = (arguments.first(), megabytes) else {
        eprintln!(
            "usage: downpour-bench-service ADDRESS [MEGABYTES] (see benches/cluster_against_tensorflow.py)"
        );
        return ExitCode::FAILURE;
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let run = runtime.map_err(|e| Status::internal(e.to_string()));
    match run.and_then(|runtime| runtime.block_on(run_with(address, megabytes))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(status) => {
            eprintln!("error: {}", status.message());
            ExitCode::FAILURE
        }
    }
}

async fn run_with(address: &str, megabytes: usize) -> Result<()> {
    let numbers = megabytes * 1_000_000 / 4;
    let dialer = Dialer::new(Arc::new(Tcp), Metrics::new());
    let shard = parameter_server(&dialer, "ps/0", address);
    let client = Client::new(0, 1, vec![shard], Patience::default());
    let program = program(numbers)?.to_bytes();
    client.define(&[Definition { program, mode: Mode::AtOnce }]).await?;
    client.join().await?;
    let zeros = Tensor::zeros(DataType::Float, [numbers])?;
    let values = [(NAMES[0].to_string(), zeros), (NAMES[1].to_string(), Tensor::scalar(0i64))];
    client.put(0, &values, true, 0).await?;
    let gradient = Tensor::vector(&vec![1f32; numbers])?;
    let update = Update {
        gradients: vec![(NAMES[0].to_string(), Gradient::Dense(gradient))],
        set: Vec::new(),
    };
    let names = [vec![NAMES[0].to_string()]];
    let mut pushed = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| Status::internal(e.to_string()))?;
        let seconds: f64 = line
            .trim()
            .parse()
            .map_err(|_| Status::invalid_argument(format!("{line:?} is no number of seconds")))?;
        let end = Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, 3600.0));
        let mut times = Vec::new();
        while Instant::now() < end || times.len() < 3 {
            let begun = Instant::now();
            client.push(std::slice::from_ref(&update), 1).await?;
            let pulled = client.pull(&names).await?;
            times.push(begun.elapsed().as_secs_f64());
            pushed += 1;
            // A wrong sum is not worth timing.
            let value = pulled[0].values[0].1.as_slice::<f32>()?;
            if (value.first(), value.last()) != (Some(&(pushed as f32)), Some(&(pushed as f32))) {
                return Err(Status::internal(format!("the sum of {pushed} pushes is wrong")));
            }
        }
        println!("{times:?}");
    }
    Ok(())
}

/// Adds what is pushed, as `assign_add` does.
fn program(numbers: usize) -> Result<UpdateProgram> {
    let shape = Value::Shape(shape_to_proto(&[numbers]));
    let float = Value::Type(DataType::Float as i32);
    let long = Value::Type(DataType::Int64 as i32);
    let scalar = Value::Shape(shape_to_proto(&[]));
    let one = Value::Tensor(Box::new(tensor_to_proto(&Tensor::scalar(1i64))?));
    let named = |name: &str| Value::S(name.as_bytes().to_vec().into());
    let handle = |name: &str, dtype: &Value, shape: &Value| {
        let attributes =
            [("dtype", dtype.clone()), ("shape", shape.clone()), ("shared_name", named(name))];
        node(name, "VarHandleOp", &[], &attributes)
    };
    let graph = GraphDef {
        node: vec![
            handle(NAMES[0], &float, &shape),
            handle(NAMES[1], &long, &scalar),
            node(
                "gradient",
                "Placeholder",
                &[],
                &[("dtype", float.clone()), ("shape", shape.clone())],
            ),
            node("one", "Const", &[], &[("dtype", long.clone()), ("value", one)]),
            node(
                "add",
                "AssignAddVariableOp",
                &[NAMES[0], "gradient"],
                &[("dtype", float.clone())],
            ),
            node("count", "AssignAddVariableOp", &[NAMES[1], "one"], &[("dtype", long.clone())]),
            node("apply", "NoOp", &["^add", "^count"], &[]),
        ],
        versions: Some(VersionDef { producer: 1395, ..Default::default() }),
        ..Default::default()
    };
    Ok(UpdateProgram {
        graph: graph.encode_to_vec().into(),
        inputs: vec![GradientInput {
            variable: NAMES[0].to_string(),
            values: "gradient".to_string(),
            indices: String::new(),
        }],
        apply: "apply".to_string(),
        global_step: NAMES[1].to_string(),
        variables: NAMES.map(String::from).to_vec(),
        apart: None,
    })
}

fn node(name: &str, op: &str, inputs: &[&str], attributes: &[(&str, Value)]) -> NodeDef {
    let attribute = |(name, value): &(&str, Value)| {
        (name.to_string(), AttrValue { value: Some(value.clone()) })
    };
    NodeDef {
        name: name.to_string(),
        op: op.to_string(),
        input: inputs.iter().map(|input| input.to_string()).collect(),
        attr: attributes.iter().map(attribute).collect(),
        ..Default::default()
    }
}
