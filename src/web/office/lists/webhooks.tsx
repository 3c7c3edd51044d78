import { state, text } from '../columns.tsx';
import { status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { addWebhook } from '../webhooks.tsx';
import { WEBHOOK } from './names.ts';

export const webhooks = listScreen({
  path: '/webhooks',
  title: 'Webhooks',
  call: 'listWebhooks',
  filters: [{ name: 'partner', label: 'Parceiro (id ou nome)' }, status(WEBHOOK)],
  columns: [
    text('Endereço', 'url'),
    state('Situação', 'status', WEBHOOK),
    {
      title: 'Eventos',
      show: ({ events }) => (events.length === 0 ? 'todos' : events.join(', ')),
      field: 'events',
    },
  ],
  open: ({ id }) => `/webhooks/${id}`,
  acts: [addWebhook],
});
