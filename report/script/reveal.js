// A link to a target in folded parts opens these parts and the target.
page.reveal = (target) => {
  if (!target) return;
  const hidden = target.closest("[hidden]");
  if (hidden && page.showEverything) page.showEverything();
  const own = target.matches("details") ? target : target.querySelector(":scope > details");
  if (own) own.open = true;
  for (let around = target.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  target.scrollIntoView();
};
const follow = () => {
  const name = decodeURIComponent(location.hash.slice(1));
  if (name) page.reveal(document.getElementById(name));
};
addEventListener("hashchange", follow);
// A click on a link to the current address fires no hashchange event.
addEventListener("click", (event) => {
  const link = event.target.closest ? event.target.closest('a[href^="#"]') : null;
  if (link && link.hash === location.hash) follow();
});
addEventListener("load", follow);
