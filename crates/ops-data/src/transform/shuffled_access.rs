//! Elements of a shuffled dataset by number.
//!
//! Asked for single elements a shuffle has one order of the whole dataset, whatever its buffer holds: the order that
//! TensorFlow makes of the shuffle's seeds. It is not one of the orders in which the dataset is iterated.

use downpour_data::random_access::{check_number, countable};
use downpour_data::{Context, Element, RandomAccess, Stage, State};
use downpour_tensor::{Charge, Philox, Result, Status};

/// Opens the elements of `input` in the order that the seeds make of them.
pub(super) fn open(
    input: &dyn Stage,
    (seed, seed2): (u64, u64),
    context: &Context,
    state: Option<&State>,
) -> Result<Box<dyn RandomAccess>> {
    let count = countable(input)?;
    let places = usize::try_from(count).map_err(|_| {
        Status::resource_exhausted(format!("the order of {count} elements does not fit in memory"))
    })?;
    let charge = Charge::scratch::<u64>(places)?;
    let input = input.random_access(context, state)?;
    let mut order: Vec<u64> = (0..count).collect();
    let mut random = Philox::new(seed, seed2);
    for place in 0..order.len() {
        let left = (order.len() - place) as u64;
        order.swap(place, place + (u64::from(random.next_u32()) % left) as usize);
    }
    Ok(Box::new(ShuffledAccess { input, order, _charge: charge }))
}

struct ShuffledAccess {
    input: Box<dyn RandomAccess>,
    order: Vec<u64>,
    /// Counts the memory of the order.
    _charge: Charge,
}

impl RandomAccess for ShuffledAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        check_number(number, self.order.len() as u64)?;
        self.input.element(self.order[number as usize])
    }

    fn state(&self) -> State {
        self.input.state()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_data::Dataset;

    #[test]
    fn every_element_has_one_place_and_the_seeds_say_which() {
        let order = |seeds| -> Vec<i64> {
            let numbers = Shuffled(Dataset::range(20), seeds);
            let mut lookup = Dataset::new(numbers).lookup().unwrap();
            (0..20).map(|n| lookup.element(n).unwrap()[0].to_scalar().unwrap()).collect()
        };
        let first = order((3, 4));
        assert_eq!(first, order((3, 4)));
        assert_ne!(first, order((3, 5)));
        let mut sorted = first;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
    }

    struct Shuffled(Dataset, (u64, u64));

    impl Stage for Shuffled {
        fn describe(&self) -> String {
            "shuffled".to_owned()
        }

        fn open(&self, _: &Context, _: Option<&State>) -> Result<Box<dyn downpour_data::Cursor>> {
            Err(Status::internal("not opened"))
        }

        fn random_access(
            &self,
            context: &Context,
            state: Option<&State>,
        ) -> Result<Box<dyn RandomAccess>> {
            open(&**self.0.stage(), self.1, context, state)
        }
    }
}
