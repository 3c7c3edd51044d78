import type { VNode } from 'preact';
import { isProblem, type Output } from '#client';
import { ownForm } from '../server/form.ts';
import { acceptOffer, inChosenWeeks } from '../server/offers.ts';
import { leadingTo } from '../server/sign-in.ts';
import type { Form, FormVisit, MakePersonalPage, PersonalVisit } from '../server/visit.ts';
import { inReais, percent, shortTime, showPhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { PhoneField } from '../ui/field.tsx';
import { Clock } from '../ui/icons.tsx';
import { Answer, OfferCosts, OfferHead } from '../ui/offer-parts.tsx';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { addressOf, PAY_PATH } from './enter.tsx';
import { PayPage } from './layout.tsx';
import { Closed, Done } from './outcome.tsx';

type Offer = Output<'getOpenOffer'>;
type OwnOffer = Output<'claimOffer'>;

export const offerPage: MakePersonalPage = async (visit) => {
  const { api, params, who } = visit;
  const offer = await api.getOpenOffer({ path: { token: params.token! } });
  const own = who && offer.claimed ? await readOwn(visit) : undefined;
  const { status, return_url } = own ?? offer;
  const isPending = status === 'pending';
  // Who has answered goes back to the shop, and so does everybody when it is too late.
  const isLeading = status === 'expired' || (own !== undefined && ['accepted', 'declined'].includes(status));
  return (
    <PayPage
      title="Pagar com a Semana"
      visit={visit}
      leadTo={isLeading ? (return_url ?? undefined) : undefined}
      head={<OfferHead offer={own ?? offer} />}
      held={{
        id: 'compra',
        'data-state': `${status} ${offer.claimed}`,
        ...(isPending && { 'data-stream': own ? '/pagar/eventos' : '', 'data-reload': true }),
      }}
    >
      {await bodyOf(visit, offer, own, isLeading)}
    </PayPage>
  );
};

/**
 * The offer as its customer sees it, once somebody has claimed it: claiming it again then changes nothing. Undefined if it is
 * somebody else's.
 */
async function readOwn({ api, params }: Pick<FormVisit, 'api' | 'params'>): Promise<OwnOffer | undefined> {
  try {
    return await api.claimOffer({ body: { token: params.token! } });
  } catch (error) {
    if (isProblem(error, 'offer_claimed', 'offer_expired', 'offer_closed')) return undefined;
    throw error;
  }
}

async function bodyOf(
  visit: PersonalVisit,
  offer: Offer,
  own: OwnOffer | undefined,
  isLeading: boolean,
): Promise<VNode> {
  const { api, who } = visit;
  if (own?.checkout_hash) {
    const purchase = await api.getCheckout({ path: { hash: own.checkout_hash } });
    return <Done purchase={purchase} returnUrl={own.return_url} />;
  }
  const { status, return_url } = own ?? offer;
  if (status !== 'pending')
    return <Closed status={status} isOwn={own !== undefined} returnUrl={return_url} isLeading={isLeading} />;
  if (!own)
    return (
      <div class="columns">
        <div class="panel entrance">
          <Price visit={visit} offer={offer} />
          {!who ? (
            <PhoneForm visit={visit} isClaimed={offer.claimed} />
          ) : (
            <Known visit={visit} offer={offer} />
          )}
          <Links returnUrl={return_url} hasWallet={who !== undefined} />
        </div>
        <OfferCosts quote={offer.quote} />
      </div>
    );
  const [{ offer: chosen, most }, { credit }] = await Promise.all([inChosenWeeks(visit, own), api.getMe()]);
  return (
    <div class="columns">
      <OfferCosts quote={chosen.quote} />
      <div>
        <Answer
          visit={visit}
          base={addressOf(visit)}
          offer={chosen}
          most={most}
          available={credit.available}
        />
        <Links returnUrl={return_url} hasWallet />
      </div>
    </div>
  );
}

const Links = ({ returnUrl, hasWallet }: { returnUrl: string | null; hasWallet: boolean }) => (
  <p class="door-links">
    {returnUrl && <a href={returnUrl}>Voltar para a loja sem pagar</a>}
    {hasWallet && <a href="/carteira">Minha carteira</a>}
  </p>
);

/** What it costs in two lines, and until when. */
function Price({ visit: { now }, offer: { quote, expires_at } }: { visit: PersonalVisit; offer: Offer }) {
  const seconds = Math.max(0, Math.round((Date.parse(expires_at) - now.getTime()) / 1000));
  const { cet_percent_month, cet_percent_year } = quote.terms;
  return (
    <>
      <p class="figure-big">
        <span class="figure">{quote.installments.length} ×</span> {inReais(quote.installments[0]!.amount)}
      </p>
      <p>
        Uma parcela por semana, no PIX. Total {inReais(quote.total)}, CET {percent(cet_percent_month)} ao mês,{' '}
        {percent(cet_percent_year)} ao ano.
      </p>
      <p class="waiting">
        <Clock />
        <span>
          Vale até {shortTime(expires_at)}
          <span data-countdown={seconds} aria-hidden="true" />.
        </span>
      </p>
    </>
  );
}

function PhoneForm({ visit, isClaimed }: { visit: PersonalVisit; isClaimed: boolean }) {
  const { flash, proof, hasDraft } = visit;
  const base = addressOf(visit);
  return (
    <>
      {hasDraft && !flash ? (
        <p class="note warn" role="status">
          Por segurança, sua sessão terminou. Confirme o celular para continuar de onde parou.
        </p>
      ) : (
        isClaimed && (
          <p class="note warn">
            Alguém já começou a pagar esta compra. Se foi você, confirme o celular para continuar.
          </p>
        )
      )}
      <PostForm visit={visit} action={`${base}/celular`} keep>
        <PhoneField
          {...fieldsOf(flash, { phone: proof && showPhone(proof.phone) })('phone')}
          label="Seu celular com DDD"
          placeholder="(11) 91234-5678"
          hint="Enviamos um código por SMS. Não precisa ter conta."
        />
        <Submit wide>Continuar</Submit>
      </PostForm>
      <p class="resend">
        <a href={leadingTo('/carteira/entrar', base)}>Entrar com a senha</a>
      </p>
    </>
  );
}

/** Somebody is signed in, and it is open, or somebody else's. Only a POST claims it. */
function Known({ visit, offer }: { visit: PersonalVisit; offer: Offer }) {
  const { who, flash } = visit;
  const { name, phone } = who!;
  const base = addressOf(visit);
  return (
    <>
      {offer.claimed && !flash?.faults && (
        <p class="note warn">
          Outra pessoa já começou a pagar esta compra. Se foi você com outro celular, entre com ele. Se não,
          peça outro código na loja.
        </p>
      )}
      {!offer.claimed && (
        <PostForm visit={visit} action={`${base}/continuar`}>
          <Submit wide>Pagar com a Semana</Submit>
          <p class="hint">Na próxima tela você confere tudo e confirma.</p>
        </PostForm>
      )}
      <PostForm visit={visit} action={`${base}/sair`} class="resend">
        <span class="muted">
          {name}, {showPhone(phone)}.
        </span>{' '}
        <button class="link" type="submit">
          Não é você?
        </button>
      </PostForm>
    </>
  );
}

const claim = ({ api, params }: FormVisit) => api.claimOffer({ body: { token: params.token! } });

export const OFFER_FORMS: Record<string, Form> = {
  [`${PAY_PATH}/continuar`]: ownForm(PAY_PATH, async (visit) => {
    await claim(visit);
    return { to: addressOf(visit) };
  }),
  [`${PAY_PATH}/aceitar`]: ownForm(PAY_PATH, async (visit, sent) => {
    const { id } = await claim(visit);
    await acceptOffer(visit.api, id, sent, visit.idempotencyKey);
    return { to: addressOf(visit) };
  }),
  [`${PAY_PATH}/recusar`]: ownForm(PAY_PATH, async (visit) => {
    const { id } = await claim(visit);
    await visit.api.declineOffer({ path: { id } });
    return { to: addressOf(visit) };
  }),
};
