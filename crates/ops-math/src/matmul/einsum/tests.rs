use downpour_runtime::testing::OpTest;
use downpour_tensor::{Result, Tensor};

use super::register;

fn ramp(dims: &[usize]) -> Tensor {
    let n: usize = dims.iter().product();
    Tensor::from_vec(dims.to_vec(), (1..=n).map(|v| v as f32).collect()).unwrap()
}

fn run(equation: &str, inputs: &[Tensor]) -> Result<Tensor> {
    let mut test = OpTest::new(register, "Einsum").attr("equation", equation.to_string());
    test = test.attr("N", inputs.len() as i64);
    for input in inputs {
        test = test.input(input.clone());
    }
    test.run_one()
}

fn values(equation: &str, inputs: &[Tensor]) -> Vec<f32> {
    run(equation, inputs).unwrap().as_slice::<f32>().unwrap().to_vec()
}

#[test]
fn one_input() {
    assert_eq!(values("ij->ji", &[ramp(&[2, 3])]), &[1., 4., 2., 5., 3., 6.]);
    assert_eq!(values("ii->", &[ramp(&[3, 3])]), &[15.]);
    assert_eq!(values("ii->i", &[ramp(&[3, 3])]), &[1., 5., 9.]);
    assert_eq!(values("i->ii", &[ramp(&[2])]), &[1., 0., 0., 2.]);
    assert_eq!(values("ij->j", &[ramp(&[2, 3])]), &[5., 7., 9.]);
    assert_eq!(values("...ij->...i", &[ramp(&[2, 1, 2])]), &[3., 7.]);
    assert_eq!(values("->", &[Tensor::scalar(3f32)]), &[3.]);
}

#[test]
fn two_inputs() {
    let (a, b) = (ramp(&[2, 3]), ramp(&[3, 2]));
    assert_eq!(values("ij,jk->ik", &[a.clone(), b.clone()]), &[22., 28., 49., 64.]);
    assert_eq!(values("ij,jk->ki", &[a.clone(), b.clone()]), &[22., 49., 28., 64.]);
    assert_eq!(values("ij,kj->ik", &[a.clone(), a.clone()]), &[14., 32., 32., 77.]);
    assert_eq!(values("ij,ij->", &[a.clone(), a.clone()]), &[91.]);
    assert_eq!(values("ij,ij->ij", &[a.clone(), a.clone()]), &[1., 4., 9., 16., 25., 36.]);
    assert_eq!(values("i,j->ij", &[ramp(&[2]), ramp(&[2])]), &[1., 2., 2., 4.]);
    assert_eq!(values("ij,k->i", &[a.clone(), ramp(&[2])]), &[18., 45.]);
    let out = run("...ij,...jk->...ik", &[ramp(&[2, 1, 1, 2]), ramp(&[3, 2, 1])]).unwrap();
    assert_eq!(out.dims(), &[2, 3, 1, 1]);
    assert_eq!(out.as_slice::<f32>().unwrap(), &[5., 11., 17., 11., 25., 39.]);
}

#[test]
fn nothing_to_sum() {
    assert_eq!(values("ij,jk->ik", &[ramp(&[1, 0]), ramp(&[0, 2])]), &[0., 0.]);
    assert_eq!(run("ij->ji", &[ramp(&[0, 2])]).unwrap().dims(), &[2, 0]);
}

#[test]
fn bad_equations() {
    for (equation, inputs) in [
        ("ij", vec![ramp(&[1, 1])]),
        ("ij->ik", vec![ramp(&[1, 1])]),
        ("ij->i", vec![ramp(&[1])]),
        ("i.j->i", vec![ramp(&[1, 1])]),
        ("...i->i", vec![ramp(&[2, 2])]),
        ("i,i->i", vec![ramp(&[2]), ramp(&[3])]),
        ("i,j,k->i", vec![ramp(&[2]), ramp(&[3]), ramp(&[1])]),
        ("i->i", vec![ramp(&[2]), ramp(&[2])]),
    ] {
        assert!(run(equation, &inputs).is_err(), "{equation}");
    }
}
