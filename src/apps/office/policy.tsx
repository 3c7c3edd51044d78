import type { Item, StaffSchemas } from '#staff-client';
import type { SubmittedForm } from '../server/submitted-form.ts';
import { formatNumber, formatReais, formatReaisInput, pluralize } from '../text/format.ts';
import { BarChart } from '../ui/chart.tsx';
import { ActionLinks, defineAction, type FieldDeclaration, readIfMatch, toActionResult } from './action.tsx';
import { PendingApproval } from './approval.tsx';
import { pickFilledFields, readDecimal, requireDecimal } from './form-values.ts';
import {
  DECISION_MOMENT_LABELS,
  DECISION_OUTCOME_LABELS,
  FACT_LABELS,
  POLICY_FACT_LABELS,
} from './labels.ts';
import { OfficeLayout } from './layout.tsx';
import { DescriptionList, Section, TableSection, Timestamp, withTitle } from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

const POLICY_PATH = '/politica';
type Policy = StaffSchemas['CreditPolicy'];
type TrialOutcome = StaffSchemas['CreditPolicyTried'];

/** What to do with the policy in the form: try it on past decisions, make it the shadow, or put it in force. */
const USE_LABELS = {
  try: 'Só experimentar no passado: nada muda',
  shadow: 'Sombra: é consultada ao lado e não decide nada',
  force: 'Em vigor a partir de agora',
};

/** Formats rows for a text field: one row per line, its cells separated by semicolons. */
const formatRows = (rows: ReadonlyArray<ReadonlyArray<string | number | undefined>>) =>
  rows.map((row) => row.map((cell) => cell ?? '').join('; ')).join('\n');
const readRows = (form: SubmittedForm, name: string): string[][] =>
  form
    .readText(name)
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => line.split(';').map((cell) => cell.trim()));

const createPolicyFields = (policy: Policy): FieldDeclaration[] => [
  {
    name: 'first_limit',
    label: 'Primeiro limite, em reais',
    mask: 'money',
    value: formatReaisInput(policy.first_limit),
  },
  {
    name: 'growth',
    hint: 'Um degrau por linha: compras pagas em dia; pago por elas; limite.',
    rows: 5,
    optional: true,
    value: formatRows(
      policy.growth.map((step) => [
        step.paid_on_time,
        formatReaisInput(step.paid_amount),
        formatReaisInput(step.limit),
      ]),
    ),
  },
  {
    name: 'late',
    hint: 'Um degrau por linha: dias de atraso; quanto fica do aumento, em %.',
    rows: 3,
    optional: true,
    value: formatRows(policy.late.map(({ days, keep_percent }) => [days, keep_percent])),
  },
  {
    name: 'rules',
    hint: `Uma por linha: fato; análise; recusa. Fatos: ${Object.values(POLICY_FACT_LABELS).join('; ')}.`,
    rows: 5,
    optional: true,
    value: formatRows(
      Object.entries(policy.rules).map(([fact, rule]) => [FACT_LABELS[fact], rule?.review, rule?.declined]),
    ),
  },
  {
    name: 'signals',
    hint: 'Um por linha: fato; a partir de; peso.',
    rows: 4,
    optional: true,
    value: formatRows(
      Object.entries(policy.signals).map(([fact, signal]) => [FACT_LABELS[fact], signal?.at, signal?.weight]),
    ),
  },
  { name: 'review_weight', value: String(policy.review_weight) },
  { name: 'decline_weight', value: String(policy.decline_weight) },
  {
    name: 'merchant_caps',
    hint: 'Um por linha: endereço da loja; quanto se pode dever nela.',
    rows: 3,
    optional: true,
    value: formatRows(policy.merchant_caps.map(({ merchant, limit }) => [merchant, formatReaisInput(limit)])),
  },
  { name: 'bureau_days', value: String(policy.bureau_days) },
];

/** Returns the code of a fact. Users may type its label or its code. */
const toFactCode = (fact = ''): string =>
  Object.keys(POLICY_FACT_LABELS).find((code) => POLICY_FACT_LABELS[code] === fact) ?? fact;

const readPolicy = (form: SubmittedForm): Policy => ({
  first_limit: readDecimal(form, 'first_limit'),
  growth: readRows(form, 'growth').map(([paidOnTime, amount, limit]) => ({
    paid_on_time: requireDecimal('growth', paidOnTime),
    paid_amount: requireDecimal('growth', amount),
    limit: requireDecimal('growth', limit),
  })),
  late: readRows(form, 'late').map(([days, keepPercent]) => ({
    days: requireDecimal('late', days),
    keep_percent: requireDecimal('late', keepPercent),
  })),
  rules: Object.fromEntries(
    readRows(form, 'rules').map(([fact, review, declined]) => [
      toFactCode(fact),
      {
        ...(review && { review: requireDecimal('rules', review) }),
        ...(declined && { declined: requireDecimal('rules', declined) }),
      },
    ]),
  ),
  signals: Object.fromEntries(
    readRows(form, 'signals').map(([fact, threshold, weight]) => [
      toFactCode(fact),
      { at: requireDecimal('signals', threshold), weight: requireDecimal('signals', weight) },
    ]),
  ),
  review_weight: readDecimal(form, 'review_weight'),
  decline_weight: readDecimal(form, 'decline_weight'),
  merchant_caps: readRows(form, 'merchant_caps').map(([merchant = '', limit]) => ({
    merchant,
    limit: requireDecimal('merchant_caps', limit),
  })),
  bureau_days: readDecimal(form, 'bureau_days'),
});

/** The past decisions that a policy would have made differently, and how the purchases that it would have refused turned out. */
function Differences({ outcome }: { outcome: TrialOutcome }) {
  const { decisions: decisionCount, same: sameCount, changes, refused } = outcome;
  return (
    <>
      <p>
        De {pluralize(decisionCount, 'decisão', 'decisões')}:{' '}
        {pluralize(sameCount, 'seria igual', 'seriam iguais')},{' '}
        <b>{pluralize(decisionCount - sameCount, 'seria diferente', 'seriam diferentes')}</b>.
      </p>
      {changes.length > 0 && (
        <BarChart
          title="O que seria diferente"
          categoryLabel="De, para"
          series={['Decisões']}
          formatValue={formatNumber}
          categories={changes.map(({ from, to, moment, decisions: changedCount, limit_difference }, i) => ({
            label: `${i + 1}. ${DECISION_OUTCOME_LABELS[from]} → ${DECISION_OUTCOME_LABELS[to]}, ${DECISION_MOMENT_LABELS[moment].toLowerCase()}, limites ${formatReais(limit_difference)}`,
            shortLabel: String(i + 1),
            values: [changedCount],
          }))}
        />
      )}
      {refused.purchases > 0 && (
        <BarChart
          title={`${pluralize(refused.purchases, 'compra que seria recusada', 'compras que seriam recusadas')}: no que deram`}
          categoryLabel="Situação"
          series={['Valor']}
          categories={[
            { label: 'Vendido', values: [refused.sold] },
            { label: 'Pago', values: [refused.paid] },
            { label: 'Em atraso', values: [refused.late] },
            { label: 'Perdido', values: [refused.written_off] },
          ]}
        />
      )}
    </>
  );
}

export const proposePolicy = defineAction({
  path: `${POLICY_PATH}/propor`,
  operation: 'setCreditPolicy',
  title: 'Experimentar ou propor outra',
  description:
    'Experimente primeiro: a política decide de novo as últimas 10.000 e mostra o que mudaria. Limites já ' +
    'dados ficam como estão.',
  approvalRule: 'always',
  editedRecordOperation: 'getCreditPolicy',
  fields: ({ policy }) => [
    ...createPolicyFields(policy),
    { name: 'use', label: 'O que fazer com ela', choices: USE_LABELS, value: 'try' },
    { name: 'reason', optional: true },
  ],
  button: 'Continuar',
  async run({ api }, form) {
    const policy = readPolicy(form);
    const use = form.readText('use');
    // A form without a choice changes nothing.
    if (use !== 'shadow' && use !== 'force')
      return {
        trialResult: (
          <Section title="No passado">
            <Differences outcome={await api.tryCreditPolicy({ body: { policy } })} />
          </Section>
        ),
      };
    const body = {
      ...(use === 'shadow' ? { shadow: policy } : { policy }),
      ...pickFilledFields(form, 'reason'),
    };
    return toActionResult(
      await api.call('setCreditPolicy', { body, ...readIfMatch(form) }),
      use === 'shadow' ? 'A sombra é consultada a partir de agora.' : 'A política está em vigor.',
    );
  },
});

export const removeShadow = defineAction({
  path: `${POLICY_PATH}/sem-sombra`,
  operation: 'setCreditPolicy',
  title: 'Tirar a sombra',
  approvalRule: 'always',
  fields: [{ name: 'reason', optional: true }],
  body: (form) => ({ shadow: null, ...pickFilledFields(form, 'reason') }),
  success: 'A sombra foi tirada.',
});

const Rules = ({ policy: { rules, signals } }: { policy: Policy }) => {
  const facts = Object.keys(FACT_LABELS).filter((fact) => fact in rules || fact in signals);
  const getRule = (fact: string) => rules[fact as keyof typeof rules];
  const getSignal = (fact: string) => signals[fact as keyof typeof signals];
  return (
    <TableSection
      title="Regras e sinais"
      rows={facts}
      emptyText="Nenhuma regra e nenhum sinal."
      columns={[
        { title: 'Fato', render: (fact) => FACT_LABELS[fact] },
        { title: 'Análise', isNumber: true, render: (fact) => getRule(fact)?.review },
        { title: 'Recusa', isNumber: true, render: (fact) => getRule(fact)?.declined },
        { title: 'Sinal a partir de', isNumber: true, render: (fact) => getSignal(fact)?.at },
        { title: 'Peso', isNumber: true, render: (fact) => getSignal(fact)?.weight },
      ]}
    />
  );
};

const PolicySummary = ({ policy }: { policy: Policy }) => (
  <>
    <DescriptionList
      record={policy}
      rows={[
        withTitle('first_limit', 'Primeiro limite', { unit: 'amount' }),
        'review_weight',
        'decline_weight',
        ['O bureau vale', pluralize(policy.bureau_days, 'dia', 'dias')],
      ]}
    />
    <TableSection
      title="Aumento"
      rows={policy.growth}
      emptyText="O limite não aumenta."
      columns={['paid_on_time', withTitle('paid_amount', 'Pago por elas', { unit: 'amount' }), 'limit']}
    />
    <TableSection
      title="Atraso"
      rows={policy.late}
      emptyText="O atraso não tira do aumento."
      columns={[
        { title: 'Dias de atraso', render: ({ days }) => days },
        withTitle('keep_percent', 'Fica do aumento'),
      ]}
    />
    <Rules policy={policy} />
    {policy.merchant_caps.length > 0 && (
      <TableSection
        title="Limites por loja"
        rows={policy.merchant_caps}
        rowHref={({ merchant }) => `/lojas/${merchant}`}
        columns={[withTitle('merchant', 'Loja'), 'limit']}
      />
    )}
  </>
);

/** Describes what a version was set for. A shadow version without a policy removed the shadow. */
function describeUse({ role, policy }: Item<'listCreditPolicyVersions'>): string {
  if (role === 'force') return 'Em vigor';
  return policy === null ? 'Sem sombra' : 'Sombra';
}

export const policyPage: OfficePageHandler = async (visit) => {
  const { api } = visit;
  const [currentPolicy, versions] = await Promise.all([
    api.getCreditPolicy(),
    api.listCreditPolicyVersions({ query: { limit: 50 } }),
  ]);
  const { shadow } = currentPolicy;
  const setByName = versions.data.find(({ version }) => version === currentPolicy.version)?.set_by_name;
  return (
    <OfficeLayout
      title="Política de crédito"
      visit={visit}
      actionLinks={<ActionLinks visit={visit} actions={[proposePolicy, shadow !== null && removeShadow]} />}
    >
      <PendingApproval approval={currentPolicy.approval} />
      <p>
        Versão <b>{currentPolicy.version}</b>,{' '}
        {currentPolicy.set_at === null ? 'a que vem de fábrica' : `de ${setByName ?? currentPolicy.set_by}`}
        {currentPolicy.set_at && (
          <>
            , <Timestamp instant={currentPolicy.set_at} />
          </>
        )}
        .
      </p>
      <PolicySummary policy={currentPolicy.policy} />
      {shadow && (
        <Section title={`Sombra, versão ${shadow.version}`}>
          <p class="muted">
            É consultada ao lado desde <Timestamp instant={shadow.set_at} /> e não decide nada.
          </p>
          <Differences outcome={shadow.figures} />
        </Section>
      )}
      <TableSection
        title="Versões"
        rows={versions.data}
        emptyText="Só a de fábrica, que é a versão 1."
        columns={[
          { title: 'Versão', render: ({ version }) => version },
          {
            title: 'Como',
            render: describeUse,
          },
          withTitle('set_by_name', 'Quem'),
          'set_at',
        ]}
      />
    </OfficeLayout>
  );
};
