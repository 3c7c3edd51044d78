import { inReais } from '../ui/format.ts';
import { type Act, type ActField, ActLinks, doneOrWaits, type PlainAct, reason } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { ORPHAN, REFUND } from './lists/names.ts';
import { Code, Facts, Money, maskedName, moment, money, Section, Status, Table, When } from './parts.tsx';
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

const INSTALLMENT: ActField = {
  name: 'installment_id',
  label: 'Id da parcela',
  hint: 'Está na página da compra.',
  maxLength: 60,
};

const paymentOf = ({ api, params }: Pick<OfficeVisit, 'api' | 'params'>) =>
  api.getPixPayment({ path: { id: params.id! } });

const move: Act = {
  path: `${PAYMENT_PATH}/mover`,
  call: 'movePixPayment',
  title: 'Mover para outra parcela',
  back: PAYMENT_PATH,
  stake: async (visit) => (await paymentOf(visit)).value,
  first: [
    {
      ...INSTALLMENT,
      label: 'Id da parcela certa',
      hint: 'Pode ser de outro cliente. Está na página da compra.',
    },
  ],
  async figures({ api, params, search }) {
    const body = { installment_id: search.get(INSTALLMENT.name)!, reason: 'simulação', dry_run: true };
    const tried = await api.movePixPayment({ path: { id: params.id! }, body });
    if ('approval' in tried) throw new Error('a dry run waits for nobody');
    const { from, to, value, too_much } = tried;
    const owed = ({ checkout_hash, installment }: typeof from) => (
      <>
        <a href={`/compras/${checkout_hash}`}>Parcela {installment.number}</a>, de{' '}
        {inReais(installment.amount)}: ficam devidos <b>{inReais(installment.total_due)}</b>
      </>
    );
    return (
      <>
        <Facts
          of={[
            ['Pagamento', <Money key="v" of={value} />],
            ['Sai de', owed(from)],
            ['Vai para', owed(to)],
            ['A mais, que volta a quem pagou', <Money key="m" of={too_much} />],
          ]}
        />
        <p>
          O que ele tinha pago volta a ser devido a partir de agora, e o cashback disso é desfeito. Na parcela
          certa ele vale desde que chegou. Para desfazer, mova de volta.
        </p>
      </>
    );
  },
  fields: async (visit) => [
    {
      name: 'from_installment_id',
      label: '',
      hidden: true,
      value: (await paymentOf(visit)).installment_id,
    },
    reason,
  ],
  button: 'Mover',
  async run({ api, params, idempotencyKey }, sent) {
    const body = {
      installment_id: sent.text(INSTALLMENT.name),
      from_installment_id: sent.text('from_installment_id'),
      reason: sent.text('reason'),
    };
    const answer = await api.call('movePixPayment', { path: { id: params.id! }, body, idempotencyKey });
    return doneOrWaits(answer, 'Pagamento movido, com lançamentos novos.');
  },
};

export const paymentPage: MakeOfficePage = async (visit) => {
  const { params } = visit;
  const payment = await paymentOf(visit);
  return {
    body: (
      <OfficeLayout
        title="Pagamento"
        visit={visit}
        crumbs={[{ href: '/pagamentos', text: 'Pagamentos' }]}
        actions={<ActLinks visit={visit} acts={[move]} />}
      >
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
              money('Valor', 'value'),
              { title: 'Motivo', show: ({ reason }) => reason ?? '' },
              moment('Pedido', 'created_at'),
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
        {payment.moves.length > 0 && (
          <Section title="Correções">
            <Table
              caption="Correções"
              rows={payment.moves}
              empty=""
              open={({ checkout_hash }) => `/compras/${checkout_hash}`}
              columns={[
                { title: 'Parcela', show: ({ installment_id }) => installment_id },
                { title: 'O quê', show: ({ side }) => (side === 'from' ? 'Saiu daqui' : 'Veio para cá') },
                { title: 'Motivo', show: ({ reason: why }) => why },
                moment('Quando', 'moved_at'),
              ]}
            />
          </Section>
        )}
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
  first: [INSTALLMENT],
  async figures({ api, params, search }) {
    // The dry run of the service: where every centavo would go.
    const body = { installment_id: search.get(INSTALLMENT.name)!, dry_run: true };
    const { installment, too_much, value } = await api.assignPixOrphan({ path: { id: params.id! }, body });
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
  button: 'Atribuir',
  async run({ api, params }, sent) {
    const body = { installment_id: sent.text(INSTALLMENT.name) };
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
  const orphan = await orphanOf(visit);
  const isOpen = orphan.status === 'open';
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
              rows={orphan.suggestions}
              empty="Nenhum código nem parcela deste valor por perto. O extrato do banco diz quem pagou."
              open={({ installment_id }) => `${visit.path}/atribuir?installment_id=${installment_id}`}
              columns={[
                { title: 'Parcela', show: ({ installment_id }) => installment_id },
                { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
                { title: 'Por quê', show: ({ because }) => because.map((one) => WHY[one]).join('; ') },
              ]}
            />
          </Section>
        )}
      </OfficeLayout>
    ),
  };
};

const WHY = {
  code: 'código do mesmo valor, não pago, na semana antes',
  amount: 'deve exatamente isto, com vencimento perto',
  bank: 'já pagou do mesmo banco',
} as const;

export const MONEY_IN_ACTS: readonly Act[] = [retry, move, assign, refund];
