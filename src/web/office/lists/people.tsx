import { invite } from '../admin.tsx';
import { moment, state, text } from '../columns.tsx';
import { choice, search } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { ROLE_NAMES } from '../words.ts';
import { YES_NO } from './names.ts';

export const people = listScreen({
  path: '/equipe',
  title: 'Equipe',
  call: 'listStaff',
  filters: [search('Nome'), choice('removed', 'Também quem saiu', YES_NO)],
  columns: [
    text('Nome', 'name'),
    state('Papel', 'role', ROLE_NAMES),
    text('E-mail', 'email', 'ainda não entrou'),
    moment('Desde', 'created_at'),
    moment('Saiu', 'removed_at', ''),
  ],
  open: ({ id, removed_at }) => (removed_at ? `/trilha?actor=${id}` : `/equipe/${id}`),
  acts: [invite],
});
