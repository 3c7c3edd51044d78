import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterWorker } from './after-file.ts';
import { launchChromium, type PreparedBrowser } from './check-launch.ts';
import { endAndCountCpu } from './cpu.ts';
import { addExplainer, noteProgress } from './hang.ts';
import { currentMachine, prepareBrowser } from './prepare-browser.ts';

const SCREENSHOTS = join(import.meta.dirname, '../node_modules/.cache/screenshots');
const SCREENSHOT_TIMEOUT_MS = 3_000;
/** Lines of Playwright's log that are printed when a test hangs or fails. */
const LOG_LINES = 6;

/** Finds the browser that test/run.ts prepared, or prepares one now. */
async function findBrowser(): Promise<PreparedBrowser> {
  const { TEST_BROWSER } = process.env;
  if (TEST_BROWSER) return JSON.parse(TEST_BROWSER) as PreparedBrowser;
  return prepareBrowser(currentMachine((line) => void process.stderr.write(`${line}\n`)));
}

let sharedBrowser: Browser | undefined;
let screenshotCount = 0;

/**
 * Launches Chromium. The test files of a worker share one browser: closing it closes the contexts of the file only. With arguments,
 * or outside of a worker, the browser is a new process.
 */
export async function launchBrowser(args: string[] = []): Promise<Browser> {
  const isInWorker = process.send !== undefined;
  if (args.length > 0 || !isInWorker) return launchNewBrowser(args);
  if (!sharedBrowser?.isConnected()) {
    sharedBrowser = await launchNewBrowser([]);
    afterWorker(() => sharedBrowser?.close());
  }
  const browser = sharedBrowser;
  return overrideMethods(browser, {
    close: async () => void (await Promise.all(browser.contexts().map((context) => context.close()))),
  });
}

async function launchNewBrowser(args: string[]): Promise<Browser> {
  const recentLog: string[] = [];
  const logger = {
    isEnabled: (name: string) => name === 'api',
    log(_name: string, _severity: string, message: string) {
      if (message.startsWith('<=')) noteProgress(); // a call has ended
      recentLog.push(message);
      if (recentLog.length > LOG_LINES) recentLog.shift();
    },
  };
  const browser = await launchChromium(await findBrowser(), args, logger);
  const pendingRequests = new Map<Request, BrowserContext>();
  const removeExplainer = addExplainer(() => describeBrowserState(browser, pendingRequests, recentLog));
  browser.on('disconnected', removeExplainer);
  const trackRequests = (context: BrowserContext) => {
    context.on('request', (request) => pendingRequests.set(request, context));
    context.on('requestfinished', (request) => pendingRequests.delete(request));
    context.on('requestfailed', (request) => pendingRequests.delete(request));
    context.on('close', () => {
      for (const [request, owner] of pendingRequests) if (owner === context) pendingRequests.delete(request);
    });
    return context;
  };
  return overrideMethods(browser, {
    newContext: async (options) => trackRequests(await browser.newContext(options)),
    newPage: async (options) => {
      const page = await browser.newPage(options);
      trackRequests(page.context());
      return page;
    },
    close: () => endAndCountCpu(() => browser.close()),
  });
}

/** Returns the same browser with some methods replaced. */
const overrideMethods = (browser: Browser, methods: Partial<Browser>): Browser =>
  new Proxy(browser, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return methods[name as keyof Browser];
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

/** Returns a line with a screenshot for each open page, the requests without a response, and the last lines of Playwright's log. */
async function describeBrowserState(
  browser: Browser,
  pendingRequests: Map<Request, BrowserContext>,
  recentLog: string[],
): Promise<string[]> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  if (pages.length === 0) return [];
  const log = recentLog.map((line) => `Playwright: ${line}`); // before the screenshots add their own lines
  const pageLines = await Promise.all(
    pages.map(async (page) => `Page ${page.url()}: ${await takeScreenshot(page)}`),
  );
  const requests = [...pendingRequests.keys()].map(
    (request) =>
      `Request of a page without a response: ${request.method()} ${request.url()} (${request.resourceType()})`,
  );
  return [...pageLines, ...requests, ...log];
}

async function takeScreenshot(page: Page): Promise<string> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const path = join(
    SCREENSHOTS,
    `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}-${screenshotCount++}.png`,
  );
  try {
    await page.screenshot({ path, timeout: SCREENSHOT_TIMEOUT_MS });
    return `screenshot ${path}`;
  } catch (error) {
    return `no screenshot: ${(error as Error).message.split('\n')[0]}`;
  }
}
