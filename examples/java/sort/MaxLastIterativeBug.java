// Returns the last maximal element of a list.
// expect: null-dereference: the list may be empty

public class MaxLastIterativeBug {
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
            if (x.d >= m.d) {
                m = x;
            }
            x = x.n;
        }
        return m;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List m = best(x);
        System.out.println(m.d);
        while (x != null) {
            x = x.n;
        }
    }
}
