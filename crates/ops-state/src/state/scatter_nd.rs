//! ScatterNd* on references and ResourceScatterNd*: changes of slices of a variable chosen by
//! indices of several dimensions.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{CountedVec, Result, Shape, Status, Tensor};

use super::element_update::{Update, update_rows};
use super::handles::{forward_reference, typed_variable, variable_shape};
use super::nd_indices::NdIndices;
use super::scatter::update_of;

const NUMBERS: &str = "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, \
    qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, ref_types, locking) in [
        ("Update", "type", true),
        ("Add", NUMBERS, false),
        ("Sub", NUMBERS, false),
        ("Min", NUMBERS, false),
        ("Max", NUMBERS, false),
    ] {
        let by_reference = format!(
            "ScatterNd{name}(ref: Ref(T), indices: Tindices, updates: T) -> (output_ref: Ref(T))
                T: {ref_types}
                Tindices: {{int32, int64}}
                use_locking: bool = {locking}
                bad_indices_policy: string = ''"
        );
        let by_handle = format!(
            "ResourceScatterNd{name}(ref: resource, indices: Tindices, updates: T) -> () @stateful
                T: type
                Tindices: {{int32, int64}}
                use_locking: bool = true
                bad_indices_policy: string = ''"
        );
        for signature in [by_reference, by_handle] {
            let spec = OpSpec::new(&signature)?.shape(shape).not_differentiable();
            registry.add(spec, |build| Ok(KernelBox::new(ScatterNd::new(build)?)))?;
        }
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let variable = variable_shape(cx, 0);
    let indices = cx.with_rank_at_least(1, 1)?;
    let updates = cx.with_rank_at_least(2, 1)?;
    if let (Some([outer @ .., Some(depth)]), Some(update_rank)) = (indices.dims(), updates.rank()) {
        let prefix = updates.subshape(0, outer.len());
        cx.merge(&PartialShape::of(outer.iter().copied()), &prefix)?;
        if let Some(rank) = variable.rank() {
            let slice = variable.subshape(*depth, rank);
            cx.merge(&slice, &updates.subshape(outer.len(), update_rank))?;
        }
    }
    cx.set_output(0, variable);
    Ok(())
}

struct ScatterNd {
    update: Update,
    /// Indices outside of the variable are skipped instead of refused.
    skip_bad: bool,
}

impl ScatterNd {
    fn new(build: &KernelBuild<'_>) -> Result<ScatterNd> {
        let skip_bad = match build.string("bad_indices_policy")?.as_str() {
            "" | "DEFAULT" | "ERROR" => false,
            "IGNORE" => true,
            other => {
                return Err(Status::invalid_argument(format!(
                    "Unknown bad indices handling attribute: {other}"
                )));
            }
        };
        Ok(ScatterNd { update: update_of(build.op_name())?, skip_bad })
    }
}

impl Kernel for ScatterNd {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (indices, updates) = (cx.input(1), cx.input(2));
        let op = cx.node().op_name();
        let parallel = cx.parallel().uninterrupted();
        let variable = typed_variable(cx, 0, updates.dtype())?;
        variable.update(|params| {
            let shape = params.shape().clone();
            let depth = check_shapes(&shape, indices, updates)?;
            let chosen = NdIndices::new(&shape, indices, depth)?;
            let all = chosen.all_inside(indices, &shape, "");
            let (rows, updates) = match all {
                Ok(rows) => (rows, updates.clone()),
                Err(status) if !self.skip_bad => return Err(status),
                Err(_) => inside(&chosen, updates)?,
            };
            update_rows(self.update, params, (&rows, chosen.width), &updates, &parallel, op)
        })?;
        forward_reference(cx, variable);
        Ok(())
    }
}

/// How many numbers make one index, once all shapes are known to fit.
fn check_shapes(params: &Shape, indices: &Tensor, updates: &Tensor) -> Result<usize> {
    let invalid = |what: String| Err(Status::invalid_argument(what));
    if params.is_empty() {
        return invalid(format!("Output must be at least 1-D, got shape: {params}"));
    }
    if indices.rank() == 0 || updates.rank() == 0 {
        return invalid(format!(
            "Indices and updates must be at least 1-D, got shapes {} and {}",
            indices.shape(),
            updates.shape()
        ));
    }
    if params.elements() == 0 && !(indices.is_empty() && updates.is_empty()) {
        return invalid(format!(
            "Indices and updates specified for empty output.  indices shape: {}",
            indices.shape()
        ));
    }
    // A vector of indices stands for one number per index.
    let (outer, depth) = match indices.dims() {
        [outer @ .., depth] if !outer.is_empty() => (outer, *depth),
        all => (all, 1),
    };
    let fits = depth <= params.rank()
        && updates.rank() == outer.len() + params.rank() - depth
        && updates.dims()[..outer.len()] == *outer
        && updates.dims()[outer.len()..] == params[depth..];
    if !fits {
        return invalid(format!(
            "Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], got \
             updates.shape: {}, indices.shape: {}, params_shape: {params}, slice_dim: {depth}, and \
             batch_dim: {}",
            updates.shape(),
            indices.shape(),
            outer.len()
        ));
    }
    Ok(depth)
}

/// The rows of the indices that lie inside, with their updates.
fn inside(chosen: &NdIndices, updates: &Tensor) -> Result<(CountedVec<usize>, Tensor)> {
    let width = chosen.width;
    let kept: Vec<usize> = (0..chosen.rows.len()).filter(|&i| chosen.rows[i].is_some()).collect();
    let rows = CountedVec::from_vec(chosen.rows.iter().copied().flatten().collect())?;
    let shape = Shape::from([kept.len(), width]);
    let serial = downpour_runtime::Parallel::serial();
    Ok((rows, super::gather::gather_rows(updates, &kept, width, shape, &serial)?))
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::stored;
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn t(shape: &[usize], values: &[i32]) -> Tensor {
        Tensor::from_slice(shape, values).unwrap()
    }

    fn scatter(
        op: &str,
        params: Tensor,
        indices: Tensor,
        updates: Tensor,
        policy: &'static str,
    ) -> Result<Vec<i32>> {
        let (_, by_reference, _) = stored(params.deep_copy()?);
        let first = OpTest::new(register, op)
            .reference(&by_reference)
            .input(indices.clone())
            .input(updates.clone())
            .attr("bad_indices_policy", policy)
            .run_one();
        let (resources, variable, handle) = stored(params);
        let second = OpTest::new(register, &format!("Resource{op}"))
            .resources(&resources)
            .input(handle)
            .input(indices)
            .input(updates)
            .attr("bad_indices_policy", policy)
            .run();
        assert_eq!(first.is_ok(), second.is_ok());
        let value = variable.read()?;
        assert_eq!(format!("{value:?}"), format!("{:?}", by_reference.read()?));
        first.and(second)?;
        Ok(value.as_slice::<i32>()?.to_vec())
    }

    #[test]
    fn elements_and_slices() {
        let params = || t(&[2, 2], &[1, 2, 3, 4]);
        let elements = t(&[2, 2], &[0, 1, 1, 0]);
        let run = |op| scatter(op, params(), elements.clone(), t(&[2], &[10, 1]), "").unwrap();
        assert_eq!(run("ScatterNdUpdate"), [1, 10, 1, 4]);
        assert_eq!(run("ScatterNdAdd"), [1, 12, 4, 4]);
        assert_eq!(run("ScatterNdSub"), [1, -8, 2, 4]);
        assert_eq!(run("ScatterNdMin"), [1, 2, 1, 4]);
        assert_eq!(run("ScatterNdMax"), [1, 10, 3, 4]);
        let rows =
            scatter("ScatterNdAdd", params(), t(&[2, 1], &[1, 1]), t(&[2, 2], &[1, 2, 3, 4]), "");
        assert_eq!(rows.unwrap(), [1, 2, 7, 10]);
    }

    #[test]
    fn indices_outside_are_refused_or_skipped() {
        let run = |policy| {
            scatter(
                "ScatterNdAdd",
                t(&[3], &[0; 3]),
                t(&[3, 1], &[0, 7, 2]),
                t(&[3], &[1, 2, 3]),
                policy,
            )
        };
        let e = run("").unwrap_err();
        assert!(e.message().contains("indices[1] = [7] does not index into shape [3]"), "{e}");
        assert_eq!(run("IGNORE").unwrap(), [1, 0, 3]);
        assert!(run("WHATEVER").is_err());
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused() {
        let bad = |params, indices, updates| {
            scatter("ScatterNdUpdate", params, indices, updates, "").unwrap_err();
        };
        bad(t(&[2, 2], &[0; 4]), t(&[1, 1], &[0]), t(&[1, 3], &[0; 3]));
        bad(t(&[2], &[0; 2]), t(&[1, 2], &[0, 0]), t(&[1], &[0]));
        bad(t(&[0], &[]), t(&[1, 1], &[0]), t(&[1], &[0]));
        bad(Tensor::scalar(1i32), t(&[1, 1], &[0]), t(&[1], &[0]));
    }
}
