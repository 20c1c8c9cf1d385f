/* The traversal of liarsdice_cli/solvers/public_tree/traversal.py while learning, in plain C, to compare with the compiled Python.

   Compile with -DREAL=double or -DREAL=float, as a library that c_kernel.py calls. Names, layout and meaning are those of
   traversal.py, showdown.py and strategies/shard.py; one shard, nothing cut off. Plain recursion, arrays on the stack of the
   machine. Expands no histories. Only for minimisers that keep old regrets as they are and do not predict (cfr, cfr+, linear,
   dcfr+). */

#include <stdint.h>

typedef REAL real;
typedef int64_t whole;

enum { HISTORIES, COLUMNS, BLOCKS, ROWS, REFUSED };
enum { LANES = 8, ZEROS = 0 };

typedef struct {
    whole bids, players, groups, most_rolls;
    const whole *widths, *group, *quantity, *most;
    const real *matches;                                         /* (players, groups, most_rolls): the matching dice */
    int32_t *first_column;
    struct column { int32_t bid, child, block, next; } *columns;
    uint32_t *blocks;                                            /* the row of each block */
    whole *used, room_rows;
    real *regrets, *averages;
    real scale, floor, weight, nothing, least;
    whole update_player, average_player, visited;
} Pass;

/* What is known of the others' matching dice while their reach stays as it is: for each group of bids the chances that they
   have at least so many, and fewer. */
typedef struct {
    int known;
    real at_least[64], fewer[64];
} Chances;

static void fold(const Pass *w, whole group, const real **reach, Chances *chances)
{
    if (chances->known) return;
    chances->known = 1;
    real sum[64], one[64];
    whole most = 0;
    for (whole player = 0; player < w->players; player++) {
        if (player == w->update_player) continue;
        const real *matches = w->matches + (player * w->groups + group) * w->most_rolls;
        for (whole count = 0; count <= w->most[player]; count += 3) {
            real a = 0, b = 0, c = 0, *dice = most ? one : sum;
            for (whole roll = 0; roll < w->widths[player]; roll++) {
                real mass = reach[player][roll];
                a += matches[roll] == (real)count ? mass : 0;
                b += matches[roll] == (real)(count + 1) ? mass : 0;
                c += matches[roll] == (real)(count + 2) ? mass : 0;
            }
            dice[count] = a, dice[count + 1] = b, dice[count + 2] = c;
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

static void showdown(const Pass *w, int own_bid, whole bid, const real **reach, Chances *chances, real *restrict value)
{
    whole group = w->group[bid], width = w->widths[w->update_player], last = 0;
    fold(w, group, reach, chances + group);
    for (whole player = 0; player < w->players; player++) last += player == w->update_player ? 0 : w->most[player];
    const real *by_need = own_bid ? chances[group].at_least : chances[group].fewer;
    const real *restrict matches = w->matches + (w->update_player * w->groups + group) * w->most_rolls;
    for (whole count = 0; count <= w->most[w->update_player]; count += 3) {
        real chance[3];
        for (whole more = 0; more < 3; more++) {
            whole need = w->quantity[bid] - count - more;
            chance[more] = by_need[need < 0 ? 0 : need > last + 1 ? last + 1 : need];
        }
        for (whole roll = 0; roll < width; roll++) {
            real own = matches[roll], other = count ? value[roll] : 0;
            value[roll] = own == (real)count ? chance[0] : own == (real)(count + 1) ? chance[1] : own == (real)(count + 2) ? chance[2] : other;
        }
    }
}

/* A call of a bid, by the one who moves next. */
static void called(const Pass *w, whole bid, whole bidder, whole caller, const real **reach, real others_reach, Chances *chances, real *value)
{
    if (bidder == w->update_player || caller == w->update_player)
        showdown(w, bidder == w->update_player, bid, reach, chances, value);
    else
        for (whole roll = 0; roll < w->widths[w->update_player]; roll++) value[roll] = others_reach;
}

static real *row(const Pass *w, real *entries, int32_t column, whole block)
{
    return entries + (whole)w->blocks[w->columns[column].block + block] * LANES;
}

/* The same for a block that is about to change, which gets a row if it has none; null without room for one. */
static real *own_row(Pass *w, real *entries, int32_t column, whole block)
{
    uint32_t *place = w->blocks + w->columns[column].block + block;
    if (*place == ZEROS) {
        if (w->used[ROWS] == w->room_rows) return w->used[REFUSED]++, (real *)0;
        *place = (uint32_t)w->used[ROWS]++;
    }
    return entries + (whole)*place * LANES;
}

static int probabilities(const Pass *w, const int32_t *column, whole actions, whole width, real *restrict play)
{
    real total[width], check = 0;
    for (whole roll = 0; roll < width; roll++) total[roll] = 0;
    for (whole action = 0; action < actions; action++) {
        for (whole block = 0; block < width / LANES; block++) {
            const real *restrict regrets = row(w, w->regrets, column[action], block);
            real *restrict chosen = play + action * width + block * LANES, *restrict sum = total + block * LANES;
            for (whole lane = 0; lane < LANES; lane++) {
                real regret = regrets[lane];
                regret = regret <= 0 ? 0 : regret;
                chosen[lane] = regret;
                sum[lane] += regret;
            }
        }
    }
    for (whole roll = 0; roll < width; roll++) {
        check += total[roll];
        total[roll] = total[roll] > w->least ? 1 / total[roll] : 0;
    }
    for (whole action = 0; action < actions; action++)
        for (whole roll = 0; roll < width; roll++) play[action * width + roll] *= total[roll];
    for (whole roll = 0; roll < width; roll++)
        if (total[roll] == 0) play[roll] = 1;
    return __builtin_isfinite(check);
}

static real product(const Pass *w, const real *mass)
{
    real others_reach = 1;
    for (whole player = 0; player < w->players; player++)
        if (player != w->update_player) others_reach *= mass[player];
    return others_reach;
}

static void add_to_average(Pass *w, int32_t column, whole width, const real *reached)
{
    for (whole block = 0; block < width / LANES; block++, reached += LANES) {
        real some = 0;
        for (whole lane = 0; lane < LANES; lane++) some += reached[lane];
        real *restrict average = some > 0 ? own_row(w, w->averages, column, block) : 0;
        if (average)
            for (whole lane = 0; lane < LANES; lane++) average[lane] += w->weight * reached[lane];
    }
}

static void add_regrets(Pass *w, int32_t column, whole block, const real *restrict gained, const real *restrict value)
{
    gained += block * LANES, value += block * LANES;
    if (w->blocks[w->columns[column].block + block] == ZEROS && w->floor >= 0) {
        real gains = 0;
        for (whole lane = 0; lane < LANES; lane++) gains += gained[lane] > value[lane] ? gained[lane] - value[lane] : 0;
        if (gains == 0) return;
    }
    real *restrict regrets = own_row(w, w->regrets, column, block);
    if (!regrets) return;
    for (whole lane = 0; lane < LANES; lane++) {
        real regret = regrets[lane] + w->scale * (gained[lane] - value[lane]);
        regrets[lane] = regret <= w->floor ? w->floor : regret;
    }
}

/* Fills `value`, the value of the history to each of the update_player's rolls; 0 if a number was not finite. */
static int traverse(Pass *w, whole history, whole last, whole mover, int alive, const real **reach, const real *mass, Chances *chances, real *restrict value)
{
    const whole players = w->players, update_player = w->update_player, next = (mover + 1) % players;
    const whole width = w->widths[mover], values = w->widths[update_player];
    int32_t column[w->bids + 1];
    whole actions = 0;
    for (int32_t one = w->first_column[history]; one >= 0; one = w->columns[one].next) column[actions++] = one;
    const int updates = mover == update_player, acts = !updates && (alive || mover == w->average_player);
    real play[actions * width], action_mass[actions], action_value[updates ? actions * values : values];
    int sound = 1;
    w->visited++;
    if ((updates && alive) || acts) sound = probabilities(w, column, actions, width, play);
    const real *below_reach[players];
    real below_mass[players];
    Chances own_chances[updates ? 1 : w->groups];
    for (whole player = 0; player < players; player++) below_reach[player] = reach[player], below_mass[player] = mass[player];
    if (!updates && alive)
        for (whole roll = 0; roll < values; roll++) value[roll] = 0;
    if (acts)
        for (whole action = 0; action < actions; action++) {
            real sum = 0;
            for (whole roll = 0; roll < width; roll++) sum += play[action * width + roll] *= reach[mover][roll];
            action_mass[action] = sum;
            if (mover == w->average_player && sum > 0) add_to_average(w, column[action], width, play + action * width);
        }
    for (whole action = 0; action < actions; action++) {
        const whole bid = w->columns[column[action]].bid;
        int below_alive = alive;
        Chances *below_chances = chances;
        real *into = updates ? action_value + action * values : action_value;
        if (acts) {
            if (mover == w->average_player && action_mass[action] <= w->nothing) continue;
            below_reach[mover] = play + action * width;
            below_mass[mover] = action_mass[action];
            for (whole group = 0; group < w->groups; group++) own_chances[group].known = 0;
            below_chances = own_chances;
            below_alive = alive && product(w, below_mass) > w->nothing;
        }
        int32_t child = -1;
        if (bid > last) child = w->columns[column[action]].child;
        if (child < 0 && !below_alive) continue;
        if (child >= 0)
            sound &= traverse(w, child, bid, next, below_alive, below_reach, below_mass, below_chances, into);
        else if (bid > last)
            called(w, bid, mover, next, below_reach, product(w, below_mass), below_chances, into);
        else
            called(w, bid, (mover + players - 1) % players, mover, below_reach, product(w, below_mass), below_chances, into);
        if (!updates && below_alive)
            for (whole roll = 0; roll < values; roll++) value[roll] += into[roll];
    }
    if (updates && alive) {
        for (whole roll = 0; roll < values; roll++) value[roll] = 0;
        for (whole action = 0; action < actions; action++)
            for (whole roll = 0; roll < values; roll++) value[roll] += play[action * values + roll] * action_value[action * values + roll];
        for (whole action = 0; action < actions; action++) {
            const real *restrict gained = action_value + action * values;
            for (whole block = 0; block < values / LANES; block++) add_regrets(w, column[action], block, gained, value);
        }
    }
    return sound;
}

/* Update one player; `reaches` are the chances of all rolls, (players, most_rolls). Returns 0 if a number was not finite. */
int learn(Pass *w, const real *reaches)
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
    return traverse(w, 0, -1, 0, 1, reach, mass, chances, value);
}
