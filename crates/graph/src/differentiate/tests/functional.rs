//! Loops and conditionals of functions: their gradients beside differences of their values.

use std::collections::HashMap;

use downpour_tensor::{DataType, Result, Tensor};

use super::numbers::{FLOAT, Run, Value, registry};
use crate::differentiate::{Differentiate, gradients};
use crate::{
    Attrs, Endpoint, FunctionBuilder, FunctionLibrary, Gradient, Graph, GraphBuilder, OpRegistry,
    add_if, add_while,
};

type Built = FunctionBuilder<'static>;

/// A graph under test with its library.
struct Bench {
    ops: &'static OpRegistry,
    graph: Graph,
    library: FunctionLibrary,
}

/// Inside a function: its own arguments, and what it captures of the graph around it.
struct Inside<'a> {
    function: Built,
    outer: &'a Graph,
}

impl Inside<'_> {
    fn op(&mut self, op: &str, inputs: &[Endpoint]) -> Endpoint {
        self.function.builder().op(op, inputs, Attrs::new()).unwrap()
    }

    fn outside(&mut self, value: Endpoint) -> Endpoint {
        self.function.capture(self.outer, value).unwrap()
    }

    fn number(&mut self, value: f64) -> Endpoint {
        self.function.builder().constant(Tensor::scalar(value)).unwrap()
    }
}

impl Bench {
    fn new() -> Bench {
        let ops = Box::leak(Box::new(registry()));
        Bench { ops, graph: Graph::new(), library: FunctionLibrary::new() }
    }

    fn builder(&mut self) -> GraphBuilder<'_> {
        GraphBuilder::new(&mut self.graph, self.ops)
    }

    fn placeholder(&mut self, name: &str) -> Endpoint {
        let attrs = Attrs::new().with("dtype", FLOAT);
        self.builder().add_named(name, "Placeholder", &[], attrs).unwrap().into()
    }

    fn op(&mut self, op: &str, inputs: &[Endpoint]) -> Endpoint {
        self.builder().op(op, inputs, Attrs::new()).unwrap()
    }

    /// `repeat(times, initial, body)`: a counter beside the other variables.
    fn repeat(
        &mut self,
        times: f64,
        initial: &[Endpoint],
        body: impl FnOnce(&mut Inside<'_>, &[Endpoint]) -> Vec<Endpoint>,
    ) -> Vec<Endpoint> {
        let zero = self.builder().constant(Tensor::scalar(0f64)).unwrap();
        let initial: Vec<Endpoint> = std::iter::once(zero).chain(initial.iter().copied()).collect();
        let mut cond = self.inside(initial.len());
        let (count, most) = (cond.0.function.graph().find("x").unwrap(), cond.0.number(times));
        let less = cond.0.op("Less", &[count.into(), most]);
        let cond = cond.0.function.finish(&[less]);
        let (mut inside, args) = self.inside(initial.len());
        let one = inside.number(1.0);
        let mut results = vec![inside.op("AddV2", &[args[0], one])];
        results.extend(body(&mut inside, &args[1..]));
        let body = inside.function.finish(&results);
        let mut builder = GraphBuilder::new(&mut self.graph, self.ops);
        let all = add_while(&mut builder, &mut self.library, "loop", &initial, cond, body).unwrap();
        all[1..].to_vec()
    }

    fn inside(&self, args: usize) -> (Inside<'_>, Vec<Endpoint>) {
        let mut function = FunctionBuilder::new(self.ops);
        let args = (0..args).map(|_| function.arg("x", FLOAT).unwrap()).collect();
        (Inside { function, outer: &self.graph }, args)
    }

    fn choose(
        &mut self,
        pred: Endpoint,
        then: impl FnOnce(&mut Inside<'_>) -> Endpoint,
        otherwise: impl FnOnce(&mut Inside<'_>) -> Endpoint,
    ) -> Endpoint {
        let (mut inside, _) = self.inside(0);
        let result = then(&mut inside);
        let then = inside.function.finish(&[result]);
        let (mut inside, _) = self.inside(0);
        let result = otherwise(&mut inside);
        let otherwise = inside.function.finish(&[result]);
        let mut builder = GraphBuilder::new(&mut self.graph, self.ops);
        add_if(&mut builder, &mut self.library, "choice", pred, then, otherwise).unwrap()[0]
    }

    fn differentiate(&mut self, y: Endpoint, xs: &[Endpoint]) -> Result<Vec<Gradient>> {
        let wanted = Differentiate { ys: vec![y], xs: xs.to_vec(), ..Differentiate::default() };
        gradients(&mut self.graph, self.ops, &mut self.library, &wanted)
    }

    fn gradient(&mut self, y: Endpoint, x: Endpoint) -> Endpoint {
        match self.differentiate(y, &[x]).unwrap()[0] {
            Gradient::Dense(end) => end,
            other => panic!("{other:?}"),
        }
    }

    fn value(&self, end: Endpoint, feeds: &[(Endpoint, f64)]) -> f64 {
        let known: HashMap<Endpoint, Value> =
            feeds.iter().map(|(end, x)| (*end, Value::Number(*x))).collect();
        let mut run = Run { graph: &self.graph, ops: self.ops, library: &self.library, known };
        run.value(end).number()
    }

    /// Checks the first and second derivatives of `y` by `x` at some places.
    fn check(&mut self, y: Endpoint, x: Endpoint, places: &[f64]) {
        let slope = self.gradient(y, x);
        let bend = self.gradient(slope, x);
        for &place in places {
            for (f, df) in [(y, slope), (slope, bend)] {
                let step = 1e-5 * place.abs().max(0.1);
                let at = |x0: f64| self.value(f, &[(x, x0)]);
                let expected = (at(place + step) - at(place - step)) / (2.0 * step);
                let found = self.value(df, &[(x, place)]);
                let error = (found - expected).abs() / expected.abs().max(1.0);
                assert!(error < 1e-5, "at {place}: {found}, expected {expected}");
            }
        }
    }
}

#[test]
fn a_power_by_a_loop() {
    let mut bench = Bench::new();
    let x = bench.placeholder("x");
    let y = bench.repeat(3.0, &[x], |inside, args| {
        let x = inside.outside(x);
        vec![inside.op("Mul", &[args[0], x])]
    })[0];
    bench.check(y, x, &[1.5, -0.7]);
    let slope = bench.gradient(y, x);
    assert_eq!(bench.value(slope, &[(x, 2.0)]), 32.0);
}

#[test]
fn only_what_the_gradient_needs_is_kept() {
    let mut bench = Bench::new();
    let x = bench.placeholder("x");
    let factor = bench.placeholder("factor");
    let y = bench.repeat(3.0, &[x], |inside, args| {
        let factor = inside.outside(factor);
        vec![inside.op("Mul", &[args[0], factor])]
    })[0];
    bench.differentiate(y, &[x]).unwrap();
    // The factor never changes: no list is needed, the counter is the only new variable.
    let node = bench.graph.node(y.node);
    assert_eq!(node.dtypes("T").unwrap(), [FLOAT, FLOAT, FLOAT, DataType::Int32]);
    bench.differentiate(y, &[factor]).unwrap();
    let lists = bench.graph.node(y.node).dtypes("T").unwrap();
    assert_eq!(lists.iter().filter(|t| **t == DataType::Variant).count(), 1);
}

#[test]
fn variables_that_lead_to_each_other() {
    let mut bench = Bench::new();
    let x = bench.placeholder("x");
    let square = bench.op("Mul", &[x, x]);
    let results = bench.repeat(4.0, &[x, square, x], |inside, args| {
        let small = inside.number(0.1);
        let grown = inside.op("Mul", &[args[1], small]);
        let first = inside.op("Exp", &[grown]);
        let second = inside.op("AddV2", &[args[0], args[2]]);
        vec![first, second, args[2]]
    });
    bench.check(results[0], x, &[0.4, -1.2]);
    bench.check(results[1], x, &[0.4]);
}

#[test]
fn a_loop_inside_a_loop() {
    let mut bench = Bench::new();
    let x = bench.placeholder("x");
    let (ops, mut library) = (bench.ops, bench.library.clone());
    let y = bench.repeat(2.0, &[x], |inside, args| {
        let around = inside.outside(x);
        let zero = inside.number(0.0);
        let graph = inside.function.graph().clone();
        let make = |build: &dyn Fn(&mut Inside<'_>, &[Endpoint]) -> Vec<Endpoint>| {
            let mut function = FunctionBuilder::new(ops);
            let args: Vec<Endpoint> = (0..2).map(|_| function.arg("x", FLOAT).unwrap()).collect();
            let mut inner = Inside { function, outer: &graph };
            let results = build(&mut inner, &args);
            inner.function.finish(&results)
        };
        let cond = make(&|inner, args| {
            let three = inner.number(3.0);
            vec![inner.op("Less", &[args[0], three])]
        });
        let body = make(&|inner, args| {
            let (one, factor) = (inner.number(1.0), inner.outside(around));
            let product = inner.op("Mul", &[args[1], factor]);
            let scaled = inner.op("Mul", &[product, args[1]]);
            vec![inner.op("AddV2", &[args[0], one]), scaled]
        });
        let initial = [zero, args[0]];
        let mut builder = inside.function.builder();
        add_while(&mut builder, &mut library, "inner", &initial, cond, body).unwrap()[1..].to_vec()
    })[0];
    let functions = library.to_proto();
    bench.library.extend(&functions).unwrap();
    bench.check(y, x, &[0.9, 1.02]);
}

#[test]
fn a_choice_of_two() {
    let mut bench = Bench::new();
    let x = bench.placeholder("x");
    let one = bench.builder().constant(Tensor::scalar(1f64)).unwrap();
    let pred = bench.op("Less", &[x, one]);
    let y = bench.choose(
        pred,
        |inside| {
            let x = inside.outside(x);
            let power = inside.op("Exp", &[x]);
            inside.op("Mul", &[power, power])
        },
        |inside| {
            let x = inside.outside(x);
            let square = inside.op("Mul", &[x, x]);
            inside.op("Mul", &[square, square])
        },
    );
    let y = bench.op("Mul", &[y, x]);
    bench.check(y, x, &[0.5, 2.0]);
}

#[test]
fn a_branch_that_ignores_the_value_gives_zeros() {
    let mut bench = Bench::new();
    let x = bench.placeholder("x");
    let one = bench.builder().constant(Tensor::scalar(1f64)).unwrap();
    let pred = bench.op("Less", &[x, one]);
    let y = bench.choose(
        pred,
        |inside| {
            let x = inside.outside(x);
            inside.op("StopGradient", &[x])
        },
        |inside| inside.outside(x),
    );
    let slope = bench.gradient(y, x);
    assert_eq!(bench.value(slope, &[(x, 0.5)]), 0.0);
    assert_eq!(bench.value(slope, &[(x, 1.5)]), 1.0);
}
