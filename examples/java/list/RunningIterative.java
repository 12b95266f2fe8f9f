// The running example of the paper with a loop.
// expect: proved

public class RunningIterative {
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
            w = p;
        }
        List t = null;
        while (p != null) {
            List pn = p.n;
            p.n = null;
            if (t != null) {
                t.n = p;
            }
            t = p;
            p = q;
            q = pn;
        }
        if (t != null) {
            t.n = q;
        }
        return w;
    }

    public static void main(String[] args) {
        List x = create3(1), y = create3(4), z = create3(7);
        List t = splice(x, y);
        List s = splice(y, z);
        s = null;
        while (t != null) {
            t = t.n;
        }
    }
}
