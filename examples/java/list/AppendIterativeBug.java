// Appends two lists.
// expect: null-dereference: the loop goes one step too far

public class AppendIterativeBug {
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

    static List append(List a, List b) {
        if (a == null) {
            return b;
        }
        List t = a;
        while (t != null) {
            t = t.n;
        }
        t.n = b;
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
