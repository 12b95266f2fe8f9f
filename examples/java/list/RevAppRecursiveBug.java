// Reverses a list by appending its head to its reversed tail; append is recursive.
// expect: cutpoint: an element in the middle is used after the call

public class RevAppRecursiveBug {
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
        if (a == null) {
            return b;
        }
        List rest = a.n;
        a.n = null;
        a.n = append(rest, b);
        return a;
    }

    static List reverse(List x) {
        if (x == null) {
            return null;
        }
        List rest = x.n;
        x.n = null;
        List y = reverse(rest);
        List z = append(y, x);
        return y == null ? z : (rest == null ? z : rest);
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = reverse(x);
        while (x != null) {
            x = x.n;
        }
    }
}
