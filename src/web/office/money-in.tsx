import { inReais } from '../text/format.ts';
import { type ActField, ActLinks, act, reason } from './act.tsx';
import { code, moment, money, person, state, text } from './columns.tsx';
import { ORPHAN, REFUND } from './lists/names.ts';
import { Code, maskedName } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import { Facts, TableSection } from './tables.tsx';
import { typed } from './typed.ts';
import type { MakeOfficePage, OfficeVisit } from './visit.ts';

const ORPHAN_PATH = '/sem-dono/:id';
const PAYMENT_PATH = '/pagamentos/:id';

export const retry = act({
  path: `${PAYMENT_PATH}/estorno/:refund/repetir`,
  call: 'retryPixRefund',
  title: 'Pedir o estorno de novo',
  async figures(_, { api, params }) {
    const failed = await api.getPixRefund({ path: { id: params.refund! } });
    return (
      <Facts
        of={failed}
        are={[
          money('Valor', 'value'),
          state('Situação', 'status', REFUND),
          text('Motivo do banco', 'reason', 'nenhum'),
          ['Tentativas', failed.tries],
        ]}
      />
    );
  },
  button: 'Pedir de novo',
  async run({ api, params }) {
    await api.retryPixRefund({ path: { id: params.refund! } });
    return 'Estorno pedido de novo ao banco.';
  },
});

const INSTALLMENT: ActField = {
  name: 'installment_id',
  label: 'Id da parcela',
  hint: 'Está na página da compra.',
  maxLength: 60,
};

const paymentOf = ({ api, params }: OfficeVisit) => api.getPixPayment({ path: { id: params.id! } });

export const move = act({
  path: `${PAYMENT_PATH}/mover`,
  call: 'movePixPayment',
  title: 'Mover para outra parcela',
  stake: async (_, visit) => (await paymentOf(visit)).value,
  first: [
    {
      ...INSTALLMENT,
      label: 'Id da parcela certa',
      hint: 'Pode ser de outro cliente. Está na página da compra.',
    },
  ],
  async figures(_, { api, params, search }) {
    const body = { installment_id: search.get(INSTALLMENT.name)!, reason: 'simulação', dry_run: true };
    const tried = await api.movePixPayment({ path: { id: params.id! }, body });
    if ('approval' in tried) throw new Error('a dry run waits for nobody');
    const owed = ({ checkout_hash, installment }: typeof tried.from) => (
      <>
        <a href={`/compras/${checkout_hash}`}>Parcela {installment.number}</a>, de{' '}
        {inReais(installment.amount)}: ficam devidos <b>{inReais(installment.total_due)}</b>
      </>
    );
    return (
      <Facts
        of={tried}
        are={[
          money('Pagamento', 'value'),
          ['Sai de', owed(tried.from)],
          ['Vai para', owed(tried.to)],
          money('A mais, que volta a quem pagou', 'too_much'),
        ]}
      />
    );
  },
  says:
    'O que ele tinha pago volta a ser devido a partir de agora, e o cashback disso é desfeito. Na parcela ' +
    'certa ele vale desde que chegou. Para desfazer, mova de volta.',
  fields: async (_, visit) => [
    { name: 'from_installment_id', label: '', hidden: true, value: (await paymentOf(visit)).installment_id },
    reason,
  ],
  button: 'Mover',
  body: (sent) => typed(sent, 'installment_id', 'from_installment_id', 'reason'),
  done: 'Pagamento movido, com lançamentos novos.',
});

export const paymentPage: MakeOfficePage = async (visit) => {
  const { params } = visit;
  const payment = await paymentOf(visit);
  return (
    <RecordLayout title="Pagamento" visit={visit} acts={[move]}>
      <Facts
        of={payment}
        are={[
          ['Cliente', maskedName(payment.customer_name), `/clientes/${payment.customer_id}`],
          money('Valor', 'value'),
          money('Devolvido', 'refunded'),
          moment('Pago', 'paid_at'),
          moment('Registrado', 'recorded_at'),
          ['Atribuído à mão', payment.assigned ? 'Sim' : 'Não'],
          code('Parcela', 'installment_id'),
          code('PIX', 'end_to_end_id'),
        ]}
      />
      <TableSection
        title="Estornos"
        rows={payment.refunds}
        empty="Nenhum."
        columns={[
          state('Situação', 'status', REFUND),
          money('Valor', 'value'),
          text('Motivo', 'reason'),
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
      {payment.moves.length > 0 && (
        <TableSection
          title="Correções"
          rows={payment.moves}
          open={({ checkout_hash }) => `/compras/${checkout_hash}`}
          columns={[
            text('Parcela', 'installment_id'),
            { title: 'O quê', show: ({ side }) => (side === 'from' ? 'Saiu daqui' : 'Veio para cá') },
            text('Motivo', 'reason'),
            moment('Quando', 'moved_at'),
          ]}
        />
      )}
    </RecordLayout>
  );
};

export const assign = act({
  path: `${ORPHAN_PATH}/atribuir`,
  call: 'assignPixOrphan',
  title: 'Atribuir a uma parcela',
  first: [INSTALLMENT],
  async figures(_, { api, params, search }) {
    // The dry run of the service: where every centavo would go.
    const body = { installment_id: search.get(INSTALLMENT.name)!, dry_run: true };
    const tried = await api.assignPixOrphan({ path: { id: params.id! }, body });
    const { number, amount } = tried.installment;
    return (
      <Facts
        of={tried}
        are={[
          money('Chegou', 'value'),
          ['Parcela', `${number}, de ${inReais(amount)}`],
          money('Ficaria em aberto', 'installment.total_due'),
          money('A mais, que volta', 'too_much'),
        ]}
      />
    );
  },
  button: 'Atribuir',
  body: (sent) => typed(sent, 'installment_id'),
  done: ({ checkout_hash }) => ({ note: 'Pagamento atribuído.', to: `/compras/${checkout_hash}` }),
});

export const refund = act({
  path: `${ORPHAN_PATH}/estornar`,
  call: 'refundPixOrphan',
  title: 'Estornar',
  of: 'getPixOrphan',
  figures: (orphan) => (
    <Facts of={orphan} are={[money('Volta a quem pagou', 'value'), moment('Pago', 'paid_at')]} />
  ),
  says: 'O dinheiro sai da nossa conta e não pode ser pedido de volta.',
  stake: ({ value }) => value,
  done: 'Estorno pedido ao banco.',
});

const WHY = {
  code: 'código do mesmo valor, não pago, na semana antes',
  amount: 'deve exatamente isto, com vencimento perto',
  bank: 'já pagou do mesmo banco',
} as const;

export const orphanPage: MakeOfficePage = async (visit) => {
  const orphan = await visit.api.getPixOrphan({ path: { id: visit.params.id! } });
  const isOpen = orphan.status === 'open';
  return (
    <RecordLayout title="Pagamento sem dono" visit={visit} acts={isOpen && [assign, refund]}>
      <Facts
        of={orphan}
        are={[
          money('Valor', 'value'),
          state('Situação', 'status', ORPHAN),
          moment('Pago', 'paid_at'),
          moment('Encontrado', 'found_at'),
          ['Txid', <Code key="t">{orphan.txid ?? 'nenhum'}</Code>],
          code('PIX', 'end_to_end_id'),
        ]}
      />
      {isOpen && (
        <TableSection
          title="De quem pode ser"
          caption="Sugestões"
          rows={orphan.suggestions}
          empty="Nenhum código nem parcela deste valor por perto. O extrato do banco diz quem pagou."
          open={({ installment_id }) => `${visit.path}/atribuir?installment_id=${installment_id}`}
          columns={[
            text('Parcela', 'installment_id'),
            person('Cliente', 'customer_name'),
            { title: 'Por quê', show: ({ because }) => because.map((one) => WHY[one]).join('; ') },
          ]}
        />
      )}
    </RecordLayout>
  );
};
