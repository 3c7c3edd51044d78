import { statusBadge, text } from '../columns.tsx';
import { statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { addWebhook } from '../partners.tsx';
import { WEBHOOK_LABELS } from './labels.ts';

export const webhooks = defineListScreen({
  path: '/webhooks',
  title: 'Webhooks',
  call: 'listWebhooks',
  filters: [{ name: 'partner', label: 'Parceiro (id ou nome)' }, statusFilter(WEBHOOK_LABELS)],
  columns: [
    text('Endereço', 'url'),
    statusBadge('Situação', 'status', WEBHOOK_LABELS),
    {
      title: 'Eventos',
      render: ({ events }) => (events.length === 0 ? 'todos' : events.join(', ')),
      csvField: 'events',
    },
  ],
  rowHref: ({ id }) => `/webhooks/${id}`,
  acts: [addWebhook],
});
