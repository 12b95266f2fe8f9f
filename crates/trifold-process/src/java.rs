//! Class files on this machine: Java files are compiled by `javac`, class files and archives are read, and the classes
//! of the library come from the image of a JDK.
//!
//! For example, `List.java` is compiled into a temporary directory, and `java/util/HashMap` is read from `lib/modules`
//! of the JDK when somebody asks for it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use trifold_check::source::ClassFiles;
use trifold_jvm::{ClassPath, HEADER, Image, class_name};

/// Where Java is, and where classes are looked for.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The compiler; without it that of `JAVA_HOME`, or `javac`.
    pub javac: Option<String>,
    /// Directories and archives with further classes, as Java has them.
    pub classpath: Option<String>,
}

/// The options of `javac`: tables of lines and variables, no warnings, and as quick a start as it can have.
const OPTIONS: [&str; 7] =
    ["-g", "-nowarn", "-Xlint:none", "-proc:none", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto"];

/// The classes that files, archives or directories have, `List.java`, `List.class`, `lists.jar` or `out`.
pub fn classes(path: &str, settings: &Settings) -> Result<ClassFiles, String> {
    let (classes, texts) = match Path::new(path) {
        directory if directory.is_dir() => (of_directory(directory)?, Vec::new()),
        file if path.ends_with(".jar") => (of_archive(file)?, Vec::new()),
        file if path.ends_with(".class") => (of_class(file)?, Vec::new()),
        file => (compiled(&[file.to_path_buf()], settings)?, vec![(path.to_string(), text(file)?)]),
    };
    if classes.is_empty() {
        return Err(format!("there are no classes in {path}"));
    }
    let names = classes.keys().cloned().collect();
    Ok(ClassFiles { names, texts, path: found(classes, settings)? })
}

/// Where classes are found: among these, in the class path, in the JDK.
fn found(classes: BTreeMap<String, Vec<u8>>, settings: &Settings) -> Result<Arc<Found>, String> {
    let others = settings.classpath.as_deref().map_or(Ok(Vec::new()), parts)?;
    Ok(Arc::new(Found { classes, others, library: Library::find(settings) }))
}

/// The classes of texts, each with the name of its first class, compiled together. Classes are those of the text whose
/// name theirs begin with.
pub fn classes_of_texts(texts: &[(String, String)], settings: &Settings) -> Result<Vec<ClassFiles>, String> {
    let failed = |error: std::io::Error| format!("cannot write a temporary file: {error}");
    let directory = tempfile::Builder::new().prefix("trifold-").tempdir().map_err(failed)?;
    let mut files = Vec::new();
    for (name, text) in texts {
        let file = directory.path().join(format!("{name}.java"));
        std::fs::write(&file, text).map_err(failed)?;
        files.push(file);
    }
    let path = found(compiled(&files, settings)?, settings)?;
    let classes = |(name, text): &(String, String)| {
        let is_own = |class: &&String| {
            let rest = class.strip_prefix(name.as_str());
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
        };
        let names = path.classes.keys().filter(is_own).cloned().collect();
        ClassFiles { names, texts: vec![(format!("{name}.java"), text.clone())], path: path.clone() }
    };
    Ok(texts.iter().map(classes).collect())
}

fn text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Compiles files; the classes that come of it.
pub fn compiled(files: &[PathBuf], settings: &Settings) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let failed = |error| format!("cannot create a temporary directory: {error}");
    let into = tempfile::Builder::new().prefix("trifold-").tempdir().map_err(failed)?;
    let javac = compiler(settings);
    let mut command = Command::new(&javac);
    command.args(OPTIONS).arg("-d").arg(into.path());
    if let Some(classpath) = &settings.classpath {
        command.arg("-cp").arg(classpath);
    }
    let output = command.args(files.iter().map(|file| named(file))).output().map_err(|error| {
        format!(
            "Java is checked from class files, and `{javac}` does not run: {error}; install a JDK, name its compiler \
             with --javac or its directory with JAVA_HOME, or pass class files"
        )
    })?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim_end().to_string());
    }
    of_directory(into.path())
}

/// A name that begins with a dash is still the name of a file.
fn named(file: &Path) -> PathBuf {
    if file.to_string_lossy().starts_with('-') { Path::new(".").join(file) } else { file.to_path_buf() }
}

fn compiler(settings: &Settings) -> String {
    let home = || std::env::var("JAVA_HOME").ok().filter(|home| !home.is_empty());
    let of_home = || home().map(|home| Path::new(&home).join("bin/javac").display().to_string());
    settings.javac.clone().or_else(of_home).unwrap_or("javac".to_string())
}

/// The classes below a directory.
fn of_directory(directory: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut classes = BTreeMap::new();
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
fn add(classes: &mut BTreeMap<String, Vec<u8>>, path: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let name = class_name(&bytes).map_err(|why| format!("{} is no class file: {why}", path.display()))?;
    if !name.ends_with("module-info") {
        classes.insert(name, bytes);
    }
    Ok(())
}

/// A class file, with those of the classes inside of it, which are beside it.
fn of_class(file: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut classes = BTreeMap::new();
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
fn of_archive(file: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let failed = |why: String| format!("cannot read {}: {why}", file.display());
    let opened = File::open(file).map_err(|error| failed(error.to_string()))?;
    let mut archive = zip::ZipArchive::new(opened).map_err(|error| failed(error.to_string()))?;
    let mut classes = BTreeMap::new();
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

/// The parts of a class path.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let separator = if cfg!(windows) { ';' } else { ':' };
    let part = |name: &str| match name.ends_with(".jar") {
        true => of_archive(Path::new(name)).map(Part::Archive),
        false => Ok(Part::Directory(PathBuf::from(name))),
    };
    text.split(separator).filter(|name| !name.is_empty()).map(part).collect()
}

enum Part {
    Directory(PathBuf),
    Archive(BTreeMap<String, Vec<u8>>),
}

/// Where classes are found: among those that are checked, in the class path, in the JDK.
struct Found {
    classes: BTreeMap<String, Vec<u8>>,
    others: Vec<Part>,
    library: Option<Library>,
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
}

/// The library of a JDK.
struct Library {
    file: Mutex<File>,
    image: Image,
}

impl Library {
    /// The library of the JDK whose compiler is used: beside it, or where that is installed in truth.
    fn find(settings: &Settings) -> Option<Library> {
        let compiler = PathBuf::from(compiler(settings));
        let found = match compiler.components().count() {
            1 => {
                std::env::split_paths(&std::env::var_os("PATH")?).map(|path| path.join(&compiler)).find(|p| p.is_file())
            }
            _ => Some(compiler),
        };
        let installed = std::fs::canonicalize(found?).ok()?;
        Library::open(&installed.parent()?.parent()?.join("lib/modules"))
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

    fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        self.image.class(name, &|range| {
            let mut file = self.file.lock().ok()?;
            let mut bytes = vec![0; usize::try_from(range.end - range.start).ok()?];
            file.seek(SeekFrom::Start(range.start)).ok()?;
            file.read_exact(&mut bytes).ok()?;
            Some(bytes)
        })
    }
}
