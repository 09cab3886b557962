//! Mixed precision: what is rewritten, that models learn, and what happens when gradients overflow.

use downpour::optimizer::{Adadelta, AdamW, AmsGrad, Momentum};
use downpour::training::{Built, Hook, ParameterServer, Trainer};
use downpour::{
    DataType, Graph, Inputs, LossScale, MixedPrecision, Mode, Model, Numerics, Operation,
    Optimizer, Output, Result, Session, Tensor, initializers, models, tensor,
};
use downpour_cluster::ClusterSpec;
use downpour_data::{Dataset, Remainder};

use crate::models::{census, table, wide_and_deep};
use crate::ports::addresses;

fn halved_after(initial: f64, growth_interval: i64) -> LossScale {
    LossScale::Dynamic { initial, growth_interval, factor: 2.0 }
}

/// A table and a kernel, whose gradients are as large as what is fed.
struct Small {
    graph: Graph,
    fed: Output,
    train: Operation,
    session: Session,
}

impl Small {
    fn new(optimizer: &Optimizer, precision: &MixedPrecision) -> Result<Small> {
        let graph = Graph::new();
        let fed = graph.placeholder("fed", DataType::Float, ())?;
        let start = || initializers::constant(0.5);
        let table = graph.variable("table", [4, 2], DataType::Float, start())?;
        let kernel = graph.variable("kernel", [2, 1], DataType::Float, start())?;
        let rows = table.gather(&graph.constant([1i32, 3, 1])?)?;
        let loss = (rows.matmul(&kernel.value())?.sum_all()? * &fed)?;
        let step = graph.global_step()?;
        let train = precision.minimize(optimizer, &loss, Some(&step))?;
        assert!(!graph.mixed_precision(precision)?.is_empty());
        let session = Session::local(&graph)?;
        session.run(&[], &[&graph.initialize_variables()?])?;
        Ok(Small { graph, fed, train, session })
    }

    fn step(&self, factor: f32) -> Result<()> {
        self.session.run(&[(&self.fed, tensor(factor)?)], &[&self.train]).map(drop)
    }

    /// The bytes of every variable but those of loss scaling and the global step.
    fn state(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let mut state = Vec::new();
        for variable in self.graph.variables() {
            if !variable.name().starts_with("loss_scale/") && variable.name() != "global_step" {
                let value = self.session.fetch(&[], &variable.value())?;
                state.push((variable.name().to_string(), value.bytes().unwrap().to_vec()));
            }
        }
        Ok(state)
    }

    fn variable(&self, name: &str) -> Result<Tensor> {
        let variables = self.graph.variables();
        let found = variables.iter().find(|variable| variable.name() == name).unwrap();
        self.session.fetch(&[], &found.value())
    }

    fn scale(&self) -> Result<(f32, i64)> {
        let scale = self.variable("loss_scale/scale")?.to_scalar()?;
        Ok((scale, self.variable("loss_scale/good_steps")?.to_scalar()?))
    }
}

#[test]
fn overflow_leaves_variables_and_slots_as_they_are() -> Result<()> {
    let optimizers = [
        Optimizer::gradient_descent(0.1),
        Optimizer::new(0.1, Momentum { momentum: 0.9, nesterov: true }),
        Optimizer::adagrad(0.1),
        Optimizer::adam(0.1),
        Optimizer::new(0.1, AdamW::default()),
        Optimizer::new(0.1, AmsGrad::default()),
        Optimizer::rms_prop(0.1),
        Optimizer::new(0.1, Adadelta::default()),
        Optimizer::ftrl(0.1),
    ];
    let precision = MixedPrecision::float16().loss_scale(halved_after(1024.0, 100));
    for optimizer in optimizers {
        let small = Small::new(&optimizer, &precision)?;
        small.step(1.0)?;
        let before = small.state()?;
        for (fed, scale) in [(f32::INFINITY, 512.0), (f32::NAN, 256.0), (1000.0, 128.0)] {
            small.step(fed)?;
            assert_eq!(small.state()?, before, "{} after {fed}", optimizer.name());
            assert_eq!(small.scale()?, (scale, 0));
        }
        small.step(1.0)?;
        assert_ne!(small.state()?, before, "{}", optimizer.name());
        assert_eq!(small.scale()?, (128.0, 1));
        assert_eq!(small.variable("global_step")?.to_scalar::<i64>()?, 5, "every batch counts");
    }
    Ok(())
}

/// What Keras' LossScaleOptimizer does from 8 with growth after 3 steps; see tests/system/precision.py.
#[test]
fn the_scale_goes_as_with_keras() -> Result<()> {
    let precision = MixedPrecision::bfloat16().loss_scale(halved_after(8.0, 3));
    let small = Small::new(&Optimizer::gradient_descent(1e-3), &precision)?;
    let inf = f32::INFINITY;
    let fed = [1.0, 1.0, 1.0, 1.0, inf, 1.0, 1.0, inf, inf, 1.0, 1.0, 1.0, 1.0];
    let scales = [8.0, 8.0, 16.0, 16.0, 8.0, 8.0, 8.0, 4.0, 2.0, 2.0, 2.0, 4.0, 4.0];
    let counts = [1, 2, 0, 1, 0, 1, 2, 0, 0, 1, 2, 0, 1];
    for (i, fed) in fed.into_iter().enumerate() {
        small.step(fed)?;
        assert_eq!(small.scale()?, (scales[i], counts[i]), "after step {i}");
    }
    Ok(())
}

#[test]
fn the_scale_stays_in_range() -> Result<()> {
    let largest = 2f64.powi(127);
    let precision = MixedPrecision::bfloat16().loss_scale(halved_after(largest, 1));
    let small = Small::new(&Optimizer::gradient_descent(1e-3), &precision)?;
    small.step(1e-9)?;
    assert_eq!(small.scale()?.0, largest as f32, "it does not become infinite");
    for wrong in [LossScale::Fixed(0.0), LossScale::Fixed(f64::NAN), halved_after(8.0, 0)] {
        let precision = MixedPrecision::float16().loss_scale(wrong);
        let refused = Small::new(&Optimizer::gradient_descent(0.1), &precision).err().unwrap();
        assert!(refused.message().contains("positive number"), "{refused}");
    }
    Ok(())
}

/// Without a scale, gradients of 1e-9 are zero in half; with one they arrive.
#[test]
fn scaled_gradients_survive() -> Result<()> {
    let moved = |scale: LossScale| -> Result<f32> {
        let precision = MixedPrecision::float16().loss_scale(scale);
        let small = Small::new(&Optimizer::gradient_descent(1e6), &precision)?;
        small.step(1e-9)?;
        Ok(0.5 - small.variable("kernel")?.as_slice::<f32>()?[0])
    };
    assert_eq!(moved(LossScale::None)?, 0.0);
    for scale in [LossScale::Fixed(65536.0), LossScale::dynamic()] {
        let moved = moved(scale)?;
        assert!((moved - 1.5e-3).abs() < 2e-5, "{scale:?}: {moved}");
    }
    Ok(())
}

#[test]
fn lists_can_be_changed() -> Result<()> {
    let rewritten = |precision: &MixedPrecision| -> Result<Vec<String>> {
        let graph = Graph::new();
        let x = graph.placeholder("x", DataType::Float, [None, Some(4)])?;
        let y = x.matmul(&x.transpose(&[1, 0])?)?.softmax()?;
        y.matmul(&x)?;
        Ok(graph.mixed_precision(precision)?.iter().map(Operation::op_type).collect())
    };
    let count = |found: &[String], op: &str| found.iter().filter(|name| *name == op).count();
    let usual = rewritten(&MixedPrecision::bfloat16())?;
    assert_eq!((count(&usual, "MatMul"), count(&usual, "Softmax")), (2, 0));
    let bold = rewritten(&MixedPrecision::bfloat16().with("Softmax", Numerics::Infer))?;
    assert_eq!((count(&bold, "MatMul"), count(&bold, "Softmax")), (2, 1));
    assert!(rewritten(&MixedPrecision::bfloat16().without("MatMul"))?.is_empty());
    Ok(())
}

#[test]
fn a_graph_in_use_is_not_rewritten_behind_its_session() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [2, 2])?;
    let y = x.matmul(&x)?;
    let session = Session::local(&graph)?;
    let fed = tensor([[1.0f32, 2.0], [3.0, 4.0]])?;
    session.fetch(&[(&x, fed.clone())], &y)?;
    graph.mixed_precision(&MixedPrecision::bfloat16())?;
    let refused = session.fetch(&[(&x, fed.clone())], &y).unwrap_err();
    assert!(refused.message().contains("rewritten"), "{refused}");
    // The value is float32 as before.
    let again = Session::local(&graph)?.fetch(&[(&x, fed)], &y)?;
    assert_eq!((y.dtype(), again.dtype()), (DataType::Float, DataType::Float));
    assert_eq!(again.as_slice::<f32>()?, &[7.0, 10.0, 15.0, 22.0]);
    Ok(())
}

/// Pictures whose brightest quarter is their class.
fn pictures() -> Result<Dataset> {
    let mut pixels = vec![20u8; 64 * 28 * 28];
    let labels: Vec<u8> = (0..64).map(|i| (i * 7 % 4) as u8).collect();
    for (picture, &label) in pixels.chunks_mut(28 * 28).zip(&labels) {
        for (place, pixel) in picture.iter_mut().enumerate() {
            let (row, column) = (place / 28 / 14, place % 28 / 14);
            if row * 2 + column == usize::from(label) {
                *pixel = 200 + (place % 50) as u8;
            }
        }
    }
    let image = Tensor::from_vec([64, 28, 28], pixels)?;
    Dataset::from_tensors([("image", image), ("label", Tensor::from_vec([64], labels)?)])
}

#[test]
fn a_perceptron_learns_in_16_bits() -> Result<()> {
    for precision in [MixedPrecision::bfloat16(), MixedPrecision::float16()] {
        let model = models::Mlp { hidden: vec![32], classes: 4, ..Default::default() };
        let batches = pictures()?.repeat().batch(16, Remainder::Drop)?;
        let outcome = Trainer::new(model, batches)
            .optimizer(Optimizer::adam(0.01))
            .precision(precision.clone())
            .seed(3)
            .evaluate(pictures()?.batch(16, Remainder::Keep)?, None)
            .steps(120)
            .train()?;
        let measured = outcome.evaluation.unwrap().metrics;
        assert!(measured["accuracy"] > 0.98, "{precision:?}: {measured:?}");
    }
    Ok(())
}

/// Tables whose gradients are rows, and a network above them.
#[test]
fn wide_and_deep_learns_in_16_bits() -> Result<()> {
    for precision in [MixedPrecision::bfloat16(), MixedPrecision::float16()] {
        let graph = Graph::new();
        graph.set_seed(3);
        let inputs = Inputs::new(&graph, Mode::Train, census(&graph)?);
        let built = wide_and_deep().build(&inputs)?;
        let step = precision.minimize(&Optimizer::gradient_descent(0.5), built.loss(), None)?;
        let rewritten = graph.mixed_precision(&precision)?;
        assert!(rewritten.iter().filter(|op| op.op_type() == "MatMul").count() >= 5);
        assert_eq!(Graph::from_graph_def(&graph.to_graph_def()?)?.len(), graph.len());
        let session = Session::local(&graph)?;
        session.run(&[], &[&graph.initialize_variables()?])?;
        let places: Vec<Output> = inputs.outputs().cloned().collect();
        let feeds: Vec<(&Output, Tensor)> = places.iter().zip(table(60)?).collect();
        for _ in 0..60 {
            session.run(&feeds, &[&step])?;
        }
        let loss = session.fetch(&feeds, built.loss())?.to_scalar::<f32>()?;
        assert!(loss < 0.2, "{:?}: {loss}", precision.compute);
    }
    Ok(())
}

/// Every ready-made model for pictures, forward and backward: its nodes' types agree, and it runs with a finite loss near
/// that of float32.
#[test]
fn ready_made_models_run_in_16_bits() -> Result<()> {
    type Make = fn() -> Box<dyn Model>;
    let makes: [(&str, Make); 4] = [
        ("mlp", || Box::new(models::Mlp { hidden: vec![16], ..Default::default() })),
        ("cnn", || {
            let model = models::Cnn { filters: vec![4, 4], dense: vec![8], ..Default::default() };
            Box::new(model)
        }),
        ("resnet", || {
            let model =
                models::ResNet { filters: vec![4, 8], blocks: vec![1, 1], ..Default::default() };
            Box::new(model)
        }),
        ("lstm", || Box::new(models::Lstm { cells: 8, layers: 1, ..Default::default() })),
    ];
    for (name, make) in makes {
        let loss = |precision: Option<MixedPrecision>| -> Result<f64> {
            let batches = pictures()?.repeat().batch(16, Remainder::Drop)?;
            let mut trainer = Trainer::of(make(), batches).seed(3).steps(3);
            trainer = trainer.optimizer(Optimizer::gradient_descent(0.01));
            if let Some(precision) = precision {
                trainer = trainer.precision(precision);
            }
            Ok(trainer.train()?.loss)
        };
        let plain = loss(None)?;
        for precision in [MixedPrecision::bfloat16(), MixedPrecision::float16()] {
            let narrow = loss(Some(precision.clone()))?;
            assert!((plain - narrow).abs() < 0.05 * plain, "{name}: {plain} and {narrow}");
            types_agree(name, &*make(), &precision)?;
        }
    }
    Ok(())
}

/// Reading the rewritten graph back checks every type; most of its products are of 16 bits.
fn types_agree(name: &str, model: &dyn Model, precision: &MixedPrecision) -> Result<()> {
    let graph = Graph::new();
    let image = graph.placeholder("image", DataType::UInt8, [None, Some(28), Some(28)])?;
    let label = graph.placeholder("label", DataType::UInt8, [None])?;
    let columns = vec![("image".to_string(), image), ("label".to_string(), label)];
    let built = model.build(&Inputs::new(&graph, Mode::Train, columns))?;
    precision.minimize(&Optimizer::adam(0.1), built.loss(), None)?;
    let rewritten = graph.mixed_precision(precision)?;
    let products = |op: &Operation| {
        let op = op.op_type();
        op.starts_with("MatMul") || op.starts_with("Conv2D")
    };
    assert!(rewritten.iter().filter(|op| products(op)).count() >= 5, "{name}");
    let read = Graph::from_graph_def(&graph.to_graph_def()?)?;
    assert_eq!(read.len(), graph.len(), "{name}");
    Ok(())
}

/// One batch in four is infinite.
#[test]
fn checkpoints_contain_the_scale() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let line = |inputs: &Inputs| {
        let graph = inputs.graph();
        let w = graph.variable("w", [1, 1], DataType::Float, initializers::ones())?;
        Ok(Built::new(inputs.get("x")?.matmul(&w.value())?.mean_all()?))
    };
    let run = |precision: Option<MixedPrecision>, steps: i64| -> Result<f32> {
        let x = Tensor::from_vec([4, 1], vec![1.0f32, 1.0, f32::INFINITY, 1.0])?;
        let batches = Dataset::from_tensors([("x", x)])?.repeat().batch(1, Remainder::Drop)?;
        let trainer = Trainer::new(line, batches).optimizer(Optimizer::gradient_descent(1e-3));
        let seen = std::sync::Arc::new(parking_lot::Mutex::new(f32::NAN));
        let mut trainer = trainer.folder(folder.path()).steps(steps).hook(Seen(seen.clone()));
        if let Some(precision) = precision {
            trainer = trainer.precision(precision);
        }
        trainer.train()?;
        let seen = *seen.lock();
        Ok(seen)
    };
    let dynamic = MixedPrecision::bfloat16().loss_scale(halved_after(64.0, 100));
    run(None, 2)?;
    // A run that begins in float32 may go on in 16 bits, and the scale goes on with the run.
    assert_eq!(run(Some(dynamic.clone()), 4)?, 32.0);
    assert_eq!(run(Some(dynamic), 8)?, 16.0);
    Ok(())
}

/// Reads the scale at the end.
struct Seen(std::sync::Arc<parking_lot::Mutex<f32>>);

impl Hook for Seen {
    fn ended(&mut self, session: &Session, _step: i64) -> Result<()> {
        let variables = session.graph().variables();
        if let Some(scale) = variables.iter().find(|v| v.name() == "loss_scale/scale") {
            *self.0.lock() = session.fetch(&[], &scale.value())?.to_scalar()?;
        }
        Ok(())
    }
}

/// Two servers and two workers in one process, over batches of which some are infinite: nothing infinite
/// reaches a variable, and the scale has fallen.
fn over_servers(strategy: ParameterServer) -> Result<()> {
    let places = addresses(4);
    let cluster = format!(r#"{{"ps": {:?}, "worker": {:?}}}"#, &places[..2], &places[2..]);
    let cluster = ClusterSpec::from_json(&cluster)?;
    let model = |inputs: &Inputs| {
        let graph = inputs.graph();
        let start = || initializers::constant(0.25);
        let table = graph.variable("table", [4, 8], DataType::Float, start())?;
        let w = graph.variable("w", [8, 1], DataType::Float, start())?;
        let rows = table.gather(&graph.constant([0i32, 2])?)?;
        let x = inputs.get("x")?.tile(&[2, 8])?;
        let y = (rows + x)?.relu()?.matmul(&w.value())?;
        Ok(Built::new((y - 1.0)?.square()?.mean_all()?))
    };
    let trainer = |job: &str, task: u32| -> Result<Trainer> {
        let values =
            (0..32).map(|i| if i % 8 == 5 || i % 8 == 2 { f32::INFINITY } else { 0.125 }).collect();
        let x = Tensor::from_vec([32, 1], values)?;
        let batches = Dataset::from_tensors([("x", x)])?.repeat().batch(1, Remainder::Drop)?;
        let scale = halved_after(1024.0, 1000);
        Ok(Trainer::new(model, batches)
            .optimizer(Optimizer::adam(0.01))
            .precision(MixedPrecision::float16().loss_scale(scale))
            .strategy(strategy.clone().task(cluster.clone(), job, task))
            .threads(1)
            .steps(24))
    };
    let seen = std::sync::Arc::new(parking_lot::Mutex::new(f32::NAN));
    std::thread::scope(|threads| {
        let mut stops = Vec::new();
        for task in 0..2 {
            let server = trainer("ps", task)?;
            stops.push(server.stop_flag());
            threads.spawn(move || server.train());
        }
        let other = trainer("worker", 1)?;
        let other = threads.spawn(move || other.train());
        let chief = trainer("worker", 0)?.hook(Seen(seen.clone())).hook(Finite).train();
        let other = other.join().unwrap();
        stops.iter().for_each(|stop| stop.stop());
        chief?;
        other.map(drop)
    })?;
    let scale = *seen.lock();
    assert!(scale < 1024.0, "{scale}");
    Ok(())
}

/// At the end all variables are finite.
struct Finite;

impl Hook for Finite {
    fn ended(&mut self, session: &Session, _step: i64) -> Result<()> {
        for variable in session.graph().variables() {
            if variable.dtype() == DataType::Float {
                let value = session.fetch(&[], &variable.value())?;
                let finite = value.as_slice::<f32>()?.iter().all(|number| number.is_finite());
                assert!(finite, "{}: {value:?}", variable.name());
            }
        }
        Ok(())
    }
}

#[test]
fn asynchronous_workers_leave_out_what_overflows() -> Result<()> {
    over_servers(ParameterServer::asynchronous())
}

#[test]
fn synchronous_workers_leave_out_what_overflows() -> Result<()> {
    over_servers(ParameterServer::synchronous())
}
