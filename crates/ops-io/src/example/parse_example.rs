//! ParseExample and ParseExampleV2: tensors from a batch of serialised Examples.

use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::features::{
    Features, set_dense_shapes, set_ragged_shapes, set_sparse_shapes, with_rank_at_most_one,
};
use super::schema::Schema;
use super::{batch, single};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ParseExample(serialized: string, names: string, sparse_keys: Nsparse * string, \
                dense_keys: Ndense * string, dense_defaults: Tdense) \
                -> (sparse_indices: Nsparse * int64, sparse_values: sparse_types, \
                    sparse_shapes: Nsparse * int64, dense_values: Tdense)
                Nsparse: int >= 0
                Ndense: int >= 0
                sparse_types: list({float, int64, string}) >= 0
                Tdense: list({float, int64, string}) >= 0
                dense_shapes: list(shape) >= 0",
        )?
        .shape(|cx| {
            cx.with_rank(0, 1)?;
            cx.with_rank(1, 1)?;
            shape(cx, &[])
        })
        .not_differentiable(),
        |build| Ok(KernelBox::new(ParseExample::new(build, false)?)),
    )?;
    registry.add(
        OpSpec::new(
            "ParseExampleV2(serialized: string, names: string, sparse_keys: string, dense_keys: string, \
                ragged_keys: string, dense_defaults: Tdense) \
                -> (sparse_indices: num_sparse * int64, sparse_values: sparse_types, \
                    sparse_shapes: num_sparse * int64, dense_values: Tdense, \
                    ragged_values: ragged_value_types, ragged_row_splits: ragged_split_types)
                Tdense: list({float, int64, string}) >= 0
                num_sparse: int >= 0
                sparse_types: list({float, int64, string}) >= 0
                ragged_value_types: list({float, int64, string}) >= 0
                ragged_split_types: list({int32, int64}) >= 0
                dense_shapes: list(shape) >= 0",
        )?
        .shape(|cx| {
            with_rank_at_most_one(cx, 0)?;
            with_rank_at_most_one(cx, 1)?;
            let ragged = cx.node().dtypes("ragged_value_types")?;
            shape(cx, &ragged)
        })
        .not_differentiable(),
        |build| Ok(KernelBox::new(ParseExample::new(build, true)?)),
    )
}

fn shape(cx: &mut ShapeContext<'_>, ragged: &[downpour_tensor::DataType]) -> Result<()> {
    let sparse = cx.node().dtypes("sparse_types")?.len();
    let prefix = cx.input(0).clone();
    let next = set_sparse_shapes(cx, 0, sparse, 1);
    let shapes = cx.node().shapes("dense_shapes")?;
    let next = set_dense_shapes(cx, next, &prefix, &shapes);
    set_ragged_shapes(cx, next, ragged.len(), prefix.dim(0));
    Ok(())
}

struct ParseExample {
    features: Features,
    is_second: bool,
}

impl ParseExample {
    fn new(build: &KernelBuild<'_>, is_second: bool) -> Result<ParseExample> {
        let dense = (build.dtypes("Tdense")?, build.shapes("dense_shapes")?);
        let sparse = build.dtypes("sparse_types")?;
        let (counts, ragged) = match is_second {
            true => {
                let ragged =
                    (build.dtypes("ragged_value_types")?, build.dtypes("ragged_split_types")?);
                ([build.int("num_sparse")?, dense.0.len() as i64], ragged)
            }
            false => ([build.int("Nsparse")?, build.int("Ndense")?], Default::default()),
        };
        if counts[0] != sparse.len() as i64 {
            return Err(Status::invalid_argument("len(sparse_keys) != len(sparse_types)"));
        }
        if counts[1] != dense.0.len() as i64 {
            return Err(Status::invalid_argument("len(dense_keys) != len(dense_types)"));
        }
        Ok(ParseExample { features: Features::new(dense, sparse, ragged)?, is_second })
    }

    /// Returns the keys: dense, sparse, ragged.
    fn keys<'a>(&self, cx: &'a OpContext<'_>) -> Result<Vec<&'a [u8]>> {
        let node = cx.node();
        let lists: [(&str, &str, usize); 3] = [
            ("dense_keys", "len(dense_types)", self.features.dense.len()),
            ("sparse_keys", "num_sparse", self.features.sparse.len()),
            ("ragged_keys", "len(ragged_value_types)", self.features.ragged.len()),
        ];
        let mut keys: Vec<&[u8]> = Vec::with_capacity(self.features.len());
        for (name, expected, count) in &lists[..if self.is_second { 3 } else { 2 }] {
            let before = keys.len();
            for i in node.input_range(name)? {
                let tensor = if self.is_second { cx.input(i) } else { cx.scalar_input(i)? };
                keys.extend(tensor.strings()?.iter().map(|key| &key[..]));
            }
            if keys.len() - before != *count {
                return Err(Status::invalid_argument(format!(
                    "Expected len({name}) == {expected} but got: {} vs. {count}",
                    keys.len() - before
                )));
            }
        }
        Ok(keys)
    }
}

impl Kernel for ParseExample {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let keys = self.keys(cx)?;
        let (serialized, names) = (cx.input(0), cx.input(1));
        match (serialized.rank(), self.is_second) {
            (1, _) | (0, true) => {}
            (_, is_second) => {
                return Err(Status::invalid_argument(format!(
                    "Expected serialized to be a {}vector, got shape: {}",
                    if is_second { "scalar or " } else { "" },
                    serialized.shape()
                )));
            }
        }
        if !names.is_empty() && names.shape() != serialized.shape() {
            return Err(Status::invalid_argument(format!(
                "Expected names have the same shape as serialized: name.shape={}, serialized.shape={}",
                names.shape(),
                serialized.shape()
            )));
        }
        let range = cx.node().input_range("dense_defaults")?;
        let defaults: Vec<&Tensor> = range.map(|i| cx.input(i)).collect();
        self.features.check_defaults(&defaults)?;
        let schema = Schema::new(&self.features, keys, &defaults)?;
        let messages = serialized.strings()?;
        let tensors = match (serialized.rank(), messages) {
            (0, [message]) => single::parse(&schema, message)?,
            _ => batch::parse(cx, &schema, messages, names.strings()?)?,
        };
        for (i, tensor) in tensors.into_iter().enumerate() {
            cx.set_output(i, tensor);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
