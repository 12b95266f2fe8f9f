// Searches an element in a sorted list.
// expect: proved

import java.util.Random;

public class FindIterative {
    static class List {
        List n;
        int d;

        List(int d) {
            this.d = d;
        }
    }

    static List insert(List x, List e) {
        List p = null;
        List q = x;
        while (q != null && q.d < e.d) {
            p = q;
            q = q.n;
        }
        e.n = q;
        if (p == null) {
            return e;
        }
        p.n = e;
        return x;
    }

    static List create(int k) {
        List x = null;
        while (k > 0) {
            List e = new List(new Random().nextInt());
            x = insert(x, e);
            k--;
        }
        return x;
    }

    static List find(List x, int d) {
        while (x != null && x.d < d) {
            x = x.n;
        }
        return x;
    }

    static boolean sorted(List x) {
        while (x != null && x.n != null) {
            if (x.d > x.n.d) {
                return false;
            }
            x = x.n;
        }
        return true;
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
