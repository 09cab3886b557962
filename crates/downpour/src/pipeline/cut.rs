//! Where to cut a model: stages that take equally long, with few bytes between them.
//!
//! A model is a line of segments that stay whole. The slowest stage sets the pace of a pipeline, so first
//! the smallest possible time of the slowest stage is found, then, among the cuts that reach it, the one
//! over which the fewest bytes go. Both are dynamic programs over (stages used, segments given away).

use downpour_tensor::{Result, Status};

/// A part of a model that stays whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Segment {
    /// How long it takes, in any unit: seconds, or operations.
    pub work: f64,
    /// What would go from stage to stage if the model were cut before this segment.
    pub bytes_before: f64,
    /// The model must not be cut before this segment.
    pub joined: bool,
}

/// The stage of every segment. `time_per_byte` is what sending a byte takes, in the unit of `work`.
///
/// ```
/// use downpour::pipeline::{Segment, balance};
/// # fn main() -> downpour::Result<()> {
/// let segment = |work: f64, bytes_before: f64| Segment { work, bytes_before, joined: false };
/// let model = [segment(3.0, 0.0), segment(1.0, 100.0), segment(2.0, 10.0), segment(2.0, 100.0)];
/// assert_eq!(balance(&model, 2, 0.0)?, [0, 0, 1, 1]);
/// # Ok(())
/// # }
/// ```
pub fn balance(segments: &[Segment], stages: usize, time_per_byte: f64) -> Result<Vec<usize>> {
    let cuts = segments.iter().skip(1).filter(|segment| !segment.joined).count();
    if stages == 0 || segments.is_empty() || stages > cuts + 1 {
        let most = if segments.is_empty() { 0 } else { cuts + 1 };
        return Err(Status::invalid_argument(format!(
            "the model cannot be cut into {stages} stages: it has {most} parts with variables of their own. \
             Use fewer stages, or a model with more layers."
        )));
    }
    let line = Line::new(segments, time_per_byte);
    let slowest = |before: f64, stage: f64, _: f64| before.max(stage);
    let bound = line.best(stages, f64::INFINITY, slowest).0 * (1.0 + 1e-12);
    let bytes = |before: f64, _: f64, crossing: f64| before + crossing;
    Ok(line.best(stages, bound, bytes).1)
}

/// Segments with sums from the beginning.
struct Line<'a> {
    segments: &'a [Segment],
    work: Vec<f64>,
    time_per_byte: f64,
}

impl<'a> Line<'a> {
    fn new(segments: &'a [Segment], time_per_byte: f64) -> Line<'a> {
        let mut work = vec![0.0];
        for segment in segments {
            work.push(work[work.len() - 1] + segment.work);
        }
        Line { segments, work, time_per_byte }
    }

    fn bytes_at(&self, cut: usize) -> f64 {
        match self.segments.get(cut) {
            Some(segment) if cut > 0 => segment.bytes_before,
            _ => 0.0,
        }
    }

    fn may_cut(&self, at: usize) -> bool {
        at == 0 || self.segments.get(at).is_none_or(|segment| !segment.joined)
    }

    /// How long a stage of these segments takes.
    fn stage(&self, from: usize, to: usize) -> f64 {
        let sent = self.bytes_at(from) + self.bytes_at(to);
        self.work[to] - self.work[from] + sent * self.time_per_byte
    }

    /// The least that `add` can make of (what came before, a stage's time, the bytes before it), over all
    /// cuts whose stages take no longer than `bound`; and the stages of the segments then.
    fn best(
        &self,
        stages: usize,
        bound: f64,
        add: impl Fn(f64, f64, f64) -> f64,
    ) -> (f64, Vec<usize>) {
        let count = self.segments.len();
        // By how many segments are given away: the least so far, and where each stage began.
        let mut least = vec![f64::INFINITY; count + 1];
        least[0] = 0.0;
        let mut starts: Vec<Vec<usize>> = Vec::with_capacity(stages);
        for _ in 0..stages {
            let mut next = vec![f64::INFINITY; count + 1];
            let mut start = vec![0; count + 1];
            for to in 1..=count {
                for from in (0..to).filter(|from| self.may_cut(*from)) {
                    let time = self.stage(from, to);
                    if !self.may_cut(to) || least[from].is_infinite() || time > bound {
                        continue;
                    }
                    let total = add(least[from], time, self.bytes_at(from));
                    if total < next[to] {
                        (next[to], start[to]) = (total, from);
                    }
                }
            }
            least = next;
            starts.push(start);
        }
        let mut stage_of = vec![0; count];
        let mut to = count;
        for (stage, start) in starts.iter().enumerate().rev() {
            let from = start[to];
            stage_of[from..to].fill(stage);
            to = from;
        }
        (least[count], stage_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The slowest stage of a cut, and the bytes that cross.
    fn cost(segments: &[Segment], stage_of: &[usize], time_per_byte: f64) -> (f64, f64) {
        let stages = stage_of.last().unwrap() + 1;
        let mut times = vec![0.0; stages];
        let mut bytes = 0.0;
        for (i, segment) in segments.iter().enumerate() {
            times[stage_of[i]] += segment.work;
            if i > 0 && stage_of[i] != stage_of[i - 1] {
                bytes += segment.bytes_before;
                times[stage_of[i]] += segment.bytes_before * time_per_byte;
                times[stage_of[i - 1]] += segment.bytes_before * time_per_byte;
            }
        }
        (times.into_iter().fold(0.0, f64::max), bytes)
    }

    fn all_cuts(segments: &[Segment], stages: usize) -> Vec<Vec<usize>> {
        let mut cuts = vec![vec![0]];
        for segment in &segments[1..] {
            let mut longer = Vec::new();
            for cut in cuts {
                let last = *cut.last().unwrap();
                for stage in [last, last + 1] {
                    if stage < stages && !(segment.joined && stage > last) {
                        longer.push([cut.clone(), vec![stage]].concat());
                    }
                }
            }
            cuts = longer;
        }
        cuts.retain(|cut| *cut.last().unwrap() == stages - 1);
        cuts
    }

    proptest! {
        #[test]
        fn no_cut_is_better(
            numbers in proptest::collection::vec((0u8..20, 0u8..20, 0u8..4), 1..9),
            stages in 1usize..5,
            time_per_byte in 0u8..3,
        ) {
            let segments: Vec<Segment> = numbers
                .iter()
                .map(|(work, bytes, joined)| Segment {
                    work: f64::from(*work),
                    bytes_before: f64::from(*bytes),
                    joined: *joined == 0,
                })
                .collect();
            let time_per_byte = f64::from(time_per_byte) * 0.25;
            let all = all_cuts(&segments, stages);
            let found = balance(&segments, stages, time_per_byte);
            prop_assert_eq!(found.is_ok(), !all.is_empty());
            if let Ok(found) = found {
                prop_assert!(all.contains(&found), "{:?}", found);
                let costs = all.iter().map(|cut| cost(&segments, cut, time_per_byte));
                let least = costs.min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
                prop_assert_eq!(cost(&segments, &found, time_per_byte), least);
            }
        }
    }

    #[test]
    fn a_model_with_too_few_layers_is_refused() {
        let two = [Segment { work: 1.0, ..Segment::default() }; 2];
        let refused = balance(&two, 3, 0.0).unwrap_err();
        assert!(refused.message().contains("into 3 stages: it has 2 parts"), "{refused}");
    }
}
