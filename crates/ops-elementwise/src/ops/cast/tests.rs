use super::*;
use downpour_runtime::testing::OpTest;
use downpour_tensor::{bf16, f16};

fn cast<S: Element, D: Element>(values: &[S]) -> Vec<D> {
    let test = OpTest::new(register, "Cast").attr("DstT", D::DTYPE);
    let out = test.input(Tensor::vector(values).unwrap()).run_one().unwrap();
    out.as_slice::<D>().unwrap().to_vec()
}

#[test]
fn floats_to_integers_truncate_and_wrap_like_the_processor() {
    assert_eq!(cast::<f32, i32>(&[1.9, -1.9, 3e9, f32::NAN]), [1, -1, i32::MIN, i32::MIN]);
    assert_eq!(cast::<f64, i64>(&[1e30, -5.5]), [i64::MIN, -5]);
    assert_eq!(cast::<f32, u8>(&[300.0, -1.0]), [44, 255]);
    assert_eq!(cast::<f64, u64>(&[1.8e19]), [18_000_000_000_000_000_000]);
    assert_eq!(cast::<f32, u32>(&[4e9]), [4_000_000_000]);
}

#[test]
fn integers_and_booleans() {
    assert_eq!(cast::<i64, i32>(&[1 << 40, -1]), [0, -1]);
    assert_eq!(cast::<i32, bool>(&[0, 5, -5]), [false, true, true]);
    assert_eq!(cast::<bool, f32>(&[true, false]), [1.0, 0.0]);
    assert_eq!(cast::<f32, bool>(&[0.0, 0.1]), [false, true]);
    assert_eq!(cast::<u64, f32>(&[u64::MAX]), [1.844_674_4e19]);
}

#[test]
fn small_floats_and_complex_numbers() {
    assert_eq!(cast::<f64, f16>(&[1.5]), [f16::from_f32(1.5)]);
    assert_eq!(cast::<f16, bf16>(&[f16::from_f32(1.5)]), [bf16::from_f32(1.5)]);
    assert_eq!(cast::<bf16, i64>(&[bf16::from_f32(-2.0)]), [-2]);
    assert_eq!(cast::<Complex64, f64>(&[Complex64::new(2.0, 3.0)]), [2.0]);
    assert_eq!(cast::<i32, Complex128>(&[2]), [Complex128::new(2.0, 0.0)]);
    assert_eq!(
        cast::<Complex64, Complex128>(&[Complex64::new(2.0, 3.0)]),
        [Complex128::new(2.0, 3.0)]
    );
    assert_eq!(cast::<f16, Complex64>(&[f16::from_f32(0.5)]), [Complex64::new(0.5, 0.0)]);
}

#[test]
fn quantized_and_four_bit_integers() {
    assert_eq!(cast::<f32, downpour_tensor::QUInt8>(&[7.0]), [downpour_tensor::QUInt8(7)]);
    let four = OpTest::new(register, "Cast").attr("DstT", DataType::Int4);
    let four = four.input(Tensor::vector(&[7i32, -8, 9]).unwrap()).run_one().unwrap();
    let back = OpTest::new(register, "Cast").attr("DstT", DataType::Int32).input(four);
    assert_eq!(back.run_one().unwrap().as_slice::<i32>().unwrap(), &[7, -8, -7]);
}

#[test]
fn truncation_cuts_instead_of_rounding() {
    let value = 1.999_999_9f32;
    let run = |truncate: bool| {
        let test = OpTest::new(register, "Cast").attr("DstT", DataType::BFloat16);
        let test = test.attr("Truncate", truncate).input(Tensor::scalar(value));
        test.run_one().unwrap().to_scalar::<bf16>().unwrap().to_f32()
    };
    assert_eq!(run(false), 2.0);
    assert_eq!(run(true), 1.9921875);
}

#[test]
fn strings_cannot_be_cast() {
    let test = OpTest::new(register, "Cast").attr("DstT", DataType::Float);
    let error = test.input(Tensor::string("1")).run_one().unwrap_err();
    assert!(error.message().contains("Cast string to float is not supported"));
}
