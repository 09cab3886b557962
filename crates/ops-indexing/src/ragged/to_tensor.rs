//! RaggedTensorToTensor: a dense tensor, short rows filled with a default and long rows cut.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, DataType, Result, Shape, Status, Tensor};

use crate::dense::broadcast_to;
use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RaggedTensorToTensor(shape: Tshape, values: T, default_value: T, \
                row_partition_tensors: num_row_partition_tensors * Tindex) -> (result: T)
                T: type
                Tindex: {int64, int32}
                Tshape: {int64, int32}
                num_row_partition_tensors: int >= 1
                row_partition_types: list(string)",
        )?
        .shape(shape)
        .gradient(gradient),
        |build| Ok(KernelBox::new(ToTensor { partitions: partitions(build)? })),
    )
}

/// How a partition tensor describes rows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Partition {
    FirstDimSize,
    ValueRowids,
    RowSplits,
    Other,
}

fn partitions(attrs: &Attrs) -> Result<Vec<Partition>> {
    attrs
        .strings("row_partition_types")?
        .iter()
        .map(|name| match name.as_str() {
            "FIRST_DIM_SIZE" => Ok(Partition::FirstDimSize),
            "VALUE_ROWIDS" => Ok(Partition::ValueRowids),
            "ROW_SPLITS" => Ok(Partition::RowSplits),
            "ROW_LENGTHS" | "ROW_LIMITS" | "ROW_STARTS" => Ok(Partition::Other),
            other => Err(Status::invalid_argument(format!(
                "Unknown string for partition info type: {other}"
            ))),
        })
        .collect()
}

/// Partition tensors that describe a ragged axis: all but a leading FIRST_DIM_SIZE.
fn ragged_rank(partitions: &[Partition]) -> usize {
    partitions.len() - usize::from(partitions.first() == Some(&Partition::FirstDimSize))
}

struct ToTensor {
    partitions: Vec<Partition>,
}

const FIRST_PARTITION: usize = 3;

impl Kernel for ToTensor {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        if cx.inputs_len() != FIRST_PARTITION + self.partitions.len() || self.partitions.is_empty()
        {
            return Err(Status::invalid_argument(format!(
                "{} row_partition_types are given for {} row_partition_tensors",
                self.partitions.len(),
                cx.inputs_len().saturating_sub(FIRST_PARTITION)
            )));
        }
        let first = cx.input(FIRST_PARTITION);
        if first.is_empty() {
            return Err(Status::invalid_argument(
                "Invalid first partition input. Tensor requires at least one element.",
            ));
        }
        let rows = match self.partitions[0] {
            Partition::FirstDimSize => first.to_i64_scalar()?,
            Partition::RowSplits => first.len() as i64 - 1,
            Partition::ValueRowids => {
                return Err(Status::invalid_argument(
                    "Cannot handle VALUE_ROWIDS in first dimension.",
                ));
            }
            Partition::Other => return Err(unsupported(self.partitions[0])),
        };
        if rows < 0 {
            return Err(Status::invalid_argument(format!("the first dimension is {rows}")));
        }
        let skip = self.partitions.len() - ragged_rank(&self.partitions);
        // The partitions as numbers, and for each value of each level its place.
        let sizes = (FIRST_PARTITION + skip..cx.inputs_len()).map(|i| cx.input(i).len());
        let _partitions = Charge::scratch::<i64>(sizes.sum())?;
        let mut levels = Vec::new();
        for (i, &kind) in self.partitions.iter().enumerate().skip(skip) {
            levels.push((kind, cx.input(FIRST_PARTITION + i).to_i64_vec()?));
        }
        let (values, default) = (cx.input(1), cx.input(2));
        let size = self.output_size(cx.input(0), values, default, rows, &levels)?;
        let shape = Shape::from_i64(&size)?;
        let element = Shape::new(&shape[levels.len() + 1..]);
        // Default everywhere first, which also refuses an output too large to allocate before the
        // positions of values are worked out.
        let mut output = dispatch_units!(values.dtype(), T => {
            let filler = broadcast_to(T::view(default)?, default.dims(), &element)?;
            T::build(values.dtype(), shape.clone(), |out| {
                match &filler[..] {
                    [] => {}
                    [one] => out.fill(one.clone()),
                    many => out.chunks_exact_mut(many.len()).for_each(|o| o.clone_from_slice(many)),
                }
                Ok(())
            })
        })?;
        if !output.is_empty() {
            let rows_of_values = values.dims()[0];
            let parents = levels.iter().map(|(_, level)| level.len().max(rows_of_values)).max();
            let count = parents.unwrap_or(rows_of_values).saturating_add(rows_of_values);
            let _places = Charge::scratch::<Option<usize>>(count)?;
            let places = places(&size, rows, &levels, rows_of_values)?;
            dispatch_units!(values.dtype(), T => {
                let source = T::view(values)?;
                let row = element.elements();
                T::rewrite(&mut output, |out| {
                    for (value, place) in source.chunks_exact(row).zip(&places) {
                        if let Some(place) = place {
                            out[place * row..(place + 1) * row].clone_from_slice(value);
                        }
                    }
                    Ok(())
                })
            })?;
        }
        cx.set_output(0, output);
        Ok(())
    }
}

impl ToTensor {
    fn output_size(
        &self,
        shape: &Tensor,
        values: &Tensor,
        default: &Tensor,
        rows: i64,
        levels: &[(Partition, Vec<i64>)],
    ) -> Result<Vec<i64>> {
        check_default(&default.shape().into(), &values.shape().into())?;
        let wanted = match (shape.rank(), &shape.to_i64_vec()?[..]) {
            (0, [-1]) => PartialShape::unknown(),
            (0, _) => {
                return Err(Status::invalid_argument(
                    "The only valid scalar shape tensor is the fully unknown shape specified as -1.",
                ));
            }
            (_, dims) => PartialShape::from_i64(dims)?,
        };
        let combined = combine(levels.len(), &wanted, &values.shape().into())?;
        let mut size = combined.to_i64().ok_or_else(|| Status::internal("the rank is known"))?;
        if size[0] < 0 {
            size[0] = rows;
        }
        for (i, (kind, partition)) in levels.iter().enumerate() {
            if size[i + 1] < 0 {
                size[i + 1] = widest(*kind, partition)?;
            }
        }
        Ok(size)
    }
}

fn unsupported(kind: Partition) -> Status {
    Status::invalid_argument(format!("Cannot handle partition type {kind:?}"))
}

/// The length of the longest row.
fn widest(kind: Partition, partition: &[i64]) -> Result<i64> {
    match kind {
        Partition::RowSplits => {
            let widths = partition.windows(2).map(|w| w[1].saturating_sub(w[0]));
            Ok(widths.max().unwrap_or(0).max(0))
        }
        Partition::ValueRowids => {
            Ok(partition.chunk_by(|a, b| a == b).map(|run| run.len() as i64).max().unwrap_or(0))
        }
        other => Err(unsupported(other)),
    }
}

/// For every value its row-major place in the output, or `None` if it is cut off.
fn places(
    size: &[i64],
    rows: i64,
    levels: &[(Partition, Vec<i64>)],
    values: usize,
) -> Result<Vec<Option<usize>>> {
    let depth = levels.len();
    let mut step: usize = size[1..=depth].iter().map(|&d| d as usize).product();
    let kept = rows.min(size[0]) as usize;
    // The first level's rows are computed, not stored: their number comes from outside unchecked.
    let outermost = |i: usize, step: usize| (i < kept).then_some(i * step);
    let mut parents: Option<Vec<Option<usize>>> = None;
    for (level, (kind, partition)) in levels.iter().enumerate() {
        let width = size[level + 1] as usize;
        let parent_step = step;
        step = size[level + 2..=depth].iter().map(|&d| d as usize).product();
        let parent_count = parents.as_ref().map_or(rows as usize, Vec::len);
        let parent = |i: usize| match &parents {
            Some(known) => known[i],
            None => outermost(i, parent_step),
        };
        let most = levels.get(level + 1).map_or(values, |next| next.1.len().max(values));
        let own = match kind {
            Partition::RowSplits => {
                let count = partition.len().saturating_sub(1);
                if count > parent_count {
                    return Err(Status::invalid_argument(format!(
                        "Row partition size is greater than output size: {count} > {parent_count}"
                    )));
                }
                split_places(partition, most, width, step, parent)?
            }
            Partition::ValueRowids => rowid_places(partition, parent_count, width, step, parent)?,
            other => return Err(unsupported(*other)),
        };
        parents = Some(own);
    }
    match parents {
        Some(places) if places.len() <= values => Ok(places),
        Some(places) => Err(Status::invalid_argument(format!(
            "Invalid row partition: it describes {} values but there are {values}",
            places.len()
        ))),
        None => Ok((0..values).map(|i| outermost(i, step)).collect()),
    }
}

fn split_places(
    splits: &[i64],
    most: usize,
    width: usize,
    step: usize,
    parent: impl Fn(usize) -> Option<usize>,
) -> Result<Vec<Option<usize>>> {
    let sorted = splits.first().is_none_or(|&s| s == 0) && splits.windows(2).all(|w| w[0] <= w[1]);
    if !sorted || splits.last().is_some_and(|&last| last > most as i64) {
        return Err(Status::invalid_argument("Invalid row split size."));
    }
    let mut places = Vec::with_capacity(splits.last().map_or(0, |&n| n as usize));
    for (i, w) in splits.windows(2).enumerate() {
        let base = parent(i);
        for j in 0..(w[1] - w[0]) as usize {
            places.push(base.filter(|_| j < width).map(|b| b + j * step));
        }
    }
    Ok(places)
}

fn rowid_places(
    rowids: &[i64],
    parents: usize,
    width: usize,
    step: usize,
    parent: impl Fn(usize) -> Option<usize>,
) -> Result<Vec<Option<usize>>> {
    let mut places = Vec::with_capacity(rowids.len());
    for run in rowids.chunk_by(|a, b| a == b) {
        let row = usize::try_from(run[0]).ok().filter(|&r| r < parents).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Got current_value_rowid={} which is not less than {parents}",
                run[0]
            ))
        })?;
        let base = parent(row);
        places.extend((0..run.len()).map(|j| base.filter(|_| j < width).map(|b| b + j * step)));
    }
    Ok(places)
}

/// The wanted shape completed by what the values tell, or why they contradict.
fn combine(
    ragged_rank: usize,
    wanted: &PartialShape,
    values: &PartialShape,
) -> Result<PartialShape> {
    let Some(value_dims) = values.dims() else { return Ok(wanted.clone()) };
    let rank = ragged_rank + value_dims.len();
    let mut out = match wanted.dims() {
        Some(dims) => dims.to_vec(),
        None => vec![None; rank],
    };
    if out.len() != rank || value_dims.is_empty() {
        return Err(Status::invalid_argument(format!(
            "rt_input.shape and shape={wanted} are incompatible: rt_input.rank = {rank} but \
             shape.rank = {}",
            out.len()
        )));
    }
    for (i, &own) in value_dims.iter().enumerate().skip(1) {
        let at = i + ragged_rank;
        match (own, out[at]) {
            (Some(own), Some(given)) if own != given => {
                return Err(Status::invalid_argument(format!(
                    "rt_input.shape and shape={wanted} are incompatible: rt_input.shape[{at}] = \
                     {own} but shape[{at}] = {given}"
                )));
            }
            (Some(own), _) => out[at] = Some(own),
            (None, _) => {}
        }
    }
    Ok(PartialShape::of(out))
}

fn check_default(default: &PartialShape, values: &PartialShape) -> Result<()> {
    let (Some(d), Some(v)) = (default.dims(), values.dims()) else { return Ok(()) };
    let prefix = || {
        format!(
            "default_value.shape={default} and rt_input.flat_values.shape={values} are incompatible"
        )
    };
    if d.len() >= v.len() {
        return Err(Status::invalid_argument(format!(
            "{}: default_value.rank = {}  must be less than rt_input.flat_values.rank = {}",
            prefix(),
            d.len(),
            v.len()
        )));
    }
    // Shapes are compared from the end, as broadcasting does.
    let offset = v.len() - d.len();
    for (i, (&own, &value)) in d.iter().zip(&v[offset..]).enumerate() {
        if let (Some(own), Some(value)) = (own, value)
            && own != 1
            && own != value
        {
            let at = i as i64 - d.len() as i64;
            return Err(Status::invalid_argument(format!(
                "{}: default_value.shape[{at}] = {own} but rt_input.flat_values.shape[{at}] = {value}",
                prefix()
            )));
        }
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let partitions = partitions(cx.node())?;
    let wanted = match cx.input(0).rank() {
        Some(0) => PartialShape::unknown(),
        _ => cx.shape_from_input(0)?,
    };
    check_default(cx.input(2), cx.input(1))?;
    let out = combine(ragged_rank(&partitions), &wanted, cx.input(1))?;
    cx.set_output(0, out);
    Ok(())
}

/// Values get the gradient of their place, the default the sum over the places it fills. Which is which
/// is found by laying out the values' numbers, with -1 for the default.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (grad, values, default, result) = (cx.grad(0)?, cx.input(1), cx.input(2), cx.output(0));
    let types = cx.node().get("row_partition_types").cloned();
    let names = cx.node().strings("row_partition_types")?;
    let counted = names.first().is_some_and(|name| name == "FIRST_DIM_SIZE");
    let partitions = cx.inputs_len() - 3;
    let axes = partitions - usize::from(counted) + 1;
    let (zero, one, axis) = (cx.scalar(0i64)?, cx.scalar(1i64)?, cx.scalar(0i32)?);
    let long = Attrs::new().with("out_type", DataType::Int64);
    let shape = cx.op_with("Shape", &[result], long.clone())?;
    let begin = cx.constant(Tensor::vector(&[0i32])?)?;
    let size = cx.constant(Tensor::vector(&[axes as i32])?)?;
    let outer = cx.op("Slice", &[shape, begin, size])?;
    let first = cx.constant(Tensor::vector(&[1i32])?)?;
    let values_shape = cx.op_with("Shape", &[values], long)?;
    let rows = cx.op("Slice", &[values_shape, begin, first])?;
    let scalar = cx.constant(Tensor::from_slice([0], &[0i32; 0])?)?;
    let rows = cx.op("Reshape", &[rows, scalar])?;
    let numbers = cx.op("Range", &[zero, rows, one])?;
    let none = cx.scalar(-1i64)?;
    let mut inputs = vec![outer, numbers, none];
    inputs.extend((3..cx.inputs_len()).map(|i| cx.input(i)));
    let mut attrs = Attrs::new();
    if let Some(types) = types {
        attrs.set("row_partition_types", types);
    }
    let places = cx.op_with("RaggedTensorToTensor", &inputs, attrs)?;
    let to_values = cx.op("UnsortedSegmentSum", &[grad, places, rows])?;
    let filled = cx.op("Less", &[places, zero])?;
    let all = cx.constant(Tensor::vector(&[-1i32])?)?;
    let rest = cx.op("Slice", &[values_shape, first, all])?;
    let rest = cx.op("OnesLike", &[rest])?;
    let mask_shape = cx.op("ConcatV2", &[outer, rest, axis])?;
    let filled = cx.op("Reshape", &[filled, mask_shape])?;
    let nothing = cx.op("ZerosLike", &[grad])?;
    let at_default = cx.op("SelectV2", &[filled, grad, nothing])?;
    let to_default = cx.unbroadcast(at_default, default, result)?;
    let mut grads = vec![Gradient::None; cx.inputs_len()];
    grads[1] = Gradient::Dense(to_values);
    grads[2] = Gradient::Dense(to_default);
    Ok(grads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(shape: Tensor, default: Tensor, kinds: &[&'static str], parts: &[Tensor]) -> OpTest {
        let test = OpTest::new(register, "RaggedTensorToTensor")
            .attr("row_partition_types", kinds.to_vec())
            .attr("num_row_partition_tensors", parts.len() as i64)
            .input(shape)
            .input(Tensor::vector(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap())
            .input(default);
        parts.iter().fold(test, |t, p| t.input(p.clone()))
    }

    fn vector(values: &[i64]) -> Tensor {
        Tensor::vector(values).unwrap()
    }

    #[test]
    fn rows_are_filled_and_cut() {
        let splits = [vector(&[0, 1, 1, 6])];
        let y = test(Tensor::scalar(-1i64), Tensor::scalar(0f32), &["ROW_SPLITS"], &splits);
        let y = y.run_one().unwrap();
        assert_eq!(y.dims(), &[3, 5]);
        assert_eq!(&y.as_slice::<f32>().unwrap()[9..], &[0.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let y = test(vector(&[2, 2]), Tensor::scalar(9f32), &["ROW_SPLITS"], &splits);
        assert_eq!(y.run_one().unwrap().as_slice::<f32>().unwrap(), &[1.0, 9.0, 9.0, 9.0]);
        let ids = [Tensor::scalar(4i64), vector(&[0, 0, 0, 2, 2, 3])];
        let kinds = ["FIRST_DIM_SIZE", "VALUE_ROWIDS"];
        let y = test(vector(&[4, 3]), Tensor::scalar(0f32), &kinds, &ids).run_one().unwrap();
        let expected = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 0.0, 6.0, 0.0, 0.0f32];
        assert_eq!(y.as_slice::<f32>().unwrap(), &expected);
    }

    #[test]
    fn bad_partitions_are_refused() {
        let run = |kind: &'static str, part: Tensor| {
            test(Tensor::scalar(-1i64), Tensor::scalar(0f32), &[kind], &[part]).run_one()
        };
        for bad in [&[][..], &[0, 9], &[0, 4, 2], &[-3, 2], &[0, i64::MAX], &[5]] {
            let _ = run("ROW_SPLITS", vector(bad)).map(|t| assert!(t.is_empty(), "{bad:?}"));
        }
        assert!(run("VALUE_ROWIDS", vector(&[0])).is_err());
        assert!(run("NONSENSE", vector(&[0])).is_err());
        let kinds = ["FIRST_DIM_SIZE", "VALUE_ROWIDS"];
        for (rows, ids) in [(1i64, [0i64, 7]), (i64::MAX, [0, 0]), (2, [-1, 0]), (-5, [0, 0])] {
            let parts = [Tensor::scalar(rows), vector(&ids)];
            let y = test(Tensor::scalar(-1i64), Tensor::scalar(0f32), &kinds, &parts).run_one();
            assert!(y.is_err(), "{rows} {ids:?}");
        }
        let wide = vector(&[2, 2, 2]);
        assert!(
            test(wide, Tensor::scalar(0f32), &["ROW_SPLITS"], &[vector(&[0, 6])])
                .run_one()
                .is_err()
        );
    }
}
