// Reverses a list in place by recursion.
// expect: proved

public class ReverseRecursive {
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

    static List reverse(List x) {
        if (x == null || x.n == null) {
            return x;
        }
        List rest = x.n;
        x.n = null;
        List y = reverse(rest);
        rest.n = x;
        return y;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        x = reverse(x);
        while (x != null) {
            x = x.n;
        }
    }
}
