// Does a claim concern a client and a mode, and how likely is a cause for them? "" means any.
if (page.data) {
  const { modes, digits, concerned, known } = page.data;

  // One bit for each mode, the same number of digits for each release: see concerns.py.
  page.concerns = (number, client, mode) => {
    const places = client === "" ? concerned[number].length / digits : 1;
    const first = client === "" ? 0 : Number(client);
    for (let place = first; place < first + places; place += 1) {
      const bits = parseInt(concerned[number].slice(place * digits, (place + 1) * digits), 16);
      if (mode === "" ? bits : (bits >> Number(mode)) & 1) return true;
    }
    return false;
  };
  // One digit for each release and mode, with "any" as the first of both: see section.py.
  page.known = (cause, client, mode) => {
    const row = client === "" ? 0 : Number(client) + 1;
    const column = mode === "" ? 0 : Number(mode) + 1;
    return Number(known[Number(cause.dataset.known)][row * (modes + 1) + column]);
  };
}
