// Creates a list by recursion.
// expect: proved

public class CreateRecursive {
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

    public static void main(String[] args) {
        List x = create(args.length);
        while (x != null) {
            x = x.n;
        }
    }
}
