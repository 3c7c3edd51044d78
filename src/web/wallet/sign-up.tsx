import { personOf } from '../server/people.ts';
import { leadingTo, resend, safe, sendCode } from '../server/sign-in.ts';
import { signUp } from '../server/sign-up.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { INVITATION } from '../ui/agreement.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field } from '../ui/field.tsx';
import { readPhone, showPhone } from '../ui/format.ts';
import { Coin } from '../ui/icons.tsx';
import { fieldsOf, PostForm, ResendButton, Said } from '../ui/personal-parts.tsx';
import { SignUpFields } from '../ui/sign-up-fields.tsx';
import { WalletLayout } from './layout.tsx';

const PHONE_PAGE = '/carteira/cadastro';
export const DATA_PAGE = '/carteira/cadastro/dados';

export const signUpPage: MakePersonalPage = async (visit) => {
  const { flash, who, query } = visit;
  if (who) return { to: '/carteira' };
  const asked = query('convite')?.toUpperCase();
  const field = fieldsOf(flash, {
    convite: asked && INVITATION.test(asked) ? asked : undefined,
    para: safe(query('para')),
  });
  const [invitation, para] = [field('convite').value, field('para').value];
  return {
    body: (
      <WalletLayout title="Criar conta" visit={visit}>
        <div class="wrap door">
          <h1>Crie a sua conta</h1>
          <p class="muted">
            Leva dois minutos. Comece pelo celular: vamos enviar um código para confirmar que ele é seu.
          </p>
          {invitation && (
            <p class="note good">
              <Coin />
              <span>
                O convite <b>{invitation}</b> já está no seu cadastro.
              </span>
            </p>
          )}
          <Said flash={flash} />
          <PostForm visit={visit} action={PHONE_PAGE} class="panel">
            {invitation && <input type="hidden" name="convite" value={invitation} />}
            {para && <input type="hidden" name="para" value={para} />}
            <Field
              {...field('phone')}
              label="Celular com DDD"
              type="tel"
              mask="phone"
              autocomplete="tel-national"
              maxLength={30}
              placeholder="(11) 91234-5678"
            />
            <Submit wide>Receber código</Submit>
          </PostForm>
          <p class="door-links">
            <a href={leadingTo('/carteira/entrar', para)}>Já tenho conta</a>
          </p>
        </div>
      </WalletLayout>
    ),
  };
};

const askForPhone: Form = {
  page: PHONE_PAGE,
  isPrivate: false,
  async act(visit, sent) {
    const phone = readPhone(sent.text('phone'));
    const convite = sent.text('convite').toUpperCase();
    const invitation = INVITATION.test(convite) ? convite : undefined;
    // Checked before the long form: an existing customer goes to the login. Errors are ignored; the next call reports them.
    const check = phone ? await visit.api.checkPhone({ body: { phone } }).catch(() => undefined) : undefined;
    if (check?.registered) {
      const page = '/carteira/entrar';
      const note = 'Este celular já tem conta. Entre com a senha, ou receba um código.';
      const values = { phone: sent.text('phone'), para: sent.text('para') };
      return { to: page, flash: { page, values, note } };
    }
    return sendCode(visit, sent, { to: DATA_PAGE, invitation, after: safe(sent.text('para')) });
  },
};

export const signUpDataPage: MakePersonalPage = async (visit) => {
  const { flash, proof } = visit;
  if (!proof) return { to: PHONE_PAGE };
  const field = fieldsOf(flash, { referral_code: proof.invitation });
  const { version } = await visit.api.getAgreement({ path: { kind: 'terms' } });
  return {
    body: (
      <WalletLayout title="Seus dados" visit={visit}>
        <div class="wrap door">
          <h1>Complete o seu cadastro</h1>
          <p class="muted">
            Enviamos um SMS para <b>{showPhone(proof.phone)}</b>. <a href={PHONE_PAGE}>Trocar o número</a>
          </p>
          <Said flash={flash} />
          <PostForm visit={visit} action={DATA_PAGE} class="panel">
            <SignUpFields visit={visit} terms={version}>
              <Field {...field('referral_code')} label="Código de convite" optional maxLength={40} />
            </SignUpFields>
            <Submit wide>Criar conta</Submit>
            {/* After the form's own button: Enter presses the first. */}
            {!proof.code && <ResendButton action={`${DATA_PAGE}/reenviar`} />}
          </PostForm>
        </div>
      </WalletLayout>
    ),
  };
};

const createAccount: Form = {
  page: DATA_PAGE,
  isPrivate: false,
  act: (visit, sent) =>
    signUp(visit, sent, {
      phone: PHONE_PAGE,
      code: '/carteira/entrar/codigo',
      data: DATA_PAGE,
      done(login) {
        const to = visit.afterLogin(login, visit.proof?.to);
        const note = `Conta criada. Boas-vindas, ${personOf(login).name.split(' ')[0]}!`;
        return { to, flash: { page: to.split('?')[0]!, note } };
      },
    }),
};

export const SIGN_UP_FORMS: Record<string, Form> = {
  [PHONE_PAGE]: askForPhone,
  [DATA_PAGE]: createAccount,
  [`${DATA_PAGE}/reenviar`]: { page: DATA_PAGE, isPrivate: false, act: resend },
};
