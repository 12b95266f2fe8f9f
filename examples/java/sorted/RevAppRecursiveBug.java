// Reverses a sorted list by appending its head to its reversed tail, by recursion.
// expect: assertion: the tail is appended to the head

import java.util.Random;

public class RevAppRecursiveBug {
    static class List {
        List n;
        int d;

        List(int d) {
            this.d = d;
        }
    }

    static List insert(List x, List e) {
        if (x == null || e.d <= x.d) {
            e.n = x;
            return e;
        }
        List rest = x.n;
        x.n = null;
        x.n = insert(rest, e);
        return x;
    }

    static List create(int k) {
        if (k <= 0) {
            return null;
        }
        List x = create(k - 1);
        List e = new List(new Random().nextInt());
        return insert(x, e);
    }

    static List append(List x, List y) {
        if (x == null) {
            return y;
        }
        List rest = x.n;
        x.n = null;
        x.n = append(rest, y);
        return x;
    }

    static List reverse(List x) {
        if (x == null) {
            return null;
        }
        List rest = x.n;
        x.n = null;
        List y = reverse(rest);
        return append(x, y);
    }

    static boolean falling(List x) {
        return x == null || x.n == null || x.d >= x.n.d && falling(x.n);
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = reverse(x);
        assert falling(x);
    }
}
