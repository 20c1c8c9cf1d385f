/*
 * Getting around in any game. The address says what is shown by the names on the way: #pass,bet.
 */

/** The place that an address names; undefined where there is none. */
function fromAddress(hash) {
  const names = hash.slice(1).split(",").filter(Boolean).map(decodeURIComponent);
  return names.reduce((place, name) => (place === undefined ? place : linksFrom(place).find((link) => link.name === name && link.to !== null)?.to), FIRST);
}

const openSource = async () => {};

async function draw() {
  let place;
  try {
    place = fromAddress(location.hash);
  } catch {
    place = undefined; // no address that can be decoded
  }
  const warning = place === undefined ? element("p", { class: "note", role: "alert" }, "The address names no place of this page; this is the start.") : null;
  shown = { place: place === undefined ? FIRST : place };
  document.getElementById("path").replaceChildren(crumbs(shown.place));
  show([warning, ...content()]);
  document.title = `${shown.place === FIRST ? "Start" : written(shown.place)} · ${page.title}`;
}

const content = () => (shown.place === START ? opening() : decision(shown.place));

function back() {
  if (shown.place !== FIRST) location.hash = linkTo(page.places[shown.place].before);
}

function onwards() {
  const links = linksFrom(shown.place).filter(({ to }) => to !== null);
  if (!links.length) return;
  const likeliest = links.reduce((best, link) => ((link.share || 0) > (best.share || 0) ? link : best));
  location.hash = linkTo(likeliest.to);
}

function step(by) {
  if (shown.place === START) return;
  const rows = readingsAt(shown.place).flatMap((reading) => reading.rows);
  chooseRow(rows[(rows.indexOf(chosen.row) + by + rows.length) % rows.length]);
}

const OWN_KEYS = {};
const typed = () => false;
const prepareOwn = () => {};
