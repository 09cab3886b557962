use futures_util::FutureExt;

use super::*;

fn admission(connections: usize, peer: usize, silent: usize) -> Arc<Admission> {
    Admission::new(PortLimits {
        connections,
        peer_connections: peer,
        silent_connections: silent,
        ..PortLimits::default()
    })
}

fn address(last: u8) -> Origin {
    Origin::Address(IpAddr::from([10, 0, 0, last]))
}

fn is_evicted(seat: &Seat) -> bool {
    seat.closed().now_or_never().is_some()
}

#[test]
fn a_new_connection_takes_the_seat_of_the_oldest_silent_one() {
    let admission = admission(100, 100, 3);
    let seats: Vec<_> = (0..10).map(|_| admission.admit(address(1)).unwrap()).collect();
    let evicted: Vec<bool> = seats.iter().map(|seat| is_evicted(seat)).collect();
    assert_eq!(evicted, [[true; 7].as_slice(), &[false; 3]].concat());
    assert_eq!(admission.seats(), (3, 3));
    drop(seats);
    assert_eq!(admission.seats(), (0, 0));
}

#[test]
fn who_has_spoken_stays() {
    let admission = admission(4, 4, 2);
    let spoken: Vec<_> = (0..3)
        .map(|_| {
            let seat = admission.admit(address(1)).unwrap();
            seat.greet();
            seat
        })
        .collect();
    let silent: Vec<_> = (0..50).map(|_| admission.admit(address(2)).unwrap()).collect();
    assert!(spoken.iter().all(|seat| !is_evicted(seat)));
    assert_eq!(silent.iter().filter(|seat| !is_evicted(seat)).count(), 1);
    silent[49].greet();
    assert!(admission.admit(address(3)).is_none(), "all seats are taken by those who have spoken");
    drop(spoken);
    assert!(admission.admit(address(3)).is_some());
}

#[test]
fn one_address_does_not_take_everything() {
    let admission = admission(100, 5, 100);
    let speak = |from| {
        let seat = admission.admit(from)?;
        seat.greet();
        Some(seat)
    };
    let seats: Vec<_> = (0..50).filter_map(|_| speak(address(1))).collect();
    assert_eq!(seats.len(), 5);
    assert!(speak(address(2)).is_some());
    drop(seats);
    assert!(speak(address(1)).is_some());
    assert!(admission.state.lock().by_origin.is_empty());
}

#[test]
fn a_network_of_ipv6_is_one_origin() {
    let origin = |text: &str| Origin::Address(text.parse().unwrap()).shared();
    assert_eq!(origin("2001:db8::1"), origin("2001:db8::ffff:1:2"));
    assert_ne!(origin("2001:db8::1"), origin("2001:db8:0:1::1"));
    assert_eq!(origin("::ffff:10.0.0.1"), origin("10.0.0.1"));
    assert_ne!(origin("::1"), origin("::2"));
}
