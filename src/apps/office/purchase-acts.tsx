import type { StaffSchemas } from '#staff-client';
import { SubmittedForm } from '../server/submitted-form.ts';
import { inReais, sumReais } from '../text/format.ts';
import { defineAct } from './act.tsx';
import { field, Money } from './columns.tsx';
import { readAmount } from './form-values.ts';
import { Facts } from './tables.tsx';

const PATH = '/compras/:hash';

/** What is overdue differs from what it takes to settle the whole purchase. */
export const AmountsOwed = ({
  purchase: { amounts, installments },
}: {
  purchase: Pick<StaffSchemas['StaffCheckout'], 'amounts' | 'installments'>;
}) => {
  const overdue = installments.filter(({ status }) => status === 'overdue');
  return (
    <Facts
      record={amounts}
      titles={{ outstanding: 'Principal em aberto', penalties: 'Multa e juros', total_due: 'Para quitar' }}
      rows={[
        'financed',
        'paid',
        'returned',
        'outstanding',
        'penalties',
        ['Vencido', <Money key="o" amount={sumReais(...overdue.map(({ total_due }) => total_due))} />],
        'total_due',
      ]}
    />
  );
};

/** Without an amount the service returns the whole rest of the purchase. */
const readReturnAmount = (form: SubmittedForm) =>
  form.text('amount') ? { amount: readAmount(form, 'amount') } : {};

const sumRefunds = ({ refunds }: { refunds: ReadonlyArray<{ amount: number }> }) =>
  sumReais(...refunds.map(({ amount }) => amount));

export const returnPurchase = defineAct({
  path: `${PATH}/devolver`,
  call: 'returnCheckout',
  title: 'Registrar devolução',
  approvalAmount: 'entered',
  firstStepFields: [
    {
      name: 'amount',
      label: 'Valor devolvido',
      hint: 'Em branco: tudo o que resta da compra.',
      mask: 'money',
      optional: true,
    },
  ],
  async impact(_, { api, params, search }) {
    const dryRun = await api.returnCheckout({
      path: { hash: params.hash! },
      query: { dry_run: 'true' },
      body: { ...readReturnAmount(new SubmittedForm(search)), reason: 'simulação' },
    });
    if ('approval' in dryRun) throw new Error('A dry run never waits for an approval.');
    return (
      <>
        <Facts
          record={dryRun}
          rows={[
            field('amount', 'Devolvido'),
            ['Volta por PIX', <Money key="p" amount={sumRefunds(dryRun)} />],
            field('cashback', 'Vira cashback'),
          ]}
        />
        <p>Depois disso a compra fica assim:</p>
        <AmountsOwed purchase={dryRun.checkout} />
      </>
    );
  },
  description:
    'O cashback da parte devolvida é desfeito. Não há como desfazer a devolução: seria uma compra nova.',
  fields: ['reason'],
  success: (outcome) =>
    `Devolução de ${inReais(outcome.amount)} registrada. Voltam ${inReais(sumRefunds(outcome))} por PIX.`,
});

export const writeOff = defineAct({
  path: `${PATH}/baixar`,
  call: 'writeOffCheckout',
  title: 'Dar baixa por perda',
  record: 'getCheckoutOfAnybody',
  impact: (purchase) => <AmountsOwed purchase={purchase} />,
  description:
    'O que está em aberto vira perda. O cliente continua devendo, e o que pagar depois é recuperação.',
  approvalAmount: ({ amounts }) => amounts.outstanding,
  fields: ['reason'],
  button: 'Dar baixa',
  success: 'Baixa registrada. Para desfazer, use Desfazer a baixa.',
});

export const reinstate = defineAct({
  path: `${PATH}/desfazer-baixa`,
  call: 'reinstateCheckout',
  title: 'Desfazer a baixa',
  record: 'getCheckoutOfAnybody',
  impact: (purchase) => <AmountsOwed purchase={purchase} />,
  fields: ['reason'],
  success: 'A baixa foi desfeita, com lançamentos novos.',
});
