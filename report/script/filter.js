// The filter: shows only claims, tables and causes for the chosen client, mode and words.
const form = document.getElementById("filter");
if (form && page.data) {
  const few = 12;
  const { concerned, words: meanings, possible } = page.data;
  const found = document.getElementById("found");
  const families = page.all(".family");
  const causes = page.all("details.cause");
  const ofFamily = new Map(families.map((family) => [family, page.all("article[data-for]", family)]));
  const links = page.all(".matrix a.verdict").map((link) => ({ link, claim: document.getElementById(link.hash.slice(1)) }));
  const texts = new Map();
  const textOf = (element) => {
    if (!texts.has(element)) {
      const copy = element.cloneNode(true);
      for (const solvers of page.all(".solvers, .player", copy)) solvers.remove();
      texts.set(element, copy.textContent.toLowerCase());
    }
    return texts.get(element);
  };
  const has = (element, words) => words.every((word) => textOf(element).includes(word));

  const chosen = () => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));

  // The chosen filters in words: "Java 5.1.4, push orderly".
  const named = () =>
    [...form.elements]
      .filter((one) => one.name && one.value.trim())
      .map((one) => (one.options ? one.selectedOptions[0].textContent : `“${one.value.trim()}”`))
      .join(", ");

  const showClaims = (asked, words) => {
    const shown = new Set();
    const answers = new Map(concerned.map((_, number) => [number, page.concerns(number, asked.client, asked.mode)]));
    const anybody = !asked.client && !asked.mode;
    for (const [family, claims] of ofFamily) {
      const here = !asked.family || family.id === `family-${asked.family}`;
      for (const claim of claims) {
        const { strategies, verdict } = claim.dataset;
        const fits =
          here &&
          (anybody || answers.get(Number(claim.dataset.for))) &&
          (!asked.verdict || verdict === asked.verdict) &&
          (!asked.strategy || !strategies || strategies.split(" ").includes(asked.strategy)) &&
          has(claim, words);
        claim.hidden = !fits;
        if (fits) shown.add(claim);
      }
    }
    return shown;
  };

  const tell = (folded, words) => {
    const told = folded.querySelector(".many");
    if (!told.dataset.all) told.dataset.all = told.textContent;
    told.textContent = words || told.dataset.all;
    const door = document.querySelector(`.doors a[href="#${folded.id}"]`);
    if (door) door.nextElementSibling.textContent = told.textContent;
  };

  // Few claims are listed at once, with links.
  const hits = document.getElementById("hits");
  const nameFew = (shown, narrowed) => {
    hits.hidden = !narrowed || !shown.size || shown.size > few;
    hits.replaceChildren(...(hits.hidden ? [] : [...shown]).map((claim) => {
      const link = page.made("a", "", claim.querySelector("h4").textContent);
      link.href = `#${claim.id}`;
      const line = page.made("li");
      line.append(link);
      return line;
    }));
  };

  const showTables = (shown, narrowed) => {
    for (const { link, claim } of links) link.classList.toggle("off", !shown.has(claim));
    for (const row of page.all(".matrix tbody tr:not(.first)")) {
      row.hidden = narrowed && !row.querySelector("a.verdict:not(.off)");
    }
    for (const body of page.all(".matrix tbody")) body.hidden = narrowed && !body.querySelector("tr:not(.first):not([hidden])");
    for (const [family, claims] of ofFamily) {
      const many = claims.filter((claim) => shown.has(claim)).length;
      family.hidden = narrowed && !many;
      tell(family, narrowed && `${many} of ${claims.length} claims`);
      if (narrowed && shown.size <= few) family.querySelector("details").open = true;
    }
  };

  const showCauses = (asked, words, narrowed) => {
    let many = 0;
    for (const cause of causes) {
      cause.hidden = page.known(cause, asked.client, asked.mode) >= possible || !has(cause, words);
      many += !cause.hidden;
    }
    for (const needs of page.all(".needs")) needs.hidden = !needs.querySelector("details.cause:not([hidden])");
    for (const symptom of page.all(".symptom")) {
      const away = new Map();
      const own = page.all("details.cause", symptom);
      tell(symptom, narrowed && `${own.filter((cause) => !cause.hidden).length} of ${own.length} causes`);
      for (const cause of own) {
        const place = page.known(cause, asked.client, asked.mode);
        if (place >= possible) away.set(place, (away.get(place) || 0) + 1);
      }
      const told = symptom.querySelector(".left-out");
      told.textContent = [...away].sort(([one], [other]) => one - other).map(([place, number]) => `${number} hidden: ${meanings[place]}.`).join(" ");
      told.hidden = !away.size;
      if (words.length && symptom.querySelector("details.cause:not([hidden])") && many <= few) symptom.querySelector("details").open = true;
    }
    return many;
  };

  const showMaps = (strategy) => {
    for (const maps of page.all(".maps")) maps.hidden = strategy && !maps.dataset.strategies.split(" ").includes(strategy);
  };

  const choose = () => {
    const asked = chosen();
    const words = asked.words.toLowerCase().split(/\s+/).filter(Boolean);
    const narrowed = Object.values(asked).some(Boolean);
    const shown = showClaims(asked, words);
    showTables(shown, narrowed);
    nameFew(shown, narrowed);
    showMaps(asked.strategy);
    const many = showCauses(asked, words, narrowed);
    const label = narrowed ? named() : "";
    found.textContent = narrowed
      ? `${shown.size} of ${page.claims.length} claims, ${many} of ${causes.length} causes: ${label}. The filter hides ${page.claims.length - shown.size} claims.`
      : "";
    if (page.chosen) page.chosen(shown, label);
  };
  page.showEverything = () => {
    form.reset();
    choose();
  };
  let waiting;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(choose, 120);
  });
  form.addEventListener("reset", () => setTimeout(choose));
  form.addEventListener("submit", (event) => event.preventDefault());
  const folded = document.getElementById("choose");
  folded.hidden = false;
  folded.open = innerWidth > 700; // in a small window the filter is folded to one line
}
