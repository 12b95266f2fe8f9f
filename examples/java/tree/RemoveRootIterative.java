// Removes the root of a tree, with a loop.
// expect: proved

public class RemoveRootIterative {
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

    public static void main(String[] args) {
        Tree t = create(args.length);
        if (t != null) {
            t = removeRoot(t);
        }
        visit(t);
    }
}
