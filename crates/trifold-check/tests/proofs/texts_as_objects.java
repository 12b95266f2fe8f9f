class Cell<T> { T value; Cell<T> next; boolean has(T x) { return value == x; } Object any() { return value; } }
// == fails: equal literals are one object
class Main { public static void main(String[] a) { Object x = "t", y = "t"; Cell<String> p = null; if (x == y) p.next = p; } }
// == fails: equal literals are not two objects
class Main { public static void main(String[] a) { Object x = "t", y = "t"; assert x != y; } }
// == fails: a literal as a result
class Main {
    static Object same(Object x) { return x; }
    public static void main(String[] a) { assert same("t") != same("t"); }
}
// == fails: literals in fields
class Main {
    Object of;
    public static void main(String[] a) {
        Main x = new Main(), y = new Main(); x.of = "t"; y.of = "t"; if (x.of == y.of) { x = null; x.of = y; }
    }
}
// == fails: a literal in a generic list
class Main { public static void main(String[] a) { Cell<String> c = new Cell<>(); c.value = "t"; assert !c.has("t"); } }
// == fails: a small number in a generic list
class Main { public static void main(String[] a) { Cell<Integer> c = new Cell<>(); c.value = 3; assert !c.has(3); } }
// == fails: a small number as an object
class Main { public static void main(String[] a) { Object x = 5, y = 5; assert x != y; } }
// == fails: a constant expression
class Main { public static void main(String[] a) { Object x = "ab", y = "a" + "b"; assert x != y; } }
// == fails: a literal that comes later
class Main {
    static Object kept;
    static boolean is(Object x) { return kept == x; }
    public static void main(String[] a) { kept = "t"; assert !is("t"); }
}
// == fails: either of two types
class Main { public static void main(String[] a) { Object x = a.length > 9 ? new Main() : "t", y = "t"; assert x != y; } }
// == proved: the same object is itself
class Main { public static void main(String[] a) { Object x = "t", y = x; assert x == y; } }
// == proved: objects of two classes are two
class Main { public static void main(String[] a) { Object x = "t", y = new Main(); Main z = new Main(); assert y != z; } }
// == proved: objects of a generic list are told apart without texts
class Main {
    public static void main(String[] a) {
        Main m = new Main(), n = new Main(); Cell<Main> c = new Cell<>(); c.value = m; assert c.has(m) && !c.has(n);
        System.out.println("done");
    }
}
