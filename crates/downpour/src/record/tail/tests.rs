use std::fs::OpenOptions;
use std::io::Write;

use super::super::{Evaluated, Started};
use super::*;

fn append(run: &Path, file: &str, text: &str) {
    let path = run.join("tasks").join(file);
    let mut file = OpenOptions::new().append(true).create(true).open(path).expect("opened");
    file.write_all(text.as_bytes()).expect("written");
}

fn line(step: i64) -> String {
    let event = Event::Evaluated(Evaluated { step, ..Evaluated::default() });
    serde_json::to_string(&event).expect("written") + "\n"
}

/// The steps told, `-1` for a file that began again.
fn told(tail: &mut Tail) -> Vec<(String, i64)> {
    let mut all = Vec::new();
    tail.poll(|file, news| all.push((file.to_string(), step(news)))).expect("read");
    all
}

fn step(news: News) -> i64 {
    match news {
        News::Event(Event::Evaluated(evaluated)) => evaluated.step,
        News::Event(Event::Started(started)) => started.step,
        News::Event(other) => panic!("{other:?}"),
        News::BeganAgain => -1,
    }
}

fn folder() -> tempfile::TempDir {
    let run = tempfile::tempdir().expect("made");
    std::fs::create_dir(run.path().join("tasks")).expect("made");
    run
}

#[test]
fn folders_and_files_may_come_later() {
    let run = tempfile::tempdir().expect("made");
    let mut tail = Tail::new(run.path());
    assert_eq!(told(&mut tail), []);
    std::fs::create_dir(run.path().join("tasks")).expect("made");
    append(run.path(), "worker-1.jsonl", &line(1));
    append(run.path(), "notes.txt", "not ours\n");
    assert_eq!(told(&mut tail), [("worker-1".into(), 1)]);
    append(run.path(), "worker-0.jsonl", &line(2));
    append(run.path(), "worker-1.jsonl", &line(3));
    assert_eq!(told(&mut tail), [("worker-0".into(), 2), ("worker-1".into(), 3)]);
    std::fs::remove_file(run.path().join("tasks/worker-0.jsonl")).expect("removed");
    assert_eq!(told(&mut tail), []);
}

#[test]
fn half_a_line_waits_for_its_end() {
    let run = folder();
    let mut tail = Tail::new(run.path());
    let whole = line(7);
    append(run.path(), "a.jsonl", &whole[..20]);
    assert_eq!(told(&mut tail), []);
    append(run.path(), "a.jsonl", &whole[20..]);
    assert_eq!(told(&mut tail), [("a".into(), 7)]);
    assert_eq!(told(&mut tail), []);
}

#[test]
fn a_restarted_task_is_heard_behind_the_line_its_crash_has_cut() {
    let run = folder();
    let mut tail = Tail::new(run.path());
    append(run.path(), "a.jsonl", &line(1));
    append(run.path(), "a.jsonl", &line(2)[..30]);
    assert_eq!(told(&mut tail), [("a".into(), 1)]);
    let started = Event::Started(Started { step: 9, ..Started::default() });
    append(run.path(), "a.jsonl", &(serde_json::to_string(&started).expect("written") + "\n"));
    append(run.path(), "a.jsonl", "rubbish \u{1F327}\n");
    append(run.path(), "a.jsonl", &line(10));
    assert_eq!(told(&mut tail), [("a".into(), 9), ("a".into(), 10)]);
}

#[test]
fn a_file_that_became_shorter_is_told_again() {
    let run = folder();
    let mut tail = Tail::new(run.path());
    append(run.path(), "a.jsonl", &(line(1) + &line(2)));
    assert_eq!(told(&mut tail).len(), 2);
    std::fs::write(run.path().join("tasks/a.jsonl"), line(5)).expect("written");
    assert_eq!(told(&mut tail), [("a".into(), -1), ("a".into(), 5)]);
}

#[test]
fn at_the_end_a_whole_line_without_its_end_counts_and_a_cut_one_does_not() {
    let run = folder();
    append(run.path(), "a.jsonl", line(3).trim_end());
    append(run.path(), "b.jsonl", &line(4)[..25]);
    let mut all = Vec::new();
    Tail::new(run.path()).finish(|_, news| all.push(step(news))).expect("read");
    assert_eq!(all, [3]);
}
