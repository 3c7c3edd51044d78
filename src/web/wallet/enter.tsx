import { isProblem } from '#client';
import { again, faultsIn, openForm, ownForm } from '../server/form.ts';
import { leadingTo, resend, safe, sendCode, signInByCode, signOut } from '../server/sign-in.ts';
import type { Form, MakePersonalPage, PersonalVisit } from '../server/visit.ts';
import { faultOf, missing } from '../server/words.ts';
import { inReais, readPhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field, PhoneField } from '../ui/field.tsx';
import { CodeField, CodeSent, DoorHead, fieldsOf, PostForm, weeks } from '../ui/personal-parts.tsx';
import { WalletPage } from './layout.tsx';

const HOME = '/carteira';

const DRAFT = 'Por segurança, sua sessão terminou. Entre de novo: o que você escreveu está salvo.';

const LEFT: Record<string, string> = {
  todos: 'Você saiu em todos os aparelhos.',
  encerrada: 'Sua conta foi encerrada, e os seus dados foram apagados.',
};

/** What a link to an offer is about, for somebody who has to sign in first. */
async function offerBehind({ api }: PersonalVisit, to: string | undefined) {
  const [, token] = /^\/carteira\/ofertas\/(off_\w{26})$/.exec(to ?? '') ?? [];
  if (!token) return undefined;
  const offer = await api.getOpenOffer({ path: { token } }).catch((error: unknown) => {
    if (isProblem(error)) return undefined; // the page itself tells what is wrong
    throw error;
  });
  return offer?.status === 'pending' ? offer : undefined;
}

export const signInPage: MakePersonalPage = async (visit) => {
  const { flash, who, query, hasDraft } = visit;
  const to = safe(query('para'));
  if (who && !flash) return { to: to ?? HOME };
  const offer = await offerBehind(visit, to);
  const field = fieldsOf(flash, { para: to });
  const { value: para } = field('para');
  return (
    <WalletPage
      title="Entrar"
      visit={visit}
      head={
        <>
          <h1>Entre na sua carteira</h1>
          {query('saiu') !== undefined && !flash && (
            <p class="note good" role="status" data-left>
              {LEFT[query('saiu') ?? ''] ?? 'Você saiu da sua conta.'}
            </p>
          )}
          {hasDraft && !flash ? (
            <p class="note warn" role="status">
              {DRAFT}
            </p>
          ) : (
            to && !flash && !offer && <p class="muted">Entre para continuar de onde parou.</p>
          )}
          {offer && (
            <p class="note">
              <span>
                <b>{offer.merchant.name}</b> oferece uma compra de <b>{inReais(offer.amount)}</b> em{' '}
                {weeks(offer.quote.installments.length)}. Entre para ver tudo e responder.
              </span>
            </p>
          )}
        </>
      }
      wrap="door"
    >
      <PostForm visit={visit} action="/carteira/entrar" class="panel">
        {para && <input type="hidden" name="para" value={para} />}
        <PhoneField {...field('phone')} label="Celular com DDD" autocomplete="username" />
        <Field
          {...field('password')}
          value=""
          label="Senha"
          type="password"
          autocomplete="current-password"
          maxLength={200}
        />
        <Submit wide>Entrar</Submit>
        <p class="or">
          <span>ou</span>
        </p>
        <button class="button quiet wide" type="submit" formAction="/carteira/entrar/enviar">
          Receber um código por SMS
        </button>
      </PostForm>
      <p class="door-links">
        <a href={leadingTo('/carteira/cadastro', para)}>Criar conta</a>
        <a href={leadingTo('/carteira/senha', para)}>Esqueci a senha</a>
      </p>
    </WalletPage>
  );
};

export const codePage: MakePersonalPage = async (visit) => {
  const { flash, proof } = visit;
  if (!proof) return { to: '/carteira/entrar' };
  return (
    <WalletPage
      title="Digite o código"
      visit={visit}
      head={
        <DoorHead title="Digite o código">
          <CodeSent phone={proof.phone} />
        </DoorHead>
      }
      wrap="door"
    >
      <PostForm visit={visit} action="/carteira/entrar/codigo" class="panel">
        <CodeField {...fieldsOf(flash)('code')} focus />
        <Submit wide>Entrar</Submit>
      </PostForm>
      <PostForm visit={visit} action="/carteira/entrar/codigo/reenviar" class="resend">
        <span class="muted">Não chegou?</span>{' '}
        <button class="link" type="submit">
          Enviar outro código
        </button>
      </PostForm>
      <p class="door-links">
        <a href={leadingTo('/carteira/entrar', proof.to)}>Usar outro celular ou a senha</a>
      </p>
    </WalletPage>
  );
};

export const ENTER_FORMS: Record<string, Form> = {
  '/carteira/entrar': openForm('/carteira/entrar', async (visit, sent) => {
    const [phone, password] = [readPhone(sent.text('phone')), sent.secret('password')];
    const faults = faultsIn({
      phone: !phone && missing('phone'),
      password: !password && 'Escreva a senha ou peça um código por SMS.',
    });
    if (faults) return again(visit, sent, faults);
    try {
      const login = await visit.api.logIn({ body: { phone, password } });
      return { to: visit.afterLogin(login, safe(sent.text('para'))), login };
    } catch (error) {
      const text = 'Celular ou senha incorretos. Se preferir, entre com um código por SMS.';
      return again(visit, sent, faultOf(error, { invalid_credentials: { field: 'password', text } }));
    }
  }),
  '/carteira/entrar/enviar': openForm('/carteira/entrar', (visit, sent) =>
    sendCode(visit, sent, { to: '/carteira/entrar/codigo', after: safe(sent.text('para')) }),
  ),
  '/carteira/entrar/codigo': openForm('/carteira/entrar/codigo', (visit, sent) =>
    signInByCode(visit, sent, {
      phone: '/carteira/entrar',
      code: '/carteira/entrar/codigo',
      data: '/carteira/cadastro/dados',
      done: (login) => ({ to: visit.afterLogin(login, visit.proof?.to) }),
    }),
  ),
  '/carteira/entrar/codigo/reenviar': openForm('/carteira/entrar/codigo', resend),
  '/carteira/sair': openForm('/carteira/perfil', (visit) => signOut(visit, '/carteira/entrar?saiu=1')),

  /** Ends every session of the customer, in all applications. This one is last, so that after a failure the customer can try again. */
  '/carteira/sair/todos': ownForm('/carteira/perfil', async ({ api, refreshToken }) => {
    const { data } = await api.listSessions();
    for (const { id, is_current } of data) if (!is_current) await api.endSession({ path: { id } });
    await api.logOut({ body: { refresh_token: refreshToken! } });
    return { to: '/carteira/entrar?saiu=todos', isOver: true };
  }),
};
