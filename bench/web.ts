import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { table } from '#platform/command.ts';
import { launchBrowser } from '../test/browser.ts';
import { startService, startWeb } from './processes.ts';
import { median } from './side-by-side.ts';
import { createDatabase, onStage } from './stage.ts';
import { needWrk, requestsPerSecond } from './wrk.ts';

const ROUNDS = 3;
const SECONDS = 3;
const LEAST_A_SECOND = 1_000;
const API_PATH = '/public/merchants?limit=24';
const PATHS = ['/', '/lojas', '/lojas/padaria-flor-do-trigo', '/perguntas'];
/** What web.md asks of the site: performance, accessibility, best practices, SEO. */
const SCORES = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
const LIGHTHOUSE = 'lighthouse@13.5.0';
const LIGHTHOUSE_MS = 240_000;

/** Pages from memory, next to what the front door gives for the list that they show; then Lighthouse, where it can be had. */
export async function webBench(): Promise<boolean> {
  needWrk();
  return onStage(async ({ url, directory }) => {
    const service = await startService({ DATABASE_URL: await createDatabase(url, 'bench_web') });
    const web = await startWeb({ API_URL: service.url, WEB_STAFF_URL: 'off' });
    try {
      const quick = await measurePages(web.url, service.url);
      await measureWallet(web.url);
      return (await lighthouse(web.url, directory)) && quick;
    } finally {
      await web.stop();
      await service.stop();
    }
  });
}

async function measurePages(webUrl: string, apiUrl: string): Promise<boolean> {
  const rates = new Map<string, Array<{ page: number; api: number }>>(PATHS.map((path) => [path, []]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const [path, measured] of rates) {
      const seconds = round < 0 ? 1 : SECONDS; // the first time round does not count
      const api = await requestsPerSecond({
        ...{ url: apiUrl + API_PATH, seconds, headers: { 'x-api-key': 'sandbox-demo-key' } },
      });
      const page = await requestsPerSecond({
        url: webUrl + path,
        seconds,
        headers: { 'accept-encoding': 'br' },
      });
      if (round >= 0) measured.push({ page, api });
    }
  }
  const pages = [...rates].map(([path, measured]) => ({
    path,
    page: median(measured.map(({ page }) => page)),
    ratio: median(measured.map(({ page, api }) => page / api)),
    api: median(measured.map(({ api }) => api)),
  }));
  const rows = pages.map(({ path, page, api, ratio }) => [
    path,
    Math.round(page).toLocaleString('en'),
    Math.round(api).toLocaleString('en'),
    ratio.toFixed(2),
    LEAST_A_SECOND.toLocaleString('en'),
    page >= LEAST_A_SECOND ? 'yes' : 'NO',
  ]);
  process.stdout.write(
    `${table(['PAGE', 'A SECOND', 'FRONT DOOR', 'RATIO', 'AT LEAST', 'REACHED'], rows)}\n\n`,
  );
  return pages.every(({ page }) => page >= LEAST_A_SECOND);
}

/** For one person, so never from memory: five reads of the front door, rendered and compressed for each request. */
async function measureWallet(webUrl: string): Promise<void> {
  const cookie = await signIn(webUrl);
  const { status } = await fetch(`${webUrl}/carteira`, { headers: { cookie }, redirect: 'manual' });
  if (status !== 200) throw new Error(`Signing in failed: /carteira answered ${status}.`);
  const rates: Record<string, number[]> = { '/carteira': [], '/carteira/cashback': [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [path, measured] of Object.entries(rates)) {
      const headers = { 'accept-encoding': 'br', cookie };
      const seconds = round < 0 ? 1 : SECONDS;
      const rate = await requestsPerSecond({ url: webUrl + path, seconds, headers });
      if (round >= 0) measured.push(rate);
    }
  }
  const rows = Object.entries(rates).map(([path, measured]) => [
    path,
    Math.round(median(measured)).toLocaleString('en'),
  ]);
  process.stdout.write(`${table(['SIGNED IN', 'A SECOND'], rows)}\n\n`);
}

async function signIn(webUrl: string): Promise<string> {
  const { headers } = await fetch(`${webUrl}/carteira/entrar`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ phone: '+5511987650001', password: 'semana-demo-1' }),
  });
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

type Report = { categories: Record<keyof typeof SCORES, { score: number }> };

/** Fetched by npx when it is wanted: it brings 100 packages along that nothing else needs. */
async function lighthouse(webUrl: string, directory: string): Promise<boolean> {
  const port = 9_333;
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  const names = Object.keys(SCORES) as Array<keyof typeof SCORES>;
  const rows: string[][] = [];
  try {
    for (const path of PATHS) {
      const file = join(directory, 'lighthouse.json');
      await promisify(execFile)(
        'npx',
        [
          ...['--yes', LIGHTHOUSE, webUrl + path, '--quiet', `--port=${port}`],
          ...['--output=json', `--output-path=${file}`, `--only-categories=${names}`],
        ],
        { timeout: LIGHTHOUSE_MS },
      );
      const { categories } = JSON.parse(await readFile(file, 'utf8')) as Report;
      rows.push([path, ...names.map((name) => String(Math.round(categories[name].score * 100)))]);
    }
  } catch (error) {
    process.stdout.write(`Lighthouse was left out: ${(error as Error).message.split('\n')[0]}\n`);
    return true;
  } finally {
    await browser.close();
  }
  const wanted = ['at least', ...Object.values(SCORES).map(String)];
  process.stdout.write(`${table(['LIGHTHOUSE', ...names], [...rows, wanted])}\n\n`);
  return rows.every(([, ...scores]) => names.every((name, i) => Number(scores[i]) >= SCORES[name]));
}
