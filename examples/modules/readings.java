// The readings of a meter, latest first: how many, their average, and each by its index.
//
// expect: proved
final class Readings {
    private static final class Reading {
        final int value;
        final Reading earlier;

        Reading(int value, Reading earlier) {
            this.value = value;
            this.earlier = earlier;
        }
    }

    private Reading latest;
    private int count;

    public int count() {
        return count;
    }

    public void add(int value) {
        latest = new Reading(value, latest);
        count++;
    }

    /** Takes the latest reading back. */
    public void undo() {
        if (latest != null) {
            latest = latest.earlier;
            count--;
        }
    }

    public int average() {
        if (latest == null) {
            return 0;
        }
        int sum = 0;
        for (Reading reading = latest; reading != null; reading = reading.earlier) {
            sum += reading.value;
        }
        return sum / count;
    }

    /** The reading with this index; the latest one has index zero. */
    public int get(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("there is no reading " + index);
        }
        Reading reading = latest;
        while (index > 0) {
            reading = reading.earlier;
            index--;
        }
        return reading.value;
    }
}
