import { ownForm, told } from '../server/form.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { inReais, longDate, shortTime, showPhone } from '../text/format.ts';
import { StackLink } from '../ui/buttons.tsx';
import { Line, Panel } from '../ui/parts.tsx';
import { ButtonForm, PostForm } from '../ui/personal-parts.tsx';
import { WalletPage } from './layout.tsx';

export const profilePage: MakePersonalPage = async (visit) => {
  const [me, { data: sessions }, { phone_change: waiting }] = await Promise.all([
    visit.api.getMe(),
    visit.api.listSessions(),
    visit.api.getPhoneChange(),
  ]);
  const { name, phone, email, cpf, created_at, credit } = me;
  return (
    <WalletPage title="Perfil" visit={visit} tab="perfil">
      {visit.query('copias') !== undefined && (
        <p class="note warn" role="status">
          Você já baixou os seus dados muitas vezes hoje. Tente de novo amanhã.
        </p>
      )}
      <div class="columns">
        <Panel id="dados" title="Seus dados">
          <dl class="totals">
            <Line name="Nome" value={name} />
            <Line name="Celular" value={showPhone(phone)} />
            <Line name="E-mail" value={email} />
            <Line name="CPF" value={cpf} />
            <Line name="Cliente desde" value={longDate(created_at)} />
          </dl>
          {waiting && (
            <PostForm visit={visit} action="/carteira/perfil/celular/cancelar" class="note warn">
              <p>
                Foi pedida a troca do seu celular pelo de final <b>{waiting.phone_ends_in}</b>. Ela vale a
                partir de {shortTime(waiting.counts_at)}. Não foi você?
              </p>
              <button class="button small" type="submit">
                Cancelar a troca
              </button>
            </PostForm>
          )}
          <div class="stack">
            <StackLink to="/carteira/perfil/celular">Trocar o celular</StackLink>
            <StackLink to="/carteira/perfil/email">Trocar o e-mail</StackLink>
          </div>
          <p class="hint">
            O nome mudou? <a href="/contato">Escreva para a gente</a>.
          </p>
        </Panel>
        <Panel id="limite" title="Seu limite">
          <dl class="totals">
            <Line name="Limite" value={inReais(credit.limit)} />
            <Line name="Em uso" value={inReais(credit.used)} />
            <Line name="Disponível" value={inReais(credit.available)} isTotal />
          </dl>
          <p class="hint">Cada parcela paga libera limite na hora.</p>
        </Panel>
        <Panel id="avisos" title="Avisos e documentos">
          <p class="muted">Lembretes, comprovantes e o extrato do ano.</p>
          <div class="stack">
            <StackLink to="/carteira/avisos">Ver os avisos</StackLink>
            <StackLink to="/carteira/avisos/como">Escolher como receber</StackLink>
            <StackLink to={`/carteira/extratos/${visit.now.getFullYear()}`}>
              Extrato de {visit.now.getFullYear()} (PDF)
            </StackLink>
          </div>
        </Panel>
        <Panel id="privacidade" title="Privacidade">
          <p class="muted">O que guardamos sobre você é seu: leve uma cópia, ou peça para apagar.</p>
          <div class="stack">
            <a class="button quiet wide" href="/carteira/perfil/meus-dados.json" download="meus-dados.json">
              Baixar meus dados
            </a>
            <StackLink to="/carteira/perfil/encerrar">Encerrar a conta</StackLink>
          </div>
        </Panel>
        <Panel id="entrada" title="Segurança">
          <p class="muted">Aparelhos conectados à sua conta:</p>
          <ul class="sessions">
            {sessions.map((session) => (
              <li key={session.id}>
                <span>
                  <b>{session.is_current ? 'Este aparelho' : 'Outro aparelho'}</b>
                  <small>
                    entrou em {shortTime(session.created_at)}
                    {session.refreshed_at !== session.created_at &&
                      `, usado por volta de ${shortTime(session.refreshed_at)}`}
                  </small>
                </span>
                {!session.is_current && (
                  <PostForm visit={visit} action={`/carteira/perfil/sessoes/${session.id}`}>
                    <button
                      class="button small quiet"
                      type="submit"
                      aria-label={`Encerrar a sessão aberta em ${shortTime(session.created_at)}`}
                    >
                      Encerrar
                    </button>
                  </PostForm>
                )}
              </li>
            ))}
          </ul>
          <div class="stack">
            <ButtonForm visit={visit} action="/carteira/sair" text="Sair deste aparelho" quiet wide />
            <ButtonForm
              visit={visit}
              action="/carteira/sair/todos"
              text="Sair de todos os aparelhos"
              quiet
              wide
            />
            <StackLink to="/carteira/senha">Trocar a senha</StackLink>
          </div>
          <p class="hint">Nunca pedimos a sua senha nem os seus códigos. Se alguém pedir, é golpe.</p>
        </Panel>
      </div>
    </WalletPage>
  );
};

export const PROFILE_FORMS: Record<string, Form> = {
  '/carteira/perfil/sessoes/:id': ownForm('/carteira/perfil', async ({ api, params, page }) => {
    await api.endSession({ path: { id: params.id! } });
    return told(page, 'Sessão encerrada no outro aparelho.');
  }),
};
