//! StringToNumber: the number each string spells.

use downpour_formats::text_number::{float_or_hexadecimal as float, integer};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Element, Result, Status, excerpt};

use super::elements::to_numbers;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StringToNumber(string_tensor: string) -> (output: out_type)
                out_type: {float, double, int32, int64, uint32, uint64} = float",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| {
            Ok(KernelBox::function(match build.dtype("out_type")? {
                DataType::Float => |cx| convert(cx, float::<f32>),
                DataType::Double => |cx| convert(cx, float::<f64>),
                DataType::Int32 => |cx| convert(cx, integer::<i32>),
                DataType::Int64 => |cx| convert(cx, integer::<i64>),
                DataType::UInt32 => |cx| convert(cx, integer::<u32>),
                DataType::UInt64 => |cx| convert(cx, integer::<u64>),
                other => return Err(build.unsupported(format_args!("out_type {other}"))),
            }))
        },
    )
}

fn convert<T: Element>(cx: &mut OpContext<'_>, read: fn(&[u8]) -> Option<T>) -> Result<()> {
    to_numbers(cx, |text| {
        read(text).ok_or_else(|| {
            Status::invalid_argument(format!(
                "StringToNumberOp could not correctly convert string: {}",
                excerpt(text)
            ))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_quotes_only_the_beginning_of_a_long_string() {
        let long = downpour_tensor::ByteString::copy_from("x".repeat(1 << 20)).unwrap();
        let status = OpTest::new(register, "StringToNumber")
            .input(downpour_tensor::Tensor::string(long))
            .run_one()
            .unwrap_err();
        assert!(status.message().len() < 1000 && status.message().contains("1048576 bytes"));
    }
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn numbers_are_read_or_refused() {
        let run = |text: &'static str, dtype: DataType| {
            OpTest::new(register, "StringToNumber")
                .attr("out_type", dtype)
                .input(Tensor::string(text))
                .run_one()
        };
        assert_eq!(run("-2.5", DataType::Float).unwrap().to_scalar::<f32>().unwrap(), -2.5);
        assert_eq!(run(" 12 ", DataType::Int64).unwrap().to_scalar::<i64>().unwrap(), 12);
        assert!(run("x", DataType::UInt32).unwrap_err().message().contains("convert string: x"));
    }
}
