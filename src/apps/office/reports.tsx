import { formatNumber, inReais, percent, plural, shortDay } from '../text/format.ts';
import { CHANNEL_LABELS } from '../text/labels.ts';
import { BarChart } from '../ui/chart.tsx';
import { amount, count, field } from './columns.tsx';
import {
  CASHBACK_LABELS,
  CHARGE_TYPE_LABELS,
  formatShortDay,
  LATENESS_LABELS,
  latePurchasesHref,
  MESSAGE_LABELS,
  weekQuery,
} from './labels.ts';
import { OfficeLayout } from './layout.tsx';
import { defineReport, defineTableReport, type Report } from './report.tsx';
import { Section, Table } from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

const PORTFOLIO_LABELS = {
  open: 'Em dia',
  overdue: 'Em atraso',
  paid: 'Quitadas',
  returned: 'Devolvidas',
} as const;

/** Links to the purchases that have this status now. */
const purchasesHref = (status: keyof typeof PORTFOLIO_LABELS) =>
  status === 'returned' ? undefined : `/compras?status=${status}`;

const PORTFOLIO_COLUMNS = [
  field('figures', 'Situação', { labels: { ...PORTFOLIO_LABELS, total: 'Total' } }),
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

/** The chart is not readable with more weeks; the table has all of them. */
const MAX_CHARTED_COHORTS = 13;

const firstDayOfMonth = (on: string) => `${on.slice(0, 8)}01`;

const describeReminderStep = (step: number): string => {
  if (step === 0) return 'No vencimento';
  const days = plural(Math.abs(step), 'dia', 'dias');
  return step < 0 ? `${days} antes` : `${days} de atraso`;
};

/** All reports. A new report is one entry here. */
export const REPORTS: readonly Report[] = [
  defineReport({
    path: '/relatorios/carteira',
    title: 'Carteira',
    call: 'getPortfolioReport',
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
            bars={rows.map(({ figures, outstanding }) => ({
              label: PORTFOLIO_LABELS[figures],
              values: [outstanding],
              href: purchasesHref(figures),
            }))}
          />
          <Table
            caption="Carteira"
            rows={rows}
            rowHref={({ figures }) => purchasesHref(figures)}
            columns={PORTFOLIO_COLUMNS}
          />
        </>
      );
    },
  }),
  defineReport({
    path: '/relatorios/atrasos',
    title: 'Atrasos por idade',
    call: 'getAgingReport',
    columns: [field('days_late', 'Atraso', { labels: LATENESS_LABELS })],
    render: ({ data }) => (
      <BarChart
        title="Dias de atraso"
        categoryLabel="Atraso"
        series={['Em aberto', 'Baixado']}
        bars={data.map(({ days_late, outstanding, written_off }) => ({
          label: LATENESS_LABELS[days_late],
          values: [outstanding, written_off],
          href: latePurchasesHref(days_late),
        }))}
      />
    ),
  }),
  defineReport({
    path: '/relatorios/semanas',
    title: 'Previsto e recebido por semana',
    call: 'getWeeklyReport',
    columns: [],
    render: ({ data }) => (
      <BarChart
        title="Por semana"
        series={['Previsto', 'Recebido', 'Devolvido']}
        bars={data.map(({ week, expected, received, refunded }) => ({
          label: formatShortDay(week),
          values: [expected, received, refunded],
          href: `/pagamentos?${weekQuery(week)}`,
        }))}
      />
    ),
  }),
  defineTableReport({
    path: '/relatorios/safras',
    title: 'Safras: compras por semana',
    call: 'getCohortsReport',
    summary({ data }) {
      const lastWeeks = data.slice(0, MAX_CHARTED_COHORTS).toReversed();
      return (
        <BarChart
          title={`O que foi feito de cada semana, as últimas ${lastWeeks.length}`}
          series={['Pago', 'Em aberto', 'Em atraso']}
          isFolded
          bars={lastWeeks.map(({ week, paid, outstanding, overdue }) => ({
            label: formatShortDay(week),
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
    rowHref: ({ week }) => `/compras?${weekQuery(week)}`,
  }),
  defineTableReport({
    path: '/relatorios/pix',
    title: 'Conversão do PIX',
    call: 'getPixReport',
    columns: [
      field('type', 'Tipo', { labels: CHARGE_TYPE_LABELS }),
      'made',
      count('paid', 'Pagas'),
      field('paid_percent', 'Conversão'),
      'paid_value',
    ],
    rowHref: ({ type }, { from, on }) => `/cobrancas?${new URLSearchParams({ type, from, to: on })}`,
  }),
  defineReport({
    path: '/relatorios/resultado',
    title: 'Resultado do mês',
    call: 'getIncomeReport',
    columns: [
      field('figures', 'Período', { labels: { month: 'No mês', ever: 'Desde sempre' } }),
      ...Object.entries(INCOME_LABELS).map(([name, title]) => field(name, title)),
    ],
    render({ month, ever }) {
      const names = Object.keys(INCOME_LABELS) as Array<keyof typeof INCOME_LABELS>;
      return (
        <Table
          caption="Resultado"
          rows={names.map((name) => ({ name, month: month[name], ever: ever[name] }))}
          columns={[
            field('name', 'Linha', { labels: INCOME_LABELS }),
            amount('month', 'No mês'),
            amount('ever', 'Desde sempre'),
          ]}
        />
      );
    },
  }),
  defineReport({
    path: '/relatorios/cashback',
    title: 'Cashback devido',
    call: 'getCashbackReport',
    columns: [
      field('owed', 'Devido aos clientes'),
      field('figures', 'Período', { labels: { month: 'No mês' } }),
    ],
    render({ on, owed, month }) {
      const kinds = Object.keys(CASHBACK_LABELS) as Array<keyof typeof CASHBACK_LABELS>;
      return (
        <>
          <p>
            Devido aos clientes: <b class="figure">{inReais(owed)}</b>.
          </p>
          <Table
            caption="No mês"
            rows={kinds.map((kind) => ({ kind, amount: month[kind] }))}
            rowHref={({ kind }) =>
              `/cashback?${new URLSearchParams({ kind, from: firstDayOfMonth(on), to: on })}`
            }
            columns={[field('kind', 'No mês', { labels: CASHBACK_LABELS }), 'amount']}
          />
        </>
      );
    },
  }),
  defineTableReport({
    path: '/relatorios/lojas',
    title: 'Devido às lojas',
    call: 'getMerchantsReport',
    summary: ({ total }) => (
      <p>
        Devido no total: <b class="figure">{inReais(total.owed)}</b>; vencido:{' '}
        <b class="figure">{inReais(total.due)}</b>.
      </p>
    ),
    columns: [field('name', 'Loja'), 'owed', 'due', 'in_payouts'],
    rowHref: ({ merchant }) => `/lojas/${merchant}`,
  }),
  defineTableReport({
    path: '/relatorios/autopay',
    title: 'Débito automático',
    call: 'getAutopayReport',
    summary: ({ purchases }) => (
      <p>
        Compras em aberto: <b>{formatNumber(purchases.open)}</b>; com débito automático:{' '}
        <b>{formatNumber(purchases.on_autopay)}</b>
        {purchases.percent === null ? '' : ` (${percent(purchases.percent)})`}.
      </p>
    ),
    caption: ({ from }) => `Débitos por tentativa, desde ${shortDay(from)}`,
    columns: [
      { title: 'Tentativa', render: (row) => `${row.try}ª`, csvField: 'try' },
      'tried',
      count('paid', 'Pagos'),
      field('paid_percent', 'Pagos, %'),
      'paid_value',
    ],
    emptyText: 'Nenhum débito neste período.',
  }),
  defineTableReport({
    path: '/relatorios/recusas',
    title: 'Débitos recusados',
    call: 'getRefusalsReport',
    caption: ({ from }) => `Débitos recusados, desde ${shortDay(from)}`,
    columns: ['code', 'words', 'debits', 'failed'],
    emptyText: 'Nenhum débito recusado neste período.',
  }),
  defineTableReport({
    path: '/relatorios/mensagens',
    title: 'Mensagens por canal',
    call: 'getMessagesReport',
    caption: ({ from }) => `Mensagens, desde ${shortDay(from)}`,
    columns: ['channel', 'status', 'reason', 'messages'],
    titles: { channel: 'Canal', status: 'Situação' },
    labels: { channel: CHANNEL_LABELS, status: MESSAGE_LABELS },
    emptyText: 'Nenhuma mensagem neste período.',
    rowHref: ({ channel, status }, { from, on }) =>
      `/mensagens?${new URLSearchParams({ status, ...(channel && { channel }), from, to: on })}`,
  }),
  defineTableReport({
    path: '/relatorios/lembretes',
    title: 'Lembrados que pagaram em um dia',
    call: 'getRemindersReport',
    summary: ({ from, total }) => (
      <p>
        De <b>{formatNumber(total.reminded)}</b> parcelas lembradas desde {shortDay(from)},{' '}
        <b>{formatNumber(total.paid_within_a_day)}</b> foram pagas em 24 horas
        {total.percent === null ? '' : ` (${percent(total.percent)})`}.
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
      field('reminded', 'Parcelas'),
      'paid_within_a_day',
      field('percent', 'Pagas, %'),
    ],
    emptyText: 'Ninguém foi lembrado neste período.',
  }),
];

export const reportsPage: OfficePageHandler = async (visit) => (
  <OfficeLayout title="Relatórios" visit={visit}>
    <Section title="Todos, de qualquer dia">
      <ul class="office-links">
        {REPORTS.map(({ path, title }) => (
          <li key={path}>
            <a href={path}>{title}</a>
          </li>
        ))}
      </ul>
    </Section>
  </OfficeLayout>
);
