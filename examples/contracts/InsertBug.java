// Inserts into a tree of search by a method that calls itself.
//
// expect: assertion at 26
// twin of: Insert.java — the tree is its own child
class InsertBug {
    InsertBug left;
    InsertBug right;
    int key;

    /*@ requires tree(t); ensures tree(\result) && \result != null; */
    static InsertBug insert(InsertBug t, int key) {
        if (t == null) {
            t = new InsertBug();
            t.key = key;
        } else if (key < t.key) {
            t.left = insert(t.left, key);
        } else {
            t.right = insert(t.right, key);
        }
        return t;
    }

    public static void main(String[] arguments) {
        InsertBug t = null;
        for (int i = 0; i < arguments.length; i++) {
            t = insert(t, i * 7 % 5);
            t.left = t;
        }
        while (t != null) {
            t = t.left;
        }
    }
}
