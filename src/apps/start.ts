import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Log } from '#platform/observability/log.ts';
import type { OfficeSettings, WebSettings } from './settings.ts';

type ServerOptions = {
  port: number;
  /** How long the server waits for the rest of a request. */
  requestTimeoutMs?: number;
  /** How long a page waits for the API. */
  apiTimeoutMs?: number;
  log: Log;
};

export type WebOptions = Omit<WebSettings, 'port'> & ServerOptions;
export type OfficeOptions = Omit<OfficeSettings, 'port'> & ServerOptions;
export type RunningServer = { url: string; close(): Promise<void> };

export const startWeb = async (options: WebOptions): Promise<RunningServer> =>
  (await importPages<{ serveApps(options: WebOptions): Promise<RunningServer> }>('./apps.ts')).serveApps(
    options,
  );

export const startOffice = async (options: OfficeOptions): Promise<RunningServer> =>
  (
    await importPages<{ serveOffice(options: OfficeOptions): Promise<RunningServer> }>('./office/serve.ts')
  ).serveOffice(options);

/** Pages are imported dynamically, so that the service loads no JSX and needs no DOM types. */
async function importPages<Pages>(name: string): Promise<Pages> {
  jsxCompilation ??= compileJsx();
  await jsxCompilation;
  return (await import(name)) as Pages;
}

let jsxCompilation: Promise<void> | undefined;

/** Node strips types but does not support JSX: all .tsx files are compiled together, in a third of a second, and loaded from memory. */
async function compileJsx(): Promise<void> {
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
