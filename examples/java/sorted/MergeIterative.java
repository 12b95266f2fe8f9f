// Merges two sorted lists.
// expect: proved

import java.util.Random;

public class MergeIterative {
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

    static List merge(List a, List b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        List h;
        if (a.d <= b.d) {
            h = a;
            a = a.n;
        } else {
            h = b;
            b = b.n;
        }
        List p = h;
        while (a != null && b != null) {
            if (a.d <= b.d) {
                p.n = a;
                p = a;
                a = a.n;
            } else {
                p.n = b;
                p = b;
                b = b.n;
            }
        }
        if (a == null) {
            p.n = b;
        } else {
            p.n = a;
        }
        return h;
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
        List y = create(args.length);
        x = merge(x, y);
        y = null;
        assert sorted(x);
    }
}
