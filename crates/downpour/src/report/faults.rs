//! What became of updates when something went wrong: what came twice, too late, or was lost.

use super::html::{Table, escape};
use crate::amounts;
use crate::record::Run;

pub fn html(run: &Run) -> String {
    let servers = run.tasks().into_iter().filter_map(|task| Some((&task.name, task.books()?)));
    let servers: Vec<_> = servers.collect();
    let Some(all) = run.books() else { return String::new() };
    if [all.repeated, all.dropped, all.lost, all.refused] == [0; 4] {
        return "<p>Nothing was lost, repeated or dropped: every push was applied once.</p>\n"
            .into();
    }
    let number = |count: u64| amounts::grouped(i64::try_from(count).unwrap_or(i64::MAX));
    let mut table =
        Table::new(&["server", "#updates", "#repeated", "#dropped", "#lost", "#refused"]);
    for (name, books) in &servers {
        let counts = [books.updates, books.repeated, books.dropped, books.lost, books.refused];
        let mut cells = vec![escape(name)];
        cells.extend(counts.map(number));
        table.row(if books.lost > 0 { "notable" } else { "" }, &cells);
    }
    format!(
        "{}<p class=\"note\">Repeated: came again because an answer was lost, and was not applied again. Dropped: of a \
         step that was made without it (backups). Lost: was applied and answered, and went with a server that died after \
         its last snapshot. Refused: of a worker that had been given up.</p>\n",
        table.html()
    )
}
