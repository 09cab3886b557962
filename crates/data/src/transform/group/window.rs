//! Groups of elements with the same key, each made into a dataset when it is large enough.
//!
//! Groups that are not full when the input ends follow in the order of their keys. A saved state has the numbers of the
//! elements that groups hold, counted from the oldest of them; a resumed stage reads on from there, and asks for the keys
//! again to know what belongs where.

use std::collections::BTreeMap;
use std::sync::Arc;

use downpour_tensor::{Code, Result, Status};

use super::super::map::guarded;
use crate::backlog::Backlog;
use crate::chunk::Chunk;
use crate::context::Context;
use crate::position::{State, malformed};
use crate::stage::{Cursor, Length, Stage};
use crate::{Block, Dataset, Element};

type Key = Arc<dyn Fn(&Element) -> Result<i64> + Send + Sync>;
type Size = Arc<dyn Fn(i64) -> Result<u64> + Send + Sync>;
type Make = Arc<dyn Fn(i64, Dataset) -> Result<Dataset> + Send + Sync>;

impl Dataset {
    /// The elements of the datasets that `make` makes of groups of elements: those with the same `key`, as many as `size`
    /// says for that key. What is left at the end is grouped too, in the order of the keys.
    ///
    /// ```
    /// use downpour_data::{Dataset, Element, Remainder};
    /// let parity = |e: &Element| Ok(e[0].to_scalar::<i64>()? % 2);
    /// let batches = Dataset::range(7).group_by_window(parity, |_| Ok(2), |_, group| group.batch(2, Remainder::Keep));
    /// let all: Vec<Vec<i64>> =
    ///     batches.iterate().unwrap().map(|e| e.unwrap()[0].as_slice().unwrap().to_vec()).collect();
    /// assert_eq!(all, [vec![0, 2], vec![1, 3], vec![4, 6], vec![5]]);
    /// ```
    pub fn group_by_window(
        &self,
        key: impl Fn(&Element) -> Result<i64> + Send + Sync + 'static,
        size: impl Fn(i64) -> Result<u64> + Send + Sync + 'static,
        make: impl Fn(i64, Dataset) -> Result<Dataset> + Send + Sync + 'static,
    ) -> Dataset {
        Dataset::new(GroupByWindow {
            input: self.stage().clone(),
            functions: Functions { key: Arc::new(key), size: Arc::new(size), make: Arc::new(make) },
        })
    }
}

#[derive(Clone)]
struct Functions {
    key: Key,
    size: Size,
    make: Make,
}

struct GroupByWindow {
    input: Arc<dyn Stage>,
    functions: Functions,
}

impl Stage for GroupByWindow {
    fn describe(&self) -> String {
        "group_by_window".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        self.input.length().filter(|length| *length == Length::Finite(0))
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let passed = match state {
            Some(state) => *state.numbers.first().ok_or_else(malformed)?,
            None => 0,
        };
        let mut cursor = GroupCursor {
            backlog: Backlog::open(input, passed)?,
            chunk: Chunk::default(),
            functions: self.functions.clone(),
            context: context.clone(),
            groups: BTreeMap::new(),
            sizes: BTreeMap::new(),
            current: None,
            is_at_end: false,
        };
        if let Some(state) = state {
            cursor.restore(state)?;
        }
        Ok(Box::new(cursor))
    }
}

/// An element and its number among the items of the input.
struct Held {
    number: u64,
    element: Element,
}

struct GroupCursor {
    backlog: Backlog,
    /// The rest of the block that was read last.
    chunk: Chunk,
    functions: Functions,
    context: Context,
    /// Groups that have elements, the one that is delivered included.
    groups: BTreeMap<i64, Vec<Held>>,
    /// Sizes that were asked for.
    sizes: BTreeMap<i64, u64>,
    /// The group that is delivered.
    current: Option<(i64, Box<dyn Cursor>)>,
    is_at_end: bool,
}

/// Elements that are taken from the input at once.
const AT_ONCE: usize = 256;

impl GroupCursor {
    /// Reads items until those of the state are held as they were. The state has how many items to pass over, how many to
    /// read, the key of the group that was delivered if there was one, and runs of numbers that groups hold.
    fn restore(&mut self, state: &State) -> Result<()> {
        let [_, items, has_current, key, runs @ ..] = &state.numbers[..] else {
            return Err(malformed());
        };
        if runs.len() % 2 != 0 {
            return Err(malformed());
        }
        let mut runs = runs.chunks(2);
        let mut run = runs.next();
        while self.taken() < *items {
            let number = self.taken();
            while run.is_some_and(
                |run| matches!(run, [from, length] if number >= from.saturating_add(*length)),
            ) {
                run = runs.next();
            }
            let is_held = matches!(run, Some([from, _]) if number >= *from);
            match self.take() {
                Ok(Some(element)) if is_held => {
                    let key = guarded("group_by_window", || (self.functions.key)(&element))?;
                    self.size(key)?;
                    self.groups.entry(key).or_default().push(Held { number, element });
                }
                Ok(Some(_)) => {}
                Ok(None) => return Err(malformed()),
                Err(error) if error.code() == Code::Cancelled || is_held => return Err(error),
                Err(_) => {}
            }
        }
        if *has_current != 0 {
            self.deliver(*key as i64, Some(state.input(1)?))?;
        }
        Ok(())
    }

    /// Returns how many items were taken.
    fn taken(&self) -> u64 {
        self.backlog.read() - self.chunk.remaining() as u64
    }

    /// Takes the next element of the input.
    fn take(&mut self) -> Result<Option<Element>> {
        self.context.cancel().check()?;
        if self.chunk.remaining() == 0 {
            match self.backlog.next(self.backlog.ready().clamp(1, AT_ONCE))? {
                Some(block) => self.chunk = Chunk::new(block),
                None => return Ok(None),
            }
        }
        self.chunk.element().map(Some)
    }

    /// Returns how many elements a group has that is full.
    fn size(&mut self, key: i64) -> Result<u64> {
        if let Some(size) = self.sizes.get(&key) {
            return Ok(*size);
        }
        let size = guarded("group_by_window", || (self.functions.size)(key))?;
        if size == 0 {
            return Err(Status::invalid_argument(
                "Window size must be greater than zero, but got 0.",
            ));
        }
        self.sizes.insert(key, size);
        Ok(size)
    }

    /// Reads until a group is full, and begins to deliver it. False when the input has ended.
    fn fill(&mut self) -> Result<bool> {
        while !self.is_at_end {
            let number = self.taken();
            let Some(element) = self.take()? else {
                self.is_at_end = true;
                break;
            };
            let key = guarded("group_by_window", || (self.functions.key)(&element))?;
            let size = self.size(key)?;
            let group = self.groups.entry(key).or_default();
            group.push(Held { number, element });
            if group.len() as u64 >= size {
                self.deliver(key, None)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Begins to deliver a group, or goes on with it.
    fn deliver(&mut self, key: i64, state: Option<&State>) -> Result<()> {
        let group = self.groups.get(&key).ok_or_else(malformed)?;
        let elements = group.iter().map(|held| held.element.clone()).collect();
        let group = Dataset::from_block(Block::from_elements(elements)?);
        let made = guarded("group_by_window", || (self.functions.make)(key, group));
        let opened = made.and_then(|made| made.stage().open(&self.context, state));
        match opened {
            Ok(cursor) => self.current = Some((key, cursor)),
            Err(error) => {
                // A group that nothing can be made of is one error.
                self.forget(key);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Drops a group that was delivered.
    fn forget(&mut self, key: i64) {
        self.groups.remove(&key);
        let oldest = self.oldest();
        self.backlog.release(oldest);
    }

    /// Returns the number of the oldest item that is needed.
    fn oldest(&self) -> u64 {
        let firsts = self.groups.values().filter_map(|group| group.first());
        firsts.map(|held| held.number).min().unwrap_or_else(|| self.taken())
    }
}

impl Cursor for GroupCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        loop {
            self.context.cancel().check()?;
            if let Some((key, cursor)) = &mut self.current {
                if let Some(block) = cursor.next(limit)? {
                    return Ok(Some(block));
                }
                let key = *key;
                self.current = None;
                self.forget(key);
            }
            if !self.fill()? {
                let Some(&key) = self.groups.keys().next() else { return Ok(None) };
                self.deliver(key, None)?;
            }
        }
    }

    fn state(&self) -> State {
        let oldest = self.oldest();
        let (passed, before) = self.backlog.state(oldest);
        let (has_current, key) = match &self.current {
            Some((key, _)) => (1, *key as u64),
            None => (0, 0),
        };
        let mut numbers = vec![passed, self.taken() - oldest, has_current, key];
        let mut held: Vec<u64> =
            self.groups.values().flatten().map(|h| h.number - oldest).collect();
        held.sort_unstable();
        for run in held.chunk_by(|a, b| a + 1 == *b) {
            numbers.extend([run[0], run.len() as u64]);
        }
        let mut inputs = vec![before];
        inputs.extend(self.current.iter().map(|(_, cursor)| cursor.state()));
        State::of(numbers).with(inputs)
    }
}
