import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import { readCode } from '../server/sign-in.ts';
import type {
  Form,
  FormOutcome,
  FormVisit,
  MakePersonalPage,
  PersonalVisit,
  Proof,
  Sent,
} from '../server/visit.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field } from '../ui/field.tsx';
import { readPhone, showPhone } from '../ui/format.ts';
import { PageHead } from '../ui/parts.tsx';
import { CodeField, fieldsOf, PostForm, Said } from '../ui/personal-parts.tsx';
import { faultOf, missing } from '../ui/words.ts';
import { WalletLayout } from './layout.tsx';
import { Line } from './purchase.tsx';

const PROFILE = '/carteira/perfil';
const EMAIL = `${PROFILE}/email`;
const EMAIL_CODE = `${EMAIL}/codigo`;
const PHONE = `${PROFILE}/celular`;
const PHONE_CODES = `${PHONE}/codigos`;
const LEAVE = `${PROFILE}/encerrar`;
const LEAVE_CODE = `${LEAVE}/codigo`;
const CRUMBS = [{ href: PROFILE, text: 'Perfil' }];

const again = (page: string, sent: Sent, faults: Record<string, string>): FormOutcome => ({
  to: page,
  flash: { page, values: sent.values(), faults },
});

/** Sends a code. Whoever has just got one uses that. */
async function codeTo(
  api: FormVisit['api'],
  phone: string,
  had: { phone?: string; challengeId?: string } | undefined,
): Promise<string> {
  try {
    return (await api.sendCode({ body: { phone } })).challenge_id;
  } catch (error) {
    if (isProblem(error, 'otp_too_soon') && had?.phone === phone && had.challengeId) return had.challengeId;
    throw error;
  }
}

/** All that is held on the customer, as a file. */
const dataFile: MakePersonalPage = async ({ api }) => {
  try {
    return { type: 'application/json', body: JSON.stringify(await api.exportOwnData(), null, 2) };
  } catch (error) {
    if (isProblem(error, 'rate_limited')) return { to: `${PROFILE}?copias=demais` };
    throw error;
  }
};

/** A code was sent to the customer for one of these pages. */
const ownProof = ({ proof, who }: Pick<PersonalVisit, 'proof' | 'who'>): Proof | undefined =>
  proof?.own && proof.phone === who?.phone ? proof : undefined;

function Steps(props: { visit: PersonalVisit; title: string; children: ComponentChildren }) {
  const { visit, title, children } = props;
  return (
    <WalletLayout title={title} visit={visit} tab="perfil">
      <div class="wrap door">
        <PageHead title={title} crumbs={CRUMBS} />
        <Said flash={visit.flash} />
        {children}
      </div>
    </WalletLayout>
  );
}

const sentTo = (phone: string) => (
  <p class="muted">
    Enviamos um SMS para <b>{showPhone(phone)}</b>. O código vale por 5 minutos.
  </p>
);

const emailPage: MakePersonalPage = async (visit) => ({
  body: (
    <Steps visit={visit} title="Trocar o e-mail">
      <p class="muted">Para confirmar que é você, vamos enviar um código para o seu celular.</p>
      <PostForm visit={visit} action={EMAIL} class="panel">
        <Field
          {...fieldsOf(visit.flash)('email')}
          label="E-mail novo"
          type="email"
          autocomplete="email"
          maxLength={254}
        />
        <Submit wide>Receber código</Submit>
      </PostForm>
    </Steps>
  ),
});

const emailCodePage: MakePersonalPage = async (visit) => {
  const proof = ownProof(visit);
  if (!proof?.own?.email) return { to: EMAIL };
  return {
    body: (
      <Steps visit={visit} title="Trocar o e-mail">
        {sentTo(proof.phone)}
        <PostForm visit={visit} action={EMAIL_CODE} class="panel">
          <dl class="totals">
            <Line name="E-mail novo" value={proof.own.email} />
          </dl>
          <CodeField {...fieldsOf(visit.flash)('code')} focus />
          <Submit wide>Trocar o e-mail</Submit>
        </PostForm>
        <p class="door-links">
          <a href={EMAIL}>Usar outro e-mail ou pedir outro código</a>
        </p>
      </Steps>
    ),
  };
};

const askEmail: Form = {
  page: EMAIL,
  isPrivate: true,
  async act({ api, who, proof, page }, sent) {
    const email = sent.text('email');
    if (!/^\S+@\S+\.\S+$/.test(email)) return again(page, sent, { email: missing('email') });
    const { phone } = who!;
    return { to: EMAIL_CODE, proof: { phone, challengeId: await codeTo(api, phone, proof), own: { email } } };
  },
};

const changeEmail: Form = {
  page: EMAIL_CODE,
  isPrivate: true,
  async act(visit, sent) {
    const proof = ownProof(visit);
    if (!proof?.own?.email) return { to: EMAIL };
    const body = { email: proof.own.email, challenge_id: proof.challengeId, code: readCode(sent) };
    await visit.api.changeOwnEmail({ body });
    return { to: PROFILE, flash: { page: PROFILE, note: 'E-mail trocado.' } };
  },
};

const phonePage: MakePersonalPage = async (visit) => ({
  body: (
    <Steps visit={visit} title="Trocar o celular">
      <p class="muted">
        Vamos enviar um código para o celular novo e outro para o atual, <b>{showPhone(visit.who!.phone)}</b>.
        Com os dois, a troca vale na hora.
      </p>
      <PostForm visit={visit} action={PHONE} class="panel">
        <Field
          {...fieldsOf(visit.flash)('phone')}
          label="Celular novo, com DDD"
          type="tel"
          mask="phone"
          autocomplete="tel-national"
          maxLength={30}
        />
        <Submit wide>Receber os códigos</Submit>
      </PostForm>
      <p class="hint">
        Não tem mais o celular atual? <a href="/contato">Fale com a gente</a>.
      </p>
    </Steps>
  ),
});

const phoneCodesPage: MakePersonalPage = async (visit) => {
  const proof = ownProof(visit);
  if (!proof?.own?.phone) return { to: PHONE };
  const field = fieldsOf(visit.flash);
  return {
    body: (
      <Steps visit={visit} title="Trocar o celular">
        <p class="muted">Enviamos um SMS para cada celular. Os códigos valem por 5 minutos.</p>
        <PostForm visit={visit} action={PHONE_CODES} class="panel">
          <CodeField {...field('code')} label={`Código enviado ao atual, ${showPhone(proof.phone)}`} focus />
          <CodeField
            {...field('new_code')}
            name="new_code"
            label={`Código enviado ao novo, ${showPhone(proof.own.phone)}`}
          />
          <Submit wide>Trocar o celular</Submit>
        </PostForm>
        <p class="hint">Ao trocar, a conta é desconectada dos outros aparelhos.</p>
        <p class="door-links">
          <a href={PHONE}>Usar outro número ou pedir outros códigos</a>
        </p>
      </Steps>
    ),
  };
};

const askPhone: Form = {
  page: PHONE,
  isPrivate: true,
  async act({ api, who, proof, page }, sent) {
    const phone = readPhone(sent.text('phone'));
    if (!phone) return again(page, sent, { phone: missing('phone') });
    const { phone: current } = who!;
    if (phone === current) return again(page, sent, { phone: 'Este já é o celular da sua conta.' });
    const newChallenge = await codeTo(api, phone, proof?.own);
    const challengeId = await codeTo(api, current, proof);
    return {
      to: PHONE_CODES,
      proof: { phone: current, challengeId, own: { phone, challengeId: newChallenge } },
    };
  },
};

const changePhone: Form = {
  page: PHONE_CODES,
  isPrivate: true,
  async act(visit, sent) {
    const proof = ownProof(visit);
    const { phone, challengeId } = proof?.own ?? {};
    if (!proof || !phone || !challengeId) return { to: PHONE };
    const [code, newCode] = [readCode(sent), readCode(sent, 'new_code')];
    const faults = {
      ...(code.length !== 6 && { code: missing('code') }),
      ...(newCode.length !== 6 && { new_code: missing('code') }),
    };
    if (Object.keys(faults).length > 0) return again(visit.page, sent, faults);
    try {
      const login = await visit.api.changeOwnPhone({
        body: {
          phone,
          challenge_id: challengeId,
          code: newCode,
          current: { challenge_id: proof.challengeId, code },
        },
      });
      return {
        to: PROFILE,
        login,
        flash: { page: PROFILE, note: 'Celular trocado. Use o novo para entrar.' },
      };
    } catch (error) {
      const isNew = isProblem(error, 'code_wrong') && error.errors[0]?.pointer === '/code';
      const { code: wrong, ...others } = faultOf(error);
      return again(visit.page, sent, { ...others, ...(wrong && { [isNew ? 'new_code' : 'code']: wrong }) });
    }
  },
};

const cancelPhoneChange: Form = {
  page: PROFILE,
  isPrivate: true,
  async act({ api, page }) {
    await api.cancelOwnPhoneChange();
    return { to: page, flash: { page, note: 'Troca cancelada. O celular da sua conta continua o mesmo.' } };
  },
};

const leavePage: MakePersonalPage = async (visit) => {
  const { stopped_by } = await visit.api.checkErasure();
  return {
    body: (
      <Steps visit={visit} title="Encerrar a conta">
        <p>
          Seu nome, CPF, celular, e-mail e senha são apagados, e não há como voltar atrás. O cashback que
          restar é perdido. O histórico de compras e pagamentos fica, sem o seu nome, porque a lei exige.
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
          <PostForm visit={visit} action={LEAVE} class="panel">
            <p class="muted">
              Para confirmar que é você, vamos enviar um código para <b>{showPhone(visit.who!.phone)}</b>.
            </p>
            <Submit quiet wide>
              Receber código para encerrar
            </Submit>
          </PostForm>
        )}
        <p class="door-links">
          <a href={PROFILE}>Voltar</a>
        </p>
      </Steps>
    ),
  };
};

const leaveCodePage: MakePersonalPage = async (visit) => {
  const proof = ownProof(visit);
  if (!proof?.own?.leave) return { to: LEAVE };
  return {
    body: (
      <Steps visit={visit} title="Encerrar a conta">
        {sentTo(proof.phone)}
        <PostForm visit={visit} action={LEAVE_CODE} class="panel">
          <CodeField {...fieldsOf(visit.flash)('code')} focus />
          <Submit wide>Apagar meus dados e encerrar</Submit>
        </PostForm>
        <p class="door-links">
          <a href={PROFILE}>Desistir e voltar</a>
        </p>
      </Steps>
    ),
  };
};

const askLeave: Form = {
  page: LEAVE,
  isPrivate: true,
  async act({ api, who, proof }) {
    const { phone } = who!;
    return {
      to: LEAVE_CODE,
      proof: { phone, challengeId: await codeTo(api, phone, proof), own: { leave: true } },
    };
  },
};

const leave: Form = {
  page: LEAVE_CODE,
  isPrivate: true,
  async act(visit, sent) {
    const proof = ownProof(visit);
    if (!proof?.own?.leave) return { to: LEAVE };
    await visit.api.eraseOwnAccount({ body: { challenge_id: proof.challengeId, code: readCode(sent) } });
    return { to: '/carteira/entrar?saiu=encerrada', isOver: true };
  },
};

export const ACCOUNT_FORMS: Record<string, Form> = {
  [EMAIL]: askEmail,
  [EMAIL_CODE]: changeEmail,
  [PHONE]: askPhone,
  [PHONE_CODES]: changePhone,
  [`${PHONE}/cancelar`]: cancelPhoneChange,
  [LEAVE]: askLeave,
  [LEAVE_CODE]: leave,
};

export const ACCOUNT_PAGES: Record<string, MakePersonalPage> = {
  [`${PROFILE}/meus-dados.json`]: dataFile,
  [EMAIL]: emailPage,
  [EMAIL_CODE]: emailCodePage,
  [PHONE]: phonePage,
  [PHONE_CODES]: phoneCodesPage,
  [LEAVE]: leavePage,
  [LEAVE_CODE]: leaveCodePage,
};
