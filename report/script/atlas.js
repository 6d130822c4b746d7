// Shows the allocations of a strategy one at a time. It reads them from the table, and folds the table.
const digit = "0123456789abcdefghijklmnopqrstuvwxyz";

const pager = (folded) => {
  const rows = [...folded.querySelector("table.packed").tBodies[0].rows].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent));
  const most = { queues: rows[0].length, consumers: rows.length };
  const now = { queues: Math.min(8, most.queues), consumers: Math.min(3, most.consumers) };
  let before = null;
  const whole = page.made("div", "pager");
  whole.tabIndex = 0;
  whole.setAttribute("role", "group");
  whole.setAttribute("aria-label", "Allocations: left and right for the queues, up and down for the consumers");
  const bar = page.made("div", "bar");
  const told = page.made("p", "told small");
  told.setAttribute("aria-live", "polite");
  const board = page.made("dl", "board");
  whole.append(bar, told, board);

  const owners = () => [...rows[now.consumers - 1][now.queues - 1]].map((one) => digit.indexOf(one));
  const name = (consumer) => `c${String(consumer).padStart(2, "0")}`;
  const queue = (number, changed, consumer) => {
    const box = page.made("b", consumer < 0 ? "nobody" : "", `${changed ? "● " : ""}${number}`);
    if (changed) box.classList.add("changed");
    if (consumer >= 0) box.style.setProperty("--hue", (consumer * 137) % 360);
    return box;
  };
  const words = (found, changed) => {
    const shares = Array.from({ length: now.consumers }, (_, consumer) => found.filter((one) => one === consumer).length);
    const moved = before && changed.length ? ` ● ${changed.length} of the earlier queues changed owners: ${changed.join(", ")}.` : "";
    const none = before && !changed.length ? " No earlier queue changed owners." : "";
    return `Queues for each consumer: ${shares.join(", ")}.${moved}${none}`;
  };
  const draw = () => {
    const found = owners();
    const changed = before ? found.map((_, number) => number).filter((number) => number < before.length && before[number] !== found[number]) : [];
    const lines = Array.from({ length: now.consumers }, (_, consumer) => consumer);
    if (found.includes(-1)) lines.push(-1);
    board.replaceChildren(...lines.flatMap((consumer) => {
      const own = page.made("dd");
      found.forEach((owner, number) => owner === consumer && own.append(queue(number, changed.includes(number), consumer)));
      return [page.made("dt", "", consumer < 0 ? "no consumer" : name(consumer)), own];
    }));
    told.textContent = words(found, changed);
    for (const [what, { fewer, more, said }] of Object.entries(buttons)) {
      said.textContent = `${now[what]} ${what === "queues" ? "queue" : "consumer"}${now[what] === 1 ? "" : "s"}`;
      fewer.disabled = now[what] === 1;
      more.disabled = now[what] === most[what];
    }
    before = found;
  };
  const go = (what, step) => {
    const to = now[what] + step;
    if (to < 1 || to > most[what]) return;
    now[what] = to;
    draw();
  };
  const buttons = Object.fromEntries(["queues", "consumers"].map((what) => {
    const fewer = page.made("button", "", "−");
    const more = page.made("button", "", "+");
    const said = page.made("span");
    fewer.type = more.type = "button";
    fewer.setAttribute("aria-label", `One fewer of the ${what}`);
    more.setAttribute("aria-label", `One more of the ${what}`);
    fewer.addEventListener("click", () => go(what, -1));
    more.addEventListener("click", () => go(what, 1));
    const together = page.made("span");
    together.append(fewer, said, more);
    bar.append(together);
    return [what, { fewer, more, said }];
  }));
  whole.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: ["queues", -1], ArrowRight: ["queues", 1], ArrowUp: ["consumers", -1], ArrowDown: ["consumers", 1] }[event.key];
    if (!to || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(...to);
  });
  draw();
  folded.before(whole);
  folded.open = false;
};

addEventListener("toggle", (event) => {
  if (page.printing || !event.target.open || !event.target.parentElement.matches(".maps")) return;
  for (const folded of page.all("details.pages", event.target)) {
    if (folded.dataset.paged) continue;
    folded.dataset.paged = "yes";
    pager(folded);
  }
}, true);
