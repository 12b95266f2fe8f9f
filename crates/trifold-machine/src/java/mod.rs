//! Class files on this machine: Java files are compiled by the compiler of a JDK, class files and archives are read,
//! and the classes of the library come from the image of the JDK.
//!
//! For example, `List.java` is compiled in memory, and `java/util/HashMap` is read from `lib/modules` of the JDK when
//! somebody asks for it.

mod classpath;
mod compiler;
mod jdk;

pub use compiler::{Compiler, Text};

use classpath::{Found, of_archive, of_class, of_directory, parts};
use jdk::Library;
use std::path::Path;
use std::sync::Arc;
use trifold_check::source::ClassFiles;

/// Where Java is, and where classes are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The compiler; without it that of `JAVA_HOME`, or `javac`.
    pub javac: Option<String>,
    /// Directories and archives with further classes, as Java has them.
    pub classpath: Option<String>,
}

/// The classes that are compiled already: of a class file, an archive or a directory.
pub fn classes(path: &str, settings: &Settings) -> Result<ClassFiles, String> {
    let classes = match Path::new(path) {
        directory if directory.is_dir() => of_directory(directory)?,
        file if path.ends_with(".jar") => of_archive(file)?,
        file => of_class(file)?,
    };
    if classes.is_empty() {
        return Err(format!("there are no classes in {path}"));
    }
    let names = classes.keys().cloned().collect();
    let others = Arc::new(settings.classpath.as_deref().map_or(Ok(Vec::new()), parts)?);
    let library = Library::find(settings).map(Arc::new);
    Ok(ClassFiles { names, texts: Vec::new(), path: Arc::new(Found { classes, others, library }), together: 0 })
}
