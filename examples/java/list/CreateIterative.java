// Creates a list in a loop.
// expect: proved

public class CreateIterative {
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

    public static void main(String[] args) {
        List x = create(args.length);
        while (x != null) {
            x = x.n;
        }
    }
}
