//! Finding, inserting, removing, exporting and importing.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

use super::table::Table;
use crate::handle::find_input;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let both = "Tin: type\nTout: type";
    for (handle, suffix, flags) in [("resource", "V2", "@stateful"), ("Ref(string)", "", "")] {
        let spec = |name: &str, rest: &str, attrs: &str| {
            let signature = format!("{name}{suffix}(table_handle: {handle}{rest} {flags}\n{attrs}");
            OpSpec::new(&signature).map(OpSpec::not_differentiable)
        };
        let rest = ", keys: Tin, default_value: Tout) -> (values: Tout)";
        registry.add(spec("LookupTableFind", rest, both)?, |_| Ok(KernelBox::function(find)))?;
        let rest = ", keys: Tin, values: Tout) -> ()";
        registry
            .add(spec("LookupTableInsert", rest, both)?, |_| Ok(KernelBox::function(insert)))?;
        registry
            .add(spec("LookupTableImport", rest, both)?, |_| Ok(KernelBox::function(import)))?;
        let size_spec = spec("LookupTableSize", ") -> (size: int64)", "")?.shape(shapes::scalar);
        registry.add(size_spec, |_| Ok(KernelBox::cheap(size)))?;
        let rest = ") -> (keys: Tkeys, values: Tvalues)";
        let export_spec = spec("LookupTableExport", rest, "Tkeys: type\nTvalues: type")?;
        registry.add(export_spec, |_| Ok(KernelBox::function(export)))?;
    }
    registry.add(
        OpSpec::new(
            "LookupTableRemoveV2(table_handle: resource, keys: Tin) -> () @stateful
                Tin: type",
        )?
        .not_differentiable(),
        |_| Ok(KernelBox::function(remove)),
    )
}

/// The types a node handles must be the table's.
fn check_types(have: &[DataType], expected: &[DataType]) -> Result<()> {
    if have == expected {
        return Ok(());
    }
    let text = |types: &[DataType]| types.iter().map(|t| t.name()).collect::<Vec<_>>().join(",");
    Err(Status::invalid_argument(format!(
        "Signature mismatch, have: {} expected: {}",
        text(have),
        text(expected)
    )))
}

fn find(cx: &mut OpContext<'_>) -> Result<()> {
    let table = find_input::<Table>(cx, 0)?;
    let (keys, default) = (cx.input(1), cx.input(2));
    check_types(&[keys.dtype(), default.dtype()], &[table.key_dtype, table.value_dtype])?;
    let values = table.find(keys, default)?;
    cx.set_output(0, values);
    Ok(())
}

fn insert(cx: &mut OpContext<'_>) -> Result<()> {
    let table = find_input::<Table>(cx, 0)?;
    let (keys, values) = (cx.input(1), cx.input(2));
    check_types(&[keys.dtype(), values.dtype()], &[table.key_dtype, table.value_dtype])?;
    table.insert(keys, values)
}

fn import(cx: &mut OpContext<'_>) -> Result<()> {
    let table = find_input::<Table>(cx, 0)?;
    let (keys, values) = (cx.input(1), cx.input(2));
    check_types(&[keys.dtype(), values.dtype()], &[table.key_dtype, table.value_dtype])?;
    table.import(keys, values)
}

fn remove(cx: &mut OpContext<'_>) -> Result<()> {
    let table = find_input::<Table>(cx, 0)?;
    check_types(&[cx.input(1).dtype()], &[table.key_dtype])?;
    table.remove(cx.input(1))
}

fn size(cx: &mut OpContext<'_>) -> Result<()> {
    let size = find_input::<Table>(cx, 0)?.len();
    cx.set_output(0, Tensor::scalar(size as i64));
    Ok(())
}

fn export(cx: &mut OpContext<'_>) -> Result<()> {
    let table = find_input::<Table>(cx, 0)?;
    let types = [cx.node().output_dtype(0), cx.node().output_dtype(1)];
    check_types(&types, &[table.key_dtype, table.value_dtype])?;
    let (keys, values) = table.export()?;
    cx.set_output(0, keys);
    cx.set_output(1, values);
    Ok(())
}
