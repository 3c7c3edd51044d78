import { definePublicForm, defineSessionForm } from '../server/form.ts';
import {
  addRedirectParam,
  resendCode,
  sanitizeRedirect,
  sendCodeAndRedirect,
  signInByCode,
  signOut,
} from '../server/sign-in.ts';
import type { FormHandler, PersonalPageHandler } from '../server/visit.ts';
import { formatPhone, formatReais } from '../text/format.ts';
import { MEMBER_ROLE_LABELS } from '../text/labels.ts';
import { StackLink, Submit } from '../ui/buttons.tsx';
import { Line } from '../ui/components.tsx';
import { ButtonForm, CodeForm, CodeSentText, PhoneField, PostForm, SignInNotes } from '../ui/forms.tsx';
import { HOME, isOwner, mayReturn, TillPage, type TillPageHandler } from './layout.tsx';

const SIGN_IN_PATH = `${HOME}/entrar`;
const CODE_PATH = `${SIGN_IN_PATH}/codigo`;
const SHOPS_PATH = `${HOME}/lojas`;

export const signInPage: PersonalPageHandler = async (visit) => {
  const { flash, user, readQuery, challenge } = visit;
  const requestedPath = sanitizeRedirect(readQuery('para'));
  if (user && !flash) return { redirectTo: requestedPath ?? HOME };
  const redirectTo = flash?.values?.para ?? requestedPath;
  return (
    <TillPage
      title="Entrar no balcão"
      head={
        <>
          <h1>Balcão</h1>
          <p class="lead">Para quem vende com a Semana na loja. Entre com o seu celular.</p>
          <SignInNotes
            visit={visit}
            signedOutText="Você saiu do balcão."
            draftText="Por segurança, sua sessão terminou. Entre de novo: o que você digitou está salvo."
          />
        </>
      }
      wrapperClass="form-column"
    >
      <PostForm action={SIGN_IN_PATH} class="panel">
        {redirectTo && <input type="hidden" name="para" value={redirectTo} />}
        <PhoneField
          name="phone"
          value={challenge && formatPhone(challenge.phone)}
          label="Seu celular com DDD"
          placeholder="(11) 91234-5678"
          hint="Enviamos um código por SMS."
        />
        <Submit class="wide">Receber o código</Submit>
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
      explanation={
        <>
          <CodeSentText phone={challenge.phone} />{' '}
          <a href={addRedirectParam(SIGN_IN_PATH, challenge.redirectTo)}>Trocar o número</a>
        </>
      }
      wrapperClass="form-column"
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
  const { merchant: currentMerchant, merchants } = visit.me;
  return (
    <TillPage title="Escolher a loja" head={<h1>Em qual loja você está?</h1>} wrapperClass="form-column">
      <PostForm action={SHOPS_PATH} class="stack">
        {merchants.map(({ slug, name, role }) => (
          <button key={slug} class="week-key" type="submit" name="merchant" value={slug}>
            <b>{name}</b>
            <small>
              {MEMBER_ROLE_LABELS[role]}
              {slug === currentMerchant.slug && ', aberta agora'}
            </small>
          </button>
        ))}
      </PostForm>
    </TillPage>
  );
};

/** The forms by path. The first argument of each is the page that shows the errors. */
export const SIGN_IN_FORMS: Record<string, FormHandler> = {
  [SIGN_IN_PATH]: definePublicForm(SIGN_IN_PATH, (visit, form) =>
    sendCodeAndRedirect(visit, form, {
      codePagePath: CODE_PATH,
      redirectTo: sanitizeRedirect(form.readText('para')),
    }),
  ),
  [CODE_PATH]: definePublicForm(CODE_PATH, (visit, form) =>
    signInByCode(visit, form, {
      phonePagePath: SIGN_IN_PATH,
      codePagePath: CODE_PATH,
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
  [`${CODE_PATH}/reenviar`]: definePublicForm(CODE_PATH, resendCode),
  [SHOPS_PATH]: defineSessionForm(SHOPS_PATH, async ({ api }, form) => {
    const merchant = form.readText('merchant');
    const { merchant: currentMerchant } = await api.getMerchantMe();
    if (merchant === currentMerchant.slug) return { redirectTo: HOME };
    return { redirectTo: HOME, login: await api.switchMerchant({ body: { merchant } }) };
  }),
  [`${HOME}/sair`]: definePublicForm(`${HOME}/perfil`, (visit) => signOut(visit, `${SIGN_IN_PATH}?saiu=1`)),
};

export const profilePage: TillPageHandler = async (visit) => {
  const { member, merchant, merchants } = visit.me;
  return (
    <TillPage title="Perfil" tab="perfil" heading={member.name}>
      <section class="panel" aria-label="Você nesta loja">
        <dl class="totals">
          <Line name="Loja" value={merchant.name} />
          <Line name="Função" value={MEMBER_ROLE_LABELS[member.role]} />
          <Line name="Celular" value={formatPhone(member.phone)} />
          {!isOwner(visit) && (
            <>
              <Line
                name="Limite por venda"
                value={member.max_amount === null ? 'sem limite' : formatReais(member.max_amount)}
              />
              <Line name="Devoluções" value={mayReturn(visit) ? 'sim' : 'com quem responde pela loja'} />
            </>
          )}
        </dl>
        <div class="stack">
          {merchants.length > 1 && <StackLink href={SHOPS_PATH}>Trocar de loja</StackLink>}
          <ButtonForm action={`${HOME}/sair`} text="Sair deste aparelho" variant="quiet wide" />
        </div>
        <p class="hint">
          Perdeu o celular? Quem responde pela loja tira você da equipe, e o balcão fecha na hora em todos os
          aparelhos. Nunca pedimos os seus códigos: se alguém pedir, é golpe.
        </p>
      </section>
    </TillPage>
  );
};
