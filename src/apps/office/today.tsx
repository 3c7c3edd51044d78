import { mayCall, type OperationId } from '#staff-client';
import { formatNumber, formatReais, pluralize } from '../text/format.ts';
import { BarChart } from '../ui/chart.tsx';
import { LATENESS_LABELS } from './labels.ts';
import { OfficeLayout } from './layout.tsx';
import { buildLatePurchasesHref, buildWeekQuery, formatNumericDay } from './reports.tsx';
import { Section } from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

/**
 * Work that waits for a staff user, by its kind in the response. Each entry links to the list of pending records. It is shown to the
 * roles that may call `operation`, which resolves a record.
 */
const PENDING_WORK: Readonly<Record<string, { text: string; href: string; operation: OperationId }>> = {
  orphans: { text: 'Pagamentos sem dono', href: '/sem-dono?status=open', operation: 'assignPixOrphan' },
  failed_refunds: {
    text: 'Estornos parados',
    href: '/estornos?status=given_up',
    operation: 'retryPixRefund',
  },
  approvals: { text: 'Aprovações', href: '/aprovacoes?status=waiting', operation: 'approveAct' },
  returns: { text: 'Devoluções a aprovar', href: '/devolucoes?status=waiting', operation: 'approveReturn' },
  reviews: {
    text: 'Análises de crédito',
    href: '/decisoes?outcome=review',
    operation: 'approveCreditDecision',
  },
  rewards: { text: 'Convites a decidir', href: '/convites?status=held', operation: 'approveReferralReward' },
  leads: { text: 'Contatos novos', href: '/contatos?status=new', operation: 'changeLead' },
  webhooks: { text: 'Webhooks desligados', href: '/webhooks?status=disabled', operation: 'enableWebhook' },
};

const MAX_CHARTED_WEEKS = 8;

export const todayPage: OfficePageHandler = async (visit) => {
  const { api, user } = visit;
  const { on: today, waiting: countsByKind, weekly, aging } = await api.showToday();
  const pendingItems = Object.entries(countsByKind).flatMap(([kind, count]) => {
    const pendingWork = PENDING_WORK[kind];
    return pendingWork && mayCall(user!.role, pendingWork.operation) ? [{ ...pendingWork, count }] : [];
  });
  // Future weeks are shown in the report only.
  const weeks = weekly.data.filter(({ week }) => week <= today).slice(-MAX_CHARTED_WEEKS);
  return (
    <OfficeLayout title="Hoje" visit={visit}>
      {pendingItems.length > 0 && (
        <Section title="O que espera">
          <ul class="office-waiting">
            {pendingItems.map(({ text, href, count }) => (
              <li key={href}>
                <a href={href} class={count > 0 ? 'some' : undefined}>
                  <b class="figure">{formatNumber(count)}</b>
                  <span>{text}</span>
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section
        title="Previsto e recebido por semana"
        moreLink={{ href: '/relatorios/semanas', text: 'Relatório' }}
      >
        <BarChart
          title="Últimas semanas"
          series={['Previsto', 'Recebido']}
          categories={weeks.map(({ week, expected, received }) => ({
            label: formatNumericDay(week),
            values: [expected, received],
            href: `/pagamentos?${buildWeekQuery(week)}`,
          }))}
        />
      </Section>
      <Section title="Em atraso, por idade" moreLink={{ href: '/relatorios/atrasos', text: 'Relatório' }}>
        <p>
          <a href="/compras?status=overdue">
            <b class="figure">{formatReais(aging.outstanding)}</b>
          </a>{' '}
          em{' '}
          {pluralize(
            aging.data.reduce((sum, { installments }) => sum + installments, 0),
            'parcela',
            'parcelas',
          )}
        </p>
        <BarChart
          title="Dias de atraso"
          categoryLabel="Atraso"
          series={['Em aberto']}
          categories={aging.data.map(({ days_late, outstanding }) => ({
            label: LATENESS_LABELS[days_late],
            values: [outstanding],
            href: buildLatePurchasesHref(days_late),
          }))}
        />
      </Section>
    </OfficeLayout>
  );
};
