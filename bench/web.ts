import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { layOutTable } from '#platform/command-line/command.ts';
import { launchBrowser } from '../test/browser.ts';
import { findFreePort } from '../test/servers.ts';
import { ANA_PASSWORD, ANA_PHONE } from './callers.ts';
import { createProcessMeter } from './cpu.ts';
import { createDatabase, withBenchDatabase } from './environment.ts';
import { type RunningProcess, startService, startWeb } from './processes.ts';
import { median } from './side-by-side.ts';
import { measureRequestsPerSecond, requireWrk } from './wrk.ts';

const ROUNDS = 3;
/** How long the requests for each page are sent in a round. */
const ROUND_SECONDS = 3;
const WARM_UP_SECONDS = 1;
/** The required number of cached pages per second on one core. */
const MIN_PAGES_PER_SECOND = 1_000;
const MAX_SCRIPT_BYTES = 15 * 1024;
/** A list of the partner API. Its rate is the baseline for the rate of pages. */
const API_PATH = '/public/merchants?limit=24';
/** Public pages, which are cached. */
const PATHS = [
  '/',
  '/lojas',
  '/lojas/padaria-flor-do-trigo',
  '/perguntas',
  '/blog',
  '/blog/por-que-pensar-o-dinheiro-por-semana',
  '/seja-parceiro',
  '/contato',
];
/** Pages of a signed-in customer. */
const WALLET_PATHS = [
  '/carteira',
  '/carteira/ofertas',
  '/carteira/cashback',
  '/carteira/convites',
  '/carteira/perfil',
];
/** Lúcia owns a merchant of the demo data. */
const LUCIA_PHONE = '+5511987650010';
const BROWSER_HEADERS = { 'accept-encoding': 'br' };

/** The Lighthouse scores required of every page. */
const MIN_SCORES = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
const LIGHTHOUSE = 'lighthouse@13.5.0';
const LIGHTHOUSE_TIMEOUT_MS = 240_000;
/** A cheap phone on a slow network. */
const SLOW_PHONE_THROTTLING = { rttMs: 300, throughputKbps: 700, cpuSlowdownMultiplier: 6 };
/** How often, and at which interval, the inbox is read for the login code of the till. */
const MAX_CODE_POLLS = 50;
const CODE_POLL_MS = 100;
/** How often Lighthouse measures a page with low scores, because other load on the machine lowers scores. */
const MAX_ATTEMPTS = 3;

/** Compares pages per second with responses of the partner API per second, then checks the size of scripts and the Lighthouse scores. */
export async function runWebBench(): Promise<boolean> {
  requireWrk();
  return withBenchDatabase(async ({ url, directory }) => {
    const service = await startService({ DATABASE_URL: await createDatabase(url, 'bench_web') });
    const web = await startWeb({ API_URL: service.url, WEB_STAFF_URL: 'off' });
    try {
      const cookie = await signIn(web.url);
      const arePagesFast = await measurePages(web, service);
      await measureWallet(web, service, cookie);
      const areScriptsSmall = await checkScriptSizes(web.url, cookie);
      const cookies = { '/carteira': cookie, '/balcao': await signInAtTill(web.url, service) };
      return (await checkLighthouseScores(web.url, directory, cookies)) && arePagesFast && areScriptsSmall;
    } finally {
      await web.stop();
      await service.stop();
    }
  });
}

/** Requests per second, and the CPU time that a request takes in the process of the pages and in that of the service. */
type Cost = { rate: number; webMs: number; serviceMs: number };

async function measureCost(
  path: string,
  web: RunningProcess,
  service: RunningProcess,
  { seconds, cookie }: { seconds: number; cookie?: string },
): Promise<Cost> {
  const readWebSeconds = createProcessMeter(web.pid);
  const readServiceSeconds = createProcessMeter(service.pid);
  const before = { webSeconds: readWebSeconds(), serviceSeconds: readServiceSeconds() };
  const headers = { ...BROWSER_HEADERS, ...(cookie && { cookie }) };
  const rate = await measureRequestsPerSecond({ url: web.url + path, seconds, headers });
  const requestCount = rate * seconds;
  return {
    rate,
    webMs: ((readWebSeconds() - before.webSeconds) * 1000) / requestCount,
    serviceMs: ((readServiceSeconds() - before.serviceSeconds) * 1000) / requestCount,
  };
}

const computeMedians = (costs: Cost[]): Cost => ({
  rate: median(costs.map(({ rate }) => rate)),
  webMs: median(costs.map(({ webMs }) => webMs)),
  serviceMs: median(costs.map(({ serviceMs }) => serviceMs)),
});

const formatInteger = (value: number) => Math.round(value).toLocaleString('en');

/** Measures and prints the rates of public pages. Returns whether all are fast enough. */
async function measurePages(web: RunningProcess, service: RunningProcess): Promise<boolean> {
  const costsByPath = new Map<string, Array<Cost & { apiRate: number }>>(PATHS.map((path) => [path, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    const isWarmUp = round === 0;
    const seconds = isWarmUp ? WARM_UP_SECONDS : ROUND_SECONDS;
    for (const [path, costs] of costsByPath) {
      const apiRate = await measureRequestsPerSecond({
        url: service.url + API_PATH,
        seconds,
        headers: { 'x-api-key': 'sandbox-demo-key' },
      });
      const cost = await measureCost(path, web, service, { seconds });
      if (!isWarmUp) costs.push({ ...cost, apiRate });
    }
  }
  const pages = [...costsByPath].map(([path, costs]) => ({
    path,
    ...computeMedians(costs),
    ratio: median(costs.map(({ rate, apiRate }) => rate / apiRate)),
  }));
  const isFastEnough = ({ webMs }: Cost) => 1000 / webMs >= MIN_PAGES_PER_SECOND;
  const rows = pages.map((page) => [
    page.path,
    formatInteger(page.rate),
    page.ratio.toFixed(2),
    page.webMs.toFixed(3),
    formatInteger(1000 / page.webMs),
    isFastEnough(page) ? 'yes' : 'NO',
  ]);
  const headings = [
    'PAGE',
    'PER SECOND',
    'RATIO TO PARTNER API',
    'CPU MS',
    'PER CORE',
    `${MIN_PAGES_PER_SECOND} REACHED`,
  ];
  process.stdout.write(`${layOutTable(headings, rows)}\n\n`);
  return pages.every(isFastEnough);
}

/** Measures personal pages, which are never cached: each request calls the partner API, and its page is rendered and compressed. */
async function measureWallet(web: RunningProcess, service: RunningProcess, cookie: string): Promise<void> {
  const costsByPath = new Map<string, Cost[]>(WALLET_PATHS.map((path) => [path, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    const isWarmUp = round === 0;
    const seconds = isWarmUp ? WARM_UP_SECONDS : ROUND_SECONDS;
    for (const [path, costs] of costsByPath) {
      const cost = await measureCost(path, web, service, { seconds, cookie });
      if (!isWarmUp) costs.push(cost);
    }
  }
  const rows = [...costsByPath].map(([path, costs]) => {
    const { rate, webMs, serviceMs } = computeMedians(costs);
    return [path, formatInteger(rate), webMs.toFixed(2), serviceMs.toFixed(2)];
  });
  const headings = ['SIGNED IN', 'PER SECOND', 'CPU MS', 'SERVICE CPU MS'];
  process.stdout.write(`${layOutTable(headings, rows)}\n\n`);
}

/** Prints the largest compressed size of the scripts of a page, and returns whether it is allowed. A script imports no other file. */
async function checkScriptSizes(webUrl: string, cookie: string): Promise<boolean> {
  const scriptSizes = await Promise.all(
    [...PATHS, ...WALLET_PATHS].map(async (path) => {
      const page = await fetch(webUrl + path, { headers: { cookie } });
      const scripts = Array.from(
        (await page.text()).matchAll(/<script[^>]* src="([^"]+)"/g),
        ([, src]) => src!,
      );
      const sizes = await Promise.all(scripts.map((src) => fetchContentLength(webUrl + src)));
      return { path, bytes: sizes.reduce((sum, size) => sum + size, 0) };
    }),
  );
  const [largestPage] = scriptSizes.toSorted((a, b) => b.bytes - a.bytes);
  const { path, bytes } = largestPage!;
  process.stdout.write(
    `Scripts: at most ${formatInteger(bytes)} bytes on a page (${path}); the limit is ${formatInteger(MAX_SCRIPT_BYTES)}.\n\n`,
  );
  return bytes <= MAX_SCRIPT_BYTES;
}

async function fetchContentLength(url: string): Promise<number> {
  const { headers } = await fetch(url, { headers: BROWSER_HEADERS });
  return Number(headers.get('content-length'));
}

/** Submits a form as a browser would. Returns the cookies that were sent and those that the response sets. */
async function submitForm(url: string, form: Record<string, string>, cookie = ''): Promise<string> {
  const body = new URLSearchParams(form);
  const { headers } = await fetch(url, { method: 'POST', redirect: 'manual', body, headers: { cookie } });
  return [cookie, ...headers.getSetCookie().map((line) => line.split(';')[0]!)].filter(Boolean).join('; ');
}

/** Throws unless the cookie gives access to the page. Returns the cookie. */
async function requireSignedIn(webUrl: string, path: string, cookie: string): Promise<string> {
  const { status } = await fetch(webUrl + path, { headers: { cookie }, redirect: 'manual' });
  if (status !== 200) throw new Error(`Signing in failed: ${path} returned ${status}.`);
  return cookie;
}

async function signIn(webUrl: string): Promise<string> {
  const credentials = { phone: ANA_PHONE, password: ANA_PASSWORD };
  return requireSignedIn(webUrl, '/carteira', await submitForm(`${webUrl}/carteira/entrar`, credentials));
}

async function signInAtTill(webUrl: string, { staffUrl }: { staffUrl: string }): Promise<string> {
  const codeCookies = await submitForm(`${webUrl}/balcao/entrar`, { phone: LUCIA_PHONE });
  const inboxUrl = `${staffUrl}/sandbox/messages?phone=${encodeURIComponent(LUCIA_PHONE)}`;
  for (let poll = 0; poll < MAX_CODE_POLLS; poll++) {
    const response = await fetch(inboxUrl, { headers: { 'x-api-key': 'sandbox-operator-key' } });
    const {
      data: [message],
    } = (await response.json()) as { data: Array<{ code: string }> };
    if (message) {
      const form = { code: message.code };
      const cookies = await submitForm(`${webUrl}/balcao/entrar/codigo`, form, codeCookies);
      return requireSignedIn(webUrl, '/balcao', cookies);
    }
    await sleep(CODE_POLL_MS);
  }
  throw new Error('No code for the till was sent.');
}

type ScoreName = keyof typeof MIN_SCORES;
const SCORE_NAMES = Object.keys(MIN_SCORES) as ScoreName[];

/** The part of a Lighthouse report that is read here. */
type Report = {
  /** Scores from 0 to 1. */
  categories: Record<ScoreName, { score: number }>;
  audits: Record<'largest-contentful-paint', { numericValue: number }>;
};
type PageScores = { scores: Record<ScoreName, number>; largestPaintMs: number; areReached: boolean };

/**
 * Prints the Lighthouse scores of all pages, and returns whether all required scores are reached. `cookies` has the session cookie of each
 * page that requires one, by path.
 */
async function checkLighthouseScores(
  webUrl: string,
  directory: string,
  cookies: Record<string, string>,
): Promise<boolean> {
  const debuggingPort = await findFreePort();
  const browser = await launchBrowser([`--remote-debugging-port=${debuggingPort}`]);
  const outputPath = join(directory, 'lighthouse.json');
  const rows: string[][] = [];
  let areAllReached = true;
  try {
    for (const path of [...PATHS, ...Object.keys(cookies)]) {
      const page = { url: webUrl + path, cookie: cookies[path] };
      const { scores, largestPaintMs, areReached } = await measureScores(page, {
        debuggingPort,
        outputPath,
      });
      areAllReached &&= areReached;
      rows.push([
        path,
        ...SCORE_NAMES.map((name) => String(scores[name])),
        `${(largestPaintMs / 1000).toFixed(1)} s`,
        areReached ? 'yes' : 'NO',
      ]);
    }
  } catch (error) {
    const [firstLine] = (error as Error).message.split('\n');
    process.stdout.write(`Lighthouse failed: ${firstLine}\n`);
    return false;
  } finally {
    await browser.close();
  }
  const minScoreRow = ['at least', ...Object.values(MIN_SCORES).map(String), '', ''];
  const headings = [
    'LIGHTHOUSE',
    ...SCORE_NAMES.map((name) => name.toUpperCase()),
    'LARGEST PAINT',
    'REACHED',
  ];
  process.stdout.write(`${layOutTable(headings, [...rows, minScoreRow])}\n\n`);
  return areAllReached;
}

/** A page to measure. A page without a cookie is public. */
type Page = { url: string; cookie: string | undefined };
type LighthouseOptions = { debuggingPort: number; outputPath: string };

/** Measures a page until the required scores are reached, at most MAX_ATTEMPTS times. Returns the last scores. */
async function measureScores(page: Page, options: LighthouseOptions): Promise<PageScores> {
  for (let attempt = 1; ; attempt++) {
    const { categories, audits } = await runLighthouse(page, options);
    const scores = Object.fromEntries(
      SCORE_NAMES.map((name) => [name, Math.round(categories[name].score * 100)]),
    ) as Record<ScoreName, number>;
    // Search engines do not index the pages of signed-in users.
    const requiredNames = SCORE_NAMES.filter((name) => name !== 'seo' || page.cookie === undefined);
    const areReached = requiredNames.every((name) => scores[name] >= MIN_SCORES[name]);
    const largestPaintMs = audits['largest-contentful-paint'].numericValue;
    if (areReached || attempt === MAX_ATTEMPTS) return { scores, largestPaintMs, areReached };
  }
}

/** Runs Lighthouse by npx, which downloads it on demand: it takes 180 MB and nothing else needs it. */
async function runLighthouse(
  { url, cookie }: Page,
  { debuggingPort, outputPath }: LighthouseOptions,
): Promise<Report> {
  const headers = cookie === undefined ? {} : { cookie };
  await promisify(execFile)(
    'npx',
    [
      ...['--yes', LIGHTHOUSE, url, '--quiet', `--port=${debuggingPort}`],
      ...Object.entries(SLOW_PHONE_THROTTLING).map(([name, value]) => `--throttling.${name}=${value}`),
      '--output=json',
      `--output-path=${outputPath}`,
      `--only-categories=${SCORE_NAMES.join(',')}`,
      `--extra-headers=${JSON.stringify(headers)}`,
    ],
    { timeout: LIGHTHOUSE_TIMEOUT_MS },
  );
  return JSON.parse(await readFile(outputPath, 'utf8')) as Report;
}
