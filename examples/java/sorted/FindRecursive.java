// Searches an element in a sorted list, by recursion.
// expect: proved

import java.util.Random;

public class FindRecursive {
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

    static List find(List x, int d) {
        if (x == null || d <= x.d) {
            return x;
        }
        return find(x.n, d);
    }

    static boolean sorted(List x) {
        return x == null || x.n == null || x.d <= x.n.d && sorted(x.n);
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List y = find(x, args.length);
        if (y != null) {
            System.out.println(y.d);
        }
        assert sorted(x);
    }
}
