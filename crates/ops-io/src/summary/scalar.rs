//! ScalarSummary: tagged numbers.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{
    Charge, CountedVec, RealNumber, Result, Status, Tensor, dispatch_real, excerpt,
};
use downpour_wire::encode_string;
use downpour_wire::proto::{Summary, summary};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ScalarSummary(tags: string, values: T) -> (summary: string)
                T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (tags, values) = (cx.input(0), cx.input(1));
    if tags.shape() != values.shape() {
        let first = tags.strings()?.first().cloned().unwrap_or_default();
        return Err(Status::invalid_argument(format!(
            "tags and values are not the same shape: {} != {} (tag '{}')",
            tags.shape(),
            values.shape(),
            excerpt(&first)
        )));
    }
    let numbers = as_floats(values)?;
    // Tags may share their bytes; in the message each is a copy, and a broken character takes three bytes for one.
    let texts: usize = tags.strings()?.iter().map(|tag| tag.len().saturating_mul(3)).sum();
    let structures = tags.len().saturating_mul(size_of::<summary::Value>());
    let _charge = Charge::new(structures.saturating_add(texts))?;
    let value = tags
        .strings()?
        .iter()
        .zip(numbers.iter())
        .map(|(tag, &number)| summary::Value {
            tag: String::from_utf8_lossy(tag).into_owned(),
            value: Some(summary::value::Value::SimpleValue(number as f32)),
            ..Default::default()
        })
        .collect();
    cx.set_output(0, Tensor::string(encode_string(&Summary { value })?));
    Ok(())
}

/// The elements of any real tensor as doubles.
pub(crate) fn as_floats(values: &Tensor) -> Result<CountedVec<f64>> {
    fn convert<T: RealNumber>(values: &Tensor) -> Result<CountedVec<f64>> {
        let values = values.as_slice::<T>()?;
        CountedVec::build(values.len(), |i| Ok(values[i].to_f64_lossy()))
    }
    dispatch_real!(values.dtype(), "a summary", T => convert::<T>(values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_wire::Message;

    #[test]
    fn each_tag_gets_its_value() {
        let tags = Tensor::from_strings([2], vec!["a".into(), "b".into()]).unwrap();
        let out = OpTest::new(register, "ScalarSummary")
            .input(tags.clone())
            .input(Tensor::vector(&[1i32, 2]).unwrap())
            .run_one()
            .unwrap();
        let summary = Summary::decode(out.strings().unwrap()[0].to_bytes()).unwrap();
        assert_eq!(summary.value[1].tag, "b");
        let bad = OpTest::new(register, "ScalarSummary").input(tags).input(Tensor::scalar(1f32));
        assert!(bad.run_one().unwrap_err().message().contains("not the same shape"));
    }
}
