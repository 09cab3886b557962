use super::*;
use downpour_wire::proto::{self, op_def};

fn registry() -> OpRegistry {
    let mut registry = OpRegistry::new();
    for signature in [
        "_Arg() -> (output: T) @stateful\n T: type\n index: int >= 0",
        "Neg(x: float) -> (y: float)",
    ] {
        registry.add(OpSpec::new(signature).unwrap()).unwrap();
    }
    registry
}

fn arg(name: &str, dtype: DataType, number_attr: &str) -> op_def::ArgDef {
    op_def::ArgDef {
        name: name.into(),
        r#type: dtype as i32,
        number_attr: number_attr.into(),
        ..Default::default()
    }
}

/// `f(x: N * float) -> (out: result)`, which gives `returned` of its body `neg = Neg(input...)`.
fn instantiate(n: i64, inputs: &[&str], result: DataType, returned: &str) -> Result<FunctionGraph> {
    let signature = proto::OpDef {
        name: "f".into(),
        input_arg: vec![arg("x", DataType::Float, "N")],
        output_arg: vec![arg("out", result, "")],
        attr: vec![op_def::AttrDef {
            name: "N".into(),
            r#type: "int".into(),
            ..Default::default()
        }],
        ..Default::default()
    };
    let body = NodeDef {
        name: "neg".into(),
        op: "Neg".into(),
        input: inputs.iter().map(|i| i.to_string()).collect(),
        ..Default::default()
    };
    let function = FunctionDef {
        signature: Some(signature),
        node_def: vec![body],
        ret: [("out".into(), returned.into())].into(),
        ..Default::default()
    };
    let mut library = FunctionLibrary::new();
    library.extend(&FunctionDefLibrary { function: vec![function], ..Default::default() })?;
    let call = Function { name: "f".into(), attrs: Attrs::new().with("N", n) };
    library.instantiate(&call, &registry())
}

#[test]
fn a_body_is_made_for_a_call() {
    let body = instantiate(3, &["x:1"], DataType::Float, "neg:y:0").unwrap();
    assert_eq!((body.args.len(), body.results.len()), (3, 1));
}

#[test]
fn forged_bodies_are_refused() {
    let refusal = |n, inputs: &[&str], result, returned| {
        instantiate(n, inputs, result, returned).unwrap_err().message().to_string()
    };
    let float = DataType::Float;
    assert!(refusal(1 << 20, &["x:0"], float, "neg:y").contains("1048576 arguments"));
    assert!(refusal(1 << 15, &["x"; 100], float, "neg:y").contains("expects 1 inputs"));
    assert!(refusal(3, &["x:3"], float, "neg:y").contains("unknown input 'x:3'"));
    assert!(refusal(3, &["x:0"], float, "x").contains("[float] but the body returns 3"));
    assert!(refusal(3, &["x:0"], DataType::Int32, "neg:y").contains("[int32]"));
}
