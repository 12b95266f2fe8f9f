// Finds a node with a given key.
// expect: null-dereference: there may be no such node

public class FindIterativeBug {
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

    static Tree find(Tree t, int d) {
        while (t != null && t.d != d) {
            t = d < t.d ? t.l : t.r;
        }
        return t;
    }

    public static void main(String[] args) {
        Tree t = create(args.length);
        Tree f = find(t, 3);
        f.d = 4;
        visit(t);
    }
}
