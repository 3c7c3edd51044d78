import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const APPS_FOLDER = join(import.meta.dirname, '..');

/** A response body, uncompressed and, if it can be compressed, in the encodings that browsers accept. */
export type EncodedBody = { type: string; raw: Buffer; br?: Buffer; gzip?: Buffer };

const CONTENT_TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** `quality`: 11 for content that is compressed once, less for pages. */
export function compress(type: string, raw: Buffer, quality = 11): EncodedBody {
  if (type.startsWith('font/') || type === 'image/png') return { type, raw };
  return { type, raw, br: compressWithBrotli(raw, quality), gzip: gzipSync(raw) };
}

export const compressWithBrotli = (raw: Buffer, quality: number): Buffer =>
  brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

const BUILD_OPTIONS = {
  bundle: true,
  minify: true,
  write: false,
  tsconfigRaw: '{}',
  logLevel: 'silent',
} as const;

/** Styles, scripts and pictures with a content hash in their names, so that browsers can cache them forever. */
async function buildAssets() {
  const { outputFiles } = await build({
    entryPoints: [
      'ui/site.css',
      'ui/wallet.css',
      'ui/till.css',
      'ui/office.css',
      'ui/dark.css',
      'browser/site.ts',
      'browser/wallet.ts',
      'browser/till.ts',
      'browser/office.ts',
    ].map((name) => join(APPS_FOLDER, name)),
    outdir: join(APPS_FOLDER, 'assets'),
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: '/assets',
    format: 'esm',
    target: ['chrome100', 'firefox100', 'safari15.4'],
    loader: { '.woff2': 'file', '.svg': 'file' },
    ...BUILD_OPTIONS,
  });
  const files = new Map<string, EncodedBody>();
  for (const { path, contents } of outputFiles) {
    const type = CONTENT_TYPES[path.split('.').at(-1)!] ?? 'application/octet-stream';
    files.set(`/assets/${basename(path)}`, compress(type, Buffer.from(contents)));
  }
  const findPath = (name: string, extension = '') =>
    [...files.keys()].find((path) => path.startsWith(`/assets/${name}-`) && path.endsWith(extension))!;
  return {
    files,
    siteCss: findPath('site', '.css'),
    darkCss: findPath('dark'),
    siteJs: findPath('site', '.js'),
    font: findPath('figtree'),
    walletCss: findPath('wallet', '.css'),
    walletJs: findPath('wallet', '.js'),
    tillCss: findPath('till', '.css'),
    tillJs: findPath('till', '.js'),
    officeCss: findPath('office', '.css'),
    officeJs: findPath('office', '.js'),
  };
}

/** Builds one script of browser/ without a content hash in its name. */
export async function buildScript(
  name: string,
  options: { target: string | string[]; define?: Record<string, string> },
): Promise<EncodedBody> {
  const { outputFiles } = await build({
    entryPoints: [join(APPS_FOLDER, 'browser', name)],
    format: 'iife',
    ...BUILD_OPTIONS,
    ...options,
  });
  return compress(CONTENT_TYPES.js!, Buffer.from(outputFiles[0]!.contents));
}

export const assets = await buildAssets();
export const icon = compress('image/svg+xml', readFileSync(join(APPS_FOLDER, 'ui/icon.svg')));
