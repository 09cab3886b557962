//! What a trainer's descriptions make: datasets and the program.

use downpour_tensor::Result;

use crate::training::handed::Places;
use crate::training::program::{Plan, Program};
use crate::training::source::{Share, schema_of};
use crate::training::strategy::{Downpour, Placement, Service, Strategy, Way};
use crate::training::trainer::Trainer;
use crate::training::update::Updates;

/// What a trainer's descriptions make.
pub(super) struct Made {
    pub data: downpour_data::Dataset,
    pub evaluation: Option<downpour_data::Dataset>,
    pub schema: downpour_data::Schema,
    pub program: Program,
}

impl Made {
    pub fn new(trainer: &Trainer, placement: &Placement) -> Result<Made> {
        let data = trainer.data.open(placement.share())?;
        // Only the chief measures.
        let evaluation = trainer.evaluation.as_ref().filter(|_| placement.is_chief());
        let evaluation = evaluation.map(|source| source.open(Share::WHOLE));
        let evaluation = evaluation.transpose()?;
        let train_schema = schema_of(&data, "training")?;
        let evaluation_schema =
            evaluation.as_ref().map(|data| schema_of(data, "evaluation")).transpose()?;
        let updates = updates(trainer, placement);
        let alone = placement.alone();
        let placement = match updates {
            Updates::Handed { .. } => &alone,
            _ => placement,
        };
        let program = Program::build(&Plan {
            model: &*trainer.model,
            optimizers: &trainer.optimizers,
            updates,
            placement,
            train: &train_schema,
            evaluate: evaluation_schema.as_ref(),
            seed: trainer.seed,
            precision: trainer.precision.as_ref(),
        })?;
        Ok(Made { data, evaluation, schema: train_schema, program })
    }
}

/// What becomes of gradients.
fn updates(trainer: &Trainer, placement: &Placement) -> Updates {
    let way = match &trainer.strategy {
        Strategy::MultiWorkerMirrored(_) if placement.workers() > 1 => {
            return Updates::Handed { places: Places::ONE, here: false, averaged: true };
        }
        Strategy::ParameterServer(_) | Strategy::Sandblaster(_) if placement.servers() > 0 => {
            trainer.way()
        }
        _ => None,
    };
    match (way, placement.first_server()) {
        (Some(Way::Graph { synchronous: true }), Some(tokens_on)) => {
            let (workers, worker) = (placement.workers(), placement.index());
            Updates::Together { workers, worker, tokens_on }
        }
        (Some(Way::Service(service)), _) => {
            let seldom = |downpour: &Downpour| downpour.fetch_every > 1;
            let here = matches!(&service, Service::Downpour(downpour) if seldom(downpour));
            let split_above = match &trainer.strategy {
                Strategy::ParameterServer(strategy) => strategy.split_above,
                // Its vectors are of whole variables.
                _ => None,
            };
            let rows_apart = matches!(service, Service::Hybrid);
            let places = Places { count: placement.servers(), split_above, rows_apart };
            Updates::Handed { places, here, averaged: false }
        }
        _ => Updates::Alone,
    }
}

/// Whether data and model can be made, in one process without a cluster.
pub(crate) fn check(trainer: &Trainer) -> Result<()> {
    let placement = match &trainer.strategy {
        Strategy::ModelParallel(strategy) => strategy.check_placement()?,
        Strategy::Mirrored(strategy) => strategy.placement()?,
        _ => Placement::local(),
    };
    let made = Made::new(trainer, &placement)?;
    let copies = match &trainer.strategy {
        Strategy::Local | Strategy::Mirrored(_) | Strategy::ModelParallel(_) => false,
        Strategy::MultiWorkerMirrored(_) => true,
        Strategy::ParameterServer(_) | Strategy::Sandblaster(_) => {
            !matches!(trainer.way(), Some(Way::Graph { synchronous: false }))
        }
    };
    if copies { made.program.graph.refuse_id_tables() } else { Ok(()) }
}
