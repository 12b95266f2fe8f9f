// Merges two sorted lists.
// expect: null-dereference: one of the lists may have come to its end

public class MergeIterativeBug {
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
            List t = new List(k);
            t.n = h;
            h = t;
            k--;
        }
        return h;
    }

    static List merge(List a, List b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        List h = null;
        List t = null;
        while (a != null || b != null) {
            List e = a;
            if (a.d <= b.d) {
                a = a.n;
            } else {
                e = b;
                b = b.n;
            }
            e.n = null;
            if (t == null) {
                h = e;
            } else {
                t.n = e;
            }
            t = e;
        }
        if (a != null) {
            t.n = a;
        } else {
            t.n = b;
        }
        return h;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List y = create(args.length);
        x = merge(x, y);
        while (x != null) {
            x = x.n;
        }
    }
}
