// A list is built, reversed and searched; methods know of each other what their contracts say.
//
// expect: proved
class Reverse {
    Reverse next;
    int value;

    //@ requires list(rest);
    //@ ensures list(\result) && \result != null;
    static Reverse push(Reverse rest, int value) {
        Reverse n = new Reverse();
        n.value = value;
        n.next = rest;
        return n;
    }

    /*@ requires list(all); ensures list(\result); */
    static Reverse reverse(Reverse all) {
        Reverse done = null;
        while (all != null) {
            Reverse next = all.next;
            all.next = done;
            done = all;
            all = next;
        }
        return done;
    }

    /*@ requires list(this); ensures list(this) && \result >= 1; */
    int last() {
        Reverse at = this;
        while (at.next != null) {
            at = at.next;
        }
        return at.value > 0 ? at.value : 1;
    }

    public static void main(String[] arguments) {
        Reverse all = push(null, 1);
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
