// Creates a full tree.
// expect: null-dereference: the left subtree may be empty

public class CreateRecursiveBug {
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
        a.l = t;
        t.r = b;
        return t;
    }

    static void visit(Tree t) {
        if (t != null) {
            visit(t.l);
            visit(t.r);
        }
    }

    public static void main(String[] args) {
        Tree t = create(args.length);
        visit(t);
    }
}
