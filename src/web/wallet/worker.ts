import { join } from 'node:path';
import { build } from 'esbuild';
import { assets, type Packed, pack, WEB } from '../server/assets.ts';

export const OFFLINE = '/carteira/sem-conexao';

/** The service worker contains the names of the files it caches: new styles make a new worker. */
async function buildWorker(): Promise<Packed> {
  const kept = [OFFLINE, assets.css, assets.walletCss, assets.dark, assets.font, '/icon.svg'];
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

export const worker = await buildWorker();
