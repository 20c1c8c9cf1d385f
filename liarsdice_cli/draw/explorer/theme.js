/*
 * The colours of a page: as the system has them, light, or dark, one after the other by its button.
 */

const THEMES = { "": ["◐", "Auto"], light: ["☀", "Light"], dark: ["☾", "Dark"] };

function theme(next) {
  const button = document.getElementById("theme");
  const [sign, word] = THEMES[next];
  document.documentElement.style.setProperty("color-scheme", next);
  button.textContent = `${sign} ${word}`;
  button.setAttribute("aria-label", `Colours: ${word}`);
  button.dataset.theme = next;
}

function prepareTheme() {
  const order = Object.keys(THEMES);
  const button = document.getElementById("theme");
  button.addEventListener("click", () => theme(order[(order.indexOf(button.dataset.theme) + 1) % order.length]));
  theme("");
}
