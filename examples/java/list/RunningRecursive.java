// The running example of the paper.
// expect: proved

public class RunningRecursive {
    static class List {
        List n;
        int d;

        List(int d) {
            this.d = d;
        }
    }

    static List create3(int k) {
        List t1 = new List(k), t2 = new List(k + 1), t3 = new List(k + 2);
        t1.n = t2;
        t2.n = t3;
        return t1;
    }

    static List splice(List p, List q) {
        List w = q;
        if (p != null) {
            List pn = p.n;
            p.n = null;
            p.n = splice(q, pn);
            w = p;
        }
        return w;
    }

    public static void main(String[] args) {
        List x = create3(1), y = create3(4), z = create3(7);
        List t = splice(x, y);
        List s = splice(y, z);
    }
}
