import encodeQR from 'qr';
import { isProblem } from '#client';
import type { Sent } from '../server/visit.ts';
import { Field } from '../ui/field.tsx';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { OfficeLayout } from './layout.tsx';
import { HOME, SIGN_IN, safeAddress } from './pages.ts';
import { ROLES } from './staff/client.ts';
import type { MakeOfficePage, OfficeForm, OfficeFormVisit, OfficeOutcome, OfficeVisit } from './visit.ts';
import { officeFaults, ROLE_NAMES } from './words.ts';

const FACTOR = '/entrar/fator';
const ENROL = '/entrar/novo-fator';
const CODES = '/entrar/codigos';

/** Where who has just proved something goes on. */
const onTo = (next: string, to: string | undefined) =>
  next === 'second_factor' ? FACTOR : next === 'enrol' ? ENROL : (to ?? HOME);

/** In the sandbox somebody without a second factor may go without. */
const entered = (
  answer: NonNullable<OfficeOutcome['entered']>,
  { isSandbox }: Pick<OfficeFormVisit, 'isSandbox'>,
  to?: string,
): OfficeOutcome => {
  const isIn = answer.next === 'enrol' && isSandbox;
  const { session, methods, person } = answer;
  return {
    to: onTo(answer.next, to),
    entered: { session, methods, person, next: isIn ? 'done' : answer.next },
  };
};

/** For the same people as these pages. */
const form = (page: string, act: OfficeForm['act']): OfficeForm => ({ page, isOpen: true, act });

const signInPage: MakeOfficePage = async (visit) => {
  const { who, search, flash, isSandbox } = visit;
  const to = safeAddress(search.get('para'));
  if (who) return { to: to ?? HOME };
  const field = fieldsOf(flash, { para: to });
  const para = field('para').value;
  return (
    <OfficeLayout title="Entrar" visit={visit} heading="Retaguarda">
      {isSandbox && <OneClick visit={visit} para={para} />}
      <PostForm visit={visit} action={SIGN_IN} class="panel office-door">
        {para && <input type="hidden" name="para" value={para} />}
        <Field {...field('email')} label="E-mail" type="email" autocomplete="username" maxLength={254} />
        <Field
          {...field('password')}
          value=""
          label="Senha"
          type="password"
          autocomplete="current-password"
          maxLength={200}
        />
        <button class="button wide" type="submit">
          Entrar
        </button>
      </PostForm>
      <p class="muted">Perdeu a senha ou o segundo fator? Peça um novo convite a quem administra.</p>
    </OfficeLayout>
  );
};

const OneClick = ({ visit, para }: { visit: OfficeVisit; para: string | undefined }) => (
  <PostForm visit={visit} action="/entrar/papel" class="panel office-door">
    {para && <input type="hidden" name="para" value={para} />}
    <h2>Sandbox: um clique entra</h2>
    <div class="actions">
      {ROLES.map((role) => (
        <button key={role} class="button small quiet" type="submit" name="role" value={role}>
          {ROLE_NAMES[role]}
        </button>
      ))}
    </div>
  </PostForm>
);

const signIn = form(SIGN_IN, async (visit, sent) => {
  const body = { email: sent.text('email'), password: sent.secret('password') };
  try {
    return entered(await visit.api.signInStaff({ body }), visit, safeAddress(sent.text('para')));
  } catch (error) {
    if (!isProblem(error)) throw error;
    const isWrong = isProblem(error, 'invalid_credentials');
    const faults = isWrong
      ? { password: 'E-mail ou senha incorretos.' }
      : officeFaults(error, ['email', 'password']);
    return { to: SIGN_IN, flash: { page: SIGN_IN, values: sent.values(), faults } };
  }
});

const enterAsRole = form(SIGN_IN, async (visit, sent) => {
  const role = ROLES.find((one) => one === sent.text('role')) ?? 'viewer';
  return entered(await visit.api.enterAsRole({ body: { role } }), visit, safeAddress(sent.text('para')));
});

const factorPage: MakeOfficePage = async (visit) => {
  const { begun, who, flash, api } = visit;
  if (who) return { to: HOME };
  if (!begun) return { to: SIGN_IN };
  const field = fieldsOf(flash);
  const options =
    begun.methods.includes('passkey') && (await api.askForPasskey({ body: { purpose: 'sign_in' } })).options;
  return (
    <OfficeLayout title="Segundo fator" visit={visit}>
      {options && (
        <PostForm visit={visit} action={FACTOR} class="panel office-door">
          <PasskeyButton options={options} kind="get" text="Usar chave de acesso" />
        </PostForm>
      )}
      <PostForm visit={visit} action={FACTOR} class="panel office-door">
        <Field
          {...field('code')}
          value=""
          label={
            begun.methods.includes('totp')
              ? 'Código do aplicativo, ou de recuperação'
              : 'Código de recuperação'
          }
          autocomplete="one-time-code"
          maxLength={40}
          focus={!options}
        />
        <button class="button wide" type="submit">
          Confirmar
        </button>
      </PostForm>
      <SignOut visit={visit} />
    </OfficeLayout>
  );
};

const SignOut = ({ visit }: { visit: OfficeVisit }) => (
  <PostForm visit={visit} action="/sair">
    <button class="link" type="submit">
      Entrar com outra conta
    </button>
  </PostForm>
);

/** The script shows the button, asks the browser for the passkey, and sends the form. */
const PasskeyButton = (props: { options: object; kind: 'get' | 'create'; text: string }) => (
  <>
    <input
      type="hidden"
      name="passkey"
      data-passkey={props.kind}
      data-options={JSON.stringify(props.options)}
    />
    <button class="button wide" type="button" data-passkey-button hidden>
      {props.text}
    </button>
    <noscript>
      <p>A chave de acesso precisa de JavaScript. Use um código.</p>
    </noscript>
    <p class="error" data-passkey-fault role="status" hidden>
      O navegador não entregou a chave de acesso. Tente de novo, ou use um código.
    </p>
  </>
);

type Passkey = Record<string, never>;

function passkeyIn(sent: Sent): Passkey | undefined {
  try {
    return sent.secret('passkey') ? (JSON.parse(sent.secret('passkey')) as Passkey) : undefined;
  } catch {
    return undefined;
  }
}

const giveFactor = form(FACTOR, async ({ api, entered: held }, sent) => {
  if (!held) return { to: SIGN_IN };
  const passkey = passkeyIn(sent);
  const body = passkey ? { passkey } : { code: sent.text('code').replace(/\s/g, '') || '-' };
  try {
    await api.giveSecondFactor({ body });
    return { to: HOME, entered: { ...held, next: 'done' } };
  } catch (error) {
    if (!isProblem(error, 'factor_wrong' as never)) throw error;
    return {
      to: FACTOR,
      flash: { page: FACTOR, faults: { code: 'Não confere. Espere o próximo código e tente.' } },
    };
  }
});

const enrolPage: MakeOfficePage = async (visit) => {
  const { begun, who, flash, api, isSandbox } = visit;
  if (!begun && !who) return { to: SIGN_IN };
  const [{ secret, uri }, { options }] = [
    await api.proposeTotp(),
    await api.askForPasskey({ body: { purpose: 'new' } }),
  ];
  const field = fieldsOf(flash);
  return (
    <OfficeLayout title="Segundo fator" visit={visit} heading="Escolha um segundo fator">
      <p>Além da senha, quem entra aqui confirma com uma chave de acesso ou com um código do celular.</p>
      <div class="office-two">
        <PostForm visit={visit} action={`${ENROL}/chave`} class="panel">
          <h2>Chave de acesso</h2>
          <p class="muted">Digital, rosto ou PIN deste aparelho. Ninguém consegue roubar por telefone.</p>
          <Field
            {...field('name')}
            value={field('name').value ?? 'este aparelho'}
            label="Nome da chave"
            maxLength={60}
          />
          <PasskeyButton options={options} kind="create" text="Criar chave de acesso" />
        </PostForm>
        <PostForm visit={visit} action={`${ENROL}/codigos`} class="panel">
          <h2>Aplicativo de códigos</h2>
          <p class="muted">Leia com o aplicativo, ou digite o segredo nele.</p>
          <img class="office-qr" alt="QR code do segredo" src={qrOf(uri)} width="180" height="180" />
          <p>
            <code class="office-secret">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          </p>
          <Field
            {...field('code')}
            label="Código de 6 números"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxLength={7}
          />
          <button class="button wide" type="submit">
            Usar códigos
          </button>
        </PostForm>
      </div>
      {isSandbox && (
        <p>
          <a href={HOME}>Agora não (só no sandbox)</a>
        </p>
      )}
    </OfficeLayout>
  );
};

const qrOf = (text: string) =>
  `data:image/svg+xml;base64,${Buffer.from(encodeQR(text, 'svg', { border: 2 })).toString('base64')}`;

const enrolled = (
  { entered: held }: OfficeFormVisit,
  { recovery_codes }: { recovery_codes: string[] },
): OfficeOutcome => {
  const next = { ...held!, next: 'done' as const };
  if (recovery_codes.length === 0)
    return { to: '/conta', entered: next, flash: { page: '/conta', note: 'Segundo fator cadastrado.' } };
  return { to: CODES, entered: next, flash: { page: CODES, values: { codes: recovery_codes.join(' ') } } };
};

const useCodes = form(ENROL, async (visit, sent) => {
  const code = sent.text('code').replace(/\s/g, '');
  return enrolled(visit, await visit.api.confirmTotp({ body: { code } }));
});

const usePasskey = form(ENROL, async (visit, sent) => {
  const body = { name: sent.text('name') || 'chave', passkey: passkeyIn(sent) ?? ({} as Passkey) };
  return enrolled(visit, await visit.api.addPasskey({ body }));
});

const codesPage: MakeOfficePage = async (visit) => {
  const codes = visit.flash?.values?.codes?.split(' ');
  if (!codes) return { to: HOME };
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
      <a class="button" href={HOME}>
        Guardei
      </a>
    </OfficeLayout>
  );
};

const invitationPage: MakeOfficePage = async (visit) => {
  const { api, params, flash, path } = visit;
  try {
    const { name, role, email } = await api.readInvitation({ body: { token: params.token! } });
    const field = fieldsOf(flash, { email: email ?? undefined });
    return (
      <OfficeLayout title="Convite" visit={visit} heading={`Olá, ${name.split(' ')[0]}`}>
        <p>
          Você foi convidada ou convidado para a retaguarda da Semana, com o papel <b>{ROLE_NAMES[role]}</b>.
          Escolha como vai entrar.
        </p>
        <PostForm visit={visit} action={path} class="panel office-door">
          <Field {...field('email')} label="E-mail" type="email" autocomplete="username" maxLength={254} />
          <Field
            {...field('password')}
            value=""
            label="Senha"
            type="password"
            hint="De 8 a 200 caracteres. Duas ou três palavras que só você juntaria."
            autocomplete="new-password"
            maxLength={200}
          />
          <button class="button wide" type="submit">
            Continuar
          </button>
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

const accept = form('/convite/:token', async (visit, sent) => {
  const { api, params } = visit;
  const body = { token: params.token!, email: sent.text('email'), password: sent.secret('password') };
  return entered(await api.acceptInvitation({ body }), visit);
});

const leave = form(SIGN_IN, async ({ api, entered: held }) => {
  if (held) await api.signOutStaff().catch(() => undefined);
  return { to: SIGN_IN, isOver: true };
});

/** Open to who has not signed in, or not wholly. */
export const ENTER_PAGES: Readonly<Record<string, MakeOfficePage>> = {
  [SIGN_IN]: signInPage,
  [FACTOR]: factorPage,
  [ENROL]: enrolPage,
  [CODES]: codesPage,
  '/convite/:token': invitationPage,
};

export const ENTER_FORMS: Record<string, OfficeForm> = {
  [SIGN_IN]: signIn,
  '/entrar/papel': enterAsRole,
  [FACTOR]: giveFactor,
  [`${ENROL}/codigos`]: useCodes,
  [`${ENROL}/chave`]: usePasskey,
  '/convite/:token': accept,
  '/sair': leave,
};
