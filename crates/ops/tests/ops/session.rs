//! Sessions and the executor, with real operations: branches, errors, deadlines, partial runs.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use crate::common::*;
use downpour_graph::{Attrs, Endpoint, GraphBuilder};
use downpour_runtime::{CancellationToken, GraphOptions, RunRequest, StepOptions, StepTrace};
use downpour_tensor::{Code, DataType, Tensor};

#[test]
fn a_while_loop_counts_with_any_number_of_parallel_iterations() {
    for parallel in [1, 2, 10, 32] {
        let session = session(|b| {
            let limit = placeholder(b, "limit", DataType::Int32)?;
            counting_loop(b, limit, parallel)
        });
        for limit in [0i32, 1, 7, 1000] {
            let out = run(&session, &[("limit", Tensor::scalar(limit))], &["exit"]).unwrap();
            assert_eq!(out[0].to_scalar::<i32>().unwrap(), limit);
        }
    }
}

#[test]
fn a_branch_that_is_not_taken_does_not_run_and_cannot_be_fetched() {
    let session = session(|b| {
        let x = placeholder(b, "x", DataType::Float)?;
        let p = placeholder(b, "p", DataType::Bool)?;
        let switch = b.add("Switch", &[x, p], Attrs::new())?;
        let no = b.add_named("no", "Neg", &[switch.into()], Attrs::new())?;
        let yes = Endpoint { node: switch, port: 1 };
        let yes = b.add_named("yes", "Square", &[yes], Attrs::new())?;
        b.add_named("merged", "Merge", &[no.into(), yes.into()], Attrs::new())?;
        Ok(())
    });
    for (p, expected) in [(true, 9.0f32), (false, -3.0)] {
        let feeds = [("x", Tensor::scalar(3f32)), ("p", Tensor::scalar(p))];
        let out = run(&session, &feeds, &["merged", "merged:1"]).unwrap();
        assert_eq!(out[0].to_scalar::<f32>().unwrap(), expected);
        assert_eq!(out[1].to_scalar::<i32>().unwrap(), p as i32);
        let dead = run(&session, &feeds, &[if p { "no" } else { "yes" }]).unwrap_err();
        assert_eq!(dead.code(), Code::InvalidArgument);
        assert!(dead.message().contains("branch that was not taken"), "{dead}");
    }
}

#[test]
fn an_error_names_its_node_and_the_next_step_is_right() {
    let session = session(|b| {
        let x = placeholder(b, "x", DataType::Float)?;
        let y = placeholder(b, "y", DataType::Float)?;
        b.add_named("sum", "AddV2", &[x, y], Attrs::new())?;
        Ok(())
    });
    let vector = |n: usize| Tensor::vector(&vec![1f32; n]).unwrap();
    let e = run(&session, &[("x", vector(2)), ("y", vector(3))], &["sum"]).unwrap_err();
    assert_eq!(e.code(), Code::InvalidArgument);
    assert!(e.message().contains("{{node sum}}"), "{e}");
    let wrong = run(&session, &[("x", Tensor::scalar(1i32)), ("y", vector(3))], &["sum"]);
    assert!(wrong.unwrap_err().message().contains("int32"));
    let out = run(&session, &[("x", vector(3)), ("y", vector(3))], &["sum"]).unwrap();
    assert_eq!(out[0].as_slice::<f32>().unwrap(), &[2.0; 3]);
}

#[test]
fn all_missing_operations_are_named_at_once() {
    let registry = registry();
    let session = empty_session(&registry);
    let mut graph = graph(registry.ops(), |b| placeholder(b, "x", DataType::Float).map(drop));
    for (name, op) in [("a", "NoSuchOp"), ("b", "NorThisOne"), ("c", "NoSuchOp")] {
        graph.node.push(downpour_wire::proto::NodeDef {
            name: name.into(),
            op: op.into(),
            ..Default::default()
        });
    }
    let e = session.extend(&graph).unwrap_err();
    assert_eq!(e.code(), Code::NotFound);
    assert!(e.message().contains("'NoSuchOp'") && e.message().contains("'NorThisOne'"), "{e}");
    assert_eq!(session.graph_version(), 0, "a refused graph leaves the session as it was");
}

#[test]
fn an_endless_loop_ends_at_its_deadline_or_when_cancelled() {
    let session = Arc::new(session(|b| {
        let limit = placeholder(b, "limit", DataType::Int32)?;
        counting_loop(b, limit, 10)
    }));
    let request = || RunRequest {
        feeds: vec![("limit".into(), Tensor::scalar(i32::MAX))],
        fetches: vec!["exit".into()],
        targets: Vec::new(),
    };
    let timeout = Some(Duration::from_millis(50));
    let e = session.run(request(), &StepOptions { timeout, ..Default::default() }).unwrap_err();
    assert_eq!(e.code(), Code::DeadlineExceeded, "{e}");

    let token = CancellationToken::new();
    let options = StepOptions { cancellation: Some(token.clone()), ..Default::default() };
    let other = session.clone();
    let running = std::thread::spawn(move || other.run(request(), &options));
    std::thread::sleep(Duration::from_millis(30));
    token.cancel();
    assert_eq!(running.join().unwrap().unwrap_err().code(), Code::Cancelled);
}

#[test]
fn malformed_loops_are_refused_not_followed() {
    let without_enter = session(|b| {
        let x = placeholder(b, "x", DataType::Float)?;
        b.add_named("exit", "Exit", &[x], Attrs::new()).map(drop)
    });
    let e = run(&without_enter, &[("x", Tensor::scalar(1f32))], &["exit"]).unwrap_err();
    assert!(e.code() == Code::InvalidArgument && e.message().contains("exit"), "{e}");

    let cycle = session(|b| {
        let x = placeholder(b, "x", DataType::Float)?;
        let a = b.add("Neg", &[x], Attrs::new())?;
        let c = b.add_named("c", "Neg", &[a.into()], Attrs::new())?;
        b.graph.node_mut(a).inputs[0] = c.into();
        Ok(())
    });
    let e = run(&cycle, &[], &["c"]).unwrap_err();
    assert!(e.message().contains("cycle"), "{e}");

    // An Exit that is live in every iteration would deliver its value more than once.
    let leaking = session(|b| {
        let limit = placeholder(b, "limit", DataType::Int32)?;
        counting_loop(b, limit, 1)?;
        let merge = b.graph.find("Merge").expect("the loop has one");
        b.add_named("leak", "Exit", &[merge.into()], Attrs::new()).map(drop)
    });
    let e = run(&leaking, &[("limit", Tensor::scalar(3i32))], &["leak", "exit"]).unwrap_err();
    assert!(e.message().contains("more than one iteration"), "{e}");
}

#[test]
fn many_steps_run_at_the_same_time() {
    let session = Arc::new(session(|b| {
        let x = placeholder(b, "x", DataType::Int32)?;
        counting_loop(b, x, 4)
    }));
    let threads: Vec<_> = (0..8i32)
        .map(|i| {
            let session = session.clone();
            std::thread::spawn(move || {
                for n in 0..50 {
                    let limit = i * 7 + n;
                    let out = run(&session, &[("x", Tensor::scalar(limit))], &["exit"]).unwrap();
                    assert_eq!(out[0].to_scalar::<i32>().unwrap(), limit);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
}

#[test]
fn a_partial_run_is_fed_and_fetched_in_parts() {
    let session = session(|b| {
        let x = placeholder(b, "x", DataType::Float)?;
        let y = placeholder(b, "y", DataType::Float)?;
        let a = b.add_named("a", "Square", &[x], Attrs::new())?;
        b.add_named("b", "Mul", &[a.into(), y], Attrs::new()).map(drop)
    });
    let names = |list: &[&str]| list.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    let partial =
        session.partial_run_setup(names(&["x", "y"]), names(&["a", "b"]), Vec::new()).unwrap();
    let step = |feed: &str, value: f32, fetch: &str| {
        let (send, receive) = mpsc::channel();
        let request = RunRequest {
            feeds: vec![(feed.into(), Tensor::scalar(value))],
            fetches: names(&[fetch]),
            targets: Vec::new(),
        };
        partial.run(request, move |result| send.send(result).unwrap());
        receive.recv_timeout(Duration::from_secs(300)).unwrap()
    };
    assert_eq!(step("x", 3.0, "a").unwrap()[0].to_scalar::<f32>().unwrap(), 9.0);
    assert!(step("x", 4.0, "b").unwrap_err().message().contains("already been fed"));
    assert_eq!(step("y", 2.0, "b").unwrap()[0].to_scalar::<f32>().unwrap(), 18.0);
    assert!(partial.is_complete());
}

#[test]
fn a_trace_lists_what_ran() {
    let session = session(|b| {
        let x = placeholder(b, "x", DataType::Float)?;
        b.add_named("y", "Square", &[x], Attrs::new()).map(drop)
    });
    let trace = StepTrace::new();
    let request = RunRequest {
        feeds: vec![("x".into(), Tensor::scalar(2f32))],
        fetches: vec!["y".into()],
        targets: Vec::new(),
    };
    let options = StepOptions { trace: Some(trace.clone()), ..Default::default() };
    session.run(request, &options).unwrap();
    let nodes = trace.nodes();
    assert_eq!(nodes.len(), 1);
    assert_eq!((nodes[0].node.name.as_str(), nodes[0].outputs[0].bytes), ("y", 4));
}

#[test]
fn constants_are_folded_and_repeats_computed_once() {
    let registry = registry();
    let options = GraphOptions { fusion: false, ..GraphOptions::default() };
    let session = session_with(&registry, options);
    let proto = graph(registry.ops(), |b| {
        let one = b.constant(Tensor::scalar(1f32))?;
        let two = b.op("AddV2", &[one, one], Attrs::new())?;
        let x = placeholder(b, "x", DataType::Float)?;
        let a = b.op("Mul", &[x, two], Attrs::new())?;
        let c = b.op("Mul", &[x, two], Attrs::new())?;
        b.add_named("y", "AddV2", &[a, c], Attrs::new()).map(drop)
    });
    session.extend(&proto).unwrap();
    let names = |s: &str| vec![s.to_string()];
    let graph = session.compiled_graph(names("x"), names("y"), Vec::new()).unwrap();
    let count = |op: &str| graph.node.iter().filter(|n| n.op == op).count();
    assert_eq!((count("AddV2"), count("Mul"), count("Const")), (1, 1, 1), "{graph:?}");
    let out = run(&session, &[("x", Tensor::scalar(3f32))], &["y"]).unwrap();
    assert_eq!(out[0].to_scalar::<f32>().unwrap(), 12.0);
}

#[test]
fn a_value_that_is_only_waited_for_is_not_computed() {
    let registry = registry();
    let session = empty_session(&registry);
    let proto = graph(registry.ops(), |b| {
        let x = placeholder(b, "x", DataType::Float)?;
        let unused = b.add_named("unused", "MatMul", &[x, x], Attrs::new())?;
        let checked =
            b.add_named("checked", "CheckNumerics", &[x], Attrs::new().with("message", "bad"))?;
        let group = b.add_named("group", "NoOp", &[], Attrs::new())?;
        b.graph.node_mut(group).controls = vec![unused, checked];
        let y = b.add_named("y", "Identity", &[x], Attrs::new())?;
        b.graph.node_mut(y).controls = vec![group];
        Ok(())
    });
    session.extend(&proto).unwrap();
    let names = |s: &str| vec![s.to_string()];
    let graph = session.compiled_graph(names("x"), names("y"), Vec::new()).unwrap();
    let mut ops: Vec<&str> = graph.node.iter().map(|n| n.op.as_str()).collect();
    ops.sort_unstable();
    assert_eq!(ops, ["CheckNumerics", "Identity", "_Arg"]);
    // A vector is no matrix: the product would have been refused.
    let bad = Tensor::vector(&[1f32, f32::NAN]).unwrap();
    let e = run(&session, &[("x", bad)], &["y"]).unwrap_err();
    assert!(e.message().contains("checked"), "{e}");
}

#[test]
fn a_closed_session_refuses_steps() {
    let session = session(|b| placeholder(b, "x", DataType::Float).map(drop));
    session.close();
    let e = run(&session, &[("x", Tensor::scalar(2f32))], &["x"]).unwrap_err();
    assert_eq!(e.code(), Code::Cancelled);
}

#[test]
fn chains_and_biases_are_fused_and_give_the_same_numbers() {
    let build = |b: &mut GraphBuilder<'_>| {
        let x = placeholder(b, "x", DataType::Float)?;
        let w = placeholder(b, "w", DataType::Float)?;
        let bias = placeholder(b, "bias", DataType::Float)?;
        let product = b.op("MatMul", &[x, w], Attrs::new())?;
        let sum = b.op("BiasAdd", &[product, bias], Attrs::new())?;
        let active = b.op("Relu", &[sum], Attrs::new())?;
        let two = b.constant(Tensor::scalar(2f32))?;
        let doubled = b.op("Mul", &[active, two], Attrs::new())?;
        let squared = b.op("Square", &[doubled], Attrs::new())?;
        b.add_named("y", "Sub", &[squared, active], Attrs::new()).map(drop)
    };
    let registry = registry();
    let plain = empty_session(&registry);
    plain.extend(&graph(registry.ops(), build)).unwrap();
    let names = |list: &[&str]| list.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    let compiled =
        plain.compiled_graph(names(&["x", "w", "bias"]), names(&["y"]), Vec::new()).unwrap();
    let mut ops: Vec<&str> = compiled.node.iter().map(|n| n.op.as_str()).collect();
    ops.retain(|op| *op != "_Arg");
    ops.sort_unstable();
    assert_eq!(ops, ["_FusedElementwise", "_FusedMatMul"]);
    assert!(compiled.node.iter().any(|n| n.name == "y"), "the last node keeps its name");

    let feeds = [
        ("x", Tensor::from_vec([2, 2], vec![1f32, 2.0, 3.0, -4.0]).unwrap()),
        ("w", Tensor::from_vec([2, 2], vec![1f32, 0.0, 0.5, 1.0]).unwrap()),
        ("bias", Tensor::vector(&[0.5f32, -1.0]).unwrap()),
    ];
    let out = run(&plain, &feeds, &["y"]).unwrap();
    let active = [2.5f32, 1.0, 1.5, 0.0];
    let expected: Vec<f32> = active.iter().map(|a| 4.0 * a * a - a).collect();
    assert_eq!(out[0].as_slice::<f32>().unwrap(), &expected[..]);
}
