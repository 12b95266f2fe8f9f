// Removes a node using removeRoot and spliceLeft, with loops.
// expect: proved

public class RemoveIterative {
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
        while (p.l != null) {
            p = p.l;
        }
        p.l = s;
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
        Tree p = null;
        Tree q = t;
        while (q != null && q.d != d) {
            p = q;
            q = d < q.d ? q.l : q.r;
        }
        if (q == null) {
            return t;
        }
        if (p == null) {
            return removeRoot(q);
        }
        if (p.l == q) {
            p.l = removeRoot(q);
        } else {
            p.r = removeRoot(q);
        }
        return t;
    }

    public static void main(String[] args) {
        Tree t = create(args.length);
        t = remove(t, 3);
        visit(t);
    }
}
