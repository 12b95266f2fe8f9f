//! Numbers as C writes them. For example, the least number of 64 bits has no name, and is a difference.

/// A number in C.
pub(super) fn number(value: i128) -> String {
    match i64::try_from(value) {
        Ok(i64::MIN) => "(-9223372036854775807LL - 1)".to_string(),
        Ok(small) if i32::try_from(small).is_ok() => small.to_string(),
        Ok(large) => format!("{large}LL"),
        Err(_) => format!("(long long){}ULL", value as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_of_64_bits_can_be_written() {
        let written = [-1, i64::MIN.into(), i64::MAX.into(), u64::MAX.into()].map(number);
        let expected =
            ["-1", "(-9223372036854775807LL - 1)", "9223372036854775807LL", "(long long)18446744073709551615ULL"];
        assert_eq!(written, expected);
    }
}
