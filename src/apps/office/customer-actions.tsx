import type { OutputOf } from '#staff-client';
import { formatPhone, formatReais, sumReais } from '../text/format.ts';
import { CHANNEL_LABELS } from '../text/labels.ts';
import { ActionLinks, defineAction, readIfMatch } from './action.tsx';
import { pickFilledFields, requireDecimal } from './form-values.ts';
import { MESSAGE_LABELS } from './labels.ts';
import { DescriptionList, TableSection } from './tables.tsx';
import type { OfficeVisit } from './visit.ts';

const CUSTOMER_PATH = '/clientes/:id';

export const lockCustomer = defineAction({
  path: `${CUSTOMER_PATH}/bloquear`,
  operation: 'lockCustomer',
  title: 'Bloquear',
  description: 'O cliente sai de todos os aparelhos e não entra mais até ser desbloqueado.',
  fields: ['reason'],
  success: 'Cliente bloqueado. Para desfazer, use Desbloquear.',
});

export const unlockCustomer = defineAction({
  path: `${CUSTOMER_PATH}/desbloquear`,
  operation: 'unlockCustomer',
  title: 'Desbloquear',
  description: 'O cliente volta a entrar. Senhas e códigos errados deixam de contar.',
  fields: ['reason'],
  success: 'Cliente desbloqueado.',
});

const INVITATION_PATH = '/convites/:id';

export const approveReward = defineAction({
  path: `${INVITATION_PATH}/aprovar`,
  operation: 'approveReferralReward',
  title: 'Premiar o convite',
  backPath: '/convites?status=held',
  success: 'Convite premiado: os dois ganharam cashback.',
});

export const refuseReward = defineAction({
  path: `${INVITATION_PATH}/recusar`,
  operation: 'refuseReferralReward',
  title: 'Recusar o prêmio',
  backPath: '/convites?status=held',
  fields: ['reason'],
  success: 'Prêmio recusado.',
});

const AmountChange = ({ before, after }: { before: number; after: number }) => (
  <>
    {formatReais(before)} → <b>{formatReais(after)}</b>
  </>
);

export const changeLimit = defineAction({
  path: `${CUSTOMER_PATH}/limite`,
  operation: 'changeCustomer',
  role: 'risk',
  title: 'Mudar limite',
  editedRecordOperation: 'getCustomer',
  firstStepFields: [{ name: 'credit_limit', label: 'Novo limite, em reais' }],
  renderImpact({ credit: { limit, used, available } }, { search }) {
    const newLimit = requireDecimal('credit_limit', search.get('credit_limit')!);
    return (
      <DescriptionList
        rows={[
          ['Limite', <AmountChange before={limit} after={newLimit} />],
          ['Em uso', formatReais(used)],
          ['Disponível', <AmountChange before={available} after={Math.max(sumReais(newLimit, -used), 0)} />],
        ]}
      />
    );
  },
  approvalRule: 'enteredAmountAboveLimit',
  fields: ['reason'],
  success: 'Limite mudado.',
});

export const changeContact = defineAction({
  path: `${CUSTOMER_PATH}/contato`,
  operation: 'changeCustomer',
  title: 'Mudar contato',
  editedRecordOperation: 'getCustomer',
  fields: ({ name, email, phone }) => [
    { name: 'name', value: name },
    { name: 'email', type: 'email', value: email },
    {
      name: 'phone',
      label: 'Celular',
      hint: 'Um novo conta depois de 24 horas, e o antigo é avisado.',
      value: formatPhone(phone),
    },
    'reason',
  ],
  button: 'Mudar',
  async run({ api, params }, form) {
    const path = { id: params.id! };
    const customer = await api.getCustomer({ path });
    const pickIfChanged = (name: 'name' | 'email' | 'phone', currentValue: string) =>
      form.readText(name) !== currentValue ? pickFilledFields(form, name) : {};
    const body = {
      ...pickIfChanged('name', customer.name),
      ...pickIfChanged('email', customer.email),
      ...pickIfChanged('phone', formatPhone(customer.phone)),
    };
    if (Object.keys(body).length === 0) return 'Nada mudou.';
    await api.changeCustomer({
      path,
      body: { ...body, ...pickFilledFields(form, 'reason') },
      ...readIfMatch(form),
    });
    return 'Contato mudado.';
  },
});

export const adjustCashback = defineAction({
  path: `${CUSTOMER_PATH}/cashback`,
  operation: 'adjustCashback',
  title: 'Ajustar cashback',
  recordOperation: 'getCashbackOfCustomer',
  // The mask of amounts allows no minus sign.
  firstStepFields: [{ name: 'amount', hint: 'Com sinal de menos para tirar: -5,00.', mask: undefined }],
  renderImpact({ available, pending }, { search }) {
    const amount = requireDecimal('amount', search.get('amount')!);
    return (
      <DescriptionList
        rows={[
          ['Ajuste', formatReais(amount)],
          ['Disponível', <AmountChange before={available} after={sumReais(available, amount)} />],
          ['A liberar', formatReais(pending)],
        ]}
      />
    );
  },
  approvalRule: 'enteredAmountAboveLimit',
  fields: ['reason'],
  button: 'Ajustar',
  success: 'Cashback ajustado.',
});

export const eraseCustomer = defineAction({
  path: `${CUSTOMER_PATH}/apagar`,
  operation: 'eraseCustomer',
  title: 'Apagar dados',
  renderImpact: () => (
    <p>
      <b>Não há volta.</b> Nome, telefone, CPF e e-mail são apagados; as contas continuam fechando. Só é
      possível sem nada em aberto.
    </p>
  ),
  fields: ['reason'],
  button: 'Apagar para sempre',
  success: 'Dados apagados.',
});

export const addNote = defineAction({
  path: `${CUSTOMER_PATH}/anotar`,
  operation: 'writeCustomerNote',
  title: 'Anotar',
  description: 'Fica com o seu nome e não muda depois: uma correção é outra anotação. O cliente não a vê.',
  fields: [{ name: 'text', label: 'Anotação', rows: 4 }],
  success: 'Anotado.',
});

export const endSession = defineAction({
  path: `${CUSTOMER_PATH}/sessoes/:session/encerrar`,
  operation: 'endCustomerSession',
  title: 'Encerrar',
  description: 'O cliente sai deste aparelho e pode entrar de novo.',
  fields: ['reason'],
  button: 'Encerrar sessão',
  success: 'Sessão encerrada.',
});

export const endSessions = defineAction({
  path: `${CUSTOMER_PATH}/sessoes/encerrar`,
  operation: 'endCustomerSessions',
  title: 'Encerrar todas as sessões',
  description: 'O cliente sai de todos os aparelhos e pode entrar de novo.',
  fields: ['reason'],
  button: 'Encerrar todas',
  success: 'Sessões encerradas.',
});

export const resendMessage = defineAction({
  path: '/clientes/:customer/mensagens/:id/reenviar',
  operation: 'resendMessage',
  title: 'Reenviar',
  async renderImpact(_, { api, params }) {
    const { data } = await api.listStaffMessages({ query: { customer: params.customer!, limit: 100 } });
    const message = data.find(({ id }) => id === params.id);
    return (
      <>
        <p>Sai outra mensagem, com o que for verdade na hora do envio. Lembretes esperam o seu horário.</p>
        {message?.text && <p class="office-text">{message.text}</p>}
      </>
    );
  },
  success: ({ title }) => `Na fila de novo: ${title}.`,
});

export const confirmPhoneChange = defineAction({
  path: `${CUSTOMER_PATH}/celular/confirmar`,
  operation: 'confirmPhoneChange',
  title: 'Confirmar novo celular',
  description:
    'O novo celular vale agora, e o cliente sai de todos os aparelhos. Quem pediu a troca não a confirma.',
  fields: ['reason'],
  button: 'Confirmar',
  success: 'Celular trocado.',
});

export const cancelPhoneChange = defineAction({
  path: `${CUSTOMER_PATH}/celular/cancelar`,
  operation: 'cancelPhoneChange',
  title: 'Cancelar troca de celular',
  fields: ['reason'],
  button: 'Cancelar a troca',
  success: 'Troca cancelada. Vale o celular antigo.',
});

/** Renders the newest messages of a customer or a purchase, which can be sent again. `filter` is the query of the link to all messages. */
export const Messages = (props: {
  title: string;
  visit: OfficeVisit;
  list: OutputOf<'listStaffMessages'>;
  filter: string;
  emptyText?: string;
}) => (
  <TableSection
    title={props.title}
    moreLink={{ href: `/mensagens?${props.filter}`, text: `Na lista (${props.list.pagination.total})` }}
    rows={props.list.data}
    emptyText={props.emptyText}
    columns={[
      {
        title: 'Mensagem',
        render: ({ title, step: dayOffset }) => (dayOffset === null ? title : `${title} (${dayOffset})`),
      },
      'status',
      'channel',
      'reason',
      'text',
      'updated_at',
      {
        title: 'Ação',
        render: ({ id, customer_id, status }) =>
          !['queued', 'retrying'].includes(status) && (
            <ActionLinks
              visit={props.visit}
              actions={[resendMessage]}
              params={{ customer: customer_id, id }}
            />
          ),
      },
    ]}
    titles={{ updated_at: 'Desde' }}
    labels={{ status: MESSAGE_LABELS, channel: CHANNEL_LABELS }}
  />
);
