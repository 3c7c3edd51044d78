import { leadingTo, readCode, refuseCode, resend, safe, sendCode } from '../server/sign-in.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field } from '../ui/field.tsx';
import { showPhone } from '../ui/format.ts';
import { CodeField, fieldsOf, PostForm, ResendButton, Said } from '../ui/personal-parts.tsx';
import { missing } from '../ui/words.ts';
import { WalletLayout } from './layout.tsx';

const PHONE_PAGE = '/carteira/senha';
const NEW_PAGE = '/carteira/senha/nova';

export const forgottenPage: MakePersonalPage = async (visit) => {
  const { flash, who, query } = visit;
  const field = fieldsOf(flash, { phone: who && showPhone(who.phone), para: safe(query('para')) });
  const { value: para } = field('para');
  return {
    body: (
      <WalletLayout title="Nova senha" visit={visit}>
        <div class="wrap door">
          <h1>Criar uma senha nova</h1>
          <p class="muted">Vamos enviar um código para o seu celular. Com ele, você cria a senha nova.</p>
          <Said flash={flash} />
          <PostForm visit={visit} action={PHONE_PAGE} class="panel">
            {para && <input type="hidden" name="para" value={para} />}
            <Field
              {...field('phone')}
              label="Celular com DDD"
              type="tel"
              mask="phone"
              autocomplete="tel-national"
              maxLength={30}
            />
            <Submit wide>Receber código</Submit>
          </PostForm>
          <p class="door-links">
            <a href={who ? '/carteira/perfil' : leadingTo('/carteira/entrar', para)}>Voltar</a>
          </p>
        </div>
      </WalletLayout>
    ),
  };
};

export const newPasswordPage: MakePersonalPage = async (visit) => {
  const { flash, proof } = visit;
  if (!proof) return { to: PHONE_PAGE };
  const field = fieldsOf(flash);
  return {
    body: (
      <WalletLayout title="Nova senha" visit={visit}>
        <div class="wrap door">
          <h1>Crie a senha nova</h1>
          <p class="muted">
            Se <b>{showPhone(proof.phone)}</b> tiver conta, o código chega por SMS em instantes.
          </p>
          <Said flash={flash} />
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
        </div>
      </WalletLayout>
    ),
  };
};

const setPassword: Form = {
  page: NEW_PAGE,
  isPrivate: false,
  async act({ api, proof, page, afterLogin }, sent) {
    if (!proof) return { to: PHONE_PAGE };
    const [code, password, phone] = [readCode(sent), sent.secret('password'), proof.phone];
    const faults = {
      ...(!code && { code: missing('code') }),
      ...(password.length < 8 && { password: missing('password') }),
    };
    const again = (wrong: Record<string, string>) => ({
      to: page,
      flash: { page, values: sent.values(), faults: wrong },
    });
    if (Object.keys(faults).length > 0) return again(faults);
    try {
      await api.setPassword({ body: { phone, challenge_id: proof.challengeId, code, password } });
    } catch (error) {
      const { faults: wrong, proof: after } = refuseCode(error, proof);
      return { ...again(wrong), proof: after };
    }
    const login = await api.logIn({ body: { phone, password } });
    const to = afterLogin(login, proof.to);
    return {
      to,
      login,
      flash: { page: to.split('?')[0]!, note: 'Senha salva. Os outros aparelhos saíram da conta.' },
    };
  },
};

export const PASSWORD_FORMS: Record<string, Form> = {
  [PHONE_PAGE]: {
    page: PHONE_PAGE,
    isPrivate: false,
    act: (visit, sent) => sendCode(visit, sent, { to: NEW_PAGE, after: safe(sent.text('para')) }),
  },
  [NEW_PAGE]: setPassword,
  [`${NEW_PAGE}/reenviar`]: { page: NEW_PAGE, isPrivate: false, act: resend },
};
