use downpour_tensor::{Code, DataType, Tensor};
use downpour_wire::Message;
use downpour_wire::proto::GraphDef;
use downpour_wire::proto::attr_value::Value;

use super::nodes::{constant, node, with, with_type};
use super::*;

/// y = gather(w, x) + v, with w a resource and v a reference; and what trains them.
fn model() -> Model {
    let name = |name: &str| name.to_string();
    let shape = || Value::Shape(downpour_wire::shape_to_proto(&[2][..]));
    let variable = |node| with(with_type(node, "dtype", DataType::Float), "shape", shape());
    let float = |node, attr| with_type(node, attr, DataType::Float);
    let mut gather =
        node("gather", "ResourceGather", vec![name("handle"), name("x"), name("^read")]);
    gather = float(with_type(gather, "Tindices", DataType::Int32), "dtype");
    let mut w = variable(node("w", "VarHandleOp", vec![]));
    w.device = "/job:ps/task:0".into();
    let graph = GraphDef {
        node: vec![
            gather,
            with_type(node("handle", "Identity", vec![name("w")]), "T", DataType::Resource),
            with_type(node("x", "Placeholder", vec![]), "dtype", DataType::Int32),
            w,
            variable(node("v", "VariableV2", vec![])),
            float(node("read", "ReadVariableOp", vec![name("w")]), "dtype"),
            float(node("v/read", "Identity", vec![name("v")]), "T"),
            float(node("y", "AddV2", vec![name("gather"), name("v/read")]), "T"),
            constant("zero", &Tensor::vector(&[0f32, 0.0]).unwrap()).unwrap(),
            float(node("w/Assign", "AssignVariableOp", vec![name("w"), name("zero")]), "dtype"),
        ],
        ..Default::default()
    };
    let mut model = Model { graph, ..Default::default() };
    model.variables.insert("w".into(), Tensor::vector(&[1f32, 2.0]).unwrap());
    model.variables.insert("v".into(), Tensor::vector(&[3f32, 4.0]).unwrap());
    let signature = Signature::default().input("x", "x:0", DataType::Int32, Some(&[-1])).output(
        "y",
        "y:0",
        DataType::Float,
        None,
    );
    model.signatures.insert("serving_default".into(), signature);
    model
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("model");
    let vocabulary = folder.path().join("words.txt");
    std::fs::write(&vocabulary, "a\nb\n").unwrap();
    let mut model = model();
    let asset = Asset { file_name: "words.txt".into(), path: vocabulary, tensor: "zero:0".into() };
    model.assets.push(asset);
    model.init_node = Some("w/Assign".into());
    model.save(&place).unwrap();
    assert_eq!(model.save(&place).unwrap_err().code(), Code::AlreadyExists);

    let read = SavedModel::open(&place).unwrap();
    assert_eq!(read.tags(), [["serve"]]);
    assert!(read.meta_graph(&["train"]).unwrap_err().message().contains("serve"));
    let back = read.model(&["serve"]).unwrap();
    assert_eq!(back.signatures, model.signatures);
    assert_eq!(back.init_node, model.init_node);
    assert_eq!(back.variables["w"].as_slice::<f32>().unwrap(), [1.0, 2.0]);
    assert_eq!(back.variables["v"].as_slice::<f32>().unwrap(), [3.0, 4.0]);
    assert_eq!(std::fs::read(&back.assets[0].path).unwrap(), b"a\nb\n");
    assert!(back.graph.node.iter().all(|node| node.device.is_empty()));
    // A second generation gets a saver of its own.
    back.save(&folder.path().join("again")).unwrap();
    let again = SavedModel::open(&folder.path().join("again")).unwrap();
    let saver = again.meta_graph(&["serve"]).unwrap().saver_def.clone().unwrap();
    assert_eq!(saver.restore_op_name, "save_1/restore_all");
    assert_eq!(again.model(&["serve"]).unwrap().variables.len(), 2);
}

#[test]
fn a_model_that_does_not_fit_its_graph_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("model");
    let check = |change: &dyn Fn(&mut Model), message: &str| {
        let mut model = model();
        change(&mut model);
        let error = model.save(&place).unwrap_err();
        assert!(error.message().contains(message), "{error}");
        assert!(!place.join(MODEL_FILE).exists());
    };
    let value = || Tensor::scalar(1f64);
    check(&|m| drop(m.variables.insert("none".into(), value())), "'none' is not in the graph");
    check(&|m| drop(m.variables.insert("y".into(), value())), "is no variable but a node of AddV2");
    check(&|m| drop(m.variables.insert("w".into(), value())), "but its value of");
    check(&|m| m.init_node = Some("nothing".into()), "the initialization is");
    let bad = Signature::default().output("y", "z:0", DataType::Float, None);
    check(&|m| drop(m.signatures.insert("s".into(), bad.clone())), "'y' of the signature 's'");
    let bad = Asset { file_name: "../x".into(), path: "x".into(), tensor: "zero:0".into() };
    check(&|m| m.assets.push(bad.clone()), "no file name");
}

#[test]
fn variables_become_constants() {
    let model = model();
    let frozen = freeze(&model.graph, &model.variables, &["y:0"]).unwrap();
    let ops: Vec<(&str, &str)> =
        frozen.node.iter().map(|node| (node.name.as_str(), node.op.as_str())).collect();
    let expected = [
        ("gather/axis", "Const"),
        ("gather", "GatherV2"),
        ("handle", "Identity"),
        ("x", "Placeholder"),
        ("w", "Const"),
        ("v", "Const"),
        ("read", "Identity"),
        ("v/read", "Identity"),
        ("y", "AddV2"),
    ];
    assert_eq!(ops, expected);
    assert_eq!(frozen.node[1].input, ["handle", "x", "gather/axis", "^read"]);
    assert_eq!(nodes::type_attr(&frozen.node[2], "T"), Some(DataType::Float));

    let error = freeze(&model.graph, &model.variables, &["w/Assign"]).unwrap_err();
    assert!(error.message().contains("cannot be frozen"), "{error}");
    assert_eq!(freeze(&model.graph, &model.variables, &["no"]).unwrap_err().code(), Code::NotFound);
    let none = std::collections::BTreeMap::new();
    let error = freeze(&model.graph, &none, &["y"]).unwrap_err();
    assert!(error.message().contains("which has no value"), "{error}");
}

#[test]
fn damaged_models_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = SavedModel::open(folder.path()).unwrap_err();
    assert!(error.message().contains("is no SavedModel"), "{error}");
    model().save(folder.path()).unwrap();
    let path = folder.path().join(MODEL_FILE);
    let bytes = std::fs::read(&path).unwrap();
    for length in (0..bytes.len()).step_by(7) {
        let cut = bytes::Bytes::copy_from_slice(&bytes[..length]);
        if let Ok(model) = SavedModel::decode(folder.path(), cut) {
            let _ = model.model(&["serve"]);
        }
    }
    let newer =
        downpour_wire::proto::SavedModel { saved_model_schema_version: 7, ..Default::default() };
    let error = SavedModel::decode(folder.path(), newer.encode_to_vec().into()).unwrap_err();
    assert_eq!(error.code(), Code::Unimplemented);
}
