import type { Form, MakePersonalPage } from '../server/visit.ts';
import { LinkButton, Submit } from '../ui/buttons.tsx';
import { inReais, longDate, shortTime, showPhone } from '../ui/format.ts';
import { PageHead } from '../ui/parts.tsx';
import { PostForm, Said } from '../ui/personal-parts.tsx';
import { WalletLayout } from './layout.tsx';
import { Line } from './purchase.tsx';

export const profilePage: MakePersonalPage = async (visit) => {
  const [me, { data: sessions }, { phone_change: waiting }] = await Promise.all([
    visit.api.getMe(),
    visit.api.listSessions(),
    visit.api.getPhoneChange(),
  ]);
  const { name, phone, email, cpf, created_at, credit } = me;
  return {
    body: (
      <WalletLayout title="Perfil" visit={visit} tab="perfil">
        <div class="wrap">
          <PageHead title="Perfil" />
          <Said flash={visit.flash} />
          {visit.query('copias') !== undefined && (
            <p class="note warn" role="status">
              Você já baixou os seus dados muitas vezes hoje. Tente de novo amanhã.
            </p>
          )}
          <div class="columns">
            <section class="panel" aria-labelledby="dados">
              <h2 class="panel-title" id="dados">
                Seus dados
              </h2>
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
                <LinkButton quiet wide to="/carteira/perfil/celular">
                  Trocar o celular
                </LinkButton>
                <LinkButton quiet wide to="/carteira/perfil/email">
                  Trocar o e-mail
                </LinkButton>
              </div>
              <p class="hint">
                O nome mudou? <a href="/contato">Escreva para a gente</a>.
              </p>
            </section>
            <section class="panel" aria-labelledby="limite">
              <h2 class="panel-title" id="limite">
                Seu limite
              </h2>
              <dl class="totals">
                <Line name="Limite" value={inReais(credit.limit)} />
                <Line name="Em uso" value={inReais(credit.used)} />
                <div class="total">
                  <dt>Disponível</dt>
                  <dd>{inReais(credit.available)}</dd>
                </div>
              </dl>
              <p class="hint">Cada parcela paga libera limite na hora.</p>
            </section>
            <section class="panel" aria-labelledby="avisos">
              <h2 class="panel-title" id="avisos">
                Avisos e documentos
              </h2>
              <p class="muted">Lembretes, comprovantes e o extrato do ano.</p>
              <div class="stack">
                <LinkButton quiet wide to="/carteira/avisos">
                  Ver os avisos
                </LinkButton>
                <LinkButton quiet wide to="/carteira/avisos/como">
                  Escolher como receber
                </LinkButton>
                <a class="button quiet wide" href={`/carteira/extratos/${visit.now.getFullYear()}`}>
                  Extrato de {visit.now.getFullYear()} (PDF)
                </a>
              </div>
            </section>
            <section class="panel" aria-labelledby="privacidade">
              <h2 class="panel-title" id="privacidade">
                Privacidade
              </h2>
              <p class="muted">O que guardamos sobre você é seu: leve uma cópia, ou peça para apagar.</p>
              <div class="stack">
                <a
                  class="button quiet wide"
                  href="/carteira/perfil/meus-dados.json"
                  download="meus-dados.json"
                >
                  Baixar meus dados
                </a>
                <LinkButton quiet wide to="/carteira/perfil/encerrar">
                  Encerrar a conta
                </LinkButton>
              </div>
            </section>
            <section class="panel" aria-labelledby="entrada">
              <h2 class="panel-title" id="entrada">
                Segurança
              </h2>
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
                <PostForm visit={visit} action="/carteira/sair">
                  <Submit quiet wide>
                    Sair deste aparelho
                  </Submit>
                </PostForm>
                <PostForm visit={visit} action="/carteira/sair/todos">
                  <Submit quiet wide>
                    Sair de todos os aparelhos
                  </Submit>
                </PostForm>
                <LinkButton quiet wide to="/carteira/senha">
                  Trocar a senha
                </LinkButton>
              </div>
              <p class="hint">Nunca pedimos a sua senha nem os seus códigos. Se alguém pedir, é golpe.</p>
            </section>
          </div>
        </div>
      </WalletLayout>
    ),
  };
};

const endSession: Form = {
  page: '/carteira/perfil',
  isPrivate: true,
  async act({ api, params, page }) {
    await api.endSession({ path: { id: params.id! } });
    return { to: page, flash: { page, note: 'Sessão encerrada no outro aparelho.' } };
  },
};

export const PROFILE_FORMS: Record<string, Form> = { '/carteira/perfil/sessoes/:id': endSession };
