import type { Page } from '../server/page.ts';
import type { PersonalPageHandler } from '../server/visit.ts';
import {
  describeDueDay,
  formatLongDate,
  formatPercent,
  formatReais,
  formatShortTime,
  pluralize,
} from '../text/format.ts';
import { Line, Logo, PageHead, Panel } from '../ui/components.tsx';
import { CetLine } from '../ui/costs.tsx';
import { AutopayPanel } from './autopay.tsx';
import {
  buildInstallmentPath,
  buildPurchasePath,
  findNextInstallment,
  getSettleAmount,
  type Installment,
  PURCHASE_ROUTE,
  ReturnedBadge,
  StatusBadge,
  Timeline,
} from './installment-timeline.tsx';
import { WalletPage } from './layout.tsx';

export const purchasePage: PersonalPageHandler = async (visit) => {
  const { api, params, now } = visit;
  const checkout = await api.getCheckout({ path: { hash: params.hash! } });
  const { hash, merchant, description, status, amounts, terms, installments, returned_at, returns } =
    checkout;
  const nextInstallment = findNextInstallment(installments);
  const settleAmount = nextInstallment && getSettleAmount(nextInstallment);
  const overdueInstallments = installments.filter((installment) => installment.status === 'overdue');
  return (
    <WalletPage
      title="Compra"
      tab="inicio"
      head={
        <PageHead
          title={merchant.name}
          media={<Logo merchant={merchant} size={56} />}
          crumbs={[{ href: '/carteira', text: 'Compras' }]}
        >
          <p class="muted">
            {description && `${description} · `}
            {formatLongDate(checkout.purchased_at)}
          </p>
        </PageHead>
      }
    >
      <div class="columns">
        <div class="panel">
          <p class="figure-line">{returned_at ? <ReturnedBadge /> : <StatusBadge status={status} />}</p>
          <p class="figure-big">{formatReais(status === 'paid' ? amounts.financed : amounts.total_due)}</p>
          <p class="muted">
            {returned_at
              ? 'devolvidos na loja: nada a pagar'
              : status === 'paid'
                ? 'compra quitada'
                : 'faltam desta compra'}
            {amounts.penalties > 0 && `, com ${formatReais(amounts.penalties)} de multa e juros até hoje`}
          </p>
          {overdueInstallments.length > 0 && (
            <p>{pluralize(overdueInstallments.length, 'parcela atrasada', 'parcelas atrasadas')}</p>
          )}
          {nextInstallment && settleAmount !== undefined && (
            <>
              <a class="button wide" href={buildInstallmentPath(hash, nextInstallment.number)}>
                Pagar a {nextInstallment.number}ª parcela · {formatReais(settleAmount)}
              </a>
              <p class="hint">{describeNextInstallment(nextInstallment, now)}</p>
            </>
          )}
        </div>
        {returns.length > 0 && (
          <Panel id="devolucoes" title="Devoluções">
            <dl class="totals">
              {returns.map(({ amount, reason, returned_at: time }) => (
                <Line key={time} name={`${formatShortTime(time)} · ${reason}`} value={formatReais(amount)} />
              ))}
            </dl>
          </Panel>
        )}
        <Panel id="parcelas" title="Semana a semana">
          <Timeline checkout={checkout} now={now} />
        </Panel>
      </div>
      <AutopayPanel visit={visit} checkout={checkout} />
      <details class="question terms">
        <summary>O que foi combinado</summary>
        <dl class="totals">
          <Line name="Valor da compra" value={formatReais(amounts.financed)} />
          {amounts.paid > 0 && <Line name="Já pago" value={formatReais(amounts.paid)} />}
          {amounts.returned > 0 && <Line name="Devolvido" value={formatReais(amounts.returned)} />}
          <CetLine terms={terms} />
          <Line name="Multa por atraso, uma vez por vencimento" value={formatPercent(terms.fine_percent)} />
          <Line
            name="Juros de atraso, simples"
            value={`${formatPercent(terms.late_interest_percent)} ao mês`}
          />
          <Line
            name={`Prorrogar ${terms.extension_days} dias, até ${terms.extension_limit} vezes`}
            value={formatPercent(terms.extension_fee_percent)}
          />
          {terms.cashback_percent > 0 && (
            <Line name="Cashback, pagando em dia" value={formatPercent(terms.cashback_percent)} />
          )}
        </dl>
        <p>
          <a href={`${buildPurchasePath(hash)}/contrato.pdf`}>Contrato (PDF)</a>
        </p>
      </details>
    </WalletPage>
  );
};

function describeNextInstallment(installment: Installment, now: Date): string {
  const { number, status, due_on, total_due } = installment;
  if (status === 'overdue') return 'Na próxima tela você escolhe: pagar tudo, pagar uma parte ou prorrogar.';
  const settleAmount = getSettleAmount(installment);
  const dueText = describeDueDay(due_on, now);
  return settleAmount < total_due
    ? `A ${number}ª parcela, de ${formatReais(total_due)}, ${dueText}. Pagando hoje, são ${formatReais(settleAmount)}.`
    : `A ${number}ª parcela ${dueText}.`;
}

const createPdfPage = (bytes: unknown, fileName: string): Page => ({
  type: 'application/pdf',
  body: Buffer.from(bytes as Uint8Array),
  headers: { 'content-disposition': `inline; filename="${fileName}.pdf"` },
});

export const DOCUMENT_PAGES: Record<string, PersonalPageHandler> = {
  [`${PURCHASE_ROUTE}/contrato.pdf`]: async ({ api, params }) =>
    createPdfPage(
      await api.getContract({ path: { hash: params.hash! }, headers: { accept: 'application/pdf' } }),
      `contrato-${params.hash}`,
    ),
  '/carteira/comprovantes/:id': async ({ api, params }) =>
    createPdfPage(await api.getReceipt({ path: { id: params.id! } }), `comprovante-${params.id}`),
  '/carteira/extratos/:year': async ({ api, params }) =>
    createPdfPage(await api.getStatement({ path: { year: params.year! } }), `extrato-${params.year}`),
};
