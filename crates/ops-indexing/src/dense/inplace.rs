//! InplaceUpdate, InplaceAdd and InplaceSub: change rows of a tensor, which the caller gives up.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Element, Result, Status, Tensor};

use crate::numbers::{Number, dispatch_number};
use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let spec = |name: &str| {
        OpSpec::new(&format!(
            "{name}(x: T, i: int32, v: T) -> (y: T)
                T: type"
        ))
        .map(|spec| spec.shape(shapes::unchanged))
    };
    registry.add(spec("InplaceUpdate")?, |_| Ok(KernelBox::new(Inplace(Change::Update))))?;
    registry.add(spec("InplaceAdd")?, |_| Ok(KernelBox::new(Inplace(Change::Add))))?;
    registry.add(spec("InplaceSub")?, |_| Ok(KernelBox::new(Inplace(Change::Sub))))
}

#[derive(Clone, Copy)]
enum Change {
    Update,
    Add,
    Sub,
}

struct Inplace(Change);

impl Kernel for Inplace {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let mut x = cx.take(0);
        let (i, v) = (cx.input(1), cx.input(2));
        if i.rank() != 1 {
            return Err(Status::invalid_argument(format!("i must be a vector. {}", i.shape())));
        }
        if x.rank() != v.rank() {
            return Err(Status::invalid_argument(format!(
                "x and v shape doesn't match (ranks differ): {} vs. {}",
                x.shape(),
                v.shape()
            )));
        }
        if x.rank() == 0 {
            return Err(Status::invalid_argument("x and v must be at least vectors"));
        }
        if let Some(axis) = (1..x.rank()).find(|&k| x.dims()[k] != v.dims()[k]) {
            return Err(Status::invalid_argument(format!(
                "x and v shape doesn't match at index {axis} : {} vs. {}",
                x.shape(),
                v.shape()
            )));
        }
        if i.len() != v.dims()[0] {
            return Err(Status::invalid_argument(format!(
                "i and x shape doesn't match at index 0: {} vs. {}",
                i.shape(),
                v.shape()
            )));
        }
        if !x.is_empty() && !v.is_empty() {
            self.change(&mut x, i.as_slice::<i32>()?, v)?;
        }
        cx.set_output(0, x);
        Ok(())
    }
}

impl Inplace {
    fn change(&self, x: &mut Tensor, rows: &[i32], v: &Tensor) -> Result<()> {
        match self.0 {
            Change::Update => dispatch_units!(x.dtype(), T => {
                let row = v.len() / rows.len();
                let count = x.dims()[0];
                let values = T::view(v)?;
                T::rewrite(x, |out| {
                    for (&r, value) in rows.iter().zip(values.chunks_exact(row)) {
                        let at = wrap(r, count) * row;
                        out[at..at + row].clone_from_slice(value);
                    }
                    Ok(())
                })
            }),
            Change::Add => dispatch_number!(x.dtype(), "InplaceAdd", T => {
                combine(x, rows, v, |a: T, b| a.plus(b))
            }),
            Change::Sub => dispatch_number!(x.dtype(), "InplaceSub", T => {
                combine(x, rows, v, |a: T, b| a.minus(b))
            }),
        }
    }
}

/// Row numbers wrap around, negative ones from the end.
fn wrap(row: i32, count: usize) -> usize {
    (row as i64).rem_euclid(count as i64) as usize
}

fn combine<T: Element>(
    x: &mut Tensor,
    rows: &[i32],
    v: &Tensor,
    f: impl Fn(T, T) -> T,
) -> Result<()> {
    if !x.is_unique() {
        *x = x.deep_copy()?;
    }
    let row = v.len() / rows.len();
    let count = x.dims()[0];
    let out = x.as_mut_slice::<T>().expect("nobody else holds the copy");
    for (&r, value) in rows.iter().zip(v.as_slice::<T>()?.chunks_exact(row)) {
        let at = wrap(r, count) * row;
        out[at..at + row].iter_mut().zip(value).for_each(|(o, &b)| *o = f(*o, b));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, rows: &[i32], v: Tensor) -> Result<Tensor> {
        OpTest::new(register, op)
            .input(Tensor::from_vec([3, 1], vec![1i32, 2, 3]).unwrap())
            .input(Tensor::vector(rows).unwrap())
            .input(v)
            .run_one()
    }

    #[test]
    fn rows_change_and_numbers_wrap() {
        let v = || Tensor::from_vec([2, 1], vec![10i32, 20]).unwrap();
        assert_eq!(
            run("InplaceUpdate", &[0, -1], v()).unwrap().as_slice::<i32>().unwrap(),
            &[10, 2, 20]
        );
        assert_eq!(
            run("InplaceAdd", &[1, 1], v()).unwrap().as_slice::<i32>().unwrap(),
            &[1, 32, 3]
        );
        assert_eq!(
            run("InplaceSub", &[1, 5], v()).unwrap().as_slice::<i32>().unwrap(),
            &[1, -8, -17]
        );
        let none = Tensor::from_vec([0, 1], Vec::<i32>::new()).unwrap();
        assert_eq!(run("InplaceUpdate", &[], none).unwrap().len(), 3);
    }

    #[test]
    fn mismatches_are_refused() {
        assert!(run("InplaceAdd", &[0], Tensor::vector(&[1i32]).unwrap()).is_err());
        let wide = Tensor::from_vec([1, 2], vec![1i32, 2]).unwrap();
        assert!(run("InplaceAdd", &[0], wide).is_err());
        let one = Tensor::from_vec([1, 1], vec![1i32]).unwrap();
        assert!(run("InplaceAdd", &[0, 1], one).is_err());
    }
}
