// Inserts an element into a sorted list.
// expect: assertion: the element is put at the front

import java.util.Random;

public class InsertIterativeBug {
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
        List e = new List(new Random().nextInt());
        e.n = x;
        x = e;
        assert sorted(x);
    }
}
