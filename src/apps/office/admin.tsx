import type { StaffSchemas } from '#staff-client';
import { defineSessionForm, redirectWithNote } from '../server/form.ts';
import { ButtonForm, PostForm } from '../ui/forms.tsx';
import { defineAction, type FieldDeclaration } from './action.tsx';
import { PendingApproval } from './approval.tsx';
import { AUDIT_ACTION_COLUMNS } from './audit-trail.tsx';
import { ROLE_LABELS } from './labels.ts';
import { OfficeLayout, RecordLayout } from './layout.tsx';
import { Code, DescriptionList, Table, TableSection, withTitle } from './tables.tsx';
import type { OfficeFormHandler, OfficePageHandler } from './visit.ts';

const STAFF_USER_PATH = '/equipe/:id';

const createRoleField = (value: string): FieldDeclaration => ({
  name: 'role',
  hint: 'Leitura vê; Conteúdo muda o catálogo; Atendimento, clientes; Financeiro, dinheiro; Administração, tudo.',
  choices: ROLE_LABELS,
  value,
});
const describeInvitation = (url: string) => `Envie este endereço, que vale uma vez, por 48 horas: ${url}`;

const MONEY_ROLE_APPROVAL = { text: 'Financeiro e administração esperam a aprovação de outra pessoa.' };

export const inviteStaffUser = defineAction({
  path: '/equipe/nova',
  operation: 'addStaffMember',
  title: 'Convidar alguém',
  approvalRule: MONEY_ROLE_APPROVAL,
  fields: ['name', createRoleField('support')],
  button: 'Convidar',
  success: ({ id, invite_url }) => ({ note: describeInvitation(invite_url), redirectTo: `/equipe/${id}` }),
});

export const changeRole = defineAction({
  path: `${STAFF_USER_PATH}/papel`,
  operation: 'changeStaffMember',
  title: 'Mudar papel',
  approvalRule: MONEY_ROLE_APPROVAL,
  editedRecordOperation: 'getStaffMember',
  fields: ({ role }) => [createRoleField(role)],
  success: 'Papel mudado. Vale em um segundo.',
});

export const reinviteStaffUser = defineAction({
  path: `${STAFF_USER_PATH}/convite`,
  operation: 'inviteStaffMember',
  title: 'Convidar de novo',
  description:
    'Para quem perdeu a senha ou o segundo fator: os de antes deixam de valer, e as sessões terminam.',
  button: 'Fazer convite',
  success: ({ invite_url }) => describeInvitation(invite_url),
});

export const removeStaffUser = defineAction({
  path: `${STAFF_USER_PATH}/remover`,
  operation: 'removeStaffMember',
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
      actions={!staffUser.removed_at && [changeRole, reinviteStaffUser, removeStaffUser]}
    >
      <PendingApproval approval={staffUser.approval} />
      <DescriptionList
        record={staffUser}
        rows={['role', 'email', 'created_at']}
        titles={{ created_at: 'Desde' }}
        labels={{ role: ROLE_LABELS }}
        emptyTexts={{ email: 'ainda não entrou' }}
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

const SettingsTable = ({ title, rows }: { title: string; rows: Array<StaffSchemas['SettingInForce']> }) => (
  <TableSection
    title={`${title} (${rows.length})`}
    caption={title}
    rows={rows}
    columns={[
      withTitle('name', 'Ajuste'),
      { title: 'Valor', render: ({ value }) => value ?? <span class="muted">nenhum</span> },
      withTitle('meaning', 'O que é'),
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

export const retryJob = defineAction({
  path: '/tarefas/:id/repetir',
  operation: 'retryJob',
  title: 'Tentar agora',
  backPath: '/tarefas',
  renderImpact: (_, { params }) => (
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
          withTitle('release', 'Versão'),
          withTitle('address', 'Endereço', { emptyText: 'esta máquina' }),
          'since',
          withTitle('jobs', 'Tarefas agora'),
        ]}
      />
    </OfficeLayout>
  );
};

const ACCOUNT_PATH = '/conta';

export const accountPage: OfficePageHandler = async (visit) => {
  const { api, user } = visit;
  const [factors, sessions] = await Promise.all([api.listFactors(), api.listStaffSessions()]);
  // An app for codes has neither an id nor dates of its own.
  const factorRows = [
    ...(factors.totp
      ? [{ id: 'totp', name: 'Aplicativo de códigos', created_at: null, last_used_at: null }]
      : []),
    ...factors.passkeys,
  ];
  return (
    <OfficeLayout title="Sua conta" visit={visit}>
      <p>
        {user!.name}, {ROLE_LABELS[user!.role]}
        {user!.email && `, ${user!.email}`}
      </p>
      <TableSection
        title="Segundo fator"
        moreLink={{ href: '/entrar/novo-fator', text: 'Cadastrar outro' }}
        caption="Segundos fatores"
        rows={factorRows}
        emptyText="Nenhum. No sandbox isso é permitido; em produção, não."
        columns={[
          'name',
          'last_used_at',
          {
            title: 'Ação',
            render: ({ id, name }) => (
              <PostForm visit={visit} action={`${ACCOUNT_PATH}/fator`}>
                <button class="link" type="submit" name="id" value={id}>
                  Remover<span class="sr"> {name}</span>
                </button>
              </PostForm>
            ),
          },
        ]}
      >
        <p class="muted">Códigos de recuperação que restam: {factors.recovery_codes}.</p>
      </TableSection>
      <TableSection
        title="Sessões abertas"
        caption="Sessões"
        rows={sessions.data}
        columns={[
          withTitle('created_at', 'Desde'),
          withTitle('seen_at', 'Vista'),
          withTitle('address', 'Endereço'),
          { title: 'Navegador', render: ({ agent }) => agent.slice(0, 60) },
          {
            title: 'Ação',
            render: ({ id, is_current }) =>
              is_current ? (
                'esta'
              ) : (
                <PostForm visit={visit} action={`${ACCOUNT_PATH}/sessao`}>
                  <button class="link" type="submit" name="id" value={id}>
                    Encerrar
                  </button>
                </PostForm>
              ),
          },
        ]}
      >
        <ButtonForm
          visit={visit}
          action={`${ACCOUNT_PATH}/sessoes`}
          text="Encerrar todas as outras"
          variant="small quiet"
        />
      </TableSection>
    </OfficeLayout>
  );
};

export const ACCOUNT_FORMS: Record<string, OfficeFormHandler> = {
  [`${ACCOUNT_PATH}/fator`]: defineSessionForm(ACCOUNT_PATH, async ({ api, pagePath }, form) => {
    await api.removeFactor({ path: { id: form.readText('id') } });
    return redirectWithNote(pagePath, 'Segundo fator removido.');
  }),
  [`${ACCOUNT_PATH}/sessao`]: defineSessionForm(ACCOUNT_PATH, async ({ api, pagePath }, form) => {
    await api.endStaffSession({ path: { id: form.readText('id') } });
    return redirectWithNote(pagePath, 'Sessão encerrada.');
  }),
  [`${ACCOUNT_PATH}/sessoes`]: defineSessionForm(ACCOUNT_PATH, async ({ api, pagePath }) => {
    await api.endOtherStaffSessions();
    return redirectWithNote(pagePath, 'As outras sessões foram encerradas.');
  }),
};
