// Shows the explanation of a column head on hover, keyboard focus or touch.
const meanings = new Map(page.all("dl.heads dt").map((head) => [head.textContent.trim(), head.nextElementSibling]));
const tip = page.made("div");
tip.id = "tip";
tip.setAttribute("role", "tooltip");
tip.hidden = true;
document.body.append(tip);
let asked = null;
const hide = () => {
  tip.hidden = true;
  if (asked) asked.removeAttribute("aria-describedby");
  asked = null;
};
const beside = (button) => {
  const place = button.getBoundingClientRect();
  const left = Math.max(8, Math.min(place.left, innerWidth - tip.offsetWidth - 8));
  const below = place.bottom + 6;
  const above = place.top - tip.offsetHeight - 6;
  tip.style.left = `${left}px`;
  tip.style.top = `${below + tip.offsetHeight > innerHeight && above > 0 ? above : below}px`;
};
const show = (button) => {
  const words = meanings.get(button.textContent.trim());
  if (!words) return;
  hide();
  asked = button;
  tip.replaceChildren(...words.cloneNode(true).childNodes);
  tip.hidden = false;
  button.setAttribute("aria-describedby", "tip");
  beside(button);
};
// Column heads become buttons only when their table is first shown, because a page has thousands of heads.
const dress = (root) => {
  for (const head of page.all('th[scope="col"]', root)) {
    if (head.querySelector(".ask") || !meanings.has(head.textContent.trim())) continue;
    const button = page.made("button", "ask", head.textContent.trim());
    button.type = "button";
    head.replaceChildren(button);
  }
};
addEventListener("toggle", (event) => event.target.open && dress(event.target), true);
for (const table of page.all("table")) {
  if (!table.closest("details:not([open])")) dress(table);
}
const button = (event) => (event.target.closest ? event.target.closest(".ask") : null);
addEventListener("pointerover", (event) => (button(event) ? show(button(event)) : event.target !== tip && asked !== document.activeElement && hide()));
addEventListener("focusin", (event) => (button(event) ? show(button(event)) : hide()));
addEventListener("click", (event) => (button(event) ? show(button(event)) : hide()));
addEventListener("keydown", (event) => event.key === "Escape" && hide());
addEventListener("scroll", () => asked && beside(asked), true);
