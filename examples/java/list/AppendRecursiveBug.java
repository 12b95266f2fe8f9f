// Appends two lists by recursion.
// expect: null-dereference: the wrong list is tested

public class AppendRecursiveBug {
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

    static List append(List a, List b) {
        if (b == null) {
            return a;
        }
        List rest = a.n;
        a.n = null;
        a.n = append(rest, b);
        return a;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List y = create(args.length);
        x = append(x, y);
        while (x != null) {
            x = x.n;
        }
    }
}
