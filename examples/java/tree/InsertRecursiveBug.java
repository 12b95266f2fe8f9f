// Inserts a node into a search tree by recursion.
// expect: null-dereference: there is no end to the recursion

public class InsertRecursiveBug {
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

    static Tree insert(Tree t, int d) {
        if (d < t.d) {
            Tree s = t.l;
            t.l = null;
            t.l = insert(s, d);
        } else {
            Tree s = t.r;
            t.r = null;
            t.r = insert(s, d);
        }
        return t;
    }

    public static void main(String[] args) {
        Tree t = create(args.length);
        t = insert(t, 5);
        visit(t);
    }
}
