//! Sandblaster L-BFGS (Dean et al. 2012) over the parameter service: a coordinator that never holds the parameters,
//! servers that compute with their parts of vectors, replicas that compute parts of the loss.
//!
//! The protocol from start to end:
//!
//! 1. Servers are told what they train and get the variables' first values, as for every other strategy.
//! 2. A [`Coordinator`] *opens* a term at every server: earlier terms and coordinators are refused from then on. It
//!    names the variables that are to be trained; each server's part of every vector is one tensor like each of
//!    them. It hears how much each server has executed, and so whether one has lost something.
//! 3. It sends *commands* ([`Command`](downpour_lbfgs::Command)), many in one message and to all servers at once, and
//!    gets numbers: inner products, in float64. Batches are numbered by server. One that comes again is answered, not
//!    executed; one is executed as a whole or not at all.
//! 4. For an *evaluation* it posts on the board of the first server at which vector the loss is wanted, and in how
//!    many units. Idle replicas ([`work`]) get the next unit, and at the end also units that others are slow with.
//! 5. A replica fetches the point from all servers, once per evaluation; computes the unit; hands the gradient's parts
//!    to all servers, tagged (evaluation, unit); and reports loss and weight to the board, which answers with its next
//!    unit. A server adds each unit once. Everything that comes for an evaluation that is over is dropped.
//! 6. When the board has every unit, the coordinator has the servers divide what they gathered by the total weight,
//!    add the gradient of the penalty, and keep it as a vector. A server that lacks units was restarted: the evaluation
//!    begins anew under the next number, as it does when the board has forgotten it.
//! 7. After each iteration the point is *published*, that is copied into the variables; what the coordinator must
//!    remember ([`Saved`]) can be written down.
//! 8. At the end the board sends the replicas home.
//!
//! Who dies: a replica's units go to others when it has been silent for too long (they may be given away as copies
//! before). A server comes back from its snapshot, in which its vectors are; if that is older than the last iteration, all
//! servers go back to the same one (`coordinator_cuts.rs`). A coordinator is followed by one with a larger number that goes on
//! from what was saved, and is fenced by it.
//!
//! What moves, with P bytes of parameters on S servers, R replicas and U units of which c are computed twice:
//!
//! | who, what | messages | bytes |
//! | --- | --- | --- |
//! | each evaluation: replicas fetch the point | R · S | R · P |
//! | replicas hand in gradients, report, take the next unit | (U + c) · (S + 1) | (U + c) · P, and 220 a unit |
//! | coordinator: post and wait | 2, and one per [`Limits::wait`](crate::Limits) | in the sum below |
//! | coordinator: gradient complete, slope | 2 · S | in the sum below |
//! | each iteration: direction and first step, new pair, publish | 3 · S | in the sum below |
//! | coordinator, all of it | | 1745 an iteration and server |
//!
//! The last number, and the 220, are measured with two servers, three variables, 6 evaluations in 5 iterations and a
//! history of 10 (with one of 5: 1120); they do not depend on P. What replicas hand in does, and grows with U: units
//! should be small against a replica's share but not smaller, some 10 to 30 per replica. Servers keep up to
//! 2 · history + 7 vectors beside the variables, and while units come in one of float64.
//!
//! ```
//! # use std::{pin::Pin, sync::Arc, time::Duration};
//! # use downpour_lbfgs::Settings;
//! # use downpour_params::sandblaster::{Contribution, Coordinator, Plan, Work, work};
//! # use downpour_params::{Client, Definition, Gradient, Inline, Limits, Mode, Patience, PlainValues, Shard, Store, Stream, serve};
//! # use downpour_tensor::{Result, Tensor};
//! # async fn example() -> Result<()> {
//! # let store = Arc::new(Store::new(PlainValues::new(1.0), Limits::default(), 1));
//! # let client = |worker: u32| {
//! #     let store = store.clone();
//! #     let connect = Arc::new(move || {
//! #         let store = store.clone();
//! #         Box::pin(async move {
//! #             let (near, far) = tokio::io::duplex(4096);
//! #             tokio::spawn(serve(far, store, Arc::new(Inline)));
//! #             Ok(Box::new(near) as Box<dyn Stream>)
//! #         }) as Pin<Box<dyn Future<Output = std::io::Result<Box<dyn Stream>>> + Send>>
//! #     });
//! #     Arc::new(Client::new(worker, 1, vec![Shard { name: "ps/0".into(), connect }], Patience::default()))
//! # };
//! // Somebody defines what is trained and gives the first values.
//! let chief = client(0);
//! chief.define(&[Definition { program: Default::default(), mode: Mode::AtOnce }]).await?;
//! chief.join().await?;
//! chief.put(0, &[("x".to_string(), Tensor::vector(&[5f64, 5.0])?)], true, 0).await?;
//!
//! // A replica: examples are the numbers 0 to 9, the loss of one is the squared distance to it.
//! let replica = client(1);
//! tokio::spawn(async move {
//!     replica.join().await?;
//!     let compute = |unit: Work| async move {
//!         let x = unit.point[0].1.as_slice::<f64>()?.to_vec();
//!         let (mut loss, mut gradient, mut weight) = (0.0, vec![0.0; x.len()], 0.0);
//!         for example in unit.examples(10) {
//!             for (x, g) in x.iter().zip(&mut gradient) {
//!                 loss += (x - example as f64).powi(2);
//!                 *g += 2.0 * (x - example as f64);
//!             }
//!             weight += 1.0;
//!         }
//!         let gradients = vec![("x".to_string(), Gradient::Dense(Tensor::vector(&gradient)?))];
//!         Ok(Contribution { loss, weight, gradients })
//!     };
//!     work(&replica, Duration::from_secs(1), compute).await
//! });
//!
//! let plan = Plan { names: vec![vec!["x".to_string()]], units: 5, l2: 0.0 };
//! let mut coordinator = Coordinator::begin(chief.clone(), plan, Settings::default(), 1, None).await?;
//! let summary = coordinator.run(|_iteration, _saved| Ok(())).await?;
//! coordinator.end().await?;
//! let found = chief.read(0, &[]).await?;
//! assert!((found.values[0].1.as_slice::<f64>()?[0] - 4.5).abs() < 1e-6);
//! assert!((summary.loss - 2.0 * 8.25).abs() < 1e-9);
//! # Ok(())
//! # }
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(example()).unwrap();
//! ```

mod arithmetic;
mod asking;
mod board;
mod coordinator;
mod coordinator_cuts;
mod encoding;
mod gather;
mod kept;
mod layout;
pub(crate) mod messages;
mod replica;
mod server_cuts;
mod serving;
mod space;
mod vectors;

use parking_lot::Mutex;

pub use coordinator::{Coordinator, Saved};
pub use coordinator_cuts::{Cut, Tell, WentBack};
pub use replica::{Contribution, Work, Worked, work};
pub(crate) use serving::answer;
pub use space::{Mark, Plan, ServiceSpace};

/// A server's part in it. Locked in this order: vectors, what is gathered; the board on its own.
#[derive(Default)]
pub(crate) struct Sandblaster {
    vectors: Mutex<vectors::Vectors>,
    gather: Mutex<gather::Gather>,
    pub board: board::Board,
}

#[cfg(test)]
mod tests;
