//! RangeDataset: the numbers from a start to a stop.

use downpour_data::random_access::check_number;
use downpour_data::{
    Block, Context, Cursor, Dataset, Element, Length, Names, RandomAccess, Stage, State,
};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor, dispatch_real};
use num_traits::cast;

use crate::dataset::{GraphDataset, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RangeDataset(start: int64, stop: int64, step: int64) -> (handle: variant) @stateful
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''
                replicate_on_split: bool = false",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(make)),
    )
}

fn make(cx: &mut OpContext<'_>) -> Result<()> {
    let start = scalar_i64(cx, 0, "start")?;
    let stop = scalar_i64(cx, 1, "stop")?;
    let step = scalar_i64(cx, 2, "step")?;
    if step == 0 {
        return Err(Status::invalid_argument("step must be a non-zero integer."));
    }
    let dtype = cx.node().dtypes("output_types")?[0];
    let range = Range { start, step, count: count(start, stop, step), dtype };
    range.numbers(0, 0)?;
    let made = GraphDataset::new(cx.node(), Dataset::new(range), &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

/// Returns how many numbers there are from `start` on before `stop`.
fn count(start: i64, stop: i64, step: i64) -> u64 {
    let (distance, stride) = match step > 0 {
        true => (i128::from(stop) - i128::from(start), i128::from(step)),
        false => (i128::from(start) - i128::from(stop), -i128::from(step)),
    };
    // The distance of two 64-bit numbers, and so the count, fits into 64 bits without a sign.
    u64::try_from((distance.max(0) + stride - 1) / stride).unwrap_or(u64::MAX)
}

#[derive(Clone, Copy)]
struct Range {
    start: i64,
    step: i64,
    count: u64,
    dtype: DataType,
}

/// Numbers that are made at once.
const BLOCK: u64 = 4096;

impl Range {
    /// Returns the numbers in places `from..to`.
    fn numbers(&self, from: u64, to: u64) -> Result<Tensor> {
        let number = |place: u64| self.start.wrapping_add(self.step.wrapping_mul(place as i64));
        let rows = (to - from) as usize;
        dispatch_real!(self.dtype, "RangeDataset", T => Tensor::build([rows], |out: &mut [T]| {
            out.iter_mut().zip(from..to).for_each(|(out, place)| *out = cast(number(place)).unwrap_or_default());
        }))
    }
}

impl Stage for Range {
    fn describe(&self) -> String {
        format!("range({}, {}, {})", self.start, self.step, self.count)
    }

    fn length(&self) -> Option<Length> {
        Some(Length::Finite(self.count))
    }

    fn open(&self, _: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [at] = state.map_or(Ok([0]), State::expect)?;
        Ok(Box::new(RangeCursor {
            range: *self,
            at: at.min(self.count),
            names: Names::numbered(1),
        }))
    }

    fn random_access(&self, _: &Context, _: Option<&State>) -> Result<Box<dyn RandomAccess>> {
        Ok(Box::new(RangeAccess { range: *self, names: Names::numbered(1) }))
    }

    fn check_global_shuffle(&self) -> Result<()> {
        Ok(())
    }
}

struct RangeAccess {
    range: Range,
    names: Names,
}

impl RandomAccess for RangeAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        check_number(number, self.range.count)?;
        let number = self.range.numbers(number, number + 1)?.into_shape(Shape::scalar())?;
        Element::from_parts(self.names.clone(), vec![number])
    }
}

struct RangeCursor {
    range: Range,
    at: u64,
    names: Names,
}

impl Cursor for RangeCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let rows = limit.min(self.ready());
        if rows == 0 {
            return Ok(None);
        }
        let from = self.at;
        self.at += rows as u64;
        let column = self.range.numbers(from, self.at)?;
        Block::from_columns(self.names.clone(), rows, vec![column]).map(Some)
    }

    fn state(&self) -> State {
        State::of([self.at])
    }

    fn ready(&self) -> usize {
        (self.range.count - self.at).min(BLOCK) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_go_up_and_down_and_to_the_ends() {
        assert_eq!(count(0, 10, 3), 4);
        assert_eq!(count(10, 0, -3), 4);
        assert_eq!(count(5, 5, 1), 0);
        assert_eq!(count(5, 0, 1), 0);
        assert_eq!(count(i64::MIN, i64::MAX, 1), u64::MAX);
        assert_eq!(count(i64::MAX, i64::MIN, i64::MIN), 2);
    }
}
