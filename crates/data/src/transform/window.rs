//! Windows: several consecutive elements, and then some elements further as many again.

use std::collections::VecDeque;
use std::sync::Arc;

use downpour_tensor::{Code, Result, Status};

use super::map::guarded;
use crate::backlog::Backlog;
use crate::context::{Cancel, Context};
use crate::position::State;
use crate::stage::{Cursor, Length, Stage};
use crate::{Block, Dataset, Element};

/// Which elements are in a window, and where the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Elements in a window.
    pub size: u64,
    /// How many elements further the next window begins.
    pub shift: u64,
    /// How far the elements of a window are from each other.
    pub stride: u64,
    /// Whether windows at the end that have fewer elements are left out.
    pub only_whole: bool,
}

impl Window {
    /// Returns windows of `size` elements that follow each other, the last one as large as it becomes.
    pub fn new(size: u64) -> Window {
        Window { size, shift: size, stride: 1, only_whole: false }
    }

    /// Begins each window `shift` elements behind the one before.
    pub fn shift(self, shift: u64) -> Window {
        Window { shift, ..self }
    }

    /// Takes every `stride`-th element into a window.
    pub fn stride(self, stride: u64) -> Window {
        Window { stride, ..self }
    }

    /// Leaves out windows that would have fewer elements.
    pub fn only_whole(self) -> Window {
        Window { only_whole: true, ..self }
    }

    /// Returns how many elements lie between the first and the last of a window, those included.
    fn span(&self) -> u64 {
        (self.size - 1).saturating_mul(self.stride).saturating_add(1)
    }
}

type Make = Arc<dyn Fn(Block) -> Result<Element> + Send + Sync>;

impl Dataset {
    /// The elements that `make` makes of the elements of each window.
    ///
    /// ```
    /// use downpour_data::{Block, Dataset, Element, Window};
    /// use downpour_tensor::Tensor;
    /// let sums = Dataset::range(5).window(Window::new(3).shift(1).only_whole(), |window: Block| {
    ///     let mut sum = 0;
    ///     for row in 0..window.rows() {
    ///         sum += window.element(row)?[0].to_scalar::<i64>()?;
    ///     }
    ///     Ok(Element::new(vec![Tensor::scalar(sum)]))
    /// })?;
    /// let all: Vec<i64> = sums.iterate()?.map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    /// assert_eq!(all, [3, 6, 9]);
    /// # Ok::<(), downpour_tensor::Status>(())
    /// ```
    pub fn window(
        &self,
        window: Window,
        make: impl Fn(Block) -> Result<Element> + Send + Sync + 'static,
    ) -> Result<Dataset> {
        let Window { size, shift, stride, .. } = window;
        if size == 0 || shift == 0 || stride == 0 {
            return Err(Status::invalid_argument(format!(
                "a window's size, shift and stride must be at least 1, not {size}, {shift} and {stride}"
            )));
        }
        Ok(Dataset::new(Windows { input: self.stage().clone(), window, make: Arc::new(make) }))
    }
}

struct Windows {
    input: Arc<dyn Stage>,
    window: Window,
    make: Make,
}

impl Stage for Windows {
    fn describe(&self) -> String {
        let Window { size, shift, stride, only_whole } = self.window;
        let whole = if only_whole { ", whole" } else { "" };
        format!("window({size}, {shift}, {stride}{whole})")
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        let Length::Finite(count) = self.input.length()? else { return Some(Length::Infinite) };
        Some(Length::Finite(match count.checked_sub(self.window.span()) {
            _ if !self.window.only_whole => count.div_ceil(self.window.shift),
            Some(behind) => behind / self.window.shift + 1,
            None => 0,
        }))
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [passed, gap] = state.map_or(Ok([0, 0]), State::expect)?;
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        Ok(Box::new(WindowCursor {
            backlog: Backlog::open(input, passed)?,
            window: self.window,
            make: self.make.clone(),
            held: VecDeque::new(),
            gap,
            is_at_end: false,
            cancel: context.cancel().clone(),
        }))
    }
}

struct WindowCursor {
    backlog: Backlog,
    window: Window,
    make: Make,
    /// The items from the beginning of the next window on.
    held: VecDeque<Result<Element>>,
    /// Items between the last window and the next one, which nobody looks at.
    gap: u64,
    is_at_end: bool,
    cancel: Cancel,
}

/// Elements that are taken from the input at once.
const AT_ONCE: u64 = 1024;

impl WindowCursor {
    /// Reads one block; its elements, or the error, are held.
    fn read(&mut self, wanted: u64) -> Result<()> {
        self.cancel.check()?;
        match self.backlog.next(wanted.min(AT_ONCE) as usize) {
            Ok(Some(block)) => {
                for row in 0..block.rows() {
                    self.held.push_back(block.element(row));
                }
            }
            Ok(None) => self.is_at_end = true,
            Err(error) if error.code() == Code::Cancelled => return Err(error),
            Err(error) => self.held.push_back(Err(error)),
        }
        Ok(())
    }

    /// Reads until a window is held, if there are enough elements.
    fn fill(&mut self) -> Result<()> {
        while self.gap > 0 && !self.is_at_end {
            self.read(self.gap)?;
            self.gap -= self.held.len() as u64;
            self.held.clear();
        }
        self.backlog.release(self.first());
        let span = self.window.span();
        while (self.held.len() as u64) < span && !self.is_at_end {
            self.read(span - self.held.len() as u64)?;
        }
        Ok(())
    }

    /// Returns the number of the first item that is held.
    fn first(&self) -> u64 {
        self.backlog.read() - self.held.len() as u64
    }

    /// Goes on to the beginning of the next window.
    fn shift(&mut self) {
        let held = self.held.len() as u64;
        self.held.drain(..held.min(self.window.shift) as usize);
        self.gap = self.window.shift.saturating_sub(held);
        self.backlog.release(self.first());
    }
}

impl Cursor for WindowCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        self.fill()?;
        let is_short = (self.held.len() as u64) < self.window.span();
        if self.held.is_empty() || self.window.only_whole && is_short {
            return Ok(None);
        }
        let stride = usize::try_from(self.window.stride).unwrap_or(usize::MAX);
        let elements = self.held.iter().step_by(stride).cloned().collect::<Result<Vec<_>>>();
        self.shift();
        let elements = elements?;
        let made = guarded("window", || (self.make)(Block::from_elements(elements)?))?;
        Ok(Some(Block::from_element(made)))
    }

    fn state(&self) -> State {
        let (passed, before) = self.backlog.state(self.first());
        State::of([passed, self.gap]).with([before])
    }
}
