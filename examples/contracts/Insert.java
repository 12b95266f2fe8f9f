// Inserts into a tree of search by a method that calls itself.
//
// expect: proved
class Insert {
    Insert left;
    Insert right;
    int key;

    /*@ requires tree(t); ensures tree(\result) && \result != null; */
    static Insert insert(Insert t, int key) {
        if (t == null) {
            t = new Insert();
            t.key = key;
        } else if (key < t.key) {
            t.left = insert(t.left, key);
        } else {
            t.right = insert(t.right, key);
        }
        return t;
    }

    public static void main(String[] arguments) {
        Insert t = null;
        for (int i = 0; i < arguments.length; i++) {
            t = insert(t, i * 7 % 5);
        }
        while (t != null) {
            t = t.left;
        }
    }
}
