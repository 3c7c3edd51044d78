import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { build, type Format } from 'esbuild';
import { launchBrowser } from '../../test/browser.ts';
import { openService } from '../../test/harness.ts';
import { findNode20 } from '../../test/node-20.ts';
import { PROJECT } from '../../test/project.ts';
import { startHttpServer } from '../../test/servers.ts';

// Tests the package as partners use it: it is packed, and installed, run, compiled and bundled in another project. The package needs no
// registry; the bundler Vite is installed from one.

const service = await openService();
const folder = await mkdtemp(join(tmpdir(), 'semana-package-'));
after(() => rm(folder, { recursive: true, force: true }));
const PACKAGE_DIRECTORY = join(folder, 'node_modules/@semana/client');
const NODE_PROGRAMS = { 'Node 20': findNode20(), 'Node 24': process.execPath };

const PROGRAM_TIMEOUT_MS = 120_000;
const runProgram = async (program: string, args: string[], cwd = folder): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd, encoding: 'utf8', timeout: PROGRAM_TIMEOUT_MS })).stdout;

await writeFile(join(folder, 'package.json'), '{ "name": "shop", "version": "1.0.0", "private": true }');
await runProgram('npm', ['pack', './packages/client', '--pack-destination', folder], PROJECT);
const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
await runProgram('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`]);

test('the package contains code, declarations and a README, and has no dependencies', async () => {
  const manifest = JSON.parse(await readFile(join(PACKAGE_DIRECTORY, 'package.json'), 'utf8'));
  assert.deepEqual(
    [manifest.name, manifest.private, manifest.dependencies],
    ['@semana/client', true, undefined],
  );
  assert.deepEqual(await readdir(join(folder, 'node_modules/@semana')), ['client']);
  assert.deepEqual((await readdir(PACKAGE_DIRECTORY)).sort(), ['README.md', 'dist', 'package.json']);
  const unexpectedFiles = (await readdir(join(PACKAGE_DIRECTORY, 'dist'))).filter(
    (name) => !/\.(js|cjs|d\.ts|d\.cts)$/.test(name),
  );
  assert.deepEqual(unexpectedFiles, []);
});

/** A program that makes a call, gets a problem, reads a stream and the feed, and then ends. */
const PROGRAM = `
async function main() {
  const api = createClient({ url: process.argv[2], key: 'sandbox-demo-key' });
  const { data } = await api.listMerchants({ query: { limit: 2 } });
  const problem = await api.getMerchant({ path: { slug: 'nenhuma' } }).catch((error) => error);
  let lead;
  const onOpen = () => {
    lead = api.createLead({ body: { kind: 'partner', name: crypto.randomUUID(), phone: '+5511987654321' } });
  };
  let streamedEvent;
  for await (const event of api.streamPartnerEvents({ onOpen })) {
    streamedEvent = event;
    break;
  }
  const listedIds = [];
  for await (const { id } of api.each('listEvents', { query: { limit: 1, types: 'lead.received' } })) listedIds.push(id);
  console.log(JSON.stringify({
    merchants: data.length,
    isRejected: isProblem(problem, 'not_found'),
    isStreamed: streamedEvent.data.id === (await lead).id,
    isListed: listedIds.includes(streamedEvent.id),
  }));
}
main();
`;
const EXPECTED_RESULT = { merchants: 2, isRejected: true, isStreamed: true, isListed: true };
const PROGRAMS = {
  'import.mjs': `import { createClient, isProblem } from '@semana/client';${PROGRAM}`,
  'require.cjs': `const { createClient, isProblem } = require('@semana/client');${PROGRAM}`,
};
for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(folder, name), text);

for (const [version, node] of Object.entries(NODE_PROGRAMS))
  for (const name of Object.keys(PROGRAMS))
    test(`the installed package makes calls, throws problems and reads streams on ${version}: ${name}`, async () => {
      assert.deepEqual(JSON.parse(await runProgram(node, [name, service.partnerUrl])), EXPECTED_RESULT);
    });

for (const [format, extension] of [
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
] satisfies Array<[Format, string]>)
  test(`esbuild bundles the package into one file (${format}), which runs on both Node versions`, async () => {
    await mkdir(join(folder, 'bundled'), { recursive: true });
    const outfile = join(folder, `bundled/program.${extension}`);
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
    for (const node of Object.values(NODE_PROGRAMS))
      assert.deepEqual(JSON.parse(await runProgram(node, [outfile, service.partnerUrl])), EXPECTED_RESULT);
  });

test('each export condition of the package selects the entry for its runtime', async () => {
  const findBundledEntry = async (conditions: string[], platform: 'browser' | 'node' | 'neutral') => {
    const { metafile } = await build({
      stdin: { contents: "export * from '@semana/client';", resolveDir: folder },
      bundle: true,
      write: false,
      metafile: true,
      platform,
      conditions,
      format: 'esm',
      logLevel: 'silent',
    });
    return Object.keys(metafile.inputs).find((path) => path.includes('dist/'))!;
  };
  assert.match(await findBundledEntry([], 'browser'), /dist\/browser\.js$/);
  assert.match(await findBundledEntry(['react-native'], 'neutral'), /dist\/browser\.js$/);
  assert.match(await findBundledEntry([], 'node'), /dist\/index\.js$/);
});

const VITE = 'vite@8.3.8';
/** A page that logs a customer in, makes a call as this customer, refreshes the tokens, and waits for an event. */
const PAGE = `
import { createClient, memoryTokens } from '@semana/client';
const url = new URLSearchParams(location.search).get('api');
const tokens = memoryTokens();
const api = createClient({ url, key: 'sandbox-demo-key', tokens });
const login = await api.logIn({ body: { phone: '+5511987650001', password: 'semana-demo-1' } });
// Makes the token seem expired.
await tokens.write({ ...login, expires_at: '2020-01-01T00:00:00Z' });
const { name } = await api.getMe();
const isRefreshed = (await tokens.read()).refresh_token !== login.refresh_token;
let streamedType;
const onOpen = () => void api.createLead({ body: { kind: 'partner', name: 'Vite', phone: '+5511987654321' } });
for await (const { type } of api.streamPartnerEvents({ onOpen })) {
  streamedType = type;
  break;
}
document.body.textContent = JSON.stringify({ name, isRefreshed, streamedType });
`;

test('a page built with Vite logs a customer in with the package, in Chromium and from another origin', async () => {
  const site = join(folder, 'site');
  await mkdir(site);
  await writeFile(join(site, 'index.html'), '<!doctype html><script type="module" src="/page.js"></script>');
  await writeFile(join(site, 'page.js'), PAGE);
  await runProgram('npm', ['install', '--no-save', '--no-audit', '--no-fund', VITE]);
  await runProgram(
    process.execPath,
    [join(folder, 'node_modules/vite/bin/vite.js'), 'build', '--target', 'es2022'],
    site,
  );
  const server = createServer((request, response) => {
    const path = request.url!.replace(/\?.*/, '').replace(/\/$/, '/index.html');
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
    readFile(join(site, 'dist', path)).then(
      (content) => response.writeHead(200, { 'content-type': type }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  const { url } = await startHttpServer(server);
  const browser = await launchBrowser();
  after(() => browser.close());
  const page = await browser.newPage();
  // The origin of the page differs from that of the API.
  await page.goto(`${url}/?api=${encodeURIComponent(service.partnerUrl)}`);
  await page.waitForFunction('document.body.textContent.includes("{")');
  assert.deepEqual(JSON.parse((await page.textContent('body'))!), {
    name: 'Ana Souza',
    isRefreshed: true,
    streamedType: 'lead.received',
  });
});

const TYPED_PROGRAM = `
import { createClient, isProblem, type Output, type PartnerEvent, type Transport, verifyWebhook } from '@semana/client';

export async function use(transport: Transport, signal: AbortSignal): Promise<void> {
  const api = createClient({ url: 'https://api.semana.example', key: 'key', transport });
  const list: Output<'listMerchants'> = await api.listMerchants({ query: { q: 'padaria' } });
  const name: string | undefined = list.data[0]?.name;
  const picture: Uint8Array = await api.getMediaFile({ path: { name: 'a.png' } });
  const nothing: undefined = await api.logOut({ body: { refresh_token: 'token' } });
  for await (const event of api.each('listEvents', { query: { types: 'pix.paid' } })) {
    const partnerEvent: PartnerEvent = event;
    if (partnerEvent.type === 'lead.received') console.log(partnerEvent.data.kind satisfies string);
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
  // @ts-expect-error: not a list
  api.each('getMe');
  // @ts-expect-error: a stream has to be iterated
  await api.call('streamPartnerEvents');
  // @ts-expect-error: an unknown code
  isProblem(undefined, 'amount_chnaged');
}
`;
for (const name of ['typed.mts', 'typed.cts', 'typed.ts']) await writeFile(join(folder, name), TYPED_PROGRAM);

const TSC = {
  'TypeScript 7': join(PROJECT, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5.9': join(PROJECT, 'test/clients/node_modules/typescript/bin/tsc'),
};
const RESOLUTIONS = {
  nodenext: {
    args: ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
    files: ['typed.mts', 'typed.cts'],
  },
  bundler: { args: ['--module', 'esnext', '--moduleResolution', 'bundler'], files: ['typed.ts'] },
  node10: { args: ['--module', 'commonjs', '--moduleResolution', 'node10'], files: ['typed.ts'] },
};
// TypeScript 7 no longer supports node10.
const COMBINATIONS = [
  ['TypeScript 7', 'nodenext'],
  ['TypeScript 7', 'bundler'],
  ['TypeScript 5.9', 'nodenext'],
  ['TypeScript 5.9', 'bundler'],
  ['TypeScript 5.9', 'node10'],
] as const;

for (const [compiler, resolution] of COMBINATIONS)
  test(`${compiler} accepts the declarations with moduleResolution ${resolution}, in strict mode and without @types packages`, async () => {
    const { args, files } = RESOLUTIONS[resolution];
    const strictOptions =
      '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false';
    const options = `--noEmit --pretty false --target es2022 --lib es2022,dom ${strictOptions}`.split(' ');
    const errors = await runProgram(process.execPath, [TSC[compiler], ...options, ...args, ...files]).catch(
      (error: { stdout: string }) => error.stdout,
    );
    assert.equal(errors, '');
  });
