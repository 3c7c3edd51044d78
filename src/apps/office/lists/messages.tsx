import { MESSAGE_TITLES } from '#core/values/message-titles.ts';
import { CHANNEL_LABELS } from '../../text/labels.ts';
import { labelled, maskedPerson, statusBadge, text, timestamp } from '../columns.tsx';
import {
  checkoutFilter,
  choiceFilter,
  customerFilter,
  dateRangeFilters,
  searchFilter,
  statusFilter,
} from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { MESSAGE_LABELS } from './labels.ts';

export const messages = defineListScreen({
  path: '/mensagens',
  title: 'Mensagens',
  call: 'listStaffMessages',
  filters: [
    searchFilter('Cliente'),
    statusFilter(MESSAGE_LABELS),
    choiceFilter('channel', 'Canal', CHANNEL_LABELS),
    choiceFilter('template', 'Mensagem', MESSAGE_TITLES),
    customerFilter,
    checkoutFilter,
    ...dateRangeFilters,
  ],
  columns: [
    {
      title: 'Mensagem',
      render: ({ title, step }) => (step === null ? title : `${title} (${step})`),
      csvField: 'title',
    },
    maskedPerson('Cliente', 'customer_name'),
    statusBadge('Situação', 'status', MESSAGE_LABELS),
    labelled('Canal', 'channel', CHANNEL_LABELS),
    text('Motivo', 'reason'),
    timestamp('Escrita', 'created_at'),
    timestamp('Enviada', 'sent_at'),
  ],
  rowHref: ({ customer_id }) => `/clientes/${customer_id}`,
});
