//! From many points to those that show: thinning, smoothing, quantiles over many series.

use super::Xy;

/// Leaves at most four points in each of `columns` columns: the first, the least, the greatest and the last.
/// At one column a pixel the drawn line is the same, and no peak is lost.
pub fn thin(points: &[Xy], low: f64, high: f64, columns: usize) -> Vec<Xy> {
    if points.len() <= 4 * columns || high <= low {
        return points.to_vec();
    }
    let column = |x: f64| ((x - low) / (high - low) * columns as f64).floor();
    let mut kept = Vec::with_capacity(4 * columns);
    for group in points.chunk_by(|left, right| column(left.0) == column(right.0)) {
        let mut chosen = [0, least(group), greatest(group), group.len() - 1];
        chosen.sort_unstable();
        let mut before = usize::MAX;
        for index in chosen {
            if index != before {
                kept.push(group[index]);
            }
            before = index;
        }
    }
    kept
}

fn least(group: &[Xy]) -> usize {
    (0..group.len()).min_by(|left, right| group[*left].1.total_cmp(&group[*right].1)).unwrap_or(0)
}

fn greatest(group: &[Xy]) -> usize {
    (0..group.len()).max_by(|left, right| group[*left].1.total_cmp(&group[*right].1)).unwrap_or(0)
}

/// Means over `reach` points to either side. Near the beginning, where curves are steep, about as many
/// points before as after, so that it starts where the data start; values that are not finite are left out.
pub fn smooth(points: &[Xy], reach: usize) -> Vec<Xy> {
    let mut sums = Vec::with_capacity(points.len() + 1);
    sums.push((0.0, 0usize));
    for (_, y) in points {
        let (sum, count) = sums[sums.len() - 1];
        sums.push(if y.is_finite() { (sum + y, count + 1) } else { (sum, count) });
    }
    let mean = |index: usize| {
        let before = reach.min(index);
        let after = if before < reach { before.max(reach / 8) } else { reach };
        let (from, to) = (index - before, (index + after + 1).min(points.len()));
        let count = sums[to].1 - sums[from].1;
        let sum = sums[to].0 - sums[from].0;
        if count > 0 { sum / count as f64 } else { f64::NAN }
    };
    let shown = points.iter().enumerate().filter(|(_, (_, y))| y.is_finite());
    shown.map(|(index, (x, _))| (*x, mean(index))).collect()
}

/// How far to smooth: a fiftieth of the points to either side.
pub fn reach(points: usize) -> usize {
    points / 50
}

/// The middle of many series and how far they spread, at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub x: f64,
    /// Nine of ten values are not below.
    pub lower: f64,
    pub middle: f64,
    pub upper: f64,
}

/// Spreads of all points in each of `columns` columns that has some.
pub fn spread(
    points: impl Iterator<Item = Xy>,
    low: f64,
    high: f64,
    columns: usize,
) -> Vec<Spread> {
    let columns = columns.max(1);
    let width = (high - low) / columns as f64;
    let mut groups: Vec<Vec<f64>> = vec![Vec::new(); columns];
    let mut middles = vec![0.0; columns];
    for (x, y) in points.filter(|(x, y)| x.is_finite() && y.is_finite()) {
        let column = if width > 0.0 { ((x - low) / width) as usize } else { 0 };
        let column = column.min(columns - 1);
        groups[column].push(y);
        middles[column] += x;
    }
    let made = groups.into_iter().zip(middles).filter(|(group, _)| !group.is_empty());
    made.map(|(mut group, sum)| {
        group.sort_by(f64::total_cmp);
        let at = |share: f64| group[((group.len() - 1) as f64 * share).round() as usize];
        Spread { x: sum / group.len() as f64, lower: at(0.1), middle: at(0.5), upper: at(0.9) }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_ends_and_peaks() {
        let mut points: Vec<Xy> =
            (0..1_000_000).map(|x| (f64::from(x), f64::from(x % 7))).collect();
        points[123_456].1 = 1e9;
        points[654_321].1 = -1e9;
        let thinned = thin(&points, 0.0, 1e6, 500);
        assert!(thinned.len() <= 2000, "{}", thinned.len());
        assert!(thinned.contains(&(123_456.0, 1e9)) && thinned.contains(&(654_321.0, -1e9)));
        assert_eq!((thinned[0], thinned[thinned.len() - 1]), (points[0], points[999_999]));
        assert!(thinned.is_sorted_by(|left, right| left.0 < right.0));
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let points = [(0.0, 1.0), (1.0, 2.0)];
        assert_eq!(thin(&points, 0.0, 1.0, 100), points);
        assert_eq!(thin(&[(5.0, 1.0); 9], 5.0, 5.0, 1).len(), 9);
    }

    #[test]
    fn smoothing_is_true_to_straight_lines_and_leaves_out_what_is_no_number() {
        let line: Vec<Xy> = (0..100).map(|x| (f64::from(x), f64::from(3 * x))).collect();
        assert!(smooth(&line, 10).iter().skip(1).take(89).all(|(x, y)| (y - 3.0 * x).abs() < 1e-9));
        let points = [(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0)];
        assert_eq!(smooth(&points, 0), [(0.0, 1.0), (2.0, 3.0)]);
        assert_eq!(smooth(&[], 3), []);
    }

    #[test]
    fn the_spread_holds_the_middle() {
        let points = (0..1000).map(|index| (f64::from(index % 10), f64::from(index / 10)));
        let spreads = spread(points, 0.0, 10.0, 10);
        assert_eq!(spreads.len(), 10);
        assert_eq!(spreads[3], Spread { x: 3.0, lower: 10.0, middle: 50.0, upper: 89.0 });
        assert_eq!(spread([(1.0, 2.0)].into_iter(), 1.0, 1.0, 5).len(), 1);
    }
}
