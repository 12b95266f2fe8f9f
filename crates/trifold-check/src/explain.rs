//! The meanings of the kinds of findings: for `trifold explain`, and for the rules of SARIF.

use std::fmt::Write;
use trifold_ir::FindingKind;

/// A kind of finding in words.
pub struct Guide {
    /// Its title.
    pub title: &'static str,
    /// When it is reported.
    pub meaning: &'static str,
    /// Advice about it.
    pub advice: &'static str,
    /// A program in which it happens.
    pub example: &'static str,
}

/// All kinds, a line each.
pub fn list() -> String {
    let mut text = String::new();
    for kind in FindingKind::ALL {
        let _ = writeln!(text, "{:24}{}", kind.name(), guide(kind).title);
    }
    text + "\n`trifold explain KIND` says more, with an example.\n"
}

/// The guide to a kind, with an example.
pub fn page(kind: FindingKind) -> String {
    let Guide { title, meaning, advice, example } = guide(kind);
    let example: String = example.lines().map(|line| format!("    {line}").trim_end().to_string() + "\n").collect();
    format!("{}: {title}\n\n{}\n{}\nExample:\n\n{example}", kind.name(), filled(meaning), filled(advice))
}

/// Text in lines of at most 100 characters.
fn filled(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        match line.len() + word.len() {
            _ if line.is_empty() => line.push_str(word),
            length if length < 100 => *line += &format!(" {word}"),
            _ => lines.push(word.to_string()),
        }
    }
    lines.join("\n") + "\n"
}

/// The guide to a kind.
pub fn guide(kind: FindingKind) -> Guide {
    match kind {
        FindingKind::NullDereference => Guide {
            title: "A null pointer is dereferenced",
            meaning: "A field is read or written through a pointer that is null, or may be null as far as the analysis \
                knows. In Java it is also the call of a method on null.",
            advice: "Test the pointer before it is used, or make sure that it cannot be null here. If the analysis is \
                mistaken, look at the heap of the finding: it shows for which lists or trees it cannot tell.",
            example: include_str!("explain/null-dereference.c"),
        },
        FindingKind::UseAfterFree => Guide {
            title: "Memory is used after it was freed",
            meaning: "A field is read or written of an object on the heap that has been freed, or the pointer to it is \
                compared.",
            advice: "Read what is still needed before the call of free, or set the pointers to the object to something \
                else.",
            example: include_str!("explain/use-after-free.c"),
        },
        FindingKind::DoubleFree => Guide {
            title: "Memory is freed twice",
            meaning: "An object on the heap is freed that has been freed before.",
            advice: "Find out who owns the object; only the owner frees it. Often two pointers lead to the same object, \
                which the heap of the finding shows.",
            example: include_str!("explain/double-free.c"),
        },
        FindingKind::InvalidFree => Guide {
            title: "Something is freed that does not come from the heap",
            meaning: "What is passed to free is not the start of an object on the heap: it is a variable, or a part of an \
                object.",
            advice: "Free what malloc returned, and nothing else.",
            example: include_str!("explain/invalid-free.c"),
        },
        FindingKind::Leak => Guide {
            title: "Memory is lost",
            meaning: "The last pointer to an object on the heap is overwritten, goes out of scope, or is in an object that \
                is freed; so nobody can free the object any more. The finding is at the statement that loses it.",
            advice: "Free the object first, or keep a pointer to it. Memory that is still reachable from global variables \
                when the program ends counts with --leaks-at-exit only; abort and exit lose nothing.",
            example: include_str!("explain/leak.c"),
        },
        FindingKind::UninitialisedPointer => Guide {
            title: "A pointer is used before it was set",
            meaning: "A pointer that has no value yet is dereferenced, compared or freed: a local variable, or a field of \
                memory from malloc.",
            advice: "Give the pointer a value. calloc sets all fields of an object to null; malloc does not.",
            example: include_str!("explain/uninitialised-pointer.c"),
        },
        FindingKind::DanglingStackPointer => Guide {
            title: "A variable is used after its life",
            meaning: "An object on the stack is used through a pointer, after the function or the block that it belongs to \
                has ended.",
            advice: "Allocate what must live longer with malloc, or let the caller provide it.",
            example: include_str!("explain/dangling-stack-pointer.c"),
        },
        FindingKind::InvalidDereference => Guide {
            title: "A pointer leads outside of any object",
            meaning: "A pointer is dereferenced that was computed from another one, and points beside an object: an index \
                outside of an array, or the owner of something that is not a part of it.",
            advice: "Check the bounds of the index.",
            example: include_str!("explain/invalid-dereference.c"),
        },
        FindingKind::Assertion => Guide {
            title: "An assertion fails",
            meaning: "The condition of an assert is false, or may be; or a place is reached that the program declares an \
                error, such as reach_error().",
            advice: "If the assertion holds in truth, the analysis may not know enough about the data it speaks of: the \
                heap of the finding shows what is known.",
            example: include_str!("explain/assertion.c"),
        },
        FindingKind::UncaughtException => Guide {
            title: "An exception ends the program",
            meaning: "The Java machine throws an exception that nobody catches: an index outside of an array or a text, a \
                cast to another class, an array of negative length, an element of another class, a division by \
                zero. Null and failed assertions have kinds of their own. Exceptions that a program throws by \
                itself and does not catch end it, and are not reported.",
            advice: "Check the value before it is used, or catch the exception.",
            example: include_str!("explain/uncaught-exception.java"),
        },
        FindingKind::Cutpoint => Guide {
            title: "A call shares the middle of its heap with the caller",
            meaning: "Recursive procedures are analysed for the part of the heap that their arguments reach, once for each \
                shape of it. That is possible if the caller gets into that part through the arguments only. An \
                object inside of it to which something else of the caller leads is a cutpoint, and the finding shows \
                it. The analysis goes on, and what comes after the call is not analysed.",
            advice: "Set variables and fields that are no longer needed to null before the call, or pass the object as an \
                argument as well.",
            example: include_str!("explain/cutpoint.java"),
        },
        FindingKind::NotAnalysed => Guide {
            title: "Something is outside of what is analysed",
            meaning: "The program does something that the analysis does not understand: pointer arithmetic, unions, inline \
                assembly, an unknown function that gets pointers to the heap, and the like. Nothing is known about \
                how execution goes on, so functions that depend on it are not called proved. The rest of the program \
                is analysed as usual. Where only a part of memory becomes unknown, the analysis goes on with what \
                it still knows, and the finding says so.",
            advice: "Give the missing function a body, or write the statement in another way. A limit such as --timeout \
                is also reported like this.",
            example: include_str!("explain/not-analysed.c"),
        },
    }
}
