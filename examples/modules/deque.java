// A queue with two ends: a ring of links through a sentinel.
//
// expect: proved
final class Deque<E> {
    private static final class Link<E> {
        E element;
        Link<E> previous;
        Link<E> next;
    }

    private final Link<E> sentinel = new Link<>();

    public Deque() {
        sentinel.previous = sentinel;
        sentinel.next = sentinel;
    }

    public boolean isEmpty() {
        return sentinel.next == sentinel;
    }

    public void addFirst(E element) {
        insert(element, sentinel, sentinel.next);
    }

    public void addLast(E element) {
        insert(element, sentinel.previous, sentinel);
    }

    /** The first element, which is removed, or null. */
    public E pollFirst() {
        return isEmpty() ? null : unlink(sentinel.next);
    }

    /** The last element, which is removed, or null. */
    public E pollLast() {
        return isEmpty() ? null : unlink(sentinel.previous);
    }

    public void clear() {
        sentinel.previous = sentinel;
        sentinel.next = sentinel;
    }

    private void insert(E element, Link<E> before, Link<E> after) {
        Link<E> link = new Link<>();
        link.element = element;
        link.previous = before;
        link.next = after;
        before.next = link;
        after.previous = link;
    }

    private E unlink(Link<E> link) {
        link.previous.next = link.next;
        link.next.previous = link.previous;
        link.previous = null;
        link.next = null;
        return link.element;
    }
}
