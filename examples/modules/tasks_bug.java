// Tasks that are waiting or done, each in one of two lists with the number of its elements.
//
// expect: null-dereference
// twin: tasks.java
final class Tasks {
    static final class Task {
        private final int effort;
        private Task next;

        private Task(int effort) {
            this.effort = effort;
        }
    }

    private Task waiting;
    private Task done;
    private int waitingCount;
    private int doneCount;

    public void add(int effort) {
        Task task = new Task(effort);
        task.next = waiting;
        waiting = task;
        waitingCount++;
    }

    public int work() {
        if (waitingCount == 0) {
            return 0;
        }
        Task task = waiting;
        waiting = task.next;
        waitingCount--;
        task.next = done;
        done = task;
        doneCount++;
        return task.effort;
    }

    public void reopenAll() {
        while (doneCount >= 0) {
            Task task = done;
            done = task.next;
            doneCount--;
            task.next = waiting;
            waiting = task;
            waitingCount++;
        }
    }

    public boolean isFinished() {
        assert (waiting == null) == (waitingCount == 0);
        return waitingCount == 0;
    }
}
