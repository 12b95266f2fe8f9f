//! A JDK: its compiler, its Java machine, and the image of its library. For example, `javac` in the path may be a link
//! that leads to `/usr/lib/jvm/java-17/bin/javac`; the machine is beside it, and the image is `lib/modules`.

use super::Settings;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use trifold_jvm::{HEADER, Image};

/// The compiler: the one that is named, that of `JAVA_HOME`, or the one in the path.
pub(super) fn compiler(settings: &Settings) -> String {
    let home = || std::env::var("JAVA_HOME").ok().filter(|home| !home.is_empty());
    let of_home = || home().map(|home| Path::new(&home).join("bin/javac").display().to_string());
    settings.javac.clone().or_else(of_home).unwrap_or("javac".to_string())
}

/// The directory that the compiler is installed in, in truth.
fn home(settings: &Settings) -> Option<PathBuf> {
    let compiler = PathBuf::from(compiler(settings));
    let found = match compiler.components().count() {
        1 => std::env::split_paths(&std::env::var_os("PATH")?).map(|path| path.join(&compiler)).find(|p| p.is_file()),
        _ => Some(compiler),
    };
    Some(std::fs::canonicalize(found?).ok()?.parent()?.parent()?.to_path_buf())
}

/// The Java machine that belongs to the compiler.
pub(super) fn machine(settings: &Settings) -> PathBuf {
    let beside = home(settings).map(|home| home.join("bin/java")).filter(|java| java.is_file());
    beside.unwrap_or_else(|| PathBuf::from("java"))
}

/// The library of a JDK.
pub(super) struct Library {
    file: Mutex<File>,
    image: Image,
}

impl Library {
    /// The library of the JDK whose compiler is used: beside it, or where that is installed in truth.
    pub(super) fn find(settings: &Settings) -> Option<Library> {
        Library::open(&home(settings)?.join("lib/modules"))
    }

    fn open(path: &Path) -> Option<Library> {
        let mut file = File::open(path).ok()?;
        let mut header = [0; HEADER];
        file.read_exact(&mut header).ok()?;
        let mut index = vec![0; Image::index_length(&header)?];
        file.seek(SeekFrom::Start(0)).ok()?;
        file.read_exact(&mut index).ok()?;
        Some(Library { file: Mutex::new(file), image: Image::new(index)? })
    }

    pub(super) fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        self.image.class(name, &|range| {
            let mut file = self.file.lock().ok()?;
            let mut bytes = vec![0; usize::try_from(range.end - range.start).ok()?];
            file.seek(SeekFrom::Start(range.start)).ok()?;
            file.read_exact(&mut bytes).ok()?;
            Some(bytes)
        })
    }
}
