//! The dataset that a variant tensor holds.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use downpour_data::Dataset;
use downpour_graph::Node;
use downpour_runtime::OpContext;
use downpour_tensor::{Result, Status, Tensor, Variant, VariantValue};
use downpour_wire::{DatasetOptions, Message};

use crate::component::Signature;
use crate::graph::Origin;
use crate::inspect;

/// Stages that may stand behind each other. Opening and dropping a pipeline goes through all of them, one within the other.
const MAX_STAGES: usize = 1000;

/// A description of a pipeline, and what its elements are.
#[derive(Clone)]
pub(crate) struct GraphDataset {
    pub pipeline: Dataset,
    pub signature: Signature,
    /// Serialized `tf.data.Options` that apply to it.
    pub options: Arc<Vec<u8>>,
    /// Rows of the elements' components, where batching says how many there are.
    pub batch_size: Option<usize>,
    /// The longest way from here to a source.
    stages: usize,
    origin: OnceLock<Arc<Origin>>,
}

impl GraphDataset {
    /// Returns the dataset of a node that makes one, given the datasets it was made from.
    pub fn new(node: &Node, pipeline: Dataset, inputs: &[&GraphDataset]) -> Result<GraphDataset> {
        let batch_size = inspect::batch_size(node, &pipeline, inputs);
        let made = GraphDataset::with_signature(Signature::of(node)?, pipeline, inputs)?;
        Ok(GraphDataset { batch_size, ..made })
    }

    /// Returns a dataset whose elements are known without a node.
    pub fn with_signature(
        signature: Signature,
        pipeline: Dataset,
        inputs: &[&GraphDataset],
    ) -> Result<GraphDataset> {
        let stages = 1 + inputs.iter().map(|input| input.stages).max().unwrap_or(0);
        if stages > MAX_STAGES {
            return Err(Status::invalid_argument(format!(
                "a dataset of more than {MAX_STAGES} transformations behind each other cannot be iterated"
            )));
        }
        let options = merged(inputs.iter().map(|input| &input.options))?;
        let (batch_size, origin) = (None, OnceLock::new());
        Ok(GraphDataset { pipeline, signature, options, batch_size, stages, origin })
    }

    /// Returns what the dataset was made by, if it was made by an operation.
    pub fn origin(&self) -> Option<&Arc<Origin>> {
        self.origin.get()
    }

    /// Notes what the dataset was made by. The first to say so is right: others pass it on.
    pub fn set_origin(&self, origin: Origin) {
        self.origin.get_or_init(|| Arc::new(origin));
    }

    /// Returns those of the options that change results.
    pub fn read_options(&self) -> Result<DatasetOptions> {
        DatasetOptions::decode(&self.options[..])
            .map_err(|_| Status::invalid_argument("Could not parse the options of a dataset"))
    }

    /// Returns the scalar variant that holds this dataset.
    pub fn into_tensor(self) -> Result<Tensor> {
        Ok(Variant::new(DatasetVariant(self))?.into_tensor())
    }
}

/// Bytes of options; datasets that are zipped with themselves again and again must not double them without end.
const MOST_OPTIONS: usize = 1 << 20;

/// Returns options together, where those behind win. Messages are merged by putting them behind each other.
pub(crate) fn merged<'o>(all: impl Iterator<Item = &'o Arc<Vec<u8>>>) -> Result<Arc<Vec<u8>>> {
    let mut merged: Arc<Vec<u8>> = Arc::default();
    for options in all.filter(|options| !options.is_empty()) {
        if merged.is_empty() {
            merged = options.clone();
        } else if !Arc::ptr_eq(&merged, options) {
            if merged.len() + options.len() > MOST_OPTIONS {
                return Err(Status::invalid_argument(format!(
                    "the options of a dataset have more than {MOST_OPTIONS} bytes"
                )));
            }
            merged = Arc::new([&merged[..], options].concat());
        }
    }
    Ok(merged)
}

struct DatasetVariant(GraphDataset);

impl std::fmt::Debug for DatasetVariant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.pipeline.fmt(f)
    }
}

impl VariantValue for DatasetVariant {
    fn type_name(&self) -> &str {
        "tensorflow::DatasetVariantWrapper"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    /// Pipelines count their stages themselves.
    fn inner_depth(&self) -> usize {
        0
    }
}

/// Returns the dataset in a scalar variant tensor.
pub(crate) fn from_tensor(tensor: &Tensor) -> Result<&GraphDataset> {
    let wrong = || Status::invalid_argument("Tensor must be a Dataset object.");
    if tensor.rank() != 0 {
        return Err(Status::invalid_argument(
            "Dataset tensor must be a scalar of dtype DT_VARIANT.",
        ));
    }
    let [variant] = tensor.variants()? else { return Err(wrong()) };
    from_variant(variant).ok_or_else(wrong)
}

/// Returns the dataset in a variant, if it holds one.
pub(crate) fn from_variant(variant: &Variant) -> Option<&GraphDataset> {
    variant.get::<DatasetVariant>().map(|held| &held.0)
}

/// Returns the dataset that is input `i` of a kernel.
pub(crate) fn input<'c>(cx: &'c OpContext<'_>, i: usize) -> Result<&'c GraphDataset> {
    from_tensor(cx.input(i))
}

/// Sets the output of a kernel that makes a dataset of `pipeline` from its first input.
pub(crate) fn finish(cx: &mut OpContext<'_>, pipeline: Dataset) -> Result<()> {
    let made = GraphDataset::new(cx.node(), pipeline, &[input(cx, 0)?])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

/// Returns the int64 scalar that is input `i`, which errors call `name`.
pub(crate) fn scalar_i64(cx: &OpContext<'_>, i: usize, name: &str) -> Result<i64> {
    let tensor = cx.input(i);
    if tensor.rank() != 0 {
        return Err(Status::invalid_argument(format!("{name} must be a scalar")));
    }
    tensor.to_i64_scalar()
}

/// Returns the bool scalar that is input `i`, which errors call `name`.
pub(crate) fn scalar_bool(cx: &OpContext<'_>, i: usize, name: &str) -> Result<bool> {
    let tensor = cx.input(i);
    if tensor.rank() != 0 {
        return Err(Status::invalid_argument(format!("{name} must be a scalar")));
    }
    tensor.to_scalar::<bool>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_tensor::DataType;

    #[test]
    fn pipelines_do_not_grow_without_end() {
        let signature = Signature::scalar(DataType::Int64);
        let make = |pipeline, inputs: &[&GraphDataset]| {
            GraphDataset::with_signature(signature.clone(), pipeline, inputs)
        };
        let mut dataset = make(Dataset::range(1), &[]).unwrap();
        for _ in 1..MAX_STAGES {
            dataset = make(dataset.pipeline.repeat_times(1), &[&dataset]).unwrap();
        }
        assert_eq!(dataset.pipeline.iterate().unwrap().count(), 1);
        let refused = make(dataset.pipeline.repeat_times(1), &[&dataset]);
        assert!(refused.err().unwrap().message().contains("1000 transformations"));
    }

    #[test]
    fn options_of_the_same_dataset_are_not_repeated() {
        let (first, second) = (Arc::new(vec![1]), Arc::new(vec![2, 3]));
        assert_eq!(*merged([&first, &first].into_iter()).unwrap(), [1]);
        assert_eq!(*merged([&Arc::default(), &first, &second].into_iter()).unwrap(), [1, 2, 3]);
        let large = [Arc::new(vec![0; MOST_OPTIONS]), second];
        assert!(merged(large.iter()).is_err());
        assert!(merged([].into_iter()).unwrap().is_empty());
    }

    #[test]
    fn only_a_scalar_that_holds_a_dataset_is_one() {
        let made = GraphDataset::with_signature(
            Signature::scalar(DataType::Int64),
            Dataset::range(2),
            &[],
        );
        let tensor = made.unwrap().into_tensor().unwrap();
        assert_eq!(from_tensor(&tensor).unwrap().signature.types[..], [DataType::Int64]);
        let pair = Tensor::from_variants([2], vec![Variant::default(); 2]).unwrap();
        assert!(from_tensor(&pair).is_err());
        assert!(from_tensor(&Variant::default().into_tensor()).is_err());
    }
}
