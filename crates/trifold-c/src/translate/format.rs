//! Formats of `printf` and `scanf`: which arguments they ask for [C11 7.21.6]. For example, `"%d: %*s"` asks for an
//! `int`, another `int` for the width, and a string.

/// A conversion of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    /// The last character, such as `d`.
    pub specifier: char,
    /// The length before the type, such as `ll`.
    pub length: String,
}

impl Conversion {
    /// Is it text of wide characters?
    pub fn is_wide_text(&self) -> bool {
        self.specifier == 'S' || self.specifier == 's' && self.length == "l"
    }

    /// The size of the integer that is read or written.
    pub fn integer_size(&self) -> Option<u64> {
        "diouxXn".contains(self.specifier).then_some(match self.length.as_str() {
            "" => Some(4),
            "hh" => Some(1),
            "h" => Some(2),
            "l" | "ll" | "q" | "j" | "z" | "t" => Some(8),
            _ => None,
        })?
    }
}

/// The arguments that a format of `printf` asks for in turn; none if it chooses them by numbers, or ends within a
/// conversion.
pub(super) fn printed(format: &str) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some((_, conversion)) = rest.split_once('%') {
        let details = conversion.trim_start_matches(|c: char| c.is_ascii_digit() || ".*-+ #'".contains(c));
        let stars = conversion[..conversion.len() - details.len()].matches('*').count();
        found.extend(vec![Conversion { specifier: 'd', length: String::new() }; stars]);
        rest = conversion_at(details, &mut found)?;
    }
    // `%m` is the text of the last error.
    found.retain(|conversion| !"%m".contains(conversion.specifier));
    Some(found)
}

/// The same for `scanf`, without the conversions that are only skipped.
pub(super) fn scanned(format: &str) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some((_, conversion)) = rest.split_once('%') {
        let is_skipped = conversion.starts_with('*');
        let details = conversion.trim_start_matches('*').trim_start_matches(|c: char| c.is_ascii_digit());
        let known = found.len();
        rest = conversion_at(details, &mut found)?;
        if found.last().is_some_and(|conversion| conversion.specifier == '[') {
            let set = rest.strip_prefix('^').unwrap_or(rest);
            // A bracket that comes first is one of the characters.
            rest = set.strip_prefix(']').unwrap_or(set).split_once(']')?.1;
        }
        if is_skipped {
            found.truncate(known);
        }
    }
    found.retain(|conversion| conversion.specifier != '%');
    Some(found)
}

/// Reads the end of a conversion, and returns the text after it.
fn conversion_at<'f>(text: &'f str, found: &mut Vec<Conversion>) -> Option<&'f str> {
    let end = text.trim_start_matches(|c: char| "hlqjztL".contains(c));
    let specifier = end.chars().next().filter(|c| *c != '$')?;
    found.push(Conversion { specifier, length: text[..text.len() - end.len()].to_string() });
    Some(&end[specifier.len_utf8()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(conversions: Option<Vec<Conversion>>) -> Option<String> {
        let all: Vec<String> = conversions?.into_iter().map(|c| format!("{}{}", c.length, c.specifier)).collect();
        Some(all.join(" "))
    }

    #[test]
    fn what_is_printed() {
        let shown = |format: &str| show(printed(format));
        assert_eq!(shown("none, 100%%").as_deref(), Some(""));
        assert_eq!(shown("%d%-5.3ld %s%08llx%hhn%%%c%m").as_deref(), Some("d ld s llx hhn c"));
        assert_eq!(shown("%*.*s").as_deref(), Some("d d s"));
        assert_eq!((shown("%1$d"), shown("%"), shown("%l")), (None, None, None));
    }

    #[test]
    fn what_is_read() {
        let shown = |format: &str| show(scanned(format));
        assert_eq!(shown("%d, %*s%5ld%% %n").as_deref(), Some("d ld n"));
        assert_eq!(shown("%[]%d]%[^]a]%*[x]%c").as_deref(), Some("[ [ c"));
        assert_eq!((shown("%[a"), shown("%"), shown("%2$d")), (None, None, None));
        assert_eq!(
            scanned("%hd%d%zu%s").map(|all| all.iter().map(Conversion::integer_size).collect()),
            Some(vec![Some(2), Some(4), Some(8), None])
        );
    }
}
