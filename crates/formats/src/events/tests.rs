use downpour_tensor::Tensor;
use downpour_wire::proto::event::What;
use downpour_wire::proto::{GraphDef, NodeDef, RunMetadata};

use super::*;

fn log(folder: &tempfile::TempDir, options: EventOptions) -> EventLog {
    EventLog::create(&folder.path().join("run/events"), options).unwrap()
}

#[test]
fn everything_put_in_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, EventOptions::default());
    let graph = GraphDef { node: vec![NodeDef::default(); 3], ..Default::default() };
    log.graph(&graph);
    for step in 0..10 {
        log.scalars(step, &[("loss", 1.0 / (step + 1) as f64), ("rate", 0.5)]);
    }
    log.histogram("weights", 4, &Tensor::vector(&[1.0f32, 2.0, f32::INFINITY]).unwrap());
    log.image("digits", 5, &Tensor::from_vec([2, 4, 4, 1], vec![0.5f32; 32]).unwrap());
    log.text("notes", 6, "hello");
    log.run_metadata("step7", 7, &RunMetadata::default());
    let path = log.path().to_path_buf();
    log.close().unwrap();

    let name = path.file_name().unwrap().to_str().unwrap();
    let rest = name.strip_prefix("events.out.tfevents.").unwrap();
    assert!(rest[..10].bytes().all(|b| b.is_ascii_digit()) && &rest[10..11] == ".", "{name}");
    let mut reader = EventReader::open(&path).unwrap();
    let first = reader.next_event().unwrap().unwrap();
    assert_eq!(first.what, Some(What::FileVersion("brain.Event:2".into())));

    let summary = summarize(&path).unwrap();
    assert_eq!(summary.graph_nodes, Some(3));
    assert_eq!(summary.run_metadata, ["step7"]);
    let tags: Vec<_> = summary.tags.iter().map(|(tag, s)| (tag.as_str(), s.kind.clone())).collect();
    let expected = [
        ("digits/image/0", TagKind::Image),
        ("digits/image/1", TagKind::Image),
        ("loss", TagKind::Scalar),
        ("notes", TagKind::Text),
        ("rate", TagKind::Scalar),
        ("weights", TagKind::Histogram),
        ("weights/not_finite", TagKind::Scalar),
    ];
    assert_eq!(tags, expected);
    let loss = &summary.tags["loss"];
    assert_eq!((loss.count, loss.first_step, loss.last_step), (10, 0, 9));
    assert!((loss.last_value.unwrap() - 0.1).abs() < 1e-6);
    assert_eq!(summary.truncated_at, None);
}

#[test]
fn a_full_queue_drops_and_counts_instead_of_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, EventOptions { queue_entries: 1, ..Default::default() });
    let busy = Tensor::from_vec([1 << 18], vec![1.0f32; 1 << 18]).unwrap();
    for step in 0..50 {
        log.histogram("w", step, &busy);
    }
    log.flush().unwrap();
    let written = summarize(log.path()).unwrap().tags["w"].count;
    assert_eq!(written + log.dropped(), 50);
    assert!(log.dropped() > 0);
}

#[test]
fn a_value_that_cannot_be_shown_is_reported_and_the_rest_written() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, EventOptions::default());
    log.image("bad", 1, &Tensor::vector(&[1.0f32]).unwrap());
    log.scalar("good", 1, 1.0);
    let error = log.flush().unwrap_err();
    assert!(error.message().contains("bad: pictures have the shape"), "{error}");
    assert_eq!(log.dropped(), 1);
    assert!(summarize(log.path()).unwrap().tags.contains_key("good"));
}

#[test]
fn two_logs_of_one_second_have_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let logs: Vec<EventLog> = (0..3).map(|_| log(&folder, EventOptions::default())).collect();
    assert!(logs[0].path() != logs[1].path() && logs[1].path() != logs[2].path());
}

#[test]
fn a_cut_file_is_read_up_to_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, EventOptions::default());
    log.scalar("loss", 1, 1.0);
    log.scalar("loss", 2, 2.0);
    log.flush().unwrap();
    let bytes = std::fs::read(log.path()).unwrap();
    let cut = EventReader::new(&bytes[..bytes.len() - 1], "cut");
    let summary = super::summarize::summarize_events(cut).unwrap();
    assert_eq!(summary.tags["loss"].last_step, 1);
    assert!(summary.truncated_at.is_some());
}
