import { listScreen } from '../list.tsx';
import { moment, named, person, state, text } from '../parts.tsx';
import { CHANNEL, MESSAGE, TEMPLATE } from './names.ts';

export const messages = listScreen({
  path: '/mensagens',
  title: 'Mensagens',
  call: 'listStaffMessages',
  filters: [
    { name: 'q', label: 'Cliente' },
    { name: 'status', label: 'Situação', choices: MESSAGE },
    { name: 'channel', label: 'Canal', choices: CHANNEL },
    { name: 'template', label: 'Mensagem', choices: TEMPLATE },
    { name: 'customer', label: 'Cliente (id ou telefone)', kind: 'linked' },
    { name: 'checkout', label: 'Compra (código)', kind: 'linked' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    {
      title: 'Mensagem',
      show: ({ title, step }) => (step === null ? title : `${title} (${step})`),
      field: 'title',
    },
    person('Cliente', 'customer_name'),
    state('Situação', 'status', MESSAGE),
    named('Canal', 'channel', CHANNEL),
    text('Motivo', 'reason'),
    moment('Escrita', 'created_at'),
    moment('Enviada', 'sent_at'),
  ],
  open: ({ customer_id }) => `/clientes/${customer_id}`,
});
