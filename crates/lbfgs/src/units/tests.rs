use super::*;
use proptest::prelude::*;

const SECOND: Duration = Duration::from_secs(1);

fn counted(answer: Result<Answer>) -> bool {
    matches!(answer, Ok(Answer::Counted { .. }))
}

#[test]
fn the_last_units_are_given_twice_and_counted_once() {
    let mut schedule = Schedule::default();
    for replica in [1, 2, 3] {
        schedule.join(replica);
    }
    schedule.begin(50, 10).unwrap();
    let first = schedule.assign(Duration::ZERO);
    assert_eq!(
        first.iter().map(|a| a.examples.clone()).collect::<Vec<_>>(),
        [0..10, 10..20, 20..30]
    );
    assert!(counted(schedule.answer(1, first[0].unit, SECOND)));
    assert!(counted(schedule.answer(2, first[1].unit, 2 * SECOND)));
    let second = schedule.assign(2 * SECOND);
    assert_eq!(second.len(), 2);
    assert!(second.iter().all(|a| !a.copy));
    // Replica 1 is done; what is left is being worked on, and nobody knows when replica 3 will be done.
    assert!(counted(schedule.answer(1, second[0].unit, 3 * SECOND)));
    let third = schedule.assign(3 * SECOND);
    assert_eq!(
        third,
        [Assignment { replica: 1, unit: first[2].unit, examples: 20..30, copy: true }]
    );
    let answer = schedule.answer(1, third[0].unit, 4 * SECOND).unwrap();
    assert_eq!(answer, Answer::Counted { superfluous: vec![3] });
    assert_eq!(schedule.answer(3, first[2].unit, 5 * SECOND).unwrap(), Answer::Dropped);
    assert_eq!(schedule.progress(), (4, 5));
    assert!(!schedule.is_done());
    assert!(counted(schedule.answer(2, second[1].unit, 5 * SECOND)));
    assert!(schedule.is_done());
    assert_eq!(schedule.assign(6 * SECOND), []);
}

#[test]
fn a_slow_replica_is_not_given_what_a_fast_one_has() {
    let mut schedule = Schedule::default();
    schedule.join(1);
    schedule.join(2);
    schedule.begin(40, 10).unwrap();
    let first = schedule.assign(Duration::ZERO);
    schedule.answer(1, first[0].unit, SECOND).unwrap();
    let next = schedule.assign(SECOND);
    schedule.answer(2, first[1].unit, 10 * SECOND).unwrap();
    schedule.answer(1, next[0].unit, 10 * SECOND).unwrap();
    // One unit is left and the fast replica gets it; the slow one would be done after it.
    let last = schedule.assign(10 * SECOND);
    assert_eq!(last.len(), 1);
    let fast = if schedule.speed(1) > schedule.speed(2) { 1 } else { 2 };
    assert_eq!(last[0].replica, fast);
    // When it is late, the other may try.
    let wake = schedule.wake(10 * SECOND).unwrap();
    assert!(wake > 10 * SECOND);
    assert_eq!(schedule.assign(wake - SECOND / 1000), []);
    let much_later = 100 * SECOND;
    assert!(schedule.assign(much_later)[0].copy);
    assert_eq!(schedule.wake(much_later), None);
}

#[test]
fn who_leaves_gives_back_and_is_not_counted() {
    let mut schedule = Schedule::default();
    schedule.join(1);
    schedule.begin(20, 10).unwrap();
    let lost = schedule.assign(Duration::ZERO)[0].clone();
    schedule.leave(1);
    assert_eq!(schedule.answer(1, lost.unit, SECOND).unwrap(), Answer::Dropped);
    schedule.join(2);
    let again = schedule.assign(SECOND)[0].clone();
    assert_eq!(again.unit, lost.unit);
    schedule.release(2, again.unit);
    assert_eq!(schedule.assign(SECOND)[0].unit, lost.unit);
    schedule.join(2);
    assert_eq!(schedule.assign(SECOND)[0].unit, lost.unit);
}

#[test]
fn answers_of_an_earlier_batch_are_dropped() {
    let mut schedule = Schedule::default();
    schedule.join(1);
    schedule.begin(10, 10).unwrap();
    let old = schedule.assign(Duration::ZERO)[0].unit;
    schedule.begin(10, 10).unwrap();
    assert_eq!(schedule.assign(SECOND), [], "it is still busy");
    assert_eq!(schedule.answer(1, old, SECOND).unwrap(), Answer::Dropped);
    let new = schedule.assign(SECOND)[0].unit;
    assert_eq!(schedule.answer(1, old, SECOND).unwrap(), Answer::Dropped);
    assert!(counted(schedule.answer(1, new, SECOND)));
}

#[test]
fn what_was_never_given_is_refused() {
    let mut schedule = Schedule::default();
    schedule.join(1);
    assert!(schedule.begin(10, 0).is_err());
    assert!(schedule.begin(u64::MAX, 1).is_err());
    schedule.begin(10, 5).unwrap();
    assert!(schedule.answer(1, Unit { batch: 1, index: 2 }, SECOND).is_err());
    assert!(schedule.answer(1, Unit { batch: 2, index: 0 }, SECOND).is_err());
    assert_eq!(schedule.answer(1, Unit { batch: 1, index: 1 }, SECOND).unwrap(), Answer::Dropped);
    schedule.begin(0, 5).unwrap();
    assert!(schedule.is_done());
}

#[derive(Clone, Debug)]
enum Event {
    Join(u64),
    Leave(u64),
    /// The answer to the n-th assignment ever made, from its replica, however late or often.
    Answer(prop::sample::Index),
    Release(prop::sample::Index),
    Assign,
    Wait(u64),
    Begin(u64, u64),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        2 => (0u64..5).prop_map(Event::Join),
        2 => (0u64..5).prop_map(Event::Leave),
        8 => any::<prop::sample::Index>().prop_map(Event::Answer),
        2 => any::<prop::sample::Index>().prop_map(Event::Release),
        6 => Just(Event::Assign),
        4 => (0u64..3000).prop_map(Event::Wait),
        1 => (0u64..200, 1u64..50).prop_map(|(examples, size)| Event::Begin(examples, size)),
    ];
    prop::collection::vec(event, 0..150)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn each_unit_is_counted_exactly_once(events in events()) {
        let mut schedule = Schedule::default();
        let mut now = Duration::ZERO;
        let mut given: Vec<Assignment> = Vec::new();
        let mut batch = 100;
        let mut times = vec![0; 100];
        schedule.begin(batch, 7).unwrap();
        for event in events {
            match event {
                Event::Join(replica) => schedule.join(replica),
                Event::Leave(replica) => schedule.leave(replica),
                Event::Answer(which) if !given.is_empty() => {
                    count(&mut schedule, which.get(&given), now, &mut times);
                }
                Event::Release(which) if !given.is_empty() => {
                    let work = which.get(&given);
                    schedule.release(work.replica, work.unit);
                }
                Event::Assign => given.extend(schedule.assign(now)),
                Event::Wait(time) => now += Duration::from_millis(time),
                Event::Begin(examples, size) => {
                    batch = examples;
                    times = vec![0; examples as usize];
                    schedule.begin(examples, size).unwrap();
                }
                _ => {}
            }
            prop_assert!(times.iter().all(|&times| times <= 1));
        }
        // Whatever happened, one more replica brings the batch to its end.
        for replica in 0..5 {
            schedule.leave(replica);
        }
        schedule.join(99);
        while !schedule.is_done() {
            let work = schedule.assign(now);
            prop_assert_eq!(work.len(), 1);
            now += SECOND;
            count(&mut schedule, &work[0], now, &mut times);
        }
        prop_assert_eq!(times, vec![1; batch as usize]);
    }
}

/// Counts the examples of an answer if the schedule does; those of an old batch it must not.
fn count(schedule: &mut Schedule, work: &Assignment, now: Duration, times: &mut [u32]) {
    if counted(schedule.answer(work.replica, work.unit, now)) {
        assert_eq!(work.unit.batch, schedule.batch());
        work.examples.clone().for_each(|example| times[example as usize] += 1);
    }
}

/// A replica of the simulation: what it does, and when it will be done.
struct Simulated {
    per_second: f64,
    doing: Option<(Assignment, Duration)>,
}

/// Runs batches until they are done and gives the time of each. Copies are not told to stop: the worst case.
fn simulate(speeds: &[f64], batches: usize, units: u64) -> Vec<f64> {
    let mut schedule = Schedule::default();
    let mut replicas = Vec::new();
    for (i, &per_second) in speeds.iter().enumerate() {
        schedule.join(i as u64);
        replicas.push(Simulated { per_second, doing: None });
    }
    let mut now = Duration::ZERO;
    let mut times = Vec::new();
    for _ in 0..batches {
        let start = now;
        schedule.begin(units * 100, 100).unwrap();
        while !schedule.is_done() {
            for work in schedule.assign(now) {
                let replica = &mut replicas[work.replica as usize];
                let count = (work.examples.end - work.examples.start) as f64;
                let end = now + Duration::from_secs_f64(count / replica.per_second);
                replica.doing = Some((work, end));
            }
            let ends = replicas.iter().filter_map(|r| r.doing.as_ref().map(|(_, end)| *end));
            now = ends.chain(schedule.wake(now)).min().unwrap();
            for replica in &mut replicas {
                if let Some((work, _)) = replica.doing.take_if(|(_, end)| *end <= now) {
                    schedule.answer(work.replica, work.unit, now).unwrap();
                }
            }
        }
        times.push((now - start).as_secs_f64());
    }
    times
}

#[test]
fn a_replica_of_a_quarter_speed_costs_little() {
    for count in [4, 8, 16] {
        let units = 32 * count as u64;
        let even = simulate(&vec![100.0; count], 5, units);
        let mut speeds = vec![100.0; count];
        speeds[count - 1] = 25.0;
        let slowed = simulate(&speeds, 5, units);
        for (even, slowed) in even.iter().zip(&slowed) {
            let ratio = slowed / even;
            println!("{count} replicas: {ratio:.3} times as long");
            // With shares instead of units it would be four times.
            assert!(ratio <= 1.3, "{count} replicas: {slowed} against {even}");
        }
    }
}

#[test]
fn a_replica_that_stands_still_does_not_hold_up_the_batch() {
    let even = simulate(&[100.0; 4], 1, 128)[0];
    let stuck = simulate(&[100.0, 100.0, 100.0, 1e-3], 1, 128)[0];
    assert!(stuck / even <= 1.4, "{stuck} against {even}");
}

/// Computes a batch in which `replicas` take turns; whose each unit was.
fn batch_in_turns(schedule: &mut Schedule, units: usize, replicas: &[Replica]) -> Vec<Replica> {
    schedule.begin(units as u64, 1).unwrap();
    let mut whose = vec![0; units];
    let mut time = Duration::from_secs(schedule.batch() * 1000);
    let mut working = schedule.assign(time);
    while !schedule.is_done() {
        time += SECOND;
        for work in std::mem::take(&mut working) {
            assert!(replicas.contains(&work.replica));
            if counted(schedule.answer(work.replica, work.unit, time)) {
                whose[work.unit.index] = work.replica;
            }
        }
        working = schedule.assign(time);
    }
    whose
}

#[test]
fn replicas_get_again_what_they_had() {
    let mut schedule = Schedule::default();
    for replica in [1, 2, 3] {
        schedule.join(replica);
    }
    let first = batch_in_turns(&mut schedule, 12, &[1, 2, 3]);
    for replica in [1, 2, 3] {
        assert_eq!(first.iter().filter(|whose| **whose == replica).count(), 4);
    }
    assert_eq!(batch_in_turns(&mut schedule, 12, &[1, 2, 3]), first);
    // Of who leaves the others share what it had, and keep their own.
    schedule.leave(2);
    let without = batch_in_turns(&mut schedule, 12, &[1, 3]);
    for (unit, whose) in first.iter().enumerate().filter(|(_, whose)| **whose != 2) {
        assert_eq!(without[unit], *whose, "unit {unit}");
    }
    // Who comes takes from the ends of what the others have.
    schedule.join(4);
    let with = batch_in_turns(&mut schedule, 12, &[1, 3, 4]);
    assert_eq!(with.iter().zip(&without).filter(|(now, before)| now != before).count(), 4);
    assert_eq!(with.iter().filter(|whose| **whose == 4).count(), 4);
    // Other units are others.
    batch_in_turns(&mut schedule, 5, &[1, 3, 4]);
}
