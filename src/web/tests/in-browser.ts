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

/** In which lights, and how wide, every page is looked at. */
export const LOOKS = [
  // What a page says is the same in the dark. 180: a phone whose owner has doubled the size of text.
  { colorScheme: 'dark', widths: [180, 320, 360], rules: ['color-contrast', 'scrollable-region-focusable'] },
  { colorScheme: 'light', widths: [360, 1280], rules: undefined },
] as const;

/** Faults of the page that is shown now. */
export async function faultsOf(page: Page, { widths, rules }: (typeof LOOKS)[number]): Promise<string[]> {
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    if ((await sideways(page)) > 0) faults.push(`${page.url()} scrolls sideways at ${width} px`);
  }
  return [...faults, ...(await findings(page, rules))];
}
