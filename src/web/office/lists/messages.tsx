import { moment, named, person, state, text } from '../columns.tsx';
import { between, byCheckout, byCustomer, choice, search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { CHANNEL, MESSAGE, TEMPLATE } from './names.ts';

export const messages = listScreen({
  path: '/mensagens',
  title: 'Mensagens',
  call: 'listStaffMessages',
  filters: [
    search('Cliente'),
    status(MESSAGE),
    choice('channel', 'Canal', CHANNEL),
    choice('template', 'Mensagem', TEMPLATE),
    byCustomer,
    byCheckout,
    ...between,
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
