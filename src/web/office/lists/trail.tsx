import { listScreen } from '../list.tsx';
import { moment } from '../parts.tsx';

export const trail = listScreen({
  path: '/trilha',
  title: 'Trilha',
  call: 'listAuditTrail',
  filters: [
    { name: 'actor', label: 'Quem (id)' },
    { name: 'subject', label: 'O quê (tipo, ou tipo:id)' },
    { name: 'from', label: 'De', kind: 'day' },
    { name: 'to', label: 'Até', kind: 'day' },
  ],
  columns: [
    moment('Quando', 'at'),
    { title: 'Quem', show: ({ actor, actor_name }) => actor_name ?? actor },
    { title: 'Fez', show: ({ action }) => action },
    { title: 'Em', show: ({ subject }) => subject },
    { title: 'Motivo', show: ({ reason }) => reason ?? '' },
    { title: 'De onde', show: ({ address }) => address ?? '' },
    { title: 'Antes', show: ({ before }) => (before ? JSON.stringify(before) : '') },
    { title: 'Depois', show: ({ after }) => (after ? JSON.stringify(after) : '') },
  ],
});
