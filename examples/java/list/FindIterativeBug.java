// Searches an element in a list.
// expect: null-dereference: there may be no such element

public class FindIterativeBug {
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

    static List find(List x, int d) {
        while (x != null && x.d != d) {
            x = x.n;
        }
        return x;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List f = find(x, 3);
        f.d = 4;
        while (x != null) {
            x = x.n;
        }
    }
}
