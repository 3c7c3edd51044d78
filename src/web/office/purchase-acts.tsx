import { Sent } from '../server/visit.ts';
import { inReais } from '../ui/format.ts';
import { type Act, doneOrWaits, reason } from './act.tsx';
import { amountIn } from './amounts.ts';
import { Facts, Money } from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
import type { OfficeVisit } from './visit.ts';

const PATH = '/compras/:hash';

export const readPurchase = ({ api, params }: OfficeVisit) =>
  api.getCheckoutOfAnybody({ path: { hash: params.hash! } });

export const Owed = ({ of: { amounts } }: { of: Pick<StaffSchemas['StaffCheckout'], 'amounts'> }) => (
  <Facts
    of={[
      ['Financiado', <Money key="f" of={amounts.financed} />],
      ['Pago', <Money key="p" of={amounts.paid} />],
      ['Devolvido', <Money key="r" of={amounts.returned} />],
      ['Principal em aberto', <Money key="o" of={amounts.outstanding} />],
      ['Multa e juros', <Money key="m" of={amounts.penalties} />],
      ['Total hoje', <Money key="t" of={amounts.total_due} />],
    ]}
  />
);

export const giveBack: Act = {
  path: `${PATH}/devolver`,
  call: 'returnCheckout',
  title: 'Registrar devolução',
  back: PATH,
  first: [
    {
      name: 'amount',
      label: 'Valor devolvido',
      hint: 'Em branco: tudo o que resta da compra.',
      mask: 'money',
      optional: true,
    },
  ],
  async figures({ api, params, search }) {
    const amount = search.get('amount') ? { amount: amountIn(new Sent(search), 'amount') } : {};
    const {
      amount: returned,
      refunds,
      cashback,
      checkout,
    } = await api.returnCheckout({
      path: { hash: params.hash! },
      query: { dry_run: 'true' },
      body: { ...amount, reason: 'simulação' },
    });
    return (
      <>
        <Facts
          of={[
            ['Devolvido', <Money key="d" of={returned} />],
            ['Volta por PIX', <Money key="p" of={refunds.reduce((sum, refund) => sum + refund.amount, 0)} />],
            ['Vira cashback', <Money key="c" of={cashback} />],
          ]}
        />
        <p>Depois disso a compra fica assim:</p>
        <Owed of={checkout} />
        <p>
          O cashback da parte devolvida é desfeito. Não há como desfazer a devolução: seria uma compra nova.
        </p>
      </>
    );
  },
  fields: [reason],
  button: 'Registrar devolução',
  async run({ api, params, idempotencyKey }, sent) {
    const amount = sent.text('amount') ? { amount: amountIn(sent, 'amount') } : {};
    const body = { ...amount, reason: sent.text('reason') };
    const made = await api.returnCheckout({ path: { hash: params.hash! }, body, idempotencyKey });
    const back = made.refunds.reduce((sum, refund) => sum + refund.amount, 0);
    return `Devolução de ${inReais(made.amount)} registrada. Voltam ${inReais(back)} por PIX.`;
  },
};

export const writeOff: Act = {
  path: `${PATH}/baixar`,
  call: 'writeOffCheckout',
  title: 'Dar baixa por perda',
  back: PATH,
  figures: async (visit) => (
    <>
      <Owed of={await readPurchase(visit)} />
      <p>O que está em aberto vira perda. O cliente continua devendo, e o que pagar depois é recuperação.</p>
    </>
  ),
  stake: async (visit) => (await readPurchase(visit)).amounts.outstanding,
  fields: [reason],
  button: 'Dar baixa',
  async run({ api, params }, sent) {
    const given = { path: { hash: params.hash! }, body: { reason: sent.text('reason') } };
    return doneOrWaits(
      await api.call('writeOffCheckout', given),
      'Baixa registrada. Para desfazer, use Desfazer a baixa.',
    );
  },
};

export const reinstate: Act = {
  path: `${PATH}/desfazer-baixa`,
  call: 'reinstateCheckout',
  title: 'Desfazer a baixa',
  back: PATH,
  figures: async (visit) => <Owed of={await readPurchase(visit)} />,
  fields: [reason],
  button: 'Desfazer a baixa',
  async run({ api, params }, sent) {
    await api.reinstateCheckout({ path: { hash: params.hash! }, body: { reason: sent.text('reason') } });
    return 'A baixa foi desfeita, com lançamentos novos.';
  },
};

export const PURCHASE_ACTS: readonly Act[] = [giveBack, writeOff, reinstate];
