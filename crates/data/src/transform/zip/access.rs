//! Elements by number, of datasets side by side or one behind the other.

use downpour_tensor::Result;

use super::{Concatenate, Zip};
use crate::Element;
use crate::context::Context;
use crate::position::State;
use crate::random_access::{RandomAccess, check_number, countable, out_of_range};
use crate::stage::Stage;
use std::sync::Arc;

/// Opens datasets side by side.
pub(super) fn side_by_side(
    stage: &Zip,
    context: &Context,
    state: Option<&State>,
) -> Result<Box<dyn RandomAccess>> {
    let count = countable(stage)?;
    let inputs = open_all(&stage.inputs, context, state)?;
    Ok(Box::new(ZipAccess { inputs, count }))
}

/// Opens datasets behind each other.
pub(super) fn behind_each_other(
    stage: &Concatenate,
    context: &Context,
    state: Option<&State>,
) -> Result<Box<dyn RandomAccess>> {
    let count = countable(stage)?;
    let counts = stage.inputs.iter().map(|input| countable(&**input)).collect::<Result<_>>()?;
    let inputs = open_all(&stage.inputs, context, state)?;
    Ok(Box::new(ConcatenateAccess { inputs, counts, count }))
}

fn open_all(
    inputs: &[Arc<dyn Stage>],
    context: &Context,
    state: Option<&State>,
) -> Result<Vec<Box<dyn RandomAccess>>> {
    let open = |(i, input): (usize, &Arc<dyn Stage>)| {
        input.random_access(context, state.map(|state| state.input(i)).transpose()?)
    };
    inputs.iter().enumerate().map(open).collect()
}

fn states(inputs: &[Box<dyn RandomAccess>]) -> State {
    State::default().with(inputs.iter().map(|input| input.state()).collect::<Vec<_>>())
}

struct ZipAccess {
    inputs: Vec<Box<dyn RandomAccess>>,
    count: u64,
}

impl RandomAccess for ZipAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        check_number(number, self.count)?;
        let mut all: Option<Element> = None;
        for input in &mut self.inputs {
            let (names, tensors) = input.element(number)?.into_parts();
            all = Some(match all.take().map(Element::into_parts) {
                None => Element::from_parts(names, tensors)?,
                Some((before, mut together)) => {
                    together.extend(tensors);
                    Element::from_parts(before.joined(&names), together)?
                }
            });
        }
        Ok(all.unwrap_or_else(|| Element::new(Vec::new())))
    }

    fn state(&self) -> State {
        states(&self.inputs)
    }
}

struct ConcatenateAccess {
    inputs: Vec<Box<dyn RandomAccess>>,
    counts: Vec<u64>,
    count: u64,
}

impl RandomAccess for ConcatenateAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        let mut place = number;
        for (input, &count) in self.inputs.iter_mut().zip(&self.counts) {
            if place < count {
                return input.element(place);
            }
            place -= count;
        }
        Err(out_of_range(number, self.count))
    }

    fn state(&self) -> State {
        states(&self.inputs)
    }
}
