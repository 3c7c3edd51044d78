import { formatNumber, inReais, percent, plural, shortDay } from '../text/format.ts';
import { CHANNEL_LABELS } from '../text/labels.ts';
import { BarChart } from '../ui/chart.tsx';
import { day, labelled, money, number, percentage, statusBadge, text } from './columns.tsx';
import { OfficeLayout } from './layout.tsx';
import {
  CASHBACK_LABELS,
  CHARGE_TYPE_LABELS,
  formatShortDay,
  LATENESS_LABELS,
  latePurchasesHref,
  MESSAGE_LABELS,
  weekQuery,
} from './lists/labels.ts';
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
  labelled('Situação', 'figures', { ...PORTFOLIO_LABELS, total: 'Total' }),
  number('Compras', 'purchases'),
  money('Financiado', 'financed'),
  money('Pago', 'paid'),
  money('Em aberto', 'outstanding'),
  money('Baixado, em aberto', 'written_off_outstanding'),
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
    columns: [labelled('Atraso', 'days_late', LATENESS_LABELS)],
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
      day('Semana de', 'week'),
      number('Compras', 'purchases'),
      money('Financiado', 'financed'),
      money('Pago', 'paid'),
      percentage('Pago, %', 'paid_percent'),
      money('Devolvido', 'returned'),
      money('Em aberto', 'outstanding'),
      money('Em atraso', 'overdue'),
      percentage('Em atraso, %', 'overdue_percent'),
      money('Baixado', 'written_off'),
    ],
    emptyText: 'Nenhuma compra até este dia.',
    rowHref: ({ week }) => `/compras?${weekQuery(week)}`,
  }),
  defineTableReport({
    path: '/relatorios/pix',
    title: 'Conversão do PIX',
    call: 'getPixReport',
    columns: [
      labelled('Tipo', 'type', CHARGE_TYPE_LABELS),
      number('Feitas', 'made'),
      number('Pagas', 'paid'),
      percentage('Conversão', 'paid_percent'),
      money('Valor pago', 'paid_value'),
    ],
    rowHref: ({ type }, { from, on }) => `/cobrancas?${new URLSearchParams({ type, from, to: on })}`,
  }),
  defineReport({
    path: '/relatorios/resultado',
    title: 'Resultado do mês',
    call: 'getIncomeReport',
    columns: [
      labelled('Período', 'figures', { month: 'No mês', ever: 'Desde sempre' }),
      ...Object.entries(INCOME_LABELS).map(([field, title]) => money(title, field)),
    ],
    render({ month, ever }) {
      const names = Object.keys(INCOME_LABELS) as Array<keyof typeof INCOME_LABELS>;
      return (
        <Table
          caption="Resultado"
          rows={names.map((name) => ({ name, month: month[name], ever: ever[name] }))}
          columns={[
            labelled('Linha', 'name', INCOME_LABELS),
            money('No mês', 'month'),
            money('Desde sempre', 'ever'),
          ]}
        />
      );
    },
  }),
  defineReport({
    path: '/relatorios/cashback',
    title: 'Cashback devido',
    call: 'getCashbackReport',
    columns: [money('Devido aos clientes', 'owed'), labelled('Período', 'figures', { month: 'No mês' })],
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
            columns={[labelled('No mês', 'kind', CASHBACK_LABELS), money('Valor', 'amount')]}
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
    columns: [
      text('Loja', 'name'),
      money('Devido', 'owed'),
      money('Vencido', 'due'),
      money('Em repasses', 'in_payouts'),
    ],
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
      number('Tentados', 'tried'),
      number('Pagos', 'paid'),
      percentage('Pagos, %', 'paid_percent'),
      money('Valor pago', 'paid_value'),
    ],
    emptyText: 'Nenhum débito neste período.',
  }),
  defineTableReport({
    path: '/relatorios/recusas',
    title: 'Débitos recusados',
    call: 'getRefusalsReport',
    caption: ({ from }) => `Débitos recusados, desde ${shortDay(from)}`,
    columns: [
      text('Código', 'code'),
      text('O que diz', 'words'),
      number('Débitos', 'debits'),
      number('Sem pagamento no fim', 'failed'),
    ],
    emptyText: 'Nenhum débito recusado neste período.',
  }),
  defineTableReport({
    path: '/relatorios/mensagens',
    title: 'Mensagens por canal',
    call: 'getMessagesReport',
    caption: ({ from }) => `Mensagens, desde ${shortDay(from)}`,
    columns: [
      labelled('Canal', 'channel', CHANNEL_LABELS),
      statusBadge('Situação', 'status', MESSAGE_LABELS),
      text('Motivo', 'reason'),
      number('Mensagens', 'messages'),
    ],
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
      number('Parcelas', 'reminded'),
      number('Pagas em 24 horas', 'paid_within_a_day'),
      percentage('Pagas, %', 'percent'),
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
