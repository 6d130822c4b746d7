// On paper all is open that was chosen; afterwards it is as it was.
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
