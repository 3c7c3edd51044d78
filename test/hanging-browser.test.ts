import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runFiles } from './runner.ts';
import { startHttpServer } from './servers.ts';

/** Returns a test file whose first test fails and whose second test hangs, each with an open page. */
const createTestFile = (url: string) => `
import { it } from 'node:test';
import { launchBrowser } from ${JSON.stringify(join(import.meta.dirname, 'browser.ts'))};

it('fails', async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto('${url}/failing');
  await page.getByText('never').click({ timeout: 500 });
});

it('hangs', async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto('${url}/hanging');
  await page.evaluate(() => fetch('/silent'));
});`;

test('a browser test that fails or hangs reports its page, its requests and its selector, and saves a screenshot', async (t) => {
  const server = createServer((request, response) => {
    if (request.url !== '/silent') response.setHeader('content-type', 'text/html').end('<p>here</p>');
  });
  const { url } = await startHttpServer(server);
  const folder = await mkdtemp(join(tmpdir(), 'semana-hanging-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'hanging-browser.test.ts');
  await writeFile(file, createTestFile(url));
  let output = '';
  const { passed } = await runFiles([file], {
    workers: 1,
    env: process.env,
    print: (text) => {
      output += text;
    },
    signal: new AbortController().signal,
    progressTimeoutMs: 10_000,
  });
  assert.equal(passed, false);
  assert.match(output, /waiting for getByText\('never'\)/);
  assert.match(output, /'hangs' made no progress for 10 s\. It waited for:/);
  assert.ok(output.includes(`GET ${url}/silent (fetch)`), output);
  for (const path of ['failing', 'hanging']) {
    const screenshot = new RegExp(`Page ${url}/${path}: screenshot (\\S+\\.png)`).exec(output)?.[1];
    assert.ok(screenshot && existsSync(screenshot), output);
    await rm(screenshot);
  }
});
