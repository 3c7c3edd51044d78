import { inReais } from '../text/format.ts';
import { type ActField, ActLinks, defineAct, reasonField } from './act.tsx';
import { code, maskedPerson, money, statusBadge, text, timestamp } from './columns.tsx';
import { pickFields } from './form-values.ts';
import { ORPHAN_LABELS, REFUND_LABELS } from './lists/labels.ts';
import { Code, toMaskedName } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import { Facts, TableSection } from './tables.tsx';
import type { OfficePageHandler, OfficeVisit } from './visit.ts';

const ORPHAN_PATH = '/sem-dono/:id';
const PAYMENT_PATH = '/pagamentos/:id';

export const retryRefund = defineAct({
  path: `${PAYMENT_PATH}/estorno/:refund/repetir`,
  call: 'retryPixRefund',
  title: 'Pedir o estorno de novo',
  async impact(_, { api, params }) {
    const refund = await api.getPixRefund({ path: { id: params.refund! } });
    return (
      <Facts
        record={refund}
        rows={[
          money('Valor', 'value'),
          statusBadge('Situação', 'status', REFUND_LABELS),
          text('Motivo do banco', 'reason', 'nenhum'),
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
});

const INSTALLMENT_FIELD: ActField = {
  name: 'installment_id',
  label: 'Id da parcela',
  hint: 'Está na página da compra.',
  maxLength: 60,
};

const readPayment = ({ api, params }: OfficeVisit) => api.getPixPayment({ path: { id: params.id! } });

export const movePayment = defineAct({
  path: `${PAYMENT_PATH}/mover`,
  call: 'movePixPayment',
  title: 'Mover para outra parcela',
  approvalAmount: async (_, visit) => (await readPayment(visit)).value,
  firstStepFields: [
    {
      ...INSTALLMENT_FIELD,
      label: 'Id da parcela certa',
      hint: 'Pode ser de outro cliente. Está na página da compra.',
    },
  ],
  async impact(_, { api, params, search }) {
    const body = { installment_id: search.get(INSTALLMENT_FIELD.name)!, reason: 'simulação', dry_run: true };
    const dryRun = await api.movePixPayment({ path: { id: params.id! }, body });
    if ('approval' in dryRun) throw new Error('A dry run never waits for an approval.');
    const renderAmountDue = ({ checkout_hash, installment }: typeof dryRun.from) => (
      <>
        <a href={`/compras/${checkout_hash}`}>Parcela {installment.number}</a>, de{' '}
        {inReais(installment.amount)}: ficam devidos <b>{inReais(installment.total_due)}</b>
      </>
    );
    return (
      <Facts
        record={dryRun}
        rows={[
          money('Pagamento', 'value'),
          ['Sai de', renderAmountDue(dryRun.from)],
          ['Vai para', renderAmountDue(dryRun.to)],
          money('A mais, que volta a quem pagou', 'too_much'),
        ]}
      />
    );
  },
  description:
    'O que ele tinha pago volta a ser devido a partir de agora, e o cashback disso é desfeito. Na parcela ' +
    'certa ele vale desde que chegou. Para desfazer, mova de volta.',
  fields: async (_, visit) => [
    {
      name: 'from_installment_id',
      label: '',
      hidden: true,
      value: (await readPayment(visit)).installment_id,
    },
    reasonField,
  ],
  button: 'Mover',
  body: (form) => pickFields(form, 'installment_id', 'from_installment_id', 'reason'),
  success: 'Pagamento movido, com lançamentos novos.',
});

export const paymentPage: OfficePageHandler = async (visit) => {
  const { params } = visit;
  const payment = await readPayment(visit);
  return (
    <RecordLayout title="Pagamento" visit={visit} acts={[movePayment]}>
      <Facts
        record={payment}
        rows={[
          ['Cliente', toMaskedName(payment.customer_name), `/clientes/${payment.customer_id}`],
          money('Valor', 'value'),
          money('Devolvido', 'refunded'),
          timestamp('Pago', 'paid_at'),
          timestamp('Registrado', 'recorded_at'),
          ['Atribuído à mão', payment.assigned ? 'Sim' : 'Não'],
          code('Parcela', 'installment_id'),
          code('PIX', 'end_to_end_id'),
        ]}
      />
      <TableSection
        title="Estornos"
        rows={payment.refunds}
        emptyText="Nenhum."
        columns={[
          statusBadge('Situação', 'status', REFUND_LABELS),
          money('Valor', 'value'),
          text('Motivo', 'reason'),
          timestamp('Pedido', 'created_at'),
          {
            title: 'Ação',
            render: ({ id, status }) =>
              ['failed', 'given_up'].includes(status) && (
                <ActLinks visit={{ ...visit, params: { ...params, refund: id } }} acts={[retryRefund]} />
              ),
          },
        ]}
      />
      {payment.moves.length > 0 && (
        <TableSection
          title="Correções"
          rows={payment.moves}
          rowHref={({ checkout_hash }) => `/compras/${checkout_hash}`}
          columns={[
            text('Parcela', 'installment_id'),
            { title: 'O quê', render: ({ side }) => (side === 'from' ? 'Saiu daqui' : 'Veio para cá') },
            text('Motivo', 'reason'),
            timestamp('Quando', 'moved_at'),
          ]}
        />
      )}
    </RecordLayout>
  );
};

export const assignOrphan = defineAct({
  path: `${ORPHAN_PATH}/atribuir`,
  call: 'assignPixOrphan',
  title: 'Atribuir a uma parcela',
  firstStepFields: [INSTALLMENT_FIELD],
  async impact(_, { api, params, search }) {
    const body = { installment_id: search.get(INSTALLMENT_FIELD.name)!, dry_run: true };
    const dryRun = await api.assignPixOrphan({ path: { id: params.id! }, body });
    const { number, amount } = dryRun.installment;
    return (
      <Facts
        record={dryRun}
        rows={[
          money('Chegou', 'value'),
          ['Parcela', `${number}, de ${inReais(amount)}`],
          money('Ficaria em aberto', 'installment.total_due'),
          money('A mais, que volta', 'too_much'),
        ]}
      />
    );
  },
  button: 'Atribuir',
  body: (form) => pickFields(form, 'installment_id'),
  success: ({ checkout_hash }) => ({ note: 'Pagamento atribuído.', redirectTo: `/compras/${checkout_hash}` }),
});

export const refundOrphan = defineAct({
  path: `${ORPHAN_PATH}/estornar`,
  call: 'refundPixOrphan',
  title: 'Estornar',
  record: 'getPixOrphan',
  impact: (orphan) => (
    <Facts record={orphan} rows={[money('Volta a quem pagou', 'value'), timestamp('Pago', 'paid_at')]} />
  ),
  description: 'O dinheiro sai da nossa conta e não pode ser pedido de volta.',
  approvalAmount: ({ value }) => value,
  success: 'Estorno pedido ao banco.',
});

const SUGGESTION_REASONS = {
  code: 'código do mesmo valor, não pago, na semana antes',
  amount: 'deve exatamente isto, com vencimento perto',
  bank: 'já pagou do mesmo banco',
} as const;

export const orphanPage: OfficePageHandler = async (visit) => {
  const orphan = await visit.api.getPixOrphan({ path: { id: visit.params.id! } });
  const isOpen = orphan.status === 'open';
  return (
    <RecordLayout title="Pagamento sem dono" visit={visit} acts={isOpen && [assignOrphan, refundOrphan]}>
      <Facts
        record={orphan}
        rows={[
          money('Valor', 'value'),
          statusBadge('Situação', 'status', ORPHAN_LABELS),
          timestamp('Pago', 'paid_at'),
          timestamp('Encontrado', 'found_at'),
          ['Txid', <Code key="t">{orphan.txid ?? 'nenhum'}</Code>],
          code('PIX', 'end_to_end_id'),
        ]}
      />
      {isOpen && (
        <TableSection
          title="De quem pode ser"
          caption="Sugestões"
          rows={orphan.suggestions}
          emptyText="Nenhum código nem parcela deste valor por perto. O extrato do banco diz quem pagou."
          rowHref={({ installment_id }) => `${visit.path}/atribuir?installment_id=${installment_id}`}
          columns={[
            text('Parcela', 'installment_id'),
            maskedPerson('Cliente', 'customer_name'),
            {
              title: 'Por quê',
              render: ({ because }) => because.map((code) => SUGGESTION_REASONS[code]).join('; '),
            },
          ]}
        />
      )}
    </RecordLayout>
  );
};
