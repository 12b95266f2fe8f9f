// Inserts the head into the sorted tail; insertion is recursive.
// expect: proved

import java.util.Random;

public class TailSortRecursive {
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
        if (x == null) {
            return null;
        }
        List rest = x.n;
        x.n = null;
        List y = sort(rest);
        return put(y, x);
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
