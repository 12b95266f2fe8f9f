// Returns the first minimal element of a list by recursion.
// expect: null-dereference: the rest of the list may be empty

import java.util.Random;

public class MinFirstRecursiveBug {
    static class List {
        List n;
        int d;

        List(int d) {
            this.d = d;
        }
    }

    static List create(int k) {
        if (k <= 0) {
            return null;
        }
        List t = create(k - 1);
        List h = new List(new Random().nextInt());
        h.n = t;
        return h;
    }

    static List best(List x) {
        if (x == null) {
            return x;
        }
        List m = best(x.n);
        if (m.d < x.d) {
            return m;
        }
        return x;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List m = best(x);
        if (m != null) {
            System.out.println(m.d);
        }
        List p = x;
        while (p != m) {
            assert p.d > m.d;
            p = p.n;
        }
        while (p != null) {
            assert p == m || p.d >= m.d;
            p = p.n;
        }
    }
}
