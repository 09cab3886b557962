//! Loops in frames and loops run straight give the same results, whatever is in them.

use std::time::Duration;

use crate::common::loops::*;
use crate::common::*;
use downpour_graph::{Attrs, Endpoint, GraphBuilder};
use downpour_runtime::{RunRequest, Session, SessionOptions, StepOptions};
use downpour_tensor::{Code, DataType, Result, Tensor};

fn sessions(build: impl Fn(&mut GraphBuilder<'_>) -> Result<()>) -> [Session; 2] {
    let registry = registry();
    [1, 2].map(|inter_op| {
        let options = SessionOptions { inter_op, ..SessionOptions::default() };
        let session = session_on(&registry, options);
        session.extend(&graph(registry.ops(), &build)).unwrap();
        session
    })
}

#[test]
fn nested_loops_with_branches_count_right() {
    let expected = |n: i32| -> i32 {
        (0..n).flat_map(|i| (0..i).map(|j| if j % 2 == 0 { j } else { 100 })).sum()
    };
    for session in sessions(nested) {
        // With several threads the first steps run in frames, the later ones straight.
        for n in [0, 1, 2, 7, 20, 3, 0, 11] {
            let out = run(&session, &[("n", Tensor::scalar(n))], &["total"]).unwrap();
            assert_eq!(out[0].to_scalar::<i32>().unwrap(), expected(n), "n = {n}");
        }
    }
}

#[test]
fn an_error_inside_a_loop_names_the_node_inside() {
    // Counts down and divides by what is left, which is nothing in the end.
    let build = |b: &mut GraphBuilder<'_>| {
        let x = placeholder(b, "x", DataType::Int32)?;
        let one = b.constant(Tensor::scalar(1i32))?;
        let one = constant_in(b, "loop", one)?;
        let exits = while_loop(
            b,
            "loop",
            &[x],
            |b, v| b.op("GreaterEqual", &[v[0], one], Attrs::new()),
            |b, v| {
                let less = b.op("Sub", &[v[0], one], Attrs::new())?;
                let ratio = b.add_named("ratio", "FloorDiv", &[one, less], Attrs::new())?;
                let nothing = b.op("Sub", &[ratio.into(), ratio.into()], Attrs::new())?;
                Ok(vec![b.op("AddV2", &[less, nothing], Attrs::new())?])
            },
        )?;
        b.add_named("y", "Identity", &[exits[0]], Attrs::new()).map(drop)
    };
    for session in sessions(build) {
        for _ in 0..6 {
            let out = run(&session, &[("x", Tensor::scalar(0i32))], &["y"]).unwrap();
            assert_eq!(out[0].to_scalar::<i32>().unwrap(), 0);
            let e = run(&session, &[("x", Tensor::scalar(4i32))], &["y"]).unwrap_err();
            assert_eq!(e.code(), Code::InvalidArgument);
            assert!(e.message().contains("{{node ratio}}"), "{e}");
        }
    }
}

#[test]
fn an_endless_loop_ends_at_its_deadline() {
    let build = |b: &mut GraphBuilder<'_>| {
        let limit = placeholder(b, "limit", DataType::Int32)?;
        counting_loop(b, limit, 10)
    };
    for session in sessions(build) {
        for limit in [3, 4, 5, 6, i32::MAX] {
            let request = RunRequest {
                feeds: vec![("limit".into(), Tensor::scalar(limit))],
                fetches: vec!["exit".into()],
                targets: Vec::new(),
            };
            let timeout = (limit == i32::MAX).then_some(Duration::from_millis(50));
            let options = StepOptions { timeout, ..Default::default() };
            match session.run(request, &options) {
                Ok(out) => assert_eq!(out[0].to_scalar::<i32>().unwrap(), limit),
                Err(e) => assert!(limit == i32::MAX && e.code() == Code::DeadlineExceeded, "{e}"),
            }
        }
    }
}

#[test]
fn a_loop_on_a_branch_that_is_not_taken_is_dead() {
    let build = |b: &mut GraphBuilder<'_>| {
        let p = placeholder(b, "p", DataType::Bool)?;
        let x = placeholder(b, "x", DataType::Int32)?;
        let switch = b.add("Switch", &[x, p], Attrs::new())?;
        let yes = Endpoint { node: switch, port: 1 };
        let ten = b.constant(Tensor::scalar(10i32))?;
        let ten = b.add("Switch", &[ten, p], Attrs::new())?;
        let bound = constant_in(b, "loop", Endpoint { node: ten, port: 1 })?;
        let exits = while_loop(
            b,
            "loop",
            &[yes],
            |b, v| b.op("Less", &[v[0], bound], Attrs::new()),
            |b, v| Ok(vec![b.op("AddV2", &[v[0], v[0]], Attrs::new())?]),
        )?;
        let merged = [switch.into(), exits[0]];
        b.add_named("y", "Merge", &merged, Attrs::new()).map(drop)
    };
    for session in sessions(build) {
        for _ in 0..5 {
            for (p, expected) in [(true, 16i32), (false, 1)] {
                let feeds = [("p", Tensor::scalar(p)), ("x", Tensor::scalar(1i32))];
                let out = run(&session, &feeds, &["y"]).unwrap();
                assert_eq!(out[0].to_scalar::<i32>().unwrap(), expected);
            }
        }
    }
}
