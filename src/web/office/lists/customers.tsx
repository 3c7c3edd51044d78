import { day, moment, money } from '../columns.tsx';
import { lock, unlock } from '../customer-acts.tsx';
import { search, status } from '../filters.ts';
import { listScreen } from '../list.tsx';
import { maskedName, maskedPhone, Status, Whole } from '../parts.tsx';
import type { Item } from '../staff/client.ts';
import { CUSTOMER } from './names.ts';

const statusOf = ({ erased_at, locked_at, overdue }: Item<'listCustomers'>) => {
  if (erased_at) return 'erased';
  if (locked_at) return 'locked';
  return overdue.amount > 0 ? 'overdue' : 'active';
};

export const customers = listScreen({
  path: '/clientes',
  title: 'Clientes',
  call: 'listCustomers',
  filters: [
    search('Nome, ou parte dele'),
    { name: 'phone', label: 'Telefone' },
    { name: 'cpf', label: 'CPF' },
    { name: 'email', label: 'E-mail' },
    status(CUSTOMER),
  ],
  columns: [
    { title: 'Nome', show: ({ name }) => <Whole>{maskedName(name)}</Whole>, field: 'name' },
    { title: 'Telefone', show: ({ phone }) => <Whole>{maskedPhone(phone)}</Whole>, field: 'phone' },
    { title: 'CPF', show: ({ cpf }) => <Whole>{cpf}</Whole>, field: 'cpf' },
    { title: 'Situação', show: (row) => <Status of={statusOf(row)} names={CUSTOMER} /> },
    money('Limite', 'credit.limit'),
    money('Em uso', 'credit.used'),
    money('Em atraso', 'overdue.amount'),
    day('Atrasado desde', 'overdue.since'),
    moment('Cadastro', 'created_at'),
  ],
  open: ({ id }) => `/clientes/${id}`,
  bulk: {
    idOf: ({ id }) => id,
    labelOf: ({ name, phone }) => `${maskedName(name)} ${maskedPhone(phone)}`,
    acts: [
      {
        act: lock,
        what: () => 'Sai de todos os aparelhos e não entra mais',
        not: ({ erased_at, locked_at }) =>
          (erased_at !== null && 'Nada: dados apagados') || (locked_at !== null && 'Nada: já está bloqueado'),
      },
      {
        act: unlock,
        what: ({ locked_at }) => (locked_at ? 'Volta a entrar' : 'Senhas e códigos errados deixam de contar'),
        not: ({ erased_at }) => erased_at !== null && 'Nada: dados apagados',
      },
    ],
  },
});
