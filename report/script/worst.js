// The first view: the worst finding of the chosen claims, with a player. Nothing plays before a click.
const worst = document.getElementById("worst");
if (page.data) {
  const fails = document.getElementById("fails");
  const ranked = page.all("article[data-worst]").sort((one, other) => one.dataset.worst - other.dataset.worst);
  let now = null;

  const fill = (paragraph, text) => {
    const words = document.createElement("template");
    // pieces between backticks are code, as in the page's own text
    text.split("`").forEach((piece, place) => words.content.append(place % 2 ? page.made("code", "", piece) : piece));
    paragraph.replaceChildren(words.content);
  };
  const show = (claim) => {
    if (!worst || claim === now) return;
    now = claim;
    for (const old of page.all(".player", worst)) {
      old.stop();
      old.remove();
    }
    worst.hidden = !claim;
    if (!claim) return;
    fill(worst.querySelector(".finding"), claim.dataset.finding);
    const fix = worst.querySelector(".fix");
    fix.hidden = !claim.dataset.fix;
    fill(fix.querySelector("span"), claim.dataset.fix);
    const link = page.made("a", "", claim.querySelector("h4").textContent);
    link.href = `#${claim.id}`;
    worst.querySelector(".of").replaceChildren("Claim: ", claim.querySelector("summary .verdict").cloneNode(true), " ", link);
    worst.append(page.player(claim.querySelector("table.steps")));
  };

  page.chosen = (shown, label) => {
    const failing = [...shown].filter((claim) => "fails" in claim.dataset);
    const despite = failing.filter((claim) => !("dropped" in claim.dataset)).length;
    fails.hidden = !label;
    fails.textContent = label
      ? `${label}: ${failing.length} of ${shown.size} claims ${failing.length === 1 ? "does" : "do"} not hold${despite ? `, ${despite} of them even when all assumptions hold` : ""}.`
      : "";
    show(ranked.find((claim) => shown.has(claim)) || null);
  };
  show(ranked[0] || null);
}
