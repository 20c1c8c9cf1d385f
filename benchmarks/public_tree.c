/* The walk of liarsdice_cli/solvers/public_tree/walk.py while learning, in plain C: the yardstick for the compiled Python.

   Compile with -DREAL=double or -DREAL=float, as a library that c_kernel.py calls. Names, layout and meaning are those of
   walk.py, showdown.py and grown.py; one shard, nothing cut off. Plain recursion, arrays on the stack of the machine. Only for
   minimisers that keep old regrets as they are and do not predict (cfr, cfr+, linear, dcfr+). */

#include <stdint.h>

typedef REAL real;
typedef int64_t whole;

enum { HISTORIES, PLACES, NUMBERS, REFUSED };

typedef struct {
    whole bids, players, groups, counts, most_rolls; /* counts: 1 + the most that a roll matches */
    const whole *widths, *group, *quantity, *most;
    const real *matches;                             /* (players, groups, counts, most_rolls) */
    whole *first, *place;
    int32_t *children;
    whole *used, room_histories, room_places, room_numbers;
    real *regrets, *averages;
    real scale, floor, weight, nothing, growth, least;
    whole learner, averaged, visited;
} Walk;

/* What is known of the others' matching dice while their reach stays as it is: for each group of bids the chances that they
   have at least so many, and fewer. */
typedef struct {
    int known;
    real at_least[64], fewer[64];
} Chances;

static void fold(const Walk *w, whole group, const real **reach, Chances *chances)
{
    if (chances->known) return;
    chances->known = 1;
    real sum[64], one[64];
    whole most = 0;
    for (whole player = 0; player < w->players; player++) {
        if (player == w->learner) continue;
        for (whole count = 0; count <= w->most[player]; count++) {
            const real *matches = w->matches + ((player * w->groups + group) * w->counts + count) * w->most_rolls;
            real mass = 0;
            for (whole roll = 0; roll < w->widths[player]; roll++) mass += reach[player][roll] * matches[roll];
            (most ? one : sum)[count] = mass;
        }
        if (most) for (whole total = most + w->most[player]; total >= 0; total--) {
            real mass = 0;
            for (whole count = total > most ? total - most : 0; count <= w->most[player] && count <= total; count++)
                mass += sum[total - count] * one[count];
            sum[total] = mass;
        }
        most += w->most[player];
    }
    real mass = 0;
    chances->at_least[most + 1] = 0;
    for (whole count = most; count >= 0; count--) chances->at_least[count] = mass += sum[count];
    mass = 0;
    for (whole count = 0; count <= most; count++) {
        chances->fewer[count] = mass;
        mass += sum[count];
    }
    chances->fewer[most + 1] = mass;
}

static void showdown(const Walk *w, int learners_bid, whole bid, const real **reach, Chances *chances, real *restrict value)
{
    whole group = w->group[bid], width = w->widths[w->learner], last = 0;
    fold(w, group, reach, chances + group);
    for (whole player = 0; player < w->players; player++) last += player == w->learner ? 0 : w->most[player];
    const real *by_need = learners_bid ? chances[group].at_least : chances[group].fewer;
    for (whole count = 0; count <= w->most[w->learner]; count++) {
        whole need = w->quantity[bid] - count;
        real chance = by_need[need < 0 ? 0 : need > last + 1 ? last + 1 : need];
        const real *restrict matches = w->matches + ((w->learner * w->groups + group) * w->counts + count) * w->most_rolls;
        if (count == 0)
            for (whole roll = 0; roll < width; roll++) value[roll] = matches[roll] * chance;
        else
            for (whole roll = 0; roll < width; roll++) value[roll] += matches[roll] * chance;
    }
}

/* A call of a bid, by the one who moves next. */
static void called(const Walk *w, whole bid, whole bidder, whole caller, const real **reach, real comes, Chances *chances, real *value)
{
    if (bidder == w->learner || caller == w->learner)
        showdown(w, bidder == w->learner, bid, reach, chances, value);
    else
        for (whole roll = 0; roll < w->widths[w->learner]; roll++) value[roll] = comes;
}

static int probabilities(const real *restrict regrets, whole actions, whole width, real least, real *restrict play)
{
    real total[width], check = 0;
    for (whole roll = 0; roll < width; roll++) total[roll] = 0;
    for (whole action = 0; action < actions; action++)
        for (whole roll = 0; roll < width; roll++) {
            real regret = regrets[action * width + roll];
            regret = regret <= 0 ? 0 : regret;
            play[action * width + roll] = regret;
            total[roll] += regret;
        }
    for (whole roll = 0; roll < width; roll++) {
        check += total[roll];
        total[roll] = total[roll] > least ? 1 / total[roll] : 0;
    }
    for (whole action = 0; action < actions; action++)
        for (whole roll = 0; roll < width; roll++) play[action * width + roll] *= total[roll];
    for (whole roll = 0; roll < width; roll++)
        if (total[roll] == 0) play[roll] = 1;
    return __builtin_isfinite(check);
}

static whole grow(Walk *w, whole last, whole width)
{
    whole history = w->used[HISTORIES], places = w->bids - 2 - last, numbers = (w->bids - (last > 0 ? last : 0)) * width;
    if (history == w->room_histories || w->used[PLACES] + places > w->room_places || w->used[NUMBERS] + numbers > w->room_numbers) {
        w->used[REFUSED]++;
        return -1;
    }
    w->first[history] = w->used[NUMBERS];
    w->place[history] = w->used[PLACES];
    w->used[HISTORIES]++;
    w->used[PLACES] += places;
    w->used[NUMBERS] += numbers;
    return history;
}

static real product(const Walk *w, const real *mass)
{
    real comes = 1;
    for (whole player = 0; player < w->players; player++)
        if (player != w->learner) comes *= mass[player];
    return comes;
}

/* Fills `value`, the worth of the history to each of the learner's rolls; 0 if a number was not finite. */
static int walk(Walk *w, whole history, whole last, whole mover, int alive, const real **reach, const real *mass, Chances *chances, real *restrict value)
{
    const whole bids = w->bids, players = w->players, learner = w->learner, next = (mover + 1) % players;
    const whole base = last > 0 ? last : 0, actions = bids - base, width = w->widths[mover], values = w->widths[learner];
    const whole first = w->first[history], place = w->place[history];
    const int learners = mover == learner, acts = !learners && (alive || mover == w->averaged);
    real play[actions * width], action_mass[actions], action_value[learners ? actions * values : values];
    int sound = 1;
    w->visited++;
    if ((learners && alive) || acts) sound = probabilities(w->regrets + first, actions, width, w->least, play);
    const real *below_reach[players];
    real below_mass[players];
    Chances own_chances[learners ? 1 : w->groups];
    for (whole player = 0; player < players; player++) below_reach[player] = reach[player], below_mass[player] = mass[player];
    if (learners && alive && last >= 0) showdown(w, 0, last, reach, chances, action_value);
    if (!learners && alive)
        for (whole roll = 0; roll < values; roll++) value[roll] = 0;
    if (acts) {
        for (whole action = 0; action < actions; action++) {
            real sum = 0;
            for (whole roll = 0; roll < width; roll++) sum += play[action * width + roll] *= reach[mover][roll];
            action_mass[action] = sum;
            if (mover == w->averaged && sum > 0) {
                real *restrict average = w->averages + first + action * width;
                for (whole roll = 0; roll < width; roll++) average[roll] += w->weight * play[action * width + roll];
            }
        }
        if (alive && last >= 0 && action_mass[0] > 0) {
            for (whole group = 0; group < w->groups; group++) own_chances[group].known = 0;
            below_reach[mover] = play;
            below_mass[mover] = action_mass[0];
            called(w, last, (mover + players - 1) % players, mover, below_reach, product(w, below_mass), own_chances, value);
        }
    }
    for (whole bid = last + 1; bid < bids; bid++) {
        const whole action = bid - base;
        int below_alive = alive;
        Chances *below_chances = chances;
        real *into = learners ? action_value + action * values : action_value;
        if (acts) {
            if (mover == w->averaged && action_mass[action] <= w->nothing) continue;
            below_reach[mover] = play + action * width;
            below_mass[mover] = action_mass[action];
            for (whole group = 0; group < w->groups; group++) own_chances[group].known = 0;
            below_chances = own_chances;
            below_alive = alive && product(w, below_mass) > w->nothing;
        }
        int32_t child = -1;
        if (bid < bids - 1) {
            child = w->children[place + bid - last - 1];
            if (child < 0 && next == learner && below_alive && product(w, below_mass) > w->growth)
                w->children[place + bid - last - 1] = child = (int32_t)grow(w, bid, w->widths[next]);
        }
        if (child < 0 && !below_alive) continue;
        if (child < 0)
            called(w, bid, mover, next, below_reach, product(w, below_mass), below_chances, into);
        else
            sound &= walk(w, child, bid, next, below_alive, below_reach, below_mass, below_chances, into);
        if (!learners && below_alive)
            for (whole roll = 0; roll < values; roll++) value[roll] += into[roll];
    }
    if (learners && alive) {
        for (whole roll = 0; roll < values; roll++) value[roll] = 0;
        for (whole action = 0; action < actions; action++)
            for (whole roll = 0; roll < values; roll++) value[roll] += play[action * values + roll] * action_value[action * values + roll];
        real *restrict regrets = w->regrets + first;
        for (whole action = 0; action < actions; action++)
            for (whole roll = 0; roll < values; roll++) {
                real regret = regrets[action * values + roll] + w->scale * (action_value[action * values + roll] - value[roll]);
                regrets[action * values + roll] = regret <= w->floor ? w->floor : regret;
            }
    }
    return sound;
}

/* Update one player; `reaches` are the chances of all rolls, (players, most_rolls). Returns 0 if a number was not finite. */
int learn(Walk *w, const real *reaches)
{
    const real *reach[w->players];
    real mass[w->players], value[w->most_rolls];
    Chances chances[w->groups];
    for (whole group = 0; group < w->groups; group++) chances[group].known = 0;
    for (whole player = 0; player < w->players; player++) {
        reach[player] = reaches + player * w->most_rolls;
        mass[player] = 0;
        for (whole roll = 0; roll < w->widths[player]; roll++) mass[player] += reach[player][roll];
    }
    return walk(w, 0, -1, 0, 1, reach, mass, chances, value);
}
