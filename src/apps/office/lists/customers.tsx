import type { Item } from '#staff-client';
import { day, money, timestamp } from '../columns.tsx';
import { lockCustomer, unlockCustomer } from '../customer-acts.tsx';
import { searchFilter, statusFilter } from '../filters.ts';
import { defineListScreen } from '../list.tsx';
import { NoWrap, StatusBadge, toMaskedName, toMaskedPhone } from '../parts.tsx';
import { CUSTOMER_LABELS } from './labels.ts';

const statusOf = ({ erased_at, locked_at, overdue }: Item<'listCustomers'>) => {
  if (erased_at) return 'erased';
  if (locked_at) return 'locked';
  return overdue.amount > 0 ? 'overdue' : 'active';
};

export const customers = defineListScreen({
  path: '/clientes',
  title: 'Clientes',
  call: 'listCustomers',
  filters: [
    searchFilter('Nome, ou parte dele'),
    { name: 'phone', label: 'Telefone' },
    { name: 'cpf', label: 'CPF' },
    { name: 'email', label: 'E-mail' },
    statusFilter(CUSTOMER_LABELS),
  ],
  columns: [
    { title: 'Nome', render: ({ name }) => <NoWrap>{toMaskedName(name)}</NoWrap>, csvField: 'name' },
    { title: 'Telefone', render: ({ phone }) => <NoWrap>{toMaskedPhone(phone)}</NoWrap>, csvField: 'phone' },
    { title: 'CPF', render: ({ cpf }) => <NoWrap>{cpf}</NoWrap>, csvField: 'cpf' },
    { title: 'Situação', render: (row) => <StatusBadge status={statusOf(row)} labels={CUSTOMER_LABELS} /> },
    money('Limite', 'credit.limit'),
    money('Em uso', 'credit.used'),
    money('Em atraso', 'overdue.amount'),
    day('Atrasado desde', 'overdue.since'),
    timestamp('Cadastro', 'created_at'),
  ],
  rowHref: ({ id }) => `/clientes/${id}`,
  bulk: {
    idOf: ({ id }) => id,
    labelOf: ({ name, phone }) => `${toMaskedName(name)} ${toMaskedPhone(phone)}`,
    acts: [
      {
        act: lockCustomer,
        describeEffect: () => 'Sai de todos os aparelhos e não entra mais',
        explainIneligible: ({ erased_at, locked_at }) =>
          (erased_at !== null && 'Nada: dados apagados') || (locked_at !== null && 'Nada: já está bloqueado'),
      },
      {
        act: unlockCustomer,
        describeEffect: ({ locked_at }) =>
          locked_at ? 'Volta a entrar' : 'Senhas e códigos errados deixam de contar',
        explainIneligible: ({ erased_at }) => erased_at !== null && 'Nada: dados apagados',
      },
    ],
  },
});
