//! Restore and RestoreSlice: read a tensor, or a part of one, from checkpoint files of the first format.

use std::path::Path;

use downpour_formats::{SliceSpec, SlicesReader, parse_shape_and_slice};
use downpour_graph::OpSpec;
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::arguments::text;
use crate::file::matching::matching_files;
use crate::file::stop_if_cancelled;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    // The preferred shard is where to look first; all are looked through.
    let whole = "Restore(file_pattern: string, tensor_name: string) -> (tensor: dt) @stateful
        dt: type
        preferred_shard: int = -1";
    registry.add(OpSpec::new(whole)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(|cx| compute(cx, false)))
    })?;
    let slice = "RestoreSlice(file_pattern: string, tensor_name: string, shape_and_slice: string) -> (tensor: dt) @stateful
        dt: type
        preferred_shard: int = -1";
    registry.add(OpSpec::new(slice)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(|cx| compute(cx, true)))
    })
}

fn compute(cx: &mut OpContext<'_>, is_slice: bool) -> Result<()> {
    let one = |i: usize| match cx.input(i).strings()? {
        [value] => text(value),
        values => Err(Status::invalid_argument(format!(
            "{}: Input {i} must be a string scalar; got a tensor of {} elements",
            cx.node().op_name(),
            values.len()
        ))),
    };
    let (pattern, name) = (one(0)?, one(1)?);
    let asked = if is_slice { parse_shape_and_slice(&one(2)?)? } else { None };
    let files = matching_files(cx, Path::new(&pattern))?;
    if files.is_empty() {
        return Err(Status::not_found(format!("Failed to find any matching files for {pattern}")));
    }
    let mut reader = SlicesReader::new();
    for file in &files {
        reader.add_file(file, || stop_if_cancelled(cx))?;
    }
    let Some((dtype, full)) = reader.describe(&name)? else {
        return Err(Status::not_found(format!(
            "Tensor name \"{name}\" not found in checkpoint files {pattern}"
        )));
    };
    let expected = cx.node().output_dtype(0);
    if dtype != expected {
        return Err(Status::invalid_argument(format!(
            "Expected to restore a tensor of type {expected}, got a tensor of type {dtype} instead: tensor_name = {name}"
        )));
    }
    let slice = match asked {
        Some((shape, _)) if shape != full => {
            return Err(Status::invalid_argument(format!(
                "Shape in shape_and_slice spec {shape} does not match the shape stored in checkpoint: {full}"
            )));
        }
        Some((_, slice)) => slice,
        None => SliceSpec::whole(full.rank()),
    };
    cx.set_output(0, reader.read(&name, &slice)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{ByteString, Code, DataType, Tensor};

    fn strings(list: &[&str]) -> Tensor {
        Tensor::build_strings([list.len()], |i| ByteString::copy_from(list[i])).unwrap()
    }

    #[test]
    fn what_is_saved_comes_back_whole_and_in_part() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model");
        let name = || Tensor::from_string(file.to_str().unwrap()).unwrap();
        let value = Tensor::from_vec([2, 2], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
        OpTest::new(crate::register, "SaveSlices")
            .input(name())
            .input(strings(&["v", "part"]))
            .input(strings(&["", "4 2 1,2:-"]))
            .input(value.clone())
            .input(value)
            .run()
            .unwrap();
        let restore = |tensor: &'static str, dtype: DataType| {
            OpTest::new(crate::register, "Restore")
                .attr("dt", dtype)
                .input(name())
                .input(Tensor::string(tensor))
        };
        let whole = restore("v", DataType::Float).run_one().unwrap();
        assert_eq!(whole.as_slice::<f32>().unwrap(), [1.0, 2.0, 3.0, 4.0]);
        let row = OpTest::new(crate::register, "RestoreSlice")
            .attr("dt", DataType::Float)
            .input(name())
            .input(Tensor::string("part"))
            .input(Tensor::string("4 2 2,1:-"))
            .run_one()
            .unwrap();
        assert_eq!(row.as_slice::<f32>().unwrap(), [3.0, 4.0]);
        let code = |test: OpTest| test.run().unwrap_err().code();
        assert_eq!(code(restore("part", DataType::Float)), Code::NotFound);
        assert_eq!(code(restore("none", DataType::Float)), Code::NotFound);
        assert_eq!(code(restore("v", DataType::Int32)), Code::InvalidArgument);
    }

    #[test]
    fn names_and_files_that_do_not_fit_are_refused() {
        let save = |file: &'static str, names: &[&str]| {
            OpTest::new(crate::register, "Save")
                .input(Tensor::string(file))
                .input(strings(names))
                .input(Tensor::scalar(1f32))
                .run()
                .unwrap_err()
                .code()
        };
        assert_eq!(save("/nowhere/x", &[]), Code::InvalidArgument);
        assert_eq!(save("", &["v"]), Code::InvalidArgument);
        let none = OpTest::new(crate::register, "Restore")
            .attr("dt", DataType::Float)
            .input(Tensor::string("/nowhere/x*"))
            .input(Tensor::string("v"));
        assert_eq!(none.run().unwrap_err().code(), Code::NotFound);
    }
}
