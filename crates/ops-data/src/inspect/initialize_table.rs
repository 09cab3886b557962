//! InitializeTableFromDataset: fills a lookup table with the elements of a dataset, pairs of a key and a value.

use std::sync::Arc;

use downpour_data::{Block, Element};
use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry};
use downpour_tensor::{Code, DataType, Result, Status, Tensor};

use super::waiting::Waiting;
use crate::component::Signature;
use crate::dataset::{self, GraphDataset};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "InitializeTableFromDataset(table_handle: resource, dataset: variant) -> () @stateful",
        )?
        .not_differentiable(),
        |_| Ok(KernelBox::asynchronous(InitializeTable)),
    )
}

struct InitializeTable;

impl AsyncKernel for InitializeTable {
    fn start(&self, cx: AsyncContext) {
        Waiting::start(cx, |cx| initialize(cx).map(|()| Vec::new()));
    }
}

fn initialize(cx: &AsyncContext) -> Result<()> {
    let handle = cx.handle(0)?;
    let resource = cx.step().resources().lookup_any(handle)?;
    let table = resource.as_initializable_table().ok_or_else(|| {
        Status::invalid_argument(format!("Table {} is not initializable", handle.name))
    })?;
    let (keys, values) = pairs(cx, dataset::from_tensor(cx.input(1))?, table.types())?;
    match table.initialize(&keys, &values) {
        // The table was filled before, and stays as it is.
        Err(error) if error.code() == Code::FailedPrecondition && table.is_initialized() => Ok(()),
        result => result,
    }
}

/// Reads all elements, as a vector of keys and one of values.
fn pairs(
    cx: &AsyncContext,
    dataset: &GraphDataset,
    (key, value): (DataType, DataType),
) -> Result<(Tensor, Tensor)> {
    let types = &dataset.signature.types;
    if types.len() != 2 {
        return Err(Status::invalid_argument("Dataset should have two output types only"));
    }
    for (what, expected, found) in [("Key", key, types[0]), ("Value", value, types[1])] {
        if expected != found {
            return Err(Status::invalid_argument(format!(
                "{what} dtype expected: {expected} but obtained: {found} from the dataset"
            )));
        }
    }
    let scalars: Arc<[PartialShape]> = Arc::new([PartialShape::scalar(), PartialShape::scalar()]);
    let pair = Signature { types: types.clone(), shapes: scalars };
    pair.check_compatible(&dataset.signature)?;
    let mut iterator = dataset.pipeline.iterate()?;
    let cancel = iterator.canceller();
    let _guard = cx.step().cancellation().on_cancel(move || cancel.cancel());
    let mut elements: Vec<Element> = Vec::new();
    while let Some(element) = iterator.next()? {
        pair.check_element(element.tensors())?;
        elements.push(element);
    }
    if elements.is_empty() {
        return Err(Status::out_of_range("The dataset has no elements to fill a table with"));
    }
    match Block::from_elements(elements)?.stacked()?.columns() {
        Some([keys, values]) => Ok((keys.clone(), values.clone())),
        _ => Err(Status::internal("pairs have no two columns")),
    }
}
