// Splices two lists by recursion.
// expect: null-dereference: the wrong list is tested

public class SpliceRecursiveBug {
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
        List h = new List(k);
        h.n = t;
        return h;
    }

    static List splice(List p, List q) {
        List w = q;
        if (q != null) {
            List pn = p.n;
            p.n = null;
            p.n = splice(q, pn);
            w = p;
        }
        return w;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List y = create(args.length + 1);
        x = splice(x, y);
        while (x != null) {
            x = x.n;
        }
    }
}
