import { count } from '../ui/format.ts';
import { type Act, ActLinks, doneOrWaits, type PlainAct } from './act.tsx';
import { amountIn } from './amounts.ts';
import { OfficeLayout } from './layout.tsx';
import { FACT, MOMENT, YES_NO as NAMES, OUTCOME, reasonOf } from './lists/names.ts';
import { actorInWords } from './lists/trail-words.ts';
import { Code, Facts, Money, maskedName, Section, Status, Table, When } from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
import type { MakeOfficePage, OfficeVisit } from './visit.ts';

const PATH = '/decisoes/:id';
const YES_NO: Readonly<Record<string, string>> = NAMES;
type Decision = StaffSchemas['CreditDecision'];

const read = ({ api, params }: OfficeVisit) => api.getCreditDecision({ path: { id: params.id! } });

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

const figures = async (visit: OfficeVisit) => <Known of={await read(visit)} />;

export const approve: PlainAct = {
  path: `${PATH}/aprovar`,
  call: 'approveCreditDecision',
  title: 'Aprovar',
  back: PATH,
  figures,
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
  button: 'Aprovar',
  async run({ api, params }, sent) {
    const body = {
      ...(sent.text('limit') && { limit: amountIn(sent, 'limit') }),
      ...(sent.text('reason') && { reason: sent.text('reason') }),
    };
    const given = { path: { id: params.id! }, body };
    return doneOrWaits(await api.call('approveCreditDecision', given), 'Aprovada. O cliente é avisado.');
  },
};

export const decline: PlainAct = {
  path: `${PATH}/recusar`,
  call: 'declineCreditDecision',
  title: 'Recusar',
  back: PATH,
  figures,
  fields: [{ name: 'reason', label: 'Motivo', hint: 'O cliente lê este motivo.', rows: 2, maxLength: 500 }],
  button: 'Recusar',
  async run({ api, params }, sent) {
    const body = { reason: sent.text('reason') };
    await api.declineCreditDecision({ path: { id: params.id! }, body });
    return 'Recusada. O cliente é avisado.';
  },
};

export const DECISION_ACTS: readonly Act[] = [approve, decline];

export const decisionPage: MakeOfficePage = async (visit) => {
  const decision = await read(visit);
  const { id, outcome, customer_id, offer_id, shadow_outcome, answered_at, answered_by } = decision;
  const { api } = visit;
  const [named, answers] = await Promise.all([
    api.listCreditDecisions({ query: { customer: customer_id, limit: 1 } }),
    api.listAuditTrail({ query: { subject: `credit_decision:${id}`, limit: 1 } }),
  ]);
  return {
    body: (
      <OfficeLayout
        title="Decisão de crédito"
        visit={visit}
        crumbs={[{ href: '/decisoes', text: 'Decisões' }]}
        actions={outcome === 'review' && <ActLinks visit={visit} acts={[approve, decline]} />}
      >
        <Facts
          of={[
            ['Situação', <Status key="s" of={outcome} names={OUTCOME} />],
            ['Quando', MOMENT[decision.moment]],
            [
              'Cliente',
              <a key="c" href={`/clientes/${customer_id}`}>
                {maskedName(named.data[0]?.customer_name ?? null)}
              </a>,
            ],
            offer_id
              ? [
                  'Oferta',
                  <a key="o" href={`/ofertas/${offer_id}`}>
                    <Code>{offer_id}</Code>
                  </a>,
                ]
              : undefined,
            ['Limite', <Money key="l" of={decision.limit} />],
            [
              'Política',
              <a key="p" href="/politica">
                versão {decision.policy_version}
              </a>,
            ],
            ['Decidida', <When key="d" at={decision.decided_at} />],
            shadow_outcome ? ['A sombra diria', OUTCOME[shadow_outcome]] : undefined,
            answered_at ? ['Respondida', <When key="a" at={answered_at} />] : undefined,
            answered_by ? ['Por quem', answers.data[0]?.actor_name ?? actorInWords(answered_by)] : undefined,
            decision.answer_reason ? ['Motivo', decision.answer_reason] : undefined,
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
      </OfficeLayout>
    ),
  };
};
