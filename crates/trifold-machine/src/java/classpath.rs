//! Where classes are found: among those that are checked, in the class path, in the JDK. For example,
//! `--classpath lib.jar:out` looks into an archive and below a directory.

use super::jdk::Library;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trifold_jvm::{ClassPath, class_name};

/// Classes by their names.
pub(super) type Classes = BTreeMap<String, Vec<u8>>;

pub(super) enum Part {
    Directory(PathBuf),
    Archive(Classes),
}

/// The parts of a class path.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, String> {
    let separator = if cfg!(windows) { ';' } else { ':' };
    let part = |name: &str| match name.ends_with(".jar") {
        true => of_archive(Path::new(name)).map(Part::Archive),
        false => Ok(Part::Directory(PathBuf::from(name))),
    };
    text.split(separator).filter(|name| !name.is_empty()).map(part).collect()
}

/// Where classes are found.
pub(super) struct Found {
    pub classes: Classes,
    pub others: Arc<Vec<Part>>,
    pub library: Option<Arc<Library>>,
}

impl ClassPath for Found {
    fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let in_part = |part: &Part| match part {
            Part::Directory(directory) => {
                let is_inside = !name.split('/').any(|part| part == ".." || part.is_empty());
                std::fs::read(directory.join(format!("{name}.class"))).ok().filter(|_| is_inside)
            }
            Part::Archive(classes) => classes.get(name).cloned(),
        };
        let own = self.classes.get(name).cloned();
        own.or_else(|| self.others.iter().find_map(in_part)).or_else(|| self.library.as_ref()?.bytes(name))
    }

    fn is_of_program(&self, name: &str) -> bool {
        self.classes.contains_key(name)
    }
}

/// The classes below a directory.
pub(super) fn of_directory(directory: &Path) -> Result<Classes, String> {
    let mut classes = Classes::new();
    let mut open = vec![directory.to_path_buf()];
    while let Some(next) = open.pop() {
        let listed = std::fs::read_dir(&next).map_err(|error| format!("cannot read {}: {error}", next.display()))?;
        for entry in listed.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(path),
                _ if path.extension().is_some_and(|extension| extension == "class") => add(&mut classes, &path)?,
                _ => {}
            }
        }
    }
    Ok(classes)
}

/// Adds a class file under the name that it has inside.
fn add(classes: &mut Classes, path: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let name = class_name(&bytes).map_err(|why| format!("{} is no class file: {why}", path.display()))?;
    if !name.ends_with("module-info") {
        classes.insert(name, bytes);
    }
    Ok(())
}

/// A class file, with those of the classes inside of it, which are beside it.
pub(super) fn of_class(file: &Path) -> Result<Classes, String> {
    let mut classes = Classes::new();
    add(&mut classes, file)?;
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(&format!("{stem}$")) && name.ends_with(".class") {
            add(&mut classes, &entry.path())?;
        }
    }
    Ok(classes)
}

/// The classes of an archive. Those for later versions of Java are left out.
pub(super) fn of_archive(file: &Path) -> Result<Classes, String> {
    let failed = |why: String| format!("cannot read {}: {why}", file.display());
    let opened = File::open(file).map_err(|error| failed(error.to_string()))?;
    let mut archive = zip::ZipArchive::new(opened).map_err(|error| failed(error.to_string()))?;
    let mut classes = Classes::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| failed(error.to_string()))?;
        let name = entry.name().map_err(|error| failed(error.to_string()))?.into_owned();
        if !name.ends_with(".class") || name.starts_with("META-INF/") || name.ends_with("module-info.class") {
            continue;
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
        let name = class_name(&bytes).map_err(|why| failed(format!("{name}: {why}")))?;
        classes.insert(name, bytes);
    }
    Ok(classes)
}
