import { inReais } from '../ui/format.ts';
import { type Act, ActLinks, doneOrWaits, type PlainAct } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { ORPHAN, REFUND } from './lists/names.ts';
import { Code, Facts, Money, maskedName, Section, Status, Table, When } from './parts.tsx';
import type { MakeOfficePage, OfficeVisit } from './visit.ts';

const ORPHAN_PATH = '/sem-dono/:id';
const PAYMENT_PATH = '/pagamentos/:id';

const retry: Act = {
  path: `${PAYMENT_PATH}/estorno/:refund/repetir`,
  call: 'retryPixRefund',
  title: 'Pedir o estorno de novo',
  back: PAYMENT_PATH,
  async figures({ api, params }) {
    const refund = await api.getPixRefund({ path: { id: params.refund! } });
    return (
      <Facts
        of={[
          ['Valor', <Money key="v" of={refund.value} />],
          ['Situação', <Status key="s" of={refund.status} names={REFUND} />],
          ['Motivo do banco', refund.reason ?? 'nenhum'],
          ['Tentativas', refund.tries],
        ]}
      />
    );
  },
  button: 'Pedir de novo',
  async run({ api, params }) {
    await api.retryPixRefund({ path: { id: params.refund! } });
    return 'Estorno pedido de novo ao banco.';
  },
};

export const paymentPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const payment = await api.getPixPayment({ path: { id: params.id! } });
  return {
    body: (
      <OfficeLayout title="Pagamento" visit={visit} crumbs={[{ href: '/pagamentos', text: 'Pagamentos' }]}>
        <Facts
          of={[
            [
              'Cliente',
              <a key="c" href={`/clientes/${payment.customer_id}`}>
                {maskedName(payment.customer_name)}
              </a>,
            ],
            ['Valor', <Money key="v" of={payment.value} />],
            ['Devolvido', <Money key="r" of={payment.refunded} />],
            ['Pago', <When key="p" at={payment.paid_at} />],
            ['Registrado', <When key="n" at={payment.recorded_at} />],
            ['Atribuído à mão', payment.assigned ? 'Sim' : 'Não'],
            ['Parcela', <Code key="i">{payment.installment_id}</Code>],
            ['PIX', <Code key="e">{payment.end_to_end_id}</Code>],
          ]}
        />
        <Section title="Estornos">
          <Table
            caption="Estornos"
            rows={payment.refunds}
            empty="Nenhum."
            columns={[
              { title: 'Situação', show: ({ status }) => <Status of={status} names={REFUND} /> },
              { title: 'Valor', isNumber: true, show: ({ value }) => <Money of={value} /> },
              { title: 'Motivo', show: ({ reason }) => reason ?? '' },
              { title: 'Pedido', show: ({ created_at }) => <When at={created_at} /> },
              {
                title: 'Ação',
                show: ({ id, status }) =>
                  ['failed', 'given_up'].includes(status) && (
                    <ActLinks visit={{ ...visit, params: { ...params, refund: id } }} acts={[retry]} />
                  ),
              },
            ]}
          />
        </Section>
      </OfficeLayout>
    ),
  };
};

const orphanOf = ({ api, params }: Pick<OfficeVisit, 'api' | 'params'>) =>
  api.getPixOrphan({ path: { id: params.id! } });

const assign: Act = {
  path: `${ORPHAN_PATH}/atribuir`,
  call: 'assignPixOrphan',
  title: 'Atribuir a uma parcela',
  back: ORPHAN_PATH,
  async figures(visit) {
    const { value } = await orphanOf(visit);
    const id = visit.search.get('parcela');
    if (!id) return <p>São {inReais(value)}. Escolha abaixo a parcela que ele paga.</p>;
    // The dry run of the service: where every centavo would go.
    const body = { installment_id: id, dry_run: true };
    const { installment, too_much } = await visit.api.assignPixOrphan({
      path: { id: visit.params.id! },
      body,
    });
    return (
      <Facts
        of={[
          ['Chegou', <Money key="v" of={value} />],
          ['Parcela', `${installment.number}, de ${inReais(installment.amount)}`],
          ['Ficaria em aberto', <Money key="o" of={installment.total_due} />],
          ['A mais, que volta', <Money key="m" of={too_much} />],
        ]}
      />
    );
  },
  fields: async ({ search }) => [
    {
      name: 'installment_id',
      label: 'Id da parcela',
      hint: 'Está na página da compra. Confira as contas acima antes.',
      value: search.get('parcela') ?? undefined,
      maxLength: 60,
    },
  ],
  button: 'Atribuir',
  async run({ api, params }, sent) {
    const body = { installment_id: sent.text('installment_id') };
    const { checkout_hash } = await api.assignPixOrphan({ path: { id: params.id! }, body });
    return { note: 'Pagamento atribuído.', to: `/compras/${checkout_hash}` };
  },
};

export const refund: PlainAct = {
  path: `${ORPHAN_PATH}/estornar`,
  call: 'refundPixOrphan',
  title: 'Estornar',
  back: ORPHAN_PATH,
  async figures(visit) {
    const { value, paid_at } = await orphanOf(visit);
    return (
      <>
        <Facts
          of={[
            ['Volta a quem pagou', <Money key="v" of={value} />],
            ['Pago', <When key="p" at={paid_at} />],
          ]}
        />
        <p>O dinheiro sai da nossa conta e não pode ser pedido de volta.</p>
      </>
    );
  },
  stake: async (visit) => (await orphanOf(visit)).value,
  button: 'Estornar',
  async run({ api, params }) {
    const answer = await api.call('refundPixOrphan', { path: { id: params.id! } });
    return doneOrWaits(answer, 'Estorno pedido ao banco.');
  },
};

export const orphanPage: MakeOfficePage = async (visit) => {
  const { api } = visit;
  const orphan = await orphanOf(visit);
  const isOpen = orphan.status === 'open';
  const day = orphan.paid_at.slice(0, 10);
  // Suggestions: charges of the same amount, near in time.
  const near = isOpen
    ? await api.listPixCharges({ query: { from: weekBefore(day), to: day, limit: 100 } })
    : undefined;
  const alike = (near?.data ?? []).filter(
    ({ value, status, txid }) => status !== 'paid' && (value === orphan.value || txid === orphan.txid),
  );
  return {
    body: (
      <OfficeLayout
        title="Pagamento sem dono"
        visit={visit}
        crumbs={[{ href: '/sem-dono', text: 'Sem dono' }]}
        actions={isOpen && <ActLinks visit={visit} acts={[assign, refund]} />}
      >
        <Facts
          of={[
            ['Valor', <Money key="v" of={orphan.value} />],
            ['Situação', <Status key="s" of={orphan.status} names={ORPHAN} />],
            ['Pago', <When key="p" at={orphan.paid_at} />],
            ['Encontrado', <When key="f" at={orphan.found_at} />],
            ['Txid', <Code key="t">{orphan.txid ?? 'nenhum'}</Code>],
            ['PIX', <Code key="e">{orphan.end_to_end_id}</Code>],
          ]}
        />
        {isOpen && (
          <Section title="De quem pode ser">
            <Table
              caption="Sugestões"
              rows={alike}
              empty="Nenhuma cobrança do mesmo valor nos sete dias antes."
              open={({ installment_id }) => `${visit.path}/atribuir?parcela=${installment_id}`}
              columns={[
                { title: 'Cobrança', show: ({ txid }) => txid },
                { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
                { title: 'Valor', isNumber: true, show: ({ value }) => <Money of={value} /> },
                { title: 'Criada', show: ({ created_at }) => <When at={created_at} /> },
              ]}
            />
          </Section>
        )}
      </OfficeLayout>
    ),
  };
};

const weekBefore = (day: string) =>
  new Date(Date.parse(`${day}T12:00:00Z`) - 7 * 86_400_000).toISOString().slice(0, 10);

export const MONEY_IN_ACTS: readonly Act[] = [retry, assign, refund];
