use std::path::Path;

use super::*;
use crate::record::testing::*;
use crate::record::{Event, News, Progress, Started, Traffic};

/// A run of a strategy with two workers, whose loss falls by `rate` a second.
pub(crate) fn trained(name: &str, strategy: &str, rate: f64) -> Run {
    let mut run = Run::new(&Path::new("runs").join(name));
    let job =
        [("strategy".to_string(), strategy.to_string()), ("model".into(), "mlp".into())].into();
    let start = Started { task: "worker/0".into(), job, ..Started::default() };
    run.take("worker-0", News::Event(Event::Started(start)));
    run.take("worker-1", started("worker/1", 0.0, 0, 0));
    for second in 1..=20_u32 {
        let (time, loss) = (f64::from(second), (-rate * f64::from(second)).exp());
        for file in ["worker-0", "worker-1"] {
            let traffic = Some(Traffic { sent: 700, received: 300, ..Traffic::default() });
            run.take(
                file,
                News::Event(Event::Progress(Progress {
                    time,
                    step: i64::from(second) * 10,
                    examples: u64::from(second) * 640,
                    loss,
                    traffic,
                    ..Progress::default()
                })),
            );
        }
    }
    run.take("worker-0", evaluated(20.0, 200, &[("accuracy", 0.9 + rate / 10.0), ("loss", 0.3)]));
    run.take("ps-0", served(20.0, 600, 1400, &[10, 5, 5]));
    run.take("worker-0", finished(20.0, 200, "reached step 200"));
    run
}

fn two() -> Comparison {
    Comparison::new(vec![
        trained("fast", "downpour, push every 2", 0.3),
        trained("alone", "local", 0.1),
    ])
}

#[test]
fn one_process_alone_is_the_measure() {
    let comparison = two();
    assert_eq!(
        (comparison.reference(), comparison.names()),
        (1, vec!["fast".into(), "alone".into()])
    );
    assert_eq!(comparison.differences(), []);
    assert_eq!(Comparison::default().reference(), 0);
    assert_eq!(Comparison::default().text(), "");
}

#[test]
fn runs_of_one_name_are_told_apart_by_their_folders() {
    let mut other = trained("fast", "local", 0.1);
    other.folder = "elsewhere/fast".into();
    let names = Comparison::new(vec![trained("fast", "downpour", 0.3), other]).names();
    assert_eq!(names, ["runs/fast", "elsewhere/fast"]);
}

#[test]
fn the_curve_has_everybodys_examples_and_every_byte_once() {
    let run = trained("fast", "downpour", 0.3);
    let points = curve(&run);
    let last = points[points.len() - 1];
    assert_eq!((last.seconds, last.examples), (20.0, 2.0 * 20.0 * 640.0));
    // Two workers sent 700 each, and a server 600.
    assert_eq!(last.bytes, 2000.0);
    assert!(points.is_sorted_by(|left, right| left.examples <= right.examples));
    assert!(points.is_sorted_by(|left, right| left.loss >= right.loss));
    let end = final_loss(&points).expect("trained");
    assert!(end >= last.loss && end < points[points.len() / 2].loss, "{end}");
    assert_eq!(final_loss(&[]), None);
}

#[test]
fn a_worker_that_never_saw_the_model_change_knows_no_loss() {
    let mut run = trained("s", "sandblaster", 0.3);
    run.take("worker-2", started("worker/2", 0.0, 0, 0));
    run.take("worker-2", progress(10.5, 0, 1000, 77.0));
    let points = curve(&run);
    assert!(points.iter().all(|point| point.loss < 2.0), "{points:?}");
    assert_eq!(points[points.len() - 1].examples, 2.0 * 20.0 * 640.0 + 1000.0);
}

#[test]
fn the_table_has_a_line_for_each_run() {
    let text = two().text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("run") && lines[0].contains("accuracy"), "{text}");
    assert!(lines[1].contains("+0.02") && lines[1].contains("2.0 KB"), "{text}");
    assert!(lines[1].contains("0.75, at most 2"), "{text}");
}

#[test]
fn programs_get_the_same() {
    let json = two().json();
    assert_eq!(json["reference"], "alone");
    let first = &json["runs"][0];
    assert_eq!(first["bytes"], 2000);
    assert_eq!(first["staleness"]["counts"], serde_json::json!([10, 5, 5]));
    assert_eq!(first["bytes_by_task"]["ps/0"]["received"], 1400);
    assert!(first["seconds_to_goal"].as_f64().is_some_and(|s| s > 0.0 && s < 20.0), "{first}");
    assert!(first["seconds"]["exchange"].is_null());
}
