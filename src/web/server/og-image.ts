import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { xml } from '../site/format.ts';

/**
 * Networks show PNG only. resvg as WebAssembly is one package of 2.5 MB for every platform; the fonts come along, as a server has
 * none. A picture takes some 50 ms, so each is drawn once and kept.
 */
let ready: Promise<void> | undefined;
const FONTS = [500, 800].map((weight) => join(import.meta.dirname, `../fonts/figtree-${weight}.ttf`));
let fonts: Uint8Array[] = [];

async function prepare(): Promise<void> {
  const wasm = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  await initWasm(readFileSync(wasm));
  fonts = FONTS.map((path) => readFileSync(path));
}

const WIDEST = 26;
const MOST_LINES = 3;

/** Broken between words; what does not fit ends in an ellipsis. */
export function wrap(text: string, widest = WIDEST, mostLines = MOST_LINES): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= widest) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), `${lines[mostLines - 1]!.slice(0, widest - 1)}…`];
}

const HEIGHTS = [150, 190, 140, 178, 260, 164, 128];

/** 1200 × 630: a title, a line above it and one below. */
export async function drawImage(given: { above: string; title: string; below: string }): Promise<Buffer> {
  ready ??= prepare();
  await ready;
  const lines = wrap(given.title);
  const bars = HEIGHTS.map(
    (height, i) =>
      `<rect x="${862 + i * 40}" y="${315 - height / 2}" width="26" height="${height}" rx="13" fill="${i === 4 ? '#ffc94d' : '#1c5a41'}"/>`,
  );
  const top = 315 - ((lines.length - 1) * 78) / 2 + 24;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="Figtree">
    <rect width="1200" height="630" fill="#0c2b1f"/>${bars.join('')}
    <text x="80" y="112" font-size="34" font-weight="500" fill="#8fd9b3">${xml(given.above)}</text>
    ${lines.map((line, i) => `<text x="80" y="${top + i * 78}" font-size="66" font-weight="800" fill="#fff" letter-spacing="-1.5">${xml(line)}</text>`).join('')}
    <text x="80" y="556" font-size="34" font-weight="500" fill="#d7e8de">${xml(given.below)}</text>
  </svg>`;
  const image = new Resvg(svg, { font: { fontBuffers: fonts, defaultFontFamily: 'Figtree' } }).render();
  return Buffer.from(image.asPng());
}
