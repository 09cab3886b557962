use super::*;
use crate::fused::fusable;
use downpour_runtime::testing::OpTest;
use proptest::prelude::*;

fn fused(program: &[&str], inputs: &[Tensor]) -> Result<Tensor> {
    let program: Vec<String> = program.iter().map(|s| s.to_string()).collect();
    let test = OpTest::new(register, "_FusedElementwise").attr("program", program);
    inputs.iter().fold(test, |test, t| test.input(t.deep_copy().unwrap())).run_one()
}

#[test]
fn a_chain_with_scalars_and_constants() {
    let x = Tensor::from_vec([3, 1000], (0..3000).map(|i| i as f32 - 1500.0).collect()).unwrap();
    let y = Tensor::scalar(2f32);
    let program = ["Mul i0 i1", "AddV2 s0 c1", "Relu s1", "Sub s2 i0"];
    let out = fused(&program, &[x.clone(), y]).unwrap();
    assert_eq!(out.dims(), &[3, 1000]);
    for (o, v) in out.as_slice::<f32>().unwrap().iter().zip(x.as_slice::<f32>().unwrap()) {
        assert_eq!(*o, (v * 2.0 + 1.0).max(0.0) - v);
    }
}

#[test]
fn other_broadcasts_run_step_by_step() {
    let x = Tensor::from_slice([2, 1], &[1f64, 2.0]).unwrap();
    let y = Tensor::from_slice([3], &[10f64, 20.0, 30.0]).unwrap();
    let out = fused(&["AddV2 i0 i1", "Neg s0"], &[x, y]).unwrap();
    assert_eq!(out.dims(), &[2, 3]);
    assert_eq!(out.as_slice::<f64>().unwrap(), &[-11.0, -21.0, -31.0, -12.0, -22.0, -32.0]);
    let bad = [Tensor::vector(&[1f32, 2.0]).unwrap(), Tensor::vector(&[1f32, 2.0, 3.0]).unwrap()];
    assert!(fused(&["AddV2 i0 i1"], &bad).is_err());
}

#[test]
fn gradients_of_activations_do_not_broadcast_when_fused() {
    let full = Tensor::from_vec([2, 3], vec![1f32; 6]).unwrap();
    let flat = Tensor::from_vec([6], vec![1f32; 6]).unwrap();
    let (row, one) = (Tensor::vector(&[1f32; 3]).unwrap(), Tensor::scalar(1f32));
    for op in ["ReluGrad", "EluGrad"] {
        let program = [format!("{op} i0 i1"), "Mul s0 c2".to_string()];
        let run = |other: &Tensor| {
            fused(&program.each_ref().map(|s| s.as_str()), &[full.clone(), other.clone()])
        };
        assert_eq!(run(&full).unwrap().dims(), &[2, 3]);
        for other in [&flat, &row, &one] {
            assert!(run(other).unwrap_err().message().contains("same size and shape"), "{op}");
        }
    }
    let leaky = ["LeakyReluGrad i0 i1 c0.2", "Mul s0 i2"];
    assert!(fused(&leaky, &[full.clone(), full.clone(), one.clone()]).is_ok());
    assert!(fused(&leaky, &[full.clone(), one.clone(), one.clone()]).is_err());
    // Gradients of functions take any operands of the same size.
    let tanh = ["TanhGrad i0 i1", "Mul s0 c2"];
    assert_eq!(fused(&tanh, &[full.clone(), flat]).unwrap().dims(), &[2, 3]);
    assert!(fused(&tanh, &[full, one]).is_err());
}

#[test]
fn scalars_empties_and_unused_inputs() {
    let out = fused(&["AddV2 i0 i0"], &[Tensor::scalar(4f32)]).unwrap();
    assert_eq!(out.to_scalar::<f32>().unwrap(), 8.0);
    let empty = Tensor::new(DataType::Float, [0, 2]).unwrap();
    assert_eq!(fused(&["Exp i0"], &[empty]).unwrap().dims(), &[0, 2]);
    let wide = Tensor::vector(&[1f32, 2.0]).unwrap();
    let out = fused(&["Exp i0", "Neg i1"], &[wide, Tensor::scalar(3f32)]).unwrap();
    assert_eq!((out.dims(), out.to_scalar::<f32>().unwrap()), (&[][..], -3.0));
}

#[test]
fn bad_programs_are_refused() {
    assert!(fused(&["Exp i7"], &[Tensor::scalar(1f32)]).is_err());
    assert!(fused(&[], &[Tensor::scalar(1f32)]).is_err());
}

const OPERATIONS: &[&str] = &[
    "Abs",
    "Neg",
    "Square",
    "Sqrt",
    "Rsqrt",
    "Reciprocal",
    "Inv",
    "Sign",
    "Exp",
    "Expm1",
    "Log",
    "Log1p",
    "Tanh",
    "Sigmoid",
    "Sin",
    "Cos",
    "Floor",
    "Ceil",
    "Round",
    "Rint",
    "Relu",
    "Relu6",
    "Elu",
    "Softsign",
    "Add",
    "AddV2",
    "Sub",
    "Mul",
    "Div",
    "RealDiv",
    "DivNoNan",
    "MulNoNan",
    "Xdivy",
    "Xlogy",
    "Maximum",
    "Minimum",
    "SquaredDifference",
    "Pow",
    "TanhGrad",
    "SigmoidGrad",
    "ReciprocalGrad",
    "SqrtGrad",
    "RsqrtGrad",
    "ReluGrad",
    "Relu6Grad",
    "EluGrad",
    "SoftplusGrad",
    "LeakyRelu",
    "LeakyReluGrad",
];

/// A fused step must give the very bits of the operation it stands for.
#[test]
fn every_step_equals_its_operation() {
    let a = [0.0f32, -0.0, 1.5, -2.5, 7.0, f32::NAN, f32::INFINITY, -0.3, 3.0];
    let b = [0.0f32, 2.0, -1.5, 0.0, 0.5, 1.0, f32::NAN, 2.0, 3.0];
    for op in OPERATIONS {
        let info = fusable(op).unwrap_or_else(|| panic!("{op} is fusable"));
        let inputs = [Tensor::vector(&a).unwrap(), Tensor::vector(&b).unwrap()];
        let count = info.arity - info.attribute.is_some() as usize;
        let mut line = op.to_string();
        (0..count).for_each(|i| line += &format!(" i{i}"));
        if info.attribute.is_some() {
            line += &format!(" c{}", 0.2f32 as f64);
        }
        let got = fused(&[&line], &inputs[..count]).unwrap();
        let test = OpTest::new(crate::register, op);
        let test = inputs[..count].iter().fold(test, |test, t| test.input(t.deep_copy().unwrap()));
        let expected = test.run_one().unwrap();
        let pairs = got.as_slice::<f32>().unwrap().iter().zip(expected.as_slice::<f32>().unwrap());
        for (i, (g, e)) in pairs.enumerate() {
            let same = g.to_bits() == e.to_bits() || (g.is_nan() && e.is_nan()) || g == e;
            assert!(same, "{op}({}, {}) = {e} but fused {g}", a[i], b[i]);
        }
    }
}

proptest! {
    #[test]
    fn buffers_are_never_overwritten_while_needed(
        picks in prop::collection::vec((0usize..4, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..12),
    ) {
        let inputs = [
            Tensor::from_vec([2100], (0..2100).map(|i| i as f64).collect()).unwrap(),
            Tensor::scalar(3f64),
        ];
        let mut lines = Vec::new();
        let mut expected: Vec<Vec<f64>> = Vec::new();
        for (i, (op, x, y)) in picks.iter().enumerate() {
            let value = |pick: &prop::sample::Index| {
                let k = pick.index(i + 2);
                match k {
                    0 => ("i0".to_string(), (0..2100).map(|v| v as f64).collect::<Vec<f64>>()),
                    1 => ("i1".to_string(), vec![3.0; 2100]),
                    _ => (format!("s{}", k - 2), expected[k - 2].clone()),
                }
            };
            let ((name_x, x), (name_y, y)) = (value(x), value(y));
            let (name, f): (&str, fn(f64, f64) -> f64) = match op {
                0 => ("AddV2", |a, b| a + b),
                1 => ("Sub", |a, b| a - b),
                2 => ("Maximum", f64::max),
                _ => ("Minimum", f64::min),
            };
            lines.push(format!("{name} {name_x} {name_y}"));
            expected.push(x.iter().zip(&y).map(|(a, b)| f(*a, *b)).collect());
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let out = fused(&lines, &inputs).unwrap();
        let expected = expected.pop().unwrap();
        let got = out.as_slice::<f64>().unwrap();
        // A program that never reads the long input gives a single number.
        for (i, g) in got.iter().enumerate() {
            prop_assert_eq!(*g, expected[i]);
        }
    }
}
