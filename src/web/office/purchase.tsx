import { Sent } from '../server/visit.ts';
import { inReais, longDay, percent, plural } from '../ui/format.ts';
import { type Act, ActLinks, doneOrWaits, reason } from './act.tsx';
import { amountIn } from './amounts.ts';
import { OfficeLayout } from './layout.tsx';
import { CHARGE, CHARGE_TYPE, EVENT, PURCHASE } from './lists/names.ts';
import { Code, day, Facts, Money, moment, money, Section, Status, Table, When } from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
import type { MakeOfficePage, OfficeVisit } from './visit.ts';

const PATH = '/compras/:hash';
type Purchase = StaffSchemas['OperatorCheckoutShown'];
type Installment = Purchase['installments'][number];

const read = ({ api, params }: OfficeVisit) => api.getCheckoutOfAnybody({ path: { hash: params.hash! } });

const Owed = ({ of: { amounts } }: { of: Pick<Purchase, 'amounts'> }) => (
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

const giveBack: Act = {
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

const writeOff: Act = {
  path: `${PATH}/baixar`,
  call: 'writeOffCheckout',
  title: 'Dar baixa por perda',
  back: PATH,
  figures: async (visit) => (
    <>
      <Owed of={await read(visit)} />
      <p>O que está em aberto vira perda. O cliente continua devendo, e o que pagar depois é recuperação.</p>
    </>
  ),
  stake: async (visit) => (await read(visit)).amounts.outstanding,
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

const reinstate: Act = {
  path: `${PATH}/desfazer-baixa`,
  call: 'reinstateCheckout',
  title: 'Desfazer a baixa',
  back: PATH,
  figures: async (visit) => <Owed of={await read(visit)} />,
  fields: [reason],
  button: 'Desfazer a baixa',
  async run({ api, params }, sent) {
    await api.reinstateCheckout({ path: { hash: params.hash! }, body: { reason: sent.text('reason') } });
    return 'A baixa foi desfeita, com lançamentos novos.';
  },
};

export const PURCHASE_ACTS: readonly Act[] = [giveBack, writeOff, reinstate];

/** What went to fine, interest and extensions: in centavos, so that the sum is exact. */
const chargesPaid = ({ charges_paid: { fine, interest, extension_fee } }: Installment) =>
  Math.round((fine + interest + extension_fee) * 100) / 100;

/** The arithmetic of what is late, in words. */
function Arithmetic({ terms, of }: { terms: Purchase['terms']; of: Installment }) {
  const { penalty, number, outstanding, effective_due_on } = of;
  const days = plural(penalty.days_late, 'dia', 'dias');
  return (
    <li>
      Parcela {number}: {inReais(outstanding)} em aberto, {days} depois de {longDay(effective_due_on)}. Multa
      de {percent(terms.fine_percent)}: {inReais(penalty.fine)}. Juros de{' '}
      {percent(terms.late_interest_percent)} ao mês por {days}: {inReais(penalty.interest)}. Total:{' '}
      <b>{inReais(of.total_due)}</b>.
    </li>
  );
}

export const purchasePage: MakeOfficePage = async (visit) => {
  const purchase = await read(visit);
  const { hash, terms, installments, cost } = purchase;
  const { api } = visit;
  const query = { customer: purchase.customer_id, limit: 100 };
  const [charges, payments, events] = await Promise.all([
    api.listPixCharges({ query }),
    api.listPixPaymentItems({ query }),
    api.searchEvents({ query: { checkout: hash!, limit: 50 } }),
  ]);
  const own = charges.data.filter(({ checkout_hash }) => checkout_hash === hash);
  const numbers = new Map(installments.map(({ id, number }) => [id, number]));
  const paid = payments.data.filter(({ installment_id }) => numbers.has(installment_id));
  const late = installments.filter(({ penalty }) => penalty.total > 0);
  return {
    body: (
      <OfficeLayout
        title="Compra"
        heading={`Compra em ${purchase.merchant.name}`}
        visit={visit}
        crumbs={[{ href: '/compras', text: 'Compras' }]}
        actions={
          <ActLinks
            visit={visit}
            acts={[!purchase.returned_at && giveBack, purchase.written_off_at ? reinstate : writeOff]}
          />
        }
      >
        {purchase.written_off_at && (
          <p class="note warn" role="status">
            Baixada por perda em <When at={purchase.written_off_at} />.
          </p>
        )}
        <Facts
          of={[
            [
              'Cliente',
              <a key="c" href={`/clientes/${purchase.customer_id}`}>
                {purchase.customer_name ?? 'ver'}
              </a>,
            ],
            [
              'Loja',
              <a key="l" href={`/lojas/${purchase.merchant.slug}`}>
                {purchase.merchant.name}
              </a>,
            ],
            ['Situação', <Status key="s" of={purchase.status} names={PURCHASE} />],
            ['Comprada', <When key="w" at={purchase.purchased_at} />],
            ['Descrição', purchase.description ?? 'nenhuma'],
            ['CET ao ano', percent(terms.cet_percent_year)],
            ['Juros da compra', <Money key="j" of={cost.interest} />],
            ['Código', <Code key="h">{hash}</Code>],
          ]}
        />
        <Section title="Quanto">
          <Owed of={purchase} />
        </Section>
        <Section title="Parcelas">
          <Table
            caption="Parcelas"
            rows={installments}
            columns={[
              { title: 'Nº', isNumber: true, show: ({ number }) => number },
              day('Vence', 'due_on'),
              { title: 'Situação', show: ({ status }) => <Status of={status} names={PURCHASE} /> },
              money('Valor', 'amount'),
              money('Pago', 'paid'),
              money('Desconto', 'discount'),
              money('Devolvido', 'returned'),
              { title: 'Encargos pagos', isNumber: true, show: (one) => <Money of={chargesPaid(one)} /> },
              { title: 'Multa', isNumber: true, show: ({ penalty }) => <Money of={penalty.fine} /> },
              { title: 'Juros', isNumber: true, show: ({ penalty }) => <Money of={penalty.interest} /> },
              money('Total hoje', 'total_due'),
              { title: 'Prorrogada', isNumber: true, show: ({ extensions }) => extensions },
              { title: 'Id', show: ({ id }) => <Code>{id ?? ''}</Code> },
            ]}
          />
          {late.length > 0 && (
            <>
              <h3>A conta do atraso</h3>
              <ul class="office-sums">
                {late.map((one) => (
                  <Arithmetic key={one.number} terms={terms} of={one} />
                ))}
              </ul>
            </>
          )}
        </Section>
        <Section title="Pagamentos">
          <Table
            caption="Pagamentos"
            rows={paid}
            empty="Nenhum."
            open={({ end_to_end_id }) => `/pagamentos/${end_to_end_id}`}
            columns={[
              { title: 'PIX', show: ({ end_to_end_id }) => <Code>{end_to_end_id}</Code> },
              { title: 'Parcela', isNumber: true, show: ({ installment_id }) => numbers.get(installment_id) },
              money('Valor', 'value'),
              money('Devolvido', 'refunded'),
              moment('Pago', 'paid_at'),
            ]}
          />
        </Section>
        <Section title="Cobranças">
          <Table
            caption="Cobranças"
            rows={own}
            columns={[
              { title: 'Txid', show: ({ txid }) => <Code>{txid}</Code> },
              { title: 'Situação', show: ({ status }) => <Status of={status} names={CHARGE} /> },
              { title: 'Tipo', show: ({ type }) => CHARGE_TYPE[type] },
              money('Valor', 'value'),
              moment('Criada', 'created_at'),
              moment('Paga', 'paid_at'),
            ]}
          />
        </Section>
        <Section title="O que aconteceu" more={{ href: `/trilha?subject=checkout:${hash}`, text: 'Trilha' }}>
          <ol class="office-story">
            {events.data.map(({ id, occurred_at, type }) => (
              <li key={id}>
                <When at={occurred_at} />
                <span>{EVENT[type] ?? type}</span>
              </li>
            ))}
          </ol>
        </Section>
      </OfficeLayout>
    ),
  };
};
