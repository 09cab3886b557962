use std::path::Path;

use indicatif::{InMemoryTerm, ProgressDrawTarget};

use super::*;
use crate::record::testing::*;
use crate::record::{Event, News as FileNews, Saved};

/// Two workers and a server, a progress line a second; `each` sees the run after every second.
fn play(seconds: u32, mut each: impl FnMut(&Run, Time)) -> Run {
    let mut run = Run::new(Path::new("runs/mnist"));
    run.take("ps-0", started("ps/0", 0.0, 0, 0));
    for worker in 0..2 {
        run.take(&format!("worker-{worker}"), started(&format!("worker/{worker}"), 0.0, 0, 0));
    }
    for second in 1..=seconds {
        let time = f64::from(second);
        for worker in 0..2_u32 {
            let step = i64::from(second - 1) * 40;
            // A restarted worker counts from its start.
            let since = if worker == 1 && second > 12 { 13 } else { 1 };
            let examples = u64::from(second - since) * (2000 + 100 * u64::from(worker));
            let loss = 2.0 / (1.0 + time) + 0.01 * f64::from(worker);
            run.take(&format!("worker-{worker}"), progress(time, step, examples, loss));
        }
        if second % 10 == 0 {
            run.take(
                "worker-0",
                evaluated(time, i64::from(second - 1) * 40, &[("accuracy", 0.9 + 0.003 * time)]),
            );
        }
        if second == 12 {
            let (step, path) = (440, "checkpoints/model-440".to_string());
            let saved = Saved { time, step, path, bytes: 2_800_000, seconds: 0.1 };
            run.take("worker-0", FileNews::Event(Event::Saved(saved)));
            run.take("worker-1", started("worker/1", time, step, 1));
        }
        each(&run, time + 0.2);
    }
    run
}

#[test]
fn plain_lines() {
    let mut told = Told::default();
    let mut lines = Lines::default();
    let mut all = Vec::new();
    let mut run = play(26, |run, now| all.extend(lines.update(run, now, &told.news(run))));
    run.take("worker-0", finished(26.5, 1000, "reached step 1000"));
    all.push(summary::text(&run));
    let expected = "\
step 0/1000  loss 1  worker/0 starting worker/1 starting
step 120/1000  loss 0.405  4,100 examples/s  eta 00:22  worker/0 2,000/s worker/1 2,100/s
step 200/1000  loss 0.291  4,100 examples/s  eta 00:20  worker/0 2,000/s worker/1 2,100/s
step 320/1000  loss 0.205  4,100 examples/s  eta 00:17  worker/0 2,000/s worker/1 2,100/s
step 360  evaluation: accuracy 0.93
step 400/1000  loss 0.172  4,100 examples/s  eta 00:15  worker/0 2,000/s worker/1 2,100/s
step 440  checkpoint: checkpoints/model-440 (2.7 MB)
worker/1 was restarted, at step 440
step 520/1000  loss 0.138  4,100 examples/s  eta 00:12  worker/0 2,000/s worker/1 2,100/s
step 600/1000  loss 0.123  4,100 examples/s  eta 00:10  worker/0 2,000/s worker/1 2,100/s
step 720/1000  loss 0.105  4,100 examples/s  eta 00:07  worker/0 2,000/s worker/1 2,100/s
step 760  evaluation: accuracy 0.96
step 800/1000  loss 0.0959  4,100 examples/s  eta 00:05  worker/0 2,000/s worker/1 2,100/s
step 920/1000  loss 0.085  4,100 examples/s  eta 00:02  worker/0 2,000/s worker/1 2,100/s
step 1000/1000  loss 0.0791  4,100 examples/s  eta 00:00  worker/0 2,000/s worker/1 2,100/s
mnist: reached step 1000 in 26 s, 4,020 examples/s
  accuracy     0.96 at step 760
  checkpoint   checkpoints/model-440 (2.7 MB)
  time         step 56 %, data 28 %, start 5 %, other 11 %
  restarts     worker/1 1";
    assert_eq!(all.join("\n"), expected);
}

#[test]
fn bars_on_a_terminal() {
    let terminal = InMemoryTerm::new(12, 110);
    let mut bars = Bars::on(ProgressDrawTarget::term_like(Box::new(terminal.clone())), false);
    let mut told = Told::default();
    play(21, |run, now| bars.update(run, now, &told.news(run)));
    let expected = "\
step 360  evaluation: accuracy 0.93
worker/1 was restarted, at step 440
step 760  evaluation: accuracy 0.96
training  ━━━━━━━━━━━━━━━━━━━━━━╸───── 800/1000  loss 0.0959  4,100 examples/s  eta 00:05
worker/0  2,000/s  loss 0.0909  step 800  data 25 %
worker/1  2,100/s  loss 0.101  step 800  data 31 %  1 restart
run       1 server  1 checkpoint, the last at step 440  1 restart";
    assert_eq!(terminal.contents(), expected);
    bars.clear();
    assert!(!terminal.contents().contains("training"), "{}", terminal.contents());
}

#[test]
fn many_workers_are_one_line() {
    let mut run = Run::new(Path::new("r"));
    for worker in 0..100_u64 {
        let file = format!("worker-{worker}");
        run.take(&file, started(&format!("worker/{worker}"), 0.0, 0, 0));
        for second in 2..10_u32 {
            run.take(
                &file,
                progress(f64::from(second), 10, u64::from(second - 1) * (500 + worker), 0.5),
            );
        }
    }
    let line = lines::line(&run, 10.0);
    let expected = "step 10/1000  loss 0.5  55,000 examples/s  100/100 workers, median 550/s, slowest worker/0 500/s";
    assert_eq!(line, expected);
}

#[test]
fn failures_and_bad_losses_are_told_once() {
    let mut run = Run::new(Path::new("r"));
    let mut told = Told::default();
    run.take("worker-0", started("worker/0", 0.0, 0, 0));
    run.take("worker-0", progress(2.0, 10, 100, f64::NAN));
    run.take("worker-0", finished(3.0, 10, "failed: no space left"));
    let alone: Vec<String> = Told::default().news(&run).into_iter().map(|news| news.text).collect();
    assert!(alone.len() == 1 && alone[0].starts_with("warning: "), "{alone:?}");
    run.take("worker-1", started("worker/1", 0.0, 0, 0));
    let news: Vec<String> = told.news(&run).into_iter().map(|news| news.text).collect();
    assert_eq!(news[0], "worker/0 failed: no space left");
    assert!(news[1].starts_with("warning: The loss was not a number first at step 10"), "{news:?}");
    assert_eq!(told.news(&run), []);
    assert!(
        summary::text(&run)
            .starts_with("r: failed at step 10 after 3.0 s: worker/0: no space left")
    );
}

#[test]
fn nothing_a_file_says_brings_the_display_down() {
    for seed in 1..300 {
        let run = odd_run(seed);
        let (mut told, mut lines) = (Told::default(), Lines::default());
        for now in [0.0, 50.0, 1.7e9, 1e300] {
            lines.update(&run, now, &told.news(&run));
            assert!(lines::line(&run, now).starts_with("step "));
        }
    }
}
