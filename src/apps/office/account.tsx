import { PostForm } from '../ui/personal-components.tsx';
import { field } from './columns.tsx';
import { ROLE_LABELS } from './labels.ts';
import { OfficeLayout } from './layout.tsx';
import { TableSection } from './tables.tsx';
import type { OfficeFormHandler, OfficePageHandler } from './visit.ts';

const PATH = '/conta';

/** The user's own second factors and sessions. */
export const accountPage: OfficePageHandler = async (visit) => {
  const { api, user } = visit;
  const [factors, sessions] = await Promise.all([api.listFactors(), api.listStaffSessions()]);
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
              <PostForm visit={visit} action={`${PATH}/fator`}>
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
          field('created_at', 'Desde'),
          field('seen_at', 'Vista'),
          field('address', 'Endereço'),
          { title: 'Navegador', render: ({ agent }) => agent.slice(0, 60) },
          {
            title: 'Ação',
            render: ({ id, is_current }) =>
              is_current ? (
                'esta'
              ) : (
                <PostForm visit={visit} action={`${PATH}/sessao`}>
                  <button class="link" type="submit" name="id" value={id}>
                    Encerrar
                  </button>
                </PostForm>
              ),
          },
        ]}
      >
        <PostForm visit={visit} action={`${PATH}/sessoes`}>
          <button class="button small quiet" type="submit">
            Encerrar todas as outras
          </button>
        </PostForm>
      </TableSection>
    </OfficeLayout>
  );
};

const accountForm = (handle: OfficeFormHandler['handle']): OfficeFormHandler => ({ page: PATH, handle });
const redirectWithNote = (note: string) => ({ redirectTo: PATH, flash: { page: PATH, note } });

export const ACCOUNT_FORMS: Record<string, OfficeFormHandler> = {
  [`${PATH}/fator`]: accountForm(async ({ api }, form) => {
    await api.removeFactor({ path: { id: form.text('id') } });
    return redirectWithNote('Segundo fator removido.');
  }),
  [`${PATH}/sessao`]: accountForm(async ({ api }, form) => {
    await api.endStaffSession({ path: { id: form.text('id') } });
    return redirectWithNote('Sessão encerrada.');
  }),
  [`${PATH}/sessoes`]: accountForm(async ({ api }) => {
    await api.endOtherStaffSessions();
    return redirectWithNote('As outras sessões foram encerradas.');
  }),
};
