//! Java programs that are compiled by `javac`, loaded, and run by both machines.

use std::collections::BTreeMap;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use trifold_jvm::{ClassPath, HEADER, Image};

/// Classes in memory, and those of the JDK.
pub struct Compiled {
    pub names: Vec<String>,
    pub classes: BTreeMap<String, Vec<u8>>,
    pub jdk: Jdk,
}

/// The library of the JDK.
pub struct Jdk {
    file: std::fs::File,
    image: Image,
}

impl Jdk {
    /// The JDK of the `javac` that is in the path.
    pub fn find() -> Jdk {
        let output = Command::new("java").args(["-XshowSettings:properties", "-version"]).output().expect("java");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let home =
            text.lines().find_map(|line| line.trim().strip_prefix("java.home = ")).expect("java.home").to_string();
        let file = std::fs::File::open(PathBuf::from(home).join("lib/modules")).expect("the image");
        let mut header = vec![0; HEADER];
        file.read_exact_at(&mut header, 0).expect("a header");
        let mut index = vec![0; Image::index_length(&header).expect("an image")];
        file.read_exact_at(&mut index, 0).expect("an index");
        Jdk { file, image: Image::new(index).expect("an index") }
    }
}

impl ClassPath for Jdk {
    fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        self.image.class(name, &|range| {
            let mut bytes = vec![0; usize::try_from(range.end - range.start).ok()?];
            self.file.read_exact_at(&mut bytes, range.start).ok()?;
            Some(bytes)
        })
    }

    fn is_of_program(&self, _: &str) -> bool {
        false
    }
}

impl ClassPath for Compiled {
    fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        self.classes.bytes(name).or_else(|| self.jdk.bytes(name))
    }

    fn is_of_program(&self, name: &str) -> bool {
        self.classes.contains_key(name)
    }
}

/// Compiles files into a directory.
pub fn compile(files: &[PathBuf], into: &Path) {
    let output =
        Command::new("javac").args(["-g", "-nowarn", "-Xlint:none", "-proc:none", "-d"]).arg(into).args(files).output();
    let output = output.expect("javac");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The classes of a directory.
pub fn read(directory: &Path) -> Compiled {
    let mut classes = BTreeMap::new();
    let mut open = vec![directory.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).expect("a directory").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "class") {
                let name = path.strip_prefix(directory).expect("inside").with_extension("").display().to_string();
                classes.insert(name, std::fs::read(&path).expect("a class file"));
            }
        }
    }
    Compiled { names: classes.keys().cloned().collect(), classes, jdk: Jdk::find() }
}
