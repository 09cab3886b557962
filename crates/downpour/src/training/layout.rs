//! Which rows of which variables are on which place.
//!
//! A place has one range of a variable's rows, or all of them, or none: so a part goes under its variable's name
//! there. What is not cut goes where the fewest bytes are; then large variables are cut so that, as well as it can be
//! done, all places have equally many.

mod balance;
mod written;

use std::ops::Range;

use super::strategy::Balance;
pub(crate) use balance::{Weighed, even_out};
pub(crate) use written::{Layout, ways};

/// Rows of a variable on a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub place: usize,
    /// `None` for all of the variable.
    pub rows: Option<Range<usize>>,
}

/// What decides where a variable goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub rows: usize,
    pub bytes: u64,
    /// It may be cut.
    pub large: bool,
}

/// For each variable its parts, in the order of their rows and of their places.
pub(crate) fn divide(sizes: &[Size], places: usize) -> Vec<Vec<Part>> {
    let mut balance = Balance::new(places);
    let cut = |size: &Size| size.large && size.rows > 1 && places > 1;
    let mut parts: Vec<Vec<Part>> = sizes
        .iter()
        .map(|size| match cut(size) {
            true => Vec::new(),
            false => vec![Part { place: balance.put(size.bytes), rows: None }],
        })
        .collect();
    for (parts, size) in parts.iter_mut().zip(sizes).filter(|(_, size)| cut(size)) {
        *parts = cut_rows(size, &mut balance);
    }
    parts
}

/// Ranges that fill up the places that have less than others.
fn cut_rows(size: &Size, balance: &mut Balance) -> Vec<Part> {
    let shares = balance.fill(size.bytes);
    let (mut given, mut from, mut parts) = (0u128, 0, Vec::new());
    for (place, share) in shares.into_iter().enumerate() {
        given += u128::from(share);
        // Rounded on the sum, so that the last range ends with the last row.
        let end = (given * size.rows as u128 + u128::from(size.bytes) / 2)
            / u128::from(size.bytes.max(1));
        let end = usize::try_from(end).unwrap_or(size.rows).min(size.rows);
        if end > from {
            parts.push(Part { place, rows: Some(from..end) });
            from = end;
        }
    }
    if let [only] = &mut parts[..] {
        // It was not cut after all.
        only.rows = None;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(rows: usize, width: u64, large: bool) -> Size {
        Size { rows, bytes: rows as u64 * width, large }
    }

    fn bytes_at(parts: &[Vec<Part>], sizes: &[Size], place: usize) -> u64 {
        let mut sum = 0;
        for (parts, size) in parts.iter().zip(sizes) {
            for part in parts.iter().filter(|part| part.place == place) {
                let rows = part.rows.as_ref().map_or(size.rows, |rows| rows.len()) as u64;
                sum += rows * (size.bytes / size.rows as u64);
            }
        }
        sum
    }

    #[test]
    fn large_variables_even_out_what_small_ones_leave_uneven() {
        let sizes = [
            size(1_000_000, 256, true),
            size(10, 4, false),
            size(500, 4000, false),
            size(3000, 8000, true),
            size(7, 4, false),
        ];
        for places in [2, 3, 7] {
            let parts = divide(&sizes, places);
            let bytes: Vec<u64> = (0..places).map(|p| bytes_at(&parts, &sizes, p)).collect();
            let mean = sizes.iter().map(|size| size.bytes).sum::<u64>() / places as u64;
            assert!(bytes.iter().all(|b| b.abs_diff(mean) < mean / 100), "{bytes:?} of {mean}");
            for (parts, size) in parts.iter().zip(&sizes) {
                let mut next = 0;
                for part in parts {
                    let rows = part.rows.clone().unwrap_or(0..size.rows);
                    assert_eq!(rows.start, next);
                    next = rows.end;
                }
                assert_eq!(next, size.rows);
                assert!(parts.is_sorted_by(|a, b| a.place < b.place));
            }
        }
    }

    #[test]
    fn what_need_not_be_cut_is_whole() {
        let sizes = [size(8, 4, true), size(1, 1 << 30, true), size(4, 4, false)];
        assert!(divide(&sizes, 1).iter().all(|parts| parts == &[Part { place: 0, rows: None }]));
        let parts = divide(&sizes, 2);
        assert_eq!(parts[1], [Part { place: 0, rows: None }]);
        // The first place has so much that the other gets all of this one.
        assert_eq!(parts[0], [Part { place: 1, rows: None }]);
        let empty = divide(&[size(0, 4, true)], 3);
        assert_eq!(empty[0].len(), 1);
    }
}
