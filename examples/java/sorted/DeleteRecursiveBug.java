// Removes an element from a sorted list, by recursion.
// expect: assertion: the number is written into the list

import java.util.Random;

public class DeleteRecursiveBug {
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

    static List delete(List x, int d) {
        if (x == null) {
            return null;
        }
        List rest = x.n;
        if (x.d == d) {
            rest = new List(d + 1);
            rest.n = x;
            return rest;
        }
        x.n = null;
        x.n = delete(rest, d);
        return x;
    }

    static boolean sorted(List x) {
        return x == null || x.n == null || x.d <= x.n.d && sorted(x.n);
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = delete(x, args.length);
        assert sorted(x);
    }
}
