// Timelines of the audit's page: Bokeh draws what is visible, at the width of the window and in the page's colours.
"use strict";
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const CELL = 2, BIN = 36, TICK = 105; // in px: narrowest bar, a bin of findings, a labelled tick
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const unpacked = async text => {
  const bytes = Uint8Array.from(atob(text), one => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};

const times = (differences, begin) => {
  let at = begin;
  return differences.map(one => (at += one));
};

const pen = document.createElement("canvas").getContext("2d");
pen.font = "12px system-ui, sans-serif";
const wide = text => pen.measureText(text).width;
const shortened = (text, width) => {
  let length = text.length;
  while (length > 4 && wide(`${text.slice(0, length)}…`) > width) length -= 1;
  return length < text.length && wide(text) > width ? `${text.slice(0, length)}…` : text;
};
const fitting = (text, width) => { // the end of a client id tells it from others
  if (wide(text) <= width) return text;
  let length = Math.floor(text.length * width / wide(text)) - 1;
  while (length > 0 && wide(`…${text.slice(-length)}`) > width) length -= 1;
  return length >= 4 ? `…${text.slice(-length)}` : "";
};
const long = ms => {
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`;
};
const clock = at => new Date(at).toISOString().slice(0, 23).replace("T", " ");
const filled = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);
const between = (begin, end) => `${clock(begin)} .. ${end > begin ? `${clock(end)}, ${long(end - begin)}` : ""}`;

// Bars of a lane in the visible time: wide ones as they are, narrow ones as cells with the main owner of each cell.
const coarse = (lane, from, to, step) => {
  const shown = [], cells = new Map();
  for (let n = 0; n < lane.owner.length; n += 1) {
    const begin = lane.begin[n], end = begin + lane.long[n];
    if (end < from || begin > to) continue;
    if (lane.long[n] >= step) {
      shown.push({owner: lane.owner[n], begin, end, place: lane.place[n], of: lane.of[n]});
      continue;
    }
    const cell = Math.floor((begin - from) / step);
    if (!cells.has(cell)) cells.set(cell, new Map());
    const shares = cells.get(cell);
    shares.set(lane.owner[n], (shares.get(lane.owner[n]) || 0) + Math.max(1, lane.long[n]));
  }
  let run = null;
  for (const place of [...cells.keys()].sort((a, b) => a - b)) {
    const shares = cells.get(place);
    let [owner, most, whole] = [-1, 0, 0];
    for (const [one, share] of shares) {
      whole += share;
      if (share > most) [owner, most] = [one, share];
    }
    if (2 * most <= whole) owner = -1;
    const begin = from + place * step;
    if (run && run.owner === owner && Math.abs(run.end - begin) < step / 2) run.end = begin + step;
    else shown.push(run = {owner, begin, end: begin + step, place: 0, of: 1, merged: true});
  }
  return shown;
};

class Timeline {
  constructor(place, data) {
    this.place = place;
    this.data = data;
    for (const one of [...data.kinds, ...data.lanes]) one.begin = times(one.begin, data.begin);
    for (const lane of data.lanes) {
      lane.marks = lane.marks.map(([kind, begin, end]) => ({kind, begin: data.begin + begin, end: data.begin + end}));
    }
    data.rebalances = times(data.rebalances, data.begin);
    data.notices = times(data.notices, data.begin);
  }

  async show() {
    const target = this.place.querySelector(".chart");
    const views = await Bokeh.embed.embed_item(this.data.item, target);
    this.plot = views.roots ? views.roots[0].model : [...views][0].model;
    this.range = this.plot.x_range;
    this.whole = [this.range.start, this.range.end];
    const soon = () => this.soon();
    for (const name of ["start", "end"]) this.range.properties[name].change.connect(soon);
    this.plot.properties.inner_width.change.connect(soon);
    this.draw();
    this.place.querySelector("svg.still").remove();
    for (const button of all("button[data-zoom]", this.place)) {
      button.addEventListener("click", () => this[button.dataset.zoom]());
    }
    this.place.querySelector(".zoom").hidden = false;
    this.place.timeline = this;
  }

  soon() {
    if (this.waits) return;
    this.waits = requestAnimationFrame(() => {
      this.waits = 0;
      this.draw();
    });
  }

  source(name) {
    return this.plot.renderers.map(one => one.data_source).find(one => one.name === name);
  }

  set(begin, end) {
    const least = 20, width = Math.max(least, Math.min(end - begin, this.whole[1] - this.whole[0]));
    const start = Math.max(this.whole[0], Math.min(begin, this.whole[1] - width));
    this.range.setv({start, end: start + width});
  }

  by(factor) {
    const middle = (this.range.start + this.range.end) / 2, half = (this.range.end - this.range.start) / 2 * factor;
    this.set(middle - half, middle + half);
  }

  in() { this.by(1 / 2); }
  out() { this.by(2); }
  all() { this.set(...this.whole); }
  earlier() { this.move(-0.5); }
  later() { this.move(0.5); }
  move(share) {
    const width = this.range.end - this.range.start;
    this.set(this.range.start + share * width, this.range.end + share * width);
  }

  draw() {
    const {start, end} = this.range, width = this.plot.inner_width || this.place.clientWidth;
    const px = (end - start) / width, white = "#ffffff", ink = colour("ink"), faint = colour("faint");
    const ground = colour("ground"), line = colour("line"), {sizes, labels} = this.data;
    const bars = {y: [], left: [], right: [], height: [], fill: [], alpha: [], line: [], tip: []};
    const texts = {x: [], y: [], text: [], fill: [], size: []};
    const bar = (y, left, right, height, fill, alpha, edge, tip) => {
      const values = {y, left: Math.max(left, start), right: Math.min(right, end), height, fill, alpha, line: edge, tip};
      for (const name in values) bars[name].push(values[name]);
    };
    const write = (x, y, text, fill, size = "12px") => {
      const values = {x, y, text, fill, size};
      for (const name in values) texts[name].push(values[name]);
    };
    const kinds = {two: colour("several"), nobody: colour("nobody")};
    let top = 0;
    for (const kind of this.data.kinds) {
      const fill = kinds[kind.name] || colour("other"), step = BIN * px, bins = new Map();
      let number = 0;
      kind.begin.forEach((begin, n) => {
        const until = begin + kind.long[n];
        if (until < start || begin > end) return;
        number += 1;
        const place = Math.floor((Math.max(begin, start) - start) / step);
        if (!bins.has(place)) bins.set(place, []);
        bins.get(place).push([begin, until]);
      });
      write(start, top + 9, `${shortened(kind.title, width - 60)} (${number})`, ink);
      for (const [place, own] of bins) {
        const [begin, until] = own.length === 1
          ? own[0]
          : [start + place * step, own.reduce((last, one) => Math.max(last, one[1]), start + (place + 1) * step - px)];
        const tip = own.length === 1 ? `${kind.title}: ${between(begin, until)}` : filled(labels.times, {number: own.length, finding: kind.title});
        bar(top + 24, begin, Math.max(until, begin + 3 * px), 12, fill, own.length > 1 ? 0.3 : 0.6, fill, tip);
        if (own.length > 1) write(start + place * step + 3 * px, top + 24, String(own.length), ink, "11px");
      }
      top += sizes.strip;
    }
    for (const lane of this.data.lanes) {
      write(start, top + 10, shortened(lane.name, width - 8), ink, "13px");
      for (const one of coarse(lane, start, end, CELL * px)) {
        const part = (lane.height - sizes.row) / one.of, turn = one.owner < 0;
        const name = turn ? labels.turn : this.data.owners[one.owner];
        const fill = turn ? faint : this.data.colours[one.owner % this.data.colours.length];
        const y = top + 22 + (one.place + 0.5) * part;
        const owner = filled(one.merged ? labels.mainly : labels.during, {name, time: between(one.begin, one.end)});
        const tip = filled(labels.of, {lane: lane.name, owner});
        bar(y, one.begin, one.end, part - (one.of > 1 ? 0.5 : 0), fill, turn ? 0.5 : 1, ground, tip);
        const left = Math.max(one.begin, start), room = (Math.min(one.end, end) - left) / px - 8;
        const text = part < 12 || turn || room < 20 ? "" : fitting(name, room);
        if (text) write(left + 4 * px, y, text, white);
      }
      let last = null;
      for (const mark of lane.marks) {
        if (mark.end < start || mark.begin > end) continue;
        if (last && last.kind === mark.kind && mark.begin - last.until < CELL * px) {
          last.until = Math.max(last.until, mark.end);
          bars.right[last.row] = Math.min(end, last.until);
          continue;
        }
        const tip = `${labels[mark.kind]}: ${between(mark.begin, mark.end)}`;
        const until = Math.max(mark.end, mark.begin + 3 * px);
        bar(top + 19, mark.begin, until, 4, kinds[mark.kind], 1, kinds[mark.kind], tip);
        last = {kind: mark.kind, until, row: bars.y.length - 1};
      }
      top += lane.height;
    }
    const events = {x: [], y0: [], y1: [], line: []};
    for (const [name, stroke, y] of [["notices", faint, top + 22], ["rebalances", ink, top + 30]]) {
      let before = -Infinity;
      for (const at of this.data[name]) {
        if (at < start || at > end || at - before < 2 * px) continue;
        before = at;
        const values = {x: at, y0: y, y1: y + 7, line: stroke};
        for (const key in values) events[key].push(values[key]);
      }
    }
    write(start, top + 12, shortened(labels.events, width), faint, "11px");
    this.source("bars").data = bars;
    this.source("texts").data = texts;
    this.source("events").data = events;
    this.plot.setv({background_fill_color: ground, border_fill_color: ground});
    for (const axis of [...this.plot.above, ...this.plot.below]) {
      axis.ticker.desired_num_ticks = Math.max(2, Math.floor(width / TICK));
      axis.setv({
        major_label_text_color: ink, axis_line_color: faint, major_tick_line_color: faint,
        minor_tick_line_color: faint, major_label_text_font_size: "12px",
      });
    }
    for (const grid of this.plot.center) grid.setv({grid_line_color: line});
    this.place.dataset.shown = `${Math.round(start)} ${Math.round(end)}`;
  }
}

const start = async () => {
  const timelines = [];
  for (const given of all("script[data-timeline]")) {
    const place = document.getElementById(given.dataset.timeline);
    const one = new Timeline(place, await unpacked(given.textContent));
    await one.show();
    timelines.push(one);
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => timelines.forEach(one => one.draw()));
  for (const button of all("button[data-from]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const place = document.getElementById(button.dataset.at), one = place.timeline;
      const begin = one.data.begin + Number(button.dataset.from), end = one.data.begin + Number(button.dataset.to);
      const room = Math.max(2000, (end - begin) * 0.75);
      one.set(begin - room, end + room);
      place.scrollIntoView({block: "start"});
    });
  }
  document.documentElement.dataset.ready = "yes";
};
Bokeh.logger.set_level("error"); // the console is for errors
start();
