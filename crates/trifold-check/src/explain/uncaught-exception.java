class Last {
    static int last(int[] numbers) {
        // There may be none.
        return numbers[numbers.length - 1];
    }

    public static void main(String[] args) {
        last(new int[args.length]);
    }
}
