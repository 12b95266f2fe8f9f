//! Options of reading: macros that are defined before a file, and directories of files that it includes.

/// What the command line says about reading files.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Macros to define first; without a value they are 1.
    pub defines: Vec<(String, Option<String>)>,
    /// Directories in which included files are searched.
    pub include_paths: Vec<String>,
}

impl Options {
    /// Adds the macro of a `-D` option: `NAME`, `NAME=value` or `NAME(value)`.
    pub fn define(&mut self, option: &str) {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => match option.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
                Some((name, value)) => (name, Some(value)),
                None => (option, None),
            },
        };
        self.defines.push((name.trim().to_string(), value.map(str::to_string)));
    }

    /// The macros as text to be read before the program.
    pub(crate) fn as_directives(&self) -> String {
        let one_line = |text: &str| text.replace(['\n', '\r'], " ");
        let line = |(name, value): &(String, Option<String>)| {
            format!("#define {} {}\n", one_line(name), one_line(value.as_deref().unwrap_or("1")))
        };
        self.defines.iter().map(line).collect()
    }
}
