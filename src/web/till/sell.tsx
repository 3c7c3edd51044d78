import type { VNode } from 'preact';
import { isProblem, type Output } from '#client';
import { readReais, toReais } from '#core/money.ts';
import { again, ownForm } from '../server/form.ts';
import type { Form } from '../server/visit.ts';
import { faultOf } from '../server/words.ts';
import { inReais, plainReais, readPhone } from '../text/format.ts';
import { describe, Field, FieldError } from '../ui/field.tsx';
import { Clock } from '../ui/icons.tsx';
import { BACK, KEYS, press } from '../ui/keypad.ts';
import { inWeeks } from '../ui/offer-parts.tsx';
import { fieldsOf, PostForm, weeks } from '../ui/personal-parts.tsx';
import { HOME, TillPage } from './layout.tsx';
import type { MakeTillPage, TillVisit } from './visit.ts';

const SALE = `${HOME}/venda`;

type Quote = Output<'quoteSale'>;

/** `45`, `45,` and `45,9` as well. */
const readAmount = (text: string) => readReais(text.replace(/[,.]$/, ''));

/** The amount, on keys. Without a script each key is a request that answers with the page and one digit more. */
export const sellPage: MakeTillPage = async (visit) => {
  const typed = (visit.query('valor') ?? '').slice(0, 12);
  const key = visit.query('tecla');
  return keypad(visit, key ? press(typed, key) : typed);
};

async function keypad(visit: TillVisit, typed: string, error?: string): Promise<VNode> {
  const { max_amount, role } = visit.me.member;
  const { data: waiting, pagination } = await visit.api.listOffers({
    query: { status: 'pending', limit: 1 },
  });
  const most = role === 'clerk' && max_amount !== null ? `Até ${inReais(max_amount)} por venda.` : undefined;
  return (
    <TillPage
      title={error ? 'Confira: Nova venda' : 'Nova venda'}
      visit={visit}
      tab="vender"
      head={<h1 class="sr">Nova venda</h1>}
    >
      <form class="keypad" action={SALE} method="get">
        <div class="sum">
          <label for="valor">Valor da venda</label>
          <div class="sum-field">
            <span aria-hidden="true">R$</span>
            <input
              id="valor"
              name="valor"
              inputMode="decimal"
              autocomplete="off"
              maxLength={12}
              placeholder="0,00"
              value={typed}
              data-keys
              {...describe('valor', { hint: most, error })}
              {...(error && { autofocus: true })}
            />
          </div>
          {most && (
            <p class="hint" id="valor-dica">
              {most}
            </p>
          )}
          <FieldError name="valor" error={error} />
        </div>
        <button class="button go" type="submit">
          Continuar
        </button>
        <fieldset class="keys" aria-label="Teclado do valor">
          {KEYS.map((key) => (
            <button
              key={key}
              type="submit"
              name="tecla"
              value={key}
              formAction={HOME}
              {...(LABELS[key] && { 'aria-label': LABELS[key] })}
            >
              {key === BACK ? '⌫' : key}
            </button>
          ))}
        </fieldset>
      </form>
      {waiting.length > 0 && (
        <p class="waiting-link">
          <a href={`${HOME}/vendas#esperando`}>
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

const LABELS: Record<string, string> = { ',': 'vírgula', [BACK]: 'apagar' };

/** No more than a phone shows at once. */
const ALL_UP_TO = 12;
const OFTEN = [1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 26, 39, 52];
const MOST_WEEKS = 52;

/** What the amount costs in each number of weeks that the merchant's plan allows. */
async function quotes({ api }: TillVisit, amount: number): Promise<Quote[]> {
  const ask = (installments: number) => api.quoteSale({ body: { amount, installments } });
  const most = await ask(MOST_WEEKS).then(
    () => MOST_WEEKS,
    (error: unknown) => {
      if (isProblem(error, 'too_many_installments')) return Number(error.body.max_installments);
      throw error;
    },
  );
  const wanted =
    most <= ALL_UP_TO
      ? Array.from({ length: most }, (_, i) => i + 1)
      : [...OFTEN.filter((n) => n < most), most];
  return Promise.all(wanted.map(ask));
}

export const weeksPage: MakeTillPage = async (visit) => {
  const typed = (visit.flash?.values?.valor ?? visit.query('valor') ?? '').slice(0, 20);
  const cents = readAmount(typed);
  if (cents === null || cents <= 0) return keypad(visit, typed, 'Digite o valor da venda.');
  const { role, max_amount } = visit.me.member;
  const amount = toReais(cents);
  if (role === 'clerk' && max_amount !== null && amount > max_amount)
    return keypad(visit, typed, `Você vende até ${inReais(max_amount)}. Chame quem responde pela loja.`);
  let offered: Quote[];
  try {
    offered = await quotes(visit, amount);
  } catch (error) {
    if (!isProblem(error) || error.status >= 500 || error.status === 401) throw error;
    return keypad(visit, typed, Object.values(faultOf(error))[0]);
  }
  const field = fieldsOf(visit.flash);
  const isOpen = ['description', 'reference', 'phone'].some((name) => field(name).value);
  return (
    <TillPage
      title="Em quantas semanas"
      visit={visit}
      tab="vender"
      head={
        <>
          <p class="sum-line">
            <b class="figure-big">{inReais(amount)}</b>
            <a class="button small quiet" href={`${HOME}?valor=${encodeURIComponent(plainReais(amount))}`}>
              Mudar
            </a>
          </p>
          <h1 class="ask">Em quantas semanas?</h1>
        </>
      }
    >
      <PostForm visit={visit} action={SALE} class="week-keys" keep="sending">
        <input type="hidden" name="valor" value={plainReais(amount)} />
        {/* Enter in a field presses the first button: this one sells nothing. */}
        <button type="submit" name="installments" value="" hidden tabIndex={-1}>
          Conferir
        </button>
        {offered.map((quote) => (
          <button
            key={quote.installments.length}
            class="week-key"
            type="submit"
            name="installments"
            value={quote.installments.length}
          >
            <b>{inWeeks(quote)}</b>
            <small>
              <span class="sr">{weeks(quote.installments.length)}, </span>
              {quote.cost === 0 ? 'sem custo' : `total ${inReais(quote.total)}`}
            </small>
          </button>
        ))}
        <details class="choice fold" open={isOpen}>
          <summary>
            <span>
              <b>Descrição, pedido ou celular</b>
              <small>Opcional. Preencha antes de escolher as semanas.</small>
            </span>
          </summary>
          <div class="fold-body">
            <Field {...field('description')} label="O que é vendido" optional maxLength={200} />
            <Field {...field('reference')} label="Número do pedido" optional maxLength={100} />
            <Field
              {...field('phone')}
              label="Celular do cliente"
              type="tel"
              mask="phone"
              optional
              maxLength={30}
              hint="Com o celular, o cliente recebe o link por SMS e tem dois dias. Sem ele, você mostra o QR code."
            />
          </div>
        </details>
      </PostForm>
    </TillPage>
  );
};

export const SELL_FORMS: Record<string, Form> = {
  [SALE]: ownForm(SALE, async (visit, sent) => {
    const cents = readAmount(sent.text('valor'));
    const [installments, phone] = [Number(sent.text('installments')), sent.text('phone')];
    if (cents === null) return { to: HOME };
    if (!installments) return again(visit, sent, { form: 'Escolha em quantas semanas.' });
    const text = (name: string) => sent.text(name) && { [name]: sent.text(name) };
    const { id } = await visit.api.createOffer({
      body: {
        amount: toReais(cents),
        installments,
        ...text('description'),
        ...text('reference'),
        ...(phone && { phone: readPhone(phone) }),
      },
      idempotencyKey: visit.idempotencyKey,
    });
    return { to: `${HOME}/ofertas/${id}` };
  }),
};
