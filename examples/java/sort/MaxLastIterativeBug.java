// Returns the last maximal element of a list.
// expect: null-dereference: the list may be empty

import java.util.Random;

public class MaxLastIterativeBug {
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

    static List best(List x) {
        List m = x;
        while (x != null) {
            if (x.d >= m.d) {
                m = x;
            }
            x = x.n;
        }
        return m;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List m = best(x);
        System.out.println(m.d);
        List p = x;
        while (p != m) {
            assert p.d <= m.d;
            p = p.n;
        }
        while (p != null) {
            assert p == m || p.d < m.d;
            p = p.n;
        }
    }
}
