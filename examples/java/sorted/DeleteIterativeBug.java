// Removes an element from a sorted list.
// expect: assertion: the number is written into the first element

import java.util.Random;

public class DeleteIterativeBug {
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

    static List delete(List x, int d) {
        List p = null;
        List q = x;
        while (q != null && q.d != d) {
            p = q;
            q = q.n;
        }
        if (q == null) {
            return x;
        }
        if (p == null) {
            return q.n;
        }
        x.d = d;
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
        x = delete(x, args.length);
        assert sorted(x);
    }
}
