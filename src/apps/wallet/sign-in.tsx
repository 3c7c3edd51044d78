import { isProblem } from '#client';
import { collectErrors, privateForm, publicForm, redirectWithNote, redisplayForm } from '../server/form.ts';
import { textForMissingField, toFieldErrors } from '../server/problem-texts.ts';
import {
  addRedirectParam,
  readCode,
  redisplayRejectedCode,
  resendCode,
  sanitizeRedirect,
  sendCode,
  signInByCode,
  signOut,
} from '../server/sign-in.ts';
import type { FormHandler, PersonalPageHandler, PersonalVisit } from '../server/visit.ts';
import { formatPhone, inReais, parsePhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field, PhoneField } from '../ui/field.tsx';
import {
  CodeField,
  CodeForm,
  CodeSentText,
  formatWeeks,
  PostForm,
  ResendButton,
  StepHead,
} from '../ui/personal-components.tsx';
import { WalletPage } from './layout.tsx';

const HOME = '/carteira';

const DRAFT_SAVED_TEXT = 'Por segurança, sua sessão terminou. Entre de novo: o que você escreveu está salvo.';

const SIGNED_OUT_TEXTS: Record<string, string> = {
  todos: 'Você saiu em todos os aparelhos.',
  encerrada: 'Sua conta foi encerrada, e os seus dados foram apagados.',
};

/** Reads the offer that the visitor opens after the sign-in, to show it on the sign-in page. */
async function readLinkedOffer({ api }: PersonalVisit, path: string | undefined) {
  const [, token] = /^\/carteira\/ofertas\/(off_\w{26})$/.exec(path ?? '') ?? [];
  if (!token) return undefined;
  const offer = await api.getOpenOffer({ path: { token } }).catch((error: unknown) => {
    if (isProblem(error)) return undefined; // the page of the offer reports the problem
    throw error;
  });
  return offer?.status === 'pending' ? offer : undefined;
}

export const signInPage: PersonalPageHandler = async (visit) => {
  const { flash, user, query, hasDraft } = visit;
  const to = sanitizeRedirect(query('para'));
  if (user && !flash) return { redirectTo: to ?? HOME };
  const offer = await readLinkedOffer(visit, to);
  const para = flash?.values?.para ?? to;
  return (
    <WalletPage
      title="Entrar"
      head={
        <>
          <h1>Entre na sua carteira</h1>
          {query('saiu') !== undefined && !flash && (
            <p class="note good" role="status" data-signed-out>
              {SIGNED_OUT_TEXTS[query('saiu') ?? ''] ?? 'Você saiu da sua conta.'}
            </p>
          )}
          {hasDraft && !flash ? (
            <p class="note warn" role="status">
              {DRAFT_SAVED_TEXT}
            </p>
          ) : (
            to && !flash && !offer && <p class="muted">Entre para continuar de onde parou.</p>
          )}
          {offer && (
            <p class="note">
              <span>
                <b>{offer.merchant.name}</b> oferece uma compra de <b>{inReais(offer.amount)}</b> em{' '}
                {formatWeeks(offer.quote.installments.length)}. Entre para ver tudo e responder.
              </span>
            </p>
          )}
        </>
      }
      wrap="form-column"
    >
      <PostForm action="/carteira/entrar" class="panel">
        {para && <input type="hidden" name="para" value={para} />}
        <PhoneField name="phone" label="Celular com DDD" autocomplete="username" />
        <Field
          name="password"
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
      <p class="form-links">
        <a href={addRedirectParam('/carteira/cadastro', para)}>Criar conta</a>
        <a href={addRedirectParam('/carteira/senha', para)}>Esqueci a senha</a>
      </p>
    </WalletPage>
  );
};

export const codePage: PersonalPageHandler = async (visit) => {
  const { challenge } = visit;
  if (!challenge) return { redirectTo: '/carteira/entrar' };
  return (
    <WalletPage
      title="Digite o código"
      head={
        <StepHead title="Digite o código">
          <CodeSentText phone={challenge.phone} />
        </StepHead>
      }
      wrap="form-column"
    >
      <CodeForm action="/carteira/entrar/codigo" submitText="Entrar" canResend />
      <p class="form-links">
        <a href={addRedirectParam('/carteira/entrar', challenge.redirectTo)}>Usar outro celular ou a senha</a>
      </p>
    </WalletPage>
  );
};

export const SIGN_IN_FORMS: Record<string, FormHandler> = {
  '/carteira/entrar': publicForm('/carteira/entrar', async (visit, form) => {
    const [phone, password] = [parsePhone(form.text('phone')), form.untrimmed('password')];
    const errors = collectErrors({
      phone: !phone && textForMissingField('phone'),
      password: !password && 'Escreva a senha ou peça um código por SMS.',
    });
    if (errors) return redisplayForm(visit, form, errors);
    try {
      const login = await visit.api.logIn({ body: { phone, password } });
      return { redirectTo: visit.choosePathAfterLogin(login, sanitizeRedirect(form.text('para'))), login };
    } catch (error) {
      const text = 'Celular ou senha incorretos. Se preferir, entre com um código por SMS.';
      return redisplayForm(
        visit,
        form,
        toFieldErrors(error, { invalid_credentials: { field: 'password', text } }),
      );
    }
  }),
  '/carteira/entrar/enviar': publicForm('/carteira/entrar', (visit, form) =>
    sendCode(visit, form, {
      codePage: '/carteira/entrar/codigo',
      redirectTo: sanitizeRedirect(form.text('para')),
    }),
  ),
  '/carteira/entrar/codigo': publicForm('/carteira/entrar/codigo', (visit, form) =>
    signInByCode(visit, form, {
      phonePage: '/carteira/entrar',
      codePage: '/carteira/entrar/codigo',
      signUpPage: '/carteira/cadastro/dados',
      onLogin: (login) => ({ redirectTo: visit.choosePathAfterLogin(login, visit.challenge?.redirectTo) }),
    }),
  ),
  '/carteira/entrar/codigo/reenviar': publicForm('/carteira/entrar/codigo', resendCode),
  '/carteira/sair': publicForm('/carteira/perfil', (visit) => signOut(visit, '/carteira/entrar?saiu=1')),

  /** Ends every session of the customer, in all applications. The current one ends last, so that the customer can retry after an error. */
  '/carteira/sair/todos': privateForm('/carteira/perfil', async ({ api, refreshToken }) => {
    const { data } = await api.listSessions();
    for (const { id, is_current } of data) if (!is_current) await api.endSession({ path: { id } });
    await api.logOut({ body: { refresh_token: refreshToken! } });
    return { redirectTo: '/carteira/entrar?saiu=todos', endsSession: true };
  }),
};

const PHONE_PATH = '/carteira/senha';
const NEW_PASSWORD_PATH = '/carteira/senha/nova';

export const forgotPasswordPage: PersonalPageHandler = async (visit) => {
  const { flash, user, query } = visit;
  const para = flash?.values?.para ?? sanitizeRedirect(query('para'));
  return (
    <WalletPage
      title="Nova senha"
      head={
        <StepHead title="Criar uma senha nova">
          Vamos enviar um código para o seu celular. Com ele, você cria a senha nova.
        </StepHead>
      }
      wrap="form-column"
    >
      <PostForm action={PHONE_PATH} class="panel">
        {para && <input type="hidden" name="para" value={para} />}
        <PhoneField name="phone" value={user && formatPhone(user.phone)} label="Celular com DDD" />
        <Submit wide>Receber código</Submit>
      </PostForm>
      <p class="form-links">
        <a href={user ? '/carteira/perfil' : addRedirectParam('/carteira/entrar', para)}>Voltar</a>
      </p>
    </WalletPage>
  );
};

export const newPasswordPage: PersonalPageHandler = async (visit) => {
  const { flash, challenge } = visit;
  if (!challenge) return { redirectTo: PHONE_PATH };
  return (
    <WalletPage
      title="Nova senha"
      head={
        <StepHead title="Crie a senha nova">
          Se <b>{formatPhone(challenge.phone)}</b> tiver conta, o código chega por SMS em instantes.
        </StepHead>
      }
      wrap="form-column"
    >
      <PostForm action={NEW_PASSWORD_PATH} class="panel">
        <input type="hidden" name="username" autocomplete="username" value={challenge.phone} />
        <CodeField focus={!flash?.errors} />
        <Field
          name="password"
          label="Senha nova"
          type="password"
          autocomplete="new-password"
          hint="Pelo menos 8 caracteres. Ao salvar, a conta é desconectada dos outros aparelhos."
          maxLength={200}
        />
        <Submit wide>Salvar e entrar</Submit>
        <ResendButton action={`${NEW_PASSWORD_PATH}/reenviar`} />
      </PostForm>
    </WalletPage>
  );
};

export const PASSWORD_FORMS: Record<string, FormHandler> = {
  [PHONE_PATH]: publicForm(PHONE_PATH, (visit, form) =>
    sendCode(visit, form, { codePage: NEW_PASSWORD_PATH, redirectTo: sanitizeRedirect(form.text('para')) }),
  ),
  [NEW_PASSWORD_PATH]: publicForm(NEW_PASSWORD_PATH, async (visit, form) => {
    const { api, challenge } = visit;
    if (!challenge) return { redirectTo: PHONE_PATH };
    const [code, password, phone] = [readCode(form), form.untrimmed('password'), challenge.phone];
    const errors = collectErrors({
      code: !code && textForMissingField('code'),
      password: password.length < 8 && textForMissingField('password'),
    });
    if (errors) return redisplayForm(visit, form, errors);
    try {
      await api.setPassword({ body: { phone, challenge_id: challenge.challengeId, code, password } });
    } catch (error) {
      return redisplayRejectedCode(visit, form, error, challenge);
    }
    const login = await api.logIn({ body: { phone, password } });
    const to = visit.choosePathAfterLogin(login, challenge.redirectTo);
    return { ...redirectWithNote(to, 'Senha salva. Os outros aparelhos saíram da conta.'), login };
  }),
  [`${NEW_PASSWORD_PATH}/reenviar`]: publicForm(NEW_PASSWORD_PATH, resendCode),
};
