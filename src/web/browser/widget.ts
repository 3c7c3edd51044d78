// <semana-parcelas merchant="slug" amount="120" installments="4">: what an amount costs by the week, on pages of shops. Runs under the
// shop's own Content-Security-Policy: no inline style, no cookie, no font, and one request, which anybody may cache.

const { origin } = new URL((document.currentScript as HTMLScriptElement).src);
const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 });

type Quote = {
  installments: Array<{ amount: number }>;
  total: number;
  cost: number;
  terms: { cet_percent_month: number; cet_percent_year: number };
  creditor: { name: string; cnpj: string } | null;
};

/** The room of three lines is reserved from the start, and of five where lines break: nothing on the page moves. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: block; container-type: inline-size; font-size: .875rem; line-height: 1.4; }
  :host([hidden]) { display: none; }
  div { min-height: 4.4em; }
  @container (max-width: 30rem) { div { min-height: 7.2em; } }
  p { margin: 0; }
  .price { font-size: 1rem; }
  .fine { opacity: .8; }
`);

class Installments extends HTMLElement {
  static observedAttributes = ['merchant', 'amount', 'installments'];
  #under: AbortController | undefined;
  readonly #text = document.createElement('div');

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    this.#text.setAttribute('aria-live', 'polite');
    root.append(this.#text);
  }

  /** Called once for each attribute: those that change together make one request. */
  attributeChangedCallback(): void {
    this.#under?.abort();
    const under = new AbortController();
    this.#under = under;
    queueMicrotask(() => void this.#show(under.signal));
  }

  async #show(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const amount = Number(this.getAttribute('amount')?.replace(',', '.'));
    const merchant = this.getAttribute('merchant') ?? '';
    const weeks = this.getAttribute('installments') ?? '4';
    let lines: HTMLElement[] = [];
    try {
      if (merchant && amount > 0) lines = linesOf(await quote(merchant, amount, weeks, signal));
    } catch {
      // The shop's page is better off without a price than with an error of ours.
    }
    if (!signal.aborted) this.#text.replaceChildren(...lines);
  }
}

async function quote(merchant: string, amount: number, weeks: string, signal: AbortSignal): Promise<Quote> {
  const query = new URLSearchParams({ amount: amount.toFixed(2), installments: weeks });
  const url = `${origin}/public/merchants/${encodeURIComponent(merchant)}/quote?${query}`;
  const answer = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** Total, CET and who lends stand beside the price (CDC art. 54-B). */
function linesOf({ installments, total, cost, terms, creditor }: Quote): HTMLElement[] {
  const most = Math.max(...installments.map(({ amount }) => amount));
  const upTo = installments.some(({ amount }) => amount !== most) ? 'até ' : '';
  const weeks = installments.length;
  const price = line('price', `ou ${weeks}\u00a0× de ${upTo}`);
  const strong = document.createElement('b');
  strong.textContent = reais.format(most);
  price.append(strong, ' por semana, no PIX, com a Semana');
  const cet = `CET ${number.format(terms.cet_percent_month)}% ao mês, ${number.format(terms.cet_percent_year)}% ao ano`;
  return [
    price,
    line('fine', `Total ${reais.format(total)}${cost === 0 ? ', sem custo do crédito' : ''}. ${cet}.`),
    line(
      'fine',
      `${creditor ? `Credor: ${creditor.name}, CNPJ ${creditor.cnpj}. ` : ''}Sujeito a análise de crédito.`,
    ),
  ];
}

function line(name: string, text: string): HTMLElement {
  const made = document.createElement('p');
  made.className = name;
  made.textContent = text;
  return made;
}

if (!customElements.get('semana-parcelas')) customElements.define('semana-parcelas', Installments);
