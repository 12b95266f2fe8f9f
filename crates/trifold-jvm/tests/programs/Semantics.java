/** Every assertion holds in Java; so it must in the translation. */
public class Semantics {
    static int count;
    static Node shared = new Node(7);

    static class Node {
        Node next;
        int value = 3;
        long big;
        short small;
        char letter;
        boolean flag;
        Object any;

        Node() {
        }

        Node(int value) {
            this();
            this.value = value;
        }

        Node(int value, Node next) {
            this(value);
            this.next = next;
        }

        int get() {
            return value;
        }

        Node push(int v) {
            return new Node(v, this);
        }
    }

    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    interface Named {
        default int name() {
            return 1;
        }
    }

    interface Renamed extends Named {
        default int name() {
            return 2;
        }
    }

    static class Both implements Named, Renamed {
    }

    static abstract class Base implements Shape {
        int size = 1;

        Base() {
            setUp();
        }

        void setUp() {
            size = 10;
        }

        static int kind() {
            return 0;
        }

        private int secret() {
            return 1;
        }

        int callsSecret() {
            return secret();
        }
    }

    static class Hiding extends Square {
        int secret() {
            return 2 + super.kind();
        }
    }

    static class Square extends Base {
        int side = 4;

        public int area() {
            return side * side;
        }
    }

    static class Rectangle extends Square {
        int other = 0;

        Rectangle(int side, int other) {
            super();
            this.side = side;
            this.other = other;
        }

        public int area() {
            return side * other;
        }

        public int twice() {
            return super.twice() + 1;
        }

        void setUp() {
            super.setUp();
            other = 99;
            side = 98;
        }
    }

    static class Box<T> {
        T content;
        Box<T> rest;

        Box(T content, Box<T> rest) {
            this.content = content;
            this.rest = rest;
        }

        T get() {
            return content;
        }
    }

    static int next() {
        count = count + 1;
        return count;
    }

    static boolean yes() {
        count = count + 10;
        return true;
    }

    static int pick(int i) {
        return 1;
    }

    static int pick(long l) {
        return 2;
    }

    static int pick(Object o) {
        return 3;
    }

    static int pick(Square s) {
        return 4;
    }

    static int factorial(int n) {
        return n <= 1 ? 1 : n * factorial(n - 1);
    }

    static void arithmetic() {
        int a = 7, b = -2;
        assert a / b == -3 && a % b == 1 && a >> 1 == 3 && b >>> 28 == 15 && (b >> 1) == -1;
        int max = Integer.MAX_VALUE;
        assert max + 1 == Integer.MIN_VALUE;
        long l = max;
        assert l + 1 == 2147483648L;
        assert (byte) 200 == -56 && (char) 65536 == 0 && (short) 40000 == -25536;
        byte by = 10;
        by += 250;
        assert by == 4;
        char c = 'a';
        c++;
        assert c == 'b' && c + 1 == 99;
        assert (5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6 && ~5 == -6 && 1 << 33 == 2 && 1L << 33 == 8589934592L;
        assert 0x7f == 127 && 0b101 == 5 && 017 == 15 && 1_000 == 1000 && -2147483648 < 0;
        assert true ^ false && !(true & false) && (true | false);
        int x = 5;
        int y = x++ + ++x;
        assert x == 7 && y == 12;
        x = x + (x = 2) * x;
        assert x == 11;
        x += x++ + 1;
        assert x == 23;
        x -= 3;
        x *= 2;
        x /= 3;
        x %= 7;
        assert x == 6;
        x <<= 3;
        x >>= 1;
        x >>>= 1;
        assert x == 12;
    }

    static void order() {
        count = 0;
        assert next() * 10 + next() == 12;
        assert yes() || next() > 100;
        assert count == 12;
        assert !(!yes() && yes()) && count == 22;
        Node n = new Node(1);
        Node old = n;
        n.next = n = new Node(2);
        assert old.next == n && n.value == 2 && n.next == null;
        count = 5;
        assert count + next() == 11;
        int[] array = new int[3];
        int i = 0;
        array[i] = i = 2;
        assert i == 2 && array.length >= 0;
        assert (count > 100 ? old : n) == n && (count > 100 ? null : old) == old;
    }

    static void objects() {
        Node n = new Node();
        assert n.value == 3 && n.big == 0 && n.small == 0 && n.letter == 0 && !n.flag && n.next == null && n.any == null;
        n = new Node(5, n);
        assert n.get() == 5 && n.next.get() == 3 && n.push(6).next == n && n.push(6).value == 6;
        n.next.value++;
        n.next.value += 2;
        assert n.next.value == 6;
        assert shared.value == 7 && Semantics.shared == shared;
        shared = null;
        assert shared == null && n.equals(n) && !n.equals(n.next);
        Box<Node> box = new Box<>(n, null);
        box = new Box<Node>(n.next, box);
        Node inside = box.rest.content;
        assert inside == n;
        Node other = box.get();
        assert other == n.next && other.value == 6;
        Integer boxed = 5;
        assert boxed != null;
        String text = "a" + n.value;
        assert text != null;
        var same = n;
        assert same == n;
        outer:
        for (int i = 0; i < 3; i++) {
            for (int j = 0; ; j++) {
                if (j == 1) {
                    continue outer;
                }
                if (i == 2) {
                    break outer;
                }
                count = 10 * i + j;
            }
        }
        assert count == 10;
        int k = 0;
        do {
            k++;
        } while (k < 3);
        assert k == 3;
        block: {
            if (k == 3) {
                break block;
            }
            k = 100;
        }
        assert k == 3;
    }

    static void classes() {
        Square square = new Square();
        Rectangle rectangle = new Rectangle(2, 3);
        Base base = rectangle;
        Shape shape = square;
        assert square.size == 10 && square.side == 4 && rectangle.side == 2 && rectangle.other == 3;
        assert base.area() == 6 && shape.area() == 16 && base.twice() == 13 && shape.twice() == 32;
        assert base instanceof Rectangle && !(shape instanceof Rectangle) && shape instanceof Base;
        assert !(null instanceof Square);
        Square cast = (Square) base;
        assert cast == rectangle && ((Rectangle) cast).other == 3;
        assert pick(1) == 1 && pick(1L) == 2 && pick('a') == 1 && pick(new Node()) == 3 && pick(rectangle) == 4;
        assert Base.kind() == 0 && factorial(5) == 120;
        shape = null;
        assert (Square) shape == null;
        Base hidden = new Hiding();
        Named named = new Both();
        assert hidden.callsSecret() == 1 && new Hiding().secret() == 2 && named.name() == 2;
    }

    static int kind(byte x) {
        return 1;
    }

    static int kind(short x) {
        return 2;
    }

    static int kind(char x) {
        return 3;
    }

    static int kind(int x) {
        return 4;
    }

    static int kind(long x) {
        return 5;
    }

    static int width(byte x) {
        return 8;
    }

    static int width(int x) {
        return 32;
    }

    static int both(int x, long y) {
        return 1;
    }

    static int both(Object x, Object y) {
        return 2;
    }

    /** The types of conditionals, and the methods that they choose. */
    static void conditionals() {
        byte b = 1;
        short s = 2;
        char c = 'c';
        int i = 3;
        long l = 4;
        Integer box = 5;
        Long large = 6L;
        boolean yes = count == count;
        assert kind(yes ? b : s) == 2 && kind(yes ? s : b) == 2 && kind(yes ? b : c) == 4 && kind(yes ? b : b) == 1;
        assert kind(yes ? c : 1) == 3 && kind(yes ? 65536 : c) == 4 && kind(yes ? c : i) == 4;
        assert kind(yes ? b : -128) == 1 && kind(yes ? b : 128) == 4 && kind(yes ? s : 6 / 2) == 2;
        assert kind(yes ? b : (i = 1)) == 4 && kind(yes ? i : l) == 5;
        assert kind(yes ? box : s) == 4 && kind(yes ? box : large) == 5;
        Integer none = yes ? null : 7;
        Integer some = yes ? 7 : null;
        assert none == null && some == 7;
        assert width(box) == 32 && both(1, 2L) == 1 && both(1, null) == 2;
    }

    /** Boxes are numbers of their type. */
    static void boxes() {
        Integer x = 5;
        int old = x++;
        assert old == 5 && x == 6 && x-- + x == 11 && ++x + x == 12;
        Character last = '\uffff';
        last++;
        assert last == 0;
        Byte small = 127;
        small++;
        assert small == -128;
    }

    static class Late {
        {
            first = 7;
            third = 7;
        }
        int first = 0;
        int second = set();
        int third;
        int fourth = 0;

        int set() {
            fourth = 9;
            return 1;
        }
    }

    static class Early {
        int seen;

        Early() {
            seen = see();
        }

        int see() {
            return 0;
        }
    }

    static class Constant extends Early {
        final int known = 3 * 7;
        int later = 5;

        int see() {
            return known + later;
        }
    }

    static int above = 4;

    static {
        below = 8;
    }

    static int below = 0;

    /** Fields have the values that were set last, and constants have theirs from the beginning. */
    static void initializers() {
        Late late = new Late();
        assert late.first == 0 && late.second == 1 && late.third == 7 && late.fourth == 0;
        Constant constant = new Constant();
        assert constant.seen == 21 && constant.later == 5;
        assert above == 4 && below == 0;
    }

    public static void main(String[] args) {
        assert shared != null && shared.value == 7 && args != null;
        arithmetic();
        order();
        objects();
        classes();
        conditionals();
        boxes();
        initializers();
        System.out.println("done " + count);
    }
}
