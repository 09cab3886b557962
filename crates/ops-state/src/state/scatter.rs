//! Scatter* and ResourceScatter*: changes of chosen rows of a variable.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use super::element_update::{Update, contains_zero, update_rows};
use super::handles::{forward_reference, position, typed_variable, variable_shape};

const NUMBERS: &str = "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, \
    qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";
const ORDERED: &str = "{half, bfloat16, float, double, int32, int64}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, ref_types, resource_types, locking) in [
        ("Update", "type", "type", true),
        ("Add", NUMBERS, NUMBERS, false),
        ("Sub", NUMBERS, NUMBERS, false),
        ("Mul", NUMBERS, NUMBERS, false),
        ("Div", NUMBERS, NUMBERS, false),
        ("Min", ORDERED, NUMBERS, false),
        ("Max", ORDERED, NUMBERS, false),
    ] {
        let by_reference = format!(
            "Scatter{name}(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T))
                T: {ref_types}
                Tindices: {{int32, int64}}
                use_locking: bool = {locking}"
        );
        let by_handle = format!(
            "ResourceScatter{name}(resource: resource, indices: Tindices, updates: dtype) -> () @stateful
                dtype: {resource_types}
                Tindices: {{int32, int64}}"
        );
        for signature in [by_reference, by_handle] {
            let spec = OpSpec::new(&signature)?.shape(shape).not_differentiable();
            registry.add(spec, |build| Ok(KernelBox::new(Scatter::new(build.op_name())?)))?;
        }
    }
    Ok(())
}

/// The update that the end of an operation's name asks for.
pub(super) fn update_of(op: &str) -> Result<Update> {
    let updates = [
        ("Update", Update::Assign),
        ("Add", Update::Add),
        ("Sub", Update::Sub),
        ("Mul", Update::Mul),
        ("Div", Update::Div),
        ("Min", Update::Min),
        ("Max", Update::Max),
    ];
    let found = updates.into_iter().find(|(name, _)| op.ends_with(name));
    found.map(|(_, update)| update).ok_or_else(|| Status::internal(format!("{op} is no scatter")))
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let variable = variable_shape(cx, 0);
    if variable.rank() == Some(0) {
        return Err(Status::invalid_argument(format!(
            "params must be at least 1-D for {}",
            cx.describe()
        )));
    }
    if cx.input(2).rank() != Some(0)
        && let Some(rank) = variable.rank()
    {
        let expected: PartialShape = cx.input(1).concat(&variable.subshape(1, rank));
        cx.merge(cx.input(2), &expected)?;
    }
    cx.set_output(0, variable);
    Ok(())
}

struct Scatter {
    update: Update,
    is_resource: bool,
}

impl Scatter {
    fn new(op: &str) -> Result<Scatter> {
        Ok(Scatter { update: update_of(op)?, is_resource: op.starts_with("Resource") })
    }
}

impl Kernel for Scatter {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (indices, updates) = (cx.input(1), cx.input(2));
        let op = cx.node().op_name();
        let parallel = cx.parallel().uninterrupted();
        let variable = typed_variable(cx, 0, updates.dtype())?;
        if self.update == Update::Div
            && (self.is_resource || updates.dtype().is_integer())
            && contains_zero(updates, op)?
        {
            return Err(Status::invalid_argument("updates must not contain 0"));
        }
        variable.update(|params| {
            let rows = checked_rows(params.shape(), indices, updates)?;
            let width = params.dims()[1..].iter().product();
            update_rows(self.update, params, (&rows, width), updates, &parallel, op)
        })?;
        forward_reference(cx, variable);
        Ok(())
    }
}

/// The row numbers, once the shapes are known to fit.
fn checked_rows(params: &Shape, indices: &Tensor, updates: &Tensor) -> Result<Vec<usize>> {
    let Some((&limit, inner)) = params.split_first() else {
        return Err(Status::invalid_argument(format!(
            "params must be at least 1-D, got shape {params}"
        )));
    };
    let fits = updates.rank() == indices.rank() + inner.len()
        && updates.dims()[..indices.rank()] == *indices.dims()
        && updates.dims()[indices.rank()..] == *inner;
    if updates.rank() != 0 && !fits {
        return Err(Status::invalid_argument(format!(
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got \
             updates.shape {}, indices.shape {}, params.shape {params}",
            updates.shape(),
            indices.shape()
        )));
    }
    let row = |(i, index): (usize, i64)| {
        usize::try_from(index).ok().filter(|&row| row < limit).ok_or_else(|| {
            Status::invalid_argument(format!(
                "indices{} = {index} is not in [0, {limit})",
                position(indices.dims(), i)
            ))
        })
    };
    indices.to_i64_vec()?.into_iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::stored;
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn vector<T: downpour_tensor::Element>(values: &[T]) -> Tensor {
        Tensor::vector(values).unwrap()
    }

    /// Runs both forms and gives the variable's new value.
    fn scatter(op: &str, params: Tensor, indices: Tensor, updates: Tensor) -> Result<Tensor> {
        let (_, by_reference, _) = stored(params.deep_copy()?);
        let first = OpTest::new(register, op)
            .reference(&by_reference)
            .input(indices.clone())
            .input(updates.clone())
            .run_one();
        let (resources, variable, handle) = stored(params);
        let second = OpTest::new(register, &format!("Resource{op}"))
            .resources(&resources)
            .input(handle)
            .input(indices)
            .input(updates)
            .run();
        assert_eq!(first.is_ok(), second.is_ok());
        let value = variable.read()?;
        assert_eq!(format!("{value:?}"), format!("{:?}", by_reference.read()?));
        first.and(second).and(Ok(value))
    }

    #[test]
    fn each_kind_of_update() {
        let cases: [(&str, [i32; 3]); 7] = [
            ("ScatterUpdate", [3, 6, 2]),
            ("ScatterAdd", [15, 6, 2 + 8]),
            ("ScatterSub", [-3, 6, -6]),
            ("ScatterMul", [36 * 3, 6, 16]),
            ("ScatterDiv", [0, 6, 0]),
            ("ScatterMin", [3, 6, 2]),
            ("ScatterMax", [6, 6, 8]),
        ];
        for (op, expected) in cases {
            // Row 0 is changed twice, by 6 and then by 3.
            let updates = if op == "ScatterUpdate" { [6, 3, 2] } else { [6, 3, 8] };
            let params = [6, 6, 2];
            let out =
                scatter(op, vector(&params), vector(&[0i64, 0, 2]), vector(&updates)).unwrap();
            assert_eq!(out.as_slice::<i32>().unwrap(), &expected, "{op}");
        }
    }

    #[test]
    fn a_scalar_goes_everywhere() {
        let params = Tensor::from_vec([3, 2], vec![1f32; 6]).unwrap();
        let out = scatter("ScatterAdd", params, vector(&[2i32, 0]), Tensor::scalar(2f32)).unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), &[3.0, 3.0, 1.0, 1.0, 3.0, 3.0]);
        let flags =
            scatter("ScatterUpdate", vector(&[false; 3]), vector(&[1i32]), Tensor::scalar(true));
        assert_eq!(flags.unwrap().as_slice::<bool>().unwrap(), &[false, true, false]);
    }

    #[test]
    fn strings_are_replaced() {
        let words = Tensor::from_strings([2], vec!["a".into(), "b".into()]).unwrap();
        let new = Tensor::from_strings([1], vec!["c".into()]).unwrap();
        let out = scatter("ScatterUpdate", words, vector(&[1i32]), new).unwrap();
        assert_eq!(&out.strings().unwrap()[1][..], b"c");
    }

    #[test]
    fn bad_inputs_are_refused_before_anything_changes() {
        let params = || vector(&[1i32, 2, 3]);
        let e =
            scatter("ScatterAdd", params(), vector(&[0i32, 3]), vector(&[1i32, 1])).unwrap_err();
        assert!(e.message().contains("indices[1] = 3 is not in [0, 3)"));
        let e =
            scatter("ScatterAdd", params(), vector(&[0i32, 1]), vector(&[1i32, 2, 3])).unwrap_err();
        assert!(e.message().contains("Must have updates.shape"));
        let e = scatter("ScatterDiv", params(), vector(&[0i32]), vector(&[0i32])).unwrap_err();
        assert!(e.message().contains("must not contain 0"));
        assert!(
            scatter("ScatterAdd", Tensor::scalar(1i32), Tensor::scalar(0i32), Tensor::scalar(1i32))
                .is_err()
        );
        scatter("ScatterMul", params(), vector::<i32>(&[]), vector::<i32>(&[])).unwrap();
    }
}
