import { type Item, mayCall, type StaffSchemas } from '#staff-client';
import { SubmittedForm } from '../server/submitted-form.ts';
import { formatLongDay, formatPercent, formatReais, pluralize, sumReais } from '../text/format.ts';
import { defineAction } from './action.tsx';
import { PendingApproval } from './approval.tsx';
import { Messages } from './customer-actions.tsx';
import { readDecimal } from './form-values.ts';
import { DELIVERY_LABELS, EVENT_LABELS, PURCHASE_LABELS, RETURN_LABELS } from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { Pagination, readPageNumber } from './list.tsx';
import { charges as chargeList, refunds as refundList } from './lists/money.tsx';
import {
  Code,
  DescriptionList,
  Money,
  Section,
  StatusBadge,
  TableSection,
  Timestamp,
  withTitle,
} from './tables.tsx';
import type { OfficePageHandler, OfficeVisit } from './visit.ts';

const PURCHASE_PATH = '/compras/:hash';

type Purchase = StaffSchemas['StaffCheckoutWithApproval'];
type Installment = Purchase['installments'][number];
type Receipt = Purchase['receipts'][number];
type Return = Purchase['returns'][number];

/** Shows the amounts of a purchase, the overdue amount (`Vencido`) and the amount that settles the whole purchase (`total_due`). */
const PurchaseAmounts = ({ purchase }: { purchase: Pick<Purchase, 'amounts' | 'installments'> }) => {
  const { amounts, installments } = purchase;
  const overdueInstallments = installments.filter(({ status }) => status === 'overdue');
  return (
    <DescriptionList
      record={amounts}
      titles={{ outstanding: 'Principal em aberto', penalties: 'Multa e juros', total_due: 'Para quitar' }}
      rows={[
        'financed',
        'paid',
        'returned',
        'outstanding',
        'penalties',
        ['Vencido', <Money amount={sumReais(...overdueInstallments.map(({ total_due }) => total_due))} />],
        'total_due',
      ]}
    />
  );
};

/** Reads the amount of a return. Without one the service returns all that remains of the purchase. */
const readReturnAmount = (form: SubmittedForm) =>
  form.readText('amount') ? { amount: readDecimal(form, 'amount') } : {};

const sumRefunds = ({ refunds }: { refunds: ReadonlyArray<{ amount: number }> }) =>
  sumReais(...refunds.map(({ amount }) => amount));

export const returnPurchase = defineAction({
  path: `${PURCHASE_PATH}/devolver`,
  operation: 'returnCheckout',
  title: 'Registrar devolução',
  approvalRule: 'enteredAmountAboveLimit',
  firstStepFields: [
    {
      name: 'amount',
      label: 'Valor devolvido',
      hint: 'Em branco: tudo o que resta da compra.',
      mask: 'money',
      optional: true,
    },
  ],
  async renderImpact(_, { api, params, search }) {
    const dryRun = await api.returnCheckout({
      path: { hash: params.hash! },
      query: { dry_run: 'true' },
      body: { ...readReturnAmount(new SubmittedForm(search)), reason: 'simulação' },
    });
    if ('approval' in dryRun) throw new Error('A dry run never waits for an approval.');
    return (
      <>
        <DescriptionList
          record={dryRun}
          rows={[
            withTitle('amount', 'Devolvido'),
            ['Volta por PIX', <Money amount={sumRefunds(dryRun)} />],
            withTitle('cashback', 'Vira cashback'),
          ]}
        />
        <p>Depois disso a compra fica assim:</p>
        <PurchaseAmounts purchase={dryRun.checkout} />
      </>
    );
  },
  description:
    'O cashback da parte devolvida é desfeito. Não há como desfazer a devolução: seria uma compra nova.',
  fields: ['reason'],
  success: (outcome) =>
    `Devolução de ${formatReais(outcome.amount)} registrada. Voltam ${formatReais(sumRefunds(outcome))} por PIX.`,
});

export const writeOff = defineAction({
  path: `${PURCHASE_PATH}/baixar`,
  operation: 'writeOffCheckout',
  title: 'Dar baixa por perda',
  recordOperation: 'getCheckoutOfAnybody',
  renderImpact: (purchase) => <PurchaseAmounts purchase={purchase} />,
  description:
    'O que está em aberto vira perda. O cliente continua devendo, e o que pagar depois é recuperação.',
  approvalRule: ({ amounts }) => amounts.outstanding,
  fields: ['reason'],
  button: 'Dar baixa',
  success: 'Baixa registrada. Para desfazer, use Desfazer a baixa.',
});

export const reinstate = defineAction({
  path: `${PURCHASE_PATH}/desfazer-baixa`,
  operation: 'reinstateCheckout',
  title: 'Desfazer a baixa',
  recordOperation: 'getCheckoutOfAnybody',
  renderImpact: (purchase) => <PurchaseAmounts purchase={purchase} />,
  fields: ['reason'],
  success: 'A baixa foi desfeita, com lançamentos novos.',
});

const sumFeesPaid = ({ charges_paid: { fine, interest, extension_fee } }: Installment) =>
  sumReais(fine, interest, extension_fee);

function LateAmountBreakdown({ terms, installment }: { terms: Purchase['terms']; installment: Installment }) {
  const { penalty, number, outstanding, effective_due_on } = installment;
  const days = pluralize(penalty.days_late, 'dia', 'dias');
  return (
    <li>
      Parcela {number}: {formatReais(outstanding)} em aberto, {days} depois de{' '}
      {formatLongDay(effective_due_on)}. Multa de {formatPercent(terms.fine_percent)}:{' '}
      {formatReais(penalty.fine)}. Juros de {formatPercent(terms.late_interest_percent)} ao mês por {days}:{' '}
      {formatReais(penalty.interest)}. Total: <b>{formatReais(installment.total_due)}</b>.
    </li>
  );
}

const Installments = ({ purchase: { terms, installments } }: { purchase: Purchase }) => {
  const lateInstallments = installments.filter(({ penalty }) => penalty.total > 0);
  return (
    <TableSection
      title="Parcelas"
      rows={installments.map((installment) => ({
        ...installment,
        fees_paid: sumFeesPaid(installment),
        fine: installment.penalty.fine,
        interest: installment.penalty.interest,
      }))}
      columns={[
        withTitle('number', 'Nº'),
        withTitle('due_on', 'Vence'),
        'status',
        'amount',
        'paid',
        'discount',
        'returned',
        withTitle('fees_paid', 'Encargos pagos', { unit: 'amount' }),
        'fine',
        'interest',
        withTitle('total_due', 'Para quitar'),
        withTitle('extensions', 'Prorrogada', { unit: 'count' }),
        { title: 'Id', render: ({ id }) => <Code>{id ?? ''}</Code> },
      ]}
      hiddenIfEmpty={['Desconto', 'Devolvido', 'Encargos pagos', 'Multa', 'Juros', 'Prorrogada']}
      labels={{ status: PURCHASE_LABELS }}
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

/** Splits a payment into a line per installment that it paid. Only the first line has the fields of the payment as a whole. */
const toPaymentLines = ({ applied, ...receipt }: Receipt) =>
  applied.length === 0 ? [receipt] : applied.map((share, i) => (i === 0 ? { ...receipt, ...share } : share));

type PaymentLine = Partial<Omit<Receipt, 'applied'> & Receipt['applied'][number]>;

const Payments = ({ receipts }: { receipts: Purchase['receipts'] }) => (
  <TableSection<PaymentLine>
    title="Pagamentos"
    rows={receipts.flatMap<PaymentLine>(toPaymentLines)}
    columns={[
      'received_at',
      'source',
      'number',
      'amount',
      'interest',
      'fine',
      'extension_fee',
      'principal',
      'discount',
      'refunded',
      'cashback',
      'excess',
      'gone',
      'end_to_end_id',
    ]}
    titles={{
      received_at: 'Recebido',
      source: 'Como',
      number: 'Parcela',
      extension_fee: 'Prorrogação',
      principal: 'Principal',
      refunded: 'Voltou por PIX',
      cashback: 'Virou cashback',
      excess: 'A mais, espera',
      gone: 'Saiu da compra',
    }}
    labels={{ source: { pix: 'PIX', cashback: 'Cashback', manual: 'À mão' } }}
    emptyTexts={{ received_at: '', number: 'nenhuma' }}
    hiddenIfEmpty={[
      'Prorrogação',
      'Desconto',
      'Voltou por PIX',
      'Virou cashback',
      'A mais, espera',
      'Saiu da compra',
    ]}
    emptyText="Nenhum."
    rowHref={({ end_to_end_id }) => (end_to_end_id ? `/pagamentos/${end_to_end_id}` : undefined)}
  />
);

/** Describes who requested a return: a person by name or id, or the merchant's system, which uses an API key. */
const describeRequester = ({ by, by_name }: Return) =>
  by_name ?? (by.startsWith('key_') ? 'sistema da loja' : by);

const Returns = ({ returns }: { returns: Purchase['returns'] }) => (
  <TableSection
    title="Devoluções"
    rows={returns}
    emptyText="Nenhuma."
    rowHref={({ id, status }) => (status === 'made' ? undefined : `/devolucoes/${id}`)}
    columns={[
      withTitle('asked_at', 'Quando'),
      withTitle('status', 'Situação', { labels: RETURN_LABELS }),
      'amount',
      {
        title: 'Motivo',
        render: ({ reason, refusal }) => (refusal ? `${reason} (recusada: ${refusal})` : reason),
      },
      { title: 'Quem', render: describeRequester },
      {
        title: 'Volta por PIX',
        isNumber: true,
        render: ({ refunds }) =>
          refunds.length === 0 ? (
            <Money amount={0} />
          ) : (
            refunds.map(({ end_to_end_id, amount }) => (
              <div key={end_to_end_id}>
                <a href={`/pagamentos/${end_to_end_id}`}>{formatReais(amount)}</a>
              </div>
            ))
          ),
      },
      withTitle('cashback', 'Vira cashback'),
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

/**
 * The partners that received an event, by a webhook or only in their event feed. In the feed `webhook_id`, `url`, `status` and `tries`
 * are null.
 */
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
              {tries! > 1 && <span class="muted"> {pluralize(tries!, 'tentativa', 'tentativas')}</span>}
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

const MAX_SECTION_ROWS = 20;
const EVENTS_PER_PAGE = 50;

export const purchasePage: OfficePageHandler = async (visit) => {
  const { api, search } = visit;
  const hash = visit.params.hash!;
  const query = { checkout: hash, limit: MAX_SECTION_ROWS };
  const historyPage = readPageNumber(search, 'historia');
  const [purchase, charges, refunds, messages, events] = await Promise.all([
    api.getCheckoutOfAnybody({ path: { hash } }),
    api.listPixCharges({ query }),
    api.listPixRefundItems({ query }),
    api.listStaffMessages({ query }),
    api.searchEvents({ query: { checkout: hash, limit: EVENTS_PER_PAGE, page: historyPage } }),
  ]);
  const { customer_id, merchant, written_off_at } = purchase;
  return (
    <RecordLayout
      title="Compra"
      heading={`Compra em ${merchant.name}`}
      visit={visit}
      actions={[!purchase.returned_at && returnPurchase, written_off_at ? reinstate : writeOff]}
    >
      <PendingApproval approval={purchase.approval} />
      {written_off_at && (
        <p class="note warn" role="status">
          Baixada por perda em <Timestamp instant={written_off_at} />.
        </p>
      )}
      <DescriptionList
        record={purchase}
        rows={[
          ['Cliente', purchase.customer_name ?? 'ver', `/clientes/${customer_id}`],
          ['Loja', merchant.name, `/lojas/${merchant.slug}`],
          withTitle('status', 'Situação', { labels: PURCHASE_LABELS }),
          withTitle('purchased_at', 'Comprada'),
          withTitle('description', 'Descrição', { emptyText: 'nenhuma' }),
          withTitle('terms.cet_percent_year', 'CET ao ano'),
          withTitle('cost.interest', 'Juros da compra'),
          ['Código', <Code>{hash}</Code>],
        ]}
      />
      <Section title="Quanto">
        <PurchaseAmounts purchase={purchase} />
      </Section>
      <Installments purchase={purchase} />
      <Payments receipts={purchase.receipts} />
      <Returns returns={purchase.returns} />
      {refunds.data.length > 0 && <refundList.Section list={refunds} query={query} omit={['Cliente']} />}
      <chargeList.Section list={charges} query={query} omit={['Cliente']} hasRowLinks={false} />
      <Contract purchase={purchase} visit={visit} />
      <Messages
        title="Mensagens ao cliente"
        visit={visit}
        list={messages}
        filter={`checkout=${hash}`}
        emptyText="Nenhuma sobre esta compra."
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
          buildHref={({ page }) => `/compras/${hash}?historia=${page}#historia`}
        />
      </Section>
    </RecordLayout>
  );
};
