import { personOf } from '../server/accounts.ts';
import { publicForm, redirectWithNote } from '../server/form.ts';
import { addRedirectParam, resendCode, sanitizeRedirect, sendCode, signUp } from '../server/sign-in.ts';
import type { FormHandler, PersonalPageHandler } from '../server/visit.ts';
import { formatPhone, INVITATION_CODE_PATTERN, parsePhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field, PhoneField } from '../ui/field.tsx';
import { Coin } from '../ui/icons.tsx';
import { PostForm, ResendButton, StepHead } from '../ui/personal-components.tsx';
import { SignUpFields } from '../ui/sign-up-fields.tsx';
import { WalletPage } from './layout.tsx';

const PHONE_PATH = '/carteira/cadastro';
const DATA_PATH = '/carteira/cadastro/dados';

export const signUpPage: PersonalPageHandler = async (visit) => {
  const { flash, user, query } = visit;
  if (user) return { redirectTo: '/carteira' };
  const invitationParam = query('convite')?.toUpperCase();
  const isInvitation = invitationParam && INVITATION_CODE_PATTERN.test(invitationParam);
  const invitation = flash?.values?.convite ?? (isInvitation ? invitationParam : undefined);
  const para = flash?.values?.para ?? sanitizeRedirect(query('para'));
  return (
    <WalletPage
      title="Criar conta"
      head={
        <>
          <StepHead title="Crie a sua conta">
            Leva dois minutos. Comece pelo celular: vamos enviar um código para confirmar que ele é seu.
          </StepHead>
          {invitation && (
            <p class="note good">
              <Coin />
              <span>
                O convite <b>{invitation}</b> já está no seu cadastro.
              </span>
            </p>
          )}
        </>
      }
      wrap="form-column"
    >
      <PostForm action={PHONE_PATH} class="panel">
        {invitation && <input type="hidden" name="convite" value={invitation} />}
        {para && <input type="hidden" name="para" value={para} />}
        <PhoneField name="phone" label="Celular com DDD" placeholder="(11) 91234-5678" />
        <Submit wide>Receber código</Submit>
      </PostForm>
      <p class="form-links">
        <a href={addRedirectParam('/carteira/entrar', para)}>Já tenho conta</a>
      </p>
    </WalletPage>
  );
};

export const signUpDataPage: PersonalPageHandler = async (visit) => {
  const { challenge } = visit;
  if (!challenge) return { redirectTo: PHONE_PATH };
  const { version } = await visit.api.getAgreement({ path: { kind: 'terms' } });
  return (
    <WalletPage
      title="Seus dados"
      head={
        <StepHead title="Complete o seu cadastro">
          Enviamos um SMS para <b>{formatPhone(challenge.phone)}</b>. <a href={PHONE_PATH}>Trocar o número</a>
        </StepHead>
      }
      wrap="form-column"
    >
      <PostForm action={DATA_PATH} class="panel">
        <SignUpFields challenge={challenge} termsVersion={version}>
          <Field
            name="referral_code"
            value={challenge.invitation}
            label="Código de convite"
            optional
            maxLength={40}
          />
        </SignUpFields>
        <Submit wide>Criar conta</Submit>
        {!challenge.code && <ResendButton action={`${DATA_PATH}/reenviar`} />}
      </PostForm>
    </WalletPage>
  );
};

export const SIGN_UP_FORMS: Record<string, FormHandler> = {
  [PHONE_PATH]: publicForm(PHONE_PATH, async (visit, form) => {
    const phone = parsePhone(form.text('phone'));
    const convite = form.text('convite').toUpperCase();
    const invitation = INVITATION_CODE_PATTERN.test(convite) ? convite : undefined;
    // An existing customer is sent to the sign-in before the long form. Errors are ignored here; the next call reports them.
    const phoneCheck = phone
      ? await visit.api.checkPhone({ body: { phone } }).catch(() => undefined)
      : undefined;
    if (phoneCheck?.registered) {
      const page = '/carteira/entrar';
      const note = 'Este celular já tem conta. Entre com a senha, ou receba um código.';
      const values = { phone: form.text('phone'), para: form.text('para') };
      return { redirectTo: page, flash: { page, values, note } };
    }
    return sendCode(visit, form, {
      codePage: DATA_PATH,
      invitation,
      redirectTo: sanitizeRedirect(form.text('para')),
    });
  }),
  [DATA_PATH]: publicForm(DATA_PATH, (visit, form) =>
    signUp(visit, form, {
      phonePage: PHONE_PATH,
      codePage: '/carteira/entrar/codigo',
      signUpPage: DATA_PATH,
      onLogin(login) {
        const to = visit.choosePathAfterLogin(login, visit.challenge?.redirectTo);
        const note = `Conta criada. Boas-vindas, ${personOf(login).name.split(' ')[0]}!`;
        return redirectWithNote(to, note);
      },
    }),
  ),
  [`${DATA_PATH}/reenviar`]: publicForm(DATA_PATH, resendCode),
};
