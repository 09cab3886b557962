//! A dataset of the datasets that the shards of a snapshot are, and what a function of the graph makes of it.

use std::path::Path;

use downpour_data::{Block, Dataset, Names};
use downpour_formats::snapshot::{SnapshotFormat, shard_folders};
use downpour_graph::PartialShape;
use downpour_tensor::{DataType, Result, Status, Tensor, Variant};

use super::elements::{Elements, Place};
use crate::component::Signature;
use crate::dataset::{GraphDataset, from_tensor};
use crate::function::OpenFunction;

/// Returns the dataset whose elements are these datasets.
pub(super) fn nested(datasets: Vec<Tensor>) -> Result<GraphDataset> {
    let values: Vec<Variant> = datasets
        .iter()
        .map(|dataset| match dataset.variants()? {
            [value] => Ok(value.clone()),
            _ => Err(Status::internal("a dataset is no scalar")),
        })
        .collect::<Result<_>>()?;
    let rows = values.len();
    let column = Tensor::from_variants([rows], values)?;
    let block = Block::from_columns(Names::numbered(1), rows, vec![column])?;
    let signature = Signature {
        types: vec![DataType::Variant].into(),
        shapes: vec![PartialShape::scalar()].into(),
    };
    GraphDataset::with_signature(signature, Dataset::from_block(block), &[])
}

/// Returns the dataset that `reader_func` makes of the shards of a run.
pub(super) fn read_run(
    run: &Path,
    format: SnapshotFormat,
    signature: &Signature,
    reader_func: &OpenFunction,
) -> Result<Dataset> {
    let shard = |folder| {
        let place = Place::Shard(folder);
        let elements = Elements { place, format, signature: signature.clone(), start: 0 };
        let dataset = GraphDataset::with_signature(signature.clone(), Dataset::new(elements), &[])?;
        dataset.into_tensor()
    };
    let shards = shard_folders(run)?.into_iter().map(shard).collect::<Result<_>>()?;
    let results = reader_func.call(vec![nested(shards)?.into_tensor()?])?;
    let [result] = &results[..] else {
        return Err(Status::invalid_argument("reader_func returns more than one argument."));
    };
    let dataset = from_tensor(result)?;
    signature.check_compatible(&dataset.signature)?;
    Ok(dataset.pipeline.clone())
}
