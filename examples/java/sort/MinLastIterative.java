// Returns the last minimal element of a list.
// expect: proved

public class MinLastIterative {
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

    static List best(List x) {
        List m = x;
        while (x != null) {
            if (x.d <= m.d) {
                m = x;
            }
            x = x.n;
        }
        return m;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List m = best(x);
        if (m != null) {
            System.out.println(m.d);
        }
        while (x != null) {
            x = x.n;
        }
    }
}
