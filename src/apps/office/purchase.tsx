import { type Item, mayCall, type StaffSchemas } from '#staff-client';
import { inReais, longDay, percent, plural, sumReais } from '../text/format.ts';
import { Code, type Column, count, field, Money, StatusBadge, Timestamp } from './columns.tsx';
import { messageColumns } from './customer-acts.tsx';
import { DELIVERY_LABELS, EVENT_LABELS, PURCHASE_LABELS, RETURN_LABELS } from './labels.ts';
import { Pagination, readPageNumber } from './list.tsx';
import { charges as chargeList, refunds as refundList } from './lists/money.tsx';
import { AmountsOwed, reinstate, returnPurchase, writeOff } from './purchase-acts.tsx';
import { RecordLayout } from './record.tsx';
import { Facts, Section, TableSection } from './tables.tsx';
import type { OfficePageHandler, OfficeVisit } from './visit.ts';

type Purchase = StaffSchemas['StaffCheckout'];
type Installment = Purchase['installments'][number];
type Receipt = Purchase['receipts'][number];
type Return = Purchase['returns'][number];

const sumChargesPaid = ({ charges_paid: { fine, interest, extension_fee } }: Installment) =>
  sumReais(fine, interest, extension_fee);

/** Explains how the amount due of a late installment is computed. */
function LateAmountBreakdown({ terms, installment }: { terms: Purchase['terms']; installment: Installment }) {
  const { penalty, number, outstanding, effective_due_on } = installment;
  const days = plural(penalty.days_late, 'dia', 'dias');
  return (
    <li>
      Parcela {number}: {inReais(outstanding)} em aberto, {days} depois de {longDay(effective_due_on)}. Multa
      de {percent(terms.fine_percent)}: {inReais(penalty.fine)}. Juros de{' '}
      {percent(terms.late_interest_percent)} ao mês por {days}: {inReais(penalty.interest)}. Total:{' '}
      <b>{inReais(installment.total_due)}</b>.
    </li>
  );
}

const Installments = ({ purchase: { terms, installments } }: { purchase: Purchase }) => {
  const lateInstallments = installments.filter(({ penalty }) => penalty.total > 0);
  /** The table is wide, so an amount that is zero for all installments gets no column. */
  const createAmountColumn = (
    title: string,
    getAmount: (installment: Installment) => number,
  ): Array<Column<Installment>> =>
    installments.some((installment) => getAmount(installment) !== 0)
      ? [{ title, isNumber: true, render: (installment) => <Money amount={getAmount(installment)} /> }]
      : [];
  return (
    <TableSection
      title="Parcelas"
      rows={installments}
      columns={[
        field('number', 'Nº'),
        field('due_on', 'Vence'),
        field('status', 'Situação', { labels: PURCHASE_LABELS }),
        'amount',
        'paid',
        ...createAmountColumn('Desconto', ({ discount }) => discount),
        ...createAmountColumn('Devolvido', ({ returned }) => returned),
        ...createAmountColumn('Encargos pagos', sumChargesPaid),
        ...createAmountColumn('Multa', ({ penalty }) => penalty.fine),
        ...createAmountColumn('Juros', ({ penalty }) => penalty.interest),
        field('total_due', 'Total hoje'),
        ...(installments.some(({ extensions }) => extensions > 0) ? [count('extensions', 'Prorrogada')] : []),
        { title: 'Id', render: ({ id }) => <Code>{id ?? ''}</Code> },
      ]}
    >
      {lateInstallments.length > 0 && (
        <>
          <h3>A conta do atraso</h3>
          <ul class="office-sums">
            {lateInstallments.map((installment) => (
              <LateAmountBreakdown key={installment.number} terms={terms} installment={installment} />
            ))}
          </ul>
        </>
      )}
    </TableSection>
  );
};

/** The share of a payment that an installment got. Only the first line of a payment has its receipt. */
type PaymentLine = { receipt: Receipt | undefined; share: Receipt['applied'][number] | undefined };

const toPaymentLines = (receipt: Receipt): PaymentLine[] =>
  receipt.applied.length === 0
    ? [{ receipt, share: undefined }]
    : receipt.applied.map((share, i) => ({ receipt: i === 0 ? receipt : undefined, share }));

const SOURCE_LABELS = { pix: 'PIX', cashback: 'Cashback', manual: 'À mão' };

/** The columns with amounts. A rare column is left out if it would be empty. */
const AMOUNT_COLUMNS: ReadonlyArray<{
  title: string;
  getAmount: (line: PaymentLine) => number | undefined;
  isRare?: true;
}> = [
  { title: 'Valor', getAmount: ({ receipt }) => receipt?.amount },
  { title: 'Juros', getAmount: ({ share }) => share?.interest },
  { title: 'Multa', getAmount: ({ share }) => share?.fine },
  { title: 'Prorrogação', getAmount: ({ share }) => share?.extension_fee, isRare: true },
  { title: 'Principal', getAmount: ({ share }) => share?.principal },
  { title: 'Desconto', getAmount: ({ share }) => share?.discount, isRare: true },
  { title: 'Voltou por PIX', getAmount: ({ receipt }) => receipt?.refunded, isRare: true },
  { title: 'Virou cashback', getAmount: ({ receipt }) => receipt?.cashback, isRare: true },
  { title: 'A mais, espera', getAmount: ({ receipt }) => receipt?.excess, isRare: true },
  { title: 'Saiu da compra', getAmount: ({ receipt }) => receipt?.gone, isRare: true },
];

function Payments({ receipts }: { receipts: Purchase['receipts'] }) {
  const lines = receipts.flatMap(toPaymentLines);
  const columns: Array<Column<PaymentLine>> = [
    { title: 'Recebido', render: ({ receipt }) => receipt && <Timestamp instant={receipt.received_at} /> },
    { title: 'Como', render: ({ receipt }) => receipt && SOURCE_LABELS[receipt.source] },
    { title: 'Parcela', isNumber: true, render: ({ share }) => share?.number ?? 'nenhuma' },
    ...AMOUNT_COLUMNS.filter(({ getAmount, isRare }) => !isRare || lines.some((line) => getAmount(line))).map(
      ({ title, getAmount }): Column<PaymentLine> => ({
        title,
        isNumber: true,
        render: (line) => {
          const amount = getAmount(line);
          return amount === undefined ? '' : <Money amount={amount} />;
        },
      }),
    ),
    {
      title: 'Id do PIX',
      render: ({ receipt }) => receipt?.end_to_end_id && <Code>{receipt.end_to_end_id}</Code>,
    },
  ];
  return (
    <TableSection
      title="Pagamentos"
      rows={lines}
      columns={columns}
      emptyText="Nenhum."
      rowHref={({ receipt }) => (receipt?.end_to_end_id ? `/pagamentos/${receipt.end_to_end_id}` : undefined)}
    />
  );
}

/** Returns the name of the person; without one, an API key of the merchant requested the return. */
const getAuthor = ({ by, by_name }: Return) => by_name ?? (by.startsWith('key_') ? 'sistema da loja' : by);

const Returns = ({ returns }: { returns: Purchase['returns'] }) => (
  <TableSection
    title="Devoluções"
    rows={returns}
    emptyText="Nenhuma."
    rowHref={({ id, status }) => (status === 'made' ? undefined : `/devolucoes/${id}`)}
    columns={[
      field('asked_at', 'Quando'),
      field('status', 'Situação', { labels: RETURN_LABELS }),
      'amount',
      {
        title: 'Motivo',
        render: ({ reason, refusal }) => (refusal ? `${reason} (recusada: ${refusal})` : reason),
      },
      { title: 'Quem', render: getAuthor },
      {
        title: 'Volta por PIX',
        isNumber: true,
        render: ({ refunds }) =>
          refunds.length === 0 ? (
            <Money amount={0} />
          ) : (
            refunds.map(({ end_to_end_id, amount }) => (
              <div key={end_to_end_id}>
                <a href={`/pagamentos/${end_to_end_id}`}>{inReais(amount)}</a>
              </div>
            ))
          ),
      },
      field('cashback', 'Vira cashback'),
    ]}
  />
);

/** The contract contains unmasked personal data, so only some roles may open it. */
function Contract({ purchase, visit }: { purchase: Purchase; visit: OfficeVisit }) {
  const { contract_sha256: sha256 } = purchase.terms;
  if (!mayCall(visit.user!.role, 'getContractOfAnybody')) return null;
  return (
    <Section title="Contrato">
      {sha256 === null ? (
        <p class="empty">
          Sem contrato: a compra foi registrada pela operação, e o cliente ainda não pediu o documento.
        </p>
      ) : (
        <p>
          {purchase.customer_name === null ? (
            'O documento foi apagado com os dados do cliente.'
          ) : (
            <>
              <a href={`/compras/${purchase.hash}/contrato.pdf`}>Contrato em PDF</a>
              {' · '}
              <a href={`/compras/${purchase.hash}/contrato.json`}>Texto do contrato</a>
            </>
          )}{' '}
          SHA-256 <Code>{sha256}</Code>
        </p>
      )}
    </Section>
  );
}

type Event = Item<'searchEvents'>;

/** The partners that received an event, by a webhook or only in their event feed. */
function Recipients({ recipients }: { recipients: Event['told'] }) {
  const feedRecipients = recipients.filter(({ webhook_id }) => webhook_id === null);
  return (
    <div class="office-recipients">
      {recipients.map(
        ({ partner_id, partner_name, webhook_id, url, status, tries }) =>
          webhook_id !== null && (
            <span key={webhook_id}>
              <a href={`/webhooks/${webhook_id}`} title={url!}>
                {partner_name ?? partner_id}
              </a>{' '}
              <StatusBadge status={status!} labels={DELIVERY_LABELS} />
              {tries! > 1 && <span class="muted"> {plural(tries!, 'tentativa', 'tentativas')}</span>}
            </span>
          ),
      )}
      {feedRecipients.length > 0 && (
        <span class="muted">
          sem webhook:{' '}
          {feedRecipients.map(({ partner_id, partner_name }) => partner_name ?? partner_id).join(', ')}
        </span>
      )}
    </div>
  );
}

const MAX_ROWS = 20;

export const purchasePage: OfficePageHandler = async (visit) => {
  const { api, search } = visit;
  const hash = visit.params.hash!;
  const query = { checkout: hash, limit: MAX_ROWS };
  const historyPage = readPageNumber(search, 'historia');
  const [purchase, charges, refunds, messages, events] = await Promise.all([
    api.getCheckoutOfAnybody({ path: { hash } }),
    api.listPixCharges({ query }),
    api.listPixRefundItems({ query }),
    api.listStaffMessages({ query }),
    api.searchEvents({ query: { checkout: hash, limit: 50, page: historyPage } }),
  ]);
  const { customer_id, merchant, written_off_at } = purchase;
  return (
    <RecordLayout
      title="Compra"
      heading={`Compra em ${merchant.name}`}
      visit={visit}
      acts={[!purchase.returned_at && returnPurchase, written_off_at ? reinstate : writeOff]}
    >
      {written_off_at && (
        <p class="note warn" role="status">
          Baixada por perda em <Timestamp instant={written_off_at} />.
        </p>
      )}
      <Facts
        record={purchase}
        rows={[
          ['Cliente', purchase.customer_name ?? 'ver', `/clientes/${customer_id}`],
          ['Loja', merchant.name, `/lojas/${merchant.slug}`],
          field('status', 'Situação', { labels: PURCHASE_LABELS }),
          field('purchased_at', 'Comprada'),
          field('description', 'Descrição', { emptyText: 'nenhuma' }),
          field('terms.cet_percent_year', 'CET ao ano'),
          field('cost.interest', 'Juros da compra'),
          field('hash', 'Código'),
        ]}
      />
      <Section title="Quanto">
        <AmountsOwed purchase={purchase} />
      </Section>
      <Installments purchase={purchase} />
      <Payments receipts={purchase.receipts} />
      <Returns returns={purchase.returns} />
      {refunds.data.length > 0 && <refundList.Section list={refunds} query={query} without={['Cliente']} />}
      <chargeList.Section list={charges} query={query} without={['Cliente']} rowHref={() => undefined} />
      <Contract purchase={purchase} visit={visit} />
      <TableSection
        title="Mensagens ao cliente"
        moreLink={{
          href: `/mensagens?checkout=${hash}`,
          text: `Na lista (${messages.pagination.total})`,
        }}
        rows={messages.data}
        emptyText="Nenhuma sobre esta compra."
        columns={messageColumns(visit)}
      />
      <Section
        title="O que aconteceu e quem soube"
        moreLink={{ href: `/trilha?subject=checkout:${hash}`, text: 'Trilha' }}
      >
        <ol class="office-timeline events" id="historia">
          {events.data.map(({ id, occurred_at, type, told: recipients }) => (
            <li key={id}>
              <Timestamp instant={occurred_at} />
              <span>{EVENT_LABELS[type] ?? type}</span>
              <Recipients recipients={recipients} />
            </li>
          ))}
        </ol>
        <Pagination
          pagination={events.pagination}
          hrefFor={({ page }) => `/compras/${hash}?historia=${page}#historia`}
        />
      </Section>
    </RecordLayout>
  );
};
