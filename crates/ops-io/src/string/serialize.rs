//! SerializeTensor and ParseTensor: a tensor as a TensorProto inside a string.

use downpour_graph::{OpSpec, ShapeContext, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::TensorProto;
use downpour_wire::{counted_proto, decode_counted, encode_string, tensor_from_proto};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SerializeTensor(tensor: T) -> (serialized: string)
                T: type",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::function(serialize)),
    )?;
    registry.add(
        OpSpec::new(
            "ParseTensor(serialized: string) -> (output: out_type)
                out_type: type",
        )?
        .shape(|cx: &mut ShapeContext<'_>| cx.with_rank(0, 0).map(|_| ()))
        .not_differentiable(),
        |_| Ok(KernelBox::function(parse)),
    )
}

fn serialize(cx: &mut OpContext<'_>) -> Result<()> {
    let (message, _charge) = counted_proto(cx.input(0))?;
    cx.set_output(0, Tensor::string(encode_string(&message)?));
    Ok(())
}

fn parse(cx: &mut OpContext<'_>) -> Result<()> {
    let input = cx.input(0);
    let [serialized] = input.strings()? else {
        return Err(Status::invalid_argument(format!(
            "Expected `serialized` to be a scalar, got shape: {}",
            input.shape()
        )));
    };
    let what = "Could not parse `serialized` as TensorProto";
    let (message, _charge) = decode_counted::<TensorProto>(serialized.to_bytes(), what)?;
    let tensor = tensor_from_proto(&message)?;
    let expected = cx.node().output_dtype(0);
    if tensor.dtype() != expected {
        return Err(Status::invalid_argument(format!(
            "Type mismatch between parsed tensor ({}) and dtype ({expected})",
            tensor.dtype()
        )));
    }
    cx.set_output(0, tensor);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    fn parsed(serialized: Tensor, dtype: DataType) -> Result<Tensor> {
        OpTest::new(register, "ParseTensor").attr("out_type", dtype).input(serialized).run_one()
    }

    #[test]
    fn tensors_survive() {
        let tensor = Tensor::vector(&[1i32, 2]).unwrap();
        let text = OpTest::new(register, "SerializeTensor").input(tensor).run_one().unwrap();
        let expected = b"\x08\x03\x12\x04\x12\x02\x08\x02\"\x08\x01\x00\x00\x00\x02\x00\x00\x00";
        assert_eq!(&text.strings().unwrap()[0][..], expected);
        let back = parsed(text.clone(), DataType::Int32).unwrap();
        assert_eq!(back.as_slice::<i32>().unwrap(), &[1, 2]);
        assert!(parsed(text, DataType::Float).unwrap_err().message().contains("Type mismatch"));
        assert!(parsed(Tensor::string(&b"\xff"[..]), DataType::Float).is_err());
    }
}
