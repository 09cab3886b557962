//! SaveV2: writes tensors into one checkpoint.

use downpour_formats::BundleWriter;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::arguments;
use crate::file::stop_if_cancelled;

const FIRST_TENSOR: usize = 3;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SaveV2(prefix: string, tensor_names: string, shape_and_slices: string, tensors: dtypes) -> () @stateful
                dtypes: list(type) >= 1",
        )?
        .shape(shapes::unknown)
        .not_differentiable(),
        |_| Ok(KernelBox::blocking_function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (prefix, items) = arguments::read(cx, cx.inputs_len() - FIRST_TENSOR)?;
    let mut writer = BundleWriter::create(&prefix)?;
    for (i, (name, slice)) in items.iter().enumerate() {
        stop_if_cancelled(cx)?;
        let tensor = cx.input(FIRST_TENSOR + i);
        match slice {
            None => writer.add(name, tensor)?,
            Some((full, slice)) => {
                if slice.shape(full) != *tensor.shape() {
                    return Err(Status::invalid_argument(format!(
                        "SaveV2: Slice in shape_and_slice specification does not match the shape of the \
                         tensor to save: {}, tensor: {}",
                        slice.shape(full),
                        tensor.shape()
                    )));
                }
                writer.add_slice(name, full, slice, tensor)?;
            }
        }
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{ByteString, Tensor};

    fn names(list: &[&str]) -> Tensor {
        Tensor::build_strings([list.len()], |i| ByteString::copy_from(list[i])).unwrap()
    }

    #[test]
    fn what_is_saved_can_be_restored_whole_and_in_part() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = folder.path().join("model").to_string_lossy().into_owned();
        let value = Tensor::from_vec([2, 2], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
        OpTest::new(crate::register, "SaveV2")
            .input(Tensor::from_string(prefix.clone()).unwrap())
            .input(names(&["v"]))
            .input(names(&[""]))
            .input(value)
            .run()
            .unwrap();
        for (slice, expected) in [("", vec![1f32, 2.0, 3.0, 4.0]), ("2 2 1,1:-", vec![3.0, 4.0])] {
            let out = OpTest::new(crate::register, "RestoreV2")
                .attr("dtypes", vec![downpour_tensor::DataType::Float])
                .input(Tensor::from_string(prefix.clone()).unwrap())
                .input(names(&["v"]))
                .input(names(&[slice]))
                .run_one()
                .unwrap();
            assert_eq!(out.as_slice::<f32>().unwrap(), &expected[..]);
        }
    }

    #[test]
    fn a_prefix_without_a_file_name_is_refused() {
        let save = |prefix: &'static str| {
            OpTest::new(crate::register, "SaveV2")
                .input(Tensor::string(prefix))
                .input(names(&["v"]))
                .input(names(&[""]))
                .input(Tensor::scalar(1f32))
        };
        let saves = ["", "/", ".", "..", "/nowhere/", "/nowhere/."].map(save);
        let merge = |from, to| {
            let merge = OpTest::new(crate::register, "MergeV2Checkpoints");
            merge.input(names(&[from])).input(Tensor::string(to))
        };
        let restore = OpTest::new(crate::register, "RestoreV2")
            .attr("dtypes", vec![downpour_tensor::DataType::Float])
            .input(Tensor::string(""))
            .input(names(&["v"]))
            .input(names(&[""]));
        let others = [merge("", "/nowhere/x"), merge("/nowhere/x", ""), restore];
        for test in saves.into_iter().chain(others) {
            let error = test.run().unwrap_err();
            assert_eq!(error.code(), downpour_tensor::Code::InvalidArgument);
            assert!(error.message().contains("of a checkpoint has no file name"), "{error}");
        }
        assert!(!std::path::Path::new(".index").exists());
    }

    #[test]
    fn too_few_names_are_refused() {
        let e = OpTest::new(crate::register, "SaveV2")
            .input(Tensor::string("/nowhere/x"))
            .input(names(&[]))
            .input(names(&[""]))
            .input(Tensor::scalar(1f32))
            .run()
            .unwrap_err();
        assert!(e.message().contains("tensor_names"), "{e}");
    }
}
