//! Unique, with and without counts, of a vector or along an axis: the distinct values in order of
//! their first appearance.

use std::collections::hash_map::Entry;

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Charge, CountedVec, DataType, Result, Status, Tensor};

use crate::indices::index_vector;
use crate::keys::{Key, KeyMap, dispatch_keys};
use crate::units::Unit;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, axis, counts) in [
        ("Unique", false, false),
        ("UniqueV2", true, false),
        ("UniqueWithCounts", false, true),
        ("UniqueWithCountsV2", true, true),
    ] {
        let (axis, axis_type) =
            if axis { (", axis: Taxis", "\nTaxis: {int32, int64} = int64") } else { ("", "") };
        let count = if counts { ", count: out_idx" } else { "" };
        let signature = format!(
            "{name}(x: T{axis}) -> (y: T, idx: out_idx{count})
            T: type{axis_type}
            out_idx: {{int32, int64}} = int32"
        );
        registry.add(OpSpec::new(&signature)?.shape(shape).not_differentiable(), make)?;
    }
    Ok(())
}

/// Distinct values that room is made for at once; most vectors of ids have few that repeat.
const MOST_ROOM: usize = 1 << 16;

/// After so many keys it is asked whether anybody still waits.
const KEYS_BETWEEN_QUESTIONS: usize = 1 << 12;

struct Unique {
    index_type: DataType,
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(Unique { index_type: build.dtype("out_idx")? }))
}

impl Kernel for Unique {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        if input.len() > i32::MAX as usize {
            return Err(Status::invalid_argument(format!(
                "unique does not support input tensors larger than {} elements",
                i32::MAX
            )));
        }
        let axis = if cx.inputs_len() == 1 { None } else { axis(input, cx.input(1))? };
        let axis = match axis {
            Some(axis) => axis,
            None if input.rank() == 1 => 0,
            None => return Err(Status::invalid_argument("unique expects a 1D vector.")),
        };
        let (output, numbers, found) =
            dispatch_keys!(input.dtype(), "Unique", T => unique::<T>(cx, input, axis))?;
        let with_counts = cx.node().output_types.len() > 2;
        let index = |v: &[i64]| index_vector(self.index_type, [v.len()], v.iter().copied());
        if with_counts {
            let mut counts = CountedVec::filled(found, 0i64)?;
            numbers.iter().for_each(|&n| counts[n as usize] += 1);
            cx.set_output(2, index(&counts)?);
        }
        cx.set_output(1, index(&numbers)?);
        cx.set_output(0, output);
        Ok(())
    }
}

/// The axis an optional-axis vector names: `[]` is none, `[i]` is axis i.
fn axis(input: &Tensor, axis: &Tensor) -> Result<Option<usize>> {
    if axis.rank() != 1 {
        return Err(Status::invalid_argument("axis expects a 1D vector."));
    }
    match axis.to_i64_vec()?[..] {
        [] => Ok(None),
        [axis] => input.shape().axis(axis).map(Some).ok_or_else(|| {
            Status::invalid_argument(format!("axis has to be between [0, {})", input.rank()))
        }),
        _ => Err(Status::invalid_argument(
            "axis does not support input tensors larger than 1 elements",
        )),
    }
}

/// The distinct slices along `axis`, the number of each slice's value, and how many there are.
fn unique<T: Unit + Key>(
    cx: &OpContext<'_>,
    input: &Tensor,
    axis: usize,
) -> Result<(Tensor, CountedVec<i64>, usize)> {
    let values = T::view(input)?;
    let dims = input.dims();
    let size = dims[axis];
    let inner: usize = dims[axis + 1..].iter().product();
    // Of what has no elements there may be any number of parts.
    let outer: usize = if inner == 0 { 0 } else { dims[..axis].iter().product() };
    // Counted: slices of no elements take no memory however many they are.
    let mut numbers = CountedVec::with_capacity(size)?;
    // Positions of the first appearances.
    let mut firsts = CountedVec::new();
    if outer == 1 && inner == 1 {
        let room = size.min(MOST_ROOM);
        let mut seen: KeyMap<T, i64> = KeyMap::with_capacity_and_hasher(room, Default::default());
        number(
            cx,
            values.iter().map(|v| T::normal(input.dtype(), v)),
            &mut seen,
            &mut numbers,
            &mut firsts,
            size_of::<T>(),
        )?;
    } else {
        let mut seen: KeyMap<Vec<T>, i64> = KeyMap::default();
        let slices = (0..size).map(|i| {
            (0..outer)
                .flat_map(|o| &values[(o * size + i) * inner..][..inner])
                .map(|v| T::normal(input.dtype(), v))
                .collect::<Option<Vec<T>>>()
        });
        let slice = outer.saturating_mul(inner).saturating_mul(size_of::<T>());
        number(cx, slices, &mut seen, &mut numbers, &mut firsts, slice + size_of::<Vec<T>>())?;
    }
    let mut shape = input.shape().clone();
    shape.dims_mut()[axis] = firsts.len();
    let output = T::build(input.dtype(), shape, |out| {
        let mut at = 0;
        for o in 0..outer {
            for &i in firsts.iter() {
                out[at..at + inner].clone_from_slice(&values[(o * size + i) * inner..][..inner]);
                at += inner;
            }
        }
        Ok(())
    })?;
    Ok((output, numbers, firsts.len()))
}

/// Numbers the keys in the order they appear. A key in the map takes `key_bytes` and the number, in a table of which
/// half may be empty.
fn number<K: Eq + std::hash::Hash>(
    cx: &OpContext<'_>,
    keys: impl Iterator<Item = Option<K>>,
    seen: &mut KeyMap<K, i64>,
    numbers: &mut CountedVec<i64>,
    firsts: &mut CountedVec<usize>,
    key_bytes: usize,
) -> Result<()> {
    let mut charge = Charge::default();
    for (i, key) in keys.enumerate() {
        if i % KEYS_BETWEEN_QUESTIONS == 0 {
            cx.check_cancelled()?;
        }
        let next = firsts.len() as i64;
        let number = match key.map(|key| seen.entry(key)) {
            Some(Entry::Occupied(entry)) => *entry.get(),
            Some(Entry::Vacant(entry)) => *entry.insert(next),
            None => next,
        };
        if number == next {
            charge.grow(2 * (key_bytes + size_of::<i64>()))?;
            firsts.push(i)?;
        }
        numbers.push(number)?;
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let input = cx.input(0);
    let (values, index) = if cx.inputs().len() == 1 {
        (PartialShape::vector(None), cx.with_rank(0, 1)?)
    } else {
        cx.with_rank(1, 1)?;
        match (cx.constant_ints(1).as_deref(), input.dims()) {
            (Some([]), _) => (PartialShape::vector(None), cx.with_rank(0, 1)?),
            (Some([axis]), Some(dims)) => {
                let rank = dims.len() as i64;
                let at = if *axis < 0 { axis.saturating_add(rank) } else { *axis };
                if !(0..rank).contains(&at) {
                    return Err(Status::invalid_argument(format!(
                        "axis has to be between [0, {rank}) for {}",
                        cx.describe()
                    )));
                }
                let mut out = dims.to_vec();
                let size = std::mem::take(&mut out[at as usize]);
                (PartialShape::of(out), PartialShape::vector(size))
            }
            _ => (
                input.rank().map_or(PartialShape::unknown(), PartialShape::of_rank),
                PartialShape::vector(None),
            ),
        }
    };
    cx.set_output(0, values);
    cx.set_output(1, index);
    cx.set_output(2, PartialShape::vector(None));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::ByteString;

    #[test]
    fn vectors_of_numbers_and_strings() {
        let x = Tensor::vector(&[1.5f32, -0.0, 1.5, 0.0, f32::NAN, f32::NAN]).unwrap();
        let out = OpTest::new(register, "UniqueWithCounts").input(x).run().unwrap();
        assert_eq!(out[0].len(), 4);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[0, 1, 0, 1, 2, 3]);
        assert_eq!(out[2].as_slice::<i32>().unwrap(), &[2, 2, 1, 1]);
        let s = Tensor::from_strings([3], ["b", "a", "b"].map(ByteString::from).to_vec()).unwrap();
        let out = OpTest::new(register, "Unique")
            .input(s)
            .attr("out_idx", DataType::Int64)
            .run()
            .unwrap();
        assert_eq!(out[0].strings().unwrap(), &["b", "a"].map(ByteString::from));
        assert_eq!(out[1].as_slice::<i64>().unwrap(), &[0, 1, 0]);
    }

    #[test]
    fn slices_of_nothing_are_equal_however_many_parts_they_have() {
        let x = Tensor::from_vec([1 << 40, 3, 0], Vec::<f32>::new()).unwrap();
        let axis = Tensor::vector(&[1i64]).unwrap();
        let out = OpTest::new(register, "UniqueV2").input(x).input(axis).run().unwrap();
        assert_eq!(out[0].dims(), &[1 << 40, 1, 0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[0, 0, 0]);
    }

    #[test]
    fn rows_and_columns() {
        let x = || Tensor::from_vec([3, 2], vec![1i32, 0, 2, 2, 1, 0]).unwrap();
        let run = |axis: &[i64]| {
            OpTest::new(register, "UniqueV2").input(x()).input(Tensor::vector(axis).unwrap()).run()
        };
        let rows = run(&[0]).unwrap();
        assert_eq!(rows[0].as_slice::<i32>().unwrap(), &[1, 0, 2, 2]);
        assert_eq!(rows[1].as_slice::<i32>().unwrap(), &[0, 1, 0]);
        let columns = run(&[-1]).unwrap();
        assert_eq!(columns[0].dims(), &[3, 2]);
        assert!(run(&[]).is_err());
        assert!(run(&[2]).is_err());
        assert!(run(&[0, 1]).is_err());
    }

    /// They take no memory themselves, but their numbers would.
    #[test]
    fn too_many_empty_slices_are_refused() {
        let x = Tensor::new(DataType::Float, [1 << 50, 0]).unwrap();
        let run =
            OpTest::new(register, "UniqueV2").input(x).input(Tensor::vector(&[0i64]).unwrap());
        assert_eq!(run.run().unwrap_err().code(), downpour_tensor::Code::ResourceExhausted);
    }
}
