use downpour_tensor::Code;

use super::*;

fn member(bench: &mut Bench, name: &str, capacity: u64, capabilities: &[&str]) -> Id {
    let capabilities = capabilities.iter().map(|c| c.to_string()).collect();
    bench
        .join_as(Join {
            name: name.into(),
            process: 1,
            capacity,
            capabilities,
            ..Default::default()
        })
        .unwrap()
}

fn task(name: &str, priority: i32, capacity: u64) -> TaskSpec {
    TaskSpec { name: name.into(), priority, capacity, ..Default::default() }
}

fn submit(bench: &mut Bench, spec: TaskSpec) -> u64 {
    match bench.administer(RequestKind::SubmitTask(SubmitTask { spec: Some(spec) })).unwrap() {
        Answer::TaskSubmitted(submitted) => submitted.task,
        other => panic!("{other:?}"),
    }
}

fn names(bench: &mut Bench, id: Id) -> Vec<String> {
    bench.beat(id, &[]).unwrap().tasks.into_iter().map(|task| task.name).collect()
}

#[test]
fn tasks_go_where_there_is_room_and_skill_by_priority() {
    let mut bench = Bench::new();
    submit(&mut bench, task("low", 1, 2));
    submit(&mut bench, task("high", 5, 2));
    submit(&mut bench, TaskSpec { capabilities: vec!["gpu".into()], ..task("gpu", 0, 1) });
    let plain = member(&mut bench, "plain", 2, &[]);
    assert_eq!(names(&mut bench, plain), ["high"]);
    let gpu = member(&mut bench, "gpu", 3, &["gpu"]);
    assert_eq!(names(&mut bench, gpu), ["low", "gpu"]);
    bench.restart();
    assert_eq!(names(&mut bench, gpu), ["low", "gpu"]);
    // A revision that is known is not repeated.
    let revision = bench.beat(gpu, &[]).unwrap().tasks_revision;
    let heartbeat = Heartbeat { tasks_revision: revision, ..Default::default() };
    match bench.ask(gpu, RequestKind::Heartbeat(heartbeat)).unwrap() {
        Answer::Heartbeat(answer) => assert_eq!(answer.tasks, []),
        other => panic!("{other:?}"),
    }
}

#[test]
fn lower_ones_give_way_only_where_both_allow_it() {
    let mut bench = Bench::new();
    let only = member(&mut bench, "only", 4, &[]);
    submit(&mut bench, TaskSpec { preemptible: true, ..task("small", 1, 1) });
    submit(&mut bench, TaskSpec { preemptible: true, ..task("large", 2, 2) });
    submit(&mut bench, task("firm", 0, 1));
    assert_eq!(names(&mut bench, only), ["small", "large", "firm"]);
    submit(&mut bench, task("polite", 9, 1));
    assert_eq!(names(&mut bench, only), ["small", "large", "firm"]);
    submit(&mut bench, TaskSpec { preempts: true, ..task("urgent", 8, 1) });
    assert_eq!(names(&mut bench, only), ["large", "firm", "urgent"]);
    submit(&mut bench, TaskSpec { preempts: true, ..task("too large", 8, 4) });
    submit(&mut bench, TaskSpec { preempts: true, ..task("equal", 2, 2) });
    assert_eq!(names(&mut bench, only), ["large", "firm", "urgent"]);
}

#[test]
fn tasks_move_on_when_their_member_is_gone_and_end_once() {
    let mut bench = Bench::new();
    let a = member(&mut bench, "a", 1, &[]);
    let id = submit(&mut bench, task("evaluate", 0, 1));
    assert_eq!(submit(&mut bench, task("evaluate", 0, 1)), id);
    let first = bench.beat(a, &[]).unwrap().tasks[0].attempt;
    bench.wait(5.0);
    let b = member(&mut bench, "b", 1, &[]);
    bench.wait_with(6.0, &[b]);
    assert_eq!(names(&mut bench, b), ["evaluate"]);
    let again = member(&mut bench, "a", 1, &[]);
    let end = |task, attempt| EndTask { task, attempt, code: 0, message: "".into() };
    let late = bench.ask(again, RequestKind::EndTask(end(id, first))).unwrap_err();
    assert_eq!(late.code(), Code::FailedPrecondition);
    bench.ask(b, RequestKind::EndTask(end(id, first + 1))).unwrap();
    assert_eq!(names(&mut bench, b), Vec::<String>::new());
    let survey = bench.survey();
    assert_eq!(survey.tasks[0].state(), TaskState::Ended);
    // A new task of the room that became free.
    submit(&mut bench, task("more", 0, 1));
    submit(&mut bench, task("most", 0, 1));
    assert_eq!(bench.survey().members.iter().map(|m| m.used).sum::<u64>(), 2);
}

#[test]
fn tasks_are_moved_and_cancelled() {
    let mut bench = Bench::new();
    let a = member(&mut bench, "a", 2, &[]);
    let id = submit(&mut bench, TaskSpec { preemptible: true, ..task("movable", 0, 2) });
    let firm = submit(&mut bench, task("firm", 0, 0));
    let b = member(&mut bench, "b", 2, &[]);
    let to = |task, to: Id| RequestKind::MoveTask(MoveTask { task, to: to.member });
    bench.administer(to(id, b)).unwrap();
    bench.administer(to(id, b)).unwrap();
    assert_eq!(names(&mut bench, a), ["firm"]);
    assert_eq!(names(&mut bench, b), ["movable"]);
    let refused = bench.administer(to(firm, b)).unwrap_err();
    assert!(refused.message().contains("not preemptible"), "{refused}");
    let cancel = RequestKind::CancelTask(CancelTask { task: id });
    bench.administer(cancel.clone()).unwrap();
    bench.administer(cancel).unwrap();
    assert_eq!(names(&mut bench, b), Vec::<String>::new());
    assert_eq!(
        bench.survey().tasks.iter().find(|t| t.task == id).unwrap().code,
        Code::Cancelled as i32
    );
}
