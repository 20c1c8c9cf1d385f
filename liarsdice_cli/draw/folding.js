/*
 * The shape of a drawn tree with folded nodes. A node is a place in the list of parents; the parent of a root is -1.
 */

/** @param {number[]} parents */
export function childrenOf(parents) {
  const children = parents.map(() => /** @type {number[]} */ ([]));
  parents.forEach((parent, place) => {
    if (parent >= 0) children[parent].push(place);
  });
  return children;
}

/**
 * Return the depth of every node; a root has depth 1.
 * @param {number[]} parents
 */
export function depths(parents) {
  /** @type {number[]} */
  const found = [];
  for (const parent of parents) found.push(parent < 0 ? 1 : found[parent] + 1);
  return found;
}

/**
 * Return all nodes below a node.
 * @param {number[][]} children @param {number} place @returns {number[]}
 */
export function below(children, place) {
  return children[place].flatMap((child) => [child, ...below(children, child)]);
}

/**
 * Which nodes show, the row of each, and how many rows there are.
 * @param {number[]} parents @param {Set<number>} closed @returns {Places}
 */
export function places(parents, closed) {
  /** @type {boolean[]} */
  const shown = [];
  for (const parent of parents) shown.push(parent < 0 || (shown[parent] && !closed.has(parent)));
  const rows = parents.map(() => 0);
  let leaf = 0;
  /** @type {number[]} */
  const first = [];
  /** @type {number[]} */
  const last = [];
  for (let place = parents.length - 1; place >= 0; place--) {
    if (!shown[place]) continue;
    rows[place] = first[place] === undefined ? leaf-- : (first[place] + last[place]) / 2;
    const parent = parents[place];
    if (parent < 0) continue;
    if (first[parent] === undefined) last[parent] = rows[place];
    first[parent] = rows[place];
  }
  const highest = Math.min(...rows.filter((_row, place) => shown[place]));
  return { shown, rows: rows.map((row) => row - highest), most: -highest };
}
