// Moves the elements into a sorted list by recursion.
// expect: proved

import java.util.Random;

public class InsertionSortRecursive {
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

    static List put(List x, List e) {
        if (x == null || e.d <= x.d) {
            e.n = x;
            return e;
        }
        List rest = x.n;
        x.n = null;
        x.n = put(rest, e);
        return x;
    }

    static List sort(List x) {
        List y = null;
        while (x != null) {
            List e = x;
            x = x.n;
            e.n = null;
            y = put(y, e);
        }
        return y;
    }

    static boolean sorted(List x) {
        return x == null || x.n == null || x.d <= x.n.d && sorted(x.n);
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = sort(x);
        assert sorted(x);
    }
}
