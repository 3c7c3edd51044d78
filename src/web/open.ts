import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Log } from '#platform/observability/log.ts';

export type WebOptions = {
  port: number;
  host: string;
  /** The public address; if null, the address it listens on. */
  url: string | null;
  apiUrl: string;
  key: string;
  /** Null: no till. */
  tillKey: string | null;
  secret: Buffer;
  trustProxy: string | false;
  requestTimeoutMs?: number;
  /** How long a page waits for the service. */
  timeoutMs?: number;
  /** Null: no sandbox bar. */
  sandbox: { staffUrl: string; staffKey: string; merchantKey: string } | null;
  log: Log;
};

export type RunningWeb = { url: string; close(): Promise<void> };

export type OfficeOptions = Pick<
  WebOptions,
  'port' | 'host' | 'url' | 'secret' | 'trustProxy' | 'requestTimeoutMs' | 'timeoutMs' | 'log'
> & {
  staffUrl: string;
  /** The address of the site; null: no links to it. */
  publicSite: string | null;
  /** One click signs in. */
  isSandbox: boolean;
};

/** Starts the pages behind the front door. */
export const openWeb = async (options: WebOptions): Promise<RunningWeb> =>
  (await load<{ serveFaces(given: WebOptions): Promise<RunningWeb> }>('./faces.ts')).serveFaces(options);

/** Starts the back office. */
export const openOffice = async (options: OfficeOptions): Promise<RunningWeb> =>
  (await load<{ serveOffice(given: OfficeOptions): Promise<RunningWeb> }>('./office/serve.ts')).serveOffice(
    options,
  );

/** Pages are imported dynamically: DOM types and JSX stay out of the service. */
async function load<Pages>(name: string): Promise<Pages> {
  translated ??= translatePages();
  await translated;
  return (await import(name)) as Pages;
}

let translated: Promise<void> | undefined;

/** Node strips types but does not read JSX: all .tsx files are compiled together, in a third of a second, and loaded from memory. */
async function translatePages(): Promise<void> {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => join(import.meta.dirname, name));
  const { outputFiles } = await build({
    entryPoints: files,
    outdir: import.meta.dirname,
    outbase: import.meta.dirname,
    write: false,
    format: 'esm',
    target: 'esnext',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: '{}',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  const sources = new Map(
    outputFiles.map(({ path, text }) => [pathToFileURL(path.replace(/\.js$/, '.tsx')).href, text]),
  );
  registerHooks({
    load(url, context, next) {
      const source = sources.get(url);
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
}
