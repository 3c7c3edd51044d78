import { listScreen } from '../list.tsx';
import { maskedName, moment, Status } from '../parts.tsx';
import { CHANNEL, MESSAGE, TEMPLATE } from './names.ts';

export const messages = listScreen({
  path: '/mensagens',
  title: 'Mensagens',
  call: 'listStaffMessages',
  filters: [
    { name: 'status', label: 'Situação', choices: MESSAGE },
    { name: 'channel', label: 'Canal', choices: CHANNEL },
    { name: 'template', label: 'Mensagem', choices: TEMPLATE },
    { name: 'customer', label: 'Cliente (id ou telefone)' },
    { name: 'checkout', label: 'Compra (código)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    { title: 'Mensagem', show: ({ title, step }) => (step === null ? title : `${title} (${step})`) },
    { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
    { title: 'Situação', show: ({ status }) => <Status of={status} names={MESSAGE} /> },
    { title: 'Canal', show: ({ channel }) => (channel ? CHANNEL[channel] : '') },
    { title: 'Motivo', show: ({ reason }) => reason ?? '' },
    moment('Escrita', 'created_at'),
    moment('Enviada', 'sent_at'),
  ],
  open: ({ customer_id }) => `/clientes/${customer_id}`,
});
