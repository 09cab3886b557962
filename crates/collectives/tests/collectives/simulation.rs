//! Whole groups of ranks on a simulated network, with simulated time and trouble, each from a seed: whoever has a
//! sum has all of it, whoever has none knows whom it missed, nobody hangs, and the survivors can go on.
//!
//! `DOWNPOUR_SEED=17` runs one seed, `DOWNPOUR_SEEDS=10000` so many, from `DOWNPOUR_FIRST_SEED` on;
//! `DOWNPOUR_TRACE=1` prints plans and results, `DOWNPOUR_GO_ON=1` does not end with the first seed that fails.

mod plan;
// One copy of what both simulations stand on.
#[path = "../../../params/tests/simulation/process.rs"]
mod process;
mod wire;
mod world;

use std::collections::BTreeMap;
use std::sync::Arc;

use downpour_simulation::Random;
use downpour_tensor::{Code, Status};
use plan::{FAULTS, Fault, Plan, Trouble};
use world::{Results, World, value};

/// In a normal run of the tests.
const SEEDS: u64 = 400;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

struct Outcome {
    plan: Plan,
    results: Vec<Results>,
    violation: Option<String>,
}

fn run(seed: u64) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime without threads");
    runtime.block_on(async {
        let mut random = Random::new(seed);
        let plan = Plan::of(&mut random);
        let lives =
            |rank: &usize| !plan.troubles.iter().any(|t| t.fault == Fault::Kill && t.rank == *rank);
        let alive: Vec<usize> = (0..plan.size).filter(lives).collect();
        let world = Arc::new(World::begin(&plan, &mut random));
        let begin = |trouble: &Trouble| tokio::spawn(world.clone().suffer(*trouble));
        for trouble in plan.troubles.iter().map(begin).collect::<Vec<_>>() {
            trouble.await.expect("trouble comes and goes");
        }
        let (results, mut violation) = match world.end(&alive).await {
            Ok(results) => (results, None),
            Err(hangs) => (vec![Results::new(); plan.size], Some(hangs)),
        };
        violation = violation.or_else(|| check(&plan, &results, &alive).err());
        if violation.is_none() && alive.len() > 1 {
            violation = again(&plan, alive.len(), &mut random).await.err();
        }
        Outcome { plan, results, violation }
    })
}

/// Those who are left, as a new group without trouble.
async fn again(plan: &Plan, size: usize, random: &mut Random) -> Result<(), String> {
    let machines = plan.machines[..size].to_vec();
    let plan = Plan { size, machines, troubles: Vec::new(), ..plan.clone() };
    let everybody: Vec<usize> = (0..size).collect();
    let results = World::begin(&plan, random).end(&everybody).await;
    let checked = results.and_then(|results| check(&plan, &results, &everybody));
    checked.map_err(|e| format!("the survivors' group: {e}"))
}

fn check(plan: &Plan, results: &[Results], alive: &[usize]) -> Result<(), String> {
    let suspects = plan.suspects();
    let failed: Vec<usize> =
        (0..plan.size).filter(|rank| results[*rank].values().any(Result::is_err)).collect();
    for (rank, results) in results.iter().enumerate() {
        for (&operation, result) in results {
            let who = format!("rank {rank}, operation {operation}");
            match result {
                Ok(sums) => exact(plan, operation, sums).map_err(|e| format!("{who}: {e}"))?,
                Err(status) => {
                    let named = named(status).ok_or_else(|| format!("{who}: {status}"))?;
                    let known = |named: &usize| suspects.contains(named) || failed.contains(named);
                    if named.contains(&rank) && suspects.is_empty() || !named.iter().all(known) {
                        return Err(format!("{who}: names somebody who was well: {status}"));
                    }
                }
            }
        }
    }
    if suspects.is_empty() && !failed.is_empty() {
        return Err(format!("ranks {failed:?} failed, and nothing has happened"));
    }
    let missing = alive
        .iter()
        .find(|rank| results[**rank].len() < plan.operations.len() && !failed.contains(rank));
    match missing {
        Some(rank) => Err(format!("rank {rank} has no answer to an operation")),
        None => Ok(()),
    }
}

fn exact(plan: &Plan, operation: usize, sums: &[i64]) -> Result<(), String> {
    let length = plan.operations[operation].values;
    let sum = |index| (0..plan.size).map(|rank| value(rank, operation, index)).sum::<i64>();
    match sums.len() == length && (0..length).all(|index| sums[index] == sum(index)) {
        true => Ok(()),
        false => Err("this is not the sum".to_string()),
    }
}

/// The ranks an error names; none if it is not the error of a rank that is missed.
fn named(status: &Status) -> Option<Vec<usize>> {
    if !matches!(status.code(), Code::Unavailable | Code::DeadlineExceeded) {
        return None;
    }
    let after = status.message().split("rank ").skip(1);
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    let ranks: Vec<usize> = after.filter_map(|text| digits(text).parse().ok()).collect();
    (!ranks.is_empty()).then_some(ranks)
}

#[test]
fn whatever_happens_a_sum_is_whole_or_somebody_is_named() {
    let one = number("DOWNPOUR_SEED");
    let first = one.or_else(|| number("DOWNPOUR_FIRST_SEED")).unwrap_or(0);
    let count = if one.is_some() { 1 } else { number("DOWNPOUR_SEEDS").unwrap_or(SEEDS) };
    let set = |name: &str| std::env::var_os(name).is_some();
    let (mut sums, mut errors, mut violations) = (0, 0, 0);
    let mut faults = BTreeMap::new();
    for seed in first..first + count {
        let Outcome { plan, results, mut violation } = run(seed);
        if (seed % 8 == 3 || one.is_some()) && run(seed).results != results {
            violation.get_or_insert("it goes another way the second time".to_string());
        }
        if set("DOWNPOUR_TRACE") {
            println!("seed {seed}: {plan:#?}");
            for (rank, results) in results.iter().enumerate() {
                for (operation, result) in results {
                    let text = result.as_ref().map(|_| "has the sum");
                    println!("rank {rank}, operation {operation}: {text:?}");
                }
            }
        }
        if let Some(violation) = violation {
            let text = format!(
                "seed {seed}: {violation}\nto see it again:\n    DOWNPOUR_SEED={seed} DOWNPOUR_TRACE=1 cargo test -p \
                 downpour-collectives --test collectives simulation"
            );
            assert!(set("DOWNPOUR_GO_ON"), "{plan:#?}\n{text}");
            println!("{text}");
            violations += 1;
        }
        for trouble in &plan.troubles {
            *faults.entry((plan.way, trouble.fault)).or_insert(0) += 1;
        }
        let all = || results.iter().flat_map(Results::values);
        sums += all().filter(|result| result.is_ok()).count();
        errors += all().filter(|result| result.is_err()).count();
    }
    println!("{count} seeds from {first}: {sums} sums, {errors} errors; faults: {faults:?}");
    assert_eq!(violations, 0, "seeds that failed");
    if count >= SEEDS {
        assert!(sums > 0 && errors > 0);
        for fault in FAULTS {
            let seen = faults.keys().filter(|(_, seen)| *seen == fault).count();
            assert_eq!(seen, 2, "{fault:?} happens to meshes and to groups in {count} seeds");
        }
    }
}
