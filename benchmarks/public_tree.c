/* The walk of liarsdice_cli/solvers/public_tree/walk.py while learning, in plain C: the yardstick for the compiled Python.

   Compile with -DREAL=double or -DREAL=float, as a library that public_tree.py calls. Names, layout and meaning are those of
   walk.py and layout.py. Only for minimisers that keep old regrets as they are and do not predict (cfr, cfr+, linear, dcfr+). */

#include <stdint.h>

typedef REAL real;
typedef int64_t whole;

typedef struct {
    whole bids, mine_rolls, other_rolls, counts;
    const whole *before_mover, *before_other, *matching; /* (bids + 1), (bids + 1), (bids, mine_rolls) */
    const real *won;                                     /* (2, bids, counts, other_rolls) */
    real *learner, *other, *average;                    /* (rows, rolls) */
    real scale, floor, weight, nothing, least;
} Walk;

static int behaviour(const real *restrict weights, whole actions, whole rolls, real least, real *restrict play, real *restrict total)
{
    for (whole roll = 0; roll < rolls; roll++) total[roll] = 0;
    for (whole action = 0; action < actions; action++)
        for (whole roll = 0; roll < rolls; roll++) {
            real weight = weights[action * rolls + roll];
            weight = weight <= 0 ? 0 : weight;
            play[action * rolls + roll] = weight;
            total[roll] += weight;
        }
    real check = 0, alike = (real)1 / actions;
    for (whole roll = 0; roll < rolls; roll++) {
        check += total[roll];
        total[roll] = total[roll] > least ? 1 / total[roll] : 0;
    }
    for (whole action = 0; action < actions; action++)
        for (whole roll = 0; roll < rolls; roll++)
            play[action * rolls + roll] = total[roll] > 0 ? play[action * rolls + roll] * total[roll] : alike;
    return __builtin_isfinite(check);
}

static void showdown(const Walk *w, whole caller, whole bid, const real *restrict reach, real *restrict value, int add)
{
    real won[w->counts];
    for (whole count = 0; count < w->counts; count++) {
        const real *restrict wins = w->won + ((caller * w->bids + bid) * w->counts + count) * w->other_rolls;
        real mass = 0;
        for (whole roll = 0; roll < w->other_rolls; roll++) mass += reach[roll] * wins[roll];
        won[count] = mass;
    }
    const whole *restrict matching = w->matching + bid * w->mine_rolls;
    for (whole roll = 0; roll < w->mine_rolls; roll++) value[roll] = (add ? value[roll] : 0) + won[matching[roll]];
}

/* Fills `value`, the worth of the subtree to each of the learner's rolls; 0 if a number was not finite. */
static int walk(const Walk *w, whole bid, int mine, whole mine_row, whole other_row, const real *restrict reach, real *restrict value)
{
    const whole bids = w->bids, call = bid >= 0, actions = bids - 1 - bid + call, mine_rolls = w->mine_rolls, other_rolls = w->other_rolls;
    const whole rolls = mine ? mine_rolls : other_rolls;
    real play[actions * rolls], total[rolls], worth[mine ? actions * mine_rolls : mine_rolls];
    whole passed_mover = 0, passed_other = 0;
    int sound = behaviour((mine ? w->learner + mine_row * rolls : w->other + other_row * rolls), actions, rolls, w->least, play, total);
    if (mine) {
        if (call) showdown(w, 1, bid, reach, worth, 0);
    } else {
        real *restrict average = w->average + other_row * other_rolls;
        for (whole action = 0; action < actions; action++)
            for (whole roll = 0; roll < rolls; roll++) {
                real comes = play[action * rolls + roll] * reach[roll];
                play[action * rolls + roll] = comes;
                average[action * rolls + roll] += w->weight * comes;
            }
        for (whole roll = 0; roll < mine_rolls; roll++) value[roll] = 0;
        if (call) showdown(w, 0, bid, play, value, 1);
    }
    for (whole higher = bid + 1; higher < bids; higher++) {
        whole action = higher - bid - 1 + call;
        passed_mover = w->before_mover[higher] - w->before_mover[bid + 1];
        passed_other = w->before_other[higher] - w->before_other[bid + 1];
        if (mine) {
            if (higher == bids - 1) showdown(w, 0, higher, reach, worth + action * mine_rolls, 0);
            else sound &= walk(w, higher, 0, mine_row + actions + passed_other, other_row + passed_mover, reach, worth + action * mine_rolls);
        } else {
            real comes = 0;
            for (whole roll = 0; roll < rolls; roll++) comes += play[action * rolls + roll];
            if (comes <= w->nothing) continue;
            if (higher == bids - 1) {
                showdown(w, 1, higher, play + action * rolls, value, 1);
                continue;
            }
            sound &= walk(w, higher, 1, mine_row + passed_mover, other_row + actions + passed_other, play + action * rolls, worth);
            for (whole roll = 0; roll < mine_rolls; roll++) value[roll] += worth[roll];
        }
    }
    if (mine) {
        real *restrict regrets = w->learner + mine_row * mine_rolls;
        for (whole roll = 0; roll < rolls; roll++) value[roll] = 0;
        for (whole action = 0; action < actions; action++)
            for (whole roll = 0; roll < rolls; roll++) value[roll] += play[action * rolls + roll] * worth[action * rolls + roll];
        for (whole action = 0; action < actions; action++)
            for (whole roll = 0; roll < rolls; roll++) {
                real next = regrets[action * rolls + roll] + w->scale * (worth[action * rolls + roll] - value[roll]);
                regrets[action * rolls + roll] = next <= w->floor ? w->floor : next;
            }
    }
    return sound;
}

int learn(const Walk *w, int learners, const real *reach, real *value) { return walk(w, -1, learners, 0, 0, reach, value); }
