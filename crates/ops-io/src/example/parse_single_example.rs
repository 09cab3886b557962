//! ParseSingleExample: tensors from one serialised Example.

use bytes::Bytes;
use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::features::{Features, set_dense_shapes, set_sparse_shapes};
use super::schema::Schema;
use super::single;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ParseSingleExample(serialized: string, dense_defaults: Tdense) \
                -> (sparse_indices: num_sparse * int64, sparse_values: sparse_types, \
                    sparse_shapes: num_sparse * int64, dense_values: Tdense)
                num_sparse: int >= 0
                sparse_keys: list(string) >= 0
                dense_keys: list(string) >= 0
                sparse_types: list({float, int64, string}) >= 0
                Tdense: list({float, int64, string}) >= 0
                dense_shapes: list(shape) >= 0",
        )?
        .shape(|cx| {
            let prefix = cx.with_rank(0, 0)?;
            let sparse = cx.node().dtypes("sparse_types")?.len();
            let next = set_sparse_shapes(cx, 0, sparse, 1);
            let shapes = cx.node().shapes("dense_shapes")?;
            set_dense_shapes(cx, next, &prefix, &shapes);
            Ok(())
        })
        .not_differentiable(),
        |build| Ok(KernelBox::new(ParseSingleExample::new(build)?)),
    )
}

struct ParseSingleExample {
    features: Features,
    /// Dense, then sparse.
    keys: Vec<Bytes>,
}

impl ParseSingleExample {
    fn new(build: &KernelBuild<'_>) -> Result<ParseSingleExample> {
        let (dense, sparse) = (build.dtypes("Tdense")?, build.dtypes("sparse_types")?);
        let mut keys = build.byte_strings("dense_keys")?;
        if keys.len() != dense.len() {
            return Err(Status::invalid_argument("len(dense_keys) != len(dense_types)"));
        }
        keys.extend(build.byte_strings("sparse_keys")?);
        let counted = build.int("num_sparse")? == sparse.len() as i64;
        if !counted || keys.len() != dense.len() + sparse.len() {
            return Err(Status::invalid_argument("len(sparse_keys) != len(sparse_types)"));
        }
        let dense = (dense, build.shapes("dense_shapes")?);
        let features = Features::new(dense, sparse, Default::default())?;
        Ok(ParseSingleExample { features, keys })
    }
}

impl Kernel for ParseSingleExample {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let serialized = cx.input(0);
        let ([], [message]) = (serialized.dims(), serialized.strings()?) else {
            return Err(Status::invalid_argument(format!(
                "Expected serialized to be a scalar, got shape: {}",
                serialized.shape()
            )));
        };
        let defaults: Vec<&Tensor> = (1..cx.inputs_len()).map(|i| cx.input(i)).collect();
        self.features.check_defaults(&defaults)?;
        let keys = self.keys.iter().map(|key| &key[..]).collect();
        let schema = Schema::new(&self.features, keys, &defaults)?;
        for (i, tensor) in single::parse(&schema, message)?.into_iter().enumerate() {
            cx.set_output(i, tensor);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::fixtures::{example, floats, ints};
    use downpour_graph::PartialShape;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    fn run(message: downpour_tensor::ByteString) -> Result<Vec<Tensor>> {
        OpTest::new(register, "ParseSingleExample")
            .attr("num_sparse", 1i64)
            .attr("sparse_keys", vec!["s"])
            .attr("dense_keys", vec!["d", "v"])
            .attr("sparse_types", vec![DataType::Int64])
            .attr("Tdense", vec![DataType::Float; 2])
            .attr("dense_shapes", vec![PartialShape::from([2]), PartialShape::of_rank(1)])
            .input(Tensor::string(message))
            .input(Tensor::vector(&[7f32, 8.0]).unwrap())
            .input(Tensor::scalar(0f32))
            .run()
    }

    #[test]
    fn features_are_vectors_without_padding() {
        let message =
            example(&[("s", ints(&[3, 4])), ("v", floats(&[1.0])), ("d", floats(&[5.0, 6.0]))]);
        let out = run(message).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 1]);
        assert_eq!(out[0].dims(), [2, 1]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [3, 4]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [2]);
        assert_eq!(out[3].as_slice::<f32>().unwrap(), [5.0, 6.0]);
        assert_eq!(out[4].as_slice::<f32>().unwrap(), [1.0]);
        let out = run(example(&[])).unwrap();
        assert_eq!(out[0].dims(), [0, 1]);
        assert_eq!(out[3].as_slice::<f32>().unwrap(), [7.0, 8.0]);
        assert_eq!(out[4].dims(), [0]);
    }

    #[test]
    fn features_that_do_not_fit_are_named() {
        let error = |message| run(message).unwrap_err().message().to_owned();
        assert!(error(example(&[("d", ints(&[1, 2]))])).starts_with(
            "Key: d.  Data types don't match. Data type: int64 but expected type: float"
        ));
        assert!(error(example(&[("s", floats(&[1.0]))])).starts_with(
            "Key: s.  Data types don't match. Expected type: int64, Actual type: float"
        ));
        assert!(
            error(example(&[("d", floats(&[1.0]))]))
                .starts_with("Key: d.  Can't parse serialized Example")
        );
    }
}
