// Deletes keys from a binary search tree without recursion, by means of the links that lead to the elements.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *left, *right;
};

static struct node **find(struct node **link, int key)
{
    while (*link != NULL && (*link)->key != key)
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    return link;
}

static void insert(struct node **root, int key)
{
    struct node **link = find(root, key);

    if (*link == NULL) {
        struct node *n = malloc(sizeof *n);
        n->key = key;
        n->left = NULL;
        n->right = NULL;
        *link = n;
    }
}

static void delete(struct node **link)
{
    struct node *dead = *link;

    if (dead->left == NULL) {
        *link = dead->right;
    } else if (dead->right == NULL) {
        *link = dead->left;
    } else {
        struct node **least = &dead->right;
        struct node *next;
        while ((*least)->left != NULL)
            least = &(*least)->left;
        next = *least;
        *least = next->right;
        next->left = dead->left;
        next->right = dead->right;
        *link = next;
    }
    free(dead);
}

int main(void)
{
    struct node *root = NULL;
    int key;

    while ((key = __VERIFIER_nondet_int()) != 0) {
        if (key > 0) {
            insert(&root, key);
        } else if (key > -100) {
            struct node **link = find(&root, -key);
            if (*link != NULL)
                delete(link);
        }
    }
    while (root != NULL)
        delete(&root);
    return 0;
}
