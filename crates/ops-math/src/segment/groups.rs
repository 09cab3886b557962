//! Which rows belong to which segment.

use downpour_tensor::{Result, Status};

/// One segment that has rows: `rows[start..end]` of the `Groups`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub segment: usize,
    pub start: usize,
    pub end: usize,
}

/// Segments that have rows, in increasing order. Memory grows with the rows, never with the
/// largest segment number, which comes from outside.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub rows: Vec<usize>,
    pub runs: Vec<Group>,
}

impl Groups {
    /// Groups of increasing segment numbers below `segments`. `check_rows` looks at the positions
    /// of each run, in the order in which TensorFlow would report what is wrong.
    pub fn of_sorted(
        ids: &[i64],
        segments: i64,
        rows: Vec<usize>,
        mut check_rows: impl FnMut(std::ops::Range<usize>) -> Result<()>,
    ) -> Result<Groups> {
        let mut runs = Vec::new();
        let mut start = 0;
        while start < ids.len() {
            let id = ids[start];
            let end = ids[start..].iter().position(|&x| x != id).map_or(ids.len(), |n| start + n);
            if end < ids.len() && ids[end] < id {
                return Err(Status::invalid_argument("segment ids are not increasing"));
            }
            if id < 0 || id >= segments {
                return Err(Status::invalid_argument(format!(
                    "Segment id {id} out of range [0, {segments}), possibly because 'segment_ids' \
                     input is not sorted."
                )));
            }
            check_rows(start..end)?;
            runs.push(Group { segment: id as usize, start, end });
            start = end;
        }
        Ok(Groups { rows, runs })
    }

    /// Groups of segment numbers in any order; negative ones are left out. The caller has checked
    /// that none is `segments` or more.
    pub fn of_unsorted(ids: &[i64], segments: usize) -> Groups {
        let mut rows: Vec<usize> = (0..ids.len()).filter(|&i| ids[i] >= 0).collect();
        let sorted = rows.windows(2).all(|w| ids[w[0]] <= ids[w[1]]);
        if !sorted {
            if segments <= 8 * rows.len() {
                rows = counting_sort(ids, &rows, segments);
            } else {
                rows.sort_by_key(|&i| ids[i]);
            }
        }
        let mut runs: Vec<Group> = Vec::new();
        for (at, &row) in rows.iter().enumerate() {
            let segment = ids[row] as usize;
            match runs.last_mut() {
                Some(group) if group.segment == segment => group.end = at + 1,
                _ => runs.push(Group { segment, start: at, end: at + 1 }),
            }
        }
        Groups { rows, runs }
    }
}

fn counting_sort(ids: &[i64], rows: &[usize], segments: usize) -> Vec<usize> {
    let mut next = vec![0usize; segments + 1];
    for &row in rows {
        next[ids[row] as usize + 1] += 1;
    }
    for i in 0..segments {
        next[i + 1] += next[i];
    }
    let mut sorted = vec![0; rows.len()];
    for &row in rows {
        let place = &mut next[ids[row] as usize];
        sorted[*place] = row;
        *place += 1;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsorted_rows_keep_their_order_within_a_segment() {
        let ids = [2, 0, -1, 2, 0];
        for segments in [3, 1000] {
            let groups = Groups::of_unsorted(&ids, segments);
            assert_eq!(groups.rows, &[1, 4, 0, 3]);
            assert_eq!(groups.runs[1], Group { segment: 2, start: 2, end: 4 });
        }
    }
}
