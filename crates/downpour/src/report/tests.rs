use std::path::Path;

use super::*;
use crate::record::testing::*;

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

#[test]
fn nothing_a_file_says_brings_the_report_down() {
    for seed in 1..300_u64 {
        let run = odd_run(seed);
        let page = html(&run);
        assert!(page.ends_with("</html>\n"));
        for path in page.split(" d=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(!path.contains("NaN") && !path.contains("inf"), "seed {seed}: {path}");
        }
        assert!(!crate::progress::summary::text(&run).is_empty());
    }
}

#[test]
fn what_was_moved_and_lost_is_shown() {
    let mut run = Run::new(Path::new("r"));
    for worker in ["worker-0", "worker-1"] {
        run.take(worker, started(&worker.replace('-', "/"), 0.0, 0, 0));
        run.take(worker, moved(10.0, 3 << 20, 1 << 20));
    }
    let page = html(&run);
    assert!(page.contains("6.0\u{A0}MB went over the network"), "{page}");
    assert!(page.contains("<h2>Staleness</h2>\n<p>Not known"), "{page}");
    assert!(page.contains("class=\"exchange\" style="), "time of exchanging is apart");
    run.take("ps-0", served(10.0, 2 << 20, 6 << 20, &[6, 3, 1]));
    let page = html(&run);
    assert!(page.contains("8.0\u{A0}MB went over the network"), "{page}");
    assert!(page.contains("0.5 updates further on average, 2 or fewer for"), "{page}");
    assert!(page.contains("<tr class=\"notable\"><td>ps/0</td>"), "an update was lost: {page}");
}
