//! Writes one of each format into a folder, for TensorFlow and TensorBoard to read:
//! `write_formats FOLDER [SAVED_MODEL]`. A SavedModel of TensorFlow's is read, written again and frozen.

use std::path::Path;

use downpour_formats::checkpoints::{Checkpoint, CheckpointManager, CheckpointOptions};
use downpour_formats::events::{EventLog, EventOptions};
use downpour_formats::saved_model::{Model, SavedModel, Signature, freeze};
use downpour_formats::tfrecord::{Compression, RecordWriter};
use downpour_formats::{safetensors, text_format};
use downpour_tensor::{DataType, Result, Status, Tensor, bf16};
use downpour_wire::Message;
use downpour_wire::proto::{Example, Feature, Features, GraphDef, Int64List, RunMetadata, feature};

/// y = x w + v and z = rows of w, with a resource variable and one of the older kind.
const GRAPH: &str = r#"
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } } }
node { name: "rows" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "shape" value { shape { dim { size: -1 } } } } }
node { name: "w" op: "VarHandleOp" device: "/job:ps/task:0"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 1 } } } }
  attr { key: "shared_name" value { s: "w" } } }
node { name: "w/read" op: "ReadVariableOp" input: "w" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { } } } }
node { name: "v/read" op: "Identity" input: "v" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "product" op: "MatMul" input: "x" input: "w/read" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "AddV2" input: "product" input: "v/read" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "z" op: "ResourceGather" input: "w" input: "rows" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "Tindices" value { type: DT_INT32 } } }
versions { producer: 1087 }
"#;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, rest @ ..] = &arguments[..] else {
        return Err(Status::invalid_argument("usage: write_formats FOLDER [SAVED_MODEL]"));
    };
    let folder = Path::new(folder);
    if let [theirs] = rest {
        return rewrite(Path::new(theirs), folder);
    }
    let graph: GraphDef = text_format::parse(GRAPH)?;
    events(folder, &graph)?;
    records(folder)?;
    checkpoints(folder)?;
    let model = model(graph)?;
    model.save(&folder.join("model"))?;
    let frozen = freeze(&model.graph, &model.variables, &["y", "z"])?;
    write(&folder.join("frozen.pb"), &frozen.encode_to_vec())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes)
        .map_err(|e| Status::unknown(format!("cannot write {}: {e}", path.display())))
}

fn events(folder: &Path, graph: &GraphDef) -> Result<()> {
    let log = EventLog::create(&folder.join("events/events"), EventOptions::default())?;
    log.graph(graph);
    for step in 0..100 {
        log.scalars(step, &[("loss", 1.0 / (step + 1) as f64), ("accuracy", step as f64 / 100.0)]);
    }
    let values: Vec<f32> = (0..1000).map(|i| (i as f32 - 500.0) / 100.0).collect();
    log.histogram("weights", 10, &Tensor::vector(&values)?);
    log.image("digits", 10, &Tensor::from_vec([2, 4, 5, 1], vec![0.5f32; 40])?);
    log.text("notes", 10, "some *text*");
    log.run_metadata("step 10", 10, &RunMetadata::default());
    log.close()
}

fn records(folder: &Path) -> Result<()> {
    for (name, compression) in
        [("none", Compression::None), ("gzip", Compression::Gzip), ("zlib", Compression::Zlib)]
    {
        let path = folder.join(format!("{name}.tfrecord"));
        let mut writer = RecordWriter::create(&path, compression)?;
        for i in 0..100 {
            let list = Int64List { value: vec![i, i * i] };
            let value = Feature { kind: Some(feature::Kind::Int64List(list)) };
            let features = Features { feature: [("numbers".into(), value)].into() };
            writer.write(&Example { features: Some(features) }.encode_to_vec())?;
        }
        writer.finish()?;
    }
    Ok(())
}

fn checkpoints(folder: &Path) -> Result<()> {
    let options = CheckpointOptions { keep_last: 2, ..Default::default() };
    let mut manager = CheckpointManager::open(&folder.join("checkpoints é"), options)?;
    let mut tensors = std::collections::BTreeMap::new();
    for step in [10, 20, 30] {
        tensors.insert("w".to_string(), Tensor::from_vec([2, 2], vec![step as f32; 4])?);
        tensors.insert("b".to_string(), Tensor::scalar(bf16::from_f32(0.5)));
        let mut checkpoint = Checkpoint { step, tensors: tensors.clone(), ..Default::default() };
        checkpoint.blobs.insert("data".into(), format!("record {step}").into());
        manager.save(&checkpoint)?;
    }
    safetensors::write(&folder.join("weights.safetensors"), &tensors, &Default::default())
}

fn model(graph: GraphDef) -> Result<Model> {
    let mut model = Model { graph, ..Default::default() };
    model.variables.insert("w".into(), Tensor::from_vec([2, 1], vec![2f32, -1.0])?);
    model.variables.insert("v".into(), Tensor::scalar(0.5f32));
    let serving = Signature::default().input("x", "x:0", DataType::Float, Some(&[-1, 2])).output(
        "y",
        "y:0",
        DataType::Float,
        Some(&[-1, 1]),
    );
    let rows = Signature::default().input("rows", "rows:0", DataType::Int32, Some(&[-1])).output(
        "z",
        "z:0",
        DataType::Float,
        None,
    );
    model.signatures.insert("serving_default".into(), serving);
    model.signatures.insert("rows".into(), rows);
    Ok(model)
}

fn rewrite(theirs: &Path, folder: &Path) -> Result<()> {
    let model = SavedModel::open(theirs)?.model(&["serve"])?;
    model.save(&folder.join("again"))?;
    let outputs: Vec<&str> = model
        .signatures
        .values()
        .flat_map(|signature| signature.outputs.values())
        .map(|spec| spec.name.as_str())
        .collect();
    // Functions that take handles cannot be frozen; everything else can.
    match freeze(&model.graph, &model.variables, &outputs) {
        Ok(frozen) => write(&folder.join("frozen.pb"), &frozen.encode_to_vec()),
        Err(error) => {
            eprintln!("{error}");
            Ok(())
        }
    }
}
