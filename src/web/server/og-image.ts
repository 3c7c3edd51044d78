import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { xml } from '../text/format.ts';

/**
 * Social networks show PNG only. resvg as WebAssembly is one package of 2.5 MB for every platform; the fonts are included, as a
 * server has none. A picture takes up to a second, so a worker thread draws it; each is drawn once and cached.
 */
const DRAWING = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { readFileSync } = require('node:fs');
  const { initWasm, Resvg } = require(workerData.resvg);
  const ready = initWasm(readFileSync(workerData.wasm));
  const fontBuffers = workerData.fonts.map((path) => readFileSync(path));
  parentPort.on('message', async ({ id, svg }) => {
    await ready;
    const font = { fontBuffers, defaultFontFamily: 'Figtree' };
    parentPort.postMessage({ id, png: new Resvg(svg, { font }).render().asPng() });
  });`;

type DrawnImage = { id: number; png: Uint8Array };
let thread: Worker | undefined;
let last = 0;
const waiting = new Map<number, { resolve(png: Buffer): void; reject(error: Error): void }>();

export function draw(svg: string): Promise<Buffer> {
  thread ??= startThread();
  const id = ++last;
  const drawn = new Promise<Buffer>((resolve, reject) => waiting.set(id, { resolve, reject }));
  thread.postMessage({ id, svg });
  return drawn;
}

function startThread(): Worker {
  const { resolve } = createRequire(import.meta.url);
  const fonts = [500, 800].map((weight) => join(import.meta.dirname, `../fonts/figtree-${weight}.ttf`));
  const workerData = {
    resvg: resolve('@resvg/resvg-wasm'),
    wasm: resolve('@resvg/resvg-wasm/index_bg.wasm'),
    fonts,
  };
  const worker = new Worker(DRAWING, { eval: true, workerData });
  worker.on('message', ({ id, png }: DrawnImage) => {
    waiting.get(id)?.resolve(Buffer.from(png));
    waiting.delete(id);
  });
  worker.on('error', (error) => {
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
  worker.unref(); // after adding listeners, which keep the process alive
  return worker;
}

/** The width of a line up to the bars, in lower-case letters. */
const WIDEST = 26;
const MOST_LINES = 3;

/** Capitals count one and a half. */
const widthOf = (text: string) => text.length + 0.5 * (text.match(/\p{Lu}/gu)?.length ?? 0);

/** Cuts the text to the width of a line, with an ellipsis. */
function shorten(text: string): string {
  let kept = text;
  while (widthOf(kept) > WIDEST - 1) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}…`;
}

/** Breaks the text into lines at spaces, but not at no-break spaces; what does not fit is cut with an ellipsis. */
export function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/ +/)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= WIDEST) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const shown = lines.slice(0, MOST_LINES);
  return shown.map((line, i) =>
    widthOf(line) > WIDEST || (i === MOST_LINES - 1 && lines.length > MOST_LINES) ? shorten(line) : line,
  );
}

const HEIGHTS = [150, 190, 140, 178, 260, 164, 128];

/** 1200 × 630: a title, a line above it and one below. */
export function drawImage(given: { above: string; title: string; below: string }): Promise<Buffer> {
  const lines = wrap(given.title);
  const bars = HEIGHTS.map(
    (height, i) =>
      `<rect x="${862 + i * 40}" y="${315 - height / 2}" width="26" height="${height}" rx="13" fill="${i === 4 ? '#ffc94d' : '#1c5a41'}"/>`,
  );
  const top = 315 - ((lines.length - 1) * 78) / 2 + 24;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="Figtree Medium">
    <rect width="1200" height="630" fill="#0c2b1f"/>${bars.join('')}
    <text x="80" y="112" font-size="34" fill="#8fd9b3">${xml(given.above)}</text>
    ${lines.map((line, i) => `<text x="80" y="${top + i * 78}" font-size="66" font-family="Figtree ExtraBold" font-weight="800" fill="#fff" letter-spacing="-1.5">${xml(line)}</text>`).join('')}
    <text x="80" y="556" font-size="34" fill="#d7e8de">${xml(given.below)}</text>
  </svg>`;
  return draw(svg);
}
