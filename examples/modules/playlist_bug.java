// Songs, the latest first, that are iterated over, which Java does itself in a `for` loop.
//
// expect: null-dereference
// twin: playlist.java
import java.util.Iterator;

final class Playlist<S> implements Iterable<S> {
    private static final class Track<S> {
        final S song;
        Track<S> next;

        Track(S song, Track<S> next) {
            this.song = song;
            this.next = next;
        }
    }

    private Track<S> first;

    public void add(S song) {
        first = new Track<>(song, first);
    }

    /** The song that was added last, which is removed, or null. */
    public S removeLatest() {
        if (first == null) {
            return null;
        }
        S song = first.song;
        first = first.next;
        return song;
    }

    public int count() {
        int count = 0;
        for (S song : this) {
            count++;
        }
        return count;
    }

    @Override
    public Iterator<S> iterator() {
        return new Iterator<S>() {
            private Track<S> next = first;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public S next() {
                S song = next.song;
                next = next.next;
                return song;
            }
        };
    }
}
