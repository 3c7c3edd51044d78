import { privateForm, publicForm } from '../server/form.ts';
import {
  addRedirectParam,
  resendCode,
  sanitizeRedirect,
  sendCode,
  signInByCode,
  signOut,
} from '../server/sign-in.ts';
import type { FormHandler, PersonalPageHandler } from '../server/visit.ts';
import { formatPhone } from '../text/format.ts';
import { MEMBER_ROLE_LABELS } from '../text/labels.ts';
import { Submit } from '../ui/buttons.tsx';
import { PhoneField } from '../ui/field.tsx';
import { CodeForm, CodeSentText, PostForm, StepHead } from '../ui/personal-components.tsx';
import { HOME, TillPage, type TillPageHandler } from './layout.tsx';

const SIGN_IN_PATH = `${HOME}/entrar`;
const CODE_PATH = `${SIGN_IN_PATH}/codigo`;
const SHOPS_PATH = `${HOME}/lojas`;

export const signInPage: PersonalPageHandler = async (visit) => {
  const { flash, user, query, hasDraft, challenge } = visit;
  const to = sanitizeRedirect(query('para'));
  if (user && !flash) return { redirectTo: to ?? HOME };
  const para = flash?.values?.para ?? to;
  return (
    <TillPage
      title="Entrar no balcão"
      head={
        <>
          <h1>Balcão</h1>
          <p class="lead">Para quem vende com a Semana na loja. Entre com o seu celular.</p>
          {query('saiu') !== undefined && !flash && (
            <p class="note good" role="status" data-signed-out>
              Você saiu do balcão.
            </p>
          )}
          {hasDraft && !flash && (
            <p class="note warn" role="status">
              Por segurança, sua sessão terminou. Entre de novo: o que você digitou está salvo.
            </p>
          )}
        </>
      }
      wrap="form-column"
    >
      <PostForm action={SIGN_IN_PATH} class="panel">
        {para && <input type="hidden" name="para" value={para} />}
        <PhoneField
          name="phone"
          value={challenge && formatPhone(challenge.phone)}
          label="Seu celular com DDD"
          placeholder="(11) 91234-5678"
          hint="Enviamos um código por SMS."
        />
        <Submit wide>Receber o código</Submit>
      </PostForm>
      <p class="form-links">
        <a href="/seja-parceiro">Quero vender com a Semana</a>
        <a href="/carteira">Sou cliente</a>
      </p>
    </TillPage>
  );
};

export const codePage: PersonalPageHandler = async (visit) => {
  const { challenge } = visit;
  if (!challenge) return { redirectTo: SIGN_IN_PATH };
  return (
    <TillPage
      title="Digite o código"
      head={
        <StepHead title="Digite o código">
          <CodeSentText phone={challenge.phone} />{' '}
          <a href={addRedirectParam(SIGN_IN_PATH, challenge.redirectTo)}>Trocar o número</a>
        </StepHead>
      }
      wrap="form-column"
    >
      <CodeForm action={CODE_PATH} submitText="Entrar" canResend />
      <p class="hint">
        O código não entra? Só entra quem foi convidado pela loja. Peça a quem responde por ela que confira o
        seu celular.
      </p>
    </TillPage>
  );
};

export const shopsPage: TillPageHandler = async (visit) => {
  const { merchant: current, merchants } = visit.me;
  return (
    <TillPage title="Escolher a loja" head={<h1>Em qual loja você está?</h1>} wrap="form-column">
      <PostForm action={SHOPS_PATH} class="stack">
        {merchants.map(({ slug, name, role }) => (
          <button key={slug} class="week-key" type="submit" name="merchant" value={slug}>
            <b>{name}</b>
            <small>
              {MEMBER_ROLE_LABELS[role]}
              {slug === current.slug && ', aberta agora'}
            </small>
          </button>
        ))}
      </PostForm>
    </TillPage>
  );
};

export const SIGN_IN_FORMS: Record<string, FormHandler> = {
  [SIGN_IN_PATH]: publicForm(SIGN_IN_PATH, (visit, form) =>
    sendCode(visit, form, { codePage: CODE_PATH, redirectTo: sanitizeRedirect(form.text('para')) }),
  ),
  [CODE_PATH]: publicForm(CODE_PATH, (visit, form) =>
    signInByCode(visit, form, {
      phonePage: SIGN_IN_PATH,
      codePage: CODE_PATH,
      onLogin: (login) => {
        const hasSeveralMerchants = 'merchants' in login && login.merchants.length > 1;
        return {
          redirectTo: visit.choosePathAfterLogin(
            login,
            visit.challenge?.redirectTo ?? (hasSeveralMerchants ? SHOPS_PATH : HOME),
          ),
        };
      },
    }),
  ),
  [`${CODE_PATH}/reenviar`]: publicForm(CODE_PATH, resendCode),
  [SHOPS_PATH]: privateForm(SHOPS_PATH, async ({ api }, form) => {
    const merchant = form.text('merchant');
    const { merchant: current } = await api.getMerchantMe();
    if (merchant === current.slug) return { redirectTo: HOME };
    return { redirectTo: HOME, login: await api.switchMerchant({ body: { merchant } }) };
  }),
  [`${HOME}/sair`]: publicForm(`${HOME}/perfil`, (visit) => signOut(visit, `${SIGN_IN_PATH}?saiu=1`)),
};
