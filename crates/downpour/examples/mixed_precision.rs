//! Trains small models in 16 bits and writes their graphs and losses, for TensorFlow to run and compare.
//!
//! `mixed_precision FOLDER STEPS` writes for every model and precision `NAME-PRECISION.pb` (the GraphDef) and
//! `NAME-PRECISION.json` (names, the losses of STEPS steps, the loss scale after each, the first values of
//! the variables). `tests/system/precision.py` runs the same graphs in TensorFlow, and the same models with
//! Keras' policies.

use std::path::Path;

use downpour::models::{Cnn, Lstm, Mlp, ResNet};
use downpour::{
    DataType, Graph, Inputs, LossScale, MixedPrecision, Mode, Model, Optimizer, Result, Session,
    Status, Tensor, initializers, tensor,
};
use downpour_wire::Message;
use serde_json::{Value, json};

const BATCH: usize = 32;

fn precisions() -> [(&'static str, Option<MixedPrecision>); 3] {
    [
        ("float32", None),
        ("bfloat16", Some(MixedPrecision::bfloat16())),
        ("float16", Some(MixedPrecision::float16())),
    ]
}

/// Pictures of stripes whose direction and width say their class.
fn pictures(graph: &Graph) -> Result<Vec<(String, downpour::Output)>> {
    let labels: Vec<u8> = (0..BATCH).map(|i| (i * 7 % 10) as u8).collect();
    let mut pixels = vec![0u8; BATCH * 28 * 28];
    for (picture, &label) in pixels.chunks_mut(28 * 28).zip(&labels) {
        for (place, pixel) in picture.iter_mut().enumerate() {
            let along = if label < 5 { place % 28 } else { place / 28 };
            let shade = (place * 31 % 97) as u8;
            *pixel =
                if along.is_multiple_of(2 + usize::from(label % 5)) { 255 - shade } else { shade };
        }
    }
    let image = graph.named_constant("image", Tensor::from_vec([BATCH, 28, 28], pixels)?)?;
    let label = graph.named_constant("label", Tensor::from_vec([BATCH], labels)?)?;
    Ok(vec![("image".to_string(), image), ("label".to_string(), label)])
}

fn write(folder: &Path, name: &str, graph: &Graph, facts: &Value) -> Result<()> {
    let save = |ending: &str, bytes: &[u8]| {
        let path = folder.join(format!("{name}.{ending}"));
        std::fs::write(&path, bytes)
            .map_err(|e| Status::unavailable(format!("cannot write '{}': {e}", path.display())))
    };
    save("pb", &graph.to_graph_def()?.encode_to_vec())?;
    save("json", facts.to_string().as_bytes())
}

fn train(
    folder: &Path,
    name: &str,
    model: &dyn Model,
    precision: Option<&MixedPrecision>,
    steps: usize,
) -> Result<()> {
    let graph = Graph::new();
    graph.set_seed(11);
    let built = model.build(&Inputs::new(&graph, Mode::Train, pictures(&graph)?))?;
    let optimizer = Optimizer::gradient_descent(0.02);
    let train = match precision {
        Some(precision) => precision.minimize(&optimizer, built.loss(), None)?,
        None => optimizer.minimize(built.loss(), None)?,
    };
    let start = graph.initialize_variables()?;
    let rewritten: Vec<String> = match precision {
        Some(precision) => graph.mixed_precision(precision)?.iter().map(|op| op.name()).collect(),
        None => Vec::new(),
    };
    let session = Session::local(&graph)?;
    session.run(&[], &[&start])?;
    let mut first = serde_json::Map::new();
    for variable in graph.trainable_variables() {
        let value = session.fetch(&[], &variable.value())?;
        first.insert(variable.name().to_string(), json!(value.as_slice::<f32>()?));
    }
    let mut losses = Vec::with_capacity(steps);
    for _ in 0..steps {
        let values = session.run(&[], &[built.loss(), &train])?;
        losses.push(values[0].to_scalar::<f32>()?);
    }
    let facts = json!({
        "init": start.name(), "train": train.name(), "loss": built.loss().name(), "losses": losses,
        "first": first, "rewritten": rewritten,
    });
    write(folder, name, &graph, &facts)
}

/// The scale over steps of which some overflow, with the weight they change.
fn scales(folder: &Path) -> Result<()> {
    let graph = Graph::new();
    let fed = graph.placeholder("fed", DataType::Float, [1, 1])?;
    let weight = graph.variable("weight", [1, 1], DataType::Float, initializers::ones())?;
    let loss = fed.matmul(&weight.value())?.sum_all()?;
    let scale = LossScale::Dynamic { initial: 8.0, growth_interval: 3, factor: 2.0 };
    let precision = MixedPrecision::float16().loss_scale(scale);
    let train = precision.minimize(&Optimizer::momentum(0.01, 0.9), &loss, None)?;
    let start = graph.initialize_variables()?;
    graph.mixed_precision(&precision)?;
    let scale = graph.variables().into_iter().find(|v| v.name() == "loss_scale/scale");
    let scale = scale.ok_or_else(|| Status::internal("there is no scale"))?.value();
    let session = Session::local(&graph)?;
    session.run(&[], &[&start])?;
    // 1e5 is infinite in half, 4e4 becomes so by the scale.
    let values = [1.0, 2.0, 3.0, 4.0, 1e5, 1.0, 1.0, 1.0, 4e4, 4e4, 1.0, 1.0, 1.0, 1e5, 1e5, 2.0];
    let (mut after, mut weights) = (Vec::new(), Vec::new());
    for value in values {
        session.run(&[(&fed, tensor([[value as f32]])?)], &[&train])?;
        let seen = session.run(&[], &[&scale, &weight.value()])?;
        after.push(seen[0].to_scalar::<f32>()?);
        weights.push(seen[1].as_slice::<f32>()?[0]);
    }
    let facts = json!({
        "init": start.name(), "train": train.name(), "scale": scale.name(),
        "weight": weight.value().name(), "fed": values, "scales": after, "weights": weights,
    });
    write(folder, "scales", &graph, &facts)
}

fn main() -> Result<()> {
    let usage = || Status::invalid_argument("usage: mixed_precision FOLDER STEPS");
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or_else(usage)?;
    let steps: usize = args.next().and_then(|text| text.parse().ok()).ok_or_else(usage)?;
    let models: [(&str, Box<dyn Model>); 4] = [
        ("mlp", Box::new(Mlp { hidden: vec![64, 32], ..Mlp::default() })),
        (
            "cnn",
            Box::new(Cnn { filters: vec![8, 8], dense: vec![16], dropout: 0.0, ..Cnn::default() }),
        ),
        (
            "resnet",
            Box::new(ResNet { filters: vec![4, 8], blocks: vec![1, 1], ..ResNet::default() }),
        ),
        ("lstm", Box::new(Lstm { cells: 16, layers: 1, ..Lstm::default() })),
    ];
    let folder = Path::new(&folder);
    for (name, model) in &models {
        for (word, precision) in precisions() {
            train(folder, &format!("{name}-{word}"), &**model, precision.as_ref(), steps)?;
        }
    }
    scales(folder)
}
