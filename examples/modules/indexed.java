// A linked list whose elements have indices.
//
// expect: proved
final class Names {
    private static final class Node {
        String name;
        Node next;

        Node(String name, Node next) {
            this.name = name;
            this.next = next;
        }
    }

    private Node first;
    private int size;

    public int size() {
        return size;
    }

    public String get(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException();
        }
        return node(index).name;
    }

    /** Inserts a name, so that it has this index. */
    public void insert(int index, String name) {
        if (index < 0 || index > size) {
            throw new IndexOutOfBoundsException();
        }
        if (index == 0) {
            first = new Node(name, first);
        } else {
            Node before = node(index - 1);
            before.next = new Node(name, before.next);
        }
        size++;
    }

    public void remove(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException();
        }
        if (index == 0) {
            first = first.next;
        } else {
            Node before = node(index - 1);
            before.next = before.next.next;
        }
        size--;
    }

    private Node node(int index) {
        Node node = first;
        for (int i = 0; i < index; i++) {
            node = node.next;
        }
        return node;
    }
}
