// A queue with references to its first and its last element.
//
// expect: null-dereference
// twin: fifo.java
import java.util.NoSuchElementException;

final class Fifo<T> {
    private static final class Item<T> {
        final T value;
        Item<T> next;

        Item(T value) {
            this.value = value;
        }
    }

    private Item<T> first;
    private Item<T> last;

    public boolean isEmpty() {
        return first == null;
    }

    public void put(T value) {
        Item<T> item = new Item<>(value);
        if (last == null) {
            first = item;
        } else {
            last.next = item;
        }
        last = item;
    }

    public T take() {
        if (first == null) {
            throw new NoSuchElementException();
        }
        T value = first.value;
        first = first.next;
        if (first == null) {
            last = null;
        }
        return value;
    }

    public T newest() {
        return first == null ? null : last.value;
    }

    /** Moves all elements of the other queue behind those of this one. */
    public void takeAll(Fifo<T> other) {
        if (other == this || other.first == null) {
            return;
        }
        last.next = other.first;
        last = other.last;
        other.first = null;
        other.last = null;
    }
}
