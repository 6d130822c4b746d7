// Opens all folded parts before printing, and restores the page afterwards.
let opened = [];
addEventListener("beforeprint", () => {
  page.printing = true;
  opened = page.all("details:not([open])");
  for (const one of opened) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of opened) one.open = false;
  opened = [];
  page.printing = false;
});
