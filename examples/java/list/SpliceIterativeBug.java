// Splices two lists.
// expect: null-dereference: both lists may be empty

public class SpliceIterativeBug {
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

    static List splice(List p, List q) {
        List w = q;
        if (p != null) {
            w = p;
        }
        List t = null;
        while (p != null) {
            List pn = p.n;
            p.n = null;
            if (t != null) {
                t.n = p;
            }
            t = p;
            p = q;
            q = pn;
        }
        t.n = q;
        return w;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List y = create(args.length);
        x = splice(x, y);
        while (x != null) {
            x = x.n;
        }
    }
}
