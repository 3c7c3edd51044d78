import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import { collectErrors, defineSessionForm, redirectWithNote, redisplayForm } from '../server/form.ts';
import { getInvalidFieldText, toFieldErrors } from '../server/problem-texts.ts';
import { findChangeChallenge, readCode, sendChangeCode, sendOrReuseCode } from '../server/sign-in.ts';
import type { FormHandler, PersonalPageHandler } from '../server/visit.ts';
import { formatPhone, parsePhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Line } from '../ui/components.tsx';
import { CodeField, CodeForm, CodeSentText, Field, PhoneField, PostForm } from '../ui/forms.tsx';
import { WalletPage } from './layout.tsx';

const PROFILE_PATH = '/carteira/perfil';
const EMAIL_PATH = `${PROFILE_PATH}/email`;
const EMAIL_CODE_PATH = `${EMAIL_PATH}/codigo`;
const PHONE_PATH = `${PROFILE_PATH}/celular`;
const PHONE_CODES_PATH = `${PHONE_PATH}/codigos`;
const CLOSE_PATH = `${PROFILE_PATH}/encerrar`;
const CLOSE_CODE_PATH = `${CLOSE_PATH}/codigo`;
const CRUMBS = [{ href: PROFILE_PATH, text: 'Perfil' }];
const CODE_LENGTH = 6;

const exportDataPage: PersonalPageHandler = async ({ api }) => {
  try {
    return { type: 'application/json', body: JSON.stringify(await api.exportOwnData(), null, 2) };
  } catch (error) {
    if (isProblem(error, 'rate_limited')) return { redirectTo: `${PROFILE_PATH}?copias=demais` };
    throw error;
  }
};

const StepPage = (props: { title: string; children: ComponentChildren }) => (
  <WalletPage tab="perfil" crumbs={CRUMBS} wrapperClass="form-column" {...props} />
);

const renderCodeSentText = (phone: string) => (
  <p class="muted">
    <CodeSentText phone={phone} />
  </p>
);

const emailPage: PersonalPageHandler = async () => (
  <StepPage title="Trocar o e-mail">
    <p class="muted">Para confirmar que é você, vamos enviar um código para o seu celular.</p>
    <PostForm action={EMAIL_PATH} class="panel">
      <Field name="email" label="E-mail novo" type="email" autocomplete="email" maxLength={254} />
      <Submit class="wide">Receber código</Submit>
    </PostForm>
  </StepPage>
);

const emailCodePage: PersonalPageHandler = async (visit) => {
  const challenge = findChangeChallenge(visit);
  if (!challenge?.pendingChange?.email) return { redirectTo: EMAIL_PATH };
  return (
    <StepPage title="Trocar o e-mail">
      {renderCodeSentText(challenge.phone)}
      <CodeForm action={EMAIL_CODE_PATH} submitText="Trocar o e-mail">
        <dl class="totals">
          <Line name="E-mail novo" value={challenge.pendingChange.email} />
        </dl>
      </CodeForm>
      <p class="form-links">
        <a href={EMAIL_PATH}>Usar outro e-mail ou pedir outro código</a>
      </p>
    </StepPage>
  );
};

const phonePage: PersonalPageHandler = async (visit) => (
  <StepPage title="Trocar o celular">
    <p class="muted">
      Vamos enviar um código para o celular novo e outro para o atual, <b>{formatPhone(visit.user!.phone)}</b>
      . Com os dois, a troca vale na hora.
    </p>
    <PostForm action={PHONE_PATH} class="panel">
      <PhoneField name="phone" label="Celular novo, com DDD" />
      <Submit class="wide">Receber os códigos</Submit>
    </PostForm>
    <p class="hint">
      Não tem mais o celular atual? <a href="/contato">Fale com a gente</a>.
    </p>
  </StepPage>
);

const phoneCodesPage: PersonalPageHandler = async (visit) => {
  const challenge = findChangeChallenge(visit);
  if (!challenge?.pendingChange?.phone) return { redirectTo: PHONE_PATH };
  return (
    <StepPage title="Trocar o celular">
      <p class="muted">Enviamos um SMS para cada celular. Os códigos valem por 5 minutos.</p>
      <PostForm action={PHONE_CODES_PATH} class="panel">
        <CodeField label={`Código enviado ao atual, ${formatPhone(challenge.phone)}`} focus />
        <CodeField
          name="new_code"
          label={`Código enviado ao novo, ${formatPhone(challenge.pendingChange.phone)}`}
        />
        <Submit class="wide">Trocar o celular</Submit>
      </PostForm>
      <p class="hint">Ao trocar, a conta é desconectada dos outros aparelhos.</p>
      <p class="form-links">
        <a href={PHONE_PATH}>Usar outro número ou pedir outros códigos</a>
      </p>
    </StepPage>
  );
};

const closePage: PersonalPageHandler = async (visit) => {
  const { stopped_by } = await visit.api.checkErasure();
  return (
    <StepPage title="Encerrar a conta">
      <p>
        Seu nome, CPF, celular, e-mail e senha são apagados, e não há como voltar atrás. O cashback que restar
        é perdido. O histórico de compras e pagamentos fica, sem o seu nome, porque a lei exige.
      </p>
      {stopped_by.length > 0 ? (
        <div class="panel">
          <h2 class="panel-title">Antes, falta resolver</h2>
          <ul>
            {stopped_by.map(({ code, text }) => (
              <li key={code}>{text}</li>
            ))}
          </ul>
          <p class="hint">
            Assim que estiver resolvido, você pode encerrar a conta aqui. Dúvidas?{' '}
            <a href="/contato">Fale com a gente</a>.
          </p>
        </div>
      ) : (
        <PostForm action={CLOSE_PATH} class="panel">
          <p class="muted">
            Para confirmar que é você, vamos enviar um código para <b>{formatPhone(visit.user!.phone)}</b>.
          </p>
          <Submit class="quiet wide">Receber código para encerrar</Submit>
        </PostForm>
      )}
      <p class="form-links">
        <a href={PROFILE_PATH}>Voltar</a>
      </p>
    </StepPage>
  );
};

const closeCodePage: PersonalPageHandler = async (visit) => {
  const challenge = findChangeChallenge(visit);
  if (!challenge?.pendingChange?.closesAccount) return { redirectTo: CLOSE_PATH };
  return (
    <StepPage title="Encerrar a conta">
      {renderCodeSentText(challenge.phone)}
      <CodeForm action={CLOSE_CODE_PATH} submitText="Apagar meus dados e encerrar" />
      <p class="form-links">
        <a href={PROFILE_PATH}>Desistir e voltar</a>
      </p>
    </StepPage>
  );
};

export const ACCOUNT_FORMS: Record<string, FormHandler> = {
  [EMAIL_PATH]: defineSessionForm(EMAIL_PATH, async (visit, form) => {
    const email = form.readText('email');
    if (!/^\S+@\S+\.\S+$/.test(email))
      return redisplayForm(visit, form, { email: getInvalidFieldText('email') });
    return { redirectTo: EMAIL_CODE_PATH, challenge: await sendChangeCode(visit, { email }) };
  }),
  [EMAIL_CODE_PATH]: defineSessionForm(EMAIL_CODE_PATH, async (visit, form) => {
    const challenge = findChangeChallenge(visit);
    if (!challenge?.pendingChange?.email) return { redirectTo: EMAIL_PATH };
    const body = {
      email: challenge.pendingChange.email,
      challenge_id: challenge.challengeId,
      code: readCode(form),
    };
    await visit.api.changeOwnEmail({ body });
    return redirectWithNote(PROFILE_PATH, 'E-mail trocado.');
  }),
  [PHONE_PATH]: defineSessionForm(PHONE_PATH, async (visit, form) => {
    const phone = parsePhone(form.readText('phone'));
    if (!phone) return redisplayForm(visit, form, { phone: getInvalidFieldText('phone') });
    if (phone === visit.user!.phone)
      return redisplayForm(visit, form, { phone: 'Este já é o celular da sua conta.' });
    const challengeId = await sendOrReuseCode(visit, phone, visit.challenge?.pendingChange);
    return { redirectTo: PHONE_CODES_PATH, challenge: await sendChangeCode(visit, { phone, challengeId }) };
  }),
  [PHONE_CODES_PATH]: defineSessionForm(PHONE_CODES_PATH, async (visit, form) => {
    const challenge = findChangeChallenge(visit);
    const { phone: newPhone, challengeId: newPhoneChallengeId } = challenge?.pendingChange ?? {};
    if (!challenge || !newPhone || !newPhoneChallengeId) return { redirectTo: PHONE_PATH };
    const [currentCode, newCode] = [readCode(form), readCode(form, 'new_code')];
    const errors = collectErrors({
      code: currentCode.length !== CODE_LENGTH && getInvalidFieldText('code'),
      new_code: newCode.length !== CODE_LENGTH && getInvalidFieldText('code'),
    });
    if (errors) return redisplayForm(visit, form, errors);
    try {
      const login = await visit.api.changeOwnPhone({
        body: {
          phone: newPhone,
          challenge_id: newPhoneChallengeId,
          code: newCode,
          current: { challenge_id: challenge.challengeId, code: currentCode },
        },
      });
      return { ...redirectWithNote(PROFILE_PATH, 'Celular trocado. Use o novo para entrar.'), login };
    } catch (error) {
      // In the API `code` is the code sent to the new phone; in this form `code` is the code sent to the current phone.
      const isNewPhoneCode = isProblem(error, 'code_wrong') && error.errors[0]?.pointer === '/code';
      const { code: codeError, ...otherErrors } = toFieldErrors(error);
      return redisplayForm(visit, form, {
        ...otherErrors,
        ...(codeError && { [isNewPhoneCode ? 'new_code' : 'code']: codeError }),
      });
    }
  }),
  [`${PHONE_PATH}/cancelar`]: defineSessionForm(PROFILE_PATH, async ({ api, pagePath }) => {
    await api.cancelOwnPhoneChange();
    return redirectWithNote(pagePath, 'Troca cancelada. O celular da sua conta continua o mesmo.');
  }),
  [CLOSE_PATH]: defineSessionForm(CLOSE_PATH, async (visit) => ({
    redirectTo: CLOSE_CODE_PATH,
    challenge: await sendChangeCode(visit, { closesAccount: true }),
  })),
  [CLOSE_CODE_PATH]: defineSessionForm(CLOSE_CODE_PATH, async (visit, form) => {
    const challenge = findChangeChallenge(visit);
    if (!challenge?.pendingChange?.closesAccount) return { redirectTo: CLOSE_PATH };
    await visit.api.eraseOwnAccount({ body: { challenge_id: challenge.challengeId, code: readCode(form) } });
    return { redirectTo: '/carteira/entrar?saiu=encerrada', endsSession: true };
  }),
};

export const ACCOUNT_PAGES: Record<string, PersonalPageHandler> = {
  [`${PROFILE_PATH}/meus-dados.json`]: exportDataPage,
  [EMAIL_PATH]: emailPage,
  [EMAIL_CODE_PATH]: emailCodePage,
  [PHONE_PATH]: phonePage,
  [PHONE_CODES_PATH]: phoneCodesPage,
  [CLOSE_PATH]: closePage,
  [CLOSE_CODE_PATH]: closeCodePage,
};
