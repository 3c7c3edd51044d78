import type { Order } from './payments.ts';
import { type Cart, createCart, formatCart, PRODUCTS, type Product, sumAmount } from './products.ts';

/** Text that is HTML, so that it is not escaped. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
type TemplateValue = Html | string | number | TemplateValue[];

const renderValue = (value: TemplateValue): string => {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(renderValue).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
};
/** Builds HTML from a template. Values are escaped, unless they are HTML. */
const html = (texts: TemplateStringsArray, ...values: TemplateValue[]): Html =>
  new Html(String.raw({ raw: texts }, ...values.map(renderValue)));

const formatReais = (amount: number) =>
  amount.toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' });
const renderPicture = ({ picture }: Product) =>
  new Html(`<svg viewBox="0 0 96 96" aria-hidden="true">${picture}</svg>`);

/** Creates the functions that render the pages of the shop. `webUrl` is the URL of Semana's pages, which serve the widget. */
export function createPages({ webUrl, merchantSlug }: { webUrl: string; merchantSlug: string }) {
  const renderPage = (title: string, body: Html, head: Html | '' = '') =>
    html`<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Flor do Trigo</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="data:,">
${head}
<header><a href="/">Flor do Trigo</a><a href="/sacola">Sacola</a></header>
<main>${body}</main>
<footer>Uma loja de exemplo. Nada aqui se compra de verdade.</footer>
</html>`.text;

  /** Renders the widget. Without a script, browsers display the text between its tags. */
  const renderInstallments = (amount: number) => html`
    <semana-parcelas merchant="${merchantSlug}" amount="${amount.toFixed(2)}" installments="4">
      Pague por semana, no PIX, com a Semana.
    </semana-parcelas>
    <script src="${webUrl}/widget.js" async></script>`;

  return {
    renderHome: () =>
      renderPage(
        'Padaria',
        html`<h1>Da nossa fornada</h1>
<ul class="products">${PRODUCTS.map(
          (product) => html`<li><a href="/produtos/${product.id}">${renderPicture(product)}
<b>${product.name}</b> <span>${formatReais(product.price)}</span></a></li>`,
        )}</ul>`,
      ),

    renderProduct: (product: Product) =>
      renderPage(
        product.name,
        html`<article>${renderPicture(product)}<div>
<h1>${product.name}</h1>
<p>${product.description}</p>
<p class="price">${formatReais(product.price)}</p>
${renderInstallments(product.price)}
<form method="post" action="/sacola">
<button name="add" value="${product.id}">Pôr na sacola</button>
</form></div></article>`,
      ),

    renderCart: (cart: Cart, orderId: string) =>
      renderPage(
        'Sacola',
        cart.length === 0
          ? html`<h1>Sacola</h1><p>Está vazia. <a href="/">Ver os produtos</a></p>`
          : html`<h1>Sacola</h1>
<form method="post" action="/sacola"><ul class="lines">${cart.map(
              ({ product, quantity }) => html`<li><span>${quantity} × ${product.name}</span>
<b>${formatReais(product.price * quantity)}</b>
<button class="plain" name="remove" value="${product.id}">Tirar<span class="hidden"> ${product.name}</span></button></li>`,
            )}</ul></form>
<p class="price">Total ${formatReais(sumAmount(cart))}</p>
${renderInstallments(sumAmount(cart))}
${renderPayForm(cart, orderId)}`,
      ),

    renderOrder: (order: Order, nextOrderId: string) =>
      renderPage(
        `Pedido ${order.id.slice(0, 8)}`,
        html`<h1>Pedido ${order.id.slice(0, 8)}</h1>
<p class="status ${order.status}" role="status">${describeStatus(order)}</p>
<ul class="lines">${order.items.map(
          ({ name, quantity, amount }) =>
            html`<li><span>${quantity} × ${name}</span> <b>${formatReais(amount)}</b></li>`,
        )}</ul>
<p class="price">Total ${formatReais(order.amount)}</p>
${order.status === 'pending' ? renderPendingActions(order) : ''}
${order.status === 'unpaid' ? renderPayForm(createCart(order.items), nextOrderId) : ''}
${order.returnedAmount > 0 ? html`<p>As suas parcelas somam ${formatReais(order.returnedAmount)} a menos.</p>` : ''}
<p><a href="/">Continuar comprando</a></p>`,
        order.status === 'pending' ? html`<meta http-equiv="refresh" content="5">` : '',
      ),

    renderError: (text: string) =>
      renderPage('Ops', html`<h1>Ops</h1><p>${text}</p><p><a href="/">Ver os produtos</a></p>`),
  };
}

/** Renders a form that contains the id of the order, so that a form that is sent twice creates one order. */
const renderPayForm = (cart: Cart, orderId: string) => html`<form method="post" action="/pedidos">
<input type="hidden" name="id" value="${orderId}">
<input type="hidden" name="cart" value="${formatCart(cart)}">
<button>Pagar por semana com a Semana</button>
</form>`;

const renderPendingActions = ({ id, offer }: Order) => html`
${offer ? html`<p><a class="button" href="${offer.link}">Pagar por semana com a Semana</a></p>` : ''}
<form method="post" action="/pedidos/${id}/cancelar"><button class="plain">Desistir do pedido</button></form>
<p>Esta página se atualiza sozinha.</p>`;

/** Texts for the final statuses of offers. */
const REASONS: Record<string, string> = {
  declined: 'Você recusou a compra.',
  expired: 'O prazo para pagar terminou.',
  cancelled: 'O pedido foi cancelado.',
};

function describeStatus({ status, reason = '', offer, returnedAmount, isFullyReturned }: Order): string {
  if (status === 'unpaid') return `Não foi pago. ${REASONS[reason] ?? reason}`;
  if (status === 'pending')
    return offer ? 'Aguardando o pagamento' : 'A Semana ainda não respondeu. Tentamos de novo sozinhos.';
  if (isFullyReturned) return 'Devolvido';
  return returnedAmount > 0 ? 'Pago, devolvido em parte' : 'Pago. Obrigado!';
}
