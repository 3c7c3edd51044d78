import type { ComponentChildren } from 'preact';
import type { Output } from '#client';
import { addDays, type Day, parseDay, saoPauloDay } from '#core/values/day.ts';
import {
  formatDayAndMonth,
  formatReais,
  formatShortDay,
  formatShortTime,
  formatWeekday,
  pluralize,
  sumReais,
} from '../text/format.ts';
import { STATEMENT_LINE_LABELS } from '../text/labels.ts';
import { Submit } from '../ui/buttons.tsx';
import { BarChart } from '../ui/chart.tsx';
import {
  EmptyState,
  KeyFigure,
  Line,
  PageHead,
  Pagination,
  Panel,
  Status,
  type StatusText,
} from '../ui/components.tsx';
import { Receipt } from '../ui/icons.tsx';
import { HOME, ListLine, SALES_PATH, TillPage, type TillPageHandler, type TillVisit } from './layout.tsx';

export const MONEY_PATH = `${HOME}/dinheiro`;
const STATEMENT_PATH = `${MONEY_PATH}/extrato`;
const PAYOUTS_PATH = `${MONEY_PATH}/repasses`;
export const ACCOUNT_PATH = `${MONEY_PATH}/conta`;

type UpcomingPayout = Output<'getMerchantSummary'>['next_payout'];

/** Returns e.g. "na quinta, 19 de nov", or "a caminho" once the payout is due. */
function describePayoutDay(dueOn: string, today: Day): string {
  if (dueOn <= today) return 'a caminho';
  return `na ${formatWeekday(dueOn).replace('-feira', '')}, ${formatDayAndMonth(dueOn)}`;
}

export const moneyPage: TillPageHandler = async (visit) => {
  const { api } = visit;
  const today = saoPauloDay(visit.now.getTime());
  const [{ next_payout, sold: soldAmount, sales: saleCount, returned: returnedAmount }, { data: days }] =
    await Promise.all([
      api.getMerchantSummary({ query: { on: today } }),
      api.listSalesByDay({ query: { to: today } }),
    ]);
  const totalSoldAmount = sumReais(...days.map((day) => day.sold));
  const salesByDay = days.map(({ day, sold }) => ({
    label: formatShortDay(day),
    shortLabel: formatDayAndMonth(day).replace(' de ', ' '),
    values: [sold],
  }));
  return (
    <TillPage title="Dinheiro" tab="dinheiro" wrapperClass="till wide-till">
      <NextPayout payout={next_payout} today={today} />
      <dl class="figures">
        <Line name={`Hoje, ${pluralize(saleCount, 'venda', 'vendas')}`} value={formatReais(soldAmount)} />
        <Line name="Devolvido hoje" value={formatReais(returnedAmount)} />
        <Line name="Em 30 dias" value={formatReais(totalSoldAmount)} />
      </dl>
      <Panel id="por-dia" title="Vendas por dia">
        <BarChart
          title={`Nos últimos ${days.length} dias`}
          series={['Vendido']}
          categories={salesByDay}
          width={360}
          isFolded
        />
      </Panel>
      <ul class="lines after-lines">
        <MenuItem href={STATEMENT_PATH} name="Extrato" text="Cada venda, tarifa, devolução e repasse" />
        <MenuItem href={PAYOUTS_PATH} name="Repasses" text="O que a loja recebeu, linha por linha" />
        <MenuItem href={ACCOUNT_PATH} name="Conta da loja" text="A chave PIX em que a loja recebe" />
      </ul>
    </TillPage>
  );
};

const ARROW = (
  <span class="line-start" aria-hidden="true">
    ›
  </span>
);

const MenuItem = ({ href, name, text }: { href: string; name: string; text: string }) => (
  <ListLine href={href} title={name} note={text} end={ARROW} />
);

const NextPayout = ({ payout, today }: { payout: UpcomingPayout; today: Day }) => (
  <div class="panel deep-panel">
    <KeyFigure name={payout ? 'Você recebe' : 'Próximo repasse'} figure={formatReais(payout?.amount ?? 0)} />
    <p class="glance-foot">
      {payout
        ? describePayoutDay(payout.due_on, today)
        : 'Nada a receber por enquanto. Cada venda entra aqui.'}
    </p>
  </div>
);

type StatementLine = Output<'getMerchantStatement'>['data'][number];
type Payout = Output<'listOwnPayouts'>['data'][number];

const DEFAULT_PERIOD_DAYS = 30;
const PAGE_SIZE = 50;
const CRUMBS = [{ href: MONEY_PATH, text: 'Dinheiro' }];

/** Reads the days of the statement from the query. Swaps them if they are in the wrong order. */
function parsePeriod({ readQuery, now }: TillVisit): { from: Day; to: Day } {
  const today = saoPauloDay(now.getTime());
  const to = parseDay(readQuery('ate')) ?? today;
  const from = parseDay(readQuery('de')) ?? addDays(to, 1 - DEFAULT_PERIOD_DAYS);
  return from <= to ? { from, to } : { from: to, to: from };
}

type StatementTableProps = {
  class: string;
  caption: string;
  headings: string[];
  children: ComponentChildren;
};

const StatementTable = ({ class: className, caption, headings, children }: StatementTableProps) => (
  <div class={className}>
    <table class="ledger">
      <caption class="sr">{caption}</caption>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  </div>
);

const KindCell = ({ line }: { line: Pick<StatementLine, 'kind' | 'checkout_hash' | 'of_payout'> }) => {
  const { kind, checkout_hash, of_payout } = line;
  const href = checkout_hash ? `${SALES_PATH}/${checkout_hash}` : of_payout && `${PAYOUTS_PATH}/${of_payout}`;
  const label = STATEMENT_LINE_LABELS[kind];
  return <th scope="row">{href ? <a href={href}>{label}</a> : <span>{label}</span>}</th>;
};

const AmountCell = ({ amount }: { amount: number }) => (
  <td class={amount > 0 ? 'plus' : ''}>{formatReais(amount)}</td>
);

export const statementPage: TillPageHandler = async (visit) => {
  const { from, to } = parsePeriod(visit);
  const { data, pagination } = await visit.api.getMerchantStatement({
    query: { from, to, limit: PAGE_SIZE, page: visit.pageNumber },
  });
  const days = Map.groupBy(data, ({ occurred_at }) => saoPauloDay(Date.parse(occurred_at)));
  const periodQuery = `de=${from}&ate=${to}`;
  return (
    <TillPage title="Extrato" tab="dinheiro" crumbs={CRUMBS} wrapperClass="till wide-till">
      <form class="pick-day" action={STATEMENT_PATH} method="get">
        <div class="field">
          <label for="de">De</label>
          <input id="de" name="de" type="date" value={from} />
        </div>
        <div class="field">
          <label for="ate">Até</label>
          <input id="ate" name="ate" type="date" value={to} />
        </div>
        <Submit class="quiet">Ver</Submit>
        <a class="button quiet" href={`${STATEMENT_PATH}.csv?${periodQuery}`} download>
          Baixar CSV
        </a>
      </form>
      {data.length === 0 ? (
        <div class="after-lines">
          <EmptyState icon={<Receipt />} title="Nada nestes dias" />
        </div>
      ) : (
        <StatementTable
          class="panel after-lines"
          caption="Extrato por dia, o mais novo primeiro"
          headings={['O quê', 'Valor', 'A receber']}
        >
          {[...days].map(([day, lines]) => (
            <tbody key={day}>
              <tr class="ledger-day">
                <th colSpan={3} scope="rowgroup">
                  {formatShortDay(day)}
                </th>
              </tr>
              {lines.map((line) => (
                <tr key={line.id}>
                  <KindCell line={line} />
                  <AmountCell amount={line.amount} />
                  <td>{formatReais(line.balance_after)}</td>
                </tr>
              ))}
            </tbody>
          ))}
        </StatementTable>
      )}
      <Pagination {...pagination} buildHref={(page) => `${STATEMENT_PATH}?${periodQuery}&pagina=${page}`} />
    </TillPage>
  );
};

/** Passes on the CSV of the API unchanged. The client's type of `data` is that of the JSON response. */
export const statementFile: TillPageHandler = async (visit) => {
  const { from, to } = parsePeriod(visit);
  const { data } = await visit.api.call('getMerchantStatement', {
    query: { from, to },
    headers: { accept: 'text/csv' },
  });
  return {
    type: 'text/csv; charset=utf-8',
    body: Buffer.from(data as unknown as Uint8Array),
    headers: { 'content-disposition': `attachment; filename="extrato-${from}-${to}.csv"` },
  };
};

const STATUS_TEXTS: Record<Payout['status'], StatusText> = {
  pending: { text: 'A caminho', tone: 'wait' },
  paid: { text: 'Pago', tone: 'open' },
  failed: { text: 'O banco devolveu', tone: 'late' },
};

export const payoutsPage: TillPageHandler = async (visit) => {
  const today = saoPauloDay(visit.now.getTime());
  const [{ data: payouts, pagination }, { next_payout }] = await Promise.all([
    visit.api.listOwnPayouts({ query: { limit: PAGE_SIZE, page: visit.pageNumber } }),
    visit.api.getMerchantSummary(),
  ]);
  return (
    <TillPage title="Repasses" tab="dinheiro" crumbs={CRUMBS} wrapperClass="till wide-till">
      <NextPayout payout={next_payout} today={today} />
      {payouts.length === 0 ? (
        <p class="hint after-lines">Ainda não houve repasse. O primeiro vem depois das primeiras vendas.</p>
      ) : (
        <ul class="lines after-lines">
          {payouts.map(({ id, amount, status, due_on, reference }) => (
            <ListLine
              key={id}
              href={`${PAYOUTS_PATH}/${id}`}
              title={formatShortDay(due_on)}
              note={reference ?? ''}
              amount={formatReais(amount)}
              amountNote={STATUS_TEXTS[status].text}
            />
          ))}
        </ul>
      )}
      <Pagination {...pagination} buildHref={(page) => `${PAYOUTS_PATH}?pagina=${page}`} />
    </TillPage>
  );
};

export const payoutPage: TillPageHandler = async (visit) => {
  const payout = await visit.api.getOwnPayout({
    path: { id: visit.params.id! },
    query: { limit: PAGE_SIZE, page: visit.pageNumber },
  });
  const { id, amount, status, due_on, paid_at, reference, reason, lines, pagination } = payout;
  return (
    <TillPage
      title="Repasse"
      tab="dinheiro"
      head={
        <PageHead title={formatReais(amount)} crumbs={[...CRUMBS, { href: PAYOUTS_PATH, text: 'Repasses' }]}>
          <p>
            <Status {...STATUS_TEXTS[status]} />
          </p>
          <p class="muted">
            {paid_at ? `Pago em ${formatShortTime(paid_at)}` : `Para ${formatShortDay(due_on)}`}
            {reference && `, ${reference}`}
            {reason && `. Motivo: ${reason}. O valor volta no próximo repasse.`}
          </p>
        </PageHead>
      }
      wrapperClass="till wide-till"
    >
      <StatementTable class="panel" caption="O que este repasse paga" headings={['O quê', 'Quando', 'Valor']}>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <KindCell line={line} />
              <td>{formatShortTime(line.occurred_at)}</td>
              <AmountCell amount={line.amount} />
            </tr>
          ))}
        </tbody>
      </StatementTable>
      <Pagination {...pagination} buildHref={(page) => `${PAYOUTS_PATH}/${id}?pagina=${page}`} />
    </TillPage>
  );
};
