import { count } from '../text/format.ts';
import { act } from './act.tsx';
import { moment, money, named, state, text } from './columns.tsx';
import { FACT, MOMENT, YES_NO as NAMES, OUTCOME, reasonOf } from './lists/names.ts';
import { actorInWords } from './lists/trail-words.ts';
import { Code, maskedName } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import type { StaffSchemas } from './staff/client.ts';
import { Facts, Section, Table } from './tables.tsx';
import { amountIn, filled, typed } from './typed.ts';
import type { MakeOfficePage } from './visit.ts';

const PATH = '/decisoes/:id';
const YES_NO: Readonly<Record<string, string>> = NAMES;
type Decision = StaffSchemas['CreditDecision'];

/** What was known, and what counted. */
const Known = ({ of: { facts, reasons } }: { of: Decision }) => (
  <Table
    caption="O que se sabia"
    rows={Object.entries(facts).filter(([name]) => name !== 'moment')}
    columns={[
      { title: 'Fato', show: ([name]) => FACT[name] ?? name },
      {
        title: 'Valor',
        isNumber: true,
        show: ([, value]) => {
          if (value === null) return 'não se sabe';
          return typeof value === 'number' ? count(value) : (YES_NO[String(value)] ?? String(value));
        },
      },
      {
        title: 'Pesou',
        show: ([name]) => (reasons.some((code) => code.replace(/_unknown$/, '') === name) ? 'Sim' : ''),
      },
    ]}
  />
);

export const approve = act({
  path: `${PATH}/aprovar`,
  call: 'approveCreditDecision',
  title: 'Aprovar',
  of: 'getCreditDecision',
  figures: (decision) => <Known of={decision} />,
  stake: 'typed',
  fields: [
    {
      name: 'limit',
      label: 'Limite, em reais',
      hint: 'Em branco: um cadastro recebe o primeiro limite; o de quem compra fica como está.',
      mask: 'money',
      optional: true,
    },
    { name: 'reason', label: 'Motivo', rows: 2, maxLength: 500, optional: true },
  ],
  body: (sent) => ({
    ...(sent.text('limit') && { limit: amountIn(sent, 'limit') }),
    ...filled(sent, 'reason'),
  }),
  done: 'Aprovada. O cliente é avisado.',
});

export const decline = act({
  path: `${PATH}/recusar`,
  call: 'declineCreditDecision',
  title: 'Recusar',
  of: 'getCreditDecision',
  figures: (decision) => <Known of={decision} />,
  fields: [{ name: 'reason', label: 'Motivo', hint: 'O cliente lê este motivo.', rows: 2, maxLength: 500 }],
  body: (sent) => typed(sent, 'reason'),
  done: 'Recusada. O cliente é avisado.',
});

export const decisionPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const decision = await api.getCreditDecision({ path: { id: params.id! } });
  const { id, outcome, customer_id, offer_id, shadow_outcome, answered_at, answered_by } = decision;
  const [ofCustomer, answers] = await Promise.all([
    api.listCreditDecisions({ query: { customer: customer_id, limit: 1 } }),
    api.listAuditTrail({ query: { subject: `credit_decision:${id}`, limit: 1 } }),
  ]);
  return (
    <RecordLayout title="Decisão de crédito" visit={visit} acts={outcome === 'review' && [approve, decline]}>
      <Facts
        of={decision}
        are={[
          state('Situação', 'outcome', OUTCOME),
          named('Quando', 'moment', MOMENT),
          ['Cliente', maskedName(ofCustomer.data[0]?.customer_name ?? null), `/clientes/${customer_id}`],
          offer_id && ['Oferta', <Code key="o">{offer_id}</Code>, `/ofertas/${offer_id}`],
          money('Limite', 'limit'),
          ['Política', `versão ${decision.policy_version}`, '/politica'],
          moment('Decidida', 'decided_at'),
          shadow_outcome && named('A sombra diria', 'shadow_outcome', OUTCOME),
          answered_at && moment('Respondida', 'answered_at'),
          answered_by && ['Por quem', answers.data[0]?.actor_name ?? actorInWords(answered_by)],
          decision.answer_reason && text('Motivo', 'answer_reason'),
        ]}
      />
      <Section title="Por quê">
        <ul class="office-sums">
          {decision.reasons.map((code) => (
            <li key={code}>{reasonOf(code)}</li>
          ))}
        </ul>
      </Section>
      <Section title="O que se sabia">
        <Known of={decision} />
      </Section>
    </RecordLayout>
  );
};
