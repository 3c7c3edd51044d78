import type { ComponentChildren } from 'preact';
import { isProblem } from '#client';
import { again, faultsIn, ownForm, told } from '../server/form.ts';
import { codeTo, ownCode, ownProof, readCode } from '../server/sign-in.ts';
import type { Form, MakePersonalPage, PersonalVisit } from '../server/visit.ts';
import { faultOf, missing } from '../server/words.ts';
import { readPhone, showPhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field, PhoneField } from '../ui/field.tsx';
import { Line } from '../ui/parts.tsx';
import { CodeField, CodeSent, fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { WalletPage } from './layout.tsx';

const PROFILE = '/carteira/perfil';
const EMAIL = `${PROFILE}/email`;
const EMAIL_CODE = `${EMAIL}/codigo`;
const PHONE = `${PROFILE}/celular`;
const PHONE_CODES = `${PHONE}/codigos`;
const LEAVE = `${PROFILE}/encerrar`;
const LEAVE_CODE = `${LEAVE}/codigo`;
const CRUMBS = [{ href: PROFILE, text: 'Perfil' }];

/** All that is held on the customer, as a file. */
const dataFile: MakePersonalPage = async ({ api }) => {
  try {
    return { type: 'application/json', body: JSON.stringify(await api.exportOwnData(), null, 2) };
  } catch (error) {
    if (isProblem(error, 'rate_limited')) return { to: `${PROFILE}?copias=demais` };
    throw error;
  }
};

function Steps(props: { visit: PersonalVisit; title: string; children: ComponentChildren }) {
  const { visit, title, children } = props;
  return (
    <WalletPage title={title} visit={visit} tab="perfil" crumbs={CRUMBS} wrap="door">
      {children}
    </WalletPage>
  );
}

const sentTo = (phone: string) => (
  <p class="muted">
    <CodeSent phone={phone} />
  </p>
);

const emailPage: MakePersonalPage = async (visit) => (
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
);

const emailCodePage: MakePersonalPage = async (visit) => {
  const proof = ownProof(visit);
  if (!proof?.own?.email) return { to: EMAIL };
  return (
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
  );
};

const phonePage: MakePersonalPage = async (visit) => (
  <Steps visit={visit} title="Trocar o celular">
    <p class="muted">
      Vamos enviar um código para o celular novo e outro para o atual, <b>{showPhone(visit.who!.phone)}</b>.
      Com os dois, a troca vale na hora.
    </p>
    <PostForm visit={visit} action={PHONE} class="panel">
      <PhoneField {...fieldsOf(visit.flash)('phone')} label="Celular novo, com DDD" />
      <Submit wide>Receber os códigos</Submit>
    </PostForm>
    <p class="hint">
      Não tem mais o celular atual? <a href="/contato">Fale com a gente</a>.
    </p>
  </Steps>
);

const phoneCodesPage: MakePersonalPage = async (visit) => {
  const proof = ownProof(visit);
  if (!proof?.own?.phone) return { to: PHONE };
  const field = fieldsOf(visit.flash);
  return (
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
  );
};

const leavePage: MakePersonalPage = async (visit) => {
  const { stopped_by } = await visit.api.checkErasure();
  return (
    <Steps visit={visit} title="Encerrar a conta">
      <p>
        Seu nome, CPF, celular, e-mail e senha são apagados, e não há como voltar atrás. O cashback que restar
        é perdido. O histórico de compras e pagamentos fica, sem o seu nome, porque a lei exige.
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
  );
};

const leaveCodePage: MakePersonalPage = async (visit) => {
  const proof = ownProof(visit);
  if (!proof?.own?.leave) return { to: LEAVE };
  return (
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
  );
};

export const ACCOUNT_FORMS: Record<string, Form> = {
  [EMAIL]: ownForm(EMAIL, async (visit, sent) => {
    const email = sent.text('email');
    if (!/^\S+@\S+\.\S+$/.test(email)) return again(visit, sent, { email: missing('email') });
    return { to: EMAIL_CODE, proof: await ownCode(visit, { email }) };
  }),
  [EMAIL_CODE]: ownForm(EMAIL_CODE, async (visit, sent) => {
    const proof = ownProof(visit);
    if (!proof?.own?.email) return { to: EMAIL };
    const body = { email: proof.own.email, challenge_id: proof.challengeId, code: readCode(sent) };
    await visit.api.changeOwnEmail({ body });
    return told(PROFILE, 'E-mail trocado.');
  }),
  [PHONE]: ownForm(PHONE, async (visit, sent) => {
    const phone = readPhone(sent.text('phone'));
    if (!phone) return again(visit, sent, { phone: missing('phone') });
    if (phone === visit.who!.phone) return again(visit, sent, { phone: 'Este já é o celular da sua conta.' });
    const challengeId = await codeTo(visit, phone, visit.proof?.own);
    return { to: PHONE_CODES, proof: await ownCode(visit, { phone, challengeId }) };
  }),
  [PHONE_CODES]: ownForm(PHONE_CODES, async (visit, sent) => {
    const proof = ownProof(visit);
    const { phone, challengeId } = proof?.own ?? {};
    if (!proof || !phone || !challengeId) return { to: PHONE };
    const [code, newCode] = [readCode(sent), readCode(sent, 'new_code')];
    const faults = faultsIn({
      code: code.length !== 6 && missing('code'),
      new_code: newCode.length !== 6 && missing('code'),
    });
    if (faults) return again(visit, sent, faults);
    try {
      const login = await visit.api.changeOwnPhone({
        body: {
          phone,
          challenge_id: challengeId,
          code: newCode,
          current: { challenge_id: proof.challengeId, code },
        },
      });
      return { ...told(PROFILE, 'Celular trocado. Use o novo para entrar.'), login };
    } catch (error) {
      const isNew = isProblem(error, 'code_wrong') && error.errors[0]?.pointer === '/code';
      const { code: wrong, ...others } = faultOf(error);
      return again(visit, sent, { ...others, ...(wrong && { [isNew ? 'new_code' : 'code']: wrong }) });
    }
  }),
  [`${PHONE}/cancelar`]: ownForm(PROFILE, async ({ api, page }) => {
    await api.cancelOwnPhoneChange();
    return told(page, 'Troca cancelada. O celular da sua conta continua o mesmo.');
  }),
  [LEAVE]: ownForm(LEAVE, async (visit) => ({
    to: LEAVE_CODE,
    proof: await ownCode(visit, { leave: true }),
  })),
  [LEAVE_CODE]: ownForm(LEAVE_CODE, async (visit, sent) => {
    const proof = ownProof(visit);
    if (!proof?.own?.leave) return { to: LEAVE };
    await visit.api.eraseOwnAccount({ body: { challenge_id: proof.challengeId, code: readCode(sent) } });
    return { to: '/carteira/entrar?saiu=encerrada', isOver: true };
  }),
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
