// Inserts a node into a search tree.
// expect: null-dereference: the tree may be empty

public class InsertIterativeBug {
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
        Tree e = new Tree(d);
        Tree p = t;
        while (true) {
            if (d < p.d) {
                if (p.l == null) {
                    p.l = e;
                    return t;
                }
                p = p.l;
            } else {
                if (p.r == null) {
                    p.r = e;
                    return t;
                }
                p = p.r;
            }
        }
    }

    public static void main(String[] args) {
        Tree t = create(args.length);
        t = insert(t, 5);
        visit(t);
    }
}
