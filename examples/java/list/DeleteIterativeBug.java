// Removes an element from a list.
// expect: null-dereference: the first element has no predecessor

public class DeleteIterativeBug {
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

    static List delete(List x, int d) {
        List p = null;
        List c = x;
        while (c != null && c.d != d) {
            p = c;
            c = c.n;
        }
        if (c == null) {
            return x;
        }
        p.n = c.n;
        return x;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = delete(x, 1);
        while (x != null) {
            x = x.n;
        }
    }
}
