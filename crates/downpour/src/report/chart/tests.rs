use super::*;

fn chart(points: Vec<Xy>) -> Chart {
    let series = Series { name: "worker/0 <b>".into(), pieces: vec![points], ..Series::default() };
    let y = Axis { label: "loss & more".into(), ..Axis::default() };
    Chart { title: "Loss".into(), y, series: vec![series], ..Chart::default() }
}

#[test]
fn names_and_labels_are_escaped() {
    let figure = chart(vec![(0.0, 1.0), (1.0, 2.0)]).figure();
    assert!(!figure.contains("<b>") && figure.contains("worker/0 &lt;b&gt;"), "{figure}");
    assert!(figure.contains("loss &amp; more"));
}

#[test]
fn one_point_is_a_dot_and_none_is_an_empty_chart() {
    assert!(chart(vec![(3.0, 0.5)]).figure().contains("<circle"));
    let empty = chart(vec![]).figure();
    assert!(!empty.contains("<path") && !empty.contains("NaN"), "{empty}");
}

#[test]
fn what_is_not_a_number_interrupts_the_line() {
    let figure =
        chart(vec![(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 2.0)]).figure();
    let path = figure.split("<path").nth(1).expect("a line");
    let path = path.split("/>").next().expect("its end");
    assert_eq!(path.matches('M').count(), 2, "{path}");
    assert!(!figure.contains("NaN") && !figure.contains("inf"), "{figure}");
}

#[test]
fn a_million_points_make_a_small_picture() {
    let points = (0..1_000_000).map(|index| (f64::from(index), f64::from(index % 1013))).collect();
    let length = chart(points).figure().len();
    assert!(length < 150_000, "{length}");
}

#[test]
fn logarithmic_axes_say_so() {
    let mut chart = chart(vec![(0.0, 1.0), (1.0, 0.001), (2.0, 0.0), (3.0, 0.1)]);
    chart.y.logarithmic = true;
    let figure = chart.figure();
    assert!(figure.contains("(logarithmic)") && !figure.contains("NaN"), "{figure}");
}
