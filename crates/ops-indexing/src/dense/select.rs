//! Select and SelectV2: elements of one tensor where a condition holds, of another elsewhere.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::broadcast::Broadcast;
use downpour_tensor::{Result, Status, Tensor};

use crate::units::{Unit, dispatch_units};

/// Elements worth a task of their own.
const GRAIN: usize = 16 * 1024;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Select(condition: bool, t: T, e: T) -> (output: T)
                T: type",
        )?
        .shape(select_shape)
        .gradient(select_gradient),
        |_| Ok(KernelBox::function(select)),
    )?;
    registry.add(
        OpSpec::new(
            "SelectV2(condition: bool, t: T, e: T) -> (output: T)
                T: type",
        )?
        .shape(select_v2_shape)
        .gradient(select_v2_gradient),
        |_| Ok(KernelBox::function(select_v2)),
    )
}

fn select(cx: &mut OpContext<'_>) -> Result<()> {
    let condition = cx.input(0).clone();
    let (t, e) = (cx.input(1), cx.input(2));
    if condition.rank() != 1 || t.rank() == 1 || t.shape() != e.shape() {
        // A scalar condition, or all of one shape.
        if t.shape() != e.shape() {
            return Err(Status::invalid_argument(format!(
                "'then' and 'else' must have the same size.  but received: {} vs. {}",
                t.shape(),
                e.shape()
            )));
        }
        if condition.rank() == 0 {
            let chosen = if condition.to_scalar::<bool>()? { 1 } else { 2 };
            let output = cx.take(chosen);
            cx.set_output(0, output);
            return Ok(());
        }
        if condition.shape() != t.shape() {
            return Err(Status::invalid_argument(format!(
                "Inputs to operation {} of type Select must have the same size and shape.  Input \
                 0: {} != input 1: {}",
                cx.node().name,
                condition.shape(),
                t.shape()
            )));
        }
    } else if t.rank() == 0 {
        return Err(Status::invalid_argument(format!(
            "'then' must be at least a vector, but saw shape: {}",
            t.shape()
        )));
    } else if t.dims()[0] != condition.len() {
        return Err(Status::invalid_argument(format!(
            "Number of batches of 'then' must match size of 'cond', but saw: {} vs. {}",
            t.dims()[0],
            condition.len()
        )));
    }
    let (mut t, e) = (cx.take(1), cx.take(2));
    let row = if condition.is_empty() { 1 } else { t.len() / condition.len() };
    let flags = condition.as_slice::<bool>()?;
    dispatch_units!(t.dtype(), T => {
        let source = T::view(&e)?;
        T::rewrite(&mut t, |out| {
            cx.parallel().for_chunks(out, row.max(1), GRAIN.div_ceil(row.max(1)), |first, chunk| {
                choose_rows(chunk, &flags[first..], &source[first * row..], row);
            });
            Ok(())
        })
    })?;
    cx.set_output(0, t);
    Ok(())
}

/// Overwrites the rows of `out` whose flag is false.
fn choose_rows<T: Clone>(out: &mut [T], flags: &[bool], other: &[T], row: usize) {
    if row == 1 {
        for ((o, &keep), v) in out.iter_mut().zip(flags).zip(other) {
            if !keep {
                *o = v.clone();
            }
        }
        return;
    }
    if row == 0 {
        return;
    }
    for ((o, &keep), v) in out.chunks_exact_mut(row).zip(flags).zip(other.chunks_exact(row)) {
        if !keep {
            o.clone_from_slice(v);
        }
    }
}

fn select_v2(cx: &mut OpContext<'_>) -> Result<()> {
    let (condition, t, e) = (cx.input(0), cx.input(1), cx.input(2));
    let plan = Broadcast::new([condition.dims(), t.dims(), e.dims()]).map_err(|_| {
        Status::invalid_argument(format!(
            "condition {}, then {}, and else {} must be broadcastable",
            condition.shape(),
            t.shape(),
            e.shape()
        ))
    })?;
    let output = dispatch_units!(t.dtype(), T => broadcast_select::<T>(cx, &plan))?;
    cx.set_output(0, output);
    Ok(())
}

fn broadcast_select<T: Unit>(cx: &OpContext<'_>, plan: &Broadcast<3>) -> Result<Tensor> {
    let flags = cx.input(0).as_slice::<bool>()?;
    let (t, e) = (T::view(cx.input(1))?, T::view(cx.input(2))?);
    let inner = plan.inner();
    let steps = plan.inner_strides();
    T::build(cx.input(1).dtype(), plan.output.clone(), |out| {
        if out.is_empty() {
            return Ok(());
        }
        if plan.is_flat() {
            cx.parallel().for_chunks(out, 1, GRAIN, |first, chunk| {
                let at = first..first + chunk.len();
                choose(chunk, &flags[at.clone()], &t[at.clone()], &e[at]);
            });
            return Ok(());
        }
        cx.parallel().for_chunks(out, inner, GRAIN.div_ceil(inner), |first, chunk| {
            let rows = first..first + chunk.len() / inner;
            plan.for_rows(rows, |at, [c, x, y]| {
                let at = at - first * inner;
                let row = &mut chunk[at..at + inner];
                if steps[0] == 0 {
                    let (from, start, step) =
                        if flags[c] { (t, x, steps[1]) } else { (e, y, steps[2]) };
                    for (i, o) in row.iter_mut().enumerate() {
                        *o = from[start + i * step].clone();
                    }
                    return;
                }
                for (i, o) in row.iter_mut().enumerate() {
                    *o = if flags[c + i * steps[0]] {
                        t[x + i * steps[1]].clone()
                    } else {
                        e[y + i * steps[2]].clone()
                    };
                }
            });
        });
        Ok(())
    })
}

fn choose<T: Clone>(out: &mut [T], flags: &[bool], t: &[T], e: &[T]) {
    for (((o, &c), x), y) in out.iter_mut().zip(flags).zip(t).zip(e) {
        *o = if c { x.clone() } else { y.clone() };
    }
}

fn select_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let mut data = cx.merge(cx.input(1), cx.input(2))?;
    let condition = cx.input(0);
    if let (Some(rank), Some(data_rank)) = (condition.rank(), data.rank()) {
        if rank == 1 && data_rank > 0 {
            cx.merge_dim(condition.dim(0), data.dim(0))?;
        } else if rank != 0 {
            data = cx.merge(&data, condition)?;
        }
    }
    cx.set_output(0, data);
    Ok(())
}

fn select_v2_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let broadcast = |a: &PartialShape, b: &PartialShape| {
        shapes::broadcast(a, b).map_err(|e| e.context(cx.describe()))
    };
    let out = broadcast(cx.input(1), cx.input(2))?;
    let out = broadcast(cx.input(0), &out)?;
    cx.set_output(0, out);
    Ok(())
}

fn select_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (condition, t) = (cx.input(0), cx.input(1));
    let zeros = cx.op("ZerosLike", &[t])?;
    let dt = cx.op("Select", &[condition, grad, zeros])?;
    let de = cx.op("Select", &[condition, zeros, grad])?;
    Ok(vec![Gradient::None, Gradient::Dense(dt), Gradient::Dense(de)])
}

fn select_v2_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (condition, t, e) = (cx.input(0), cx.input(1), cx.input(2));
    let zero = cx.number(0.0, grad)?;
    let dt = cx.op("SelectV2", &[condition, grad, zero])?;
    let dt = cx.unbroadcast(dt, t, grad)?;
    let de = cx.op("SelectV2", &[condition, zero, grad])?;
    let de = cx.unbroadcast(de, e, grad)?;
    Ok(vec![Gradient::None, Gradient::Dense(dt), Gradient::Dense(de)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, condition: Tensor, t: Tensor, e: Tensor) -> Result<Tensor> {
        OpTest::new(register, op).input(condition).input(t).input(e).run_one()
    }

    #[test]
    fn the_first_form_takes_elements_rows_or_all() {
        let t = || Tensor::from_vec([2, 2], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
        let e = || Tensor::from_vec([2, 2], vec![5f32, 6.0, 7.0, 8.0]).unwrap();
        let rows = Tensor::vector(&[true, false]).unwrap();
        let y = run("Select", rows, t(), e()).unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 2.0, 7.0, 8.0]);
        let each = Tensor::from_vec([2, 2], vec![true, false, false, true]).unwrap();
        let y = run("Select", each, t(), e()).unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 6.0, 7.0, 4.0]);
        let y = run("Select", Tensor::scalar(false), t(), e()).unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[5.0, 6.0, 7.0, 8.0]);
        assert!(run("Select", Tensor::vector(&[true]).unwrap(), t(), e()).is_err());
        let s = Tensor::scalar(1f32);
        let one = Tensor::vector(&[true]).unwrap();
        assert!(run("Select", one, s.clone(), s).is_err());
        assert!(run("Select", Tensor::scalar(true), t(), Tensor::scalar(1f32)).is_err());
    }

    #[test]
    fn the_second_form_broadcasts() {
        let c = Tensor::from_vec([2, 1], vec![true, false]).unwrap();
        let t = Tensor::vector(&[1i64, 2, 3]).unwrap();
        let y = run("SelectV2", c.clone(), t.clone(), Tensor::scalar(0i64)).unwrap();
        assert_eq!(y.dims(), &[2, 3]);
        assert_eq!(y.as_slice::<i64>().unwrap(), &[1, 2, 3, 0, 0, 0]);
        let bad = run("SelectV2", Tensor::vector(&[true, false]).unwrap(), t, Tensor::scalar(0i64));
        assert!(bad.unwrap_err().message().contains("must be broadcastable"));
        let none = Tensor::from_vec([0, 1], Vec::<bool>::new()).unwrap();
        let y = run("SelectV2", none, Tensor::scalar(1f32), Tensor::scalar(2f32)).unwrap();
        assert_eq!(y.dims(), &[0, 1]);
    }
}
