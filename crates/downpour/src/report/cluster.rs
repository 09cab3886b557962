//! The tasks of the run: who they were, where, and how evenly the variables lie on them.

use super::SINGLE_ROWS;
use super::html::{Table, details, escape, prose};
use crate::record::{LeaseCounts, Run, Task};
use crate::{advice, amounts};

/// Up to this many times an even share, nobody would call it uneven.
const EVEN: f64 = 1.05;
/// The largest variables are shown by name.
const VARIABLES: usize = 100;

pub fn html(run: &Run) -> String {
    let tasks = run.tasks();
    if tasks.is_empty() {
        return String::new();
    }
    let table = task_table(run, &tasks);
    let table = match tasks.len() > SINGLE_ROWS {
        true => details(&format!("all {} tasks", tasks.len()), &table),
        false => table,
    };
    format!("<p>{}</p>\n{}{table}{}", escape(&summary(run, &tasks)), servers(run), variables(run))
}

/// `2 workers, 2 parameter servers; worker/1 was restarted once.`
fn summary(run: &Run, tasks: &[&Task]) -> String {
    let number =
        |wanted: fn(&Task) -> bool| tasks.iter().filter(|task| wanted(task)).count() as u64;
    let (workers, servers) = (number(Task::trains), number(Task::serves));
    let others = tasks.len() as u64 - workers - servers;
    let kinds = [(workers, "worker"), (servers, "parameter server"), (others, "other task")];
    let kinds: Vec<String> = kinds
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| amounts::count(number, what))
        .collect();
    let restarted: Vec<&&Task> = tasks.iter().filter(|task| task.restarts() > 0).collect();
    let restarts = match restarted.as_slice() {
        [] => "none was restarted".to_string(),
        [task] => match task.restarts() {
            1 => format!("{} was restarted once", task.name),
            times => format!("{} was restarted {times} times", task.name),
        },
        many => format!(
            "{} of them were restarted, {} in all",
            many.len(),
            amounts::count(u64::from(run.restarts()), "time")
        ),
    };
    match tasks.len() {
        1 if restarted.is_empty() => "One task, never restarted.".into(),
        _ => format!("{}; {restarts}.", kinds.join(", ")),
    }
}

fn servers(run: &Run) -> String {
    let servers = run.servers();
    let total = servers.bytes();
    let number = run.variables().len() as u64;
    let largest = servers.places.iter().map(|place| place.bytes).max().unwrap_or(0);
    if total == 0 {
        return String::new();
    }
    let variables = amounts::count(number, "variable");
    if servers.places.len() == 1 {
        let task = escape(&servers.places[0].task);
        return format!("<p>{variables}, {}, all on {task}.</p>\n", amounts::bytes(total));
    }
    let times = servers.imbalance().unwrap_or(1.0);
    // A line at an even share; of no use where all are even.
    let even = match times {
        times if times < EVEN => String::new(),
        times => format!("<b style=\"left:{:.1}%\"></b>", 100.0 / times),
    };
    let row = |place: &crate::record::Place| {
        format!(
            "<div class=\"row\"><span class=\"who\">{}</span><span class=\"track\"><i style=\"width:{:.1}%\"></i>{even}</span><span class=\"what\">{} in {}</span></div>\n",
            escape(&place.task),
            100.0 * place.bytes as f64 / largest as f64,
            amounts::bytes(place.bytes),
            amounts::count(place.variables as u64, "variable")
        )
    };
    let rows: String = servers.places.iter().map(row).collect();
    let balance = match times {
        times if times < EVEN => "evenly".to_string(),
        times => format!("the fullest holds {times:.2} times an even share (the upright lines)"),
    };
    let advice =
        advice::imbalance(run).map(|text| format!("<p class=\"advice\">{}</p>\n", prose(&text)));
    format!(
        "<h3>Variables on the servers</h3>\n<p>{variables}, {} on {}: {balance}.</p>\n<div class=\"rows\">\n{rows}</div>\n{}",
        amounts::bytes(total),
        amounts::count(servers.places.len() as u64, "server"),
        advice.unwrap_or_default()
    )
}

fn task_table(run: &Run, tasks: &[&Task]) -> String {
    let leased = tasks.iter().any(|task| task.leases().is_some());
    let mut columns = vec!["task", "address", "#examples", "#restarts", "last state"];
    if leased {
        columns.insert(3, "leases");
    }
    let mut table = Table::new(&columns);
    for task in tasks {
        let examples = i64::try_from(task.examples()).unwrap_or(i64::MAX);
        let examples = if task.trains() { amounts::grouped(examples) } else { String::new() };
        let restarts = task.restarts();
        let mut cells = vec![
            escape(&task.name),
            format!("<code class=\"address\">{}</code>", escape(task.address())),
            examples,
            match restarts {
                0 => "0".into(),
                times => format!("<strong class=\"warn\">{times}</strong>"),
            },
            state(run, task),
        ];
        if leased {
            cells.insert(3, task.leases().map(|counts| leases(&counts)).unwrap_or_default());
        }
        table.row("", &cells);
    }
    table.html()
}

/// `41, of which 2 another had before; 1 went to others`
fn leases(counts: &LeaseCounts) -> String {
    let mut text = amounts::grouped(i64::try_from(counts.taken).unwrap_or(i64::MAX));
    if counts.returned > 0 {
        text.push_str(&format!(", of which {} another had before", counts.returned));
    }
    if counts.lost > 0 {
        text.push_str(&format!("; {} went to others", counts.lost));
    }
    text
}

fn state(run: &Run, task: &Task) -> String {
    let Some(life) = task.lives.last() else { return "never started".into() };
    let end = run.last_time().unwrap_or(life.last);
    match &life.finished {
        Some(finished) if finished.failed => {
            format!("<span class=\"bad\">{}</span>", escape(&shortened(&finished.reason)))
        }
        Some(finished) => escape(&shortened(&finished.reason)),
        None if task.serves() => "served to the end".into(),
        None if end - life.last > 10.0 => {
            let time = amounts::time(run.clock().elapsed(life.last));
            format!("<span class=\"bad\">last heard of after {time}</span>")
        }
        None => "was at work".into(),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(90) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}

fn variables(run: &Run) -> String {
    let mut variables: Vec<_> = run.variables().iter().collect();
    if variables.is_empty() {
        return String::new();
    }
    variables.sort_by(|left, right| right.bytes.cmp(&left.bytes).then(left.name.cmp(&right.name)));
    let mut table = Table::new(&["variable", "shape", "#bytes", "task"]);
    for variable in variables.iter().take(VARIABLES) {
        let shape: Vec<String> = variable.shape.iter().map(i64::to_string).collect();
        table.row(
            "",
            &[
                format!("<code>{}</code>", escape(&variable.name)),
                format!("[{}]", shape.join(", ")),
                amounts::bytes(variable.bytes),
                escape(&variable.task),
            ],
        );
    }
    let summary = match variables.len() {
        number if number > VARIABLES => format!("the {VARIABLES} largest of {number} variables"),
        number => amounts::count(number as u64, "variable"),
    };
    details(&summary, &table.html())
}
