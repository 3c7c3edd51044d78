import type { components } from '#client';
import { readReais } from '#core/money.ts';
import {
  dueWords,
  inReais,
  longDay,
  percent,
  plainReais,
  plural,
  shortDay,
  shortTime,
} from '../site/format.ts';
import { notInWalletPage } from '../site/notices.tsx';
import { Bolt, Calendar, Coin, Heart } from '../ui/icons.tsx';
import { Field, PageHead } from '../ui/parts.tsx';
import { WalletLayout } from '../ui/wallet-layout.tsx';
import {
  type Checkout,
  fieldsOf,
  type Installment,
  isReturned,
  PostForm,
  Said,
  Status,
} from '../ui/wallet-parts.tsx';
import { Line } from './purchase.tsx';
import type { Form, FormVisit, MakeWalletPage, Outcome, Sent, WalletVisit } from './visit.ts';
import { faultOf } from './words.ts';

type Option = Installment['pix_options'][number];
type Charge = components['schemas']['PixCharge'];

const PAGE = '/carteira/compras/:hash/:number';

const optionOf = <T extends Option['type']>({ pix_options }: Installment, type: T) =>
  pix_options.find((option) => option.type === type) as Extract<Option, { type: T }> | undefined;

/** What settles it now: with what is due for being late, or less what comes off for being early. */
const settling = (installment: Installment) => {
  const kind = installment.status === 'overdue' ? 'settle_with_penalty' : 'settle';
  return installment.pix_options.find(({ type }) => type === kind) as
    | { type: string; value: number }
    | undefined;
};

export const installmentPage: MakeWalletPage = async (visit) => {
  const { api, params, now, flash, siteUrl } = visit;
  const [checkout, cashback] = await Promise.all([
    api.getCheckout({ path: { hash: params.hash! } }),
    api.getCashbackBalance(),
  ]);
  const installment = checkout.installments.find(({ number }) => String(number) === params.number);
  if (!installment) return notInWalletPage(siteUrl);
  const { hash, merchant, installments_total } = checkout;
  const { number, status, due_on, total_due, id } = installment;
  const charges = status === 'paid' ? [] : (await api.listPix({ path: { id }, query: { limit: 5 } })).data;
  const pending = charges.filter((charge) => charge.status === 'pending');
  const isLate = status === 'overdue';
  const returned = status === 'paid' && isReturned(installment);
  return {
    body: (
      <WalletLayout title="Parcela" visit={visit} tab="inicio">
        <div class="wrap">
          <PageHead
            title={`${number}ª parcela de ${installments_total}`}
            crumbs={[
              { href: '/carteira', text: 'Compras' },
              { href: `/carteira/compras/${hash}`, text: merchant.name },
            ]}
          />
          <Said flash={flash} />
          <div class="columns">
            <section class="panel" aria-labelledby="devido">
              <h2 class="panel-title" id="devido">
                {returned ? 'Parcela devolvida' : status === 'paid' ? 'Parcela paga' : 'O que falta pagar'}
              </h2>
              <p class="figure-line">
                {returned ? <span class="status paid">Devolvida</span> : <Status status={status} />}
                <span class="muted">
                  {status === 'paid'
                    ? installment.paid_at && `em ${shortTime(installment.paid_at)}`
                    : `${shortDay(due_on)} · ${dueWords(due_on, now)}`}
                </span>
              </p>
              <p class="figure-big">{inReais(status === 'paid' ? installment.paid : total_due)}</p>
              <Why installment={installment} checkout={checkout} />
              {pending.length > 0 && (
                <ul class="pending">
                  {pending.map((charge) => (
                    <li key={charge.id}>
                      <a href={`/carteira/compras/${hash}/${number}/pix/${charge.id}`}>
                        Há um código PIX aberto de {inReais(charge.value)}
                      </a>
                    </li>
                  ))}
                </ul>
              )}
            </section>
            {status !== 'paid' && (
              <section class="choices" aria-labelledby="caminhos">
                <h2 class="panel-title" id="caminhos">
                  {isLate ? 'Escolha o caminho que cabe hoje' : 'Como você quer pagar'}
                </h2>
                {isLate && (
                  <p class="muted soft-word">
                    <Heart /> Qualquer valor já ajuda: o que você paga hoje deixa de render juros.
                  </p>
                )}
                <Choices
                  visit={visit}
                  checkout={checkout}
                  installment={installment}
                  available={cashback.available}
                />
              </section>
            )}
            {status === 'paid' && (
              <p class="actions">
                <a class="button" href={`/carteira/compras/${hash}`}>
                  Ver a compra
                </a>
                <a class="button quiet" href="/carteira/cashback">
                  Ver o cashback
                </a>
              </p>
            )}
          </div>
        </div>
      </WalletLayout>
    ),
  };
};

/** Line by line how it came to this sum, and what another day changes. */
function Why({ installment, checkout: { terms } }: { installment: Installment; checkout: Checkout }) {
  const {
    amount,
    paid,
    discount,
    returned,
    outstanding,
    penalty,
    total_due,
    due_on,
    effective_due_on,
    status,
    extensions,
  } = installment;
  const aDay = Math.floor((outstanding * terms.late_interest_percent) / 30) / 100;
  return (
    <>
      <dl class="totals">
        <Line name="Valor da parcela" value={inReais(amount)} />
        {paid > 0 && <Line name="Já pago" value={`− ${inReais(paid)}`} />}
        {discount > 0 && <Line name="Desconto por antecipar" value={`− ${inReais(discount)}`} />}
        {returned !== 0 && <Line name="Devolvido na loja" value={`− ${inReais(returned)}`} />}
        {penalty.fine > 0 && (
          <Line
            name={`Multa de ${percent(terms.fine_percent)}, uma vez só`}
            value={`+ ${inReais(penalty.fine)}`}
          />
        )}
        {penalty.interest > 0 && (
          <Line
            name={`Juros de ${percent(terms.late_interest_percent)} ao mês, ${plural(penalty.days_late, 'dia', 'dias')}`}
            value={`+ ${inReais(penalty.interest)}`}
          />
        )}
        {status !== 'paid' && (
          <div class="total">
            <dt>Total hoje</dt>
            <dd>{inReais(total_due)}</dd>
          </div>
        )}
      </dl>
      {status !== 'paid' && extensions > 0 && (
        <p class="hint">Já foi prorrogada {extensions === 1 ? 'uma vez' : `${extensions} vezes`}.</p>
      )}
      {status === 'overdue' && (
        <p class="hint">
          Venceu em {longDay(effective_due_on)}, há {plural(penalty.days_late, 'dia', 'dias')}.{' '}
          {outstanding > 0 &&
            (aDay > 0
              ? `Cada dia a mais acrescenta cerca de ${inReais(aDay)}. Os juros são simples: nunca juros sobre juros.`
              : 'Cada dia a mais acrescenta menos de um centavo. Os juros são simples: nunca juros sobre juros.')}
        </p>
      )}
      {status === 'open' && effective_due_on !== due_on && (
        <p class="hint">
          O vencimento cai em dia sem banco: até {longDay(effective_due_on)} ela está em dia.
        </p>
      )}
      {status === 'open' && terms.cashback_percent > 0 && paid === 0 && (
        <p class="hint">
          Pagando até o vencimento, {inReais(Math.floor(amount * terms.cashback_percent + 1e-9) / 100)} voltam
          em cashback.
        </p>
      )}
    </>
  );
}

/** Every way there is, with what it costs and what it changes. */
function Choices(props: {
  visit: WalletVisit;
  checkout: Checkout;
  installment: Installment;
  available: number;
}) {
  const { visit, checkout, installment, available } = props;
  const { hash, terms } = checkout;
  const { number, total_due, outstanding, extensions } = installment;
  const base = `/carteira/compras/${hash}/${number}`;
  const field = fieldsOf(visit.flash);
  const all = settling(installment);
  const part = optionOf(installment, 'settle_partial');
  const extend = optionOf(installment, 'extend');
  const saved = all ? Math.round((total_due - all.value) * 100) / 100 : 0;
  const usable = Math.min(available, all?.value ?? total_due);
  const left = terms.extension_limit - extensions;
  return (
    <>
      {all && (
        <PostForm visit={visit} action={`${base}/pix`} class="choice first">
          <Bolt />
          <div>
            <h3>Pagar tudo</h3>
            <p>
              {saved > 0
                ? `A parcela fica paga. Por antecipar, você economiza ${inReais(saved)}.`
                : 'A parcela fica paga assim que o dinheiro chega.'}
            </p>
            <input type="hidden" name="type" value={all.type} />
            <input type="hidden" name="shown" value={all.value} />
            <button class="button wide" type="submit">
              Pagar {inReais(all.value)} com PIX
            </button>
          </div>
        </PostForm>
      )}
      {usable > 0 && (
        <PostForm visit={visit} action={`${base}/cashback`} class="choice">
          <Coin />
          <div>
            <h3>Usar cashback</h3>
            <p>
              Você tem {inReais(available)}. Vale na hora, sem PIX
              {usable < total_due ? ', e o resto continua em aberto.' : '.'}
            </p>
            <Field
              {...field('cashback')}
              value={field('cashback').value ?? plainReais(usable)}
              label="Quanto usar (R$)"
              inputmode="decimal"
              maxLength={12}
            />
            <button class="button quiet wide" type="submit">
              Usar cashback
            </button>
          </div>
        </PostForm>
      )}
      {part && part.max > part.min && (
        <PostForm visit={visit} action={`${base}/pix`} class="choice">
          <Heart />
          <div>
            <h3>Pagar uma parte</h3>
            <p>
              De {inReais(part.min)} a {inReais(part.max)}.{' '}
              {installment.penalty.total > 0
                ? 'Primeiro são quitados os juros e a multa, depois a parcela.'
                : 'O que sobrar continua com o mesmo vencimento.'}
            </p>
            <input type="hidden" name="type" value="settle_partial" />
            <Field {...field('value')} label="Quanto pagar agora (R$)" inputmode="decimal" maxLength={12} />
            <button class="button quiet wide" type="submit">
              Gerar PIX desta parte
            </button>
          </div>
        </PostForm>
      )}
      {extend && (
        <PostForm visit={visit} action={`${base}/pix`} class="choice">
          <Calendar />
          <div>
            <h3>Ganhar mais {terms.extension_days} dias</h3>
            <p>
              Custa {inReais(extend.value)}
              {installment.penalty.total > 0 && ', com a multa e os juros até hoje incluídos'}. O novo
              vencimento é <b>{shortDay(extend.due_on)}</b>, e os {inReais(outstanding)} continuam iguais.
            </p>
            <input type="hidden" name="type" value="extend" />
            <input type="hidden" name="shown" value={extend.value} />
            <button class="button quiet wide" type="submit">
              Prorrogar por {inReais(extend.value)}
            </button>
            <p class="hint">Dá para prorrogar {left === 1 ? 'mais uma vez' : `mais ${left} vezes`}.</p>
          </div>
        </PostForm>
      )}
    </>
  );
}

/** The installment has an id of its own, which addresses do not show. */
async function installmentOf({ api, params }: FormVisit): Promise<Installment | undefined> {
  const { installments } = await api.getCheckout({ path: { hash: params.hash! } });
  return installments.find(({ number }) => String(number) === params.number);
}

const again = ({ page }: FormVisit, sent: Sent, faults: Record<string, string>): Outcome => ({
  ...{ to: page, flash: { page, values: sent.values(), faults } },
});

const askForPix: Form = {
  page: PAGE,
  isPrivate: true,
  async act(visit, sent) {
    const { api, page, idempotencyKey } = visit;
    const type = sent.text('type');
    const cents = type === 'settle_partial' ? readReais(sent.text('value')) : null;
    if (type === 'settle_partial' && cents === null)
      return again(visit, sent, { value: 'Escreva o valor assim: 20 ou 20,00.' });
    const installment = await installmentOf(visit);
    if (!installment) return { to: '/carteira' };
    const value = cents === null ? Number(sent.text('shown')) : cents / 100;
    try {
      const charge: Charge = await api.createPix({
        path: { id: installment.id },
        body: { type, value } as Parameters<typeof api.createPix>[0]['body'],
        idempotencyKey,
      });
      return { to: `${page}/pix/${charge.id}` };
    } catch (error) {
      return again(visit, sent, faultOf(error));
    }
  },
};

const payWithCashback: Form = {
  page: PAGE,
  isPrivate: true,
  async act(visit, sent) {
    const { api, page, idempotencyKey } = visit;
    const cents = readReais(sent.text('cashback'));
    if (cents === null) return again(visit, sent, { cashback: 'Escreva o valor assim: 20 ou 20,00.' });
    const installment = await installmentOf(visit);
    if (!installment) return { to: '/carteira' };
    try {
      const { applied, installment: after } = await api.payWithCashback({
        ...{ path: { id: installment.id }, body: { value: cents / 100 }, idempotencyKey },
      });
      const rest = after.status === 'paid' ? 'A parcela está paga.' : `Faltam ${inReais(after.total_due)}.`;
      return { to: page, flash: { page, note: `${inReais(applied)} de cashback usados. ${rest}` } };
    } catch (error) {
      const text = 'Escolha um valor até o que você tem, e até o que falta da parcela.';
      return again(visit, sent, faultOf(error, { value_out_of_range: { field: 'cashback', text } }));
    }
  },
};

export const INSTALLMENT_FORMS: Record<string, Form> = {
  [`${PAGE}/pix`]: askForPix,
  [`${PAGE}/cashback`]: payWithCashback,
};
