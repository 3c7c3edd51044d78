import { isProblem } from '#client';
import { getPerson } from '../server/accounts.ts';
import {
  collectErrors,
  definePublicForm,
  defineSessionForm,
  redirectWithNote,
  redisplayForm,
} from '../server/form.ts';
import { getInvalidFieldText, toFieldErrors } from '../server/problem-texts.ts';
import {
  addRedirectParam,
  MIN_PASSWORD_LENGTH,
  readCode,
  redisplayWithError,
  resendCode,
  sanitizeRedirect,
  sendCodeAndRedirect,
  signInByCode,
  signOut,
  signUp,
} from '../server/sign-in.ts';
import type { FormHandler, PersonalPageHandler, PersonalVisit } from '../server/visit.ts';
import { formatPhone, formatReais, formatWeeks, parsePhone, REFERRAL_CODE_PATTERN } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import {
  CodeField,
  CodeForm,
  CodeSentText,
  Field,
  PasswordField,
  PhoneField,
  PostForm,
  ResendButton,
  SignInNotes,
} from '../ui/forms.tsx';
import { Coin } from '../ui/icons.tsx';
import { SignUpFields } from '../ui/sign-up-fields.tsx';
import { WalletPage } from './layout.tsx';

const HOME = '/carteira';

const SIGNED_OUT_TEXTS: Record<string, string> = {
  todos: 'Você saiu em todos os aparelhos.',
  encerrada: 'Sua conta foi encerrada, e os seus dados foram apagados.',
};

/** Reads the offer that the visitor opens after the sign-in, to show it on the sign-in page. The API accepts its id as a token. */
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
  const { flash, user, readQuery, hasDraft } = visit;
  const requestedPath = sanitizeRedirect(readQuery('para'));
  if (user && !flash) return { redirectTo: requestedPath ?? HOME };
  const offer = await readLinkedOffer(visit, requestedPath);
  const redirectTo = flash?.values?.para ?? requestedPath;
  return (
    <WalletPage
      title="Entrar"
      head={
        <>
          <h1>Entre na sua carteira</h1>
          <SignInNotes
            visit={visit}
            signedOutText={SIGNED_OUT_TEXTS[readQuery('saiu') ?? ''] ?? 'Você saiu da sua conta.'}
            draftText="Por segurança, sua sessão terminou. Entre de novo: o que você escreveu está salvo."
          />
          {requestedPath && !hasDraft && !flash && !offer && (
            <p class="muted">Entre para continuar de onde parou.</p>
          )}
          {offer && (
            <p class="note">
              <span>
                <b>{offer.merchant.name}</b> oferece uma compra de <b>{formatReais(offer.amount)}</b> em{' '}
                {formatWeeks(offer.quote.installments.length)}. Entre para ver tudo e responder.
              </span>
            </p>
          )}
        </>
      }
      wrapperClass="form-column"
    >
      <PostForm action="/carteira/entrar" class="panel">
        {redirectTo && <input type="hidden" name="para" value={redirectTo} />}
        <PhoneField name="phone" label="Celular com DDD" autocomplete="username" />
        <PasswordField autocomplete="current-password" />
        <Submit class="wide">Entrar</Submit>
        <p class="or">
          <span>ou</span>
        </p>
        <button class="button quiet wide" type="submit" formAction="/carteira/entrar/enviar">
          Receber um código por SMS
        </button>
      </PostForm>
      <p class="form-links">
        <a href={addRedirectParam('/carteira/cadastro', redirectTo)}>Criar conta</a>
        <a href={addRedirectParam('/carteira/senha', redirectTo)}>Esqueci a senha</a>
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
      explanation={<CodeSentText phone={challenge.phone} />}
      wrapperClass="form-column"
    >
      <CodeForm action="/carteira/entrar/codigo" submitText="Entrar" canResend />
      <p class="form-links">
        <a href={addRedirectParam('/carteira/entrar', challenge.redirectTo)}>Usar outro celular ou a senha</a>
      </p>
    </WalletPage>
  );
};

export const SIGN_IN_FORMS: Record<string, FormHandler> = {
  '/carteira/entrar': definePublicForm('/carteira/entrar', async (visit, form) => {
    const [phone, password] = [parsePhone(form.readText('phone')), form.readUntrimmed('password')];
    const errors = collectErrors({
      phone: !phone && getInvalidFieldText('phone'),
      password: !password && 'Escreva a senha ou peça um código por SMS.',
    });
    if (errors) return redisplayForm(visit, form, errors);
    try {
      const login = await visit.api.logIn({ body: { phone, password } });
      return {
        redirectTo: visit.choosePathAfterLogin(login, sanitizeRedirect(form.readText('para'))),
        login,
      };
    } catch (error) {
      const text = 'Celular ou senha incorretos. Se preferir, entre com um código por SMS.';
      return redisplayForm(
        visit,
        form,
        toFieldErrors(error, { invalid_credentials: { field: 'password', text } }),
      );
    }
  }),
  '/carteira/entrar/enviar': definePublicForm('/carteira/entrar', (visit, form) =>
    sendCodeAndRedirect(visit, form, {
      codePagePath: '/carteira/entrar/codigo',
      redirectTo: sanitizeRedirect(form.readText('para')),
    }),
  ),
  '/carteira/entrar/codigo': definePublicForm('/carteira/entrar/codigo', (visit, form) =>
    signInByCode(visit, form, {
      phonePagePath: '/carteira/entrar',
      codePagePath: '/carteira/entrar/codigo',
      signUpPagePath: '/carteira/cadastro/dados',
      onLogin: (login) => ({ redirectTo: visit.choosePathAfterLogin(login, visit.challenge?.redirectTo) }),
    }),
  ),
  '/carteira/entrar/codigo/reenviar': definePublicForm('/carteira/entrar/codigo', resendCode),
  '/carteira/sair': definePublicForm('/carteira/perfil', (visit) =>
    signOut(visit, '/carteira/entrar?saiu=1'),
  ),

  /** Ends every session of the customer, in all applications. The current one ends last, so that the customer can retry after an error. */
  '/carteira/sair/todos': defineSessionForm('/carteira/perfil', async ({ api, refreshToken }) => {
    const { data } = await api.listSessions();
    for (const { id, is_current } of data) if (!is_current) await api.endSession({ path: { id } });
    await api.logOut({ body: { refresh_token: refreshToken! } });
    return { redirectTo: '/carteira/entrar?saiu=todos', endsSession: true };
  }),
};

const FORGOT_PASSWORD_PATH = '/carteira/senha';
const NEW_PASSWORD_PATH = '/carteira/senha/nova';

export const forgotPasswordPage: PersonalPageHandler = async (visit) => {
  const { flash, user, readQuery } = visit;
  const redirectTo = flash?.values?.para ?? sanitizeRedirect(readQuery('para'));
  return (
    <WalletPage
      title="Nova senha"
      heading="Criar uma senha nova"
      explanation="Vamos enviar um código para o seu celular. Com ele, você cria a senha nova."
      wrapperClass="form-column"
    >
      <PostForm action={FORGOT_PASSWORD_PATH} class="panel">
        {redirectTo && <input type="hidden" name="para" value={redirectTo} />}
        <PhoneField name="phone" value={user && formatPhone(user.phone)} label="Celular com DDD" />
        <Submit class="wide">Receber código</Submit>
      </PostForm>
      <p class="form-links">
        <a href={user ? '/carteira/perfil' : addRedirectParam('/carteira/entrar', redirectTo)}>Voltar</a>
      </p>
    </WalletPage>
  );
};

export const newPasswordPage: PersonalPageHandler = async (visit) => {
  const { flash, challenge } = visit;
  if (!challenge) return { redirectTo: FORGOT_PASSWORD_PATH };
  return (
    <WalletPage
      title="Nova senha"
      heading="Crie a senha nova"
      explanation={
        <>
          Se <b>{formatPhone(challenge.phone)}</b> tiver conta, o código chega por SMS em instantes.
        </>
      }
      wrapperClass="form-column"
    >
      <PostForm action={NEW_PASSWORD_PATH} class="panel">
        <input type="hidden" name="username" autocomplete="username" value={challenge.phone} />
        <CodeField focus={!flash?.errors} />
        <PasswordField
          label="Senha nova"
          hint="Pelo menos 8 caracteres. Ao salvar, a conta é desconectada dos outros aparelhos."
        />
        <Submit class="wide">Salvar e entrar</Submit>
        <ResendButton action={`${NEW_PASSWORD_PATH}/reenviar`} />
      </PostForm>
    </WalletPage>
  );
};

export const PASSWORD_FORMS: Record<string, FormHandler> = {
  [FORGOT_PASSWORD_PATH]: definePublicForm(FORGOT_PASSWORD_PATH, (visit, form) =>
    sendCodeAndRedirect(visit, form, {
      codePagePath: NEW_PASSWORD_PATH,
      redirectTo: sanitizeRedirect(form.readText('para')),
    }),
  ),
  [NEW_PASSWORD_PATH]: definePublicForm(NEW_PASSWORD_PATH, async (visit, form) => {
    const { api, challenge } = visit;
    if (!challenge) return { redirectTo: FORGOT_PASSWORD_PATH };
    const [code, password, phone] = [readCode(form), form.readUntrimmed('password'), challenge.phone];
    const errors = collectErrors({
      code: !code && getInvalidFieldText('code'),
      password: password.length < MIN_PASSWORD_LENGTH && getInvalidFieldText('password'),
    });
    if (errors) return redisplayForm(visit, form, errors);
    try {
      await api.setPassword({ body: { phone, challenge_id: challenge.challengeId, code, password } });
    } catch (error) {
      return redisplayWithError(visit, form, error, challenge);
    }
    const login = await api.logIn({ body: { phone, password } });
    const redirectTo = visit.choosePathAfterLogin(login, challenge.redirectTo);
    return { ...redirectWithNote(redirectTo, 'Senha salva. Os outros aparelhos saíram da conta.'), login };
  }),
  [`${NEW_PASSWORD_PATH}/reenviar`]: definePublicForm(NEW_PASSWORD_PATH, resendCode),
};

const SIGN_UP_PATH = '/carteira/cadastro';
const SIGN_UP_DATA_PATH = `${SIGN_UP_PATH}/dados`;

export const signUpPage: PersonalPageHandler = async (visit) => {
  const { flash, user, readQuery } = visit;
  if (user) return { redirectTo: '/carteira' };
  const codeParam = readQuery('convite')?.toUpperCase();
  const isReferralCode = codeParam && REFERRAL_CODE_PATTERN.test(codeParam);
  const referralCode = flash?.values?.convite ?? (isReferralCode ? codeParam : undefined);
  const redirectTo = flash?.values?.para ?? sanitizeRedirect(readQuery('para'));
  return (
    <WalletPage
      title="Criar conta"
      heading="Crie a sua conta"
      explanation="Leva dois minutos. Comece pelo celular: vamos enviar um código para confirmar que ele é seu."
      wrapperClass="form-column"
    >
      {referralCode && (
        <p class="note good">
          <Coin />
          <span>
            O convite <b>{referralCode}</b> já está no seu cadastro.
          </span>
        </p>
      )}
      <PostForm action={SIGN_UP_PATH} class="panel">
        {referralCode && <input type="hidden" name="convite" value={referralCode} />}
        {redirectTo && <input type="hidden" name="para" value={redirectTo} />}
        <PhoneField name="phone" label="Celular com DDD" placeholder="(11) 91234-5678" />
        <Submit class="wide">Receber código</Submit>
      </PostForm>
      <p class="form-links">
        <a href={addRedirectParam('/carteira/entrar', redirectTo)}>Já tenho conta</a>
      </p>
    </WalletPage>
  );
};

export const signUpDataPage: PersonalPageHandler = async (visit) => {
  const { challenge } = visit;
  if (!challenge) return { redirectTo: SIGN_UP_PATH };
  const { version } = await visit.api.getAgreement({ path: { kind: 'terms' } });
  return (
    <WalletPage
      title="Seus dados"
      heading="Complete o seu cadastro"
      explanation={
        <>
          Enviamos um SMS para <b>{formatPhone(challenge.phone)}</b>.{' '}
          <a href={SIGN_UP_PATH}>Trocar o número</a>
        </>
      }
      wrapperClass="form-column"
    >
      <PostForm action={SIGN_UP_DATA_PATH} class="panel">
        <SignUpFields challenge={challenge} termsVersion={version}>
          <Field
            name="referral_code"
            value={challenge.referralCode}
            label="Código de convite"
            optional
            maxLength={40}
          />
        </SignUpFields>
        <Submit class="wide">Criar conta</Submit>
        {!challenge.code && <ResendButton action={`${SIGN_UP_DATA_PATH}/reenviar`} />}
      </PostForm>
    </WalletPage>
  );
};

export const SIGN_UP_FORMS: Record<string, FormHandler> = {
  [SIGN_UP_PATH]: definePublicForm(SIGN_UP_PATH, async (visit, form) => {
    const phone = parsePhone(form.readText('phone'));
    const typedCode = form.readText('convite').toUpperCase();
    const referralCode = REFERRAL_CODE_PATTERN.test(typedCode) ? typedCode : undefined;
    // An existing customer is sent to the sign-in before the long form. Errors are ignored here; the next call reports them.
    const phoneCheck = phone
      ? await visit.api.checkPhone({ body: { phone } }).catch(() => undefined)
      : undefined;
    if (phoneCheck?.registered) {
      const pagePath = '/carteira/entrar';
      const note = 'Este celular já tem conta. Entre com a senha, ou receba um código.';
      const values = { phone: form.readText('phone'), para: form.readText('para') };
      return { redirectTo: pagePath, flash: { pagePath, values, note } };
    }
    return sendCodeAndRedirect(visit, form, {
      codePagePath: SIGN_UP_DATA_PATH,
      referralCode,
      redirectTo: sanitizeRedirect(form.readText('para')),
    });
  }),
  [SIGN_UP_DATA_PATH]: definePublicForm(SIGN_UP_DATA_PATH, (visit, form) =>
    signUp(visit, form, {
      phonePagePath: SIGN_UP_PATH,
      codePagePath: '/carteira/entrar/codigo',
      signUpPagePath: SIGN_UP_DATA_PATH,
      onLogin(login) {
        const redirectTo = visit.choosePathAfterLogin(login, visit.challenge?.redirectTo);
        const note = `Conta criada. Boas-vindas, ${getPerson(login).name.split(' ')[0]}!`;
        return redirectWithNote(redirectTo, note);
      },
    }),
  ),
  [`${SIGN_UP_DATA_PATH}/reenviar`]: definePublicForm(SIGN_UP_DATA_PATH, resendCode),
};
