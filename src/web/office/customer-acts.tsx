import type { Sent } from '../server/visit.ts';
import { plainReais, showPhone } from '../ui/format.ts';
import { type Act, doneOrWaits, ifMatch, type PlainAct, reason, version } from './act.tsx';
import { amountIn } from './amounts.ts';
import { Facts, Money } from './parts.tsx';

const PATH = '/clientes/:id';

const reasonIn = (sent: Sent) => (sent.text('reason') ? { reason: sent.text('reason') } : {});

export const lock: PlainAct = {
  path: `${PATH}/bloquear`,
  call: 'lockCustomer',
  title: 'Bloquear',
  back: PATH,
  figures: async () => <p>O cliente sai de todos os aparelhos e não entra mais até ser desbloqueado.</p>,
  fields: [reason],
  button: 'Bloquear',
  async run({ api, params }, sent) {
    await api.lockCustomer({ path: { id: params.id! }, body: reasonIn(sent) });
    return 'Cliente bloqueado. Para desfazer, use Desbloquear.';
  },
};

export const unlock: PlainAct = {
  path: `${PATH}/desbloquear`,
  call: 'unlockCustomer',
  title: 'Desbloquear',
  back: PATH,
  figures: async () => <p>O cliente volta a entrar. Senhas e códigos errados deixam de contar.</p>,
  fields: [reason],
  button: 'Desbloquear',
  async run({ api, params }, sent) {
    await api.unlockCustomer({ path: { id: params.id! }, body: reasonIn(sent) });
    return 'Cliente desbloqueado.';
  },
};

export const limit: Act = {
  path: `${PATH}/limite`,
  call: 'changeCustomer',
  least: 'finance',
  title: 'Mudar limite',
  back: PATH,
  async figures({ api, params }) {
    const { credit } = await api.getCustomer({ path: { id: params.id! } });
    return (
      <Facts
        of={[
          ['Limite', <Money key="l" of={credit.limit} />],
          ['Em uso', <Money key="u" of={credit.used} />],
          ['Disponível', <Money key="a" of={credit.available} />],
        ]}
      />
    );
  },
  stake: 'typed',
  async fields({ api, params }) {
    const read = await api.call('getCustomer', { path: { id: params.id! } });
    const value = plainReais(read.data.credit.limit);
    return [
      version(read),
      { name: 'credit_limit', label: 'Novo limite, em reais', mask: 'money', value },
      reason,
    ];
  },
  button: 'Mudar limite',
  async run({ api, params }, sent) {
    const body = { credit_limit: amountIn(sent, 'credit_limit'), ...reasonIn(sent) };
    return doneOrWaits(
      await api.call('changeCustomer', { path: { id: params.id! }, body, ...ifMatch(sent) }),
      'Limite mudado.',
    );
  },
};

export const contact: Act = {
  path: `${PATH}/contato`,
  call: 'changeCustomer',
  title: 'Mudar contato',
  back: PATH,
  async fields({ api, params }) {
    const read = await api.call('getCustomer', { path: { id: params.id! } });
    const { name, email, phone } = read.data;
    return [
      version(read),
      { name: 'name', label: 'Nome', value: name, maxLength: 120 },
      { name: 'email', label: 'E-mail', type: 'email', value: email, maxLength: 254 },
      {
        name: 'phone',
        label: 'Celular',
        hint: 'Um novo conta depois de 24 horas, e o antigo é avisado.',
        value: showPhone(phone),
        type: 'tel',
      },
      reason,
    ];
  },
  button: 'Mudar',
  async run({ api, params }, sent) {
    const path = { id: params.id! };
    const now = await api.getCustomer({ path });
    const changed = (name: 'name' | 'email' | 'phone', shown: string) =>
      sent.text(name) && sent.text(name) !== shown ? { [name]: sent.text(name) } : {};
    const body = {
      ...changed('name', now.name),
      ...changed('email', now.email),
      ...changed('phone', showPhone(now.phone)),
    };
    if (Object.keys(body).length === 0) return 'Nada mudou.';
    await api.changeCustomer({ path, body: { ...body, ...reasonIn(sent) }, ...ifMatch(sent) });
    return 'Contato mudado.';
  },
};

export const adjust: Act = {
  path: `${PATH}/cashback`,
  call: 'adjustCashback',
  title: 'Ajustar cashback',
  back: PATH,
  async figures({ api, params }) {
    const { available, pending } = await api.getCashbackOfCustomer({ path: { id: params.id! } });
    return (
      <Facts
        of={[
          ['Disponível', <Money key="a" of={available} />],
          ['A liberar', <Money key="p" of={pending} />],
        ]}
      />
    );
  },
  stake: 'typed',
  fields: [{ name: 'amount', label: 'Valor', hint: 'Com sinal de menos para tirar: -5,00.' }, reason],
  button: 'Ajustar',
  async run({ api, params, idempotencyKey }, sent) {
    const body = { amount: amountIn(sent, 'amount'), reason: sent.text('reason') };
    const given = { path: { id: params.id! }, body, idempotencyKey };
    return doneOrWaits(await api.call('adjustCashback', given), 'Cashback ajustado.');
  },
};

export const erase: Act = {
  path: `${PATH}/apagar`,
  call: 'eraseCustomer',
  title: 'Apagar dados',
  back: PATH,
  figures: async () => (
    <p>
      <b>Não há volta.</b> Nome, telefone, CPF e e-mail são apagados; as contas continuam fechando. Só é
      possível sem nada em aberto.
    </p>
  ),
  fields: [reason],
  button: 'Apagar para sempre',
  async run({ api, params }, sent) {
    await api.eraseCustomer({ path: { id: params.id! }, body: { reason: sent.text('reason') } });
    return 'Dados apagados.';
  },
};

export const note: Act = {
  path: `${PATH}/anotar`,
  call: 'writeCustomerNote',
  title: 'Anotar',
  back: PATH,
  figures: async () => (
    <p>Fica com o seu nome e não muda depois: uma correção é outra anotação. O cliente não a vê.</p>
  ),
  fields: [{ name: 'text', label: 'Anotação', rows: 4, maxLength: 2000 }],
  button: 'Anotar',
  async run({ api, params, idempotencyKey }, sent) {
    const body = { text: sent.text('text') };
    await api.writeCustomerNote({ path: { id: params.id! }, body, idempotencyKey });
    return 'Anotado.';
  },
};

export const endSession: Act = {
  path: `${PATH}/sessoes/:session/encerrar`,
  call: 'endCustomerSession',
  title: 'Encerrar',
  back: PATH,
  figures: async () => <p>O cliente sai deste aparelho e pode entrar de novo.</p>,
  fields: [reason],
  button: 'Encerrar sessão',
  async run({ api, params }, sent) {
    const path = { id: params.id!, session: params.session! };
    await api.endCustomerSession({ path, body: reasonIn(sent) });
    return 'Sessão encerrada.';
  },
};

export const endSessions: Act = {
  path: `${PATH}/sessoes/encerrar`,
  call: 'endCustomerSessions',
  title: 'Encerrar todas as sessões',
  back: PATH,
  figures: async () => <p>O cliente sai de todos os aparelhos e pode entrar de novo.</p>,
  fields: [reason],
  button: 'Encerrar todas',
  async run({ api, params }, sent) {
    await api.endCustomerSessions({ path: { id: params.id! }, body: reasonIn(sent) });
    return 'Sessões encerradas.';
  },
};

export const resend: Act = {
  path: `${PATH}/mensagens/:message/reenviar`,
  call: 'resendMessage',
  title: 'Reenviar',
  back: PATH,
  async figures({ api, params }) {
    const { data } = await api.listStaffMessages({ query: { customer: params.id!, limit: 100 } });
    const found = data.find(({ id }) => id === params.message);
    return (
      <>
        <p>Sai outra mensagem, com o que for verdade na hora do envio. Lembretes esperam o seu horário.</p>
        {found?.text && <p class="office-text">{found.text}</p>}
      </>
    );
  },
  button: 'Reenviar',
  async run({ api, params }) {
    const { title } = await api.resendMessage({ path: { id: params.message! } });
    return `Na fila de novo: ${title}.`;
  },
};

export const confirmPhone: Act = {
  path: `${PATH}/celular/confirmar`,
  call: 'confirmPhoneChange',
  title: 'Confirmar novo celular',
  back: PATH,
  figures: async () => (
    <p>
      O novo celular vale agora, e o cliente sai de todos os aparelhos. Quem pediu a troca não a confirma.
    </p>
  ),
  fields: [reason],
  button: 'Confirmar',
  async run({ api, params }, sent) {
    await api.confirmPhoneChange({ path: { id: params.id! }, body: reasonIn(sent) });
    return 'Celular trocado.';
  },
};

export const cancelPhone: Act = {
  path: `${PATH}/celular/cancelar`,
  call: 'cancelPhoneChange',
  title: 'Cancelar troca de celular',
  back: PATH,
  fields: [reason],
  button: 'Cancelar a troca',
  async run({ api, params }, sent) {
    await api.cancelPhoneChange({ path: { id: params.id! }, body: reasonIn(sent) });
    return 'Troca cancelada. Vale o celular antigo.';
  },
};

export const CUSTOMER_ACTS: readonly Act[] = [
  lock,
  unlock,
  limit,
  contact,
  adjust,
  erase,
  note,
  endSession,
  endSessions,
  resend,
  confirmPhone,
  cancelPhone,
];
