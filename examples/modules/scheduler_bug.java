// Jobs that wait in a queue for their turn: a job that is not finished after its turn is put at the end again.
//
// expect: null-dereference
// twin: scheduler.java
final class Scheduler {
    private static final class Job {
        int turns;
        Job next;

        Job(int turns) {
            this.turns = turns;
        }
    }

    private Job last;

    public boolean isIdle() {
        return last == null;
    }

    public void submit(int turns) {
        Job job = new Job(turns);
        if (last != null) {
            job.next = last.next;
            last.next = job;
        }
        last = job;
    }

    /** Gives a turn to the job that is first. */
    public void step() {
        if (last == null) {
            return;
        }
        Job job = last.next;
        job.turns--;
        if (job.turns > 0) {
            last = job;
        } else if (job == last) {
            last = null;
        } else {
            last.next = job.next;
        }
    }

    public int waiting() {
        if (last == null) {
            return 0;
        }
        int count = 1;
        for (Job job = last.next; job != last; job = job.next) {
            count++;
        }
        return count;
    }
}
