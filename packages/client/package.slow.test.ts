import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { build, type Format } from 'esbuild';
import { PROJECT } from '../../test/generated.ts';
import { openService } from '../../test/harness.ts';
import { node20 } from '../../test/node-20.ts';

// The package as partners get it: packed, installed in another project without a registry, run, compiled and bundled there.

const service = await openService();
const folder = await mkdtemp(join(tmpdir(), 'semana-package-'));
after(() => rm(folder, { recursive: true, force: true }));
const INSTALLED = join(folder, 'node_modules/@semana/client');
const NODES = { 'Node 20': node20(), 'Node 24': process.execPath };

/** Timeout of a program. */
const TIMEOUT_MS = 120_000;
const run = async (program: string, words: string[], cwd = folder): Promise<string> =>
  (await promisify(execFile)(program, words, { cwd, encoding: 'utf8', timeout: TIMEOUT_MS })).stdout;

await writeFile(join(folder, 'package.json'), '{ "name": "shop", "version": "1.0.0", "private": true }');
await run('npm', ['pack', './packages/client', '--pack-destination', folder], PROJECT);
const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`]);

test('it brings programs, declarations and a README, and depends on nothing', async () => {
  const manifest = JSON.parse(await readFile(join(INSTALLED, 'package.json'), 'utf8'));
  assert.deepEqual(
    [manifest.name, manifest.private, manifest.dependencies],
    ['@semana/client', true, undefined],
  );
  assert.deepEqual(await readdir(join(folder, 'node_modules/@semana')), ['client']);
  assert.deepEqual((await readdir(INSTALLED)).sort(), ['README.md', 'dist', 'package.json']);
  const strange = (await readdir(join(INSTALLED, 'dist'))).filter(
    (name) => !/\.(js|cjs|d\.ts|d\.cts)$/.test(name),
  );
  assert.deepEqual(strange, []);
});

/** A call, a refusal, a stream and the feed; ends by itself. */
const PROGRAM = `
async function main() {
  const api = createClient({ url: process.argv[2], key: 'sandbox-demo-key' });
  const { data } = await api.listMerchants({ query: { limit: 2 } });
  const refusal = await api.getMerchant({ path: { slug: 'nenhuma' } }).catch((error) => error);
  let lead;
  const onOpen = () => {
    lead = api.createLead({ body: { kind: 'partner', name: crypto.randomUUID(), phone: '+5511987654321' } });
  };
  let streamed;
  for await (const event of api.streamPartnerEvents({ onOpen })) {
    streamed = event;
    break;
  }
  const listed = [];
  for await (const { id } of api.each('listEvents', { query: { limit: 1, types: 'lead.received' } })) listed.push(id);
  console.log(JSON.stringify({
    merchants: data.length,
    refused: isProblem(refusal, 'not_found'),
    heard: streamed.data.id === (await lead).id,
    listed: listed.includes(streamed.id),
  }));
}
main();
`;
const RESULT = { merchants: 2, refused: true, heard: true, listed: true };
const PROGRAMS = {
  'import.mjs': `import { createClient, isProblem } from '@semana/client';${PROGRAM}`,
  'require.cjs': `const { createClient, isProblem } = require('@semana/client');${PROGRAM}`,
};
for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(folder, name), text);

for (const [version, node] of Object.entries(NODES))
  for (const name of Object.keys(PROGRAMS))
    test(`${version} runs ${name}`, async () => {
      assert.deepEqual(JSON.parse(await run(node, [name, service.frontUrl])), RESULT);
    });

for (const [format, ending] of [
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
] satisfies Array<[Format, string]>)
  test(`esbuild bundles it to one file (${format}), which both Nodes run`, async () => {
    await mkdir(join(folder, 'bundled'), { recursive: true });
    const outfile = join(folder, `bundled/program.${ending}`);
    await build({
      absWorkingDir: folder,
      entryPoints: ['import.mjs'],
      outfile,
      bundle: true,
      format,
      platform: 'node',
      target: 'node20',
      logLevel: 'silent',
    });
    for (const node of Object.values(NODES))
      assert.deepEqual(JSON.parse(await run(node, [outfile, service.frontUrl])), RESULT);
  });

const TYPED = `
import { createClient, isProblem, type Output, type PartnerEvent, type Transport, verifyWebhook } from '@semana/client';

export async function use(transport: Transport, signal: AbortSignal): Promise<void> {
  const api = createClient({ url: 'https://api.semana.example', key: 'key', transport });
  const list: Output<'listMerchants'> = await api.listMerchants({ query: { q: 'padaria' } });
  const name: string | undefined = list.data[0]?.name;
  const picture: Uint8Array = await api.getMediaFile({ path: { name: 'a.png' } });
  const nothing: undefined = await api.logOut({ body: { refresh_token: 'token' } });
  for await (const event of api.each('listEvents', { query: { types: 'pix.paid' } })) {
    const told: PartnerEvent = event;
    if (told.type === 'lead.received') console.log(told.data.kind satisfies string);
  }
  for await (const event of api.streamPartnerEvents({ signal, lastEventId: 'evt_1' }))
    console.log(event.type === 'reset' ? event.reason : event.id);
  try {
    await api.createPix({ path: { id: 'ins_1' }, body: { type: 'settle_partial', value: 10 } });
  } catch (error) {
    if (isProblem(error, 'amount_changed')) console.log(error.code satisfies 'amount_changed');
  }
  const delivery = verifyWebhook({ secrets: 'whsec_AAAA', headers: {}, body: new Uint8Array() });
  console.log(name, picture, nothing, delivery.id satisfies string);

  // @ts-expect-error: a parameter that does not exist
  await api.listMerchants({ query: { name: 'padaria' } });
  // @ts-expect-error: the path is missing
  await api.getMerchant();
  // @ts-expect-error: no list
  api.each('getMe');
  // @ts-expect-error: a stream is iterated
  await api.call('streamPartnerEvents');
  // @ts-expect-error: no such code
  isProblem(undefined, 'amount_chnaged');
}
`;
for (const name of ['typed.mts', 'typed.cts', 'typed.ts']) await writeFile(join(folder, name), TYPED);

const TSC = {
  'TypeScript 7': join(PROJECT, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5.9': join(PROJECT, 'test/clients/node_modules/typescript/bin/tsc'),
};
const RESOLUTIONS = {
  nodenext: {
    words: ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
    files: ['typed.mts', 'typed.cts'],
  },
  bundler: { words: ['--module', 'esnext', '--moduleResolution', 'bundler'], files: ['typed.ts'] },
  node10: { words: ['--module', 'commonjs', '--moduleResolution', 'node10'], files: ['typed.ts'] },
};
// TypeScript 7 has no node10 any more.
const COMPILED = [
  ['TypeScript 7', 'nodenext'],
  ['TypeScript 7', 'bundler'],
  ['TypeScript 5.9', 'nodenext'],
  ['TypeScript 5.9', 'bundler'],
  ['TypeScript 5.9', 'node10'],
] as const;

for (const [compiler, resolution] of COMPILED)
  test(`${compiler} accepts its declarations with moduleResolution ${resolution}, strictly and without other types`, async () => {
    const { words, files } = RESOLUTIONS[resolution];
    const strictly = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false';
    const options = `--noEmit --pretty false --target es2022 --lib es2022,dom ${strictly}`.split(' ');
    const found = await run(process.execPath, [TSC[compiler], ...options, ...words, ...files]).catch(
      (error: { stdout: string }) => error.stdout,
    );
    assert.equal(found, '');
  });
