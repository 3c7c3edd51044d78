import type { components } from '#client';
import { parseReaisInput } from '#core/values/money.ts';
import { defineSessionForm, redisplayForm } from '../server/form.ts';
import { PageNotFound } from '../server/personal-routes.ts';
import { toFieldErrors } from '../server/problem-texts.ts';
import { type FormHandler, type PersonalPageHandler, useVisit } from '../server/visit.ts';
import {
  describeDueDay,
  formatLongDay,
  formatPercent,
  formatReais,
  formatReaisInput,
  formatShortDay,
  formatShortTime,
  pluralize,
  sumReais,
} from '../text/format.ts';
import { LinkButton, QuietLink, Submit } from '../ui/buttons.tsx';
import { Fold, Line, Panel } from '../ui/components.tsx';
import { HiddenInputs, MoneyField, PostForm } from '../ui/forms.tsx';
import { Bolt, Calendar, Coin, Heart } from '../ui/icons.tsx';
import {
  buildInstallmentPath,
  buildPixFormValues,
  buildPurchasePath,
  type Checkout,
  describeDebit,
  findDebit,
  findPixOption,
  findSettleOption,
  getSettleAmount,
  INSTALLMENT_ROUTE,
  type Installment,
  isFullyReturned,
  ReturnedBadge,
  readInstallment,
  StatusBadge,
} from './installment-timeline.tsx';
import { WalletPage } from './layout.tsx';

/** The payment options of an installment with their amounts and effects. The first option is open, the others are collapsed. */
function PaymentOptions(props: { checkout: Checkout; installment: Installment; availableCashback: number }) {
  const { checkout, installment, availableCashback } = props;
  const { flash } = useVisit();
  const { hash, terms } = checkout;
  const { number, total_due, outstanding, extensions, penalty } = installment;
  const installmentPath = buildInstallmentPath(hash, number);
  const settleOption = findSettleOption(installment);
  const partialOption = findPixOption(installment, 'settle_partial');
  const extendOption = findPixOption(installment, 'extend');
  const usableCashback = Math.min(availableCashback, getSettleAmount(installment));
  const remainingExtensions = terms.extension_limit - extensions;
  return (
    <>
      {settleOption && (
        <PostForm action={`${installmentPath}/pix`} class="choice first">
          <Bolt />
          <div>
            <h3>Pagar tudo</h3>
            <p>
              {settleOption.value < total_due
                ? `Pagando antes do vencimento, você paga ${formatReais(settleOption.value)} em vez de ${formatReais(total_due)}.`
                : 'A parcela fica paga assim que o PIX é confirmado.'}
            </p>
            <HiddenInputs values={buildPixFormValues(settleOption)} />
            <Submit class="wide">Pagar {formatReais(settleOption.value)} com PIX</Submit>
          </div>
        </PostForm>
      )}
      {partialOption && partialOption.max > partialOption.min && (
        <Fold
          icon={<Heart />}
          title="Pagar uma parte"
          note={`a partir de ${formatReais(partialOption.min)}`}
          isOpen={flash?.values?.type === 'settle_partial'}
        >
          <PostForm action={`${installmentPath}/pix`}>
            <p>
              De {formatReais(partialOption.min)} a {formatReais(partialOption.max)}.{' '}
              {penalty.total > 0
                ? 'Primeiro são quitados os juros e a multa, depois a parcela.'
                : 'O restante continua com o mesmo vencimento.'}
            </p>
            <input type="hidden" name="type" value="settle_partial" />
            <MoneyField name="value" label="Quanto pagar agora (R$)" maxLength={12} />
            <Submit class="quiet wide">Gerar PIX desta parte</Submit>
          </PostForm>
        </Fold>
      )}
      {extendOption && (
        <Fold
          icon={<Calendar />}
          title={`Prorrogar por ${terms.extension_days} dias`}
          note={`por ${formatReais(extendOption.value)}`}
          isOpen={flash?.values?.type === 'extend'}
        >
          <PostForm action={`${installmentPath}/pix`}>
            <p>
              Custa {formatReais(extendOption.value)}
              {penalty.total > 0 && ', com a multa e os juros até hoje incluídos'}. O novo vencimento é{' '}
              <b>{formatShortDay(extendOption.due_on)}</b>, e a parcela continua em {formatReais(outstanding)}
              .
            </p>
            <HiddenInputs values={buildPixFormValues(extendOption)} />
            <Submit class="quiet wide">Prorrogar por {formatReais(extendOption.value)}</Submit>
            <p class="hint">
              Você pode prorrogar{' '}
              {remainingExtensions === 1 ? 'mais uma vez' : `mais ${remainingExtensions} vezes`}.
            </p>
          </PostForm>
        </Fold>
      )}
      {usableCashback > 0 && (
        <Fold
          icon={<Coin />}
          title="Usar cashback"
          note={`você tem ${formatReais(availableCashback)}`}
          isOpen={flash?.values?.cashback !== undefined}
        >
          <PostForm action={`${installmentPath}/cashback`}>
            <p>O cashback abate a parcela na hora, sem PIX. Antes de usar, você confirma o valor.</p>
            <MoneyField
              name="cashback"
              value={formatReaisInput(usableCashback)}
              label="Quanto usar (R$)"
              maxLength={12}
            />
            <Submit class="quiet wide">Usar cashback</Submit>
          </PostForm>
        </Fold>
      )}
    </>
  );
}

type Charge = components['schemas']['PixCharge'];

const CHARGE_TEXTS: Record<Charge['type'], string> = {
  settle: 'Pagamento',
  settle_with_penalty: 'Pagamento',
  settle_partial: 'Pagamento de uma parte',
  extend: 'Prorrogação',
};

export const installmentPage: PersonalPageHandler = async (visit) => {
  const { api, now } = visit;
  const [{ checkout, installment }, cashback] = await Promise.all([
    readInstallment(visit),
    api.getCashbackBalance(),
  ]);
  if (!installment) throw new PageNotFound();
  const { hash, merchant, installments_total } = checkout;
  const { number, status, due_on, id } = installment;
  const installmentPath = buildInstallmentPath(hash, number);
  const charges = (await api.listPix({ path: { id }, query: { limit: 20 } })).data;
  const pendingCharges = charges.filter((charge) => charge.status === 'pending' && status !== 'paid');
  const paidCharges = charges.filter((charge) => charge.status === 'paid');
  const isOverdue = status === 'overdue';
  const debitText = describeDebit(findDebit(checkout, installment, now));
  const isReturned = status === 'paid' && isFullyReturned(installment);
  return (
    <WalletPage
      title="Parcela"
      tab="inicio"
      heading={`${number}ª parcela de ${installments_total}`}
      crumbs={[
        { href: '/carteira', text: 'Compras' },
        { href: buildPurchasePath(hash), text: merchant.name },
      ]}
    >
      <div class="columns">
        <Panel
          id="devido"
          title={isReturned ? 'Parcela devolvida' : status === 'paid' ? 'Parcela paga' : 'O que falta pagar'}
        >
          <p class="figure-line">
            {isReturned ? <ReturnedBadge /> : <StatusBadge status={status} />}
            <span class="muted">
              {status === 'paid'
                ? installment.paid_at && `em ${formatShortTime(installment.paid_at)}`
                : `${formatShortDay(due_on)} · ${describeDueDay(due_on, now)}`}
            </span>
          </p>
          <p class="figure-big">
            {formatReais(status === 'paid' ? installment.paid : getSettleAmount(installment))}
          </p>
          <AmountBreakdown installment={installment} terms={checkout.terms} />
          {debitText && <p>{debitText}</p>}
          {pendingCharges.length > 0 && (
            <ul class="pending">
              {pendingCharges.map((charge) => (
                <li key={charge.id}>
                  <a href={`${installmentPath}/pix/${charge.id}`}>
                    Ver o código PIX de {formatReais(charge.value)} que já foi gerado
                  </a>
                </li>
              ))}
            </ul>
          )}
          {paidCharges.length > 0 && (
            <>
              <h3 class="small-title">{pluralize(paidCharges.length, 'PIX recebido', 'PIX recebidos')}</h3>
              <ul class="pending">
                {paidCharges.map((charge) => (
                  <li key={charge.id}>
                    <a href={`${installmentPath}/pix/${charge.id}`}>
                      {CHARGE_TEXTS[charge.type]}: {formatReais(charge.paid)}
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
            title={isOverdue ? 'Escolha o que cabe hoje' : 'Como você quer pagar'}
            class="choices"
          >
            {isOverdue && (
              <p class="muted soft-word">
                <Heart /> Qualquer valor já ajuda: o que você paga hoje para de gerar juros.
              </p>
            )}
            <PaymentOptions
              checkout={checkout}
              installment={installment}
              availableCashback={cashback.available}
            />
          </Panel>
        )}
        {status === 'paid' && (
          <p class="actions">
            <LinkButton href={buildPurchasePath(hash)}>Ver a compra</LinkButton>
            <QuietLink href="/carteira/cashback">Ver o cashback</QuietLink>
          </p>
        )}
      </div>
    </WalletPage>
  );
};

function AmountBreakdown({ installment, terms }: { installment: Installment; terms: Checkout['terms'] }) {
  const { amount, paid, discount, returned, outstanding, penalty, total_due, status, extensions } =
    installment;
  const { due_on, effective_due_on, charges_paid, charges_waived, cashback_if_on_time } = installment;
  const settleAmount = getSettleAmount(installment);
  return (
    <>
      <dl class="totals">
        <Line name="Valor da parcela" value={formatReais(amount)} />
        {paid > 0 && <Line name="Já pago" value={`− ${formatReais(paid)}`} />}
        {discount > 0 && <Line name="Desconto por antecipar" value={`− ${formatReais(discount)}`} />}
        {returned !== 0 && <Line name="Devolvido na loja" value={`− ${formatReais(returned)}`} />}
        {penalty.fine > 0 && (
          <Line
            name={`Multa de ${formatPercent(terms.fine_percent)}, uma vez por vencimento`}
            value={`+ ${formatReais(penalty.fine)}`}
          />
        )}
        {penalty.interest > 0 && (
          <Line
            name={`Juros de ${formatPercent(terms.late_interest_percent)} ao mês, ${pluralize(penalty.days_late, 'dia', 'dias')}`}
            value={`+ ${formatReais(penalty.interest)}`}
          />
        )}
        {charges_paid.fine > 0 && <Line name="Multa já paga" value={formatReais(charges_paid.fine)} />}
        {charges_paid.interest > 0 && (
          <Line name="Juros já pagos" value={formatReais(charges_paid.interest)} />
        )}
        {charges_waived.fine + charges_waived.interest > 0 && (
          <Line
            name="Multa e juros dispensados"
            value={formatReais(sumReais(charges_waived.fine, charges_waived.interest))}
          />
        )}
        {charges_paid.extension_fee > 0 && (
          <Line name="Prorrogação já paga" value={formatReais(charges_paid.extension_fee)} />
        )}
        {status !== 'paid' && settleAmount < total_due && (
          <Line name="Se for paga só no vencimento" value={formatReais(total_due)} />
        )}
        {status !== 'paid' && <Line name="Total a pagar hoje" value={formatReais(settleAmount)} isTotal />}
      </dl>
      {status !== 'paid' && extensions > 0 && (
        <p class="hint">Já foi prorrogada {extensions === 1 ? 'uma vez' : `${extensions} vezes`}.</p>
      )}
      {status === 'overdue' && (
        <p class="hint">
          Venceu em {formatLongDay(effective_due_on)}, há {pluralize(penalty.days_late, 'dia', 'dias')}.{' '}
          {outstanding > 0 &&
            `Enquanto houver valor em aberto, os juros de ${formatPercent(terms.late_interest_percent)} ao mês são contados por dia, sempre sobre a parcela: não há juros sobre juros.`}
        </p>
      )}
      {status === 'open' && effective_due_on !== due_on && (
        <p class="hint">
          O vencimento cai em dia não útil: você pode pagar até {formatLongDay(effective_due_on)} sem multa
          nem juros.
        </p>
      )}
      {cashback_if_on_time > 0 && (
        <p class="hint">Pagando até o vencimento, {formatReais(cashback_if_on_time)} voltam em cashback.</p>
      )}
    </>
  );
}

export const INSTALLMENT_FORMS: Record<string, FormHandler> = {
  [`${INSTALLMENT_ROUTE}/pix`]: defineSessionForm(INSTALLMENT_ROUTE, async (visit, form) => {
    const { api, pagePath, idempotencyKey } = visit;
    const type = form.readText('type');
    const partialCents = type === 'settle_partial' ? parseReaisInput(form.readText('value')) : null;
    if (type === 'settle_partial' && partialCents === null)
      return redisplayForm(visit, form, { value: 'Escreva o valor assim: 20 ou 20,00.' });
    const { installment } = await readInstallment(visit);
    if (!installment) return { redirectTo: '/carteira' };
    // For types other than settle_partial, `shown` is the amount on the page. If it has changed, the API responds amount_changed.
    const value = partialCents === null ? Number(form.readText('shown')) : partialCents / 100;
    try {
      const charge: Charge = await api.createPix({
        path: { id: installment.id },
        body: { type, value } as Parameters<typeof api.createPix>[0]['body'],
        idempotencyKey,
      });
      return { redirectTo: `${pagePath}/pix/${charge.id}` };
    } catch (error) {
      return redisplayForm(visit, form, toFieldErrors(error));
    }
  }),
};
