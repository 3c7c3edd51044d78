import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { launchBrowser } from '../../../test/browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A longer wait fails and names what it waited for. The limit is high, because machines may be busy. */
const TIMEOUT_MS = 30_000;

export type OpenedPage = { page: Page; consoleErrors: string[] };

/** Launches one browser for a file. Each `openPage` creates a separate visitor and collects the console errors of its page. */
export async function openBrowser(siteUrl: string) {
  const browser = await launchBrowser();
  after(() => browser.close());
  const contexts = new Set<BrowserContext>();
  afterEach(async (test) => {
    if ('passed' in test && !test.passed) await takeScreenshots(contexts);
    for (const context of contexts) await context.close();
    contexts.clear();
  });
  const collectConsoleErrors = (page: Page): string[] => {
    const consoleErrors: string[] = [];
    page.on('console', (message) => consoleErrors.push(`${page.url()} ${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => consoleErrors.push(`${page.url()}: ${error.message}`));
    page.on('requestfailed', (request) => {
      // Leaving a page aborts its pending requests and streams.
      const reason = request.failure()?.errorText;
      if (reason === 'net::ERR_ABORTED' || request.resourceType() === 'eventsource') return;
      consoleErrors.push(`${request.url()} failed: ${reason}`);
    });
    return consoleErrors;
  };
  return {
    collectConsoleErrors,
    async openPage(options: BrowserContextOptions = {}): Promise<OpenedPage> {
      const context = await browser.newContext({ baseURL: siteUrl, reducedMotion: 'reduce', ...options });
      contexts.add(context);
      context.setDefaultTimeout(TIMEOUT_MS);
      context.setDefaultNavigationTimeout(TIMEOUT_MS);
      const page = await context.newPage();
      return { page, consoleErrors: collectConsoleErrors(page) };
    },
  };
}

/** Takes screenshots of all pages that a failed test left open. */
async function takeScreenshots(contexts: Iterable<BrowserContext>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'semana-failed-'));
  for (const [index, page] of [...contexts].flatMap((context) => context.pages()).entries()) {
    const path = join(folder, `page-${index + 1}.png`);
    const outcome = await page.screenshot({ path, timeout: 5_000 }).then(
      () => path,
      (error: Error) => error.message,
    );
    process.stderr.write(`${page.url()}: ${outcome}\n`);
  }
}

type AxeViolation = { id: string; nodes: Array<{ target: unknown[]; failureSummary?: string }> };

/** The checks return the problems that they find. */
type Checks = {
  /** Replaces the document of the frame. */
  render(html: string): Promise<void>;
  /** Checks the widths of phones in the dark colour scheme. */
  checkPhoneWidths(): Promise<string[]>;
  /** Checks the width of a desktop in the light colour scheme. */
  checkDesktopWidth(): Promise<string[]>;
};

/** A global of the frame, which installChecks sets. */
declare const checks: Checks;

/** Runs in the frame in which documents are checked. The frame is resized instead of the window, and never painted: both suffice for measuring. */
function installChecks(): void {
  /** 180 px equals a phone of 360 px that is zoomed to 200 %. */
  const PHONE_WIDTHS = [180, 320, 360];
  const DESKTOP_WIDTH = 1280;
  const [CONTRAST_ATTRIBUTE, SCROLL_ATTRIBUTE] = ['data-check-contrast', 'data-check-scroll'];
  const { axe } = globalThis as unknown as {
    axe: { configure(options: object): void; run(options: object): Promise<{ violations: AxeViolation[] }> };
  };
  // Most of axe's time goes into these two rules, so it applies them only to elements that markElements marked.
  axe.configure({
    rules: [
      { id: 'color-contrast', selector: `[${CONTRAST_ATTRIBUTE}]` },
      { id: 'scrollable-region-focusable', selector: `[${SCROLL_ATTRIBUTE}]` },
    ],
  });
  const frame = window.frameElement as HTMLIFrameElement;
  /** What `describeAppearance` returned for the texts that axe has checked. */
  const checkedAppearances = new Set<string>();

  /** Describes what the contrast of a text depends on. Returns undefined if the background is unknown, such as over a picture. */
  function describeAppearance(element: Element, scheme: string): string | undefined {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    // WCAG requires less contrast for large text: 18 points (24 px), or 14 points (18.66 px) in bold.
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const properties = [scheme, color, isLarge, textShadow];
    let isOpaque = false;
    for (let box: Element | null = element; box !== null; box = box.parentElement) {
      const { opacity, backgroundColor, backgroundImage, position } = getComputedStyle(box);
      if (opacity !== '1') properties.push(`opacity ${opacity}`);
      if (isOpaque) continue;
      if (backgroundImage !== 'none') return undefined;
      if (backgroundColor !== 'rgba(0, 0, 0, 0)') properties.push(backgroundColor);
      const hasAlpha = /rgba|transparent|\//.test(backgroundColor); // such as rgb(0 0 0 / 50%)
      isOpaque = !hasAlpha;
      if (!isOpaque && /absolute|fixed/.test(position)) return undefined; // its parent may not be behind it
    }
    return properties.join();
  }

  /** Marks scrolling elements, and one text of each appearance that was not checked before. Returns the number of marked elements. */
  function markElements(scheme: string): number {
    let markedCount = 0;
    for (const element of document.body.querySelectorAll('*')) {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      const overflows = scrollWidth > clientWidth || scrollHeight > clientHeight;
      const isScrolling = overflows && /auto|scroll/.test(getComputedStyle(element).overflow);
      if (element.toggleAttribute(SCROLL_ATTRIBUTE, isScrolling)) markedCount++;
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '',
      );
      // axe skips hidden texts, so they must not represent other texts. Texts for screen readers are 1 px wide.
      const isText =
        (hasText || element.matches('input, select, textarea')) &&
        element.getBoundingClientRect().width > 1 &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      const appearance = isText ? describeAppearance(element, scheme) : undefined;
      const needsCheck = isText && (appearance === undefined || !checkedAppearances.has(appearance));
      if (element.toggleAttribute(CONTRAST_ATTRIBUTE, needsCheck)) markedCount++;
      if (appearance) checkedAppearances.add(appearance);
    }
    return markedCount;
  }

  async function runAxe(rules?: readonly string[]): Promise<string[]> {
    // Details of passed rules, and a second download of all styles, would take almost half the time.
    const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) };
    const { violations } = await axe.run(options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.target} ${nodes[0]!.failureSummary}`);
  }

  function checkHorizontalScroll(condition: string): string[] {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth
      ? [`scrolls ${scrollWidth - clientWidth} px sideways at ${condition}`]
      : [];
  }

  /** Finds amounts in reais that are broken over two lines. */
  function findBrokenAmounts(): string[] {
    const brokenAmounts: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      for (const { index, 0: amount } of node.data.matchAll(/R\$\s[\d.]+,\d\d/g)) {
        const range = new Range();
        range.setStart(node, index);
        range.setEnd(node, index + amount.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) brokenAmounts.push(`${amount} in ${node.parentElement?.outerHTML.slice(0, 60)}`);
      }
    }
    return brokenAmounts;
  }

  /** Finds forms whose first button has another target than the form: Enter in a field presses the first button. */
  function findMisdirectedEnters(): string[] {
    return [...document.querySelectorAll('form')].flatMap((form) => {
      const elements = [...form.elements];
      const firstButton = elements.find((element) =>
        element.matches('button:not([type=button], [type=reset]), input[type=submit]'),
      );
      const field = elements.find((element) =>
        element.matches('input:not([type=hidden], [type=checkbox], [type=radio], [type=submit])'),
      );
      const target = firstButton?.getAttribute('formaction') ?? null;
      if (!field || target === null || target === form.getAttribute('action')) return [];
      return [`Enter in ${field.getAttribute('name')} leads to ${target}`];
    });
  }

  function setWidth(width: number): void {
    frame.style.width = `${width}px`;
    if (document.documentElement.clientWidth !== width) throw new Error(`The frame is not ${width} px wide`);
  }

  const installedChecks: Checks = {
    async render(html) {
      const newDocument = Document.parseHTMLUnsafe(html).documentElement;
      document.replaceChild(document.adoptNode(newDocument), document.documentElement);
      const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
      const pendingLinks = links.filter(({ sheet }) => sheet === null);
      await Promise.all(
        pendingLinks.map(
          (link) =>
            new Promise<void>((resolve, reject) => {
              link.addEventListener('load', () => resolve());
              link.addEventListener('error', () => reject(new Error(`${link.href} did not load`)));
            }),
        ),
      );
      await document.fonts.ready;
    },

    async checkPhoneWidths() {
      if (!matchMedia('(prefers-color-scheme: dark)').matches) throw new Error('The frame is not dark');
      const problems: string[] = [];
      for (const width of PHONE_WIDTHS) {
        setWidth(width);
        problems.push(...checkHorizontalScroll(`${width} px`));
      }
      // Sets the size of text only, as a user's browser setting does.
      document.documentElement.style.fontSize = '200%';
      problems.push(...checkHorizontalScroll('360 px with text at 200 %'));
      problems.push(...findBrokenAmounts().map((amount) => `breaks ${amount} at 200 %`));
      document.documentElement.style.fontSize = '';
      // The other rules do not depend on colours or on the width.
      const rules = ['color-contrast', 'scrollable-region-focusable'];
      const findings = markElements('dark') > 0 ? await runAxe(rules) : [];
      return [...problems, ...findings.map((finding) => `dark: ${finding}`)];
    },

    async checkDesktopWidth() {
      if (!matchMedia('(prefers-color-scheme: light)').matches) throw new Error('The frame is not light');
      setWidth(DESKTOP_WIDTH);
      const problems = [...checkHorizontalScroll(`${DESKTOP_WIDTH} px`), ...findMisdirectedEnters()];
      markElements('light');
      return [...problems, ...(await runAxe())];
    },
  };
  Object.assign(globalThis, { checks: installedChecks });
}

/** Copies the document as it is rendered now. */
const copyDocument = (page: Page) =>
  page.evaluate(() => {
    const copy = document.documentElement.cloneNode(true) as HTMLElement;
    const copies = [...copy.querySelectorAll('*')];
    // A clone has attributes and texts, but neither typed and chosen values nor shadow trees.
    for (const [index, element] of [...document.documentElement.querySelectorAll('*')].entries()) {
      const copiedElement = copies[index]!;
      if (element instanceof HTMLTextAreaElement) copiedElement.textContent = element.value;
      if (element instanceof HTMLOptionElement) copiedElement.toggleAttribute('selected', element.selected);
      if (element instanceof HTMLInputElement) {
        if (element.type !== 'file') copiedElement.setAttribute('value', element.value);
        copiedElement.toggleAttribute('checked', element.checked);
      }
      if (element.shadowRoot) {
        const { adoptedStyleSheets, innerHTML } = element.shadowRoot;
        const styles = adoptedStyleSheets.flatMap(({ cssRules }) =>
          [...cssRules].map((rule) => rule.cssText),
        );
        const shadowTemplate = document.createElement('template');
        shadowTemplate.setAttribute('shadowrootmode', 'open');
        shadowTemplate.innerHTML = `<style>${styles.join('\n')}</style>${innerHTML}`;
        copiedElement.prepend(shadowTemplate);
      }
    }
    // A copy of a script must not run, and noscript is not rendered in the original.
    for (const element of copy.querySelectorAll('script, noscript')) element.remove();
    return copy.outerHTML;
  });

/**
 * Checks the page as it is rendered now, in both colour schemes and at every width: axe finds nothing, nothing scrolls sideways, no
 * amount is broken, and Enter in a field submits its form. A copy of the document is checked in a frame that has axe, because loading
 * axe takes long.
 */
export async function findPageProblems(page: Page): Promise<string[]> {
  const html = await copyDocument(page);
  const frame = await getCheckFrame(page);
  await frame.evaluate((text) => checks.render(text), html);
  await frame.page().emulateMedia({ colorScheme: 'dark' });
  const problems = await frame.evaluate(() => checks.checkPhoneWidths());
  await frame.page().emulateMedia({ colorScheme: 'light' });
  problems.push(...(await frame.evaluate(() => checks.checkDesktopWidth())));
  return problems.map((problem) => `${page.url()} ${problem}`);
}

/** There is one frame for each browser and origin, so that axe stays compiled. */
const checkFrames = new WeakMap<Browser, Map<string, Promise<Frame>>>();

async function getCheckFrame(page: Page): Promise<Frame> {
  const browser = page.context().browser()!;
  const browserFrames = checkFrames.get(browser) ?? new Map<string, Promise<Frame>>();
  checkFrames.set(browser, browserFrames);
  const { origin } = new URL(page.url());
  const openingFrame = browserFrames.get(origin) ?? openCheckFrame(browser, origin);
  browserFrames.set(origin, openingFrame);
  const frame = await openingFrame;
  // Pictures of a signed-in user load only with that user's cookies.
  await frame.page().context().clearCookies();
  await frame
    .page()
    .context()
    .addCookies(await page.context().cookies());
  return frame;
}

/** Opens empty documents of this origin, so that styles, fonts and pictures load as in the page. Nothing in the frame is painted. */
async function openCheckFrame(browser: Browser, origin: string): Promise<Frame> {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce' });
  context.setDefaultTimeout(TIMEOUT_MS);
  context.setDefaultNavigationTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const style = 'position: fixed; left: -3000px; width: 1280px; height: 800px; border: 0';
  const documents = {
    '/empty-document': '<!doctype html><title>Empty</title>',
    '/empty-frame': `<!doctype html><meta name="color-scheme" content="light dark"><iframe name="checked" src="/empty-document" style="${style}"></iframe>`,
  };
  for (const [path, body] of Object.entries(documents))
    await page.route(`**${path}`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('/empty-frame');
  await page.unrouteAll();
  const frame = page.frame('checked')!;
  await frame.evaluate(AXE);
  await frame.evaluate(installChecks);
  return frame;
}
