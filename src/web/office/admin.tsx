import { type Act, type ActField, ActLinks, ifMatch, type PlainAct, version } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { DONE } from './lists/trail.tsx';
import { Code, code, Facts, moment, Section, Table, When } from './parts.tsx';
import { ROLES, type StaffSchemas } from './staff/client.ts';
import type { MakeOfficePage } from './visit.ts';
import { ROLE_NAMES } from './words.ts';

const PERSON_PATH = '/equipe/:id';

const roleField = (value?: string): ActField => ({
  name: 'role',
  label: 'Papel',
  hint: 'Leitura vê; Conteúdo muda o catálogo; Atendimento, clientes; Financeiro, dinheiro; Administração, tudo.',
  choices: ROLE_NAMES,
  value,
});
const roleIn = (text: string) => ROLES.find((role) => role === text) ?? 'viewer';

const inviteNew: Act = {
  path: '/equipe/nova',
  call: 'addStaffMember',
  title: 'Convidar alguém',
  back: '/equipe',
  fields: [{ name: 'name', label: 'Nome', maxLength: 120 }, roleField('support')],
  button: 'Convidar',
  async run({ api, idempotencyKey }, sent) {
    const body = { name: sent.text('name'), role: roleIn(sent.text('role')) };
    const { id, invite_url } = await api.addStaffMember({ body, idempotencyKey });
    return {
      note: `Envie este endereço, que vale uma vez, por 48 horas: ${invite_url}`,
      to: `/equipe/${id}`,
    };
  },
};

const changeRole: Act = {
  path: `${PERSON_PATH}/papel`,
  call: 'changeStaffMember',
  title: 'Mudar papel',
  back: PERSON_PATH,
  async fields({ api, params }) {
    const read = await api.call('getStaffMember', { path: { id: params.id! } });
    return [version(read), roleField(read.data.role)];
  },
  button: 'Mudar papel',
  async run({ api, params }, sent) {
    const body = { role: roleIn(sent.text('role')) };
    await api.changeStaffMember({ path: { id: params.id! }, body, ...ifMatch(sent) });
    return 'Papel mudado. Vale em um segundo.';
  },
};

const reinvite: Act = {
  path: `${PERSON_PATH}/convite`,
  call: 'inviteStaffMember',
  title: 'Convidar de novo',
  back: PERSON_PATH,
  figures: async () => (
    <p>Para quem perdeu a senha ou o segundo fator: os de antes deixam de valer, e as sessões terminam.</p>
  ),
  button: 'Fazer convite',
  async run({ api, params }) {
    const { invite_url } = await api.inviteStaffMember({ path: { id: params.id! } });
    return `Envie este endereço, que vale uma vez, por 48 horas: ${invite_url}`;
  },
};

const remove: Act = {
  path: `${PERSON_PATH}/remover`,
  call: 'removeStaffMember',
  title: 'Remover',
  back: '/equipe',
  figures: async () => <p>Chaves e sessões terminam agora. O que a pessoa fez continua na trilha.</p>,
  button: 'Remover',
  async run({ api, params }) {
    await api.removeStaffMember({ path: { id: params.id! } });
    return 'Pessoa removida.';
  },
};

export const personPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const [person, did] = await Promise.all([
    api.getStaffMember({ path: { id: params.id! } }),
    api.listAuditTrail({ query: { actor: params.id!, limit: 20 } }),
  ]);
  return {
    body: (
      <OfficeLayout
        title="Pessoa da equipe"
        heading={person.name}
        visit={visit}
        crumbs={[{ href: '/equipe', text: 'Equipe' }]}
        actions={!person.removed_at && <ActLinks visit={visit} acts={[changeRole, reinvite, remove]} />}
      >
        <Facts
          of={[
            ['Papel', ROLE_NAMES[person.role]],
            ['E-mail', person.email ?? 'ainda não entrou'],
            ['Desde', <When key="d" at={person.created_at} />],
          ]}
        />
        <Section title="O que fez" more={{ href: `/trilha?actor=${person.id}`, text: 'Tudo' }}>
          <Table caption="O que fez" rows={did.data} columns={DONE} />
        </Section>
      </OfficeLayout>
    ),
  };
};

const Settings = ({
  title,
  rows,
}: {
  title: string;
  rows: ReadonlyArray<StaffSchemas['SettingInForce']>;
}) => (
  <Section title={`${title} (${rows.length})`}>
    <Table
      caption={title}
      rows={rows}
      columns={[
        code('Ajuste', 'name'),
        { title: 'Valor', show: ({ value }) => value ?? <span class="muted">nenhum</span> },
        { title: 'O que é', show: ({ meaning }) => <span lang="en">{meaning}</span> },
      ]}
    />
  </Section>
);

export const settingsPage: MakeOfficePage = async (visit) => {
  const { data } = await visit.api.listSettings();
  return {
    body: (
      <OfficeLayout title="Ajustes em vigor" visit={visit}>
        <p class="muted">
          Mudam-se no ambiente do serviço, e valem a partir da próxima partida. Segredos não aparecem. A
          explicação de cada um está em inglês, como no manual de operação.
        </p>
        <Settings title="Mudados nesta instalação" rows={data.filter(({ is_default }) => !is_default)} />
        <Settings title="Como vêm de fábrica" rows={data.filter(({ is_default }) => is_default)} />
      </OfficeLayout>
    ),
  };
};

export const retryJob: PlainAct = {
  path: '/tarefas/:id/repetir',
  call: 'retryJob',
  title: 'Tentar agora',
  back: '/tarefas',
  figures: async ({ params }) => (
    <p>
      A tarefa <Code>{params.id}</Code> roda em seguida, com todas as tentativas.
    </p>
  ),
  button: 'Tentar agora',
  async run({ api, params }) {
    await api.retryJob({ path: { id: params.id! } });
    return 'A tarefa roda em seguida.';
  },
};

export const nodesPage: MakeOfficePage = async (visit) => {
  const { data } = await visit.api.listNodes();
  return {
    body: (
      <OfficeLayout title="Servidores" visit={visit}>
        <p class="muted">Os que falam com o banco de dados agora. Um que caiu some daqui em meio minuto.</p>
        <Table
          caption="Servidores"
          rows={data}
          columns={[
            { title: 'Servidor', show: ({ id }) => <Code>{id.slice(-8)}</Code> },
            { title: 'Versão', show: ({ release }) => release },
            { title: 'Endereço', show: ({ address }) => address ?? 'esta máquina' },
            moment('Desde', 'since'),
            { title: 'Tarefas agora', isNumber: true, show: ({ jobs }) => jobs },
          ]}
        />
      </OfficeLayout>
    ),
  };
};

export const ADMIN_ACTS: readonly Act[] = [retryJob, inviteNew, changeRole, reinvite, remove];
