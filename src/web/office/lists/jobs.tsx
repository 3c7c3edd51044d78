import { retryJob } from '../admin.tsx';
import { code, moment, text } from '../columns.tsx';
import { listScreen } from '../list.tsx';
import { When } from '../parts.tsx';

export const jobs = listScreen({
  path: '/tarefas',
  title: 'Tarefas que falham',
  call: 'listFailingJobs',
  filters: [],
  columns: [
    code('Tarefa', 'task'),
    {
      title: 'Tentativas',
      isNumber: true,
      show: ({ attempts, max_attempts }) => `${attempts} de ${max_attempts}`,
      field: 'attempts',
    },
    text('Erro', 'last_error'),
    {
      title: 'Próxima tentativa',
      show: ({ attempts, max_attempts, is_running, run_at }) =>
        is_running ? 'rodando agora' : attempts >= max_attempts ? 'nenhuma' : <When at={run_at} />,
      field: 'run_at',
    },
    moment('Desde', 'created_at'),
  ],
  bulk: {
    idOf: ({ id }) => id,
    labelOf: ({ task, id }) => `${task} ${id}`,
    acts: [
      {
        act: retryJob,
        what: () => 'Roda agora, com todas as tentativas',
        not: ({ is_running }) => is_running && 'Nada: está rodando',
      },
    ],
  },
  empty: 'Nenhuma tarefa falha.',
});
