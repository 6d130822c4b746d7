// The first view: what fails of what was chosen, and the worst of it, played.
const worst = document.getElementById("worst");
if (worst && page.data) {
  const place = worst.querySelector("p");
  const fails = document.getElementById("fails");
  const begin = document.getElementById("begin");
  const before = { fails: fails.textContent, begin: begin.textContent };
  const ranked = page.all("article[data-worst]").sort((one, other) => one.dataset.worst - other.dataset.worst);
  let now = null;

  const first = (claim) => {
    const helps = claim.querySelector(".helps");
    begin.replaceChildren(before.begin);
    if (!helps || !claim.dataset.worst || claim.matches(".alarm")) return;
    begin.replaceChildren("What helps against the worst: ", ...helps.cloneNode(true).childNodes);
  };
  const show = (claim, moves) => {
    if (claim === now) return;
    now = claim;
    for (const old of page.all(".player", worst)) {
      old.stop();
      old.remove();
    }
    worst.hidden = !claim;
    if (!claim) return;
    const link = page.made("a", "", claim.querySelector("h4").textContent);
    link.href = `#${claim.id}`;
    place.replaceChildren(claim.querySelector("summary .verdict").cloneNode(true), " ", link);
    const player = page.player(claim.querySelector("table.steps"));
    worst.append(player);
    first(claim);
    if (moves && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.begin();
  };

  page.chosen = (shown, label) => {
    const failing = [...shown].filter((claim) => claim.dataset.verdict !== "proved");
    const whole = failing.filter((claim) => !("dropped" in claim.dataset)).length;
    fails.textContent = label
      ? `${label}: ${failing.length} of ${shown.size} claims ${failing.length === 1 ? "does" : "do"} not hold, ${whole} of them although all premises do.`
      : before.fails;
    show(ranked.find((claim) => shown.has(claim)) || null, false);
    if (!now) begin.textContent = failing.length ? "Begin with those, below: none of them has steps to play." : "Nothing that was chosen fails.";
  };
  show(ranked[0], true);
}
