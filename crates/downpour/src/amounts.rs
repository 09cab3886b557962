//! Numbers, bytes and times as people read them.

/// `812 B`, `1.5 KB`, `18 MB`.
pub fn bytes(amount: u64) -> String {
    let mut rest = amount as f64;
    for unit in ["B", "KB", "MB", "GB"] {
        if rest < 1024.0 {
            return with_unit(rest, unit);
        }
        rest /= 1024.0;
    }
    with_unit(rest, "TB")
}

fn with_unit(amount: f64, unit: &str) -> String {
    match unit == "B" || amount >= 10.0 {
        true => format!("{amount:.0} {unit}"),
        false => format!("{amount:.1} {unit}"),
    }
}

/// `20 ms`, `1.4 s`, `42 s`, `3 min 7 s`, `5 h 2 min`, `12 d 3 h`.
pub fn time(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    let pair = |large: u64, name: &str, small: u64, small_name: &str| match whole % large / small {
        0 => format!("{} {name}", whole / large),
        rest => format!("{} {name} {rest} {small_name}", whole / large),
    };
    match whole {
        0 if seconds <= 0.0 => "0 s".into(),
        0 if seconds < 0.95 => format!("{:.0} ms", seconds * 1e3),
        0..10 => format!("{:.1} s", seconds.max(0.0)),
        10..60 => format!("{whole} s"),
        60..3600 => pair(60, "min", 1, "s"),
        3600..86_400 => pair(3600, "h", 60, "min"),
        _ => pair(86_400, "d", 3600, "h"),
    }
}

/// `00:21`, `1:05:00`, `3 d 04 h`: the time that is left.
pub fn clock(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..3600 => format!("{:02}:{:02}", whole / 60, whole % 60),
        3600..86_400 => format!("{}:{:02}:{:02}", whole / 3600, whole % 3600 / 60, whole % 60),
        _ => format!("{} d {:02} h", whole / 86_400, whole % 86_400 / 3600),
    }
}

/// `1,234,567`.
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate or a count that need not be exact: `0.42`, `8.1`, `950`, `48,200`.
pub fn rounded(number: f64) -> String {
    match number.abs() {
        size if !size.is_finite() => figures(number, 3),
        size if size < 9.95 => figures(number, 2),
        size if size < 1000.0 => grouped(number.round() as i64),
        size => {
            let unit = 10f64.powi(size.log10().floor() as i32 - 2);
            grouped(((number / unit).round() * unit).round() as i64)
        }
    }
}

/// As many significant figures as asked for, without zeros that say nothing: `0.0831`, `2.3`, `1.2e-7`.
pub fn figures(number: f64, count: usize) -> String {
    if !number.is_finite() {
        return if number.is_nan() { "NaN".into() } else { format!("{number}") };
    }
    if number == 0.0 {
        return "0".into();
    }
    let count = count.max(1);
    let scientific = format!("{number:.*e}", count - 1);
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    match exponent {
        -4..6 => {
            let decimals = usize::try_from(count as i32 - 1 - exponent).unwrap_or(0);
            trimmed(&format!("{number:.decimals$}")).to_string()
        }
        _ => format!("{}e{exponent}", trimmed(digits)),
    }
}

fn trimmed(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

/// `12 %`, and `<1 %` for what is there but small.
pub fn percent(share: f64) -> String {
    match share {
        share if share > 0.0 && share < 0.005 => "<1 %".into(),
        share => format!("{:.0} %", share * 100.0),
    }
}

/// `1 step`, `2 steps`.
pub fn count(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{} {what}s", grouped(i64::try_from(number).unwrap_or(i64::MAX))),
    }
}

/// `2026-03-21 14:05 UTC` from seconds since the epoch.
pub fn date(time: f64) -> String {
    let seconds = if time.is_finite() { time.clamp(0.0, 253_402_300_799.0) as i64 } else { 0 };
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Counted from 1 March of the year 0, months have a regular length and leap days come last.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", rest / 3600, rest % 3600 / 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short() {
        assert_eq!([0, 1023, 1536, 20_000_000].map(bytes), ["0 B", "1023 B", "1.5 KB", "19 MB"]);
        let times = [0.02, 1.25, 42.0, 187.0, 18_150.0, 1_047_600.0, 120.0].map(time);
        assert_eq!(
            times,
            ["20 ms", "1.2 s", "42 s", "3 min 7 s", "5 h 2 min", "12 d 3 h", "2 min"]
        );
        assert_eq!([21.2, 3900.0, 360_000.0].map(clock), ["00:21", "1:05:00", "4 d 04 h"]);
        assert_eq!([0.001, 0.0, 0.126].map(percent), ["<1 %", "0 %", "13 %"]);
    }

    #[test]
    fn dates_are_of_our_calendar() {
        assert_eq!(date(0.0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_400.0), "2000-02-29 00:00 UTC");
        assert_eq!(date(1_767_225_599.0), "2025-12-31 23:59 UTC");
        assert_eq!(date(f64::NAN), "1970-01-01 00:00 UTC");
    }

    #[test]
    fn numbers_keep_what_matters() {
        assert_eq!([0, 999, 1000, -1_234_567].map(grouped), ["0", "999", "1,000", "-1,234,567"]);
        assert_eq!(
            [0.0, 0.123, 8.13, 61.6, 48_213.0, 999_999.0].map(rounded),
            ["0", "0.12", "8.1", "62", "48,200", "1,000,000"]
        );
        let shown = [0.083_12, 2.300_42, 0.000_000_12, 1234.6, 0.5, f64::NAN, f64::INFINITY];
        assert_eq!(
            shown.map(|number| figures(number, 3)),
            ["0.0831", "2.3", "1.2e-7", "1235", "0.5", "NaN", "inf"]
        );
        assert_eq!((figures(0.98421, 4), figures(0.99999, 3)), ("0.9842".into(), "1".into()));
    }
}
