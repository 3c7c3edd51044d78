import type { VNode } from 'preact';
import { isProblem, type Output } from '#client';
import { privateForm } from '../server/form.ts';
import { acceptOffer, applyChosenInstallments } from '../server/offers.ts';
import { addRedirectParam } from '../server/sign-in.ts';
import type { FormHandler, FormVisit, PersonalPageHandler, PersonalVisit } from '../server/visit.ts';
import { formatPhone, inReais, percent, shortTime } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { PhoneField } from '../ui/field.tsx';
import { OfferCosts, OfferDecision, OfferHead } from '../ui/offer-components.tsx';
import { PostForm, Waiting } from '../ui/personal-components.tsx';
import { PayPage } from './layout.tsx';
import { OfferClosed, PurchaseDone } from './outcome.tsx';
import { PAY_ROUTE, payPath } from './sign-in.tsx';

type Offer = Output<'getOpenOffer'>;
type OwnOffer = Output<'claimOffer'>;

export const offerPage: PersonalPageHandler = async (visit) => {
  const { api, params, user } = visit;
  const offer = await api.getOpenOffer({ path: { token: params.token! } });
  const ownOffer = user && offer.claimed ? await readOwnOffer(visit) : undefined;
  const { status, return_url } = ownOffer ?? offer;
  const isPending = status === 'pending';
  // The customer returns to the shop after the decision; every visitor does once the offer has expired.
  const redirectsToShop =
    status === 'expired' || (ownOffer !== undefined && ['accepted', 'declined'].includes(status));
  return (
    <PayPage
      title="Pagar com a Semana"
      redirectTo={redirectsToShop ? (return_url ?? undefined) : undefined}
      head={<OfferHead offer={ownOffer ?? offer} />}
      wrapAttributes={{
        id: 'compra',
        'data-state': `${status} ${offer.claimed}`,
        ...(isPending && { 'data-stream': ownOffer ? '/pagar/eventos' : '', 'data-reload': true }),
      }}
    >
      {await renderBody(visit, offer, ownOffer, redirectsToShop)}
    </PayPage>
  );
};

/**
 * Returns the claimed offer as its customer sees it, or undefined if another customer claimed it. Call it only for a claimed offer:
 * claiming it again then has no effect.
 */
async function readOwnOffer({
  api,
  params,
}: Pick<FormVisit, 'api' | 'params'>): Promise<OwnOffer | undefined> {
  try {
    return await api.claimOffer({ body: { token: params.token! } });
  } catch (error) {
    if (isProblem(error, 'offer_claimed', 'offer_expired', 'offer_closed')) return undefined;
    throw error;
  }
}

async function renderBody(
  visit: PersonalVisit,
  offer: Offer,
  ownOffer: OwnOffer | undefined,
  redirectsToShop: boolean,
): Promise<VNode> {
  const { api, user } = visit;
  if (ownOffer?.checkout_hash) {
    const purchase = await api.getCheckout({ path: { hash: ownOffer.checkout_hash } });
    return <PurchaseDone purchase={purchase} returnUrl={ownOffer.return_url} />;
  }
  const { status, return_url } = ownOffer ?? offer;
  if (status !== 'pending')
    return (
      <OfferClosed
        status={status}
        isOwn={ownOffer !== undefined}
        returnUrl={return_url}
        redirectsToShop={redirectsToShop}
      />
    );
  if (!ownOffer)
    return (
      <div class="columns">
        <div class="panel entrance">
          <PriceSummary visit={visit} offer={offer} />
          {!user ? (
            <PhoneForm visit={visit} isClaimed={offer.claimed} />
          ) : (
            <ClaimForm visit={visit} offer={offer} />
          )}
          <Links returnUrl={return_url} hasWallet={user !== undefined} />
        </div>
        <OfferCosts quote={offer.quote} />
      </div>
    );
  const [{ offer: chosenOffer, maxInstallments }, { credit }] = await Promise.all([
    applyChosenInstallments(visit, ownOffer),
    api.getMe(),
  ]);
  return (
    <div class="columns">
      <OfferCosts quote={chosenOffer.quote} />
      <div>
        <OfferDecision
          basePath={payPath(visit)}
          offer={chosenOffer}
          maxWeeks={maxInstallments}
          credit={credit}
        />
        <Links returnUrl={return_url} hasWallet />
      </div>
    </div>
  );
}

const Links = ({ returnUrl, hasWallet }: { returnUrl: string | null; hasWallet: boolean }) => (
  <p class="form-links">
    {returnUrl && <a href={returnUrl}>Voltar para a loja sem pagar</a>}
    {hasWallet && <a href="/carteira">Minha carteira</a>}
  </p>
);

function PriceSummary({
  visit: { now },
  offer: { quote, expires_at },
}: {
  visit: PersonalVisit;
  offer: Offer;
}) {
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
      <Waiting expiresAt={expires_at} now={now}>
        Vale até {shortTime(expires_at)}
      </Waiting>
    </>
  );
}

function PhoneForm({ visit, isClaimed }: { visit: PersonalVisit; isClaimed: boolean }) {
  const { flash, challenge, hasDraft } = visit;
  const basePath = payPath(visit);
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
      <PostForm action={`${basePath}/celular`}>
        <PhoneField
          name="phone"
          value={challenge && formatPhone(challenge.phone)}
          label="Seu celular com DDD"
          placeholder="(11) 91234-5678"
          hint="Enviamos um código por SMS. Não precisa ter conta."
        />
        <Submit wide>Continuar</Submit>
      </PostForm>
      <p class="resend">
        <a href={addRedirectParam('/carteira/entrar', basePath)}>Entrar com a senha</a>
      </p>
    </>
  );
}

/** For a signed-in visitor who has not claimed the offer. It is claimed by a POST only, never by opening the page. */
function ClaimForm({ visit, offer }: { visit: PersonalVisit; offer: Offer }) {
  const { user, flash } = visit;
  const { name, phone } = user!;
  const basePath = payPath(visit);
  return (
    <>
      {offer.claimed && !flash?.errors && (
        <p class="note warn">
          Outra pessoa já começou a pagar esta compra. Se foi você com outro celular, entre com ele. Se não,
          peça outro código na loja.
        </p>
      )}
      {!offer.claimed && (
        <PostForm action={`${basePath}/continuar`}>
          <Submit wide>Pagar com a Semana</Submit>
          <p class="hint">Na próxima tela você confere tudo e confirma.</p>
        </PostForm>
      )}
      <PostForm action={`${basePath}/sair`} class="resend">
        <span class="muted">
          {name}, {formatPhone(phone)}.
        </span>{' '}
        <button class="link" type="submit">
          Não é você?
        </button>
      </PostForm>
    </>
  );
}

const claimOffer = ({ api, params }: FormVisit) => api.claimOffer({ body: { token: params.token! } });

export const OFFER_FORMS: Record<string, FormHandler> = {
  [`${PAY_ROUTE}/continuar`]: privateForm(PAY_ROUTE, async (visit) => {
    await claimOffer(visit);
    return { redirectTo: payPath(visit) };
  }),
  [`${PAY_ROUTE}/aceitar`]: privateForm(PAY_ROUTE, async (visit, form) => {
    const { id } = await claimOffer(visit);
    await acceptOffer(visit.api, id, form, visit.idempotencyKey);
    return { redirectTo: payPath(visit) };
  }),
  [`${PAY_ROUTE}/recusar`]: privateForm(PAY_ROUTE, async (visit) => {
    const { id } = await claimOffer(visit);
    await visit.api.declineOffer({ path: { id } });
    return { redirectTo: payPath(visit) };
  }),
};
