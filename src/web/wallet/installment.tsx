import type { components } from '#client';
import { readReais } from '#core/money.ts';
import { again, ownForm } from '../server/form.ts';
import type { Form, FormVisit, MakePersonalPage } from '../server/visit.ts';
import { faultOf } from '../server/words.ts';
import { dueWords, inReais, longDay, percent, plural, shortDay, shortTime } from '../text/format.ts';
import { LinkButton, QuietLink } from '../ui/buttons.tsx';
import { Heart } from '../ui/icons.tsx';
import { Line, Panel } from '../ui/parts.tsx';
import { Choices } from './choices.tsx';
import { WalletPage } from './layout.tsx';
import { missingPage } from './notices.tsx';
import { type Checkout, type Installment, isReturned, Status } from './parts.tsx';

type Charge = components['schemas']['PixCharge'];

const PAID_FOR: Record<Charge['type'], string> = {
  settle: 'Pagamento',
  settle_with_penalty: 'Pagamento',
  settle_partial: 'Pagamento de uma parte',
  extend: 'Prorrogação',
};

export const INSTALLMENT_PATH = '/carteira/compras/:hash/:number';

export const installmentPage: MakePersonalPage = async (visit) => {
  const { api, params, now } = visit;
  const [checkout, cashback] = await Promise.all([
    api.getCheckout({ path: { hash: params.hash! } }),
    api.getCashbackBalance(),
  ]);
  const installment = checkout.installments.find(({ number }) => String(number) === params.number);
  if (!installment) return missingPage(visit);
  const { hash, merchant, installments_total } = checkout;
  const { number, status, due_on, total_due, id } = installment;
  const charges = (await api.listPix({ path: { id }, query: { limit: 20 } })).data;
  const pending = charges.filter((charge) => charge.status === 'pending' && status !== 'paid');
  const received = charges.filter((charge) => charge.status === 'paid');
  const isLate = status === 'overdue';
  const returned = status === 'paid' && isReturned(installment);
  return (
    <WalletPage
      title="Parcela"
      visit={visit}
      tab="inicio"
      heading={`${number}ª parcela de ${installments_total}`}
      crumbs={[
        { href: '/carteira', text: 'Compras' },
        { href: `/carteira/compras/${hash}`, text: merchant.name },
      ]}
    >
      <div class="columns">
        <Panel
          id="devido"
          title={returned ? 'Parcela devolvida' : status === 'paid' ? 'Parcela paga' : 'O que falta pagar'}
        >
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
                    Ver o código PIX de {inReais(charge.value)} que já foi gerado
                  </a>
                </li>
              ))}
            </ul>
          )}
          {received.length > 0 && (
            <>
              <h3 class="small-title">{plural(received.length, 'PIX recebido', 'PIX recebidos')}</h3>
              <ul class="pending">
                {received.map((charge) => (
                  <li key={charge.id}>
                    <a href={`/carteira/compras/${hash}/${number}/pix/${charge.id}`}>
                      {PAID_FOR[charge.type]}: {inReais(charge.paid)}
                    </a>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Panel>
        {status !== 'paid' && (
          <Panel
            id="caminhos"
            title={isLate ? 'Escolha o que cabe hoje' : 'Como você quer pagar'}
            class="choices"
          >
            {isLate && (
              <p class="muted soft-word">
                <Heart /> Qualquer valor já ajuda: o que você paga hoje para de gerar juros.
              </p>
            )}
            <Choices
              visit={visit}
              checkout={checkout}
              installment={installment}
              available={cashback.available}
            />
          </Panel>
        )}
        {status === 'paid' && (
          <p class="actions">
            <LinkButton to={`/carteira/compras/${hash}`}>Ver a compra</LinkButton>
            <QuietLink to="/carteira/cashback">Ver o cashback</QuietLink>
          </p>
        )}
      </div>
    </WalletPage>
  );
};

/** The breakdown of the amount, and what another day changes. */
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
    charges_paid,
    cashback_if_on_time,
  } = installment;
  return (
    <>
      <dl class="totals">
        <Line name="Valor da parcela" value={inReais(amount)} />
        {paid > 0 && <Line name="Já pago" value={`− ${inReais(paid)}`} />}
        {discount > 0 && <Line name="Desconto por antecipar" value={`− ${inReais(discount)}`} />}
        {returned !== 0 && <Line name="Devolvido na loja" value={`− ${inReais(returned)}`} />}
        {penalty.fine > 0 && (
          <Line
            name={`Multa de ${percent(terms.fine_percent)}, uma vez por vencimento`}
            value={`+ ${inReais(penalty.fine)}`}
          />
        )}
        {penalty.interest > 0 && (
          <Line
            name={`Juros de ${percent(terms.late_interest_percent)} ao mês, ${plural(penalty.days_late, 'dia', 'dias')}`}
            value={`+ ${inReais(penalty.interest)}`}
          />
        )}
        {charges_paid.fine > 0 && <Line name="Multa já paga" value={inReais(charges_paid.fine)} />}
        {charges_paid.interest > 0 && <Line name="Juros já pagos" value={inReais(charges_paid.interest)} />}
        {charges_paid.extension_fee > 0 && (
          <Line name="Prorrogação já paga" value={inReais(charges_paid.extension_fee)} />
        )}
        {status !== 'paid' && <Line name="Total a pagar hoje" value={inReais(total_due)} isTotal />}
      </dl>
      {status !== 'paid' && extensions > 0 && (
        <p class="hint">Já foi prorrogada {extensions === 1 ? 'uma vez' : `${extensions} vezes`}.</p>
      )}
      {status === 'overdue' && (
        <p class="hint">
          Venceu em {longDay(effective_due_on)}, há {plural(penalty.days_late, 'dia', 'dias')}.{' '}
          {outstanding > 0 &&
            `Enquanto houver valor em aberto, os juros de ${percent(terms.late_interest_percent)} ao mês são contados por dia, sempre sobre a parcela: não há juros sobre juros.`}
        </p>
      )}
      {status === 'open' && effective_due_on !== due_on && (
        <p class="hint">
          O vencimento cai em dia não útil: você pode pagar até {longDay(effective_due_on)} sem multa nem
          juros.
        </p>
      )}
      {cashback_if_on_time > 0 && (
        <p class="hint">Pagando até o vencimento, {inReais(cashback_if_on_time)} voltam em cashback.</p>
      )}
    </>
  );
}

/** Finds the installment by purchase and number: addresses do not contain its id. */
export async function installmentOf({ api, params }: FormVisit): Promise<Installment | undefined> {
  const { installments } = await api.getCheckout({ path: { hash: params.hash! } });
  return installments.find(({ number }) => String(number) === params.number);
}

export const INSTALLMENT_FORMS: Record<string, Form> = {
  [`${INSTALLMENT_PATH}/pix`]: ownForm(INSTALLMENT_PATH, async (visit, sent) => {
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
  }),
};
