// Splices a tree as the leftmost child of another one.
// expect: null-dereference: the loop goes one step too far

public class SpliceLeftIterativeBug {
    static class Tree {
        Tree l, r;
        int d;

        Tree(int d) {
            this.d = d;
        }
    }

    static Tree create(int depth) {
        if (depth <= 0) {
            return null;
        }
        Tree a = create(depth - 1);
        Tree b = create(depth - 1);
        Tree t = new Tree(depth);
        t.l = a;
        t.r = b;
        return t;
    }

    static void visit(Tree t) {
        if (t != null) {
            visit(t.l);
            visit(t.r);
        }
    }

    static Tree spliceLeft(Tree t, Tree s) {
        if (t == null) {
            return s;
        }
        Tree p = t;
        while (p != null) {
            p = p.l;
        }
        p.l = s;
        return t;
    }

    public static void main(String[] args) {
        Tree t = create(args.length);
        Tree s = create(args.length);
        t = spliceLeft(t, s);
        s = null;
        visit(t);
    }
}
