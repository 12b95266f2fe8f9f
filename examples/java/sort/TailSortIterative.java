// Inserts the head into the sorted tail; insertion is a loop.
// expect: proved

import java.util.Random;

public class TailSortIterative {
    static class List {
        List n;
        int d;

        List(int d) {
            this.d = d;
        }
    }

    static List create(int k) {
        List h = null;
        while (k > 0) {
            List t = new List(new Random().nextInt());
            t.n = h;
            h = t;
            k--;
        }
        return h;
    }

    static List put(List x, List e) {
        if (x == null || e.d <= x.d) {
            e.n = x;
            return e;
        }
        List p = x;
        while (p.n != null && p.n.d < e.d) {
            p = p.n;
        }
        e.n = p.n;
        p.n = e;
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
        x = sort(x);
        assert sorted(x);
    }
}
