// A list that is a NULL pointer while it is empty.
//
// expect: proved without sharing
#include <stdlib.h>

typedef struct node {
    struct node *next;
    int key;
} Node;

int list_prepend(Node **list, int key) {
    Node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->key = key;
    node->next = *list;
    *list = node;
    return 1;
}

int list_length(const Node *list) {
    int length = 0;
    for (; list; list = list->next)
        length++;
    return length;
}

Node *list_find(Node *list, int key) {
    while (list && list->key != key)
        list = list->next;
    return list;
}

int list_remove(Node **list, int key) {
    Node **at = list;
    while (*at) {
        Node *node = *at;
        if (node->key == key) {
            *at = node->next;
            free(node);
            return 1;
        }
        at = &node->next;
    }
    return 0;
}

void list_free(Node *list) {
    while (list) {
        Node *next = list->next;
        free(list);
        list = next;
    }
}
