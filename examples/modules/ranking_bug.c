// A list of players that is put in order by quicksort. The function that sorts a part gives back its last entry, so
// that nobody has to look for it; links are changed through their addresses.
//
// expect: null-dereference
// twin of: ranking.c — where no player is better than the first, there is no last one of them
#include <stddef.h>
#include <stdlib.h>

struct player {
    struct player *next;
    int points;
};

typedef int (*player_order)(int, int);

struct player *ranking_add(struct player **ranking, int points)
{
    struct player *added = malloc(sizeof *added);

    if (added == NULL)
        return NULL;
    added->points = points;
    added->next = *ranking;
    *ranking = added;
    return added;
}

// Removes all players with these points.
void ranking_remove(struct player **ranking, int points)
{
    struct player **link = ranking;

    while (*link != NULL) {
        struct player *player = *link;

        if (player->points == points) {
            *link = player->next;
            free(player);
        } else {
            link = &player->next;
        }
    }
}

// The last entry of the part when it is in order, NULL if it is empty.
static struct player *sort_part(struct player **part, player_order order)
{
    struct player *pivot, *rest, *better = NULL, *worse = NULL;
    struct player *last_better, *last_worse;

    if (*part == NULL || (*part)->next == NULL)
        return *part;
    pivot = *part;
    rest = (*part)->next;
    while (rest != NULL) {
        struct player *next = rest->next;

        if (order(rest->points, pivot->points) > 0) {
            rest->next = better;
            better = rest;
        } else {
            rest->next = worse;
            worse = rest;
        }
        rest = next;
    }
    last_better = sort_part(&better, order);
    last_worse = sort_part(&worse, order);
    *part = better;
    last_better->next = pivot;
    pivot->next = worse;
    return worse == NULL ? pivot : last_worse;
}

void ranking_sort(struct player **ranking, player_order order)
{
    sort_part(ranking, order);
}

void ranking_free(struct player *ranking)
{
    while (ranking != NULL) {
        struct player *next = ranking->next;

        free(ranking);
        ranking = next;
    }
}
