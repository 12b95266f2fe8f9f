// A stack that is a list of nodes, and counts them.
//
// expect: proved
import java.util.EmptyStackException;

final class Stack {
    private static final class Node {
        final int value;
        final Node below;

        Node(int value, Node below) {
            this.value = value;
            this.below = below;
        }
    }

    private Node top;
    private int size;

    public boolean isEmpty() {
        return top == null;
    }

    public int size() {
        return size;
    }

    public void push(int value) {
        top = new Node(value, top);
        size++;
    }

    public int pop() {
        if (isEmpty()) {
            throw new EmptyStackException();
        }
        int value = top.value;
        top = top.below;
        size--;
        return value;
    }

    public int peek() {
        if (isEmpty()) {
            throw new EmptyStackException();
        }
        return top.value;
    }

    /** Exchanges the two uppermost values; does nothing if there are fewer. */
    public void swap() {
        if (top == null || top.below == null) {
            return;
        }
        Node second = top.below;
        top = new Node(second.value, new Node(top.value, second.below));
    }

    public boolean contains(int value) {
        for (Node node = top; node != null; node = node.below) {
            if (node.value == value) {
                return true;
            }
        }
        return false;
    }
}
