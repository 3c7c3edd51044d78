import { ActLinks } from './act.tsx';
import { resend } from './customer-acts.tsx';
import { CHANNEL, MESSAGE } from './lists/names.ts';
import { type Column, moment, Status } from './parts.tsx';
import type { Item } from './staff/client.ts';
import type { OfficeVisit } from './visit.ts';

/** Messages to a customer with their delivery, and a way to send one again. */
export const messageColumns = (visit: OfficeVisit): Array<Column<Item<'listStaffMessages'>>> => [
  { title: 'Mensagem', show: ({ title, step }) => (step === null ? title : `${title} (${step})`) },
  { title: 'Situação', show: ({ status }) => <Status of={status} names={MESSAGE} /> },
  { title: 'Canal', show: ({ channel }) => (channel ? CHANNEL[channel] : '') },
  { title: 'Motivo', show: ({ reason }) => reason ?? '' },
  { title: 'Texto', show: ({ text }) => text?.slice(0, 90) ?? '' },
  moment('Desde', 'updated_at'),
  {
    title: 'Ação',
    show: ({ id, customer_id, status }) =>
      !['queued', 'retrying'].includes(status) && (
        <ActLinks visit={{ ...visit, params: { id: customer_id, message: id } }} acts={[resend]} />
      ),
  },
];
