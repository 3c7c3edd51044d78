import { memoryTokens, type Output } from '#client';
import { resend, type Steps, sendCode, signInByCode, signOut } from '../server/sign-in.ts';
import { signUp } from '../server/sign-up.ts';
import type { Form, FormVisit, MakePersonalPage, Outcome, PersonalVisit } from '../server/visit.ts';
import { inReais, showPhone } from '../ui/format.ts';
import { inWeeks } from '../ui/offer-parts.tsx';
import { Logo } from '../ui/parts.tsx';
import { CodeField, fieldsOf, PostForm, ResendButton, Said } from '../ui/personal-parts.tsx';
import { SignUpFields } from '../ui/sign-up-fields.tsx';
import { faultOf } from '../ui/words.ts';
import { PayLayout } from './layout.tsx';

type Offer = Output<'getOpenOffer'>;

export const PAGE = '/pagar/:token';
const CODE_PAGE = `${PAGE}/codigo`;
const DATA_PAGE = `${PAGE}/dados`;
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

export const codePage: MakePersonalPage = async (visit) => {
  const { flash, proof } = visit;
  const base = addressOf(visit);
  const offer = await readWaiting(visit);
  if (!offer || !proof) return { to: base };
  return {
    body: (
      <PayLayout title="Digite o código" visit={visit}>
        <div class="wrap door">
          <Reminder offer={offer} />
          <h1>Digite o código</h1>
          <p class="muted">
            Enviamos um SMS para <b>{showPhone(proof.phone)}</b>. O código vale por 5 minutos.{' '}
            <a href={base}>Trocar o número</a>
          </p>
          <Said flash={flash} />
          <PostForm visit={visit} action={`${base}/codigo`} class="panel">
            <CodeField {...fieldsOf(flash)('code')} focus />
            <button class="button wide" type="submit">
              Continuar
            </button>
            <ResendButton action={`${base}/codigo/reenviar`} />
          </PostForm>
        </div>
      </PayLayout>
    ),
  };
};

export const dataPage: MakePersonalPage = async (visit) => {
  const { flash, proof } = visit;
  const base = addressOf(visit);
  const offer = await readWaiting(visit);
  if (!offer || !proof) return { to: base };
  return {
    body: (
      <PayLayout title="Seus dados" visit={visit}>
        <div class="wrap door">
          <Reminder offer={offer} />
          <h1>Só faltam os seus dados</h1>
          <p class="muted">
            O celular é <b>{showPhone(proof.phone)}</b>. <a href={base}>Trocar o número</a>
          </p>
          <Said flash={flash} />
          <PostForm visit={visit} action={`${base}/dados`} class="panel" keep>
            <SignUpFields visit={visit} />
            <button class="button wide" type="submit">
              Continuar
            </button>
            {!proof.code && <ResendButton action={`${base}/dados/reenviar`} />}
          </PostForm>
          <p class="hint">Você ainda não está comprando: na próxima tela, confira tudo e confirme.</p>
        </div>
      </PayLayout>
    ),
  };
};

/** Who has signed in on the way has asked for the offer, and gets it. They stay signed in if it cannot be had. */
const stepsOf = (visit: FormVisit): Steps => {
  const to = addressOf(visit);
  return {
    phone: to,
    code: `${to}/codigo`,
    data: `${to}/dados`,
    async done(login): Promise<Outcome> {
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

const open = (page: string, act: Form['act']): Form => ({ page, isPrivate: false, act });

export const ENTER_FORMS: Record<string, Form> = {
  [`${PAGE}/celular`]: open(PAGE, (visit, sent) =>
    sendCode(visit, sent, { to: `${addressOf(visit)}/codigo` }),
  ),
  [CODE_PAGE]: open(CODE_PAGE, (visit, sent) => signInByCode(visit, sent, stepsOf(visit))),
  [`${CODE_PAGE}/reenviar`]: open(CODE_PAGE, resend),
  [DATA_PAGE]: open(DATA_PAGE, (visit, sent) => signUp(visit, sent, stepsOf(visit))),
  [`${DATA_PAGE}/reenviar`]: open(DATA_PAGE, resend),
  [`${PAGE}/sair`]: open(PAGE, (visit) => signOut(visit, addressOf(visit))),
};
