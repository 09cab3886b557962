//! Bytes and times as people read them.

const KILO: f64 = 1024.0;

/// `812 B`, `1.5 KB`, `18 MB`.
pub fn bytes(amount: f64) -> String {
    let mut rest = amount;
    for unit in ["B", "KB", "MB", "GB"] {
        if rest < KILO {
            return number(rest, unit);
        }
        rest /= KILO;
    }
    number(rest, "TB")
}

fn number(amount: f64, unit: &str) -> String {
    // Whole bytes, and otherwise two figures or more.
    match unit == "B" || amount >= 10.0 {
        true => format!("{amount:.0} {unit}"),
        false => format!("{amount:.1} {unit}"),
    }
}

/// `0.4 s`, `42 s`, `3 min 7 s`, `5 h 2 min`, `12 d 3 h`.
pub fn time(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    let pair = |large: u64, name: &str, small: u64, small_name: &str| {
        format!("{} {name} {} {small_name}", whole / large, whole % large / small)
    };
    match whole {
        0..10 => format!("{seconds:.1} s"),
        10..60 => format!("{whole} s"),
        60..3600 => pair(60, "min", 1, "s"),
        3600..86_400 => pair(3600, "h", 60, "min"),
        _ => pair(86_400, "d", 3600, "h"),
    }
}

/// `1 step`, `2 steps`.
pub fn count(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short() {
        assert_eq!([0.0, 1023.0, 1536.0, 2e7].map(bytes), ["0 B", "1023 B", "1.5 KB", "19 MB"]);
        assert_eq!(bytes(3e15), "2728 TB");
        let times = [0.25, 42.0, 187.0, 18_150.0, 1_047_600.0].map(time);
        assert_eq!(times, ["0.2 s", "42 s", "3 min 7 s", "5 h 2 min", "12 d 3 h"]);
        assert_eq!((count(1, "step"), count(0, "step")), ("1 step".into(), "0 steps".into()));
    }
}
