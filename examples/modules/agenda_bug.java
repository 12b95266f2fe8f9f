// A sorted list of dates, from which all before a given one can be dropped.
//
// expect: assertion
// twin: agenda.java
final class Agenda {
    private static final class Entry {
        final int day;
        Entry next;

        Entry(int day, Entry next) {
            this.day = day;
            this.next = next;
        }
    }

    private Entry first;

    public void add(int day) {
        if (first == null) {
            first = new Entry(day, first);
        } else {
            Entry before = first;
            while (before.next != null && before.next.day < day) {
                before = before.next;
            }
            before.next = new Entry(day, before.next);
        }
        assert isSorted();
    }

    public boolean remove(int day) {
        Entry before = null;
        Entry entry = first;
        while (entry != null && entry.day < day) {
            before = entry;
            entry = entry.next;
        }
        if (entry == null || entry.day != day) {
            return false;
        }
        if (before == null) {
            first = entry.next;
        } else {
            before.next = entry.next;
        }
        assert isSorted();
        return true;
    }

    private boolean isSorted() {
        for (Entry e = first; e != null && e.next != null; e = e.next) {
            if (e.day > e.next.day) {
                return false;
            }
        }
        return true;
    }
}
