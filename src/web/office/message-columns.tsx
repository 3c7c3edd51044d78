import { ActLinks } from './act.tsx';
import { type Column, moment, named, state, text } from './columns.tsx';
import { resend } from './customer-acts.tsx';
import { CHANNEL, MESSAGE } from './lists/names.ts';
import type { Item } from './staff/client.ts';
import type { OfficeVisit } from './visit.ts';

/** Messages to a customer with their delivery, and a way to send one again. */
export const messageColumns = (visit: OfficeVisit): Array<Column<Item<'listStaffMessages'>>> => [
  { title: 'Mensagem', show: ({ title, step }) => (step === null ? title : `${title} (${step})`) },
  state('Situação', 'status', MESSAGE),
  named('Canal', 'channel', CHANNEL),
  text('Motivo', 'reason'),
  { title: 'Texto', show: (message) => message.text?.slice(0, 90) },
  moment('Desde', 'updated_at'),
  {
    title: 'Ação',
    show: ({ id, customer_id, status }) =>
      !['queued', 'retrying'].includes(status) && (
        <ActLinks visit={{ ...visit, params: { id: customer_id, message: id } }} acts={[resend]} />
      ),
  },
];
