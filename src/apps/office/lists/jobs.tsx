import { retryJob } from '../admin.tsx';
import { code, text, timestamp } from '../columns.tsx';
import { defineListScreen } from '../list.tsx';
import { Timestamp } from '../parts.tsx';

export const jobs = defineListScreen({
  path: '/tarefas',
  title: 'Tarefas que falham',
  call: 'listFailingJobs',
  filters: [],
  columns: [
    code('Tarefa', 'task'),
    {
      title: 'Tentativas',
      isNumber: true,
      render: ({ attempts, max_attempts }) => `${attempts} de ${max_attempts}`,
      csvField: 'attempts',
    },
    text('Erro', 'last_error'),
    {
      title: 'Próxima tentativa',
      render: ({ attempts, max_attempts, is_running, run_at }) =>
        is_running ? 'rodando agora' : attempts >= max_attempts ? 'nenhuma' : <Timestamp instant={run_at} />,
      csvField: 'run_at',
    },
    timestamp('Desde', 'created_at'),
  ],
  bulk: {
    idOf: ({ id }) => id,
    labelOf: ({ task, id }) => `${task} ${id}`,
    acts: [
      {
        act: retryJob,
        describeEffect: () => 'Roda agora, com todas as tentativas',
        explainIneligible: ({ is_running }) => is_running && 'Nada: está rodando',
      },
    ],
  },
  emptyText: 'Nenhuma tarefa falha.',
});
