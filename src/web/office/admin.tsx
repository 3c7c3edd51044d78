import type { Sent } from '../server/visit.ts';
import { type ActField, act } from './act.tsx';
import { code, moment, named, number, text } from './columns.tsx';
import { OfficeLayout } from './layout.tsx';
import { DONE } from './lists/trail.tsx';
import { Code } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import { ROLES, type StaffSchemas } from './staff/client.ts';
import { Facts, Table, TableSection } from './tables.tsx';
import type { MakeOfficePage } from './visit.ts';
import { ROLE_NAMES } from './words.ts';

const PERSON_PATH = '/equipe/:id';

const roleField = (value: string): ActField => ({
  name: 'role',
  label: 'Papel',
  hint: 'Leitura vê; Conteúdo muda o catálogo; Atendimento, clientes; Financeiro, dinheiro; Administração, tudo.',
  choices: ROLE_NAMES,
  value,
});
const roleIn = (sent: Sent) => ROLES.find((role) => role === sent.text('role')) ?? 'viewer';

const sendInvite = (url: string) => `Envie este endereço, que vale uma vez, por 48 horas: ${url}`;

export const invite = act({
  path: '/equipe/nova',
  call: 'addStaffMember',
  title: 'Convidar alguém',
  fields: [{ name: 'name', label: 'Nome', maxLength: 120 }, roleField('support')],
  button: 'Convidar',
  body: (sent) => ({ name: sent.text('name'), role: roleIn(sent) }),
  done: ({ id, invite_url }) => ({ note: sendInvite(invite_url), to: `/equipe/${id}` }),
});

export const changeRole = act({
  path: `${PERSON_PATH}/papel`,
  call: 'changeStaffMember',
  title: 'Mudar papel',
  edits: 'getStaffMember',
  fields: ({ role }) => [roleField(role)],
  body: (sent) => ({ role: roleIn(sent) }),
  done: 'Papel mudado. Vale em um segundo.',
});

export const inviteAgain = act({
  path: `${PERSON_PATH}/convite`,
  call: 'inviteStaffMember',
  title: 'Convidar de novo',
  says: 'Para quem perdeu a senha ou o segundo fator: os de antes deixam de valer, e as sessões terminam.',
  button: 'Fazer convite',
  done: ({ invite_url }) => sendInvite(invite_url),
});

export const removePerson = act({
  path: `${PERSON_PATH}/remover`,
  call: 'removeStaffMember',
  title: 'Remover',
  back: '/equipe',
  says: 'Chaves e sessões terminam agora. O que a pessoa fez continua na trilha.',
  done: 'Pessoa removida.',
});

export const personPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const [person, did] = await Promise.all([
    api.getStaffMember({ path: { id: params.id! } }),
    api.listAuditTrail({ query: { actor: params.id!, limit: 20 } }),
  ]);
  return (
    <RecordLayout
      title="Pessoa da equipe"
      heading={person.name}
      visit={visit}
      acts={!person.removed_at && [changeRole, inviteAgain, removePerson]}
    >
      <Facts
        of={person}
        are={[
          named('Papel', 'role', ROLE_NAMES),
          text('E-mail', 'email', 'ainda não entrou'),
          moment('Desde', 'created_at'),
        ]}
      />
      <TableSection
        title="O que fez"
        more={{ href: `/trilha?actor=${person.id}`, text: 'Tudo' }}
        rows={did.data}
        columns={DONE}
      />
    </RecordLayout>
  );
};

const Settings = ({
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
      { title: 'Valor', show: ({ value }) => value ?? <span class="muted">nenhum</span> },
      text('O que é', 'meaning'),
    ]}
  />
);

export const settingsPage: MakeOfficePage = async (visit) => {
  const { data } = await visit.api.listSettings();
  return (
    <OfficeLayout title="Ajustes em vigor" visit={visit}>
      <p class="muted">
        Mudam-se no ambiente do serviço, e valem a partir da próxima partida. Segredos não aparecem.
      </p>
      <Settings title="Mudados nesta instalação" rows={data.filter(({ is_default }) => !is_default)} />
      <Settings title="Como vêm de fábrica" rows={data.filter(({ is_default }) => is_default)} />
    </OfficeLayout>
  );
};

export const retryJob = act({
  path: '/tarefas/:id/repetir',
  call: 'retryJob',
  title: 'Tentar agora',
  back: '/tarefas',
  figures: (_, { params }) => (
    <p>
      A tarefa <Code>{params.id}</Code> roda em seguida, com todas as tentativas.
    </p>
  ),
  done: 'A tarefa roda em seguida.',
});

export const nodesPage: MakeOfficePage = async (visit) => {
  const { data } = await visit.api.listNodes();
  return (
    <OfficeLayout title="Servidores" visit={visit}>
      <p class="muted">Os que falam com o banco de dados agora. Um que caiu some daqui em meio minuto.</p>
      <Table
        caption="Servidores"
        rows={data}
        columns={[
          { title: 'Servidor', show: ({ id }) => <Code>{id.slice(-8)}</Code> },
          text('Versão', 'release'),
          text('Endereço', 'address', 'esta máquina'),
          moment('Desde', 'since'),
          number('Tarefas agora', 'jobs'),
        ]}
      />
    </OfficeLayout>
  );
};
