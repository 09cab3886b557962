use super::*;
use crate::comparison::Comparison;
use crate::comparison::tests::trained;
use crate::record::Run;
use crate::record::testing::*;

fn page_of(runs: Vec<Run>) -> String {
    html(&Comparison::new(runs))
}

#[test]
fn nothing_to_compare_is_still_a_page() {
    for page in [page_of(vec![]), page_of(vec![Run::default()])] {
        assert!(page.ends_with("</html>\n") && page.contains("No training step"), "{page}");
    }
}

#[test]
fn every_run_is_drawn_and_the_difference_is_named() {
    let runs = vec![
        trained("local", "local", 0.2),
        trained("downpour", "downpour", 0.3),
        trained("downpour+int8", "downpour, gradients as int8", 0.25),
        trained("asynchronous", "asynchronous", 0.25),
    ];
    let page = page_of(runs);
    assert!(
        page.contains("4 runs compared") && page.contains("± is the difference to local"),
        "{page}"
    );
    assert!(page.contains("class=\"line dashed\""), "the variant is dashed");
    assert!(page.contains("downpour+int8: 0.75, at most 2"), "its staleness has a title");
    assert!(page.contains("+0.01"), "the difference in accuracy");
    for part in ["example by example", "second by second", "byte by byte", "class=\"column\""] {
        assert!(page.contains(part), "{part}");
    }
    for outside in ["src=", "href=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn what_is_not_fair_is_said() {
    let mut more = trained("more", "downpour", 0.3);
    more.take("worker-1", progress(21.0, 210, 50_000, 0.1));
    let mut other = trained("<other>", "bounded", 0.3);
    other.take("worker-0", started("worker/0", 22.0, 200, 1));
    let page = page_of(vec![trained("local", "local", 0.2), more, other]);
    assert!(page.contains("more (2.5 times)"), "{page}");
    assert!(page.contains("Not finished, or failed: &lt;other&gt;."), "{page}");
}

#[test]
fn nothing_a_file_says_brings_the_page_down() {
    for seed in 1..100_u64 {
        let comparison = Comparison::new(vec![odd_run(seed), odd_run(seed + 1000)]);
        let page = html(&comparison);
        for path in page.split(" d=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(!path.contains("NaN") && !path.contains("inf"), "seed {seed}: {path}");
        }
        assert!(!comparison.text().is_empty() && comparison.json().is_object());
    }
}
