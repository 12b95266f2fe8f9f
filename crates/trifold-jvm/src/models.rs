//! Models: methods of the library that are not analysed from their code, since they are native, or deep, or because
//! they ask the world outside. For example, `new Random().nextInt()` is any number.
//!
//! Whatever is not in this table is analysed as it is written. What is native and not in this table is not analysed.

use crate::classes::ANY;
use trifold_ir::Cause;

/// What a method does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    /// Nothing, and it returns nothing.
    Nothing,
    /// It returns its receiver.
    Receiver,
    /// Any value of its type, for analyses and runs.
    Open,
    /// Any value from zero on that is less than the argument.
    Below,
    /// A value that nobody computes.
    Unknown(Cause),
    /// A new text, of which nobody knows the characters.
    Text,
    /// A text of which nobody knows the characters, nor whether it is a new one.
    SomeText,
    /// The program ends.
    Stop,
    /// It makes a text of its last argument, and so calls `toString` of objects.
    Show,
    /// It makes a text of its last argument, and returns its receiver.
    Append,
    /// `System.arraycopy`
    ArrayCopy,
    /// `Arrays.copyOf`
    CopyOf,
    /// An index that must be less than a length is returned.
    CheckIndex,
    /// The length of a large array that grows by so many elements at least; memory does not run out.
    HugeLength,
    /// It changes or takes a part of a text; whether there is such a part nobody computes.
    Edit,
    /// A text of a pattern and values.
    Format,
    /// A text of several texts.
    Join,
    /// The class of the receiver, which is only compared.
    ClassOf,
    /// Is the machine asked to check assertions? It is.
    True,
    /// The number of characters.
    TextLength,
    /// Are there no characters?
    TextEmpty,
    /// The hash code that the characters have.
    TextHash,
    /// The bits of a number as another number.
    Bits,
    /// The character at an index.
    CharAt,
    /// Are the characters the same?
    TextEquals,
    /// Its arguments must not be null; then it returns a text or a number that nobody computes.
    Strict,
    /// A text of its argument.
    ShowStatic,
    /// The number that a text stands for, which nobody computes; or the text stands for none.
    Parse,
    /// A new box, or one that is kept for small numbers.
    Box,
    /// The number in a box.
    Unbox,
    /// Are they boxes of one class with the same number?
    BoxEquals,
    /// The text of an object is made of its hash code, which may be its own.
    ObjectText,
    /// The text of an exception has its message, for which it may have a method.
    ThrownText,
    /// The constructor of an exception, which may have a message, a cause, or both.
    Thrown,
    /// The square root and the like, which runs compute.
    Float(trifold_ir::FloatOp),
}

/// The classes whose numbers are boxed.
pub(crate) const BOXES: [(&str, char); 8] = [
    ("java/lang/Integer", 'I'),
    ("java/lang/Long", 'J'),
    ("java/lang/Short", 'S'),
    ("java/lang/Byte", 'B'),
    ("java/lang/Character", 'C'),
    ("java/lang/Boolean", 'Z'),
    ("java/lang/Float", 'F'),
    ("java/lang/Double", 'D'),
];

/// The type of the number in a box.
pub(crate) fn boxed(class: &str) -> Option<char> {
    BOXES.iter().find(|(name, _)| *name == class).map(|(_, ty)| *ty)
}

/// Is a class one of which only models are used, and whose static initialiser does not run?
pub(crate) fn is_modelled(class: &str) -> bool {
    const CLASSES: [&str; 13] = [
        "java/util/StringJoiner",
        "java/lang/Object",
        "java/lang/String",
        "java/lang/StringBuilder",
        "java/lang/StringBuffer",
        "java/lang/System",
        "java/lang/Throwable",
        "java/util/Random",
        "java/util/Scanner",
        "java/io/PrintStream",
        "java/lang/Class",
        "java/lang/Math",
        "java/lang/StrictMath",
    ];
    CLASSES.contains(&class) || boxed(class).is_some() || is_foreign(class)
}

/// Is a class of the platform one that is not looked into, because it leads to natives, the environment or other
/// threads? Collections, functions, exceptions and the simplest classes of the language are looked into.
pub(crate) fn is_foreign(class: &str) -> bool {
    const LANGUAGE: [&str; 12] = [
        "AutoCloseable",
        "Character",
        "CharSequence",
        "Cloneable",
        "Comparable",
        "Enum",
        "Iterable",
        "Number",
        "Object",
        "Record",
        "Runnable",
        "Void",
    ];
    const OTHERS: [&str; 17] = [
        "Calendar",
        "Currency",
        "Date",
        "EnumMap",
        "EnumSet",
        "Formatter",
        "GregorianCalendar",
        "ImmutableCollections",
        "Locale",
        "Properties",
        "ResourceBundle",
        "ServiceLoader",
        "SplittableRandom",
        "TimeZone",
        "Timer",
        "UUID",
        "WeakHashMap",
    ];
    let platform = ["java/", "javax/", "jdk/", "sun/", "com/sun/"].iter().any(|start| class.starts_with(start));
    if !platform || class.ends_with("Exception") || class.ends_with("Error") || class.starts_with("java/util/function/")
    {
        return false;
    }
    let (package, name) = class.rsplit_once('/').unwrap_or(("", class));
    let outer = name.split('$').next().unwrap_or(name);
    match package {
        "java/util" => OTHERS.contains(&outer),
        "java/lang" => {
            !LANGUAGE.contains(&outer)
                && !matches!(outer, "Math" | "StrictMath" | "Throwable" | "String")
                && boxed(class).is_none()
                && !matches!(outer, "System" | "StringBuilder" | "StringBuffer" | "Class")
        }
        "java/io" => !matches!(outer, "PrintStream" | "Serializable" | "Closeable" | "Flushable"),
        _ => true,
    }
}

/// Is a method one whose code must not be analysed, because objects of its class are not kept as its code expects? For
/// example, texts have no array of bytes here.
pub(crate) fn is_opaque(class: &str, name: &str) -> bool {
    const CLASSES: [&str; 10] = [
        "java/util/StringJoiner",
        "java/lang/String",
        "java/lang/StringBuilder",
        "java/lang/StringBuffer",
        "java/lang/AbstractStringBuilder",
        "java/lang/System",
        "java/util/Random",
        "java/util/Scanner",
        "java/io/PrintStream",
        "java/lang/Class",
    ];
    const KEPT: [&str; 4] = ["getCause", "getMessage", "getLocalizedMessage", "initCause"];
    CLASSES.contains(&class)
        || class == "java/lang/Throwable" && !KEPT.contains(&name)
        || is_foreign(class) && !(class, name).eq(&GROWTH)
}

/// A method of a foreign class that is simple.
const GROWTH: (&str, &str) = ("jdk/internal/util/ArraysSupport", "newLength");

/// What the fields of a class are, apart from those that its file declares.
pub(crate) fn has_text(class: &str) -> bool {
    class == "java/lang/String"
}

/// The model of a method.
pub(crate) fn model(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    use Model::*;
    let result = descriptor.rsplit_once(')').map_or("", |(_, result)| result);
    if let Some(ty) = boxed(class) {
        return box_method(ty, name, descriptor, result);
    }
    Some(match (class, name, descriptor) {
        (ANY, "value", "()F" | "()D") => Unknown(Cause::Float),
        (ANY, "value", "()Ljava/lang/String;") => Text,
        (ANY, "value", _) => Open,
        (ANY, "below", _) => Below,
        (ANY, "stop", _) => Stop,
        ("java/lang/Object", "<init>", _) => Nothing,
        ("java/lang/Object", "hashCode", _) => Unknown(Cause::Library),
        ("java/lang/Object", "getClass", _) => ClassOf,
        ("java/lang/Class", "getName" | "getSimpleName", _) => SomeText,
        ("java/util/StringJoiner", "<init>", _) => Strict,
        ("java/util/StringJoiner", "add", _) => Append,
        ("java/util/StringJoiner", "toString", _) => Text,
        ("java/util/StringJoiner", "length", _) => Unknown(Cause::Text),
        ("java/lang/Object", "toString", _) => ObjectText,
        ("java/lang/Throwable", "<init>", _) => Thrown,
        ("java/lang/Throwable", "fillInStackTrace", "()Ljava/lang/Throwable;") => Receiver,
        ("java/lang/Throwable", "printStackTrace", "()V") => Show,
        ("java/lang/Throwable", "addSuppressed", _) => Nothing,
        ("java/lang/Throwable", "toString", _) => ThrownText,
        ("java/lang/Class", "desiredAssertionStatus", _) => True,
        ("java/lang/System", "exit", _) => Stop,
        ("java/lang/System", "arraycopy", _) => ArrayCopy,
        ("java/util/Arrays", "copyOf", _) if !descriptor.contains("Class;") => CopyOf,
        ("java/lang/String", "format", "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;") => Format,
        ("java/io/PrintStream", "printf" | "format", _) if descriptor.starts_with("(Ljava/lang/String;[") => Format,
        ("java/lang/String", "join", _) => Join,
        ("jdk/internal/util/Preconditions", "checkIndex", "(IILjava/util/function/BiFunction;)I") => CheckIndex,
        ("jdk/internal/util/ArraysSupport", "hugeLength", "(II)I") => HugeLength,
        ("java/lang/System", "currentTimeMillis" | "nanoTime", _) => Open,
        ("java/lang/System", "gc", _) => Nothing,
        ("java/lang/System", "identityHashCode", _) => Unknown(Cause::Library),
        ("java/io/PrintStream", "println" | "print", _) => Show,
        ("java/io/PrintStream", "flush", _) => Nothing,
        ("java/util/Random", "<init>", _) => Nothing,
        ("java/util/Random", "setSeed", _) => Nothing,
        ("java/util/Random", "nextInt", "(I)I") => Below,
        ("java/util/Random", "nextInt", "()I") => Open,
        ("java/util/Random", "nextLong", "()J") => Open,
        ("java/util/Random", "nextBoolean", "()Z") => Open,
        ("java/util/Random", "nextDouble" | "nextFloat" | "nextGaussian", "()D" | "()F") => Unknown(Cause::Library),
        ("java/util/Scanner", "<init>" | "close", _) => Nothing,
        ("java/util/Scanner", "nextInt", "()I") => Open,
        ("java/util/Scanner", "nextLong", "()J") => Open,
        ("java/util/Scanner", "hasNext" | "hasNextInt" | "hasNextLine" | "nextBoolean", "()Z") => Open,
        ("java/util/Scanner", "next" | "nextLine", "()Ljava/lang/String;") => Text,
        ("java/lang/Math", "random", _) => Unknown(Cause::Library),
        ("java/lang/Math", "sqrt", _) => Float(trifold_ir::FloatOp::SquareRoot),
        ("java/lang/Math", "floor", _) => Float(trifold_ir::FloatOp::Floor),
        ("java/lang/Math", "ceil", _) => Float(trifold_ir::FloatOp::Ceiling),
        ("java/lang/Math", "abs", "(F)F" | "(D)D") => Float(trifold_ir::FloatOp::Absolute),
        ("java/lang/Math" | "java/lang/StrictMath", "pow" | "log" | "exp" | "sin" | "cos" | "tan" | "log10", _) => {
            Unknown(Cause::Float)
        }
        ("java/lang/Math", "min" | "max", "(FF)F" | "(DD)D") => Unknown(Cause::Float),
        ("java/lang/String", ..) => return text_method(name, descriptor, result),
        ("java/lang/StringBuilder" | "java/lang/StringBuffer", ..) => return builder_method(name, descriptor, result),
        _ => return None,
    })
}

fn text_method(name: &str, descriptor: &str, result: &str) -> Option<Model> {
    use Model::*;
    Some(match (name, descriptor) {
        ("length", _) => TextLength,
        ("isEmpty", _) => TextEmpty,
        ("charAt", _) => CharAt,
        ("equals", _) => TextEquals,
        ("toString", _) => Receiver,
        ("valueOf", "(Ljava/lang/Object;)Ljava/lang/String;") => ShowStatic,
        ("valueOf", "([C)Ljava/lang/String;") => Strict,
        ("valueOf", "(Z)Ljava/lang/String;") => return None,
        ("valueOf", _) => ShowStatic,
        ("hashCode", _) => TextHash,
        ("compareTo" | "compareToIgnoreCase", "(Ljava/lang/String;)I") => Strict,
        ("indexOf" | "lastIndexOf" | "startsWith" | "endsWith" | "equalsIgnoreCase", _) if result != "V" => {
            match name {
                "equalsIgnoreCase" => Unknown(Cause::Text),
                _ => Strict,
            }
        }
        ("concat", "(Ljava/lang/String;)Ljava/lang/String;") => Strict,
        ("toLowerCase" | "toUpperCase" | "trim" | "strip", "()Ljava/lang/String;") => SomeText,
        ("isBlank", _) => Unknown(Cause::Text),
        ("substring", _) => Edit,
        ("contains" | "replace", _) if !descriptor.contains("(C") => Strict,
        ("replace", "(CC)Ljava/lang/String;") => SomeText,
        _ => return None,
    })
}

fn builder_method(name: &str, descriptor: &str, result: &str) -> Option<Model> {
    use Model::*;
    Some(match (name, descriptor) {
        ("<init>", "()V") => Nothing,
        ("<init>", "(Ljava/lang/String;)V") => Strict,
        ("append", _) if !descriptor.starts_with("([C") && !descriptor.contains("II)") => Append,
        ("toString", _) => Text,
        ("length", _) if result == "I" => Unknown(Cause::Text),
        ("reverse", _) => Receiver,
        ("insert" | "replace" | "delete" | "deleteCharAt" | "setLength" | "setCharAt" | "charAt" | "substring", _) => {
            Edit
        }
        _ => return None,
    })
}

fn box_method(ty: char, name: &str, descriptor: &str, result: &str) -> Option<Model> {
    use Model::*;
    let of_number = format!("({ty})");
    let is_cached = !matches!(ty, 'F' | 'D');
    Some(match name {
        "valueOf" if descriptor.starts_with(&of_number) => Box,
        "intValue" | "longValue" | "shortValue" | "byteValue" | "charValue" | "booleanValue" | "floatValue"
        | "doubleValue"
            if descriptor.starts_with("()") =>
        {
            match result.starts_with(ty) {
                true => Unbox,
                // A conversion, for which the code says the rules.
                false => return None,
            }
        }
        "doubleToRawLongBits" | "longBitsToDouble" | "floatToRawIntBits" | "intBitsToFloat" => Bits,
        "equals" if is_cached => BoxEquals,
        "equals" => Unknown(Cause::Float),
        // The code of these has constant texts.
        "toString" if ty == 'Z' => return None,
        "toString" if descriptor == "()Ljava/lang/String;" => SomeText,
        "toString" if descriptor.starts_with(&of_number) => SomeText,
        "hashCode" if matches!(ty, 'F' | 'D') => Unknown(Cause::Float),
        "isDigit" | "isLetter" | "isLetterOrDigit" | "isUpperCase" | "isLowerCase" | "isWhitespace"
        | "isAlphabetic" | "toLowerCase" | "toUpperCase" | "getNumericValue" | "digit"
            if ty == 'C' =>
        {
            Unknown(Cause::Text)
        }
        "parseInt" | "parseLong" if descriptor.starts_with("(Ljava/lang/String;)") => Parse,
        _ => return None,
    })
}

/// The exceptions that a method with a model may throw, null pointers aside.
pub(crate) fn model_throws(class: &str, name: &str, descriptor: &str) -> Option<&'static str> {
    match model(class, name, descriptor)? {
        Model::CharAt | Model::Edit => Some("java/lang/StringIndexOutOfBoundsException"),
        Model::Below => Some("java/lang/IllegalArgumentException"),
        Model::ArrayCopy => Some("java/lang/ArrayIndexOutOfBoundsException"),
        Model::CopyOf => Some("java/lang/NegativeArraySizeException"),
        Model::Format => Some("java/util/IllegalFormatException"),
        Model::CheckIndex => Some("java/lang/IndexOutOfBoundsException"),
        Model::Parse => Some("java/lang/NumberFormatException"),
        _ if class == "java/util/Scanner" => Some("java/util/NoSuchElementException"),
        _ => None,
    }
}
