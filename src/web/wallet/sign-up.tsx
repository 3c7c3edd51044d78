import { isProblem } from '#client';
import { leadingTo, readCode, refuseCode, resend, safe, sendCode } from '../server/sign-in.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { INVITATION, TERMS } from '../ui/agreement.ts';
import { describe, Field, FieldError } from '../ui/field.tsx';
import { isNoDay, readDate, readPhone, showPhone } from '../ui/format.ts';
import { Coin } from '../ui/icons.tsx';
import { CodeField, fieldsOf, PostForm, ResendButton, Said } from '../ui/personal-parts.tsx';
import { missing, NO_SUCH_DAY } from '../ui/words.ts';
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
            <button class="button wide" type="submit">
              Receber código
            </button>
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
            <CodeField
              {...field('code')}
              focus={field('code').focus || (!flash?.faults && !field('code').value)}
            />
            <Field {...field('name')} label="Nome completo" autocomplete="name" maxLength={200} />
            <Field
              {...field('cpf')}
              label="CPF"
              mask="cpf"
              inputmode="numeric"
              maxLength={14}
              hint="Usamos só na análise de crédito. Ele nunca aparece inteiro na tela."
            />
            <Field
              {...field('birth_date')}
              label="Data de nascimento"
              mask="date"
              inputmode="numeric"
              autocomplete="bday"
              maxLength={10}
              placeholder="31/05/1990"
            />
            <Field {...field('email')} label="E-mail" type="email" autocomplete="email" maxLength={254} />
            <Field
              {...field('password')}
              value=""
              label="Senha"
              type="password"
              autocomplete="new-password"
              optional
              hint="Pelo menos 8 caracteres. Sem senha, você entra sempre com um código por SMS."
              maxLength={200}
            />
            <Field {...field('referral_code')} label="Código de convite" optional maxLength={40} />
            <Terms {...field('terms')} />
            <button class="button wide" type="submit">
              Criar conta
            </button>
            {/* After the form's own button: Enter presses the first. */}
            <ResendButton action={`${DATA_PAGE}/reenviar`} />
          </PostForm>
        </div>
      </WalletLayout>
    ),
  };
};

const Terms = ({
  error,
  value,
  focus,
}: {
  error?: string | undefined;
  value?: string | undefined;
  focus: boolean;
}) => (
  <div class="field check">
    <input
      type="checkbox"
      id="terms"
      name="terms"
      value={TERMS}
      checked={value === TERMS}
      required
      {...describe('terms', { error })}
      {...(focus && { autofocus: true })}
    />
    <label for="terms">
      Li e aceito os{' '}
      <a href="/termos" target="_blank" rel="noopener">
        termos de uso
      </a>{' '}
      e o uso dos meus dados descrito neles.
    </label>
    <FieldError name="terms" error={error} />
  </div>
);

const signUp: Form = {
  page: DATA_PAGE,
  isPrivate: false,
  async act({ api, proof, page, idempotencyKey, afterLogin }, sent) {
    if (!proof) return { to: PHONE_PAGE };
    const faults: Record<string, string> = {};
    for (const name of ['code', 'name', 'cpf', 'birth_date', 'email'])
      if (!sent.text(name)) faults[name] = missing(name);
    if (sent.text('name') && !/\S\s+\S/.test(sent.text('name'))) faults.name = missing('name');
    if (isNoDay(sent.text('birth_date'))) faults.birth_date = NO_SUCH_DAY;
    if (!sent.text('terms')) faults.terms = 'Para criar a conta, é preciso aceitar os termos.';
    const again = (wrong: Record<string, string>) => ({
      to: page,
      flash: { page, values: sent.values(), faults: wrong },
    });
    const [password, invitation] = [sent.secret('password'), sent.text('referral_code').toUpperCase()];
    if (password && password.length < 8) faults.password = missing('password');
    if (Object.keys(faults).length > 0) return again(faults);
    try {
      const login = await api.signUp({
        body: {
          phone: proof.phone,
          challenge_id: proof.challengeId,
          code: readCode(sent),
          name: sent.text('name'),
          cpf: sent.text('cpf'),
          birth_date: readDate(sent.text('birth_date')),
          email: sent.text('email'),
          terms: sent.text('terms'),
          ...(password && { password }),
          ...(invitation && { referral_code: invitation }),
        },
        idempotencyKey,
      });
      const to = afterLogin(login, proof.to);
      const note = `Conta criada. Boas-vindas, ${login.customer.name.split(' ')[0]}!`;
      return { to, login, flash: { page: to.split('?')[0]!, note } };
    } catch (error) {
      if (isProblem(error, 'phone_registered')) {
        const signInPage = '/carteira/entrar/codigo';
        const [note, values] = ['Este celular já tem conta: é só entrar.', { code: readCode(sent) }];
        return { to: signInPage, flash: { page: signInPage, values, note } };
      }
      const { faults: wrong, proof: after } = refuseCode(error, proof);
      return { ...again(wrong), proof: after };
    }
  },
};

export const SIGN_UP_FORMS: Record<string, Form> = {
  [PHONE_PAGE]: askForPhone,
  [DATA_PAGE]: signUp,
  [`${DATA_PAGE}/reenviar`]: { page: DATA_PAGE, isPrivate: false, act: resend },
};
