// Removes an element from a list by recursion.
// expect: null-dereference: there may be no such element

public class DeleteRecursiveBug {
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

    static List delete(List x, int d) {
        List rest = x.n;
        if (x.d == d) {
            return rest;
        }
        x.n = null;
        x.n = delete(rest, d);
        return x;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = delete(x, 3);
        while (x != null) {
            x = x.n;
        }
    }
}
