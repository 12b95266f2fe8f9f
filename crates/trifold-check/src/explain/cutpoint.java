class Node {
  Node next;

  static void last(Node n) {
    if (n != null && n.next != null)
      last(n.next);
  }

  public static void main(String[] args) {
    Node x = new Node();
    x.next = new Node();
    Node y = x.next;
    last(x);                            // y leads into the middle of the list
    y.next = null;
  }
}
