// Merges two sorted lists by recursion.
// expect: null-dereference: the second list may be empty

public class MergeRecursiveBug {
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

    static List merge(List a, List b) {
        if (a == null) {
            return b;
        }
        if (a.d <= b.d) {
            List t = a.n;
            a.n = null;
            a.n = merge(t, b);
            return a;
        }
        List t = b.n;
        b.n = null;
        b.n = merge(a, t);
        return b;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List y = create(args.length - 1);
        x = merge(x, y);
        while (x != null) {
            x = x.n;
        }
    }
}
