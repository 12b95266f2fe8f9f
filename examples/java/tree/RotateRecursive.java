// Exchanges the left and right children of every node.
// expect: proved

public class RotateRecursive {
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

    static void rotate(Tree t) {
        if (t != null) {
            Tree a = t.l;
            Tree b = t.r;
            rotate(a);
            rotate(b);
            t.l = b;
            t.r = a;
        }
    }

    public static void main(String[] args) {
        Tree t = create(args.length);
        rotate(t);
        visit(t);
    }
}
