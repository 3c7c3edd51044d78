import encodeQR from 'qr';
import { isProblem } from '#client';
import { ROLES } from '#staff-client';
import { definePublicForm, redirectWithNote } from '../server/form.ts';
import { FieldError, type SubmittedForm } from '../server/submitted-form.ts';
import { Submit } from '../ui/buttons.tsx';
import { ButtonForm, createFieldLookup, Field, PasswordField, PostForm } from '../ui/forms.tsx';
import { ROLE_LABELS } from './labels.ts';
import { OfficeLayout } from './layout.tsx';
import type {
  OfficeFormHandler,
  OfficeFormVisit,
  OfficeOutcome,
  OfficePageHandler,
  OfficeVisit,
} from './visit.ts';

export const HOME_PATH = '/';
export const SIGN_IN_PATH = '/entrar';

/** Builds the URL of the sign-in page. With `isAfterExpiry` the page says that the session had ended when a form was sent. */
export const buildSignInPath = (pagePath: string, { isAfterExpiry = false } = {}): string => {
  const query = new URLSearchParams({
    ...(pagePath !== HOME_PATH && { para: pagePath }),
    ...(isAfterExpiry && { fim: '1' }),
  });
  return query.size > 0 ? `${SIGN_IN_PATH}?${query}` : SIGN_IN_PATH;
};

/** Returns the path if it is safe to redirect to after the sign-in: it must not lead to another site or back to the sign-in. */
export const sanitizeRedirect = (path: string | null | undefined): string | undefined =>
  path && /^\/(?![/\\])[^\\]*$/.test(path) && !path.startsWith(SIGN_IN_PATH) ? path : undefined;

const FACTOR_PATH = '/entrar/fator';
const ENROL_PATH = '/entrar/novo-fator';
const RECOVERY_CODES_PATH = '/entrar/codigos';

/**
 * Returns an outcome that stores the session and opens the next page: the second factor, its enrolment, or `redirectTo`. In the sandbox a user without a
 * second factor is signed in immediately and may skip the enrolment.
 */
const toSignInOutcome = (
  { session, methods, person, next }: NonNullable<OfficeOutcome['session']>,
  { isSandbox }: Pick<OfficeFormVisit, 'isSandbox'>,
  redirectTo = HOME_PATH,
): OfficeOutcome => {
  const nextPages = { second_factor: FACTOR_PATH, enrol: ENROL_PATH, done: redirectTo };
  return {
    redirectTo: nextPages[next],
    session: {
      session,
      methods,
      person,
      next: next === 'enrol' && isSandbox ? 'done' : next,
      ...(next === 'second_factor' && { pageAfterSignIn: redirectTo }),
    },
  };
};

const signInPage: OfficePageHandler = async (visit) => {
  const { user, search, flash, isSandbox } = visit;
  const requestedRedirect = sanitizeRedirect(search.get('para'));
  if (user) return { redirectTo: requestedRedirect ?? HOME_PATH };
  const getFieldState = createFieldLookup(flash, { para: requestedRedirect });
  const redirectTo = getFieldState('para').value;
  return (
    <OfficeLayout title="Entrar" visit={visit} heading="Retaguarda">
      {search.has('fim') && (
        <p class="note warn" role="status">
          Sua sessão terminou. Entre de novo: o que você escreveu está guardado.
        </p>
      )}
      {isSandbox && <RoleButtons visit={visit} redirectTo={redirectTo} />}
      <PostForm visit={visit} action={SIGN_IN_PATH} class="panel office-sign-in">
        {redirectTo && <input type="hidden" name="para" value={redirectTo} />}
        <Field
          {...getFieldState('email')}
          label="E-mail"
          type="email"
          autocomplete="username"
          maxLength={254}
        />
        <PasswordField {...getFieldState('password')} value="" autocomplete="current-password" />
        <Submit class="wide">Entrar</Submit>
      </PostForm>
      <p class="muted">Perdeu a senha ou o segundo fator? Peça um novo convite a quem administra.</p>
    </OfficeLayout>
  );
};

const RoleButtons = ({ visit, redirectTo }: { visit: OfficeVisit; redirectTo: string | undefined }) => (
  <PostForm visit={visit} action="/entrar/papel" class="panel office-sign-in">
    {redirectTo && <input type="hidden" name="para" value={redirectTo} />}
    <h2>Sandbox: um clique entra</h2>
    <div class="actions">
      {ROLES.map((role) => (
        <button key={role} class="button small quiet" type="submit" name="role" value={role}>
          {ROLE_LABELS[role]}
        </button>
      ))}
    </div>
  </PostForm>
);

/** Returns a `catch` callback that turns a problem with this code into an error of a field, and throws other errors again. */
const rethrowAsFieldError =
  ({ code, field, message }: { code: string; field: string; message: string }) =>
  (error: unknown) => {
    throw isProblem(error) && (error.code as string) === code ? new FieldError(field, message) : error;
  };

const secondFactorPage: OfficePageHandler = async (visit) => {
  const { pendingSignIn, user, flash, api } = visit;
  if (user) return { redirectTo: HOME_PATH };
  if (!pendingSignIn) return { redirectTo: SIGN_IN_PATH };
  const getFieldState = createFieldLookup(flash);
  const passkeyOptions =
    pendingSignIn.methods.includes('passkey') &&
    (await api.askForPasskey({ body: { purpose: 'sign_in' } })).options;
  return (
    <OfficeLayout title="Segundo fator" visit={visit}>
      {passkeyOptions && (
        <PostForm visit={visit} action={FACTOR_PATH} class="panel office-sign-in">
          <PasskeyButton options={passkeyOptions} kind="get" text="Usar chave de acesso" />
        </PostForm>
      )}
      <PostForm visit={visit} action={FACTOR_PATH} class="panel office-sign-in">
        <Field
          {...getFieldState('code')}
          value=""
          label={
            pendingSignIn.methods.includes('totp')
              ? 'Código do aplicativo, ou de recuperação'
              : 'Código de recuperação'
          }
          autocomplete="one-time-code"
          maxLength={40}
          focus={!passkeyOptions}
        />
        <Submit class="wide">Confirmar</Submit>
      </PostForm>
      <ButtonForm visit={visit} action="/sair" text="Entrar com outra conta" variant="link" />
    </OfficeLayout>
  );
};

type PasskeyButtonProps = { options: object; kind: 'get' | 'create'; text: string };

/** The script shows the button, requests the passkey from the browser, and submits the form. */
const PasskeyButton = ({ options, kind, text }: PasskeyButtonProps) => (
  <>
    <input type="hidden" name="passkey" data-passkey={kind} data-options={JSON.stringify(options)} />
    <button class="button wide" type="button" data-passkey-button hidden>
      {text}
    </button>
    <noscript>
      <p>A chave de acesso precisa de JavaScript. Use um código.</p>
    </noscript>
    <p class="error" data-passkey-error role="status" hidden>
      O navegador não entregou a chave de acesso. Tente de novo, ou use um código.
    </p>
  </>
);

/** The browser's response, which only the service reads. */
type Passkey = Record<string, never>;

/** Returns undefined if the form has no passkey, or invalid JSON. */
function readPasskey(form: SubmittedForm): Passkey | undefined {
  try {
    return form.readUntrimmed('passkey') ? (JSON.parse(form.readUntrimmed('passkey')) as Passkey) : undefined;
  } catch {
    return undefined;
  }
}

const secondFactorEnrolmentPage: OfficePageHandler = async (visit) => {
  const { pendingSignIn, user, flash, api, isSandbox } = visit;
  if (!pendingSignIn && !user) return { redirectTo: SIGN_IN_PATH };
  const { secret, uri } = await api.proposeTotp();
  const { options } = await api.askForPasskey({ body: { purpose: 'new' } });
  const getFieldState = createFieldLookup(flash);
  return (
    <OfficeLayout title="Segundo fator" visit={visit} heading="Escolha um segundo fator">
      <p>Além da senha, quem entra aqui confirma com uma chave de acesso ou com um código do celular.</p>
      <div class="office-two">
        <PostForm visit={visit} action={`${ENROL_PATH}/chave`} class="panel">
          <h2>Chave de acesso</h2>
          <p class="muted">Digital, rosto ou PIN deste aparelho. Ninguém consegue roubar por telefone.</p>
          <Field
            {...getFieldState('name')}
            value={getFieldState('name').value ?? 'este aparelho'}
            label="Nome da chave"
            maxLength={60}
          />
          <PasskeyButton options={options} kind="create" text="Criar chave de acesso" />
        </PostForm>
        <PostForm visit={visit} action={`${ENROL_PATH}/codigos`} class="panel">
          <h2>Aplicativo de códigos</h2>
          <p class="muted">Leia com o aplicativo, ou digite o segredo nele.</p>
          <img class="office-qr" alt="QR code do segredo" src={renderQrCode(uri)} width="180" height="180" />
          <p>
            <code class="office-secret">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          </p>
          <Field
            {...getFieldState('code')}
            label="Código de 6 números"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxLength={7}
          />
          <Submit class="wide">Usar códigos</Submit>
        </PostForm>
      </div>
      {isSandbox && (
        <p>
          <a href={HOME_PATH}>Agora não (só no sandbox)</a>
        </p>
      )}
    </OfficeLayout>
  );
};

const renderQrCode = (text: string) =>
  `data:image/svg+xml;base64,${Buffer.from(encodeQR(text, 'svg', { border: 2 })).toString('base64')}`;

const toEnrolledOutcome = (visit: OfficeFormVisit, recoveryCodes: string[]): OfficeOutcome => {
  const session = { ...visit.session!, next: 'done' as const };
  if (recoveryCodes.length === 0)
    return { ...redirectWithNote('/conta', 'Segundo fator cadastrado.'), session };
  const flash = { pagePath: RECOVERY_CODES_PATH, values: { codes: recoveryCodes.join(' ') } };
  return { redirectTo: RECOVERY_CODES_PATH, session, flash };
};

const recoveryCodesPage: OfficePageHandler = async (visit) => {
  const codes = visit.flash?.values?.codes?.split(' ');
  if (!codes) return { redirectTo: HOME_PATH };
  return (
    <OfficeLayout title="Códigos de recuperação" visit={visit}>
      <p>
        Guarde estes códigos. Cada um vale uma vez no lugar do segundo fator, se o aparelho se perder. Eles
        não aparecem de novo.
      </p>
      <ul class="office-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <a class="button" href={HOME_PATH}>
        Guardei
      </a>
    </OfficeLayout>
  );
};

const invitationPage: OfficePageHandler = async (visit) => {
  const { api, params, flash, path } = visit;
  try {
    const { name, role, email } = await api.readInvitation({ body: { token: params.token! } });
    const getFieldState = createFieldLookup(flash, { email: email ?? undefined });
    return (
      <OfficeLayout title="Convite" visit={visit} heading={`Olá, ${name.split(' ')[0]}`}>
        <p>
          Você foi convidada ou convidado para a retaguarda da Semana, com o papel <b>{ROLE_LABELS[role]}</b>.
          Escolha como vai entrar.
        </p>
        <PostForm visit={visit} action={path} class="panel office-sign-in">
          <Field
            {...getFieldState('email')}
            label="E-mail"
            type="email"
            autocomplete="username"
            maxLength={254}
          />
          <PasswordField
            {...getFieldState('password')}
            value=""
            hint="De 8 a 200 caracteres. Duas ou três palavras que só você juntaria."
          />
          <Submit class="wide">Continuar</Submit>
        </PostForm>
      </OfficeLayout>
    );
  } catch (error) {
    if (!isProblem(error) || ![400, 410].includes(error.status)) throw error;
    return {
      status: 410,
      body: (
        <OfficeLayout title="Convite" visit={visit} heading="Este convite não vale mais">
          <p>Ele já foi usado, foi substituído ou tem mais de 48 horas. Peça outro a quem convidou você.</p>
        </OfficeLayout>
      ),
    };
  }
};

export const SIGN_IN_PAGES: Readonly<Record<string, OfficePageHandler>> = {
  [SIGN_IN_PATH]: signInPage,
  [FACTOR_PATH]: secondFactorPage,
  [ENROL_PATH]: secondFactorEnrolmentPage,
  [RECOVERY_CODES_PATH]: recoveryCodesPage,
  '/convite/:token': invitationPage,
};

export const SIGN_IN_FORMS: Record<string, OfficeFormHandler> = {
  [SIGN_IN_PATH]: definePublicForm(SIGN_IN_PATH, async (visit, form) => {
    const body = { email: form.readText('email'), password: form.readUntrimmed('password') };
    const session = await visit.api.signInStaff({ body }).catch(
      rethrowAsFieldError({
        code: 'invalid_credentials',
        field: 'password',
        message: 'E-mail ou senha incorretos.',
      }),
    );
    return toSignInOutcome(session, visit, sanitizeRedirect(form.readText('para')));
  }),
  '/entrar/papel': definePublicForm(SIGN_IN_PATH, async (visit, form) => {
    const role = ROLES.find((name) => name === form.readText('role')) ?? 'viewer';
    const session = await visit.api.enterAsRole({ body: { role } });
    return toSignInOutcome(session, visit, sanitizeRedirect(form.readText('para')));
  }),
  [FACTOR_PATH]: definePublicForm(FACTOR_PATH, async ({ api, session }, form) => {
    if (!session) return { redirectTo: SIGN_IN_PATH };
    const passkey = readPasskey(form);
    // An empty code is sent as '-', so that the service rejects it as wrong and not as invalid.
    const body = passkey ? { passkey } : { code: form.readText('code').replace(/\s/g, '') || '-' };
    await api.giveSecondFactor({ body }).catch(
      rethrowAsFieldError({
        code: 'factor_wrong',
        field: 'code',
        message: 'Não confere. Espere o próximo código e tente.',
      }),
    );
    const { pageAfterSignIn = HOME_PATH, ...verifiedSession } = session;
    return { redirectTo: pageAfterSignIn, session: { ...verifiedSession, next: 'done' } };
  }),
  [`${ENROL_PATH}/codigos`]: definePublicForm(ENROL_PATH, async (visit, form) => {
    const code = form.readText('code').replace(/\s/g, '');
    const { recovery_codes } = await visit.api.confirmTotp({ body: { code } });
    return toEnrolledOutcome(visit, recovery_codes);
  }),
  [`${ENROL_PATH}/chave`]: definePublicForm(ENROL_PATH, async (visit, form) => {
    const body = { name: form.readText('name') || 'chave', passkey: readPasskey(form) ?? ({} as Passkey) };
    const { recovery_codes } = await visit.api.addPasskey({ body });
    return toEnrolledOutcome(visit, recovery_codes);
  }),
  '/convite/:token': definePublicForm('/convite/:token', async (visit, form) => {
    const { api, params } = visit;
    const body = {
      token: params.token!,
      email: form.readText('email'),
      password: form.readUntrimmed('password'),
    };
    return toSignInOutcome(await api.acceptInvitation({ body }), visit);
  }),
  '/sair': definePublicForm(SIGN_IN_PATH, async ({ api, session }) => {
    if (session) await api.signOutStaff().catch(() => undefined);
    return { redirectTo: SIGN_IN_PATH, endsSession: true };
  }),
};
