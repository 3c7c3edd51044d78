import { inviteStaffUser, retryJob } from '../admin.tsx';
import * as labels from '../labels.ts';
import { defineListScreen } from '../list.tsx';
import { addKey, addPartner, addWebhook } from '../partners.tsx';
import { Timestamp } from '../tables.tsx';

export const staffUsers = defineListScreen({
  path: '/equipe',
  title: 'Equipe',
  operation: 'listStaff',
  searchLabel: 'Nome',
  labels: { role: labels.ROLE_LABELS },
  columns: ['name', 'role', 'email', 'created_at', 'removed_at'],
  emptyTexts: { email: 'ainda não entrou', removed_at: '' },
  titles: { created_at: 'Desde', removed_at: 'Saiu', removed: 'Também quem saiu' },
  rowHref: ({ id, removed_at }) => (removed_at ? `/trilha?actor=${id}` : `/equipe/${id}`),
  actions: [inviteStaffUser],
});

export const partners = defineListScreen({
  path: '/parceiros',
  title: 'Parceiros',
  operation: 'listPartners',
  searchLabel: 'Nome',
  columns: ['name', 'keys', 'created_at'],
  titles: { created_at: 'Desde' },
  rowHref: ({ id }) => `/chaves?partner=${id}`,
  actions: [addPartner],
});

export const keys = defineListScreen({
  path: '/chaves',
  title: 'Chaves',
  operation: 'listKeys',
  searchLabel: 'Texto',
  columns: [
    'hint',
    'partner.name',
    'label',
    {
      title: 'Alcance',
      render: ({ scopes }) => labels.formatScopes(scopes),
      csvField: 'scopes',
      formatForCsv: (cell) => labels.formatScopes(cell.split(';')),
    },
    'merchant',
    'last_used_at',
    'revoked_at',
  ],
  emptyTexts: { revoked_at: '' },
  titles: { merchant: 'Loja', revoked_at: 'Encerrada', partner: 'Parceiro (id ou nome)' },
  rowHref: ({ id }) => `/chaves/${id}`,
  actions: [addKey],
});

export const webhooks = defineListScreen({
  path: '/webhooks',
  title: 'Webhooks',
  operation: 'listWebhooks',
  labels: { status: labels.WEBHOOK_LABELS },
  columns: ['url', 'status', 'events'],
  cells: { events: ({ events }) => events.join(', ') || 'todos' },
  titles: { partner: 'Parceiro (id ou nome)' },
  rowHref: ({ id }) => `/webhooks/${id}`,
  actions: [addWebhook],
});

export const jobs = defineListScreen({
  path: '/tarefas',
  title: 'Tarefas que falham',
  operation: 'listFailingJobs',
  columns: ['task', 'attempts', 'last_error', 'run_at', 'created_at'],
  cells: {
    attempts: ({ attempts, max_attempts }) => `${attempts} de ${max_attempts}`,
    run_at: ({ attempts, max_attempts, is_running, run_at }) =>
      is_running ? 'rodando agora' : attempts >= max_attempts ? 'nenhuma' : <Timestamp instant={run_at} />,
  },
  titles: { created_at: 'Desde' },
  bulk: {
    getId: ({ id }) => id,
    getLabel: ({ task, id }) => `${task} ${id}`,
    actions: [
      {
        action: retryJob,
        describeEffect: () => 'Roda agora, com todas as tentativas',
        explainIneligible: ({ is_running }) => is_running && 'Nada: está rodando',
      },
    ],
  },
  emptyText: 'Nenhuma tarefa falha.',
});
