import { Sent } from '../server/visit.ts';
import { inReais } from '../text/format.ts';
import { act, reason } from './act.tsx';
import { money } from './columns.tsx';
import { Money } from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
import { Facts } from './tables.tsx';
import { amountIn, typed } from './typed.ts';

const PATH = '/compras/:hash';

export const Owed = ({ of: { amounts } }: { of: Pick<StaffSchemas['StaffCheckout'], 'amounts'> }) => (
  <Facts
    of={amounts}
    are={[
      money('Financiado', 'financed'),
      money('Pago', 'paid'),
      money('Devolvido', 'returned'),
      money('Principal em aberto', 'outstanding'),
      money('Multa e juros', 'penalties'),
      money('Total hoje', 'total_due'),
    ]}
  />
);

/** All that is left, where no amount was typed. */
const returnIn = (sent: Sent) => (sent.text('amount') ? { amount: amountIn(sent, 'amount') } : {});

const byPix = ({ refunds }: { refunds: ReadonlyArray<{ amount: number }> }) =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

export const giveBack = act({
  path: `${PATH}/devolver`,
  call: 'returnCheckout',
  title: 'Registrar devolução',
  first: [
    {
      name: 'amount',
      label: 'Valor devolvido',
      hint: 'Em branco: tudo o que resta da compra.',
      mask: 'money',
      optional: true,
    },
  ],
  async figures(_, { api, params, search }) {
    const tried = await api.returnCheckout({
      path: { hash: params.hash! },
      query: { dry_run: 'true' },
      body: { ...returnIn(new Sent(search)), reason: 'simulação' },
    });
    return (
      <>
        <Facts
          of={tried}
          are={[
            money('Devolvido', 'amount'),
            ['Volta por PIX', <Money key="p" of={byPix(tried)} />],
            money('Vira cashback', 'cashback'),
          ]}
        />
        <p>Depois disso a compra fica assim:</p>
        <Owed of={tried.checkout} />
      </>
    );
  },
  says: 'O cashback da parte devolvida é desfeito. Não há como desfazer a devolução: seria uma compra nova.',
  fields: [reason],
  body: (sent) => ({ ...returnIn(sent), reason: sent.text('reason') }),
  done: (made) => `Devolução de ${inReais(made.amount)} registrada. Voltam ${inReais(byPix(made))} por PIX.`,
});

export const writeOff = act({
  path: `${PATH}/baixar`,
  call: 'writeOffCheckout',
  title: 'Dar baixa por perda',
  of: 'getCheckoutOfAnybody',
  figures: (purchase) => <Owed of={purchase} />,
  says: 'O que está em aberto vira perda. O cliente continua devendo, e o que pagar depois é recuperação.',
  stake: ({ amounts }) => amounts.outstanding,
  fields: [reason],
  button: 'Dar baixa',
  body: (sent) => typed(sent, 'reason'),
  done: 'Baixa registrada. Para desfazer, use Desfazer a baixa.',
});

export const reinstate = act({
  path: `${PATH}/desfazer-baixa`,
  call: 'reinstateCheckout',
  title: 'Desfazer a baixa',
  of: 'getCheckoutOfAnybody',
  figures: (purchase) => <Owed of={purchase} />,
  fields: [reason],
  body: (sent) => typed(sent, 'reason'),
  done: 'A baixa foi desfeita, com lançamentos novos.',
});
