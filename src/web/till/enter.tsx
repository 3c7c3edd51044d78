import { openForm, ownForm } from '../server/form.ts';
import { leadingTo, resend, safe, sendCode, signInByCode, signOut } from '../server/sign-in.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { showPhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { PhoneField } from '../ui/field.tsx';
import { CodeField, CodeSent, DoorHead, fieldsOf, PostForm, ResendButton } from '../ui/personal-parts.tsx';
import { HOME, TillPage } from './layout.tsx';
import type { MakeTillPage } from './visit.ts';

const ENTER = `${HOME}/entrar`;
const CODE = `${ENTER}/codigo`;
const SHOPS = `${HOME}/lojas`;

export const signInPage: MakePersonalPage = async (visit) => {
  const { flash, who, query, hasDraft, proof } = visit;
  const to = safe(query('para'));
  if (who && !flash) return { to: to ?? HOME };
  const field = fieldsOf(flash, { para: to, phone: proof && showPhone(proof.phone) });
  const { value: para } = field('para');
  return (
    <TillPage
      title="Entrar no balcão"
      visit={visit}
      head={
        <>
          <h1>Balcão</h1>
          <p class="lead">Para quem vende com a Semana na loja. Entre com o seu celular.</p>
          {query('saiu') !== undefined && !flash && (
            <p class="note good" role="status" data-left>
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
      wrap="door"
    >
      <PostForm visit={visit} action={ENTER} class="panel" keep>
        {para && <input type="hidden" name="para" value={para} />}
        <PhoneField
          {...field('phone')}
          label="Seu celular com DDD"
          placeholder="(11) 91234-5678"
          hint="Enviamos um código por SMS."
        />
        <Submit wide>Receber o código</Submit>
      </PostForm>
      <p class="door-links">
        <a href="/seja-parceiro">Quero vender com a Semana</a>
        <a href="/carteira">Sou cliente</a>
      </p>
    </TillPage>
  );
};

export const codePage: MakePersonalPage = async (visit) => {
  const { flash, proof } = visit;
  if (!proof) return { to: ENTER };
  return (
    <TillPage
      title="Digite o código"
      visit={visit}
      head={
        <DoorHead title="Digite o código">
          <CodeSent phone={proof.phone} /> <a href={leadingTo(ENTER, proof.to)}>Trocar o número</a>
        </DoorHead>
      }
      wrap="door"
    >
      <PostForm visit={visit} action={CODE} class="panel">
        <CodeField {...fieldsOf(flash)('code')} focus />
        <Submit wide>Entrar</Submit>
        <ResendButton action={`${CODE}/reenviar`} />
      </PostForm>
      <p class="hint">
        O código não entra? Só entra quem foi convidado pela loja. Peça a quem responde por ela que confira o
        seu celular.
      </p>
    </TillPage>
  );
};

/** For whom to work now, for somebody who belongs to several merchants. */
export const shopsPage: MakeTillPage = async (visit) => {
  const { merchant: current, merchants } = visit.me;
  return (
    <TillPage title="Escolher a loja" visit={visit} head={<h1>Em qual loja você está?</h1>} wrap="door">
      <PostForm visit={visit} action={SHOPS} class="stack">
        {merchants.map(({ slug, name, role }) => (
          <button key={slug} class="week-key" type="submit" name="merchant" value={slug}>
            <b>{name}</b>
            <small>
              {ROLES[role]}
              {slug === current.slug && ', aberta agora'}
            </small>
          </button>
        ))}
      </PostForm>
    </TillPage>
  );
};

export const ROLES = { owner: 'Responsável', clerk: 'Caixa' } as const;

export const ENTER_FORMS: Record<string, Form> = {
  [ENTER]: openForm(ENTER, (visit, sent) =>
    sendCode(visit, sent, { to: CODE, after: safe(sent.text('para')) }),
  ),
  [CODE]: openForm(CODE, (visit, sent) =>
    signInByCode(visit, sent, {
      phone: ENTER,
      code: CODE,
      done: (login) => {
        const isOfSeveral = 'merchants' in login && login.merchants.length > 1;
        return { to: visit.afterLogin(login, visit.proof?.to ?? (isOfSeveral ? SHOPS : HOME)) };
      },
    }),
  ),
  [`${CODE}/reenviar`]: openForm(CODE, resend),
  [SHOPS]: ownForm(SHOPS, async ({ api }, sent) => {
    const merchant = sent.text('merchant');
    const { merchant: current } = await api.getMerchantMe();
    if (merchant === current.slug) return { to: HOME };
    return { to: HOME, login: await api.switchMerchant({ body: { merchant } }) };
  }),
  [`${HOME}/sair`]: openForm(`${HOME}/perfil`, (visit) => signOut(visit, `${ENTER}?saiu=1`)),
};
