import { again, faultsIn, openForm, told } from '../server/form.ts';
import { leadingTo, readCode, refuseCode, resend, safe, sendCode } from '../server/sign-in.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { missing } from '../server/words.ts';
import { showPhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field, PhoneField } from '../ui/field.tsx';
import { CodeField, DoorHead, fieldsOf, PostForm, ResendButton } from '../ui/personal-parts.tsx';
import { WalletPage } from './layout.tsx';

const PHONE_PAGE = '/carteira/senha';
const NEW_PAGE = '/carteira/senha/nova';

export const forgottenPage: MakePersonalPage = async (visit) => {
  const { flash, who, query } = visit;
  const field = fieldsOf(flash, { phone: who && showPhone(who.phone), para: safe(query('para')) });
  const { value: para } = field('para');
  return (
    <WalletPage
      title="Nova senha"
      visit={visit}
      head={
        <DoorHead title="Criar uma senha nova">
          Vamos enviar um código para o seu celular. Com ele, você cria a senha nova.
        </DoorHead>
      }
      wrap="door"
    >
      <PostForm visit={visit} action={PHONE_PAGE} class="panel">
        {para && <input type="hidden" name="para" value={para} />}
        <PhoneField {...field('phone')} label="Celular com DDD" />
        <Submit wide>Receber código</Submit>
      </PostForm>
      <p class="door-links">
        <a href={who ? '/carteira/perfil' : leadingTo('/carteira/entrar', para)}>Voltar</a>
      </p>
    </WalletPage>
  );
};

export const newPasswordPage: MakePersonalPage = async (visit) => {
  const { flash, proof } = visit;
  if (!proof) return { to: PHONE_PAGE };
  const field = fieldsOf(flash);
  return (
    <WalletPage
      title="Nova senha"
      visit={visit}
      head={
        <DoorHead title="Crie a senha nova">
          Se <b>{showPhone(proof.phone)}</b> tiver conta, o código chega por SMS em instantes.
        </DoorHead>
      }
      wrap="door"
    >
      <PostForm visit={visit} action={NEW_PAGE} class="panel">
        <input type="hidden" name="username" autocomplete="username" value={proof.phone} />
        <CodeField {...field('code')} focus={field('code').focus || !flash?.faults} />
        <Field
          {...field('password')}
          value=""
          label="Senha nova"
          type="password"
          autocomplete="new-password"
          hint="Pelo menos 8 caracteres. Ao salvar, a conta é desconectada dos outros aparelhos."
          maxLength={200}
        />
        <Submit wide>Salvar e entrar</Submit>
        <ResendButton action={`${NEW_PAGE}/reenviar`} />
      </PostForm>
    </WalletPage>
  );
};

export const PASSWORD_FORMS: Record<string, Form> = {
  [PHONE_PAGE]: openForm(PHONE_PAGE, (visit, sent) =>
    sendCode(visit, sent, { to: NEW_PAGE, after: safe(sent.text('para')) }),
  ),
  [NEW_PAGE]: openForm(NEW_PAGE, async (visit, sent) => {
    const { api, proof } = visit;
    if (!proof) return { to: PHONE_PAGE };
    const [code, password, phone] = [readCode(sent), sent.secret('password'), proof.phone];
    const faults = faultsIn({
      code: !code && missing('code'),
      password: password.length < 8 && missing('password'),
    });
    if (faults) return again(visit, sent, faults);
    try {
      await api.setPassword({ body: { phone, challenge_id: proof.challengeId, code, password } });
    } catch (error) {
      return refuseCode(visit, sent, error, proof);
    }
    const login = await api.logIn({ body: { phone, password } });
    const to = visit.afterLogin(login, proof.to);
    return { ...told(to, 'Senha salva. Os outros aparelhos saíram da conta.'), login };
  }),
  [`${NEW_PAGE}/reenviar`]: openForm(NEW_PAGE, resend),
};
