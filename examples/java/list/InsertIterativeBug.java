// Inserts elements into a sorted list.
// expect: null-dereference: the new element may belong at the end

public class InsertIterativeBug {
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

    static List insert(List x, int d) {
        List e = new List(d);
        if (x == null || d <= x.d) {
            e.n = x;
            return e;
        }
        List p = x;
        while (p.n.d < d) {
            p = p.n;
        }
        e.n = p.n;
        p.n = e;
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
