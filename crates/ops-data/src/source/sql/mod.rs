//! SqlDataset: the rows of a query of a SQLite database.

mod query;
mod value;

use downpour_data::Dataset;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, excerpt};

use super::arguments::{path, scalar_bytes};
use crate::component::Signature;
use crate::dataset::GraphDataset;
use query::Query;

/// The types of columns.
const TYPES: [DataType; 9] = [
    DataType::String,
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::UInt8,
    DataType::UInt16,
    DataType::Bool,
    DataType::Double,
];

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["SqlDataset", "ExperimentalSqlDataset"] {
        let signature = format!(
            "{name}(driver_name: string, data_source_name: string, query: string) -> (handle: variant) @stateful
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        registry
            .add(OpSpec::new(&signature)?.shape(shapes::scalar), |_| Ok(KernelBox::cheap(make)))?;
    }
    Ok(())
}

fn make(cx: &mut OpContext<'_>) -> Result<()> {
    let signature = Signature::of(cx.node())?;
    if signature.types.iter().any(|dtype| !TYPES.contains(dtype)) {
        return Err(Status::invalid_argument(
            "Each element of `output_types_` must be one of: DT_STRING, DT_INT8, DT_INT16, DT_INT32, DT_INT64, \
             DT_UINT8, DT_UINT16, DT_BOOL, DT_DOUBLE ",
        ));
    }
    if signature.shapes.iter().any(|shape| shape.rank() != Some(0)) {
        return Err(Status::invalid_argument("Each element of `output_shapes_` must be a scalar."));
    }
    let driver = scalar_bytes(cx, 0, "driver_name")?;
    if &driver[..] != b"sqlite" {
        return Err(Status::invalid_argument(format!(
            "The database type, {}, is not supported by SqlDataset. The set of supported databases is: {{'sqlite'}}.",
            excerpt(driver)
        )));
    }
    let text = String::from_utf8(scalar_bytes(cx, 2, "query")?.to_vec())
        .map_err(|_| Status::invalid_argument("query is not valid UTF-8"))?;
    let query =
        Query { database: path(cx, 1, "data_source_name")?, text, signature: signature.clone() };
    let made = GraphDataset::with_signature(signature, Dataset::new(query), &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}
