import type { Sent } from '../server/visit.ts';
import { count, inReais, plainReais, plural } from '../text/format.ts';
import { BarChart } from '../ui/chart.tsx';
import { type ActField, ActLinks, act, doneOrWaits, ifMatch, reason } from './act.tsx';
import { moment, money, share, text } from './columns.tsx';
import { OfficeLayout } from './layout.tsx';
import { FACT, MOMENT, OUTCOME } from './lists/names.ts';
import { When } from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
import { Facts, Section, TableSection } from './tables.tsx';
import { amountIn, filled, readAmount } from './typed.ts';
import type { MakeOfficePage } from './visit.ts';

const PATH = '/politica';
type Policy = StaffSchemas['CreditPolicy'];
type Tried = StaffSchemas['CreditPolicyTried'];

const USES = {
  try: 'Só experimentar no passado: nada muda',
  shadow: 'Sombra: é consultada ao lado e não decide nada',
  force: 'Em vigor a partir de agora',
};

/** A list in a field: one entry a line, its parts separated by semicolons. */
const lines = (rows: ReadonlyArray<ReadonlyArray<string | number | undefined>>) =>
  rows.map((row) => row.map((cell) => cell ?? '').join('; ')).join('\n');
const linesIn = (sent: Sent, name: string): string[][] =>
  sent
    .text(name)
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => line.split(';').map((cell) => cell.trim()));

const policyFields = (policy: Policy): ActField[] => [
  {
    name: 'first_limit',
    label: 'Primeiro limite, em reais',
    mask: 'money',
    value: plainReais(policy.first_limit),
  },
  {
    name: 'growth',
    label: 'Aumento',
    hint: 'Um degrau por linha: compras pagas em dia; pago por elas; limite.',
    rows: 5,
    optional: true,
    value: lines(
      policy.growth.map((step) => [step.paid_on_time, plainReais(step.paid_amount), plainReais(step.limit)]),
    ),
  },
  {
    name: 'late',
    label: 'Atraso',
    hint: 'Um degrau por linha: dias de atraso; quanto fica do aumento, em %.',
    rows: 3,
    optional: true,
    value: lines(policy.late.map(({ days, keep_percent }) => [days, keep_percent])),
  },
  {
    name: 'rules',
    label: 'Regras',
    hint: `Uma por linha: fato; análise; recusa. Fatos: ${Object.entries(FACT)
      .slice(0, 14)
      .map(([fact, name]) => `${fact} (${name})`)
      .join(', ')}.`,
    rows: 5,
    optional: true,
    value: lines(Object.entries(policy.rules).map(([fact, rule]) => [fact, rule?.review, rule?.declined])),
  },
  {
    name: 'signals',
    label: 'Sinais de fraude',
    hint: 'Um por linha: fato; a partir de; peso.',
    rows: 4,
    optional: true,
    value: lines(Object.entries(policy.signals).map(([fact, signal]) => [fact, signal?.at, signal?.weight])),
  },
  { name: 'review_weight', label: 'Análise a partir do peso', value: String(policy.review_weight) },
  { name: 'decline_weight', label: 'Recusa a partir do peso', value: String(policy.decline_weight) },
  {
    name: 'merchant_caps',
    label: 'Limites por loja',
    hint: 'Um por linha: endereço da loja; quanto se pode dever nela.',
    rows: 3,
    optional: true,
    value: lines(policy.merchant_caps.map(({ merchant, limit }) => [merchant, plainReais(limit)])),
  },
  { name: 'bureau_days', label: 'Dias que vale o bureau', value: String(policy.bureau_days) },
];

const policyIn = (sent: Sent): Policy => ({
  first_limit: amountIn(sent, 'first_limit'),
  growth: linesIn(sent, 'growth').map(([times, amount, limit]) => ({
    paid_on_time: readAmount(times),
    paid_amount: readAmount(amount),
    limit: readAmount(limit),
  })),
  late: linesIn(sent, 'late').map(([days, keep]) => ({
    days: readAmount(days),
    keep_percent: readAmount(keep),
  })),
  rules: Object.fromEntries(
    linesIn(sent, 'rules').map(([fact, review, declined]) => [
      fact,
      { ...(review && { review: readAmount(review) }), ...(declined && { declined: readAmount(declined) }) },
    ]),
  ),
  signals: Object.fromEntries(
    linesIn(sent, 'signals').map(([fact, at, weight]) => [
      fact,
      { at: readAmount(at), weight: readAmount(weight) },
    ]),
  ),
  review_weight: amountIn(sent, 'review_weight'),
  decline_weight: amountIn(sent, 'decline_weight'),
  merchant_caps: linesIn(sent, 'merchant_caps').map(([merchant = '', limit]) => ({
    merchant,
    limit: readAmount(limit),
  })),
  bureau_days: amountIn(sent, 'bureau_days'),
});

/** What a policy would have decided otherwise, and what that came to. */
function Differences({ of: { decisions, same, changes, refused } }: { of: Tried }) {
  return (
    <>
      <p>
        De {plural(decisions, 'decisão', 'decisões')}: {plural(same, 'seria igual', 'seriam iguais')},{' '}
        <b>{plural(decisions - same, 'seria diferente', 'seriam diferentes')}</b>.
      </p>
      {changes.length > 0 && (
        <BarChart
          title="O que seria diferente"
          of="De, para"
          series={['Decisões']}
          show={count}
          bars={changes.map(({ from, to, moment, decisions: many, limit_difference }, at) => ({
            label: `${at + 1}. ${OUTCOME[from]} → ${OUTCOME[to]}, ${MOMENT[moment].toLowerCase()}, limites ${inReais(limit_difference)}`,
            short: String(at + 1),
            values: [many],
          }))}
        />
      )}
      {refused.purchases > 0 && (
        <BarChart
          title={`${plural(refused.purchases, 'compra que seria recusada', 'compras que seriam recusadas')}: no que deram`}
          of="Situação"
          series={['Valor']}
          bars={[
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

export const propose = act({
  path: `${PATH}/propor`,
  call: 'setCreditPolicy',
  title: 'Experimentar ou propor outra',
  says:
    'Experimente primeiro: a política decide de novo as últimas 10.000 e mostra o que mudaria. Limites já ' +
    'dados ficam como estão.',
  stake: 'any',
  edits: 'getCreditPolicy',
  fields: ({ policy }) => [
    ...policyFields(policy),
    { name: 'use', label: 'O que fazer com ela', choices: USES, value: 'try' },
    { ...reason, optional: true },
  ],
  button: 'Continuar',
  async run({ api }, sent) {
    const policy = policyIn(sent);
    const use = sent.text('use');
    if (use !== 'shadow' && use !== 'force')
      return {
        found: (
          <Section title="No passado">
            <Differences of={await api.tryCreditPolicy({ body: { policy } })} />
          </Section>
        ),
      };
    const body = { ...(use === 'shadow' ? { shadow: policy } : { policy }), ...filled(sent, 'reason') };
    return doneOrWaits(
      await api.call('setCreditPolicy', { body, ...ifMatch(sent) }),
      use === 'shadow' ? 'A sombra é consultada a partir de agora.' : 'A política está em vigor.',
    );
  },
});

export const dropShadow = act({
  path: `${PATH}/sem-sombra`,
  call: 'setCreditPolicy',
  title: 'Tirar a sombra',
  stake: 'any',
  fields: [{ ...reason, optional: true }],
  body: (sent) => ({ shadow: null, ...filled(sent, 'reason') }),
  done: 'A sombra foi tirada.',
});

const Rules = ({ of: { rules, signals } }: { of: Policy }) => {
  const facts = Object.keys(FACT).filter((fact) => fact in rules || fact in signals);
  const rule = (fact: string) => rules[fact as keyof typeof rules];
  const signal = (fact: string) => signals[fact as keyof typeof signals];
  return (
    <TableSection
      title="Regras e sinais"
      rows={facts}
      empty="Nenhuma regra e nenhum sinal."
      columns={[
        { title: 'Fato', show: (fact) => FACT[fact] },
        { title: 'Análise', isNumber: true, show: (fact) => rule(fact)?.review },
        { title: 'Recusa', isNumber: true, show: (fact) => rule(fact)?.declined },
        { title: 'Sinal a partir de', isNumber: true, show: (fact) => signal(fact)?.at },
        { title: 'Peso', isNumber: true, show: (fact) => signal(fact)?.weight },
      ]}
    />
  );
};

const Shown = ({ of: policy }: { of: Policy }) => (
  <>
    <Facts
      of={policy}
      are={[
        money('Primeiro limite', 'first_limit'),
        ['Análise a partir do peso', policy.review_weight],
        ['Recusa a partir do peso', policy.decline_weight],
        ['O bureau vale', plural(policy.bureau_days, 'dia', 'dias')],
      ]}
    />
    <TableSection
      title="Aumento"
      rows={policy.growth}
      empty="O limite não aumenta."
      columns={[
        { title: 'Compras pagas em dia', show: ({ paid_on_time }) => paid_on_time },
        money('Pago por elas', 'paid_amount'),
        money('Limite', 'limit'),
      ]}
    />
    <TableSection
      title="Atraso"
      rows={policy.late}
      empty="O atraso não tira do aumento."
      columns={[
        { title: 'Dias de atraso', show: ({ days }) => days },
        share('Fica do aumento', 'keep_percent'),
      ]}
    />
    <Rules of={policy} />
    {policy.merchant_caps.length > 0 && (
      <TableSection
        title="Limites por loja"
        rows={policy.merchant_caps}
        open={({ merchant }) => `/lojas/${merchant}`}
        columns={[text('Loja', 'merchant'), money('Limite', 'limit')]}
      />
    )}
  </>
);

export const policyPage: MakeOfficePage = async (visit) => {
  const { api } = visit;
  const [now, versions] = await Promise.all([
    api.getCreditPolicy(),
    api.listCreditPolicyVersions({ query: { limit: 50 } }),
  ]);
  const { shadow } = now;
  const setBy = versions.data.find((one) => one.version === now.version)?.set_by_name;
  return (
    <OfficeLayout
      title="Política de crédito"
      visit={visit}
      actions={<ActLinks visit={visit} acts={[propose, shadow !== null && dropShadow]} />}
    >
      <p>
        Versão <b>{now.version}</b>,{' '}
        {now.set_at === null ? 'a que vem de fábrica' : `de ${setBy ?? now.set_by}`}
        {now.set_at && (
          <>
            , <When at={now.set_at} />
          </>
        )}
        .
      </p>
      <Shown of={now.policy} />
      {shadow && (
        <Section title={`Sombra, versão ${shadow.version}`}>
          <p class="muted">É consultada ao lado desde {<When at={shadow.set_at} />} e não decide nada.</p>
          <Differences of={shadow.figures} />
        </Section>
      )}
      <TableSection
        title="Versões"
        rows={versions.data}
        empty="Só a de fábrica, que é a versão 1."
        columns={[
          { title: 'Versão', show: ({ version }) => version },
          {
            title: 'Como',
            show: ({ role, policy }) =>
              role === 'force' ? 'Em vigor' : policy === null ? 'Sem sombra' : 'Sombra',
          },
          text('Quem', 'set_by_name'),
          moment('Quando', 'set_at'),
        ]}
      />
    </OfficeLayout>
  );
};
