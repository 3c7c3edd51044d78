import { privateForm, redirectWithNote } from '../server/form.ts';
import type { FormHandler, PersonalPageHandler } from '../server/visit.ts';
import { formatPhone, inReais, longDate, shortTime } from '../text/format.ts';
import { StackLink } from '../ui/buttons.tsx';
import { Line, Panel } from '../ui/components.tsx';
import { PurchasesPaused } from '../ui/offer-components.tsx';
import { ButtonForm, PostForm, SessionList } from '../ui/personal-components.tsx';
import { WalletPage } from './layout.tsx';

export const profilePage: PersonalPageHandler = async (visit) => {
  const [me, { data: sessions }, { phone_change: pendingChange }] = await Promise.all([
    visit.api.getMe(),
    visit.api.listSessions(),
    visit.api.getPhoneChange(),
  ]);
  const { name, phone, email, cpf, created_at, credit } = me;
  return (
    <WalletPage title="Perfil" tab="perfil">
      {visit.query('copias') !== undefined && (
        <p class="note warn" role="status">
          Você já baixou os seus dados muitas vezes hoje. Tente de novo amanhã.
        </p>
      )}
      <div class="columns">
        <Panel id="dados" title="Seus dados">
          <dl class="totals">
            <Line name="Nome" value={name} />
            <Line name="Celular" value={formatPhone(phone)} />
            <Line name="E-mail" value={email} />
            <Line name="CPF" value={cpf} />
            <Line name="Cliente desde" value={longDate(created_at)} />
          </dl>
          {pendingChange && (
            <PostForm action="/carteira/perfil/celular/cancelar" class="note warn">
              <p>
                Foi pedida a troca do seu celular pelo de final <b>{pendingChange.phone_ends_in}</b>. Ela vale
                a partir de {shortTime(pendingChange.counts_at)}. Não foi você?
              </p>
              <button class="button small" type="submit">
                Cancelar a troca
              </button>
            </PostForm>
          )}
          <div class="stack">
            <StackLink href="/carteira/perfil/celular">Trocar o celular</StackLink>
            <StackLink href="/carteira/perfil/email">Trocar o e-mail</StackLink>
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
          {credit.blocked_by === null ? (
            <p class="hint">Cada parcela paga libera limite na hora.</p>
          ) : (
            <PurchasesPaused blockedBy={credit.blocked_by} />
          )}
        </Panel>
        <Panel id="avisos" title="Avisos e documentos">
          <p class="muted">Lembretes, comprovantes e o extrato do ano.</p>
          <div class="stack">
            <StackLink href="/carteira/avisos">Ver os avisos</StackLink>
            <StackLink href="/carteira/avisos/como">Escolher como receber</StackLink>
            <StackLink href={`/carteira/extratos/${visit.now.getFullYear()}`}>
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
            <StackLink href="/carteira/perfil/encerrar">Encerrar a conta</StackLink>
          </div>
        </Panel>
        <Panel id="entrada" title="Segurança">
          <p class="muted">Aparelhos conectados à sua conta:</p>
          <SessionList
            sessions={sessions}
            action="/carteira/perfil/sessoes"
            deviceText="Outro aparelho"
            endText="Encerrar"
            describeEnd={(openedAt) => `Encerrar a sessão aberta em ${openedAt}`}
          />
          <div class="stack">
            <ButtonForm action="/carteira/sair" text="Sair deste aparelho" quiet wide />
            <ButtonForm action="/carteira/sair/todos" text="Sair de todos os aparelhos" quiet wide />
            <StackLink href="/carteira/senha">Trocar a senha</StackLink>
          </div>
          <p class="hint">Nunca pedimos a sua senha nem os seus códigos. Se alguém pedir, é golpe.</p>
        </Panel>
      </div>
    </WalletPage>
  );
};

export const PROFILE_FORMS: Record<string, FormHandler> = {
  '/carteira/perfil/sessoes/:id': privateForm('/carteira/perfil', async ({ api, params, page }) => {
    await api.endSession({ path: { id: params.id! } });
    return redirectWithNote(page, 'Sessão encerrada no outro aparelho.');
  }),
};
