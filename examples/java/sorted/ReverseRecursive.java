// Reverses a sorted list in place, by recursion.
// expect: proved

import java.util.Random;

public class ReverseRecursive {
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

    static List reverse(List x) {
        if (x == null || x.n == null) {
            return x;
        }
        List rest = x.n;
        x.n = null;
        List y = reverse(rest);
        rest.n = x;
        return y;
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
