import assert from 'node:assert/strict';
import { Window } from 'happy-dom';
import type { Locator, Page } from 'playwright-core';
import { CookieJar } from './cookie-jar.ts';

/** `waitFor` refreshes a page at most this many times, with this pause in between. */
const MAX_REFRESHES = 400;
const REFRESH_PAUSE_MS = 25;
const MAX_REDIRECTS = 10;

type TextPattern = string | RegExp;
type NameOptions = { name?: TextPattern; exact?: boolean; level?: number };
type InputFile = { name: string; mimeType: string; buffer: Buffer };
export type Download = { fileName: string; text: string };

/** A page in a real browser, or one without scripts. Journeys that work on both take this type. */
export type AnyPage = Page | PlainPage;
export type LocatorOf<P extends AnyPage> = ReturnType<P['getByRole']>;

/** The elements that have a role, as far as these pages use them. */
const ROLE_SELECTORS: Record<string, string> = {
  alert: '[role=alert]',
  button: 'button, input[type=submit], [role=button]',
  cell: 'td, [role=cell]',
  checkbox: 'input[type=checkbox]',
  group: 'fieldset, [role=group]',
  heading: 'h1, h2, h3, h4, h5, h6',
  img: 'img, [role=img]',
  link: 'a[href]',
  navigation: 'nav',
  region: 'section[aria-label], [role=region]',
  row: 'tr',
  searchbox: 'input[type=search]',
  status: '[role=status], output',
};
const NEVER_VISIBLE = '[hidden], template, script, style, head';
/** The values of `Node.nodeType`, which this process does not define. */
const [ELEMENT_NODE, TEXT_NODE] = [1, 3];
const BLOCK_TAGS = new Set(
  'ADDRESS ARTICLE ASIDE BR BUTTON CAPTION DD DETAILS DIV DL DT FIELDSET FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER LEGEND LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TH THEAD TR UL'.split(
    ' ',
  ),
);

/**
 * A browser without scripts and styles: it follows links and redirects, and fills in and submits forms as HTML defines it. It has the
 * part of Playwright's interface that journeys use, and costs a fiftieth of Chromium's CPU time.
 */
export class PlainPage {
  readonly #jar: CookieJar;
  readonly #window = new Window();
  #document: Document = this.#parse('');
  #url: URL;
  #downloads: Download[] = [];
  /** The files that a test has chosen in file inputs. */
  readonly files = new WeakMap<Element, InputFile>();

  constructor(siteUrl: string) {
    this.#jar = new CookieJar(new URL(siteUrl).origin);
    this.#url = new URL(siteUrl);
  }

  url(): string {
    return this.#url.href;
  }

  /** Returns the status of the page, after redirects. */
  goto(path: string): Promise<number> {
    return this.#request(new URL(path, this.#jar.siteUrl));
  }

  reload(): Promise<number> {
    return this.#request(this.#url);
  }

  /** Fetches a resource as this visitor, and stays on the page. */
  fetch(path: string): Promise<Response> {
    return this.#jar.send(path);
  }

  /** Clicks the element, and returns the file that the server sends. */
  async download(locator: PlainLocator): Promise<Download> {
    this.#downloads = [];
    await locator.click();
    const [download] = this.#downloads;
    assert.ok(download, `${this.url()}: nothing was downloaded`);
    return download;
  }

  /** Compares the URL without waiting, because `goto`, `click` and `press` have followed all redirects. */
  async waitForURL(pattern: string): Promise<void> {
    const source = pattern
      .replaceAll(/[.?]/g, '\\$&')
      .replaceAll(/\*+/g, (stars) => (stars.length > 1 ? '.*' : '[^/]*'));
    assert.match(this.url(), new RegExp(`^${source}$`));
  }

  getByRole = (role: string, options: NameOptions = {}) => this.#getRoot().getByRole(role, options);
  getByText = (text: TextPattern, options: { exact?: boolean } = {}) =>
    this.#getRoot().getByText(text, options);
  getByLabel = (text: TextPattern, options: { exact?: boolean } = {}) =>
    this.#getRoot().getByLabel(text, options);
  locator = (selector: string, options: { hasText?: TextPattern } = {}) =>
    this.#getRoot().locator(selector, options);

  /** Follows the refresh that the page declares. Returns false if it declares none. */
  async refresh(): Promise<boolean> {
    const content = this.#document.querySelector('meta[http-equiv=refresh]')?.getAttribute('content');
    if (!content) return false;
    const path = /url=(.*)$/i.exec(content)?.[1] ?? this.url();
    await this.#request(new URL(path, this.#url));
    return true;
  }

  async follow(link: Element): Promise<void> {
    const fileName = link.getAttribute('download');
    if (fileName !== null) {
      const response = await this.#jar.send(link.getAttribute('href')!);
      assert.equal(response.status, 200);
      this.#downloads.push({ fileName, text: await response.text() });
      return;
    }
    await this.#request(new URL(link.getAttribute('href')!, this.#url));
  }

  async submit(form: HTMLFormElement, submitter: Element | null): Promise<void> {
    const skipsValidation = form.hasAttribute('novalidate') || submitter?.hasAttribute('formnovalidate');
    const invalidFields = skipsValidation
      ? []
      : [...form.elements].filter((field) => !(field as HTMLInputElement).checkValidity());
    assert.deepEqual(
      invalidFields.map((field) => field.outerHTML),
      [],
      `${this.url()}: a browser would not send the form`,
    );
    const readAttribute = (name: string) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
    const url = new URL(readAttribute('action') ?? this.url(), this.#url);
    const entries = [
      ...new (this.#window.FormData as unknown as typeof FormData)(form, submitter as HTMLElement),
    ];
    const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    if (readAttribute('method')?.toLowerCase() !== 'post') {
      url.search = new URLSearchParams(fields).toString();
      await this.#request(url);
    } else if (readAttribute('enctype') === 'multipart/form-data') {
      const body = new FormData();
      for (const [name, value] of fields) body.append(name, value);
      for (const input of form.querySelectorAll('input[type=file]')) {
        const file = this.files.get(input) ?? {
          name: '',
          mimeType: 'application/octet-stream',
          buffer: Buffer.alloc(0),
        };
        const blob = new Blob([new Uint8Array(file.buffer)], { type: file.mimeType });
        body.append(input.getAttribute('name')!, blob, file.name);
      }
      await this.#request(url, { method: 'POST', body });
    } else await this.#request(url, { method: 'POST', body: new URLSearchParams(fields) });
  }

  async #request(target: URL, init: RequestInit = {}): Promise<number> {
    let [url, options] = [target, init];
    for (let i = 0; i < MAX_REDIRECTS; i++) {
      const isOwnSite = url.origin === this.#jar.siteUrl;
      const path = url.pathname + url.search;
      const response = isOwnSite
        ? await this.#jar.send(path, options)
        : await fetch(url, { redirect: 'manual', ...options });
      const location = response.headers.get('location');
      if (location && response.status >= 300 && response.status < 400) {
        url = new URL(location, url);
        options = {};
        continue;
      }
      const text = await response.text();
      const disposition = response.headers.get('content-disposition');
      if (disposition?.startsWith('attachment')) {
        this.#downloads.push({ fileName: /filename="?([^";]*)/.exec(disposition)?.[1] ?? '', text });
        return response.status;
      }
      this.#url = url;
      this.#document = this.#parse(text);
      return response.status;
    }
    throw new Error(`${url.href} redirects ${MAX_REDIRECTS} times`);
  }

  #parse(html: string): Document {
    return new this.#window.DOMParser().parseFromString(html, 'text/html') as unknown as Document;
  }

  #getRoot = (): PlainLocator => new PlainLocator(this, 'the page', () => [this.#document.documentElement]);
}

/** Elements of the current page, looked up each time they are used. */
export class PlainLocator {
  readonly #page: PlainPage;
  readonly #description: string;
  readonly #find: () => Element[];

  constructor(page: PlainPage, description: string, find: () => Element[]) {
    this.#page = page;
    this.#description = description;
    this.#find = find;
  }

  getByRole(role: string, { name, exact, level }: NameOptions = {}): PlainLocator {
    const selector = role === 'heading' && level ? `h${level}` : ROLE_SELECTORS[role];
    assert.ok(selector, `unknown role: ${role}`);
    return this.#findWithin(
      `${role} '${name}'`,
      selector,
      (element) => name === undefined || matches(getAccessibleName(element), name, exact),
    );
  }

  getByText(text: TextPattern, { exact }: { exact?: boolean } = {}): PlainLocator {
    const hasText = (element: Element) => matches(getText(element), text, exact);
    return this.#findWithin(
      `text '${text}'`,
      '*',
      (element) => hasText(element) && ![...element.children].some(hasText),
    );
  }

  getByLabel(text: TextPattern, { exact }: { exact?: boolean } = {}): PlainLocator {
    return this.#findWithin(`label '${text}'`, 'input, select, textarea', (field) =>
      listLabels(field as HTMLInputElement).some((label) => matches(label, text, exact)),
    );
  }

  locator(selector: string, { hasText }: { hasText?: TextPattern } = {}): PlainLocator {
    return this.#findWithin(
      selector,
      selector,
      (element) => hasText === undefined || matches(getText(element), hasText),
      { includesHidden: true },
    );
  }

  first = () => new PlainLocator(this.#page, `first ${this.#description}`, () => this.#find().slice(0, 1));
  last = () => new PlainLocator(this.#page, `last ${this.#description}`, () => this.#find().slice(-1));
  all = async () =>
    this.#find().map((_, i) => new PlainLocator(this.#page, this.#description, () => [this.#find()[i]!]));
  count = async () => this.#find().length;
  isVisible = async () => this.#find().some(isVisible);

  /** Follows the refreshes of the page until the element is visible. Fails unless there is exactly one element. */
  async waitFor(): Promise<void> {
    for (let i = 0; i < MAX_REFRESHES && !this.#find().some(isVisible); i++) {
      if (!(await this.#page.refresh())) break;
      await new Promise((resolve) => setTimeout(resolve, REFRESH_PAUSE_MS));
    }
    this.#findOne();
  }

  textContent = async () => this.#findOne().textContent;
  innerText = async () => getText(this.#findOne(), '\n');
  innerHTML = async () => this.#findOne().innerHTML;
  allInnerTexts = async () => this.#find().map((element) => getText(element, '\n'));
  getAttribute = async (name: string) => this.#findOne().getAttribute(name);
  inputValue = async () => this.#findField().value;
  isChecked = async () => this.#findField().checked;
  /** Without scripts only `autofocus` sets the focus. */
  isFocused = async () => this.#findOne().hasAttribute('autofocus');

  async fill(value: string): Promise<void> {
    this.#findField().value = value;
  }

  async check(): Promise<void> {
    this.#findField().checked = true;
  }

  async setInputFiles(file: InputFile): Promise<void> {
    this.#page.files.set(this.#findOne(), file);
  }

  async selectOption(value: string): Promise<void> {
    const options = [...this.#findOne().querySelectorAll('option')];
    const option = options.find((candidate) => candidate.value === value || getText(candidate) === value);
    assert.ok(option, `${this.#description} has no option '${value}'`);
    for (const candidate of options) candidate.selected = candidate === option;
  }

  async press(key: 'Enter'): Promise<void> {
    assert.equal(key, 'Enter');
    const { form } = this.#findField();
    await this.#page.submit(form!, form!.querySelector('button:not([type=button]), input[type=submit]'));
  }

  async click(): Promise<void> {
    await this.waitFor();
    const foundElement = this.#findOne();
    // A click in a label or on an input submits its form.
    const element = foundElement.closest('a[href], button, summary, label, input') ?? foundElement;
    if (element.matches('a')) return this.#page.follow(element);
    if (element.matches('summary')) {
      element.parentElement!.toggleAttribute('open');
      return;
    }
    const { form } = element as HTMLButtonElement;
    assert.ok(form && !element.hasAttribute('disabled'), `${this.#description} does nothing without scripts`);
    await this.#page.submit(form, element);
  }

  #findWithin(
    description: string,
    selector: string,
    filter: (element: Element) => boolean,
    { includesHidden = false } = {},
  ): PlainLocator {
    return new PlainLocator(this.#page, description, () => {
      const candidates = this.#find().flatMap((root) => [...root.querySelectorAll(selector)]);
      return candidates.filter((element) => (includesHidden || isVisible(element)) && filter(element));
    });
  }

  /** Returns the only element, or of several the only visible one. Fails if there is no such element. */
  #findOne(): Element {
    const candidates = this.#find();
    const elements = candidates.length > 1 ? candidates.filter(isVisible) : candidates;
    assert.equal(elements.length, 1, `${this.#page.url()} has ${elements.length} of ${this.#description}`);
    return elements[0]!;
  }

  #findField(): HTMLInputElement {
    return this.#findOne() as HTMLInputElement;
  }
}

/** Returns whether a field has the focus, on either kind of page. */
export const isFocused = (field: Locator | PlainLocator): Promise<boolean> =>
  field instanceof PlainLocator
    ? field.isFocused()
    : field.evaluate((element) => element === document.activeElement);

const normalize = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

function matches(text: string, pattern: TextPattern, exact = false): boolean {
  if (pattern instanceof RegExp) return pattern.test(text);
  return exact ? text === normalize(pattern) : text.toLowerCase().includes(normalize(pattern).toLowerCase());
}

function isVisible(element: Element): boolean {
  if (element.closest(NEVER_VISIBLE) || element.getAttribute('type') === 'hidden') return false;
  // Of a closed <details>, only the element itself and its summary are visible.
  for (
    let details = element.closest('details:not([open])');
    details;
    details = details.parentElement?.closest('details:not([open])') ?? null
  )
    if (element !== details && element.closest('summary')?.parentElement !== details) return false;
  return true;
}

/** Returns the text of an element, with this separator between blocks. */
function getText(element: Element, separator = ' '): string {
  const collectText = (node: Node): string => {
    if (node.nodeType === TEXT_NODE) return node.textContent!.replaceAll(/[ \t\r\n]+/g, ' ');
    if (node.nodeType !== ELEMENT_NODE || (node as Element).matches('script, style, template, head'))
      return '';
    const text = [...node.childNodes].map(collectText).join('');
    return BLOCK_TAGS.has((node as Element).tagName) ? `${separator}${text}${separator}` : text;
  };
  const text = collectText(element);
  return separator === ' ' ? normalize(text) : text.replaceAll(/ *\n[\n ]*/g, '\n').trim();
}

/** Computes the name by which assistive technology announces the element, as far as these pages need it. */
function getAccessibleName(element: Element): string {
  const label = element.getAttribute('aria-label') ?? element.getAttribute('alt');
  if (label !== null) return normalize(label);
  const labelledBy = element.getAttribute('aria-labelledby');
  if (labelledBy)
    return labelledBy
      .split(' ')
      .map((id) => findTextById(element, id))
      .join(' ');
  if (element.matches('fieldset')) return getText(element.querySelector('legend')!);
  if (element.matches('input'))
    return element.getAttribute('value') ?? listLabels(element as HTMLInputElement).join(' ');
  const title = element.matches('[role=img]') ? element.querySelector('title') : null;
  return getText(title ?? element);
}

function listLabels(field: HTMLInputElement): string[] {
  const labelledBy = field.getAttribute('aria-labelledby')?.split(' ') ?? [];
  const ariaLabel = field.getAttribute('aria-label');
  return [
    ...Array.from(field.labels ?? [], (label) => getText(label)),
    ...(ariaLabel === null ? [] : [ariaLabel]),
    ...labelledBy.map((id) => findTextById(field, id)),
  ];
}

function findTextById(element: Element, id: string): string {
  const labelElement = element.ownerDocument.getElementById(id);
  return labelElement ? getText(labelElement) : '';
}
