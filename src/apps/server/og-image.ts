import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { escapeXml } from '../text/format.ts';

/**
 * Renders SVG to PNG, because social networks show PNG only. resvg as WebAssembly is one package of 2.5 MB for all platforms; the
 * fonts are included because a server has none. An image takes up to a second, so a worker thread renders it.
 */
const WORKER_SOURCE = `
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

type RenderedImage = { id: number; png: Uint8Array };
let thread: Worker | undefined;
let lastId = 0;
const pendingRenderings = new Map<number, { resolve(png: Buffer): void; reject(error: Error): void }>();

export function renderPng(svg: string): Promise<Buffer> {
  thread ??= startThread();
  const id = ++lastId;
  const png = new Promise<Buffer>((resolve, reject) => pendingRenderings.set(id, { resolve, reject }));
  thread.postMessage({ id, svg });
  return png;
}

function startThread(): Worker {
  const { resolve } = createRequire(import.meta.url);
  const fonts = [500, 800].map((weight) => join(import.meta.dirname, `../fonts/figtree-${weight}.ttf`));
  const workerData = {
    resvg: resolve('@resvg/resvg-wasm'),
    wasm: resolve('@resvg/resvg-wasm/index_bg.wasm'),
    fonts,
  };
  const worker = new Worker(WORKER_SOURCE, { eval: true, workerData });
  worker.on('message', ({ id, png }: RenderedImage) => {
    pendingRenderings.get(id)?.resolve(Buffer.from(png));
    pendingRenderings.delete(id);
  });
  worker.on('error', (error) => {
    thread = undefined;
    for (const { reject } of pendingRenderings.values()) reject(error);
    pendingRenderings.clear();
  });
  worker.unref(); // Must come after the listeners are added, because they keep the process alive.
  return worker;
}

/** The maximum width of a line of the title, to the left of the bars, in lower-case letters. A capital counts as 1.5. */
const MAX_LINE_WIDTH = 26;
const MAX_LINES = 3;

const measureWidth = (text: string) => text.length + 0.5 * (text.match(/\p{Lu}/gu)?.length ?? 0);

function shorten(text: string): string {
  let shortened = text;
  while (measureWidth(shortened) > MAX_LINE_WIDTH - 1) shortened = shortened.slice(0, -1);
  return `${shortened.trimEnd()}…`;
}

/** Breaks the text into lines at spaces, but not at no-break spaces. Text that does not fit is cut with an ellipsis. */
export function wrapText(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/ +/)) {
    const longerLine = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && measureWidth(longerLine) <= MAX_LINE_WIDTH) lines[lines.length - 1] = longerLine;
    else lines.push(word);
  }
  return lines
    .slice(0, MAX_LINES)
    .map((line, i) =>
      measureWidth(line) > MAX_LINE_WIDTH || (i === MAX_LINES - 1 && lines.length > MAX_LINES)
        ? shorten(line)
        : line,
    );
}

/** One bar for each day of the week, as in the logo. */
const BAR_HEIGHTS = [150, 190, 140, 178, 260, 164, 128];
const PAYMENT_DAY_INDEX = 4;
const CENTER_Y = 630 / 2;
const LINE_HEIGHT = 78;

/** Draws an image of 1200 × 630: a title between a header line and a footer line. */
export function drawSocialImage(texts: { header: string; title: string; footer: string }): Promise<Buffer> {
  const lines = wrapText(texts.title);
  const bars = BAR_HEIGHTS.map(
    (height, i) =>
      `<rect x="${862 + i * 40}" y="${CENTER_Y - height / 2}" width="26" height="${height}" rx="13" fill="${i === PAYMENT_DAY_INDEX ? '#ffc94d' : '#1c5a41'}"/>`,
  );
  const baselineOffset = 24; // centers the letters of a line
  const firstBaseline = CENTER_Y - ((lines.length - 1) * LINE_HEIGHT) / 2 + baselineOffset;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="Figtree Medium">
    <rect width="1200" height="630" fill="#0c2b1f"/>${bars.join('')}
    <text x="80" y="112" font-size="34" fill="#8fd9b3">${escapeXml(texts.header)}</text>
    ${lines.map((line, i) => `<text x="80" y="${firstBaseline + i * LINE_HEIGHT}" font-size="66" font-family="Figtree ExtraBold" font-weight="800" fill="#fff" letter-spacing="-1.5">${escapeXml(line)}</text>`).join('')}
    <text x="80" y="556" font-size="34" fill="#d7e8de">${escapeXml(texts.footer)}</text>
  </svg>`;
  return renderPng(svg);
}
