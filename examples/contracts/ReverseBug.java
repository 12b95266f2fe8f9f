// A list is built, reversed and searched; methods know of each other what their contracts say.
//
// expect: assertion at 18
// twin of: Reverse.java — the first element leads to itself
class ReverseBug {
    ReverseBug next;
    int value;

    //@ requires list(rest);
    //@ ensures list(\result) && \result != null;
    static ReverseBug push(ReverseBug rest, int value) {
        ReverseBug n = new ReverseBug();
        n.value = value;
        n.next = rest;
        return n;
    }

    /*@ requires list(all); ensures list(\result); */
    static ReverseBug reverse(ReverseBug all) {
        ReverseBug done = null;
        while (all != null) {
            ReverseBug next = all.next;
            all.next = done == null ? all : done;
            done = all;
            all = next;
        }
        return done;
    }

    /*@ requires list(this); ensures list(this) && \result >= 1; */
    int last() {
        ReverseBug at = this;
        while (at.next != null) {
            at = at.next;
        }
        return at.value > 0 ? at.value : 1;
    }

    public static void main(String[] arguments) {
        ReverseBug all = push(null, 1);
        for (int i = 0; i < arguments.length; i++) {
            all = push(all, i);
        }
        all.last();
        all = reverse(all);
        while (all != null) {
            all = all.next;
        }
    }
}
