//! Passes the elements of a dataset on and records them on the way.
//!
//! A position says the run and how many elements were delivered. What was written of a run that did not end is gone, so
//! who goes on from a position records the run again from its beginning.

use downpour_data::{Block, Context, Cursor, Stage, State};
use downpour_tensor::{Code, Result};

use super::recorder::Recorder;

/// Elements that are recorded before they are passed on together.
const ELEMENTS: usize = 64;

pub(super) struct RecordCursor {
    input: Box<dyn Cursor>,
    recorder: Option<Box<dyn Recorder>>,
    /// The run is complete when its last element is delivered, not only when somebody asks for another.
    looks_ahead: bool,
    ahead: Option<Result<Block>>,
    given: u64,
    numbers: [u64; 2],
    ended: bool,
}

impl RecordCursor {
    /// Opens `input`, which is recorded from its beginning, and passes over elements that were delivered before.
    /// `numbers` begin the state.
    pub fn open(
        input: &dyn Stage,
        context: &Context,
        recorder: Box<dyn Recorder>,
        looks_ahead: bool,
        numbers: [u64; 2],
        given: u64,
    ) -> Result<Box<dyn Cursor>> {
        let mut recording = RecordCursor {
            input: input.open(context, None)?,
            recorder: Some(recorder),
            looks_ahead,
            ahead: None,
            given: 0,
            numbers,
            ended: false,
        };
        while recording.given < given {
            match recording.next(1) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) if error.code() == Code::Cancelled => return Err(error),
                Err(_) => {}
            }
        }
        Ok(Box::new(recording))
    }

    /// Takes elements from the input and records them.
    fn read(&mut self, limit: usize) -> Result<Option<Block>> {
        if self.ended {
            return Ok(None);
        }
        let Some(block) = self.input.next(limit.min(ELEMENTS))? else {
            self.ended = true;
            let recorder = self.recorder.take();
            recorder.map_or(Ok(()), |mut recorder| recorder.finish())?;
            return Ok(None);
        };
        if let Some(recorder) = &mut self.recorder {
            let mut record = |row| recorder.write(block.element(row)?.tensors());
            if let Err(error) = (0..block.rows()).try_for_each(&mut record) {
                // Elements that the files lack cannot be made again.
                self.ended = true;
                self.recorder = None;
                return Err(error);
            }
        }
        Ok(Some(block))
    }
}

impl Cursor for RecordCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let found = match self.ahead.take() {
            Some(ahead) => ahead.map(Some),
            None => self.read(limit),
        };
        self.given += match &found {
            Ok(found) => found.as_ref().map_or(0, |block| block.rows() as u64),
            Err(_) => 1,
        };
        if self.looks_ahead && matches!(found, Ok(Some(_))) {
            // One element: no more than anybody asks for. An error comes when it is its turn.
            self.ahead = self.read(1).transpose();
        }
        found
    }

    fn state(&self) -> State {
        let [first, second] = self.numbers;
        State::of([first, second, self.given])
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use downpour_data::{Dataset, Element};
    use downpour_tensor::{Status, Tensor};

    use super::*;

    #[derive(Default)]
    struct Seen {
        numbers: Vec<i64>,
        is_complete: bool,
    }

    struct Notes(Arc<Mutex<Seen>>);

    impl Recorder for Notes {
        fn write(&mut self, element: &[Tensor]) -> Result<()> {
            let number = element[0].to_scalar()?;
            if number == 90 {
                return Err(Status::resource_exhausted("the disk is full"));
            }
            self.0.lock().unwrap().numbers.push(number);
            Ok(())
        }

        fn finish(&mut self) -> Result<()> {
            self.0.lock().unwrap().is_complete = true;
            Ok(())
        }
    }

    struct Recorded {
        input: Dataset,
        seen: Arc<Mutex<Seen>>,
        looks_ahead: bool,
    }

    impl Stage for Recorded {
        fn describe(&self) -> String {
            "recorded".to_owned()
        }

        fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
            let [_, _, given] = state.map_or(Ok([0; 3]), State::expect)?;
            *self.seen.lock().unwrap() = Seen::default();
            let notes = Box::new(Notes(self.seen.clone()));
            RecordCursor::open(
                &**self.input.stage(),
                context,
                notes,
                self.looks_ahead,
                [0; 2],
                given,
            )
        }
    }

    fn recorded(input: Dataset, looks_ahead: bool) -> (Dataset, Arc<Mutex<Seen>>) {
        let seen = Arc::new(Mutex::new(Seen::default()));
        (Dataset::new(Recorded { input, seen: seen.clone(), looks_ahead }), seen)
    }

    fn number(item: Result<Element>) -> i64 {
        item.map_or(-1, |element| element[0].to_scalar().unwrap())
    }

    #[test]
    fn everything_is_recorded_whoever_goes_on() {
        let odd = |element: Element| match element[0].to_scalar::<i64>()? % 2 {
            1 => Ok(element),
            _ => Err(Status::invalid_argument("even")),
        };
        for looks_ahead in [false, true] {
            for stop in [0, 1, 2, 9, 10] {
                let (data, seen) = recorded(Dataset::range(10).map(odd), looks_ahead);
                let mut iterator = data.iterate().unwrap();
                let first: Vec<i64> = iterator.by_ref().take(stop).map(number).collect();
                let rest = data.iterate_from(&iterator.position()).unwrap().map(number);
                let all: Vec<i64> = first.into_iter().chain(rest).collect();
                assert_eq!(all, [-1, 1, -1, 3, -1, 5, -1, 7, -1, 9], "{stop}");
                let seen = seen.lock().unwrap();
                assert!(seen.is_complete);
                assert_eq!(seen.numbers, [1, 3, 5, 7, 9]);
            }
        }
    }

    #[test]
    fn who_looks_ahead_is_complete_with_the_last_element() {
        for looks_ahead in [false, true] {
            let (data, seen) = recorded(Dataset::range(5), looks_ahead);
            let mut iterator = data.iterate().unwrap();
            assert_eq!(iterator.by_ref().take(5).count(), 5);
            assert_eq!(seen.lock().unwrap().is_complete, looks_ahead);
            assert!(iterator.next().unwrap().is_none());
            assert!(seen.lock().unwrap().is_complete);
        }
    }

    #[test]
    fn a_full_disk_is_an_error_and_the_end() {
        let (data, seen) = recorded(Dataset::range(100), false);
        let items: Vec<i64> = data.iterate().unwrap().map(number).collect();
        assert_eq!(items.iter().filter(|&&item| item == -1).count(), 1);
        assert_eq!(items.last(), Some(&-1));
        assert!(!seen.lock().unwrap().is_complete);
    }
}
