import { count, inReais, plural } from '../text/format.ts';
import { BarChart } from '../ui/chart.tsx';
import { OfficeLayout } from './layout.tsx';
import { AGE, daysOfWeek, lateFor, shortWeek } from './lists/names.ts';
import { mayCall, type OperationId } from './staff/client.ts';
import { Section } from './tables.tsx';
import type { MakeOfficePage } from './visit.ts';

/**
 * What waits for somebody, by its name in the figures of today: each a link to the rows behind it, for who may make the call that
 * does something about it.
 */
const WAITING: Readonly<Record<string, { text: string; href: string; call: OperationId }>> = {
  orphans: { text: 'Pagamentos sem dono', href: '/sem-dono?status=open', call: 'assignPixOrphan' },
  failed_refunds: { text: 'Estornos parados', href: '/estornos?status=given_up', call: 'retryPixRefund' },
  approvals: { text: 'Aprovações', href: '/aprovacoes?status=waiting', call: 'approveAct' },
  returns: { text: 'Devoluções a aprovar', href: '/devolucoes?status=waiting', call: 'approveReturn' },
  reviews: { text: 'Análises de crédito', href: '/decisoes?outcome=review', call: 'approveCreditDecision' },
  leads: { text: 'Contatos novos', href: '/contatos?status=new', call: 'changeLead' },
  webhooks: { text: 'Webhooks desligados', href: '/webhooks?status=disabled', call: 'enableWebhook' },
};

const WEEKS = 8;

export const todayPage: MakeOfficePage = async (visit) => {
  const { api, who } = visit;
  const { on, waiting: totals, weekly, aging } = await api.showToday();
  const waiting = Object.entries(totals).flatMap(([name, total]) => {
    const known = WAITING[name];
    return known && mayCall(who!.role, known.call) ? [{ ...known, total }] : [];
  });
  // Those to come are in the report.
  const weeks = weekly.data.filter(({ week }) => week <= on).slice(-WEEKS);
  return (
    <OfficeLayout title="Hoje" visit={visit}>
      {waiting.length > 0 && (
        <Section title="O que espera">
          <ul class="office-waiting">
            {waiting.map(({ text, href, total }) => (
              <li key={href}>
                <a href={href} class={total > 0 ? 'some' : undefined}>
                  <b class="figure">{count(total)}</b>
                  <span>{text}</span>
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section
        title="Previsto e recebido por semana"
        more={{ href: '/relatorios/semanas', text: 'Relatório' }}
      >
        <BarChart
          title="Últimas semanas"
          series={['Previsto', 'Recebido']}
          bars={weeks.map(({ week, expected, received }) => ({
            label: shortWeek(week),
            values: [expected, received],
            href: `/pagamentos?${daysOfWeek(week)}`,
          }))}
        />
      </Section>
      <Section title="Em atraso, por idade" more={{ href: '/relatorios/atrasos', text: 'Relatório' }}>
        <p>
          <a href="/compras?status=overdue">
            <b class="figure">{inReais(aging.outstanding)}</b>
          </a>{' '}
          em{' '}
          {plural(
            aging.data.reduce((sum, { installments }) => sum + installments, 0),
            'parcela',
            'parcelas',
          )}
        </p>
        <BarChart
          title="Dias de atraso"
          of="Atraso"
          series={['Em aberto']}
          bars={aging.data.map(({ days_late, outstanding }) => ({
            label: AGE[days_late],
            values: [outstanding],
            href: lateFor(days_late),
          }))}
        />
      </Section>
    </OfficeLayout>
  );
};
