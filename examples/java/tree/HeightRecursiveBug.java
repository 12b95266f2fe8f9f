// Computes the height of a tree.
// expect: null-dereference: the right subtree may be empty

public class HeightRecursiveBug {
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

    static int height(Tree t) {
        if (t == null) {
            return 0;
        }
        int a = height(t.l);
        int b = height(t.r.l);
        return a < b ? b + 1 : a + 1;
    }

    public static void main(String[] args) {
        Tree t = create(args.length);
        System.out.println(height(t));
    }
}
