import { count, inReais, percent, plural, shortDay } from '../text/format.ts';
import { BarChart } from '../ui/chart.tsx';
import { day, money, named, number, share, state, text } from './columns.tsx';
import { OfficeLayout } from './layout.tsx';
import {
  AGE,
  CASHBACK,
  CHANNEL,
  CHARGE_TYPE,
  daysOfWeek,
  lateFor,
  MESSAGE,
  shortWeek,
} from './lists/names.ts';
import { type Report, report, tableReport } from './report.tsx';
import { Section, Table } from './tables.tsx';
import type { MakeOfficePage } from './visit.ts';

const STATUSES = { open: 'Em dia', overdue: 'Em atraso', paid: 'Quitadas', returned: 'Devolvidas' } as const;

/** Purchases in this state now. */
const purchasesIn = (status: keyof typeof STATUSES) =>
  status === 'returned' ? undefined : `/compras?status=${status}`;

const PORTFOLIO = [
  named('Situação', 'figures', { ...STATUSES, total: 'Total' }),
  number('Compras', 'purchases'),
  money('Financiado', 'financed'),
  money('Pago', 'paid'),
  money('Em aberto', 'outstanding'),
  money('Baixado, em aberto', 'written_off_outstanding'),
];

const INCOME = {
  interest: 'Juros das compras',
  penalties: 'Multas e juros de atraso',
  extensions: 'Prorrogações',
  merchant_fees: 'Taxas das lojas',
  cashback: 'Cashback dado',
  losses: 'Perdas',
  total: 'Total',
} as const;

/** So many weeks can be told apart in a chart; the table has all. */
const COHORTS_DRAWN = 13;

const firstOf = (on: string) => `${on.slice(0, 8)}01`;

const stepInWords = (step: number): string => {
  if (step === 0) return 'No vencimento';
  const days = plural(Math.abs(step), 'dia', 'dias');
  return step < 0 ? `${days} antes` : `${days} de atraso`;
};

/** A report is one entry here. */
export const REPORTS: readonly Report[] = [
  report({
    path: '/relatorios/carteira',
    title: 'Carteira',
    call: 'getPortfolioReport',
    columns: PORTFOLIO,
    show(statuses) {
      const rows = (Object.keys(STATUSES) as Array<keyof typeof STATUSES>).map((status) => ({
        figures: status,
        ...statuses[status],
      }));
      return (
        <>
          <BarChart
            title="Em aberto por situação"
            of="Situação"
            isFolded
            series={['Em aberto']}
            bars={rows.map(({ figures, outstanding }) => ({
              label: STATUSES[figures],
              values: [outstanding],
              href: purchasesIn(figures),
            }))}
          />
          <Table
            caption="Carteira"
            rows={rows}
            open={({ figures }) => purchasesIn(figures)}
            columns={PORTFOLIO}
          />
        </>
      );
    },
  }),
  report({
    path: '/relatorios/atrasos',
    title: 'Atrasos por idade',
    call: 'getAgingReport',
    columns: [named('Atraso', 'days_late', AGE)],
    show: ({ data }) => (
      <BarChart
        title="Dias de atraso"
        of="Atraso"
        series={['Em aberto', 'Baixado']}
        bars={data.map(({ days_late, outstanding, written_off }) => ({
          label: AGE[days_late],
          values: [outstanding, written_off],
          href: lateFor(days_late),
        }))}
      />
    ),
  }),
  report({
    path: '/relatorios/semanas',
    title: 'Previsto e recebido por semana',
    call: 'getWeeklyReport',
    columns: [],
    show: ({ data }) => (
      <BarChart
        title="Por semana"
        series={['Previsto', 'Recebido', 'Devolvido']}
        bars={data.map(({ week, expected, received, refunded }) => ({
          label: shortWeek(week),
          values: [expected, received, refunded],
          href: `/pagamentos?${daysOfWeek(week)}`,
        }))}
      />
    ),
  }),
  tableReport({
    path: '/relatorios/safras',
    title: 'Safras: compras por semana',
    call: 'getCohortsReport',
    figures({ data }) {
      const lastWeeks = data.slice(0, COHORTS_DRAWN).toReversed();
      return (
        <BarChart
          title={`O que foi feito de cada semana, as últimas ${lastWeeks.length}`}
          series={['Pago', 'Em aberto', 'Em atraso']}
          isFolded
          bars={lastWeeks.map(({ week, paid, outstanding, overdue }) => ({
            label: shortWeek(week),
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
      share('Pago, %', 'paid_percent'),
      money('Devolvido', 'returned'),
      money('Em aberto', 'outstanding'),
      money('Em atraso', 'overdue'),
      share('Em atraso, %', 'overdue_percent'),
      money('Baixado', 'written_off'),
    ],
    empty: 'Nenhuma compra até este dia.',
    open: ({ week }) => `/compras?${daysOfWeek(week)}`,
  }),
  tableReport({
    path: '/relatorios/pix',
    title: 'Conversão do PIX',
    call: 'getPixReport',
    columns: [
      named('Tipo', 'type', CHARGE_TYPE),
      number('Feitas', 'made'),
      number('Pagas', 'paid'),
      share('Conversão', 'paid_percent'),
      money('Valor pago', 'paid_value'),
    ],
    open: ({ type }, { from, on }) => `/cobrancas?${new URLSearchParams({ type, from, to: on })}`,
  }),
  report({
    path: '/relatorios/resultado',
    title: 'Resultado do mês',
    call: 'getIncomeReport',
    columns: [
      named('Período', 'figures', { month: 'No mês', ever: 'Desde sempre' }),
      ...Object.entries(INCOME).map(([field, title]) => money(title, field)),
    ],
    show({ month, ever }) {
      const names = Object.keys(INCOME) as Array<keyof typeof INCOME>;
      return (
        <Table
          caption="Resultado"
          rows={names.map((name) => ({ name, month: month[name], ever: ever[name] }))}
          columns={[named('Linha', 'name', INCOME), money('No mês', 'month'), money('Desde sempre', 'ever')]}
        />
      );
    },
  }),
  report({
    path: '/relatorios/cashback',
    title: 'Cashback devido',
    call: 'getCashbackReport',
    columns: [money('Devido aos clientes', 'owed'), named('Período', 'figures', { month: 'No mês' })],
    show({ on, owed, month }) {
      const kinds = Object.keys(CASHBACK) as Array<keyof typeof CASHBACK>;
      return (
        <>
          <p>
            Devido aos clientes: <b class="figure">{inReais(owed)}</b>.
          </p>
          <Table
            caption="No mês"
            rows={kinds.map((kind) => ({ kind, amount: month[kind] }))}
            open={({ kind }) => `/cashback?${new URLSearchParams({ kind, from: firstOf(on), to: on })}`}
            columns={[named('No mês', 'kind', CASHBACK), money('Valor', 'amount')]}
          />
        </>
      );
    },
  }),
  tableReport({
    path: '/relatorios/lojas',
    title: 'Devido às lojas',
    call: 'getMerchantsReport',
    figures: ({ total }) => (
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
    open: ({ merchant }) => `/lojas/${merchant}`,
  }),
  tableReport({
    path: '/relatorios/autopay',
    title: 'Débito automático',
    call: 'getAutopayReport',
    figures: ({ purchases }) => (
      <p>
        Compras em aberto: <b>{count(purchases.open)}</b>; com débito automático:{' '}
        <b>{count(purchases.on_autopay)}</b>
        {purchases.percent === null ? '' : ` (${percent(purchases.percent)})`}.
      </p>
    ),
    caption: ({ from }) => `Débitos por tentativa, desde ${shortDay(from)}`,
    columns: [
      { title: 'Tentativa', show: (row) => `${row.try}ª`, field: 'try' },
      number('Tentados', 'tried'),
      number('Pagos', 'paid'),
      share('Pagos, %', 'paid_percent'),
      money('Valor pago', 'paid_value'),
    ],
    empty: 'Nenhum débito neste período.',
  }),
  tableReport({
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
    empty: 'Nenhum débito recusado neste período.',
  }),
  tableReport({
    path: '/relatorios/mensagens',
    title: 'Mensagens por canal',
    call: 'getMessagesReport',
    caption: ({ from }) => `Mensagens, desde ${shortDay(from)}`,
    columns: [
      named('Canal', 'channel', CHANNEL),
      state('Situação', 'status', MESSAGE),
      text('Motivo', 'reason'),
      number('Mensagens', 'messages'),
    ],
    empty: 'Nenhuma mensagem neste período.',
    open: ({ channel, status }, { from, on }) =>
      `/mensagens?${new URLSearchParams({ status, ...(channel && { channel }), from, to: on })}`,
  }),
  tableReport({
    path: '/relatorios/lembretes',
    title: 'Lembrados que pagaram em um dia',
    call: 'getRemindersReport',
    figures: ({ from, total }) => (
      <p>
        De <b>{count(total.reminded)}</b> parcelas lembradas desde {shortDay(from)},{' '}
        <b>{count(total.paid_within_a_day)}</b> foram pagas em 24 horas
        {total.percent === null ? '' : ` (${percent(total.percent)})`}.
      </p>
    ),
    caption: 'Por dia do lembrete',
    columns: [
      {
        title: 'Lembrete',
        show: ({ step }) => stepInWords(step),
        field: 'step',
        inFile: (cell) => stepInWords(Number(cell)),
      },
      number('Parcelas', 'reminded'),
      number('Pagas em 24 horas', 'paid_within_a_day'),
      share('Pagas, %', 'percent'),
    ],
    empty: 'Ninguém foi lembrado neste período.',
  }),
];

export const reportsPage: MakeOfficePage = async (visit) => (
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
