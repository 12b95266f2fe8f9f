// Reverses a sorted list in place.
// expect: proved

import java.util.Random;

public class ReverseIterative {
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

    static List reverse(List x) {
        List y = null;
        while (x != null) {
            List t = x.n;
            x.n = y;
            y = x;
            x = t;
        }
        return y;
    }

    static boolean falling(List x) {
        while (x != null && x.n != null) {
            if (x.d < x.n.d) {
                return false;
            }
            x = x.n;
        }
        return true;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = reverse(x);
        assert falling(x);
    }
}
