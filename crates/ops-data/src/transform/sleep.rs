//! SleepDataset: a pause before every element.

use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_data::{Block, Context, Cursor, Dataset, Length, Stage, State, Wake};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};
use parking_lot::{Condvar, Mutex};

use crate::dataset::{self, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["SleepDataset", "ExperimentalSleepDataset"] {
        let signature = format!(
            "{name}(input_dataset: variant, sleep_microseconds: int64) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(sleep)))?;
    }
    Ok(())
}

fn sleep(cx: &mut OpContext<'_>) -> Result<()> {
    let pause = u64::try_from(scalar_i64(cx, 1, "sleep_microseconds")?)
        .map_err(|_| Status::invalid_argument("`sleep_microseconds` must be >= 0"))?;
    let input = dataset::input(cx, 0)?.pipeline.stage().clone();
    dataset::finish(cx, Dataset::new(Sleep { input, pause: Duration::from_micros(pause) }))
}

struct Sleep {
    input: Arc<dyn Stage>,
    pause: Duration,
}

impl Stage for Sleep {
    fn describe(&self) -> String {
        "sleep".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let bed = Arc::new(SleepSignal::default());
        let waiter: Arc<dyn Wake> = bed.clone();
        context.cancel().register(Arc::downgrade(&waiter));
        Ok(Box::new(Sleeping { input, context: context.clone(), bed, pause: self.pause }))
    }
}

/// Where a pipeline sleeps until its time has come or it is cancelled.
#[derive(Default)]
struct SleepSignal {
    lock: Mutex<()>,
    woken: Condvar,
}

impl Wake for SleepSignal {
    fn wake(&self) {
        let _lock = self.lock.lock();
        self.woken.notify_all();
    }
}

struct Sleeping {
    input: Box<dyn Cursor>,
    context: Context,
    bed: Arc<SleepSignal>,
    pause: Duration,
}

impl Cursor for Sleeping {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        let began = Instant::now();
        let mut lock = self.bed.lock.lock();
        loop {
            self.context.cancel().check()?;
            let rest = self.pause.saturating_sub(began.elapsed());
            if rest.is_zero() {
                break;
            }
            self.bed.woken.wait_for(&mut lock, rest);
        }
        drop(lock);
        self.input.next(1)
    }

    fn state(&self) -> State {
        State::default().with([self.input.state()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_tensor::Code;

    fn sleepy(pause: Duration) -> Dataset {
        Dataset::new(Sleep { input: Dataset::range(3).stage().clone(), pause })
    }

    #[test]
    fn elements_come_after_a_pause() {
        let pause = Duration::from_millis(2);
        let began = Instant::now();
        assert_eq!(sleepy(pause).iterate().unwrap().filter_map(Result::ok).count(), 3);
        assert!(began.elapsed() >= pause * 3);
        assert_eq!(sleepy(pause).length(), Some(Length::Finite(3)));
    }

    #[test]
    fn a_cancelled_pipeline_wakes_at_once() {
        let mut iterator = sleepy(Duration::from_secs(3600)).iterate().unwrap();
        let cancel = iterator.canceller();
        let thread = std::thread::spawn(move || iterator.next().unwrap_err().code());
        cancel.cancel();
        assert_eq!(thread.join().unwrap(), Code::Cancelled);
    }
}
