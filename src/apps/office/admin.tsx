import { ROLES, type StaffSchemas } from '#staff-client';
import type { SubmittedForm } from '../server/submitted-form.ts';
import { type ActField, defineAct } from './act.tsx';
import { code, labelled, number, text, timestamp } from './columns.tsx';
import { OfficeLayout } from './layout.tsx';
import { AUDIT_ACTION_COLUMNS } from './lists/audit-trail.tsx';
import { Code } from './parts.tsx';
import { ROLE_NAMES } from './problem-texts.ts';
import { RecordLayout } from './record.tsx';
import { Facts, Table, TableSection } from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

const STAFF_USER_PATH = '/equipe/:id';

const createRoleField = (value: string): ActField => ({
  name: 'role',
  label: 'Papel',
  hint: 'Leitura vê; Conteúdo muda o catálogo; Atendimento, clientes; Financeiro, dinheiro; Administração, tudo.',
  choices: ROLE_NAMES,
  value,
});
const readRole = (form: SubmittedForm) => ROLES.find((role) => role === form.text('role')) ?? 'viewer';

const describeInvitation = (url: string) => `Envie este endereço, que vale uma vez, por 48 horas: ${url}`;

const MONEY_ROLE_APPROVAL = { rule: 'Financeiro e administração esperam a aprovação de outra pessoa.' };

export const inviteStaffUser = defineAct({
  path: '/equipe/nova',
  call: 'addStaffMember',
  title: 'Convidar alguém',
  approvalAmount: MONEY_ROLE_APPROVAL,
  fields: [{ name: 'name', label: 'Nome', maxLength: 120 }, createRoleField('support')],
  button: 'Convidar',
  body: (form) => ({ name: form.text('name'), role: readRole(form) }),
  success: ({ id, invite_url }) => ({ note: describeInvitation(invite_url), redirectTo: `/equipe/${id}` }),
});

export const changeRole = defineAct({
  path: `${STAFF_USER_PATH}/papel`,
  call: 'changeStaffMember',
  title: 'Mudar papel',
  approvalAmount: MONEY_ROLE_APPROVAL,
  editedRecord: 'getStaffMember',
  fields: ({ role }) => [createRoleField(role)],
  body: (form) => ({ role: readRole(form) }),
  success: 'Papel mudado. Vale em um segundo.',
});

export const reinviteStaffUser = defineAct({
  path: `${STAFF_USER_PATH}/convite`,
  call: 'inviteStaffMember',
  title: 'Convidar de novo',
  description:
    'Para quem perdeu a senha ou o segundo fator: os de antes deixam de valer, e as sessões terminam.',
  button: 'Fazer convite',
  success: ({ invite_url }) => describeInvitation(invite_url),
});

export const removeStaffUser = defineAct({
  path: `${STAFF_USER_PATH}/remover`,
  call: 'removeStaffMember',
  title: 'Remover',
  backPath: '/equipe',
  description: 'Chaves e sessões terminam agora. O que a pessoa fez continua na trilha.',
  success: 'Pessoa removida.',
});

export const staffUserPage: OfficePageHandler = async (visit) => {
  const { api, params } = visit;
  const [staffUser, trail] = await Promise.all([
    api.getStaffMember({ path: { id: params.id! } }),
    api.listAuditTrail({ query: { actor: params.id!, limit: 20 } }),
  ]);
  return (
    <RecordLayout
      title="Pessoa da equipe"
      heading={staffUser.name}
      visit={visit}
      acts={!staffUser.removed_at && [changeRole, reinviteStaffUser, removeStaffUser]}
    >
      <Facts
        record={staffUser}
        rows={[
          labelled('Papel', 'role', ROLE_NAMES),
          text('E-mail', 'email', 'ainda não entrou'),
          timestamp('Desde', 'created_at'),
        ]}
      />
      <TableSection
        title="O que fez"
        moreLink={{ href: `/trilha?actor=${staffUser.id}`, text: 'Tudo' }}
        rows={trail.data}
        columns={AUDIT_ACTION_COLUMNS}
      />
    </RecordLayout>
  );
};

const SettingsTable = ({
  title,
  rows,
}: {
  title: string;
  rows: ReadonlyArray<StaffSchemas['SettingInForce']>;
}) => (
  <TableSection
    title={`${title} (${rows.length})`}
    caption={title}
    rows={rows}
    columns={[
      code('Ajuste', 'name'),
      { title: 'Valor', render: ({ value }) => value ?? <span class="muted">nenhum</span> },
      text('O que é', 'meaning'),
    ]}
  />
);

export const settingsPage: OfficePageHandler = async (visit) => {
  const { data } = await visit.api.listSettings();
  return (
    <OfficeLayout title="Ajustes em vigor" visit={visit}>
      <p class="muted">
        Mudam-se no ambiente do serviço, e valem a partir da próxima partida. Segredos não aparecem.
      </p>
      <SettingsTable title="Mudados nesta instalação" rows={data.filter(({ is_default }) => !is_default)} />
      <SettingsTable title="Como vêm de fábrica" rows={data.filter(({ is_default }) => is_default)} />
    </OfficeLayout>
  );
};

export const retryJob = defineAct({
  path: '/tarefas/:id/repetir',
  call: 'retryJob',
  title: 'Tentar agora',
  backPath: '/tarefas',
  impact: (_, { params }) => (
    <p>
      A tarefa <Code>{params.id}</Code> roda em seguida, com todas as tentativas.
    </p>
  ),
  success: 'A tarefa roda em seguida.',
});

export const nodesPage: OfficePageHandler = async (visit) => {
  const { data } = await visit.api.listNodes();
  return (
    <OfficeLayout title="Servidores" visit={visit}>
      <p class="muted">Os que falam com o banco de dados agora. Um que caiu some daqui em meio minuto.</p>
      <Table
        caption="Servidores"
        rows={data}
        columns={[
          { title: 'Servidor', render: ({ id }) => <Code>{id.slice(-8)}</Code> },
          text('Versão', 'release'),
          text('Endereço', 'address', 'esta máquina'),
          timestamp('Desde', 'since'),
          number('Tarefas agora', 'jobs'),
        ]}
      />
    </OfficeLayout>
  );
};
