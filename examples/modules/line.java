// The text before and after the cursor of an editor, as two stacks; deleted letters are kept to be used again.
//
// expect: proved
final class Line {
    private static final class Letter {
        char value;
        Letter next;
    }

    private Letter before;
    private Letter after;
    private Letter unused;

    public void type(char value) {
        Letter letter = unused;
        if (letter == null) {
            letter = new Letter();
        } else {
            unused = letter.next;
        }
        letter.value = value;
        letter.next = before;
        before = letter;
    }

    public boolean left() {
        if (before == null) {
            return false;
        }
        Letter letter = before;
        before = letter.next;
        letter.next = after;
        after = letter;
        return true;
    }

    public boolean right() {
        if (after == null) {
            return false;
        }
        Letter letter = after;
        after = letter.next;
        letter.next = before;
        before = letter;
        return true;
    }

    public void home() {
        while (left()) {
        }
    }

    public void backspace() {
        if (before == null) {
            return;
        }
        Letter letter = before;
        before = letter.next;
        letter.next = unused;
        unused = letter;
    }

    /** Deletes all that is after the cursor. */
    public void kill() {
        if (after == null) {
            return;
        }
        Letter last = after;
        while (last.next != null) {
            last = last.next;
        }
        last.next = unused;
        unused = after;
        after = null;
    }
}
