import type { StaffSchemas } from '#staff-client';
import { formatReais } from '../text/format.ts';
import { defineAction } from './action.tsx';
import { describeSubject, formatChange } from './audit-trail.tsx';
import { APPROVAL_KIND_LABELS, APPROVAL_LABELS } from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { DescriptionList, TableSection, withTitle } from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

type Approval = StaffSchemas['Approval'];

const APPROVAL_PATH = '/aprovacoes/:id';

export function ApprovalSubject({ subject: { kind, id, name } }: Pick<Approval, 'subject'>) {
  const { kindLabel, idText, href } = describeSubject(`${kind}:${id}`);
  const label = name ?? idText;
  return (
    <>
      {kindLabel} {href ? <a href={href}>{label}</a> : label}
    </>
  );
}

const ApprovalChanges = ({ approval: { subject, change } }: { approval: Approval }) => (
  <TableSection
    title="O que muda"
    caption="Mudanças"
    rows={change.map((fieldChange) => formatChange(subject.kind, fieldChange))}
    columns={[withTitle('field', 'Campo'), 'before', 'after']}
  />
);

export const approveAction = defineAction({
  path: `${APPROVAL_PATH}/aprovar`,
  operation: 'approveAct',
  title: 'Aprovar',
  recordOperation: 'getApproval',
  renderImpact: (approval) => (
    <>
      <p>
        {APPROVAL_KIND_LABELS[approval.kind] ?? approval.kind}
        {approval.amount !== null && ` de ${formatReais(approval.amount)}`}:{' '}
        <ApprovalSubject subject={approval.subject} />, a pedido de {approval.asked_by.name}. É feito na hora,
        em nome de quem pediu.
      </p>
      <ApprovalChanges approval={approval} />
    </>
  ),
  button: 'Aprovar e fazer',
  success: 'Aprovado e feito.',
});

export const refuseAction = defineAction({
  path: `${APPROVAL_PATH}/recusar`,
  operation: 'refuseAct',
  title: 'Recusar',
  fields: ['reason'],
  success: 'Recusado. Nada foi feito.',
});

export const approvalPage: OfficePageHandler = async (visit) => {
  const { api, params, user } = visit;
  const approval = await api.getApproval({ path: { id: params.id! } });
  const isOwn = approval.asked_by.id === user!.id;
  const isWaiting = approval.status === 'waiting';
  return (
    <RecordLayout
      title="Aprovação"
      visit={visit}
      actions={isWaiting && [!isOwn && approveAction, refuseAction]}
    >
      {isWaiting && isOwn && (
        <p class="note" role="status">
          Foi você quem pediu. Outra pessoa decide; recusar retira o pedido.
        </p>
      )}
      <DescriptionList
        record={approval}
        rows={[
          withTitle('kind', 'O quê', { labels: APPROVAL_KIND_LABELS }),
          'amount',
          'status',
          ['Sobre', <ApprovalSubject subject={approval.subject} />],
          'reason',
          withTitle('asked_by.name', 'Pedida por'),
          withTitle('asked_at', 'Pedida'),
          isWaiting && withTitle('expires_at', 'Expira'),
          ['Decidida por', approval.decided_by?.name ?? 'ninguém ainda'],
          approval.outcome && 'outcome',
        ]}
        labels={{ status: APPROVAL_LABELS }}
        emptyTexts={{ amount: 'sem valor', reason: 'nenhum' }}
      />
      <ApprovalChanges approval={approval} />
    </RecordLayout>
  );
};

/** Says on the page of a resource that an action on it waits for a second person. */
export const PendingApproval = ({ approval }: { approval: Approval | undefined }) =>
  approval ? (
    <p class="note warn" role="note">
      <a href={`/aprovacoes/${approval.id}`}>
        {APPROVAL_KIND_LABELS[approval.kind] ?? approval.kind}
        {approval.amount !== null && ` de ${formatReais(approval.amount)}`}
      </a>
      , a pedido de {approval.asked_by.name}, espera a aprovação de outra pessoa. Até lá, nenhum outro ato
      sobre dinheiro, limite ou conta é feito aqui.
    </p>
  ) : null;
