//! Smaller programs that show the same. Statements stand on lines of their own, and blocks begin and end with lines:
//!
//! ```text
//! if (x > 0) {
//!     y = 1;
//! }
//! ```
//!
//! A line whose braces are balanced can go, and so can all lines from one that opens a block to the one that closes it.

/// Deletes lines as long as what is left `shows` the same, large blocks before what is in them.
pub fn shrink(text: &str, shows: &dyn Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    loop {
        let (mut at, before) = (0, lines.len());
        while at < lines.len() {
            let shorter = block(&lines, at).map(|last| [&lines[..at], &lines[last + 1..]].concat());
            match shorter {
                Some(shorter) if shows(&(shorter.join("\n") + "\n")) => lines = shorter,
                _ => at += 1,
            }
        }
        // Another round, as long as there was something to delete in this one.
        if lines.len() == before {
            return lines.join("\n") + "\n";
        }
    }
}

/// The last line of what begins at a line, if it ends.
fn block(lines: &[&str], first: usize) -> Option<usize> {
    let mut depth = 0;
    for (index, line) in lines.iter().enumerate().skip(first) {
        let opened = line.matches('{').count() as isize;
        let closed = line.matches('}').count() as isize;
        let closes_first = line.trim_start().starts_with('}') && depth == 0;
        depth += opened - closed;
        if depth < 0 || closes_first {
            return None;
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_goes() {
        let text = "f() {\n  a;\n  if (x) {\n    b;\n  } else {\n    c;\n  }\n  if (y) {\n    d;\n  }\n}\n";
        assert_eq!(shrink(text, &|text| text.contains("d;")), "f() {\n  if (y) {\n    d;\n  }\n}\n");
        assert_eq!(shrink(text, &|text| text.contains("c;")), "f() {\n  if (x) {\n  } else {\n    c;\n  }\n}\n");
        assert_eq!(shrink(text, &|_| true), "\n");
    }
}
