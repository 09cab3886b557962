//! How to read the page.

use crate::comparison::{Comparison, Figures};
use crate::report::html::prose;

pub fn html(comparison: &Comparison, figures: &[Figures]) -> String {
    let reference = figures.get(comparison.reference()).map_or("", |one| one.name.as_str());
    let lines = [
        format!(
            "Example by example the curves show what a way to train makes of the same data; {reference} is the measure. \
             What lies above it there is the price of training with many: stale gradients, or fewer and larger updates."
        ),
        "Second by second they show what this cluster makes of it. A way that learns less from an example may still be \
         ahead, because nobody waits."
            .to_string(),
        "Ways that average the gradients of all workers make one update where the others make one for each worker, of as \
         many examples. With an unchanged learning rate they are behind at first; a larger one often makes up for it."
            .to_string(),
        "Staleness is no loss by itself: a little acts like momentum. Watch whether the loss of a stale run goes up with \
         the learning rate before that of the others does."
            .to_string(),
        "Byte by byte, compression shows what it is good for. It pays where the network is slower than about 10 Gbit/s."
            .to_string(),
        "Sandblaster's loss is that of all examples, its steps go over all of them, and the examples of its line search \
         count. It needs a hundred passes or more where the others need a few: look at its seconds and at where it \
         ends, not at what it has after as many examples."
            .to_string(),
        "With backups, examples whose gradients came too late count as trained on, though they changed nothing: as many \
         as the other runs had are in the model."
            .to_string(),
        "Two runs that differ only in their seed differ, too. Differences that small mean nothing.".to_string(),
    ];
    let items: String = lines.iter().map(|line| format!("<li>{}</li>\n", prose(line))).collect();
    format!("<ul class=\"aid\">\n{items}</ul>\n")
}
