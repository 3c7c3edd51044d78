// <semana-parcelas merchant="slug" amount="120" installments="4"> shows the weekly price of a product on the page of a shop. It runs
// under the shop's Content-Security-Policy: no inline style, no cookie, no font, and a single request, which any cache may store.

// A module script has no `currentScript`.
const script = document.currentScript ?? document.querySelector('script[src*="/widget.js"]');
const { origin } = new URL((script as HTMLScriptElement | null)?.src ?? location.href);
const moneyFormat = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const numberFormat = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 });

type Quote = {
  installments: Array<{ amount: number }>;
  total: number;
  cost: number;
  terms: { cet_percent_month: number; cet_percent_year: number };
  creditor: { name: string; cnpj: string } | null;
};

/**
 * The quote and an invisible text that is at least as long share a grid cell, so that the shop's page does not shift when the quote
 * arrives, at any width and in any font.
 */
const styleSheet = new CSSStyleSheet();
styleSheet.replaceSync(`
  :host { display: block; font-size: .875rem; line-height: 1.4; }
  :host([hidden]) { display: none; }
  section { display: grid; }
  section > * { grid-area: 1 / 1; }
  .reserve { visibility: hidden; }
  p { margin: 0; }
  .price { font-size: 1rem; }
  .fine { opacity: .8; }
`);

/** The invisible text that reserves the space is rendered from this quote. */
const LONGEST_QUOTE: Quote = {
  installments: [{ amount: 1000 }, { amount: 999 }],
  total: 10_000,
  cost: 0,
  terms: { cet_percent_month: 10.55, cet_percent_year: 100.55 },
  creditor: { name: 'Empresa de Crédito Semanal do Brasil Ltda.', cnpj: '00.000.000/0001-00' },
};

class InstallmentsElement extends HTMLElement {
  static observedAttributes = ['merchant', 'amount', 'installments'];
  #requestController: AbortController | undefined;
  readonly #quoteElement = document.createElement('div');

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [styleSheet];
    this.#quoteElement.setAttribute('aria-live', 'polite');
    const reserve = document.createElement('div');
    reserve.className = 'reserve';
    reserve.append(...renderLines(LONGEST_QUOTE));
    const box = document.createElement('section');
    box.append(this.#quoteElement, reserve);
    root.append(box);
  }

  connectedCallback(): void {
    this.#scheduleRender();
  }

  /** The parser sets attributes one by one before it connects the element, and may run microtasks in between. */
  attributeChangedCallback(): void {
    if (this.isConnected) this.#scheduleRender();
  }

  /** Changes that happen together cause a single request. */
  #scheduleRender(): void {
    this.#requestController?.abort();
    const requestController = new AbortController();
    this.#requestController = requestController;
    queueMicrotask(() => void this.#render(requestController.signal));
  }

  /** If there is no quote, the text between the tags appears: the shop's page must not show our errors. */
  async #render(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const content = await this.#loadLines(signal).catch((error: unknown) => {
      // biome-ignore lint/suspicious/noConsole: the only channel to the developers of the shop
      if (!signal.aborted) console.warn(`<semana-parcelas>: ${(error as Error).message}`);
      return [document.createElement('slot')];
    });
    if (!signal.aborted) this.#quoteElement.replaceChildren(...content);
  }

  async #loadLines(signal: AbortSignal): Promise<HTMLElement[]> {
    const merchant = this.getAttribute('merchant');
    const amountText = this.getAttribute('amount');
    const amount = Number(amountText?.replace(',', '.'));
    if (!merchant) throw new Error('falta o atributo merchant');
    if (!(amount > 0)) throw new Error(`amount="${amountText ?? ''}" não é um valor em reais, como 129.90`);
    const weeks = this.getAttribute('installments') ?? '4';
    return renderLines(await fetchQuote(merchant, amount, weeks, signal));
  }
}

async function fetchQuote(merchant: string, amount: number, weeks: string, signal: AbortSignal) {
  const query = new URLSearchParams({ amount: amount.toFixed(2), installments: weeks });
  const url = `${origin}/public/merchants/${encodeURIComponent(merchant)}/quote?${query}`;
  const response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  if (!response.ok) throw new Error(explainFailure(response.status, { merchant, amount, weeks }));
  return response.json();
}

function explainFailure(
  status: number,
  { merchant, amount, weeks }: { merchant: string; amount: number; weeks: string },
): string {
  if (status === 404) return `não há loja "${merchant}"`;
  // The merchant does not sell this amount, or not in this number of installments. A higher status is not about the purchase.
  if (status < 429) return `a loja "${merchant}" não vende ${amount} em ${weeks} parcelas (${status})`;
  return `a Semana não respondeu (${status})`;
}

/** The total, the CET and the creditor must be shown with the price (CDC art. 54-B). */
function renderLines({ installments, total, cost, terms, creditor }: Quote): HTMLElement[] {
  const largestAmount = Math.max(...installments.map(({ amount }) => amount));
  const upToText = installments.some(({ amount }) => amount !== largestAmount) ? 'até ' : '';
  const weeks = installments.length;
  const priceLine = createLine('price', `ou ${weeks}\u00a0× de ${upToText}`);
  const amountElement = document.createElement('b');
  amountElement.textContent = moneyFormat.format(largestAmount);
  priceLine.append(amountElement, ' por semana, no PIX, com a Semana');
  const cet = `CET ${numberFormat.format(terms.cet_percent_month)}% ao mês, ${numberFormat.format(terms.cet_percent_year)}% ao ano`;
  return [
    priceLine,
    createLine(
      'fine',
      `Total ${moneyFormat.format(total)}${cost === 0 ? ', sem custo do crédito' : ''}. ${cet}.`,
    ),
    createLine(
      'fine',
      `${creditor ? `Credor: ${creditor.name}, CNPJ ${creditor.cnpj}. ` : ''}Sujeito a análise de crédito.`,
    ),
  ];
}

function createLine(className: string, text: string): HTMLElement {
  const line = document.createElement('p');
  line.className = className;
  line.textContent = text;
  return line;
}

if (!customElements.get('semana-parcelas')) customElements.define('semana-parcelas', InstallmentsElement);
