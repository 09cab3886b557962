//! Set operations along the last axis of dense and sparse tensors, and the sizes of sets.

use std::collections::{BTreeMap, BTreeSet};

use downpour_graph::{Attrs, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{
    ByteString, Charge, CountedVec, DataType, Result, Shape, Status, Tensor, unsupported_dtype,
};

use crate::sparse::Coo;

const ATTRS: &str = "validate_indices: bool = true
    T: {int8, int16, int32, int64, uint8, uint16, string}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let size = "SetSize(set_indices: int64, set_values: T, set_shape: int64) -> (size: int32)";
    registry.add(OpSpec::new(&format!("{size}\n{ATTRS}"))?.not_differentiable(), |build| {
        Ok(KernelBox::new(SetSize { validate: build.bool("validate_indices")? }))
    })?;
    let results = "(result_indices: int64, result_values: T, result_shape: int64)";
    for (name, inputs) in [
        ("DenseToDenseSetOperation", "set1: T, set2: T"),
        (
            "DenseToSparseSetOperation",
            "set1: T, set2_indices: int64, set2_values: T, set2_shape: int64",
        ),
        (
            "SparseToSparseSetOperation",
            "set1_indices: int64, set1_values: T, set1_shape: int64, set2_indices: int64, \
             set2_values: T, set2_shape: int64",
        ),
    ] {
        let signature = format!("{name}({inputs}) -> {results}\nset_operation: string\n{ATTRS}");
        registry.add(OpSpec::new(&signature)?.shape(shape).not_differentiable(), |build| {
            Ok(KernelBox::new(SetOperation::from_build(build)?))
        })?;
    }
    Ok(())
}

/// A type whose values can be in a set.
trait Item: Ord + Clone + Sized {
    fn view(tensor: &Tensor) -> Result<&[Self]>;
    fn tensor(values: CountedVec<Self>) -> Result<Tensor>;
}

macro_rules! integer_items {
    ($($ty:ty),*) => {$(
        impl Item for $ty {
            fn view(tensor: &Tensor) -> Result<&[$ty]> {
                tensor.as_slice()
            }
            fn tensor(values: CountedVec<$ty>) -> Result<Tensor> {
                Tensor::vector(&values)
            }
        }
    )*};
}
integer_items!(i8, i16, i32, i64, u8, u16);

impl Item for ByteString {
    fn view(tensor: &Tensor) -> Result<&[ByteString]> {
        tensor.strings()
    }
    fn tensor(values: CountedVec<ByteString>) -> Result<Tensor> {
        Tensor::from_counted([values.len()], values)
    }
}

macro_rules! dispatch_item {
    ($dtype:expr, $t:ident => $body:expr, $($variant:ident : $ty:ty),*) => {
        match $dtype {
            DataType::String => { type $t = ByteString; $body }
            $(DataType::$variant => { type $t = $ty; $body })*
            other => Err(unsupported_dtype("SetOperation", other)),
        }
    };
    ($dtype:expr, $t:ident => $body:expr) => {
        dispatch_item!($dtype, $t => $body,
            Int8: i8, Int16: i16, Int32: i32, Int64: i64, UInt8: u8, UInt16: u16)
    };
}

/// Sets by the row-major position of their group: all axes but the last.
type Groups<'a, V> = BTreeMap<usize, BTreeSet<&'a V>>;

fn group_shape(shape: &[i64]) -> Result<Shape> {
    match shape.split_last() {
        Some((_, group)) if !group.is_empty() => Shape::from_i64(group),
        _ => Err(Status::invalid_argument(format!("Shape {shape:?} has rank {} < 2", shape.len()))),
    }
}

/// What a group takes besides its elements: its place in the map and the first node of its set, which has room for
/// eleven elements; and its number among all.
const BYTES_PER_GROUP: usize = 256;
/// What an element takes in its set, whose nodes are at least half full.
const BYTES_PER_ELEMENT: usize = 3 * size_of::<usize>();

/// Counts the sets of so many groups and elements before they are made.
fn charge_sets(charge: &mut Charge, groups: usize, elements: usize) -> Result<()> {
    let elements = elements.saturating_mul(BYTES_PER_ELEMENT);
    charge.grow(groups.saturating_mul(BYTES_PER_GROUP).saturating_add(elements))
}

fn dense_groups<'a, V: Item>(tensor: &'a Tensor, charge: &mut Charge) -> Result<Groups<'a, V>> {
    let last = tensor.dims().last().copied().unwrap_or(0);
    if last == 0 {
        return Ok(Groups::new());
    }
    charge_sets(charge, tensor.len() / last, tensor.len())?;
    let rows = V::view(tensor)?.chunks_exact(last).enumerate();
    Ok(rows.map(|(i, row)| (i, row.iter().collect())).collect())
}

fn sparse_groups<'a, V: Item>(
    coo: &Coo<'a>,
    group: &Shape,
    charge: &mut Charge,
) -> Result<Groups<'a, V>> {
    let strides = group.strides();
    let before = charge.bytes();
    // At first as if each element were a group of its own; what they did not need is given back.
    charge_sets(charge, coo.len(), coo.len())?;
    let mut groups: Groups<'a, V> = Groups::new();
    for (row, value) in coo.rows().zip(V::view(coo.values)?) {
        let at = row.iter().zip(&strides).map(|(&x, s)| x as usize * s).sum();
        groups.entry(at).or_default().insert(value);
    }
    let needed = groups.len() * BYTES_PER_GROUP + coo.len() * BYTES_PER_ELEMENT;
    charge.shrink_to(before + needed);
    Ok(groups)
}

/// The sparse tensor in inputs `first..first + 3`, all of whose coordinates lie inside its shape.
fn sparse_input<'a>(cx: &'a OpContext<'_>, first: usize, validate: bool) -> Result<Coo<'a>> {
    if cx.input(first + 2).rank() != 1 {
        return Err(Status::invalid_argument("Shape must be a 1D tensor."));
    }
    let coo = Coo::new(cx.input(first), cx.input(first + 1), cx.input(first + 2))?;
    if coo.rank() < 2 {
        return Err(Status::invalid_argument(format!("Invalid rank {}.", coo.rank())));
    }
    coo.dense_shape()?;
    if validate {
        coo.check_order()?;
    } else {
        coo.check_bounds()?;
    }
    Ok(coo)
}

struct SetSize {
    validate: bool,
}

impl Kernel for SetSize {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let coo = sparse_input(cx, 0, self.validate)?;
        let group = group_shape(coo.shape)?;
        let mut output = Tensor::zeros(DataType::Int32, &group)?;
        let sizes = output.as_mut_slice::<i32>().expect("a new int32 tensor has one owner");
        dispatch_item!(coo.values.dtype(), V => {
            let mut charge = Charge::default();
            for (at, set) in sparse_groups::<V>(&coo, &group, &mut charge)? {
                sizes[at] = set.len() as i32;
            }
            Ok(())
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Operation {
    AMinusB,
    BMinusA,
    Intersection,
    Union,
}

impl Operation {
    fn from_attrs(attrs: &Attrs) -> Result<Operation> {
        let name = attrs.string("set_operation")?.to_lowercase();
        Ok(match name.as_str() {
            "a-b" => Operation::AMinusB,
            "b-a" => Operation::BMinusA,
            "intersection" => Operation::Intersection,
            "union" => Operation::Union,
            _ => {
                return Err(Status::invalid_argument(format!("Invalid set_operation {name}.")));
            }
        })
    }

    fn apply<V: Item>(self, a: &BTreeSet<&V>, b: &BTreeSet<&V>) -> Vec<V> {
        let owned = |v: &&V| (**v).clone();
        match self {
            Operation::AMinusB => a.difference(b).map(owned).collect(),
            Operation::BMinusA => b.difference(a).map(owned).collect(),
            Operation::Intersection => a.intersection(b).map(owned).collect(),
            Operation::Union => a.union(b).map(owned).collect(),
        }
    }
}

struct SetOperation {
    operation: Operation,
    validate: bool,
}

impl SetOperation {
    fn from_build(build: &KernelBuild<'_>) -> Result<SetOperation> {
        Ok(SetOperation {
            operation: Operation::from_attrs(build)?,
            validate: build.bool("validate_indices")?,
        })
    }

    fn run<V: Item>(&self, cx: &OpContext<'_>) -> Result<[Tensor; 3]> {
        let charge = &mut Charge::default();
        let (group, a, b) = match cx.inputs_len() {
            2 => {
                let (x, y) = (cx.input(0), cx.input(1));
                let group = common_group(&x.shape().to_i64(), &y.shape().to_i64())?;
                (group, dense_groups::<V>(x, charge)?, dense_groups(y, charge)?)
            }
            4 => {
                let (x, y) = (cx.input(0), sparse_input(cx, 1, self.validate)?);
                let group = common_group(&x.shape().to_i64(), y.shape)?;
                let b = sparse_groups(&y, &group, charge)?;
                (group, dense_groups::<V>(x, charge)?, b)
            }
            _ => {
                let x = sparse_input(cx, 0, self.validate)?;
                let y = sparse_input(cx, 3, self.validate)?;
                let group = common_group(x.shape, y.shape)?;
                let b = sparse_groups(&y, &group, charge)?;
                let a = sparse_groups::<V>(&x, &group, charge)?;
                (group, a, b)
            }
        };
        let nothing = BTreeSet::new();
        let strides = group.strides();
        let mut indices = CountedVec::new();
        let mut values = CountedVec::new();
        let mut largest = 0;
        let keys: BTreeSet<usize> = a.keys().chain(b.keys()).copied().collect();
        for key in keys {
            let (x, y) = (a.get(&key).unwrap_or(&nothing), b.get(&key).unwrap_or(&nothing));
            let set = self.operation.apply(x, y);
            largest = largest.max(set.len());
            for (position, value) in set.into_iter().enumerate() {
                let coordinates = strides.iter().zip(group.iter()).map(|(s, d)| key / s % d);
                for x in coordinates {
                    indices.push(x as i64)?;
                }
                indices.push(position as i64)?;
                values.push(value)?;
            }
        }
        let mut shape = group.to_i64();
        shape.push(largest as i64);
        Ok([
            Tensor::from_slice([values.len(), shape.len()], &indices)?,
            V::tensor(values)?,
            Tensor::vector(&shape)?,
        ])
    }
}

fn common_group(a: &[i64], b: &[i64]) -> Result<Shape> {
    let (a, b) = (group_shape(a)?, group_shape(b)?);
    if a != b {
        return Err(Status::invalid_argument(format!("Mismatched shapes {a} vs {b}")));
    }
    Ok(a)
}

impl Kernel for SetOperation {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let dtype = cx.node().output_dtype(1);
        let outputs = dispatch_item!(dtype, V => self.run::<V>(cx))?;
        for (i, output) in outputs.into_iter().enumerate() {
            cx.set_output(i, output);
        }
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    // The rank of each operand: its own when dense, the length of its shape input when sparse.
    let sparse_rank = |first: usize| -> Result<Option<usize>> {
        let indices = cx.with_rank(first, 2)?;
        let values = cx.with_rank(first + 1, 1)?;
        let shape = cx.with_rank(first + 2, 1)?;
        cx.merge_dim(indices.dim(0), values.dim(0))?;
        cx.merge_dim(indices.dim(1), shape.dim(0))
    };
    let (a, b) = match cx.inputs().len() {
        2 => {
            let (x, y) = (cx.with_rank_at_least(0, 2)?, cx.with_rank_at_least(1, 2)?);
            if let (Some(r), Some(s)) = (x.rank(), y.rank())
                && r == s
            {
                cx.merge(&x.subshape(0, r - 1), &y.subshape(0, s - 1))?;
            }
            (x.rank(), y.rank())
        }
        4 => (cx.with_rank_at_least(0, 2)?.rank(), sparse_rank(1)?),
        _ => (sparse_rank(0)?, sparse_rank(3)?),
    };
    let rank = cx.merge_dim(a, b)?;
    if rank.is_some_and(|r| r < 2) {
        return Err(Status::invalid_argument(format!(
            "Input 0, expected rank >= 2, got {} for {}",
            rank.unwrap_or(0),
            cx.describe()
        )));
    }
    cx.set_output(0, PartialShape::matrix(None, rank));
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, PartialShape::vector(rank));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn dense(op: &'static str, a: Tensor, b: Tensor) -> Result<Vec<Tensor>> {
        OpTest::new(register, "DenseToDenseSetOperation")
            .attr("set_operation", op)
            .input(a)
            .input(b)
            .run()
    }

    #[test]
    fn dense_sets_are_sorted_and_without_repetition() {
        let a = || Tensor::from_vec([2, 3], vec![3i32, -1, 3, 5, 5, 5]).unwrap();
        let b = || Tensor::from_vec([2, 1], vec![3i32, 7]).unwrap();
        let out = dense("union", a(), b()).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 0, 0, 1, 1, 0, 1, 1]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[-1, 3, 5, 7]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[2, 2]);
        assert_eq!(dense("a-b", a(), b()).unwrap()[1].as_slice::<i32>().unwrap(), &[-1, 5]);
        assert_eq!(dense("b-a", a(), b()).unwrap()[1].as_slice::<i32>().unwrap(), &[7]);
        assert_eq!(dense("INTERSECTION", a(), b()).unwrap()[1].as_slice::<i32>().unwrap(), &[3]);
    }

    #[test]
    fn bad_operands_are_refused() {
        let v = Tensor::vector(&[1i32]).unwrap();
        assert!(dense("union", v.clone(), v).is_err());
        let a = Tensor::from_vec([2, 1], vec![1i32, 2]).unwrap();
        let b = Tensor::from_vec([1, 2], vec![1i32, 2]).unwrap();
        assert!(dense("union", a.clone(), b).is_err());
        assert!(dense("xor", a.clone(), a).is_err());
    }

    #[test]
    fn sizes_of_sparse_sets() {
        let run = |indices: &[i64]| {
            let s = |v: &'static str| ByteString::from_static(v.as_bytes());
            OpTest::new(register, "SetSize")
                .input(Tensor::from_slice([3, 2], indices).unwrap())
                .input(Tensor::from_strings([3], vec![s("a"), s("a"), s("b")]).unwrap())
                .input(Tensor::vector(&[3i64, 2]).unwrap())
                .run_one()
        };
        assert_eq!(run(&[0, 0, 0, 1, 2, 0]).unwrap().as_slice::<i32>().unwrap(), &[1, 0, 1]);
        assert!(run(&[0, 0, 0, 1, 3, 0]).is_err());
        assert!(run(&[0, 1, 0, 0, 2, 0]).is_err());
    }
}
