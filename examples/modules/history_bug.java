// The history of a text field: states that can be undone and redone.
//
// expect: null-dereference
// twin: history.java
final class History {
    private static final class State {
        final String text;
        State earlier;
        State later;

        State(String text) {
            this.text = text;
        }
    }

    private State current = new State("");

    public String text() {
        return current.text;
    }

    public void record(String text) {
        State state = new State(text);
        state.earlier = current;
        current.later = state;
        current = state;
    }

    public boolean canUndo() {
        return current.earlier != null;
    }

    public boolean canRedo() {
        return current.later != null;
    }

    public void undo() {
        if (canUndo()) {
            current = current.earlier;
        }
    }

    public void redo() {
        if (canUndo()) {
            current = current.later;
        }
    }

    /** Forgets what is earlier than the current state. */
    public void forget() {
        State earlier = current.earlier;
        if (earlier != null) {
            earlier.later = null;
            current.earlier = null;
        }
    }
}
