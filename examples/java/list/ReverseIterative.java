// Reverses a list in place.
// expect: proved

public class ReverseIterative {
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

    static List reverse(List x) {
        List y = null;
        while (x != null) {
            List t = x.n;
            x.n = y;
            y = x;
            x = t;
        }
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
