use std::path::Path;

use super::*;
use crate::record::testing::*;
use crate::record::{
    Evaluated, Event, Finished, News, Progress, Saved, Seconds, Started, VariablePlace,
};

#[test]
fn an_empty_run_has_a_report() {
    let page = html(&Run::new(Path::new("runs/nothing")));
    assert!(page.contains("Not finished") && page.contains("before its first"), "{page}");
}

#[test]
fn a_failed_run_says_why_first() {
    let mut run = Run::new(Path::new("runs/digits"));
    run.take("worker-0", started("worker/0", 0.0, 0, 0));
    run.take("worker-0", progress(10.0, 50, 100, 2.0));
    run.take("worker-0", finished(12.0, 60, "failed: <disk> is full"));
    let page = html(&run);
    let reason = page.find("&lt;disk&gt; is full").expect("the reason");
    assert!(reason < page.find("class=\"tiles\"").expect("numbers"));
    assert!(page.contains("no checkpoint yet") && !page.contains("downpour predict"));
}

#[test]
fn losses_that_are_no_numbers_are_marked_with_advice() {
    let mut run = Run::new(Path::new("r"));
    run.take("worker-0", started("worker/0", 0.0, 0, 0));
    run.take("worker-0", progress(10.0, 50, 100, 2.0));
    run.take("worker-0", progress(11.0, 60, 120, f64::NAN));
    let page = html(&run);
    assert!(page.contains("The loss was not a number first at step 60 on worker/0"), "{page}");
    assert!(page.contains("class=\"bad\" d=\"M"));
}

#[test]
fn hundreds_of_workers_share_a_line() {
    let mut run = Run::new(Path::new("r"));
    for worker in 0..300_u32 {
        let file = format!("worker-{worker}");
        run.take(&file, started(&format!("worker/{worker}"), 0.0, 0, 0));
        for second in 2..40_u32 {
            run.take(
                &file,
                progress(f64::from(second), i64::from(second) * 10, u64::from(second) * 64, 0.5),
            );
        }
    }
    let page = html(&run);
    assert!(page.contains("median of 300 workers") && page.contains("10 to 90 %"));
    assert!(page.len() < 600_000, "{}", page.len());
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let mut run = Run::new(Path::new("r"));
    run.take("worker-0", started("worker/0", 0.0, 0, 0));
    run.take("worker-0", progress(10.0, 50, 100, 2.0));
    let page = html(&run);
    for outside in ["src=", "href=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// Numbers that no run should have, and files may.
struct Odd(u64);

impl Odd {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn real(&mut self) -> f64 {
        let odd = [0.0, 1.0, -1.0, 1e-300, 1e300, -1e300, f64::MAX, f64::INFINITY, f64::NAN, 1.7e9];
        match self.next() % 4 {
            0 => odd[self.next() as usize % odd.len()],
            _ => (self.next() % 1000) as f64 / 7.0,
        }
    }

    fn whole(&mut self) -> i64 {
        let odd = [0, -1, i64::MIN, i64::MAX, 1 << 53];
        match self.next() % 4 {
            0 => odd[self.next() as usize % odd.len()],
            _ => (self.next() % 5000) as i64,
        }
    }

    fn event(&mut self) -> Event {
        let (time, step, value) = (self.real(), self.whole(), self.real());
        let metrics = [("a<b".to_string(), self.real())].into();
        let number = self.whole() as u64;
        match self.next() % 8 {
            0 => {
                let target_step = Some(self.whole());
                let task = "worker/0".to_string();
                let variable =
                    VariablePlace { name: "v".into(), shape: vec![], bytes: number, task };
                let variables = vec![variable.clone(), variable];
                let job = [("model".to_string(), "m".to_string())].into();
                let restarts = number as u32;
                Event::Started(Started {
                    time,
                    step,
                    target_step,
                    restarts,
                    job,
                    variables,
                    ..Started::default()
                })
            }
            1 => Event::Evaluated(Evaluated { time, step, examples: number, metrics }),
            2 => {
                Event::Saved(Saved { time, step, path: "p".into(), bytes: number, seconds: value })
            }
            3 if self.next() % 8 == 0 => Event::Finished(Finished {
                time,
                step,
                reason: "failed: x".into(),
                failed: value > 50.0,
            }),
            _ => {
                let seconds = Seconds { data: self.real(), step: value, ..Seconds::default() };
                let loss = self.real();
                Event::Progress(Progress {
                    time,
                    step,
                    steps: number,
                    examples: number,
                    loss,
                    metrics,
                    seconds,
                })
            }
        }
    }
}

#[test]
fn nothing_a_file_says_brings_the_report_down() {
    for seed in 1..300_u64 {
        let mut odd = Odd(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut run = Run::new(Path::new("r"));
        for index in 0..120 {
            let event = odd.event();
            run.take(["worker-0", "worker-1", "ps-0"][index % 3], News::Event(event));
        }
        let page = html(&run);
        assert!(page.ends_with("</html>\n"));
        for path in page.split(" d=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(!path.contains("NaN") && !path.contains("inf"), "seed {seed}: {path}");
        }
        assert!(!crate::progress::summary::text(&run).is_empty());
    }
}
