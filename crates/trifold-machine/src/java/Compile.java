// Compiles Java programs that come over standard input, one after the other, and answers with class files over standard
// output, so that the compiler is started once for many of them. Numbers are those of DataInput; a text is its length
// in bytes, and its bytes in UTF-8.
//
//     request: options (count, texts), files (count, pairs of name and text)
//     answer:  did it compile? what the compiler says, classes (count; name, name of the file, bytes)

import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import javax.tools.*;

class Compile {
    public static void main(String[] none) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        // What a part of the compiler prints is no answer.
        System.setOut(System.err);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        out.writeInt(compiler == null ? 0 : 1);
        out.flush();
        while (compiler != null) {
            int count;
            try {
                count = in.readInt();
            } catch (EOFException end) {
                return;
            }
            List<String> options = new ArrayList<>();
            for (; count > 0; count--) options.add(text(in));
            List<JavaFileObject> files = new ArrayList<>();
            for (count = in.readInt(); count > 0; count--) files.add(new Text(text(in), text(in)));
            answer(compiler, options, files, out);
            out.flush();
        }
    }

    static void answer(JavaCompiler compiler, List<String> options, List<JavaFileObject> files, DataOutputStream out)
            throws IOException {
        StringWriter messages = new StringWriter();
        boolean compiled = false;
        Classes classes = new Classes(compiler.getStandardFileManager(null, null, null));
        try {
            compiled = compiler.getTask(messages, classes, null, options, null, files).call();
        } catch (RuntimeException failure) {
            messages.write("error: the compiler breaks down: " + failure + "\n");
        }
        classes.close();
        out.writeInt(compiled ? 1 : 0);
        text(messages.toString(), out);
        out.writeInt(compiled ? classes.made.size() : 0);
        if (compiled) {
            for (Made made : classes.made) {
                text(made.className, out);
                text(made.file, out);
                out.writeInt(made.bytes.size());
                made.bytes.writeTo(out);
            }
        }
    }

    static String text(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static void text(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static URI uri(String path) {
        try {
            return new URI("text", null, "/" + path.replace('\\', '/'), null);
        } catch (URISyntaxException none) {
            return URI.create("text:///Program.java");
        }
    }

    /** A program in memory, which messages call as people do. */
    static class Text extends SimpleJavaFileObject {
        final String path;
        final String text;

        Text(String path, String text) {
            super(uri(path), Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        @Override
        public String getName() {
            return path;
        }

        /** A public class may be in a file of any name: whoever checks a text need not invent one for it. */
        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return kind == Kind.SOURCE;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    static class Made extends SimpleJavaFileObject {
        final String className;
        final String file;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Made(String className, String file) {
            super(uri(className), Kind.CLASS);
            this.className = className;
            this.file = file;
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    static class Classes extends ForwardingJavaFileManager<StandardJavaFileManager> {
        final List<Made> made = new ArrayList<>();

        Classes(StandardJavaFileManager manager) {
            super(manager);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            Made file = new Made(className.replace('.', '/'), sibling == null ? "" : sibling.getName());
            made.add(file);
            return file;
        }
    }
}
