// Returns the last element of a list.
// expect: proved

import java.util.Random;

public class LastIterative {
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
            List t = new List(new Random().nextInt());
            t.n = h;
            h = t;
            k--;
        }
        return h;
    }

    static List last(List x) {
        if (x == null) {
            return null;
        }
        while (x.n != null) {
            x = x.n;
        }
        return x;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List y = last(x);
        if (y != null) {
            assert y.n == null;
        }
        while (x != null) {
            x = x.n;
        }
    }
}
