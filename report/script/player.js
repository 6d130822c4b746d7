// Plays a trace step by step. The player reads all its texts from the table of steps.
const read = (table) => {
  const [above, heads] = table.tHead.rows;
  const timed = table.tBodies[0].rows[0].dataset.at !== undefined;
  const parties = [...above.cells].slice(1).flatMap((cell) => Array(cell.colSpan).fill(cell.textContent));
  const front = timed ? 3 : 2;
  const names = [...heads.cells].slice(front).map((cell) => cell.textContent.trim());
  const steps = [...table.tBodies[0].rows].map((row, place) => ({
    at: timed ? Number(row.dataset.at) : place,
    clock: timed ? row.cells[1].textContent : "",
    row,
    words: row.cells[front - 1],
    values: [...row.cells].slice(front),
  }));
  return { timed, things: names.map((name, place) => ({ name, party: parties[place] })), steps };
};

const cards = (things) => {
  const whole = page.made("div", "cards");
  const values = [];
  let list;
  things.forEach(({ name, party }, place) => {
    if (!place || party !== things[place - 1].party) {
      const card = page.made("div", "card");
      list = page.made("dl");
      card.append(page.made("p", "party", party), list);
      whole.append(card);
    }
    const value = page.made("dd");
    list.append(page.made("dt", "", name), value);
    values.push(value);
  });
  return { whole, values };
};

// A time axis to scale; steps of traces without times have equal distances.
const axis = ({ steps, timed }) => {
  const whole = page.made("div", "axis");
  whole.setAttribute("aria-hidden", "true");
  const end = steps[steps.length - 1].at || 1;
  const ticks = steps.map((step) => {
    const tick = page.made("i");
    tick.style.left = `${(100 * step.at) / end}%`;
    whole.append(tick);
    return tick;
  });
  const label = (step, number) => (timed ? step.clock : `step ${number}`);
  whole.append(page.made("span", "begin", label(steps[0], 0)), page.made("span", "end", label(steps[steps.length - 1], steps.length - 1)));
  return { whole, ticks };
};

// A player for a table of steps. It plays only on a click, and stops at the last step, where the claim fails.
const pace = 1800;
page.player = (table) => {
  const run = read(table);
  const said = table.closest(".shown").querySelector(":scope > .wrong, figcaption li:last-child");
  const last = run.steps.length - 1;
  const player = page.made("div", "player");
  player.tabIndex = 0;
  player.setAttribute("role", "group");
  player.setAttribute("aria-label", "The trace, step by step: arrow keys go back and forward, Home and End to the first and last step");
  const bar = page.made("div", "bar");
  const runs = page.made("button", "runs", "▶ Play");
  const fails = page.made("button", "fails", "Where it fails");
  const back = page.made("button", "back", "◀ Back");
  const forward = page.made("button", "forward", "Forward ▶");
  const slider = page.made("input");
  slider.type = "range";
  slider.min = 0;
  slider.max = last;
  slider.setAttribute("aria-label", "Step");
  const where = page.made("span", "where small");
  const now = page.made("p", "now");
  now.setAttribute("aria-live", "polite");
  const board = cards(run.things);
  const line = axis(run);
  const wrong = page.made("p", "wrong", said ? said.textContent : "");
  for (const button of [runs, fails, back, forward]) button.type = "button";
  bar.append(runs, back, forward, fails, slider, where);
  player.append(bar, now, wrong, board.whole, line.whole);

  let place = 0;
  let waiting = 0;
  player.stop = () => {
    clearTimeout(waiting);
    waiting = 0;
    runs.textContent = "▶ Play";
  };
  const next = () => {
    go(place + 1);
    if (place === last) player.stop();
    else waiting = setTimeout(next, pace);
  };
  player.begin = () => {
    if (place === last) go(0);
    runs.textContent = "❚❚ Pause";
    waiting = setTimeout(next, pace);
  };
  const step = (to) => {
    player.stop();
    go(to);
  };
  const go = (to) => {
    place = Math.max(0, Math.min(last, to));
    const step = run.steps[place];
    slider.value = place;
    where.textContent = `Step ${place} of ${last}${step.clock ? `, ${step.clock}` : ""}`;
    slider.setAttribute("aria-valuetext", where.textContent);
    now.replaceChildren(...step.words.cloneNode(true).childNodes);
    step.values.forEach((cell, number) => {
      board.values[number].className = cell.className;
      board.values[number].textContent = cell.textContent;
    });
    run.steps.forEach(({ row }, number) => row.classList.toggle("here", number === place));
    line.ticks.forEach((tick, number) => {
      tick.className = number === place ? "here" : number < place ? "past" : "";
    });
    back.disabled = place === 0;
    forward.disabled = fails.disabled = place === last;
    wrong.hidden = place !== last;
  };
  runs.addEventListener("click", () => (waiting ? player.stop() : player.begin()));
  fails.addEventListener("click", () => step(last));
  back.addEventListener("click", () => step(place - 1));
  forward.addEventListener("click", () => step(place + 1));
  slider.addEventListener("input", () => step(Number(slider.value)));
  player.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(to);
  });
  go(0);
  return player;
};

const dress = (root) => {
  if (page.printing) return; // printed pages show the tables of steps instead
  for (const folded of page.all("details.run", root)) {
    const inside = folded.parentElement.closest("details");
    if (!folded.dataset.played && (!inside || inside.open)) {
      folded.dataset.played = "yes";
      folded.before(page.player(folded.querySelector("table.steps")));
    }
  }
};
addEventListener("toggle", (event) => event.target.open && event.target.matches("details.claim") && dress(event.target), true);
dress(document);
