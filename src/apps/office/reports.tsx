import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import { addDays, type Day } from '#core/values/day.ts';
import type { CallId, OutputOf, StaffClient } from '#staff-client';
import { formatNumber, formatPercent, formatReais, formatShortDay, pluralize } from '../text/format.ts';
import { CHANNEL_LABELS } from '../text/labels.ts';
import { Submit } from '../ui/buttons.tsx';
import { BarChart } from '../ui/chart.tsx';
import { LinkItems } from '../ui/components.tsx';
import { toCsvDownload } from './csv.ts';
import { CASHBACK_KIND_LABELS, CHARGE_TYPE_LABELS, LATENESS_LABELS, MESSAGE_LABELS } from './labels.ts';
import { OfficeLayout, RecordLayout } from './layout.tsx';
import {
  type ColumnSpec,
  type ColumnTexts,
  DAY_PATTERN,
  resolveColumn,
  Section,
  Table,
  withTitle,
} from './tables.tsx';
import type { Download, OfficePageHandler, OfficeVisit } from './visit.ts';

type ReportId = CallId & `get${string}Report`;

export type Report = ColumnTexts & {
  path: string;
  title: string;
  operation: ReportId;
  /** Headings and labels of the CSV. A field without a column here gets its heading from the field labels. */
  columns: ReadonlyArray<ColumnSpec<never>>;
  /** `on`: the day to report on; today if it is missing. */
  render: (api: StaffClient, query: { on?: string }) => Promise<ComponentChildren>;
};

/** The operation determines the type of the report that `render` gets. */
type ReportDeclaration<O extends ReportId> = Omit<Report, 'operation' | 'render'> & {
  operation: O;
  render: (report: OutputOf<O>) => ComponentChildren;
};

/** The types of the client require one particular operation. All reports have the same query, so any report will do. */
const toTypedReportId = (operation: ReportId) => operation as 'getAgingReport';

export const defineReport = <O extends ReportId>({
  render,
  ...declaration
}: ReportDeclaration<O>): Report => ({
  ...declaration,
  render: async (api, query) =>
    render((await api.call(toTypedReportId(declaration.operation), { query })).data as OutputOf<O>),
});

type RowOf<O extends ReportId> = OutputOf<O> extends { data: Array<infer Row> } ? Row : never;

export const defineTableReport = <O extends ReportId>(
  declaration: Omit<ReportDeclaration<O>, 'columns' | 'render'> & {
    columns: ReadonlyArray<ColumnSpec<RowOf<O>>>;
    caption?: string | ((report: OutputOf<O>) => string);
    emptyText?: string;
    /** The URL of the list of the records that the row counts. */
    rowHref?: (row: RowOf<O>, report: OutputOf<O>) => string;
    renderSummary?: (report: OutputOf<O>) => ComponentChildren;
  },
): Report => {
  const { caption = declaration.title, emptyText, rowHref, renderSummary, ...reportOptions } = declaration;
  return defineReport({
    ...reportOptions,
    render: (report) => (
      <>
        {renderSummary?.(report)}
        <Table<RowOf<O>>
          caption={typeof caption === 'string' ? caption : caption(report)}
          rows={(report as { data: unknown[] }).data as Array<RowOf<O>>}
          rowHref={rowHref && ((row) => rowHref(row, report))}
          columns={reportOptions.columns}
          labels={reportOptions.labels}
          titles={reportOptions.titles}
          emptyText={emptyText}
        />
      </>
    ),
  });
};

const readReportQuery = ({ search }: OfficeVisit): { on?: string } => {
  const day = search.get('on') ?? '';
  return DAY_PATTERN.test(day) ? { on: day } : {};
};

export const createReportPage =
  ({ path, title, render }: Report): OfficePageHandler =>
  async (visit) => {
    const query = readReportQuery(visit);
    const content = await render(visit.api, query).catch((error: unknown) => {
      // The figures of this day are being computed; the message contains the progress.
      if (isProblem(error) && error.status === 409) return <p role="status">{error.message}</p>;
      throw error;
    });
    return (
      <RecordLayout title={title} visit={visit}>
        <form class="office-filters" action={path}>
          <div>
            <label for="on">No dia</label>
            <input id="on" type="date" name="on" value={query.on ?? ''} />
          </div>
          <Submit class="small">Ver</Submit>
          <a href={`${path}.csv?${new URLSearchParams(query)}`} data-download>
            Baixar CSV
          </a>
        </form>
        {content}
      </RecordLayout>
    );
  };

export const createReportDownload =
  ({ path, operation, columns, ...texts }: Report): Download =>
  async (visit) => {
    const query = { ...readReportQuery(visit), csv: 'br' as const };
    return toCsvDownload(
      path,
      columns.map((column) => resolveColumn(column, texts)),
      await visit.api.open(toTypedReportId(operation), { query }),
    );
  };

const PORTFOLIO_LABELS = {
  open: 'Em dia',
  overdue: 'Em atraso',
  paid: 'Quitadas',
  returned: 'Devolvidas',
} as const;

/** The list of purchases has no filter for returned ones. */
const buildPurchasesHref = (status: keyof typeof PORTFOLIO_LABELS) =>
  status === 'returned' ? undefined : `/compras?status=${status}`;

/** A report of one object has one CSV line per key of the object, which is in the field `figures`. */
const PORTFOLIO_COLUMNS = [
  withTitle('figures', 'Situação', { labels: { ...PORTFOLIO_LABELS, total: 'Total' } }),
  ...(['purchases', 'financed', 'paid', 'outstanding', 'written_off_outstanding'] as const),
];

const INCOME_LABELS = {
  interest: 'Juros das compras',
  penalties: 'Multas e juros de atraso',
  extensions: 'Prorrogações',
  merchant_fees: 'Taxas das lojas',
  cashback: 'Cashback dado',
  losses: 'Perdas',
  total: 'Total',
} as const;

export const buildLatePurchasesHref = (daysLate: keyof typeof LATENESS_LABELS) =>
  `/compras?${new URLSearchParams({ days_late: daysLate })}`;

/** Builds the query of a list for the week that starts on this day. */
export const buildWeekQuery = (monday: string): string =>
  String(new URLSearchParams({ from: monday, to: addDays(monday as Day, 6) }));

/** Formats '2026-11-09' as '09/11'. */
export const formatNumericDay = (day: string): string => `${day.slice(8, 10)}/${day.slice(5, 7)}`;

/** The chart is not readable with more weeks; the table has all of them. */
const MAX_CHARTED_COHORTS = 13;

const getFirstDayOfMonth = (day: string) => `${day.slice(0, 8)}01`;

/** `step`: days from the due day to the reminder; negative before it. */
const describeReminderStep = (step: number): string => {
  if (step === 0) return 'No vencimento';
  const days = pluralize(Math.abs(step), 'dia', 'dias');
  return step < 0 ? `${days} antes` : `${days} de atraso`;
};

/** All reports. A new report is one entry here. */
export const REPORTS: readonly Report[] = [
  defineReport({
    path: '/relatorios/carteira',
    title: 'Carteira',
    operation: 'getPortfolioReport',
    columns: PORTFOLIO_COLUMNS,
    render(statuses) {
      const rows = (Object.keys(PORTFOLIO_LABELS) as Array<keyof typeof PORTFOLIO_LABELS>).map((status) => ({
        figures: status,
        ...statuses[status],
      }));
      return (
        <>
          <BarChart
            title="Em aberto por situação"
            categoryLabel="Situação"
            isFolded
            series={['Em aberto']}
            categories={rows.map(({ figures, outstanding }) => ({
              label: PORTFOLIO_LABELS[figures],
              values: [outstanding],
              href: buildPurchasesHref(figures),
            }))}
          />
          <Table
            caption="Carteira"
            rows={rows}
            rowHref={({ figures }) => buildPurchasesHref(figures)}
            columns={PORTFOLIO_COLUMNS}
          />
        </>
      );
    },
  }),
  defineReport({
    path: '/relatorios/atrasos',
    title: 'Atrasos por idade',
    operation: 'getAgingReport',
    columns: [withTitle('days_late', 'Atraso', { labels: LATENESS_LABELS })],
    render: ({ data }) => (
      <BarChart
        title="Dias de atraso"
        categoryLabel="Atraso"
        series={['Em aberto', 'Baixado']}
        categories={data.map(({ days_late, outstanding, written_off }) => ({
          label: LATENESS_LABELS[days_late],
          values: [outstanding, written_off],
          href: buildLatePurchasesHref(days_late),
        }))}
      />
    ),
  }),
  defineReport({
    path: '/relatorios/semanas',
    title: 'Previsto e recebido por semana',
    operation: 'getWeeklyReport',
    columns: [],
    render: ({ data }) => (
      <BarChart
        title="Por semana"
        series={['Previsto', 'Recebido', 'Devolvido']}
        categories={data.map(({ week, expected, received, refunded }) => ({
          label: formatNumericDay(week),
          values: [expected, received, refunded],
          href: `/pagamentos?${buildWeekQuery(week)}`,
        }))}
      />
    ),
  }),
  defineTableReport({
    path: '/relatorios/safras',
    title: 'Safras: compras por semana',
    operation: 'getCohortsReport',
    renderSummary({ data }) {
      const lastWeeks = data.slice(0, MAX_CHARTED_COHORTS).toReversed();
      return (
        <BarChart
          title={`O que foi feito de cada semana, as últimas ${lastWeeks.length}`}
          series={['Pago', 'Em aberto', 'Em atraso']}
          isFolded
          categories={lastWeeks.map(({ week, paid, outstanding, overdue }) => ({
            label: formatNumericDay(week),
            values: [paid, outstanding, overdue],
          }))}
        />
      );
    },
    caption: 'Safras',
    columns: [
      'week',
      'purchases',
      'financed',
      'paid',
      'paid_percent',
      'returned',
      'outstanding',
      'overdue',
      'overdue_percent',
      'written_off',
    ],
    emptyText: 'Nenhuma compra até este dia.',
    rowHref: ({ week }) => `/compras?${buildWeekQuery(week)}`,
  }),
  defineTableReport({
    path: '/relatorios/pix',
    title: 'Conversão do PIX',
    operation: 'getPixReport',
    columns: [
      'type',
      'made',
      withTitle('paid', 'Pagas', { unit: 'count' }),
      withTitle('paid_percent', 'Conversão'),
      'paid_value',
    ],
    labels: { type: CHARGE_TYPE_LABELS },
    rowHref: ({ type }, { from, on: to }) => `/cobrancas?${new URLSearchParams({ type, from, to })}`,
  }),
  defineReport({
    path: '/relatorios/resultado',
    title: 'Resultado do mês',
    operation: 'getIncomeReport',
    columns: [
      withTitle('figures', 'Período', { labels: { month: 'No mês', ever: 'Desde sempre' } }),
      ...Object.entries(INCOME_LABELS).map(([name, title]) => withTitle(name, title)),
    ],
    render({ month, ever }) {
      const names = Object.keys(INCOME_LABELS) as Array<keyof typeof INCOME_LABELS>;
      return (
        <Table
          caption="Resultado"
          rows={names.map((name) => ({ name, month: month[name], ever: ever[name] }))}
          columns={[
            withTitle('name', 'Linha', { labels: INCOME_LABELS }),
            withTitle('month', 'No mês', { unit: 'amount' }),
            withTitle('ever', 'Desde sempre', { unit: 'amount' }),
          ]}
        />
      );
    },
  }),
  defineReport({
    path: '/relatorios/cashback',
    title: 'Cashback devido',
    operation: 'getCashbackReport',
    columns: [
      withTitle('owed', 'Devido aos clientes'),
      withTitle('figures', 'Período', { labels: { month: 'No mês' } }),
    ],
    render({ on: reportDay, owed, month }) {
      const kinds = Object.keys(CASHBACK_KIND_LABELS) as Array<keyof typeof CASHBACK_KIND_LABELS>;
      return (
        <>
          <p>
            Devido aos clientes: <b class="figure">{formatReais(owed)}</b>.
          </p>
          <Table
            caption="No mês"
            rows={kinds.map((kind) => ({ kind, amount: month[kind] }))}
            rowHref={({ kind }) =>
              `/cashback?${new URLSearchParams({ kind, from: getFirstDayOfMonth(reportDay), to: reportDay })}`
            }
            columns={[withTitle('kind', 'No mês', { labels: CASHBACK_KIND_LABELS }), 'amount']}
          />
        </>
      );
    },
  }),
  defineTableReport({
    path: '/relatorios/lojas',
    title: 'Devido às lojas',
    operation: 'getMerchantsReport',
    renderSummary: ({ total }) => (
      <p>
        Devido no total: <b class="figure">{formatReais(total.owed)}</b>; vencido:{' '}
        <b class="figure">{formatReais(total.due)}</b>.
      </p>
    ),
    columns: [withTitle('name', 'Loja'), 'owed', 'due', 'in_payouts'],
    rowHref: ({ merchant }) => `/lojas/${merchant}`,
  }),
  defineTableReport({
    path: '/relatorios/autopay',
    title: 'Débito automático',
    operation: 'getAutopayReport',
    renderSummary: ({ purchases }) => (
      <p>
        Compras em aberto: <b>{formatNumber(purchases.open)}</b>; com débito automático:{' '}
        <b>{formatNumber(purchases.on_autopay)}</b>
        {purchases.percent === null ? '' : ` (${formatPercent(purchases.percent)})`}.
      </p>
    ),
    caption: ({ from }) => `Débitos por tentativa, desde ${formatShortDay(from)}`,
    columns: [
      { title: 'Tentativa', render: (row) => `${row.try}ª`, csvField: 'try' },
      'tried',
      withTitle('paid', 'Pagos', { unit: 'count' }),
      withTitle('paid_percent', 'Pagos, %'),
      'paid_value',
    ],
    emptyText: 'Nenhum débito neste período.',
  }),
  defineTableReport({
    path: '/relatorios/recusas',
    title: 'Débitos recusados',
    operation: 'getRefusalsReport',
    caption: ({ from }) => `Débitos recusados, desde ${formatShortDay(from)}`,
    columns: ['code', 'words', 'debits', 'failed'],
    emptyText: 'Nenhum débito recusado neste período.',
  }),
  defineTableReport({
    path: '/relatorios/mensagens',
    title: 'Mensagens por canal',
    operation: 'getMessagesReport',
    caption: ({ from }) => `Mensagens, desde ${formatShortDay(from)}`,
    columns: ['channel', 'status', 'reason', 'messages'],
    labels: { channel: CHANNEL_LABELS, status: MESSAGE_LABELS },
    emptyText: 'Nenhuma mensagem neste período.',
    rowHref: ({ channel, status }, { from, on: to }) =>
      `/mensagens?${new URLSearchParams({ status, ...(channel && { channel }), from, to })}`,
  }),
  defineTableReport({
    path: '/relatorios/lembretes',
    title: 'Lembrados que pagaram em um dia',
    operation: 'getRemindersReport',
    renderSummary: ({ from, total }) => (
      <p>
        De <b>{formatNumber(total.reminded)}</b> parcelas lembradas desde {formatShortDay(from)},{' '}
        <b>{formatNumber(total.paid_within_a_day)}</b> foram pagas em 24 horas
        {total.percent === null ? '' : ` (${formatPercent(total.percent)})`}.
      </p>
    ),
    caption: 'Por dia do lembrete',
    columns: [
      {
        title: 'Lembrete',
        render: ({ step }) => describeReminderStep(step),
        csvField: 'step',
        formatForCsv: (cell) => describeReminderStep(Number(cell)),
      },
      withTitle('reminded', 'Parcelas'),
      'paid_within_a_day',
      withTitle('percent', 'Pagas, %'),
    ],
    emptyText: 'Ninguém foi lembrado neste período.',
  }),
];

export const reportsPage: OfficePageHandler = async (visit) => (
  <OfficeLayout title="Relatórios" visit={visit}>
    <Section title="Todos, de qualquer dia">
      <ul class="office-links">
        <LinkItems links={REPORTS.map(({ path, title }) => ({ href: path, text: title }))} />
      </ul>
    </Section>
  </OfficeLayout>
);
