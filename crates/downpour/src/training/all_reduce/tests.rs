//! Two couriers that talk over loopback.

mod faults;

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use downpour_cluster::ClusterSpec;
use downpour_tensor::{Code, DataType};

use super::*;

const PATIENCE: Duration = Duration::from_secs(60);

fn couriers(loads: &[Load]) -> Vec<Courier> {
    let doors: Vec<Door> = (0..2).map(|_| Door::open("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<String> = doors.iter().map(|door| door.address().to_string()).collect();
    let cluster = ClusterSpec::from_json(&format!(r#"{{"worker": {addresses:?}}}"#)).unwrap();
    std::thread::scope(|threads| {
        let connect = |(task, door): (usize, &Door)| {
            let place = Placement::of_workers(&cluster, "worker", task as u32).unwrap();
            let wire = Wire::connect(door, addresses.clone(), &place, Compression::None, PATIENCE);
            Courier::start(Arc::new(Mutex::new(wire.unwrap())), loads.to_vec()).unwrap()
        };
        let connecting: Vec<_> =
            doors.iter().enumerate().map(|own| threads.spawn(move || connect(own))).collect();
        connecting.into_iter().map(|courier| courier.join().unwrap()).collect()
    })
}

fn carry(courier: &Courier, bucket: usize, tensors: Vec<Tensor>) -> Receiver<Result<Vec<Tensor>>> {
    let (send, receive) = channel();
    let done = Box::new(move |result| drop(send.send(result)));
    courier.carrier().carry(bucket, tensors, done);
    receive
}

fn floats(values: &[f32]) -> Tensor {
    Tensor::vector(values).unwrap()
}

fn loads() -> [Load; 2] {
    [Load::Dense(vec!["a".into(), "b".into()]), Load::Rows]
}

#[test]
fn buckets_travel_in_the_order_of_their_numbers() {
    let couriers = couriers(&loads());
    // The order in which they are made differs; and so does what workers have of rows.
    let rows = |of: f32| Tensor::from_slice([1, 2], &[of, of]).unwrap();
    for step in 0..3 {
        let of = step as f32;
        let second = carry(&couriers[0], 1, vec![Tensor::vector(&[4i32]).unwrap(), rows(of)]);
        let first: Vec<_> = (0..2)
            .map(|w| carry(&couriers[w], 0, vec![floats(&[of, w as f32]), floats(&[1.0])]))
            .collect();
        let nothing = Tensor::zeros(DataType::Float, [0, 2]).unwrap();
        let none = Tensor::zeros(DataType::Int32, [0]).unwrap();
        let empty = carry(&couriers[1], 1, vec![none, nothing]);
        for averages in first {
            let averages = averages.recv().unwrap().unwrap();
            assert_eq!(averages[0].as_slice::<f32>().unwrap(), [of, 0.5]);
            assert_eq!(averages[1].as_slice::<f32>().unwrap(), [1.0]);
        }
        for all in [second, empty] {
            let all = all.recv().unwrap().unwrap();
            assert_eq!(all[0].as_slice::<i32>().unwrap(), [4]);
            assert_eq!(all[1].as_slice::<f32>().unwrap(), [of / 2.0; 2]);
        }
    }
    let carried = couriers[0].carried();
    assert_eq!((carried.buckets, carried.bytes), (6, 3 * (12 + 12)));
    assert!(carried.hidden <= carried.time, "{carried:?}");
}

#[test]
fn a_worker_that_gives_up_ends_the_others_wait() {
    let couriers = couriers(&loads());
    let waiting = carry(&couriers[1], 0, vec![floats(&[1.0]), floats(&[1.0])]);
    let later = carry(&couriers[0], 1, vec![floats(&[1.0])]);
    couriers[0].carrier().abandon();
    assert_eq!(later.recv().unwrap().unwrap_err().code(), Code::Cancelled);
    let status = waiting.recv().unwrap().unwrap_err();
    assert_eq!(status.code(), Code::Unavailable, "{status}");
    // Whatever comes hears it too.
    for courier in &couriers {
        assert!(carry(courier, 0, vec![floats(&[1.0])]).recv().unwrap().is_err());
    }
}

#[test]
fn what_was_not_expected_is_refused() {
    let couriers = couriers(&loads());
    let refused = carry(&couriers[0], 7, Vec::new()).recv().unwrap().unwrap_err();
    assert!(refused.message().contains("bucket 7"), "{refused}");
}
