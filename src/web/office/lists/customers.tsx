import { lock, unlock } from '../customer-acts.tsx';
import { listScreen } from '../list.tsx';
import { Money, maskedName, maskedPhone, moment, OnDay, Status, Whole } from '../parts.tsx';
import { CUSTOMER } from './names.ts';

const statusOf = (row: {
  locked_at: string | null;
  erased_at: string | null;
  overdue: { amount: number };
}) => {
  if (row.erased_at) return 'erased';
  if (row.locked_at) return 'locked';
  return row.overdue.amount > 0 ? 'overdue' : 'active';
};

export const customers = listScreen({
  path: '/clientes',
  title: 'Clientes',
  call: 'listCustomers',
  filters: [
    { name: 'q', label: 'Nome, ou parte dele' },
    { name: 'phone', label: 'Telefone' },
    { name: 'cpf', label: 'CPF' },
    { name: 'email', label: 'E-mail' },
    { name: 'status', label: 'Situação', choices: CUSTOMER },
  ],
  columns: [
    { title: 'Nome', show: ({ name }) => <Whole>{maskedName(name)}</Whole>, field: 'name' },
    { title: 'Telefone', show: ({ phone }) => <Whole>{maskedPhone(phone)}</Whole>, field: 'phone' },
    { title: 'CPF', show: ({ cpf }) => <Whole>{cpf}</Whole>, field: 'cpf' },
    { title: 'Situação', show: (row) => <Status of={statusOf(row)} names={CUSTOMER} /> },
    {
      title: 'Limite',
      isNumber: true,
      show: ({ credit }) => <Money of={credit.limit} />,
      field: 'credit_limit',
    },
    {
      title: 'Em uso',
      isNumber: true,
      show: ({ credit }) => <Money of={credit.used} />,
      field: 'credit_used',
    },
    {
      title: 'Em atraso',
      isNumber: true,
      show: ({ overdue }) => <Money of={overdue.amount} />,
      field: 'overdue_amount',
    },
    { title: 'Atrasado desde', show: ({ overdue }) => <OnDay day={overdue.since} />, field: 'overdue_since' },
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
