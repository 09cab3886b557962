//! Passes the elements of a dataset on and records them on the way.
//!
//! A position says the run and how many elements were delivered. What was written of a run that did not end is gone, so
//! who goes on from a position records the run again from its beginning.

use downpour_data::{Block, Context, Cursor, Stage, State};
use downpour_tensor::{Code, Result};

use super::recorder::Recorder;

/// Elements that are recorded before they are passed on together.
const ELEMENTS: usize = 64;

pub(super) struct Recording {
    input: Box<dyn Cursor>,
    recorder: Option<Box<dyn Recorder>>,
    /// The run is complete when its last element is delivered, not only when somebody asks for another.
    looks_ahead: bool,
    ahead: Option<Result<Block>>,
    given: u64,
    numbers: [u64; 2],
    ended: bool,
}

impl Recording {
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
        let mut recording = Recording {
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
                // What is missing in the files cannot be made up for.
                self.ended = true;
                self.recorder = None;
                return Err(error);
            }
        }
        Ok(Some(block))
    }
}

impl Cursor for Recording {
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
