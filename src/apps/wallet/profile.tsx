import { defineSessionForm, redirectWithNote } from '../server/form.ts';
import type { FormHandler, PersonalPageHandler } from '../server/visit.ts';
import { formatLongDate, formatPhone, formatReais, formatShortTime } from '../text/format.ts';
import { StackLink, Submit } from '../ui/buttons.tsx';
import { KeyFigure, LimitUse, Line, Panel } from '../ui/components.tsx';
import { ButtonForm, PostForm, SessionList } from '../ui/forms.tsx';
import { PurchasesPaused } from '../ui/offer-components.tsx';
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
      {visit.readQuery('copias') !== undefined && (
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
            <Line name="Cliente desde" value={formatLongDate(created_at)} />
          </dl>
          {pendingChange && (
            <PostForm action="/carteira/perfil/celular/cancelar" class="note warn">
              <p>
                Foi pedida a troca do seu celular pelo de final <b>{pendingChange.phone_ends_in}</b>. Ela vale
                a partir de {formatShortTime(pendingChange.counts_at)}. Não foi você?
              </p>
              <Submit class="small">Cancelar a troca</Submit>
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
            <Line name="Limite" value={formatReais(credit.limit)} />
            <Line name="Em uso" value={formatReais(credit.used)} />
            <Line name="Disponível" value={formatReais(credit.available)} isTotal />
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
            buildEndLabel={(openedAt) => `Encerrar a sessão aberta em ${openedAt}`}
          />
          <div class="stack">
            <ButtonForm action="/carteira/sair" text="Sair deste aparelho" variant="quiet wide" />
            <ButtonForm
              action="/carteira/sair/todos"
              text="Sair de todos os aparelhos"
              variant="quiet wide"
            />
            <StackLink href="/carteira/senha">Trocar a senha</StackLink>
          </div>
          <p class="hint">Nunca pedimos a sua senha nem os seus códigos. Se alguém pedir, é golpe.</p>
        </Panel>
      </div>
    </WalletPage>
  );
};

export const PROFILE_FORMS: Record<string, FormHandler> = {
  '/carteira/perfil/sessoes/:id': defineSessionForm('/carteira/perfil', async ({ api, params, pagePath }) => {
    await api.endSession({ path: { id: params.id! } });
    return redirectWithNote(pagePath, 'Sessão encerrada no outro aparelho.');
  }),
};

const LIMIT_PATH = '/carteira/limite';

export const creditPage: PersonalPageHandler = async (visit) => {
  const credit = await visit.api.getCredit();
  const { limit, used, available, blocked_by, reasons, next_step } = credit;
  const { offered: offeredLimit, review: reviewRequestedAt } = credit;
  return (
    <WalletPage
      title="Limite"
      tab="inicio"
      heading="Seu limite"
      lead="Quanto você pode comprar para pagar por semana, e por quê."
    >
      <div class="columns">
        <div class="rows">
          <section class="panel deep-panel" aria-label="Limite">
            <KeyFigure name="Disponível agora" figure={formatReais(available)} />
            <LimitUse limit={limit} used={used} />
          </section>
          {blocked_by !== null && (
            <section class="panel" aria-label="Compras">
              <PurchasesPaused blockedBy={blocked_by} />
            </section>
          )}
          {offeredLimit !== null && (
            <Panel id="oferta" title={`Seu limite pode ser de ${formatReais(offeredLimit)}`}>
              <p>Ele só muda se você quiser. Você continua pagando apenas pelo que comprar.</p>
              <ButtonForm
                action={`${LIMIT_PATH}/aceitar`}
                text={`Sim, quero ${formatReais(offeredLimit)}`}
                variant="wide"
              />
            </Panel>
          )}
        </div>
        <div class="rows">
          <Panel id="porque" title="Por que este valor">
            {reasons.length > 0 ? (
              <ul>
                {reasons.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            ) : (
              <p>Este é o limite combinado com você.</p>
            )}
          </Panel>
          <Panel id="agora" title="O que fazer agora">
            <p>{next_step}</p>
            <p class="hint">
              Compras pagas até o fim e em dia aumentam o limite. Com parcela atrasada, ele cai para o que
              está em uso, e volta quando nada mais está em atraso.
            </p>
          </Panel>
          <Panel id="pessoa" title="Falar com uma pessoa">
            {reviewRequestedAt === null ? (
              <>
                <p>
                  A decisão é automática. Se você não concorda, uma pessoa analisa e responde por mensagem
                  (LGPD, art. 20).
                </p>
                <ButtonForm
                  action={`${LIMIT_PATH}/analise`}
                  text="Pedir a análise de uma pessoa"
                  variant="quiet wide"
                />
              </>
            ) : (
              <p>
                Uma pessoa está analisando desde {formatShortTime(reviewRequestedAt)}. A resposta chega por
                mensagem.
              </p>
            )}
          </Panel>
        </div>
      </div>
    </WalletPage>
  );
};

export const CREDIT_FORMS: Record<string, FormHandler> = {
  [`${LIMIT_PATH}/aceitar`]: defineSessionForm(LIMIT_PATH, async ({ api }) => {
    const { limit } = await api.acceptCreditLimit();
    return redirectWithNote(LIMIT_PATH, `Pronto: o seu limite agora é de ${formatReais(limit)}.`);
  }),
  [`${LIMIT_PATH}/analise`]: defineSessionForm(LIMIT_PATH, async ({ api }) => {
    await api.askCreditReview();
    return redirectWithNote(LIMIT_PATH, 'Pedido recebido. A resposta chega por mensagem.');
  }),
};
