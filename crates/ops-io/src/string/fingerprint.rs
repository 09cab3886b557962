//! Fingerprint: 8 bytes that stand for each row of a tensor.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::fingerprint::fingerprint64;
use downpour_tensor::{DataType, Result, Status, Tensor, excerpt};

/// Bytes of a fingerprint.
const SIZE: usize = 8;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Fingerprint(data: T, method: string) -> (fingerprint: uint8)
                T: type",
        )?
        .shape(shape)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let rows = cx.with_rank_at_least(0, 1)?.dims().and_then(|dims| dims[0]);
    cx.with_rank(1, 0)?;
    cx.set_output(0, PartialShape::matrix(rows, Some(SIZE)));
    Ok(())
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let method = &cx.scalar_input(1)?.strings()?[0];
    if method != "farmhash64" {
        return Err(Status::invalid_argument(format!(
            "Unsupported fingerprint method: {}",
            excerpt(method)
        )));
    }
    let data = cx.input(0);
    let Some((&rows, inner)) = data.dims().split_first() else {
        return Err(Status::invalid_argument("`data` should have at least one dimension: []"));
    };
    let row: usize = inner.iter().product();
    let mut out = Tensor::new(DataType::UInt8, [rows, SIZE])?;
    let places = out
        .as_mut_slice::<u8>()
        .ok_or_else(|| Status::internal("a new tensor has an owner besides this kernel"))?
        .chunks_exact_mut(SIZE);
    if let Some(bytes) = data.bytes() {
        let size = row * data.dtype().size();
        for (i, place) in places.enumerate() {
            let hash = fingerprint64(&bytes[i * size..(i + 1) * size]);
            place.copy_from_slice(&hash.to_le_bytes());
        }
    } else {
        let texts = data.strings().map_err(|_| {
            Status::invalid_argument(format!("Data type not supported: {}", data.dtype()))
        })?;
        for (i, place) in places.enumerate() {
            // Several strings: the fingerprint of their fingerprints.
            let hash = match &texts[i * row..(i + 1) * row] {
                [one] => fingerprint64(one),
                many => {
                    let each = many.iter().flat_map(|text| fingerprint64(text).to_le_bytes());
                    fingerprint64(&each.collect::<Vec<u8>>())
                }
            };
            place.copy_from_slice(&hash.to_le_bytes());
        }
    }
    cx.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn first_row(data: Tensor) -> Vec<u8> {
        let test = OpTest::new(register, "Fingerprint").input(data);
        let out = test.input(Tensor::string("farmhash64")).run_one().unwrap();
        out.as_slice::<u8>().unwrap()[..SIZE].to_vec()
    }

    #[test]
    fn fingerprints_agree_with_tensorflow() {
        let words = |shape: &[usize], words: &[&'static str]| {
            Tensor::from_strings(shape, words.iter().map(|&w| w.into()).collect()).unwrap()
        };
        assert_eq!(first_row(words(&[2], &["ab", "c"])), [30, 165, 173, 66, 82, 110, 141, 170]);
        let square = words(&[2, 2], &["ab", "c", "d", "e"]);
        assert_eq!(first_row(square), [65, 83, 39, 149, 164, 245, 170, 22]);
        let numbers = Tensor::from_slice([2, 2], &[1i32, 2, 3, 4]).unwrap();
        assert_eq!(first_row(numbers), [76, 18, 253, 133, 168, 204, 240, 10]);
    }

    #[test]
    fn other_methods_are_refused() {
        let test = OpTest::new(register, "Fingerprint").input(Tensor::vector(&[1f32]).unwrap());
        assert!(test.input(Tensor::string("md5")).run_one().is_err());
    }
}
