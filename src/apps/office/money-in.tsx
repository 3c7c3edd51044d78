import { formatReais } from '../text/format.ts';
import { type ActionField, ActionLinks, defineAction } from './action.tsx';
import { PendingApproval } from './approval.tsx';
import { ORPHAN_LABELS, REFUND_LABELS } from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { Code, DescriptionList, TableSection, toMaskedName, withTitle } from './tables.tsx';
import type { OfficePageHandler, OfficeVisit } from './visit.ts';

const ORPHAN_PATH = '/sem-dono/:id';
const PAYMENT_PATH = '/pagamentos/:id';

export const retryRefund = defineAction({
  path: '/pagamentos/:payment/estorno/:id/repetir',
  operation: 'retryPixRefund',
  title: 'Pedir o estorno de novo',
  recordOperation: 'getPixRefund',
  renderImpact: (refund) => (
    <DescriptionList
      record={refund}
      rows={['value', 'status', withTitle('reason', 'Motivo do banco', { emptyText: 'nenhum' }), 'tries']}
      labels={{ status: REFUND_LABELS }}
    />
  ),
  button: 'Pedir de novo',
  success: 'Estorno pedido de novo ao banco.',
});

const INSTALLMENT_FIELD: ActionField = {
  name: 'installment_id',
  label: 'Id da parcela',
  hint: 'Está na página da compra.',
  maxLength: 60,
};

const readPayment = ({ api, params }: OfficeVisit) => api.getPixPayment({ path: { id: params.id! } });

export const movePayment = defineAction({
  path: `${PAYMENT_PATH}/mover`,
  operation: 'movePixPayment',
  title: 'Mover para outra parcela',
  approvalRule: async (_, visit) => (await readPayment(visit)).value,
  firstStepFields: [
    {
      ...INSTALLMENT_FIELD,
      label: 'Id da parcela certa',
      hint: 'Pode ser de outro cliente. Está na página da compra.',
    },
  ],
  async renderImpact(_, { api, params, search }) {
    const body = { installment_id: search.get(INSTALLMENT_FIELD.name)!, reason: 'simulação', dry_run: true };
    const dryRun = await api.movePixPayment({ path: { id: params.id! }, body });
    if ('approval' in dryRun) throw new Error('A dry run never waits for an approval.');
    const renderAmountDue = ({ checkout_hash, installment }: typeof dryRun.from) => (
      <>
        <a href={`/compras/${checkout_hash}`}>Parcela {installment.number}</a>, de{' '}
        {formatReais(installment.amount)}: ficam devidos <b>{formatReais(installment.total_due)}</b>
      </>
    );
    return (
      <DescriptionList
        record={dryRun}
        rows={[
          withTitle('value', 'Pagamento'),
          ['Sai de', renderAmountDue(dryRun.from)],
          ['Vai para', renderAmountDue(dryRun.to)],
          withTitle('too_much', 'A mais, que volta a quem pagou'),
        ]}
      />
    );
  },
  description:
    'O que ele tinha pago volta a ser devido a partir de agora, e o cashback disso é desfeito. Na parcela ' +
    'certa ele vale desde que chegou. Para desfazer, mova de volta.',
  fields: async (_, visit) => [
    // The service refuses the move if the payment no longer belongs to the installment that the page showed.
    {
      name: 'from_installment_id',
      label: '',
      hidden: true,
      value: (await readPayment(visit)).installment_id,
    },
    'reason',
  ],
  button: 'Mover',
  success: 'Pagamento movido, com lançamentos novos.',
});

export const paymentPage: OfficePageHandler = async (visit) => {
  const payment = await readPayment(visit);
  return (
    <RecordLayout title="Pagamento" visit={visit} actions={[movePayment]}>
      <PendingApproval approval={payment.approval} />
      <DescriptionList
        record={payment}
        rows={[
          ['Cliente', toMaskedName(payment.customer_name), `/clientes/${payment.customer_id}`],
          'value',
          'refunded',
          withTitle('paid_at', 'Pago'),
          withTitle('recorded_at', 'Registrado'),
          ['Atribuído à mão', payment.assigned ? 'Sim' : 'Não'],
          withTitle('installment_id', 'Parcela'),
          withTitle('end_to_end_id', 'PIX'),
        ]}
      />
      <TableSection
        title="Estornos"
        rows={payment.refunds}
        emptyText="Nenhum."
        columns={[
          'status',
          'value',
          'reason',
          withTitle('created_at', 'Pedido'),
          {
            title: 'Ação',
            render: ({ id, status }) =>
              ['failed', 'given_up'].includes(status) && (
                <ActionLinks
                  visit={visit}
                  actions={[retryRefund]}
                  params={{ payment: visit.params.id!, id }}
                />
              ),
          },
        ]}
        labels={{ status: REFUND_LABELS }}
      />
      {payment.moves.length > 0 && (
        <TableSection
          title="Correções"
          rows={payment.moves}
          rowHref={({ checkout_hash }) => `/compras/${checkout_hash}`}
          columns={[
            withTitle('installment_id', 'Parcela'),
            { title: 'O quê', render: ({ side }) => (side === 'from' ? 'Saiu daqui' : 'Veio para cá') },
            'reason',
            withTitle('moved_at', 'Quando'),
          ]}
        />
      )}
    </RecordLayout>
  );
};

export const assignOrphan = defineAction({
  path: `${ORPHAN_PATH}/atribuir`,
  operation: 'assignPixOrphan',
  title: 'Atribuir a uma parcela',
  firstStepFields: [INSTALLMENT_FIELD],
  async renderImpact(_, { api, params, search }) {
    const body = { installment_id: search.get(INSTALLMENT_FIELD.name)!, dry_run: true };
    const dryRun = await api.assignPixOrphan({ path: { id: params.id! }, body });
    const { number, amount } = dryRun.installment;
    return (
      <DescriptionList
        record={dryRun}
        rows={[
          withTitle('value', 'Chegou'),
          ['Parcela', `${number}, de ${formatReais(amount)}`],
          withTitle('installment.total_due', 'Ficaria em aberto'),
          withTitle('too_much', 'A mais, que volta'),
        ]}
      />
    );
  },
  button: 'Atribuir',
  success: ({ checkout_hash }) => ({ note: 'Pagamento atribuído.', redirectTo: `/compras/${checkout_hash}` }),
});

export const refundOrphan = defineAction({
  path: `${ORPHAN_PATH}/estornar`,
  operation: 'refundPixOrphan',
  title: 'Estornar',
  recordOperation: 'getPixOrphan',
  renderImpact: (orphan) => (
    <DescriptionList
      record={orphan}
      rows={[withTitle('value', 'Volta a quem pagou'), withTitle('paid_at', 'Pago')]}
    />
  ),
  description: 'O dinheiro sai da nossa conta e não pode ser pedido de volta.',
  approvalRule: ({ value }) => value,
  success: 'Estorno pedido ao banco.',
});

const SUGGESTION_REASON_LABELS = {
  code: 'código do mesmo valor, não pago, na semana antes',
  amount: 'deve exatamente isto, com vencimento perto',
  bank: 'já pagou do mesmo banco',
} as const;

export const orphanPage: OfficePageHandler = async (visit) => {
  const orphan = await visit.api.getPixOrphan({ path: { id: visit.params.id! } });
  const isOpen = orphan.status === 'open';
  return (
    <RecordLayout title="Pagamento sem dono" visit={visit} actions={isOpen && [assignOrphan, refundOrphan]}>
      <PendingApproval approval={orphan.approval} />
      <DescriptionList
        record={orphan}
        rows={[
          'value',
          'status',
          withTitle('paid_at', 'Pago'),
          withTitle('found_at', 'Encontrado'),
          ['Txid', <Code>{orphan.txid ?? 'nenhum'}</Code>],
          withTitle('end_to_end_id', 'PIX'),
        ]}
        labels={{ status: ORPHAN_LABELS }}
      />
      {isOpen && (
        <TableSection
          title="De quem pode ser"
          caption="Sugestões"
          rows={orphan.suggestions}
          emptyText="Nenhum código nem parcela deste valor por perto. O extrato do banco diz quem pagou."
          rowHref={({ installment_id }) => `${visit.path}/atribuir?installment_id=${installment_id}`}
          columns={[
            withTitle('installment_id', 'Parcela'),
            'customer_name',
            {
              title: 'Por quê',
              render: ({ because }) => because.map((code) => SUGGESTION_REASON_LABELS[code]).join('; '),
            },
          ]}
        />
      )}
    </RecordLayout>
  );
};
