// Inserts elements into a sorted list by recursion.
// expect: null-dereference: the list may be empty

public class InsertRecursiveBug {
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

    static List insert(List x, int d) {
        if (d <= x.d) {
            List e = new List(d);
            e.n = x;
            return e;
        }
        List rest = x.n;
        x.n = null;
        x.n = insert(rest, d);
        return x;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = insert(x, 3);
        x = insert(x, 7);
        while (x != null) {
            x = x.n;
        }
    }
}
