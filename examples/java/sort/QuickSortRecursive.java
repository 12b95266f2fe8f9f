// Quicksort on a list, as in the paper.
// expect: proved

import java.util.Random;

public class QuickSortRecursive {
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

    static List sort(List p, List q) {
        if (p == null || p == q) {
            return p;
        }
        List hd = p;
        List pr = p;
        List tl = p.n;
        while (tl != q) {
            if (tl.d < p.d) {
                pr.n = tl.n;
                tl.n = hd;
                hd = tl;
                tl = pr.n;
            } else {
                pr = tl;
                tl = tl.n;
            }
        }
        tl = p.n;
        List s = sort(hd, p);
        List t = sort(tl, q);
        p.n = t;
        return s;
    }

    static boolean sorted(List x) {
        return x == null || x.n == null || x.d <= x.n.d && sorted(x.n);
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = sort(x, null);
        assert sorted(x);
    }
}
