import type { StaffSchemas } from '#staff-client';
import { formatNumber } from '../text/format.ts';
import { defineAction } from './action.tsx';
import { describeActor } from './audit-trail.tsx';
import {
  DECISION_MOMENT_LABELS,
  DECISION_OUTCOME_LABELS,
  FACT_LABELS,
  getReasonLabel,
  YES_NO_LABELS,
} from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { Code, DescriptionList, Section, Table, toMaskedName, withTitle } from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

const DECISION_PATH = '/decisoes/:id';
/** Labels of the values of facts that are not numbers: yes or no, or the `cause` of a new decision. */
const FACT_VALUE_LABELS: Readonly<Record<string, string>> = {
  ...YES_NO_LABELS,
  reversal: 'Devolução ou estorno',
};
type Decision = StaffSchemas['CreditDecision'];

/** Returns whether the fact is a reason for the decision. A reason is named after its fact, with `_unknown` if the fact is missing. */
const isReason = (name: string, { reasons }: Decision) =>
  reasons.some((code) => code.replace(/_unknown$/, '') === name);

/** Lists the facts without `moment`, which the page shows as a value of the decision. */
const listFacts = ({ facts }: Decision) => Object.entries(facts).filter(([name]) => name !== 'moment');

const FactsTable = ({ decision }: { decision: Decision }) => (
  <Table
    caption="O que se sabia"
    rows={listFacts(decision)}
    columns={[
      { title: 'Fato', render: ([name]) => FACT_LABELS[name] ?? name },
      {
        title: 'Valor',
        isNumber: true,
        render: ([, value]) => {
          if (value === null) return 'não se sabe';
          return typeof value === 'number'
            ? formatNumber(value)
            : (FACT_VALUE_LABELS[String(value)] ?? String(value));
        },
      },
      {
        title: 'Pesou',
        render: ([name]) => (isReason(name, decision) ? 'Sim' : ''),
      },
    ]}
  />
);

export const approveDecision = defineAction({
  path: `${DECISION_PATH}/aprovar`,
  operation: 'approveCreditDecision',
  title: 'Aprovar',
  recordOperation: 'getCreditDecision',
  renderImpact: (decision) => <FactsTable decision={decision} />,
  approvalRule: 'enteredAmountAboveLimit',
  fields: [
    {
      name: 'limit',
      label: 'Limite, em reais',
      hint: 'Em branco: um cadastro recebe o primeiro limite; o de quem compra fica como está.',
      mask: 'money',
      optional: true,
    },
    { name: 'reason', optional: true },
  ],
  success: 'Aprovada. O cliente é avisado.',
});

export const declineDecision = defineAction({
  path: `${DECISION_PATH}/recusar`,
  operation: 'declineCreditDecision',
  title: 'Recusar',
  recordOperation: 'getCreditDecision',
  renderImpact: (decision) => <FactsTable decision={decision} />,
  fields: [{ name: 'reason', hint: 'O cliente lê este motivo.' }],
  success: 'Recusada. O cliente é avisado.',
});

export const decisionPage: OfficePageHandler = async (visit) => {
  const { api, params } = visit;
  const decision = await api.getCreditDecision({ path: { id: params.id! } });
  const { id, outcome, customer_id, offer_id, shadow_outcome, answered_at, answered_by } = decision;
  // Only the list contains the name of the customer.
  const [namedDecisions, trail] = await Promise.all([
    api.listCreditDecisions({ query: { customer: customer_id, limit: 1 } }),
    api.listAuditTrail({ query: { subject: `credit_decision:${id}`, limit: 1 } }),
  ]);
  return (
    <RecordLayout
      title="Decisão de crédito"
      visit={visit}
      actions={outcome === 'review' && [approveDecision, declineDecision]}
    >
      <DescriptionList
        record={decision}
        rows={[
          withTitle('outcome', 'Situação', { labels: DECISION_OUTCOME_LABELS }),
          withTitle('moment', 'Quando', { labels: DECISION_MOMENT_LABELS }),
          [
            'Cliente',
            toMaskedName(namedDecisions.data[0]?.customer_name ?? null),
            `/clientes/${customer_id}`,
          ],
          offer_id && ['Oferta', <Code>{offer_id}</Code>, `/ofertas/${offer_id}`],
          'limit',
          ['Política', `versão ${decision.policy_version}`, '/politica'],
          withTitle('decided_at', 'Decidida'),
          shadow_outcome &&
            withTitle('shadow_outcome', 'A sombra diria', { labels: DECISION_OUTCOME_LABELS }),
          answered_at && withTitle('answered_at', 'Respondida'),
          answered_by && ['Por quem', trail.data[0]?.actor_name ?? describeActor(answered_by)],
          decision.answer_reason && withTitle('answer_reason', 'Motivo'),
        ]}
      />
      <Section title="Por quê">
        <ul class="office-sums">
          {decision.reasons.map((code) => (
            <li key={code}>{getReasonLabel(code)}</li>
          ))}
        </ul>
      </Section>
      <Section title="O que se sabia">
        <FactsTable decision={decision} />
      </Section>
    </RecordLayout>
  );
};
