//! Trains the ready-made models and writes their losses, for TensorFlow to train the same and compare.
//!
//! `model_losses FOLDER STEPS` writes for every model `NAME.index` and its data file (a checkpoint with the
//! first values of all variables, and under `data/` all batches) and `NAME.json` with the loss of every step.
//! `tests/system/models_alike.py` builds the models with TensorFlow's layers and optimizers from these.

use std::path::Path;

use downpour::models::{Categorical, Cnn, Crossed, Lstm, Mlp, Numeric, WideAndDeep};
use downpour::{
    DataType, Graph, Inputs, Mode, Model, Operation, Optimizer, Output, Result, Session, Status,
    Tensor,
};
use downpour_data::source::parquet::Parquet;
use downpour_data::{Dataset, Remainder};
use downpour_formats::BundleWriter;

const BATCH: usize = 32;
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");

fn wide_and_deep() -> WideAndDeep {
    let age = Numeric {
        mean: Some(38.6),
        deviation: Some(13.7),
        boundaries: vec![25.0, 35.0, 45.0, 55.0, 65.0],
        ..Numeric::default()
    };
    let gain = Numeric { log: true, deviation: Some(3.0), ..Numeric::default() };
    let genders = vec!["Female".to_string(), "Male".to_string()];
    let gender = Categorical { vocabulary: genders, embedding: 2, ..Categorical::default() };
    let hashed = |buckets| Categorical { buckets, ..Categorical::default() };
    let text = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    WideAndDeep {
        label: "income".into(),
        positive: Some(">50K".into()),
        numeric: [("age".into(), age), ("capital-gain".into(), gain)].into(),
        categorical: [
            ("education".into(), hashed(40)),
            ("gender".into(), gender),
            ("occupation".into(), hashed(60)),
        ]
        .into(),
        crossed: vec![
            Crossed { columns: text(&["education", "occupation"]), buckets: 300 },
            Crossed { columns: text(&["age", "gender"]), buckets: 50 },
        ],
        hidden: vec![32, 16],
        ..WideAndDeep::default()
    }
}

/// Changes the variables of each scope by its own optimizer; "" stands for all that have none.
fn train(loss: &Output, optimizers: &[(&str, Optimizer)]) -> Result<Operation> {
    let graph = loss.graph();
    let mut all = graph.updates();
    let found = optimizers[0].1.compute_gradients(loss, &graph.trainable_variables())?;
    for (scope, optimizer) in optimizers {
        let own = found.iter().filter(|(_, v)| v.name().starts_with(scope)).cloned();
        all.push(optimizer.apply_gradients(&own.collect::<Vec<_>>(), None)?);
    }
    graph.group("train_all", &all)
}

/// All batches of a dataset, column by column, one after the other.
fn batches(dataset: &Dataset, batch: usize, steps: usize) -> Result<Vec<Vec<(String, Tensor)>>> {
    let dataset = dataset.repeat().batch(batch, Remainder::Drop)?.take(steps as u64);
    let (mut iterator, mut all) = (dataset.iterate()?, Vec::new());
    while let Some(batch) = iterator.next()? {
        let names = batch.names().iter().map(|name| name.to_string());
        all.push(names.zip(batch.tensors().iter().cloned()).collect());
    }
    Ok(all)
}

fn write(
    folder: &Path,
    name: &str,
    model: &dyn Model,
    optimizers: &[(&str, Optimizer)],
    batches: &[Vec<(String, Tensor)>],
) -> Result<()> {
    let graph = Graph::new();
    graph.set_seed(11);
    let place = |(name, tensor): &(String, Tensor)| {
        let shape: Vec<usize> = tensor.dims().to_vec();
        Ok((name.clone(), graph.placeholder(&format!("data/{name}"), tensor.dtype(), shape)?))
    };
    let columns = batches[0].iter().map(place).collect::<Result<Vec<_>>>()?;
    let inputs = Inputs::new(&graph, Mode::Train, columns);
    let built = model.build(&inputs)?;
    let variables = graph.variables();
    let train = train(built.loss(), optimizers)?;
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;

    let prefix = folder.join(name);
    let prefix =
        prefix.to_str().ok_or_else(|| Status::invalid_argument("a folder that is text"))?;
    let mut first = BundleWriter::create(prefix)?;
    // Names in a bundle are in order.
    let mut tensors = Vec::new();
    for variable in &variables {
        tensors.push((variable.name().to_string(), session.fetch(&[], &variable.value())?));
    }
    for (step, batch) in batches.iter().enumerate() {
        let named =
            |(name, tensor): &(String, Tensor)| (format!("data/{name}/{step}"), tensor.clone());
        tensors.extend(batch.iter().map(named));
    }
    tensors.sort_by(|a, b| a.0.cmp(&b.0));
    tensors.iter().try_for_each(|(name, tensor)| first.add(name, tensor))?;
    first.finish()?;

    let places: Vec<&Output> = inputs.outputs().collect();
    let step = session.prepare(&places, &[built.loss(), &train])?;
    let mut losses = Vec::with_capacity(batches.len());
    for batch in batches {
        let values = step.run(batch.iter().map(|(_, tensor)| tensor.clone()).collect())?;
        losses.push(match values[0].dtype() {
            DataType::Double => values[0].to_scalar::<f64>()?,
            _ => f64::from(values[0].to_scalar::<f32>()?),
        });
    }
    let path = folder.join(format!("{name}.json"));
    std::fs::write(&path, format!("{losses:?}\n"))
        .map_err(|e| Status::unavailable(format!("cannot write '{}': {e}", path.display())))
}

/// A batch with its bytes as float64 between 0 and 1, but for the labels.
fn exact(batch: &[(String, Tensor)]) -> Result<Vec<(String, Tensor)>> {
    let convert = |(name, tensor): &(String, Tensor)| {
        let tensor = match name.as_str() {
            "label" => tensor.clone(),
            _ => {
                let bytes = tensor.as_slice::<u8>()?.iter();
                Tensor::from_vec(tensor.shape(), bytes.map(|b| f64::from(*b) / 255.0).collect())?
            }
        };
        Ok((name.clone(), tensor))
    };
    batch.iter().map(convert).collect()
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = || Status::invalid_argument("usage: model_losses FOLDER STEPS");
    let [folder, steps] = arguments.as_slice() else { return Err(usage()) };
    let (folder, steps): (&Path, usize) = (Path::new(folder), steps.parse().map_err(|_| usage())?);
    let images = Dataset::idx(&format!("{DATA}/mnist/t10k-images-idx3-ubyte.gz"), "image")?;
    let labels = Dataset::idx(&format!("{DATA}/mnist/t10k-labels-idx1-ubyte.gz"), "label")?;
    let mnist = batches(&images.zip(&labels), BATCH, steps)?;
    let adult = Dataset::parquet(
        &format!("{DATA}/adult/adult.parquet"),
        Parquet::new().columns([
            "age",
            "capital-gain",
            "education",
            "gender",
            "occupation",
            "income",
        ]),
    )?;
    let adult = batches(&adult, BATCH, steps)?;

    let mlp = Mlp { hidden: vec![64, 32], l2: 1e-4, ..Mlp::default() };
    write(folder, "mlp", &mlp, &[("", Optimizer::adam(1e-3))], &mnist)?;
    let cnn = Cnn { filters: vec![8, 16], dense: vec![32], dropout: 0.0, ..Cnn::default() };
    // Chosen so that TensorFlow agrees with itself (2e-4) when all first values change by their last bit; with
    // smaller batches or larger rates it is a matter of chance which rectifiers open, and it does not (5e-3).
    let large = batches(&images.zip(&labels), 4 * BATCH, steps)?;
    write(folder, "cnn", &cnn, &[("", Optimizer::adam(1e-4))], &large)?;
    // With momentum in float64: in float32 two pixels of a pooled window may be equal but for rounding, and which of them
    // gets the gradient is chance; one such difference grows over the steps. (Rates that float32 has too, which
    // TensorFlow goes through.)
    let exact = mnist.iter().map(|batch| exact(batch)).collect::<Result<Vec<_>>>()?;
    write(folder, "cnn_float64", &cnn, &[("", Optimizer::momentum(1.0 / 128.0, 0.875))], &exact)?;
    let lstm = Lstm { cells: 24, layers: 2, ..Lstm::default() };
    write(folder, "lstm", &lstm, &[("", Optimizer::adam(1e-3))], &mnist)?;
    let both = [("wide/", Optimizer::ftrl(0.05)), ("deep/", Optimizer::adagrad(0.05))];
    write(folder, "wide_and_deep", &wide_and_deep(), &both, &adult)
}
