import type { ComponentChildren } from 'preact';
import { memoryTokens, type Output } from '#client';
import { openForm } from '../server/form.ts';
import { resend, type Steps, sendCode, signInByCode, signOut } from '../server/sign-in.ts';
import { signUp } from '../server/sign-up.ts';
import type { Form, FormOutcome, FormVisit, MakePersonalPage, PersonalVisit } from '../server/visit.ts';
import { faultOf } from '../server/words.ts';
import { inReais, showPhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { inWeeks } from '../ui/offer-parts.tsx';
import { Logo } from '../ui/parts.tsx';
import { CodeField, CodeSent, DoorHead, fieldsOf, PostForm, ResendButton } from '../ui/personal-parts.tsx';
import { SignUpFields } from '../ui/sign-up-fields.tsx';
import { PayPage } from './layout.tsx';

type Offer = Output<'getOpenOffer'>;

export const PAY_PATH = '/pagar/:token';
const CODE_PATH = `${PAY_PATH}/codigo`;
const DATA_PATH = `${PAY_PATH}/dados`;
export const addressOf = ({ params }: Pick<PersonalVisit, 'params'>) => `/pagar/${params.token}`;

/** What the pages on the way are about; undefined when there is nothing to do on them. */
async function readWaiting({ api, params, who, proof }: PersonalVisit): Promise<Offer | undefined> {
  if (who || !proof) return undefined;
  const offer = await api.getOpenOffer({ path: { token: params.token! } });
  return offer.status === 'pending' ? offer : undefined;
}

const Reminder = ({ offer: { merchant, quote } }: { offer: Offer }) => (
  <div class="card offer-row">
    <Logo merchant={merchant} size={56} />
    <div>
      <b>{merchant.name}</b>
      <p class="muted">
        {inWeeks(quote)}, total {inReais(quote.total)}
      </p>
    </div>
  </div>
);

type Proof = NonNullable<PersonalVisit['proof']>;
type Step = {
  title: string;
  heading?: string;
  about(proof: Proof): ComponentChildren;
  form(visit: PersonalVisit, proof: Proof): ComponentChildren | Promise<ComponentChildren>;
};

/** A step between the offer and the yes. Whoever is signed in, or has no code under way, has nothing to do on it. */
const stepPage =
  ({ title, heading = title, about, form }: Step): MakePersonalPage =>
  async (visit) => {
    const offer = await readWaiting(visit);
    const { proof } = visit;
    if (!offer || !proof) return { to: addressOf(visit) };
    const head = (
      <>
        <Reminder offer={offer} />
        <DoorHead title={heading}>
          {about(proof)} <a href={addressOf(visit)}>Trocar o número</a>
        </DoorHead>
      </>
    );
    return (
      <PayPage title={title} visit={visit} wrap="door" head={head}>
        {await form(visit, proof)}
      </PayPage>
    );
  };

export const codePage = stepPage({
  title: 'Digite o código',
  about: ({ phone }) => <CodeSent phone={phone} />,
  form: (visit) => (
    <PostForm visit={visit} action={`${addressOf(visit)}/codigo`} class="panel">
      <CodeField {...fieldsOf(visit.flash)('code')} focus />
      <Submit wide>Continuar</Submit>
      <ResendButton action={`${addressOf(visit)}/codigo/reenviar`} />
    </PostForm>
  ),
});

export const dataPage = stepPage({
  title: 'Seus dados',
  heading: 'Só faltam os seus dados',
  about: ({ phone }) => (
    <>
      O celular é <b>{showPhone(phone)}</b>.
    </>
  ),
  async form(visit, { code }) {
    const { version } = await visit.api.getAgreement({ path: { kind: 'terms' } });
    return (
      <>
        <PostForm visit={visit} action={`${addressOf(visit)}/dados`} class="panel" keep>
          <SignUpFields visit={visit} terms={version} />
          <Submit wide>Continuar</Submit>
          {!code && <ResendButton action={`${addressOf(visit)}/dados/reenviar`} />}
        </PostForm>
        <p class="hint">Você ainda não está comprando: na próxima tela, confira tudo e confirme.</p>
      </>
    );
  },
});

/** Who has signed in on the way has asked for the offer, and gets it. They stay signed in if it cannot be had. */
const stepsOf = (visit: FormVisit): Steps => {
  const to = addressOf(visit);
  return {
    phone: to,
    code: `${to}/codigo`,
    data: `${to}/dados`,
    async done(login): Promise<FormOutcome> {
      const api = visit.api.with({ tokens: memoryTokens(login) });
      try {
        await api.claimOffer({ body: { token: visit.params.token! } });
        return { to };
      } catch (error) {
        return { to, flash: { page: to, faults: faultOf(error) } };
      }
    },
  };
};

export const ENTER_FORMS: Record<string, Form> = {
  [`${PAY_PATH}/celular`]: openForm(PAY_PATH, (visit, sent) =>
    sendCode(visit, sent, { to: `${addressOf(visit)}/codigo` }),
  ),
  [CODE_PATH]: openForm(CODE_PATH, (visit, sent) => signInByCode(visit, sent, stepsOf(visit))),
  [`${CODE_PATH}/reenviar`]: openForm(CODE_PATH, resend),
  [DATA_PATH]: openForm(DATA_PATH, (visit, sent) => signUp(visit, sent, stepsOf(visit))),
  [`${DATA_PATH}/reenviar`]: openForm(DATA_PATH, resend),
  [`${PAY_PATH}/sair`]: openForm(PAY_PATH, (visit) => signOut(visit, addressOf(visit))),
};
