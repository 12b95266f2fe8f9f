// Merges two sorted lists, by recursion.
// expect: assertion: the wrong element is taken first

import java.util.Random;

public class MergeRecursiveBug {
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

    static List merge(List a, List b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        if (b.d <= a.d) {
            List t = a.n;
            a.n = null;
            a.n = merge(t, b);
            return a;
        }
        List t = b.n;
        b.n = null;
        b.n = merge(a, t);
        return b;
    }

    static boolean sorted(List x) {
        return x == null || x.n == null || x.d <= x.n.d && sorted(x.n);
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List y = create(args.length);
        x = merge(x, y);
        y = null;
        assert sorted(x);
    }
}
