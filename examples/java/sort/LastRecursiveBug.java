// Returns the last element of a list by recursion.
// expect: null-dereference: the list may be empty

import java.util.Random;

public class LastRecursiveBug {
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

    static List last(List x) {
        if (x.n == null) {
            return x;
        }
        return last(x.n);
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List y = last(x);
        if (y != null) {
            assert y.n == null;
        }
        while (x != null) {
            x = x.n;
        }
    }
}
