// Reverses a list by appending its head to its reversed tail; append is a loop.
// expect: null-dereference: there is no end to the recursion

public class RevAppIterativeBug {
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
        while (t.n != null) {
            t = t.n;
        }
        t.n = b;
        return a;
    }

    static List reverse(List x) {
        List rest = x.n;
        x.n = null;
        List y = reverse(rest);
        return append(y, x);
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = reverse(x);
        while (x != null) {
            x = x.n;
        }
    }
}
