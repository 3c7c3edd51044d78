import { join } from 'node:path';
import { build } from 'esbuild';
import { type Packed, pack, WEB } from './assets.ts';

/** A service worker contains the names of the files it caches, its page without a connection first: new styles make a new worker. */
export async function buildWorker(kept: readonly string[]): Promise<Packed> {
  const { outputFiles } = await build({
    entryPoints: [join(WEB, 'browser/worker.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'chrome100',
    define: { KEPT: JSON.stringify(kept) },
    tsconfigRaw: '{}',
    logLevel: 'silent',
  });
  return pack('text/javascript; charset=utf-8', Buffer.from(outputFiles[0]!.contents));
}
