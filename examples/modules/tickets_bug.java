// A queue of numbers that counts its tickets: the count is wrong when the last one is called.
//
// expect: null-dereference
final class Tickets {
    private static final class Ticket {
        final int number;
        Ticket next;

        Ticket(int number) {
            this.number = number;
        }
    }

    private Ticket first;
    private Ticket last;
    private int waiting;

    public int waiting() {
        return waiting;
    }

    public void draw(int number) {
        Ticket ticket = new Ticket(number);
        if (waiting == 0) {
            first = ticket;
        } else {
            last.next = ticket;
        }
        last = ticket;
        waiting++;
    }

    public int call() {
        if (waiting == 0) {
            return -1;
        }
        int number = first.number;
        first = first.next;
        if (first == null) {
            last = null;
        } else {
            waiting--;
        }
        return number;
    }

    public int latest() {
        return waiting == 0 ? -1 : last.number;
    }

    public boolean contains(int number) {
        Ticket ticket = first;
        for (int i = 0; i < waiting; i++) {
            if (ticket.number == number) {
                return true;
            }
            ticket = ticket.next;
        }
        return false;
    }
}
