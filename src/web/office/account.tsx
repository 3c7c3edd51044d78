import { PostForm } from '../ui/personal-parts.tsx';
import { moment, text } from './columns.tsx';
import { OfficeLayout } from './layout.tsx';
import { TableSection } from './tables.tsx';
import type { MakeOfficePage, OfficeForm } from './visit.ts';
import { ROLE_NAMES } from './words.ts';

const PATH = '/conta';

/** One's own second factors and sessions. */
export const accountPage: MakeOfficePage = async (visit) => {
  const { api, who } = visit;
  const [factors, sessions] = await Promise.all([api.listFactors(), api.listStaffSessions()]);
  const rows = [
    ...(factors.totp
      ? [{ id: 'totp', name: 'Aplicativo de códigos', created_at: null, last_used_at: null }]
      : []),
    ...factors.passkeys,
  ];
  return (
    <OfficeLayout title="Sua conta" visit={visit}>
      <p>
        {who!.name}, {ROLE_NAMES[who!.role]}
        {who!.email && `, ${who!.email}`}
      </p>
      <TableSection
        title="Segundo fator"
        more={{ href: '/entrar/novo-fator', text: 'Cadastrar outro' }}
        caption="Segundos fatores"
        rows={rows}
        empty="Nenhum. No sandbox isso é permitido; em produção, não."
        columns={[
          text('Nome', 'name'),
          moment('Último uso', 'last_used_at'),
          {
            title: 'Ação',
            show: ({ id, name }) => (
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
          moment('Desde', 'created_at'),
          moment('Vista', 'seen_at'),
          text('Endereço', 'address'),
          { title: 'Navegador', show: ({ agent }) => agent.slice(0, 60) },
          {
            title: 'Ação',
            show: ({ id, is_current }) =>
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

const form = (act: OfficeForm['act']): OfficeForm => ({ page: PATH, act });
const said = (note: string) => ({ to: PATH, flash: { page: PATH, note } });

export const ACCOUNT_FORMS: Record<string, OfficeForm> = {
  [`${PATH}/fator`]: form(async ({ api }, sent) => {
    await api.removeFactor({ path: { id: sent.text('id') } });
    return said('Segundo fator removido.');
  }),
  [`${PATH}/sessao`]: form(async ({ api }, sent) => {
    await api.endStaffSession({ path: { id: sent.text('id') } });
    return said('Sessão encerrada.');
  }),
  [`${PATH}/sessoes`]: form(async ({ api }) => {
    await api.endOtherStaffSessions();
    return said('As outras sessões foram encerradas.');
  }),
};
