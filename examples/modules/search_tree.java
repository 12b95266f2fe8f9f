// A set of numbers as a binary search tree, whose least number can be removed.
//
// expect: proved
final class SearchTree {
    private static final class Node {
        final int key;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
        }
    }

    private Node root;

    public boolean isEmpty() {
        return root == null;
    }

    public boolean contains(int key) {
        Node node = root;
        while (node != null && node.key != key) {
            node = key < node.key ? node.left : node.right;
        }
        return node != null;
    }

    public boolean add(int key) {
        if (root == null) {
            root = new Node(key);
            return true;
        }
        Node node = root;
        while (node.key != key) {
            if (key < node.key) {
                if (node.left == null) {
                    node.left = new Node(key);
                    return true;
                }
                node = node.left;
            } else {
                if (node.right == null) {
                    node.right = new Node(key);
                    return true;
                }
                node = node.right;
            }
        }
        return false;
    }

    /** Removes the least key; the tree must not be empty. */
    public int removeMin() {
        if (root == null) {
            throw new IllegalStateException("empty");
        }
        Node parent = null;
        Node least = root;
        while (least.left != null) {
            parent = least;
            least = least.left;
        }
        if (parent == null) {
            root = least.right;
        } else {
            parent.left = least.right;
        }
        return least.key;
    }
}
