// Removes a node using removeRoot and spliceLeft.
// expect: proved

public class RemoveRecursive {
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
        Tree a = t.l;
        t.l = null;
        t.l = spliceLeft(a, s);
        return t;
    }

    static Tree removeRoot(Tree t) {
        Tree a = t.l;
        Tree b = t.r;
        t.l = null;
        t.r = null;
        return b == null ? a : spliceLeft(b, a);
    }

    static Tree remove(Tree t, int d) {
        if (t == null) {
            return null;
        }
        if (t.d == d) {
            return removeRoot(t);
        }
        if (d < t.d) {
            Tree s = t.l;
            t.l = null;
            t.l = remove(s, d);
        } else {
            Tree s = t.r;
            t.r = null;
            t.r = remove(s, d);
        }
        return t;
    }

    public static void main(String[] args) {
        Tree t = create(args.length);
        t = remove(t, 3);
        visit(t);
    }
}
