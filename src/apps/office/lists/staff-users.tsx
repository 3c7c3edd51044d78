import { inviteStaffUser } from '../admin.tsx';
import { statusBadge, text, timestamp } from '../columns.tsx';
import { choiceFilter, searchFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { ROLE_NAMES } from '../problem-texts.ts';
import { YES_NO_LABELS } from './labels.ts';

export const staffUsers = defineListScreen({
  path: '/equipe',
  title: 'Equipe',
  call: 'listStaff',
  filters: [searchFilter('Nome'), choiceFilter('removed', 'Também quem saiu', YES_NO_LABELS)],
  columns: [
    text('Nome', 'name'),
    statusBadge('Papel', 'role', ROLE_NAMES),
    text('E-mail', 'email', 'ainda não entrou'),
    timestamp('Desde', 'created_at'),
    timestamp('Saiu', 'removed_at', ''),
  ],
  rowHref: ({ id, removed_at }) => (removed_at ? `/trilha?actor=${id}` : `/equipe/${id}`),
  acts: [inviteStaffUser],
});
