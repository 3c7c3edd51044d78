import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const WEB = join(import.meta.dirname, '..');

/** Bytes ready to be sent, in each encoding that browsers accept. */
export type Packed = { type: string; raw: Buffer; br?: Buffer; gzip?: Buffer };

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** `quality`: 11 for what is made once, less for pages. */
export function pack(type: string, raw: Buffer, quality = 11): Packed {
  if (type.startsWith('font/') || type === 'image/png') return { type, raw };
  return { type, raw, br: brotli(raw, quality), gzip: gzipSync(raw) };
}

export const brotli = (raw: Buffer, quality: number): Buffer =>
  brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

const BUNDLED = { bundle: true, minify: true, write: false, tsconfigRaw: '{}', logLevel: 'silent' } as const;

/** Styles, scripts and pictures with a content hash in their names, so that browsers can cache them for ever. */
async function buildAssets() {
  const { outputFiles } = await build({
    entryPoints: [
      'ui/site.css',
      'ui/wallet.css',
      'ui/till.css',
      'ui/office.css',
      'ui/dark.css',
      'browser/live.ts',
      'browser/wallet.ts',
      'browser/till.ts',
      'browser/office.ts',
    ].map((name) => join(WEB, name)),
    outdir: join(WEB, 'assets'),
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: '/assets',
    format: 'esm',
    target: ['chrome100', 'firefox100', 'safari15.4'],
    loader: { '.woff2': 'file', '.svg': 'file' },
    ...BUNDLED,
  });
  const files = new Map<string, Packed>();
  for (const { path, contents } of outputFiles) {
    const type = TYPES[path.split('.').at(-1)!] ?? 'application/octet-stream';
    files.set(`/assets/${basename(path)}`, pack(type, Buffer.from(contents)));
  }
  const named = (start: string, end = '') =>
    [...files.keys()].find((path) => path.startsWith(`/assets/${start}-`) && path.endsWith(end))!;
  return {
    files,
    css: named('site'),
    dark: named('dark'),
    live: named('live'),
    font: named('figtree'),
    walletCss: named('wallet', '.css'),
    wallet: named('wallet', '.js'),
    tillCss: named('till', '.css'),
    till: named('till', '.js'),
    officeCss: named('office', '.css'),
    office: named('office', '.js'),
  };
}

/** One script of browser/ by itself. */
export async function buildScript(
  name: string,
  options: { target: string | string[]; define?: Record<string, string> },
): Promise<Packed> {
  const { outputFiles } = await build({
    entryPoints: [join(WEB, 'browser', name)],
    format: 'iife',
    ...BUNDLED,
    ...options,
  });
  return pack(TYPES.js!, Buffer.from(outputFiles[0]!.contents));
}

export const assets = await buildAssets();
export const icon = pack('image/svg+xml', readFileSync(join(WEB, 'ui/icon.svg')));
