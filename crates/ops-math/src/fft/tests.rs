use downpour_runtime::testing::OpTest;
use downpour_tensor::{Complex128, DataType, Result, Tensor};
use proptest::prelude::*;

use super::register;

fn wave(dims: &[usize]) -> Tensor {
    let n: usize = dims.iter().product();
    let values = (0..n).map(|i| Complex128::new((i * 7 % 5) as f64, (i * 3 % 4) as f64)).collect();
    Tensor::from_vec(dims.to_vec(), values).unwrap()
}

fn run(op: &str, input: Tensor, lengths: Option<&[i32]>) -> Result<Tensor> {
    let mut test = OpTest::new(register, op).input(input);
    if let Some(lengths) = lengths {
        test = test.input(Tensor::vector(lengths)?);
        test = test.attr("Treal", DataType::Double).attr("Tcomplex", DataType::Complex128);
    }
    test.run_one()
}

fn close(a: &Tensor, b: &Tensor) -> bool {
    let (a, b) = (a.as_slice::<Complex128>().unwrap(), b.as_slice::<Complex128>().unwrap());
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).norm() < 1e-9)
}

#[test]
fn one_axis_agrees_with_the_definition() {
    let x = wave(&[5]);
    let values = x.as_slice::<Complex128>().unwrap();
    let expected: Vec<Complex128> = (0..5)
        .map(|k| {
            let turn = |j: usize| {
                Complex128::from_polar(1.0, -std::f64::consts::TAU * (j * k) as f64 / 5.0)
            };
            values.iter().enumerate().map(|(j, v)| v * turn(j)).sum()
        })
        .collect();
    let out = run("FFT", x, None).unwrap();
    assert!(close(&out, &Tensor::vector(&expected).unwrap()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn inverses_undo(dims in prop::collection::vec(1usize..6, 3..4), rank in 1usize..4) {
        let suffix = ["", "2D", "3D"][rank - 1];
        let x = wave(&dims);
        let there = run(&format!("FFT{suffix}"), x.clone(), None).unwrap();
        let back = run(&format!("IFFT{suffix}"), there, None).unwrap();
        prop_assert!(close(&back, &x));
        let real: Vec<f64> = x.as_slice::<Complex128>().unwrap().iter().map(|v| v.re).collect();
        let lengths: Vec<i32> = dims[3 - rank..].iter().map(|&d| d as i32).collect();
        let real = Tensor::from_vec(dims.clone(), real).unwrap();
        let there = run(&format!("RFFT{suffix}"), real.clone(), Some(&lengths)).unwrap();
        prop_assert_eq!(there.dims()[2], dims[2] / 2 + 1);
        let back = run(&format!("IRFFT{suffix}"), there, Some(&lengths)).unwrap();
        for (a, b) in back.as_slice::<f64>().unwrap().iter().zip(real.as_slice::<f64>().unwrap()) {
            prop_assert!((a - b).abs() < 1e-9);
        }
    }
}

#[test]
fn lengths_cut_and_are_checked() {
    let real = Tensor::vector(&[1f64, 2., 3., 4.]).unwrap();
    let out = run("RFFT", real.clone(), Some(&[2])).unwrap();
    let expected =
        Tensor::vector(&[Complex128::new(3.0, 0.0), Complex128::new(-1.0, 0.0)]).unwrap();
    assert!(close(&out, &expected));
    assert!(run("RFFT", real.clone(), Some(&[5])).is_err());
    assert!(run("RFFT", real.clone(), Some(&[-1])).is_err());
    assert!(run("RFFT", real.clone(), Some(&[2, 2])).is_err());
    assert!(run("RFFT2D", real.clone(), Some(&[2, 2])).is_err());
    assert_eq!(run("RFFT", real, Some(&[0])).unwrap().dims(), &[0]);
    assert_eq!(run("FFT", wave(&[2, 0]), None).unwrap().dims(), &[2, 0]);
    assert!(run("FFT", Tensor::scalar(Complex128::new(1.0, 0.0)), None).is_err());
}

#[test]
fn given_axes() {
    let x = wave(&[2, 3]);
    let run = |axes: &[i32], lengths: &[i32]| {
        OpTest::new(register, "FFTND")
            .input(x.clone())
            .input(Tensor::vector(lengths).unwrap())
            .input(Tensor::vector(axes).unwrap())
            .run_one()
    };
    assert!(close(
        &run(&[0, 1], &[2, 3]).unwrap(),
        &super::tests::run("FFT2D", x.clone(), None).unwrap()
    ));
    assert_eq!(run(&[-1], &[5]).unwrap().dims(), &[2, 5]);
    assert!(run(&[0], &[2]).is_err());
    assert!(run(&[], &[]).is_err());
}
