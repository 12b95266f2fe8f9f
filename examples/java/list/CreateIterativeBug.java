// Creates a list in a loop.
// expect: null-dereference: the list may still be empty

public class CreateIterativeBug {
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
            h.n = t;
            h = t;
            k--;
        }
        return h;
    }

    public static void main(String[] args) {
        List x = create(args.length);
        while (x != null) {
            x = x.n;
        }
    }
}
