import type { ComponentChildren } from 'preact';
import { BarChart } from '../ui/chart.tsx';
import { count, inReais, percent, shortDay } from '../ui/format.ts';
import { fileOf } from './csv.ts';
import { OfficeLayout } from './layout.tsx';
import { AGE, CASHBACK, daysOfWeek, lateFor, shortWeek } from './lists/names.ts';
import { type Column, money, named, Section, Table } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import {
  AUTOPAY,
  COHORTS,
  INCOME,
  MERCHANTS,
  MESSAGES,
  PIX,
  PORTFOLIO,
  REFUSALS,
  REMINDERS,
  STATUSES,
} from './report-columns.tsx';
import type { CallId, OutputOf, StaffClient } from './staff/client.ts';
import type { Download, MakeOfficePage, OfficeVisit } from './visit.ts';

type ReportId = CallId & `get${string}Report`;
type Report = {
  path: string;
  title: string;
  call: ReportId;
  /** Of its table, and of the file. */
  columns: ReadonlyArray<Column<never>>;
  show: (api: StaffClient, query: { on?: string }) => Promise<ComponentChildren>;
};

const report = <O extends ReportId>(
  declared: Omit<Report, 'show'> & { call: O; show: (answer: OutputOf<O>) => ComponentChildren },
): Report => ({
  ...declared,
  show: async (api, query) =>
    declared.show((await api.call(declared.call as 'getAgingReport', { query })).data as OutputOf<O>),
});

/** So many weeks can be told apart in a chart; the table has all. */
const COHORTS_DRAWN = 13;

const firstOf = (day: string) => `${day.slice(0, 8)}01`;

/** Purchases in this state now. */
const purchasesIn = (status: keyof typeof STATUSES) =>
  status === 'returned' ? undefined : `/compras?status=${status}`;

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
  report({
    path: '/relatorios/safras',
    title: 'Safras: compras por semana',
    call: 'getCohortsReport',
    columns: COHORTS,
    show({ data }) {
      const lastWeeks = data.slice(0, COHORTS_DRAWN).toReversed();
      return (
        <>
          <BarChart
            title={`O que foi feito de cada semana, as últimas ${lastWeeks.length}`}
            series={['Pago', 'Em aberto', 'Em atraso']}
            isFolded
            bars={lastWeeks.map(({ week, paid, outstanding, overdue }) => ({
              label: shortWeek(week),
              values: [paid, outstanding, overdue],
            }))}
          />
          <Table
            caption="Safras"
            rows={data}
            empty="Nenhuma compra até este dia."
            open={({ week }) => `/compras?${daysOfWeek(week)}`}
            columns={COHORTS}
          />
        </>
      );
    },
  }),
  report({
    path: '/relatorios/pix',
    title: 'Conversão do PIX',
    call: 'getPixReport',
    columns: PIX,
    show: ({ on, from, data }) => (
      <Table
        caption="Conversão do PIX"
        rows={data}
        open={({ type }) => `/cobrancas?${new URLSearchParams({ type, from, to: on })}`}
        columns={PIX}
      />
    ),
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
  report({
    path: '/relatorios/lojas',
    title: 'Devido às lojas',
    call: 'getMerchantsReport',
    columns: MERCHANTS,
    show: ({ data, total }) => (
      <>
        <p>
          Devido no total: <b class="figure">{inReais(total.owed)}</b>; vencido:{' '}
          <b class="figure">{inReais(total.due)}</b>.
        </p>
        <Table
          caption="Devido às lojas"
          rows={data}
          open={({ merchant }) => `/lojas/${merchant}`}
          columns={MERCHANTS}
        />
      </>
    ),
  }),
  report({
    path: '/relatorios/autopay',
    title: 'Débito automático',
    call: 'getAutopayReport',
    columns: AUTOPAY,
    show: ({ from, data, purchases }) => (
      <>
        <p>
          Compras em aberto: <b>{count(purchases.open)}</b>; com débito automático:{' '}
          <b>{count(purchases.on_autopay)}</b>
          {purchases.percent === null ? '' : ` (${percent(purchases.percent)})`}.
        </p>
        <Table
          caption={`Débitos por tentativa, desde ${shortDay(from)}`}
          rows={data}
          empty="Nenhum débito neste período."
          columns={AUTOPAY}
        />
      </>
    ),
  }),
  report({
    path: '/relatorios/recusas',
    title: 'Débitos recusados',
    call: 'getRefusalsReport',
    columns: REFUSALS,
    show: ({ from, data }) => (
      <Table
        caption={`Débitos recusados, desde ${shortDay(from)}`}
        rows={data}
        empty="Nenhum débito recusado neste período."
        columns={REFUSALS}
      />
    ),
  }),
  report({
    path: '/relatorios/mensagens',
    title: 'Mensagens por canal',
    call: 'getMessagesReport',
    columns: MESSAGES,
    show: ({ on, from, data }) => (
      <Table
        caption={`Mensagens, desde ${shortDay(from)}`}
        rows={data}
        empty="Nenhuma mensagem neste período."
        open={({ channel, status }) =>
          `/mensagens?${new URLSearchParams({ status, ...(channel && { channel }), from, to: on })}`
        }
        columns={MESSAGES}
      />
    ),
  }),
  report({
    path: '/relatorios/lembretes',
    title: 'Lembrados que pagaram em um dia',
    call: 'getRemindersReport',
    columns: REMINDERS,
    show: ({ from, data, total }) => (
      <>
        <p>
          De <b>{count(total.reminded)}</b> parcelas lembradas desde {shortDay(from)},{' '}
          <b>{count(total.paid_within_a_day)}</b> foram pagas em 24 horas
          {total.percent === null ? '' : ` (${percent(total.percent)})`}.
        </p>
        <Table
          caption="Por dia do lembrete"
          rows={data}
          empty="Ninguém foi lembrado neste período."
          columns={REMINDERS}
        />
      </>
    ),
  }),
];

const onOf = ({ search }: OfficeVisit): { on?: string } => {
  const on = search.get('on') ?? '';
  return /^\d{4}-\d{2}-\d{2}$/.test(on) ? { on } : {};
};

export const reportPage =
  ({ path, title, show }: Report): MakeOfficePage =>
  async (visit) => {
    const query = onOf(visit);
    const shown = await show(visit.api, query);
    return (
      <RecordLayout title={title} visit={visit}>
        <form class="office-filters" action={path}>
          <div>
            <label for="on">No dia</label>
            <input id="on" type="date" name="on" value={query.on ?? ''} />
          </div>
          <button class="button small" type="submit">
            Ver
          </button>
          <a href={`${path}.csv?${new URLSearchParams(query)}`} data-download>
            Baixar CSV
          </a>
        </form>
        {shown}
      </RecordLayout>
    );
  };

export const reportDownload =
  ({ path, call, columns }: Report): Download =>
  async (visit) => {
    const query = { ...onOf(visit), csv: 'br' as const };
    return fileOf(path, columns, await visit.api.open(call as 'getAgingReport', { query }));
  };

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
