// Listeners that are told of a number, and may be removed.
//
// expect: null-dereference
// twin: listeners.java
interface Listener {
    boolean changed(int value);
}

final class Observed {
    private static final class Entry {
        final Listener listener;
        Entry next;

        Entry(Listener listener, Entry next) {
            this.listener = listener;
            this.next = next;
        }
    }

    private Entry entries;
    private int value;

    public void add(Listener listener) {
        entries = new Entry(listener, entries);
    }

    public void remove(Listener listener) {
        Entry before = null;
        for (Entry entry = entries; entry != null; entry = entry.next) {
            if (entry.listener == listener) {
                if (before == null) {
                    entries = entry.next;
                } else {
                    before.next = entry.next;
                }
                return;
            }
            before = entry;
        }
    }

    /** Tells all listeners; those that answer false are removed. */
    public void set(int value) {
        this.value = value;
        Entry kept = null;
        Entry entry = entries;
        while (entry != null) {
            if (entry.listener.changed(value)) {
                kept = entry;
            } else {
                kept.next = entry.next;
            }
            entry = entry.next;
        }
    }

    public int get() {
        return value;
    }
}
