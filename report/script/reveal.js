// A link into folded parts opens everything around its target, and the target itself.
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
// A link to the current address changes no hash.
addEventListener("click", (event) => {
  const link = event.target.closest ? event.target.closest('a[href^="#"]') : null;
  if (link && link.hash === location.hash) follow();
});
addEventListener("load", follow);
