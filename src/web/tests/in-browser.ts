import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../../../test/browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Seen = { page: Page; complaints: string[] };

/** One browser for a file; each `open` is a visitor of their own, whose page's complaints are collected. */
export async function openBrowser(siteUrl: string) {
  const browser = await launchBrowser();
  after(() => browser.close());
  const watch = (page: Page): string[] => {
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`${page.url()} ${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
    page.on('requestfailed', (request) => {
      // What a page was still loading when it was left, a stream included, is given up.
      const reason = request.failure()?.errorText;
      if (reason === 'net::ERR_ABORTED' || request.resourceType() === 'eventsource') return;
      complaints.push(`${request.url()} failed: ${reason}`);
    });
    return complaints;
  };
  return {
    watch,
    async open(options: BrowserContextOptions = {}): Promise<Seen> {
      const context = await browser.newContext({ baseURL: siteUrl, reducedMotion: 'reduce', ...options });
      const page = await context.newPage();
      return { page, complaints: watch(page) };
    },
  };
}

type Finding = { id: string; nodes: Array<{ target: unknown[]; failureSummary?: string }> };

/** What axe finds: WCAG 2.2 AA and best practices, or these rules only. */
export async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Finding[] }> };
    };
    return (await axe.run(only ? { runOnly: only } : {})).violations;
  }, rules);
  return found.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]!.target} ${nodes[0]!.failureSummary}`);
}

export const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Of text only, as who chooses it in the browser does. */
export const setTextSize = (page: Page, size: '200%' | '') =>
  page.evaluate((wanted) => {
    document.documentElement.style.fontSize = wanted;
  }, size);

/** Amounts in reais that are spread over two lines. */
const brokenAmounts = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      for (const { index, 0: amount } of node.data.matchAll(/R\$\s[\d.]+,\d\d/g)) {
        const range = new Range();
        range.setStart(node, index);
        range.setEnd(node, index + amount.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) broken.push(`${amount} in ${node.parentElement?.outerHTML.slice(0, 60)}`);
      }
    }
    return broken;
  });

/** In which lights, and how wide, every page is looked at. */
export const LOOKS = [
  // What a page says is the same in the dark. 180: a phone whose owner has doubled the size of text.
  { colorScheme: 'dark', widths: [180, 320, 360], rules: ['color-contrast', 'scrollable-region-focusable'] },
  { colorScheme: 'light', widths: [360, 1280], rules: undefined },
] as const;

const PHONE = 360;

async function faultsOfDoubleText(page: Page): Promise<string[]> {
  await setTextSize(page, '200%');
  const faults = (await brokenAmounts(page)).map((amount) => `${page.url()} breaks ${amount} at 200 %`);
  const over = await sideways(page);
  if (over > 0) faults.push(`${page.url()} scrolls ${over} px sideways with text at 200 %`);
  await setTextSize(page, '');
  return faults;
}

/** Faults of the page that is shown now. */
export async function faultsOf(page: Page, { widths, rules }: (typeof LOOKS)[number]): Promise<string[]> {
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    if ((await sideways(page)) > 0) faults.push(`${page.url()} scrolls sideways at ${width} px`);
    if (width === PHONE) faults.push(...(await faultsOfDoubleText(page)));
  }
  return [...faults, ...(await findings(page, rules))];
}
