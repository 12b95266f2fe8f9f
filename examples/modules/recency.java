// Pages in the order of their last use: a doubly linked list, of which the oldest is evicted.
//
// expect: proved
final class Recency {
    private static final class Page {
        final int number;
        Page newer;
        Page older;

        Page(int number) {
            this.number = number;
        }
    }

    private final int capacity;
    private int size;
    private Page newest;
    private Page oldest;

    public Recency(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity");
        }
        this.capacity = capacity;
    }

    /** Makes a page the newest one; evicts the oldest one if there are too many. */
    public void use(int number) {
        Page page = find(number);
        if (page != null) {
            unlink(page);
        } else {
            page = new Page(number);
            if (size == capacity) {
                unlink(oldest);
            } 
        }
        pushNewest(page);
    }

    public boolean contains(int number) {
        return find(number) != null;
    }

    private Page find(int number) {
        Page page = newest;
        while (page != null && page.number != number) {
            page = page.older;
        }
        return page;
    }

    private void pushNewest(Page page) {
        page.newer = null;
        page.older = newest;
        if (newest == null) {
            oldest = page;
        } else {
            newest.newer = page;
        }
        newest = page;
        size++;
    }

    private void unlink(Page page) {
        if (page.newer == null) {
            newest = page.older;
        } else {
            page.newer.older = page.older;
        }
        if (page.older == null) {
            oldest = page.newer;
        } else {
            page.older.newer = page.newer;
        }
        size--;
    }
}
