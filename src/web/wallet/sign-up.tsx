import { openForm, told } from '../server/form.ts';
import { personOf } from '../server/people.ts';
import { leadingTo, resend, safe, sendCode } from '../server/sign-in.ts';
import { signUp } from '../server/sign-up.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { readPhone, showPhone } from '../text/format.ts';
import { INVITATION } from '../ui/agreement.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field, PhoneField } from '../ui/field.tsx';
import { Coin } from '../ui/icons.tsx';
import { DoorHead, fieldsOf, PostForm, ResendButton } from '../ui/personal-parts.tsx';
import { SignUpFields } from '../ui/sign-up-fields.tsx';
import { WalletPage } from './layout.tsx';

const PHONE_PAGE = '/carteira/cadastro';
const DATA_PAGE = '/carteira/cadastro/dados';

export const signUpPage: MakePersonalPage = async (visit) => {
  const { flash, who, query } = visit;
  if (who) return { to: '/carteira' };
  const asked = query('convite')?.toUpperCase();
  const field = fieldsOf(flash, {
    convite: asked && INVITATION.test(asked) ? asked : undefined,
    para: safe(query('para')),
  });
  const [invitation, para] = [field('convite').value, field('para').value];
  return (
    <WalletPage
      title="Criar conta"
      visit={visit}
      head={
        <>
          <DoorHead title="Crie a sua conta">
            Leva dois minutos. Comece pelo celular: vamos enviar um código para confirmar que ele é seu.
          </DoorHead>
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
      wrap="door"
    >
      <PostForm visit={visit} action={PHONE_PAGE} class="panel">
        {invitation && <input type="hidden" name="convite" value={invitation} />}
        {para && <input type="hidden" name="para" value={para} />}
        <PhoneField {...field('phone')} label="Celular com DDD" placeholder="(11) 91234-5678" />
        <Submit wide>Receber código</Submit>
      </PostForm>
      <p class="door-links">
        <a href={leadingTo('/carteira/entrar', para)}>Já tenho conta</a>
      </p>
    </WalletPage>
  );
};

export const signUpDataPage: MakePersonalPage = async (visit) => {
  const { flash, proof } = visit;
  if (!proof) return { to: PHONE_PAGE };
  const field = fieldsOf(flash, { referral_code: proof.invitation });
  const { version } = await visit.api.getAgreement({ path: { kind: 'terms' } });
  return (
    <WalletPage
      title="Seus dados"
      visit={visit}
      head={
        <DoorHead title="Complete o seu cadastro">
          Enviamos um SMS para <b>{showPhone(proof.phone)}</b>. <a href={PHONE_PAGE}>Trocar o número</a>
        </DoorHead>
      }
      wrap="door"
    >
      <PostForm visit={visit} action={DATA_PAGE} class="panel">
        <SignUpFields visit={visit} terms={version}>
          <Field {...field('referral_code')} label="Código de convite" optional maxLength={40} />
        </SignUpFields>
        <Submit wide>Criar conta</Submit>
        {/* After the form's own button: Enter presses the first. */}
        {!proof.code && <ResendButton action={`${DATA_PAGE}/reenviar`} />}
      </PostForm>
    </WalletPage>
  );
};

export const SIGN_UP_FORMS: Record<string, Form> = {
  [PHONE_PAGE]: openForm(PHONE_PAGE, async (visit, sent) => {
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
  }),
  [DATA_PAGE]: openForm(DATA_PAGE, (visit, sent) =>
    signUp(visit, sent, {
      phone: PHONE_PAGE,
      code: '/carteira/entrar/codigo',
      data: DATA_PAGE,
      done(login) {
        const to = visit.afterLogin(login, visit.proof?.to);
        const note = `Conta criada. Boas-vindas, ${personOf(login).name.split(' ')[0]}!`;
        return told(to, note);
      },
    }),
  ),
  [`${DATA_PAGE}/reenviar`]: openForm(DATA_PAGE, resend),
};
