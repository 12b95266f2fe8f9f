// A search tree whose operations walk down to a key without recursion, and change what they come to.
//
// expect: proved
final class Register {
    private static final class Entry {
        final int key;
        int value;
        Entry left;
        Entry right;

        Entry(int key) {
            this.key = key;
        }
    }

    private Entry root;

    public void put(int key, int value) {
        Entry parent = null;
        Entry entry = root;
        while (entry != null && entry.key != key) {
            parent = entry;
            entry = key < entry.key ? entry.left : entry.right;
        }
        if (entry == null) {
            entry = new Entry(key);
            if (parent == null) {
                root = entry;
            } else if (key < parent.key) {
                parent.left = entry;
            } else {
                parent.right = entry;
            }
        }
        entry.value = value;
    }

    public int get(int key, int otherwise) {
        Entry entry = root;
        while (entry != null && entry.key != key) {
            entry = key < entry.key ? entry.left : entry.right;
        }
        return entry == null ? otherwise : entry.value;
    }

    public int least(int otherwise) {
        if (root == null) {
            return otherwise;
        }
        Entry entry = root;
        while (entry.left != null) {
            entry = entry.left;
        }
        return entry.key;
    }

    public boolean removeLeast() {
        if (root == null) {
            return false;
        }
        if (root.left == null) {
            root = root.right;
            return true;
        }
        Entry parent = root;
        while (parent.left.left != null) {
            parent = parent.left;
        }
        parent.left = parent.left.right;
        return true;
    }
}
