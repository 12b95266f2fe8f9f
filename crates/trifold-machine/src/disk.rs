//! Reading from and writing to the file system.

use crate::Refused;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use trifold_source::{printable, printable_line};
use trifold_tvp::{Files, ReadError};

/// Files larger than this are not specifications.
const MAX_BYTES: u64 = 64 << 20;

/// The files of the machine.
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let unreadable = |error: std::io::Error| match error.kind() {
            ErrorKind::NotFound => ReadError::NotFound,
            _ => ReadError::Unreadable(error.to_string()),
        };
        // Devices and pipes do not say how long they are, so the limit holds for the bytes that are read.
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path).map_err(unreadable)?;
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(ReadError::Unreadable(format!("it has more than {} MiB", MAX_BYTES >> 20)));
        }
        Ok(bytes)
    }
}

/// The text of a file.
pub fn text(file: &str) -> Result<String, Refused> {
    let bytes = Disk.read(file).map_err(|error| match error {
        ReadError::NotFound => Refused::new(format!("cannot read {file}: there is no such file")),
        ReadError::Unreadable(why) => Refused::new(format!("cannot read {file}: {why}")),
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The name of a file for people.
pub fn name(path: &Path) -> String {
    printable_line(&path.to_string_lossy()).into_owned()
}

/// Creates a file with this content; an existing one only if `force` is given.
pub fn write(path: &Path, content: impl AsRef<[u8]>, force: bool) -> Result<(), Refused> {
    write_pieces(path, std::iter::once(content), force)
}

/// Creates a file with this content, likewise.
pub fn write_pieces(
    path: &Path,
    mut pieces: impl Iterator<Item = impl AsRef<[u8]>>,
    force: bool,
) -> Result<(), Refused> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => Refused::new(format!("{} exists; --force overwrites it", path.display())),
        _ => Refused::new(format!("cannot write {}: {error}", path.display())),
    };
    let file = options.open(path).map_err(failed)?;
    let mut file = std::io::BufWriter::new(file);
    pieces.try_for_each(|piece| file.write_all(piece.as_ref())).and_then(|()| file.flush()).map_err(failed)
}

/// Makes sure that a directory is there.
pub fn create_directory(path: &Path) -> Result<(), Refused> {
    let failed = |error| Refused::new(format!("cannot create directory {}: {error}", path.display()));
    std::fs::create_dir_all(path).map_err(failed)
}

/// Prints text to standard output. Characters that a terminal could take for a command are made visible.
pub fn print(content: &str) -> Result<(), Refused> {
    print_bytes(printable(content).as_bytes())
}

/// Prints something else to standard output. A reader that has gone away is no error.
pub fn print_bytes(content: &[u8]) -> Result<(), Refused> {
    match std::io::stdout().write_all(content) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Refused::new(format!("cannot print: {error}"))),
        _ => Ok(()),
    }
}
