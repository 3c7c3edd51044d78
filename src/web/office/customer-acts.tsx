import { plainReais, showPhone } from '../text/format.ts';
import { act, ifMatch, reason } from './act.tsx';
import { money } from './columns.tsx';
import { Facts } from './tables.tsx';
import { amountIn, filled, typed } from './typed.ts';

const PATH = '/clientes/:id';

export const lock = act({
  path: `${PATH}/bloquear`,
  call: 'lockCustomer',
  title: 'Bloquear',
  says: 'O cliente sai de todos os aparelhos e não entra mais até ser desbloqueado.',
  fields: [reason],
  body: (sent) => filled(sent, 'reason'),
  done: 'Cliente bloqueado. Para desfazer, use Desbloquear.',
});

export const unlock = act({
  path: `${PATH}/desbloquear`,
  call: 'unlockCustomer',
  title: 'Desbloquear',
  says: 'O cliente volta a entrar. Senhas e códigos errados deixam de contar.',
  fields: [reason],
  body: (sent) => filled(sent, 'reason'),
  done: 'Cliente desbloqueado.',
});

export const limit = act({
  path: `${PATH}/limite`,
  call: 'changeCustomer',
  least: 'finance',
  title: 'Mudar limite',
  edits: 'getCustomer',
  figures: ({ credit }) => (
    <Facts
      of={credit}
      are={[money('Limite', 'limit'), money('Em uso', 'used'), money('Disponível', 'available')]}
    />
  ),
  stake: 'typed',
  fields: ({ credit }) => [
    { name: 'credit_limit', label: 'Novo limite, em reais', mask: 'money', value: plainReais(credit.limit) },
    reason,
  ],
  body: (sent) => ({ credit_limit: amountIn(sent, 'credit_limit'), ...filled(sent, 'reason') }),
  done: 'Limite mudado.',
});

export const contact = act({
  path: `${PATH}/contato`,
  call: 'changeCustomer',
  title: 'Mudar contato',
  edits: 'getCustomer',
  fields: ({ name, email, phone }) => [
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
  ],
  button: 'Mudar',
  async run({ api, params }, sent) {
    const path = { id: params.id! };
    const now = await api.getCustomer({ path });
    const changed = (name: 'name' | 'email' | 'phone', shown: string) =>
      sent.text(name) !== shown ? filled(sent, name) : {};
    const body = {
      ...changed('name', now.name),
      ...changed('email', now.email),
      ...changed('phone', showPhone(now.phone)),
    };
    if (Object.keys(body).length === 0) return 'Nada mudou.';
    await api.changeCustomer({ path, body: { ...body, ...filled(sent, 'reason') }, ...ifMatch(sent) });
    return 'Contato mudado.';
  },
});

export const adjust = act({
  path: `${PATH}/cashback`,
  call: 'adjustCashback',
  title: 'Ajustar cashback',
  of: 'getCashbackOfCustomer',
  figures: (cashback) => (
    <Facts of={cashback} are={[money('Disponível', 'available'), money('A liberar', 'pending')]} />
  ),
  stake: 'typed',
  fields: [{ name: 'amount', label: 'Valor', hint: 'Com sinal de menos para tirar: -5,00.' }, reason],
  button: 'Ajustar',
  body: (sent) => ({ amount: amountIn(sent, 'amount'), reason: sent.text('reason') }),
  done: 'Cashback ajustado.',
});

export const erase = act({
  path: `${PATH}/apagar`,
  call: 'eraseCustomer',
  title: 'Apagar dados',
  figures: () => (
    <p>
      <b>Não há volta.</b> Nome, telefone, CPF e e-mail são apagados; as contas continuam fechando. Só é
      possível sem nada em aberto.
    </p>
  ),
  fields: [reason],
  button: 'Apagar para sempre',
  body: (sent) => typed(sent, 'reason'),
  done: 'Dados apagados.',
});

export const note = act({
  path: `${PATH}/anotar`,
  call: 'writeCustomerNote',
  title: 'Anotar',
  says: 'Fica com o seu nome e não muda depois: uma correção é outra anotação. O cliente não a vê.',
  fields: [{ name: 'text', label: 'Anotação', rows: 4, maxLength: 2000 }],
  body: (sent) => typed(sent, 'text'),
  done: 'Anotado.',
});

export const endSession = act({
  path: `${PATH}/sessoes/:session/encerrar`,
  call: 'endCustomerSession',
  title: 'Encerrar',
  says: 'O cliente sai deste aparelho e pode entrar de novo.',
  fields: [reason],
  button: 'Encerrar sessão',
  body: (sent) => filled(sent, 'reason'),
  done: 'Sessão encerrada.',
});

export const endSessions = act({
  path: `${PATH}/sessoes/encerrar`,
  call: 'endCustomerSessions',
  title: 'Encerrar todas as sessões',
  says: 'O cliente sai de todos os aparelhos e pode entrar de novo.',
  fields: [reason],
  button: 'Encerrar todas',
  body: (sent) => filled(sent, 'reason'),
  done: 'Sessões encerradas.',
});

export const resend = act({
  path: `${PATH}/mensagens/:message/reenviar`,
  call: 'resendMessage',
  title: 'Reenviar',
  async figures(_, { api, params }) {
    const { data } = await api.listStaffMessages({ query: { customer: params.id!, limit: 100 } });
    const found = data.find(({ id }) => id === params.message);
    return (
      <>
        <p>Sai outra mensagem, com o que for verdade na hora do envio. Lembretes esperam o seu horário.</p>
        {found?.text && <p class="office-text">{found.text}</p>}
      </>
    );
  },
  async run({ api, params }) {
    const { title } = await api.resendMessage({ path: { id: params.message! } });
    return `Na fila de novo: ${title}.`;
  },
});

export const confirmPhone = act({
  path: `${PATH}/celular/confirmar`,
  call: 'confirmPhoneChange',
  title: 'Confirmar novo celular',
  says: 'O novo celular vale agora, e o cliente sai de todos os aparelhos. Quem pediu a troca não a confirma.',
  fields: [reason],
  button: 'Confirmar',
  body: (sent) => filled(sent, 'reason'),
  done: 'Celular trocado.',
});

export const cancelPhone = act({
  path: `${PATH}/celular/cancelar`,
  call: 'cancelPhoneChange',
  title: 'Cancelar troca de celular',
  fields: [reason],
  button: 'Cancelar a troca',
  body: (sent) => filled(sent, 'reason'),
  done: 'Troca cancelada. Vale o celular antigo.',
});
