import java.util.function.IntUnaryOperator;

/** A program with something of everything, whose class files are damaged. */
public class Robust {
    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    record Square(int side) implements Shape {
        public int area() {
            return side * side;
        }
    }

    static class Node<T> {
        T value;
        Node<T> next;

        Node(T value, Node<T> next) {
            this.value = value;
            this.next = next;
        }
    }

    enum Colour {
        RED, GREEN
    }

    static long sum(int[] numbers) {
        long sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    static int pick(Object o) {
        if (o instanceof String s) {
            return s.length();
        }
        return o instanceof Integer i ? i : -1;
    }

    static int guarded(Node<String> node, String key) {
        try {
            while (!node.value.equals(key)) {
                node = node.next;
            }
            return node.value.length() / (key.length() - 1);
        } catch (NullPointerException | ArithmeticException e) {
            return -1;
        } finally {
            sum(new int[] {1, 2});
        }
    }

    public static void main(String[] args) {
        Node<String> list = null;
        for (String arg : args) {
            list = new Node<>(arg + args.length, list);
        }
        IntUnaryOperator add = x -> x + args.length;
        double half = add.applyAsInt(3) / 2.0;
        switch (args.length) {
            case 1 -> guarded(list, "x");
            case 200 -> pick(half > 1.5f ? "a" : Integer.valueOf(300));
            default -> pick(new int[2][3]);
        }
        Colour colour = args.length > 2 ? Colour.RED : Colour.GREEN;
        synchronized (colour) {
            assert new Square(3).twice() == 18 : "wrong";
        }
    }
}
