import type { VNode } from 'preact';
import { isProblem, type Output } from '#client';
import { parseReaisInput, toReais } from '#core/values/money.ts';
import { defineSessionForm, redisplayForm } from '../server/form.ts';
import { toFieldErrors } from '../server/problem-texts.ts';
import type { FormHandler } from '../server/visit.ts';
import {
  formatClockTime,
  formatPhone,
  formatReais,
  formatReaisInput,
  formatShortTime,
  formatWeeks,
  parsePhone,
  SHORT_HASH_LENGTH,
} from '../text/format.ts';
import { StackLink, Submit, WideLink } from '../ui/buttons.tsx';
import { DonePanel, Fold, Line, StepIcon } from '../ui/components.tsx';
import {
  ButtonForm,
  buildAriaAttributes,
  buildLiveRegion,
  Field,
  FieldError,
  PostForm,
  Waiting,
} from '../ui/forms.tsx';
import { Clock } from '../ui/icons.tsx';
import { BACKSPACE, KEYS, pressKey } from '../ui/keypad.ts';
import { formatInstallments } from '../ui/offer-components.tsx';
import { HOME, isOwner, SALES_PATH, TillPage, type TillPageHandler, type TillVisit } from './layout.tsx';

const SALE_PATH = `${HOME}/venda`;
const MAX_AMOUNT_LENGTH = 12;

type Quote = Exclude<Output<'quoteSale'>, { data: unknown }>;

/** Accepts unfinished amounts too, such as `45,`. */
const parseAmount = (text: string) => parseReaisInput(text.replace(/[,.]$/, ''));

/** The keypad for the amount. Without scripts each key is a request that returns the page with one more digit. */
export const sellPage: TillPageHandler = async (visit) => {
  const typedAmount = (visit.readQuery('valor') ?? '').slice(0, MAX_AMOUNT_LENGTH);
  const pressedKey = visit.readQuery('tecla');
  return renderKeypad(visit, pressedKey ? pressKey(typedAmount, pressedKey) : typedAmount);
};

async function renderKeypad(visit: TillVisit, typedAmount: string, error?: string): Promise<VNode> {
  const { max_amount, role } = visit.me.member;
  const { data: pendingOffers, pagination } = await visit.api.listOffers({
    query: { status: 'pending', limit: 1 },
  });
  const limitHint =
    role === 'clerk' && max_amount !== null ? `Até ${formatReais(max_amount)} por venda.` : undefined;
  return (
    <TillPage
      title={error ? 'Confira: Nova venda' : 'Nova venda'}
      tab="vender"
      head={<h1 class="sr">Nova venda</h1>}
    >
      <form class="keypad" action={SALE_PATH} method="get">
        <div class="sum">
          <label for="valor">Valor da venda</label>
          <div class="sum-field">
            <span aria-hidden="true">R$</span>
            <input
              id="valor"
              name="valor"
              inputMode="decimal"
              autocomplete="off"
              maxLength={MAX_AMOUNT_LENGTH}
              placeholder="0,00"
              value={typedAmount}
              data-keys
              {...buildAriaAttributes('valor', { hint: limitHint, error })}
              {...(error && { autofocus: true })}
            />
          </div>
          {limitHint && (
            <p class="hint" id="valor-dica">
              {limitHint}
            </p>
          )}
          <FieldError name="valor" error={error} />
        </div>
        <Submit class="go">Continuar</Submit>
        <fieldset class="keys" aria-label="Teclado do valor">
          {KEYS.map((key) => (
            <button
              key={key}
              type="submit"
              name="tecla"
              value={key}
              formAction={HOME}
              {...(KEY_LABELS[key] && { 'aria-label': KEY_LABELS[key] })}
            >
              {key === BACKSPACE ? '⌫' : key}
            </button>
          ))}
        </fieldset>
      </form>
      {pendingOffers.length > 0 && (
        <p class="waiting-link">
          <a href={`${SALES_PATH}#esperando`}>
            <Clock />
            {pagination.total === 1
              ? '1 venda esperando o cliente'
              : `${pagination.total} vendas esperando o cliente`}
          </a>
        </p>
      )}
    </TillPage>
  );
}

const KEY_LABELS: Record<string, string> = { ',': 'vírgula', [BACKSPACE]: 'apagar' };

/** Up to this maximum every number of weeks is offered; above it only the common ones, to fit on the screen of a phone. */
const MAX_LISTED_WEEKS = 12;
const COMMON_WEEKS = [1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 26, 39, 52];

/** Quotes the amount in 1, 2, 3 and more weeks, up to the maximum of the merchant. */
async function readQuotes({ api }: TillVisit, amount: number): Promise<Quote[]> {
  const response = await api.quoteSale({ body: { amount, installments: 'all' } });
  if (!('data' in response)) return [response]; // narrows the type: the response to 'all' is a list
  const quotes = response.data;
  return quotes.length <= MAX_LISTED_WEEKS
    ? quotes
    : quotes.filter((_, i) => COMMON_WEEKS.includes(i + 1) || i === quotes.length - 1);
}

export const weeksPage: TillPageHandler = async (visit) => {
  const typedAmount = (visit.flash?.values?.valor ?? visit.readQuery('valor') ?? '').slice(0, 20);
  const cents = parseAmount(typedAmount);
  if (cents === null || cents <= 0) return renderKeypad(visit, typedAmount, 'Digite o valor da venda.');
  const { role, max_amount } = visit.me.member;
  const amount = toReais(cents);
  if (role === 'clerk' && max_amount !== null && amount > max_amount)
    return renderKeypad(
      visit,
      typedAmount,
      `Você vende até ${formatReais(max_amount)}. Chame quem responde pela loja.`,
    );
  let quotes: Quote[];
  try {
    quotes = await readQuotes(visit, amount);
  } catch (error) {
    // An ended session (401) leads to the sign-in page.
    if (!isProblem(error) || error.status >= 500 || error.status === 401) throw error;
    return renderKeypad(visit, typedAmount, Object.values(toFieldErrors(error))[0]);
  }
  const hasOptionalInput = ['description', 'reference', 'phone'].some((name) => visit.flash?.values?.[name]);
  return (
    <TillPage
      title="Em quantas semanas"
      tab="vender"
      head={
        <>
          <p class="sum-line">
            <b class="figure-big">{formatReais(amount)}</b>
            <a
              class="button small quiet"
              href={`${HOME}?valor=${encodeURIComponent(formatReaisInput(amount))}`}
            >
              Mudar
            </a>
          </p>
          <h1 class="screen-title">Em quantas semanas?</h1>
        </>
      }
    >
      <PostForm action={SALE_PATH} class="week-keys" sendsInPlace>
        <input type="hidden" name="valor" value={formatReaisInput(amount)} />
        {/* Enter in a field presses the first button of the form. This one creates no sale. */}
        <button type="submit" name="installments" value="" hidden tabIndex={-1}>
          Conferir
        </button>
        {quotes.map((quote) => (
          <button
            key={quote.installments.length}
            class="week-key"
            type="submit"
            name="installments"
            value={quote.installments.length}
          >
            <b>{formatInstallments(quote)}</b>
            <small>
              <span class="sr">{formatWeeks(quote.installments.length)}, </span>
              {quote.cost === 0 ? 'sem custo' : `total ${formatReais(quote.total)}`}
            </small>
          </button>
        ))}
        <Fold
          title="Descrição, pedido ou celular"
          note="Opcional. Preencha antes de escolher as semanas."
          isOpen={hasOptionalInput}
        >
          <div class="fold-body">
            <Field name="description" label="O que é vendido" optional maxLength={200} />
            <Field name="reference" label="Número do pedido" optional maxLength={100} />
            <Field
              name="phone"
              label="Celular do cliente"
              type="tel"
              mask="phone"
              optional
              maxLength={30}
              hint="Com o celular, o cliente recebe o link por SMS e tem dois dias. Sem ele, você mostra o QR code."
            />
          </div>
        </Fold>
      </PostForm>
    </TillPage>
  );
};

export const SELL_FORMS: Record<string, FormHandler> = {
  [SALE_PATH]: defineSessionForm(SALE_PATH, async (visit, form) => {
    const cents = parseAmount(form.readText('valor'));
    const [installments, phone] = [Number(form.readText('installments')), form.readText('phone')];
    if (cents === null) return { redirectTo: HOME };
    if (!installments) return redisplayForm(visit, form, { form: 'Escolha em quantas semanas.' });
    const pickOptionalText = (name: string) => form.readText(name) && { [name]: form.readText(name) };
    const { id } = await visit.api.createOffer({
      body: {
        amount: toReais(cents),
        installments,
        ...pickOptionalText('description'),
        ...pickOptionalText('reference'),
        ...(phone && { phone: parsePhone(phone) }),
      },
      idempotencyKey: visit.idempotencyKey,
    });
    return { redirectTo: `${HOME}/ofertas/${id}` };
  }),
};

type Offer = Output<'getOffer'>;
type Sale = Output<'getSale'>;

const OFFER_ROUTE = `${HOME}/ofertas/:id`;
/** Reload interval without scripts. */
const REFRESH_SECONDS = 4;

export const offerPage: TillPageHandler = async (visit) => {
  const offer = await visit.api.getOffer({ path: { id: visit.params.id! } });
  const sale = offer.checkout_hash
    ? await visit.api.getSale({ path: { hash: offer.checkout_hash } })
    : undefined;
  const isPending = offer.status === 'pending';
  return (
    <TillPage
      title="Venda"
      tab="vender"
      refreshSeconds={isPending ? REFRESH_SECONDS : undefined}
      offerPath={isPending && !offer.phone ? `/pagar/${offer.link.split('/').at(-1)}` : undefined}
      head={null}
      wrapperAttributes={buildLiveRegion(
        'venda',
        `${offer.status}${offer.claimed_at ? ' claimed' : ''}`,
        isPending && `${HOME}/eventos`,
      )}
    >
      {isPending ? (
        <PendingOffer visit={visit} offer={offer} />
      ) : sale ? (
        <AcceptedOffer offer={offer} sale={sale} />
      ) : (
        <ClosedOffer offer={offer} />
      )}
    </TillPage>
  );
};

function PendingOffer({ visit, offer }: { visit: TillVisit; offer: Offer }) {
  const { id, quote, qr_code, code, phone, expires_at, claimed_at, by } = offer;
  const mayCancel = isOwner(visit) || by?.id === visit.me.member.id;
  return (
    <div class="offer-screen">
      <h1 class="offer-screen-price">
        <b>{formatReais(quote.amount)}</b> <span>em {formatInstallments(quote)}</span>
      </h1>
      {claimed_at ? (
        <p class="offer-screen-claimed">
          <StepIcon>
            <Clock />
          </StepIcon>
          <b>O cliente abriu a compra.</b> Falta só o sim dele, na tela dele.
        </p>
      ) : phone ? (
        <p class="offer-screen-claimed">
          <StepIcon>
            <Clock />
          </StepIcon>
          <b>Enviamos o link por SMS</b> para {formatPhone(phone)}. Falta só o sim do cliente.
        </p>
      ) : (
        <>
          {qr_code && (
            <img class="offer-screen-qr" src={qr_code} alt="QR code desta venda" width="480" height="480" />
          )}
          {code && (
            <p class="offer-screen-code">
              <span>ou este código, na carteira do cliente</span>
              <b>
                {code.slice(0, 4)} {code.slice(4)}
              </b>
            </p>
          )}
        </>
      )}
      {/* Only an offer that is shown as a QR code expires within minutes, so only it has a countdown. */}
      <Waiting expiresAt={!phone && !claimed_at && expires_at} now={visit.now} ending="">
        Esperando o cliente até{' '}
        {phone || claimed_at ? formatShortTime(expires_at) : formatClockTime(expires_at)}
      </Waiting>
      <div class="offer-screen-actions">
        {mayCancel && (
          <ButtonForm action={`${HOME}/ofertas/${id}/cancelar`} text="Cancelar" variant="quiet wide" />
        )}
        <WideLink href={HOME}>Próxima venda</WideLink>
      </div>
    </div>
  );
}

/** The green confirmation, visible from the other side of the counter. */
const AcceptedOffer = ({ offer: { quote, reference }, sale }: { offer: Offer; sale: Sale }) => (
  <DonePanel
    class="sold"
    level={1}
    title={`Vendido: ${formatReais(quote.amount)}.`}
    lead={`${sale.customer.name} paga em ${formatInstallments(quote)}. A loja recebe da Semana.`}
  >
    <dl class="receipt">
      <Line
        name="Código da compra, igual ao da tela do cliente"
        value={<b>{sale.hash.slice(0, SHORT_HASH_LENGTH)}</b>}
      />
      {reference && <Line name="Pedido" value={reference} />}
    </dl>
    <div class="offer-screen-actions">
      <StackLink href={`${SALES_PATH}/${sale.hash}`}>Ver a venda</StackLink>
      <WideLink href={HOME}>Próxima venda</WideLink>
    </div>
  </DonePanel>
);

const STATUS_TEXTS: Record<string, { title: string; text: string }> = {
  declined: { title: 'O cliente recusou.', text: 'Nada foi vendido.' },
  expired: { title: 'O tempo acabou.', text: 'Nada foi vendido. O mesmo valor continua a um toque.' },
  cancelled: { title: 'Venda cancelada.', text: 'Nada foi vendido, e o QR code não vale mais.' },
};

function ClosedOffer({ offer: { status, quote } }: { offer: Offer }) {
  const { title, text } = STATUS_TEXTS[status]!;
  const sellAgainPath = `${SALE_PATH}?valor=${formatReaisInput(quote.amount)}`;
  return (
    <div class="panel pix-closed">
      <h1 class="screen-title">{title}</h1>
      <p class="lead">
        {text} Era de {formatReais(quote.amount)}.
      </p>
      <div class="offer-screen-actions">
        <StackLink href={sellAgainPath}>Vender de novo</StackLink>
        <WideLink href={HOME}>Próxima venda</WideLink>
      </div>
    </div>
  );
}

export const OFFER_FORMS: Record<string, FormHandler> = {
  [`${OFFER_ROUTE}/cancelar`]: defineSessionForm(OFFER_ROUTE, async ({ api, params, pagePath }) => {
    await api.cancelOffer({ path: { id: params.id! } });
    return { redirectTo: pagePath };
  }),
};
