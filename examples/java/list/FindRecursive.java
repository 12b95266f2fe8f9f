// Searches an element in a list by recursion.
// expect: proved

public class FindRecursive {
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

    static List find(List x, int d) {
        if (x == null || x.d == d) {
            return x;
        }
        return find(x.n, d);
    }

    public static void main(String[] args) {
        List x = create(args.length);
        List f = find(x, 3);
        if (f != null) {
            f.d = 4;
        }
        while (x != null) {
            x = x.n;
        }
    }
}
