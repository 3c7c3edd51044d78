import { listScreen } from '../list.tsx';
import { moment, state, text, When } from '../parts.tsx';
import { ROLE_NAMES } from '../words.ts';
import { YES_NO } from './names.ts';

export const people = listScreen({
  path: '/equipe',
  title: 'Equipe',
  call: 'listStaff',
  filters: [
    { name: 'q', label: 'Nome' },
    { name: 'removed', label: 'Também quem saiu', choices: YES_NO },
  ],
  columns: [
    text('Nome', 'name'),
    state('Papel', 'role', ROLE_NAMES),
    { title: 'E-mail', show: ({ email }) => email ?? 'ainda não entrou', field: 'email' },
    moment('Desde', 'created_at'),
    {
      title: 'Saiu',
      show: ({ removed_at }) => (removed_at ? <When at={removed_at} /> : ''),
      field: 'removed_at',
    },
  ],
  open: ({ id, removed_at }) => (removed_at ? `/trilha?actor=${id}` : `/equipe/${id}`),
  actions: [{ href: '/equipe/nova', text: 'Convidar alguém', call: 'addStaffMember' }],
});
