import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const APPS_FOLDER = join(import.meta.dirname, '..');

/** A response body, uncompressed and, if it can be compressed, in the encodings that browsers accept. */
export type EncodedBody = { type: string; raw: Buffer; br?: Buffer; gzip?: Buffer };

const CONTENT_TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
};
const getContentType = (path: string) => CONTENT_TYPES[extname(path).slice(1)] ?? 'application/octet-stream';

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
    files.set(`/assets/${basename(path)}`, compress(getContentType(path), Buffer.from(contents)));
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

const STATIC_FOLDER = join(APPS_FOLDER, 'static');

/** The icons, manifests and preview image in static/, by their paths on the site. */
export const staticFiles: ReadonlyMap<string, EncodedBody> = new Map(
  readdirSync(STATIC_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => extname(path) !== '')
    .map((path) => [`/${path}`, compress(getContentType(path), readFileSync(join(STATIC_FOLDER, path)))]),
);
