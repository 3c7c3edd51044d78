import { inReais, longDay, percent, plural } from '../text/format.ts';
import { type Column, code, day, moment, money, named, number, share, state, text } from './columns.tsx';
import { pageIn, Turn } from './list.tsx';
import { CHARGE, CHARGE_TYPE, DELIVERY, EVENT, PURCHASE, REFUND, RETURN } from './lists/names.ts';
import { messageColumns } from './message-columns.tsx';
import { Code, Money, Status, When } from './parts.tsx';
import { giveBack, Owed, reinstate, writeOff } from './purchase-acts.tsx';
import { RecordLayout } from './record.tsx';
import { type Item, mayCall, type StaffSchemas } from './staff/client.ts';
import { Facts, Section, TableSection } from './tables.tsx';
import type { MakeOfficePage, OfficeVisit } from './visit.ts';

type Purchase = StaffSchemas['StaffCheckout'];
type Installment = Purchase['installments'][number];
type Receipt = Purchase['receipts'][number];
type Return = Purchase['returns'][number];

/** What went to fine, interest and extensions: in centavos, so that the sum is exact. */
const chargesPaid = ({ charges_paid: { fine, interest, extension_fee } }: Installment) =>
  Math.round((fine + interest + extension_fee) * 100) / 100;

/** The arithmetic of what is late, in words. */
function Arithmetic({ terms, of }: { terms: Purchase['terms']; of: Installment }) {
  const { penalty, number, outstanding, effective_due_on } = of;
  const days = plural(penalty.days_late, 'dia', 'dias');
  return (
    <li>
      Parcela {number}: {inReais(outstanding)} em aberto, {days} depois de {longDay(effective_due_on)}. Multa
      de {percent(terms.fine_percent)}: {inReais(penalty.fine)}. Juros de{' '}
      {percent(terms.late_interest_percent)} ao mês por {days}: {inReais(penalty.interest)}. Total:{' '}
      <b>{inReais(of.total_due)}</b>.
    </li>
  );
}

const Installments = ({ of: { terms, installments } }: { of: Purchase }) => {
  const late = installments.filter(({ penalty }) => penalty.total > 0);
  /** The table is wide: an amount that is zero for all installments is left out. */
  const amountIfAny = (title: string, amountOf: (one: Installment) => number): Array<Column<Installment>> =>
    installments.some((one) => amountOf(one) !== 0)
      ? [{ title, isNumber: true, show: (one) => <Money of={amountOf(one)} /> }]
      : [];
  return (
    <TableSection
      title="Parcelas"
      rows={installments}
      columns={[
        number('Nº', 'number'),
        day('Vence', 'due_on'),
        state('Situação', 'status', PURCHASE),
        money('Valor', 'amount'),
        money('Pago', 'paid'),
        ...amountIfAny('Desconto', ({ discount }) => discount),
        ...amountIfAny('Devolvido', ({ returned }) => returned),
        ...amountIfAny('Encargos pagos', chargesPaid),
        ...amountIfAny('Multa', ({ penalty }) => penalty.fine),
        ...amountIfAny('Juros', ({ penalty }) => penalty.interest),
        money('Total hoje', 'total_due'),
        ...(installments.some(({ extensions }) => extensions > 0)
          ? [number('Prorrogada', 'extensions')]
          : []),
        { title: 'Id', show: ({ id }) => <Code>{id ?? ''}</Code> },
      ]}
    >
      {late.length > 0 && (
        <>
          <h3>A conta do atraso</h3>
          <ul class="office-sums">
            {late.map((one) => (
              <Arithmetic key={one.number} terms={terms} of={one} />
            ))}
          </ul>
        </>
      )}
    </TableSection>
  );
};

/** One installment that a payment pays; the payment itself stands in the first of its lines. */
type Line = { receipt: Receipt | undefined; share: Receipt['applied'][number] | undefined };

const linesOf = (receipt: Receipt): Line[] =>
  receipt.applied.length === 0
    ? [{ receipt, share: undefined }]
    : receipt.applied.map((share, i) => ({ receipt: i === 0 ? receipt : undefined, share }));

const SOURCE = { pix: 'PIX', cashback: 'Cashback', manual: 'À mão' };

/** Columns of money; those of `rare` where something is in them. */
const PARTS: ReadonlyArray<{ title: string; of: (line: Line) => number | undefined; rare?: true }> = [
  { title: 'Valor', of: ({ receipt }) => receipt?.amount },
  { title: 'Juros', of: ({ share }) => share?.interest },
  { title: 'Multa', of: ({ share }) => share?.fine },
  { title: 'Prorrogação', of: ({ share }) => share?.extension_fee, rare: true },
  { title: 'Principal', of: ({ share }) => share?.principal },
  { title: 'Desconto', of: ({ share }) => share?.discount, rare: true },
  { title: 'Voltou por PIX', of: ({ receipt }) => receipt?.refunded, rare: true },
  { title: 'Virou cashback', of: ({ receipt }) => receipt?.cashback, rare: true },
  { title: 'A mais, espera', of: ({ receipt }) => receipt?.excess, rare: true },
  { title: 'Saiu da compra', of: ({ receipt }) => receipt?.gone, rare: true },
];

function Payments({ of }: { of: Purchase['receipts'] }) {
  const lines = of.flatMap(linesOf);
  const columns: Array<Column<Line>> = [
    { title: 'Recebido', show: ({ receipt }) => receipt && <When at={receipt.received_at} /> },
    { title: 'Como', show: ({ receipt }) => receipt && SOURCE[receipt.source] },
    { title: 'Parcela', isNumber: true, show: ({ share }) => share?.number ?? 'nenhuma' },
    ...PARTS.filter(({ of: money, rare }) => !rare || lines.some((line) => money(line))).map(
      ({ title, of: money }): Column<Line> => ({
        title,
        isNumber: true,
        show: (line) => {
          const amount = money(line);
          return amount === undefined ? '' : <Money of={amount} />;
        },
      }),
    ),
    {
      title: 'Id do PIX',
      show: ({ receipt }) => receipt?.end_to_end_id && <Code>{receipt.end_to_end_id}</Code>,
    },
  ];
  return (
    <TableSection
      title="Pagamentos"
      rows={lines}
      columns={columns}
      empty="Nenhum."
      open={({ receipt }) => (receipt?.end_to_end_id ? `/pagamentos/${receipt.end_to_end_id}` : undefined)}
    />
  );
}

/** A key of the merchant, where no person is named. */
const authorOf = ({ by, by_name }: Return) => by_name ?? (by.startsWith('key_') ? 'sistema da loja' : by);

const Returns = ({ of }: { of: Purchase['returns'] }) => (
  <TableSection
    title="Devoluções"
    rows={of}
    empty="Nenhuma."
    open={({ id, status }) => (status === 'made' ? undefined : `/devolucoes/${id}`)}
    columns={[
      moment('Quando', 'asked_at'),
      state('Situação', 'status', RETURN),
      money('Valor', 'amount'),
      {
        title: 'Motivo',
        show: ({ reason, refusal }) => (refusal ? `${reason} (recusada: ${refusal})` : reason),
      },
      { title: 'Quem', show: authorOf },
      {
        title: 'Volta por PIX',
        isNumber: true,
        show: ({ refunds }) =>
          refunds.length === 0 ? (
            <Money of={0} />
          ) : (
            refunds.map(({ end_to_end_id, amount }) => (
              <div key={end_to_end_id}>
                <a href={`/pagamentos/${end_to_end_id}`}>{inReais(amount)}</a>
              </div>
            ))
          ),
      },
      money('Vira cashback', 'cashback'),
    ]}
  />
);

/** The contract has personal data in full. */
function Contract({ of, visit }: { of: Purchase; visit: OfficeVisit }) {
  const { contract_sha256: sha256 } = of.terms;
  if (!mayCall(visit.who!.role, 'getContractOfAnybody')) return null;
  return (
    <Section title="Contrato">
      {sha256 === null ? (
        <p class="empty">
          Sem contrato: a compra foi registrada pela operação, e o cliente ainda não pediu o documento.
        </p>
      ) : (
        <p>
          {of.customer_name === null ? (
            'O documento foi apagado com os dados do cliente.'
          ) : (
            <a href={`/compras/${of.hash}/contrato.pdf`}>Contrato em PDF</a>
          )}{' '}
          SHA-256 <Code>{sha256}</Code>
        </p>
      )}
    </Section>
  );
}

type Event = Item<'searchEvents'>;

/** Which partners were told of an event: by which webhook, or in their feed alone. */
function Told({ of }: { of: Event['told'] }) {
  const inFeed = of.filter(({ webhook_id }) => webhook_id === null);
  return (
    <div class="office-told">
      {of.map(
        ({ partner_id, partner_name, webhook_id, url, status, tries }) =>
          webhook_id !== null && (
            <span key={webhook_id}>
              <a href={`/webhooks/${webhook_id}`} title={url!}>
                {partner_name ?? partner_id}
              </a>{' '}
              <Status of={status!} names={DELIVERY} />
              {tries! > 1 && <span class="muted"> {plural(tries!, 'tentativa', 'tentativas')}</span>}
            </span>
          ),
      )}
      {inFeed.length > 0 && (
        <span class="muted">
          sem webhook: {inFeed.map(({ partner_id, partner_name }) => partner_name ?? partner_id).join(', ')}
        </span>
      )}
    </div>
  );
}

const SHOWN = 20;

export const purchasePage: MakeOfficePage = async (visit) => {
  const { api, search } = visit;
  const hash = visit.params.hash!;
  const query = { checkout: hash, limit: SHOWN };
  const at = pageIn(search, 'historia');
  const [purchase, charges, refunds, messages, events] = await Promise.all([
    api.getCheckoutOfAnybody({ path: { hash } }),
    api.listPixCharges({ query }),
    api.listPixRefundItems({ query }),
    api.listStaffMessages({ query }),
    api.searchEvents({ query: { checkout: hash, limit: 50, page: at } }),
  ]);
  const { customer_id, merchant, written_off_at } = purchase;
  /** A link to the whole list, where the page shows only some of it. */
  const more = (
    { data, pagination: { total } }: { data: object[]; pagination: { total: number } },
    list: string,
  ) =>
    total > data.length ? { href: `/${list}?checkout=${hash}`, text: `Ver todas (${total})` } : undefined;
  return (
    <RecordLayout
      title="Compra"
      heading={`Compra em ${merchant.name}`}
      visit={visit}
      acts={[!purchase.returned_at && giveBack, written_off_at ? reinstate : writeOff]}
    >
      {written_off_at && (
        <p class="note warn" role="status">
          Baixada por perda em <When at={written_off_at} />.
        </p>
      )}
      <Facts
        of={purchase}
        are={[
          ['Cliente', purchase.customer_name ?? 'ver', `/clientes/${customer_id}`],
          ['Loja', merchant.name, `/lojas/${merchant.slug}`],
          state('Situação', 'status', PURCHASE),
          moment('Comprada', 'purchased_at'),
          text('Descrição', 'description', 'nenhuma'),
          share('CET ao ano', 'terms.cet_percent_year'),
          money('Juros da compra', 'cost.interest'),
          code('Código', 'hash'),
        ]}
      />
      <Section title="Quanto">
        <Owed of={purchase} />
      </Section>
      <Installments of={purchase} />
      <Payments of={purchase.receipts} />
      <Returns of={purchase.returns} />
      {refunds.data.length > 0 && (
        <TableSection
          title="Estornos"
          more={more(refunds, 'estornos')}
          rows={refunds.data}
          open={({ end_to_end_id }) => `/pagamentos/${end_to_end_id}`}
          columns={[
            moment('Pedido', 'created_at'),
            state('Situação', 'status', REFUND),
            money('Valor', 'value'),
            text('Motivo', 'reason'),
          ]}
        />
      )}
      <TableSection
        title="Cobranças"
        more={more(charges, 'cobrancas')}
        rows={charges.data}
        empty="Nenhuma."
        columns={[
          code('Txid', 'txid'),
          state('Situação', 'status', CHARGE),
          named('Tipo', 'type', CHARGE_TYPE),
          money('Valor', 'value'),
          moment('Criada', 'created_at'),
          moment('Paga', 'paid_at'),
        ]}
      />
      <Contract of={purchase} visit={visit} />
      <TableSection
        title="Mensagens ao cliente"
        more={more(messages, 'mensagens')}
        rows={messages.data}
        empty="Nenhuma sobre esta compra."
        columns={messageColumns(visit)}
      />
      <Section
        title="O que aconteceu e quem soube"
        more={{ href: `/trilha?subject=checkout:${hash}`, text: 'Trilha' }}
      >
        <ol class="office-story told" id="historia">
          {events.data.map(({ id, occurred_at, type, told }) => (
            <li key={id}>
              <When at={occurred_at} />
              <span>{EVENT[type] ?? type}</span>
              <Told of={told} />
            </li>
          ))}
        </ol>
        <Turn of={events.pagination} address={({ page }) => `/compras/${hash}?historia=${page}#historia`} />
      </Section>
    </RecordLayout>
  );
};
