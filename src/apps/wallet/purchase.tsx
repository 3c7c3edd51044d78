import type { Page } from '../server/page.ts';
import type { PersonalPageHandler } from '../server/visit.ts';
import { describeDueDay, inReais, longDate, percent, plural, shortTime } from '../text/format.ts';
import { Line, Logo, PageHead, Panel } from '../ui/components.tsx';
import { CetLine } from '../ui/costs.tsx';
import { AutopayPanel } from './autopay.tsx';
import {
  findNextInstallment,
  findSettleOption,
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
  const next = findNextInstallment(installments);
  const settleAmount = next && (findSettleOption(next)?.value ?? next.total_due);
  const overdue = installments.filter((installment) => installment.status === 'overdue');
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
            {longDate(checkout.purchased_at)}
          </p>
        </PageHead>
      }
    >
      <div class="columns">
        <div class="panel">
          <p class="figure-line">{returned_at ? <ReturnedBadge /> : <StatusBadge status={status} />}</p>
          <p class="figure-big">{inReais(status === 'paid' ? amounts.financed : amounts.total_due)}</p>
          <p class="muted">
            {returned_at
              ? 'devolvidos na loja: nada a pagar'
              : status === 'paid'
                ? 'compra quitada'
                : 'faltam desta compra'}
            {amounts.penalties > 0 && `, com ${inReais(amounts.penalties)} de multa e juros até hoje`}
          </p>
          {overdue.length > 0 && <p>{plural(overdue.length, 'parcela atrasada', 'parcelas atrasadas')}</p>}
          {next && settleAmount !== undefined && (
            <>
              <a class="button wide" href={`/carteira/compras/${hash}/${next.number}`}>
                Pagar a {next.number}ª parcela · {inReais(settleAmount)}
              </a>
              <p class="hint">
                {next.status === 'overdue'
                  ? 'Na próxima tela você escolhe: pagar tudo, pagar uma parte ou prorrogar.'
                  : settleAmount < next.total_due
                    ? `A ${next.number}ª parcela, de ${inReais(next.total_due)}, ${describeDueDay(next.due_on, now)}. Pagando hoje, são ${inReais(settleAmount)}.`
                    : `A ${next.number}ª parcela ${describeDueDay(next.due_on, now)}.`}
              </p>
            </>
          )}
        </div>
        {returns.length > 0 && (
          <Panel id="devolucoes" title="Devoluções">
            <dl class="totals">
              {returns.map(({ amount, reason, returned_at: at }) => (
                <Line key={at} name={`${shortTime(at)} · ${reason}`} value={inReais(amount)} />
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
          <Line name="Valor da compra" value={inReais(amounts.financed)} />
          {amounts.paid > 0 && <Line name="Já pago" value={inReais(amounts.paid)} />}
          {amounts.returned > 0 && <Line name="Devolvido" value={inReais(amounts.returned)} />}
          <CetLine terms={terms} />
          <Line name="Multa por atraso, uma vez por vencimento" value={percent(terms.fine_percent)} />
          <Line name="Juros de atraso, simples" value={`${percent(terms.late_interest_percent)} ao mês`} />
          <Line
            name={`Prorrogar ${terms.extension_days} dias, até ${terms.extension_limit} vezes`}
            value={percent(terms.extension_fee_percent)}
          />
          {terms.cashback_percent > 0 && (
            <Line name="Cashback, pagando em dia" value={percent(terms.cashback_percent)} />
          )}
        </dl>
        <p>
          <a href={`/carteira/compras/${hash}/contrato.pdf`}>Contrato (PDF)</a>
        </p>
      </details>
    </WalletPage>
  );
};

const pdfPage = (bytes: unknown, name: string): Page => ({
  type: 'application/pdf',
  body: Buffer.from(bytes as Uint8Array),
  headers: { 'content-disposition': `inline; filename="${name}.pdf"` },
});

export const DOCUMENT_PAGES: Record<string, PersonalPageHandler> = {
  '/carteira/compras/:hash/contrato.pdf': async ({ api, params }) =>
    pdfPage(
      await api.getContract({ path: { hash: params.hash! }, headers: { accept: 'application/pdf' } }),
      `contrato-${params.hash}`,
    ),
  '/carteira/comprovantes/:id': async ({ api, params }) =>
    pdfPage(await api.getReceipt({ path: { id: params.id! } }), `comprovante-${params.id}`),
  '/carteira/extratos/:year': async ({ api, params }) =>
    pdfPage(await api.getStatement({ path: { year: params.year! } }), `extrato-${params.year}`),
};
