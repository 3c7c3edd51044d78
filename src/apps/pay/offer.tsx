import type { VNode } from 'preact';
import { isProblem, type Output } from '#client';
import { defineSessionForm } from '../server/form.ts';
import { acceptOffer, applyChosenInstallments } from '../server/offers.ts';
import { addRedirectParam } from '../server/sign-in.ts';
import type { FormHandler, FormVisit, PersonalPageHandler, PersonalVisit } from '../server/visit.ts';
import {
  formatPercent,
  formatPhone,
  formatReais,
  formatShortDay,
  formatShortTime,
  SHORT_HASH_LENGTH,
} from '../text/format.ts';
import { LinkButton, Submit } from '../ui/buttons.tsx';
import { DonePanel, Line } from '../ui/components.tsx';
import { PhoneField, PostForm, Waiting } from '../ui/forms.tsx';
import { OfferCosts, OfferDecision, OfferHead } from '../ui/offer-components.tsx';
import { PayPage } from './layout.tsx';
import { buildPayPath, PAY_ROUTE } from './sign-in.tsx';

type Offer = Output<'getOpenOffer'>;
type Purchase = Output<'getCheckout'>;

/** The green confirmation, which the customer shows at the counter or sees before the redirect to the shop. */
function CompletedPurchase({ purchase, returnUrl }: { purchase: Purchase; returnUrl: string | null }) {
  const { hash, merchant, amounts, purchased_at, installments } = purchase;
  const [firstInstallment] = installments;
  return (
    <DonePanel
      title={`Compra feita: ${formatReais(amounts.financed)}.`}
      lead={
        returnUrl
          ? `${merchant.name} já recebeu a confirmação. Estamos levando você de volta à loja.`
          : `Mostre esta tela em ${merchant.name}, que já recebeu a confirmação.`
      }
    >
      <dl class="receipt">
        <Line name="Quando" value={formatShortTime(purchased_at)} />
        <Line
          name="Código da compra"
          value={[<b key="start">{hash.slice(0, SHORT_HASH_LENGTH)}</b>, hash.slice(SHORT_HASH_LENGTH)]}
        />
        <Line
          name="1ª parcela"
          value={`${formatReais(firstInstallment!.amount)}, ${formatShortDay(firstInstallment!.due_on)}`}
        />
      </dl>
      <OutcomeLinks returnUrl={returnUrl} redirectsToShop />
    </DonePanel>
  );
}

const STATUS_TEXTS: Record<Exclude<Offer['status'], 'pending'>, { title: string; text: string }> = {
  accepted: {
    title: 'Esta compra já foi feita.',
    text: 'Se foi você, ela está na sua carteira. Para outra compra, peça outro código na loja.',
  },
  declined: {
    title: 'Esta oferta foi recusada.',
    text: 'Nada foi cobrado. Se mudar de ideia, peça outro código na loja.',
  },
  expired: {
    title: 'O prazo desta oferta acabou.',
    text: 'Nada foi cobrado. Se ainda quiser comprar, peça outro código na loja.',
  },
  cancelled: {
    title: 'A loja cancelou esta oferta.',
    text: 'Nada foi cobrado. Se ainda quiser comprar, fale com a loja.',
  },
};

function ClosedOffer(props: {
  status: Exclude<Offer['status'], 'pending'>;
  isOwn: boolean;
  returnUrl: string | null;
  redirectsToShop: boolean;
}) {
  const { status, isOwn, returnUrl, redirectsToShop } = props;
  const { title, text } = STATUS_TEXTS[status];
  return (
    <div class="panel pix-closed">
      <h2>{isOwn && status === 'declined' ? 'Você recusou esta oferta.' : title}</h2>
      <p class="lead">{text}</p>
      <OutcomeLinks returnUrl={returnUrl} redirectsToShop={redirectsToShop} />
    </div>
  );
}

/** `redirectsToShop`: the page redirects automatically, by script (browser/personal-pages.ts) or by a refresh tag (layout.tsx). */
type OutcomeLinksProps = { returnUrl: string | null; redirectsToShop: boolean };

const OutcomeLinks = ({ returnUrl, redirectsToShop }: OutcomeLinksProps) => (
  <p class="actions">
    {returnUrl && (
      <a class="button" href={returnUrl} {...(redirectsToShop && { 'data-redirect': true })}>
        Voltar para a loja
      </a>
    )}
    <LinkButton href="/carteira" class={returnUrl === null ? '' : 'quiet'}>
      Minha carteira
    </LinkButton>
  </p>
);

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
      wrapperAttributes={{
        id: 'compra',
        'data-state': `${status} ${offer.claimed}`,
        // If the URL of the event stream is '', the page polls (browser/personal-pages.ts).
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
async function readOwnOffer(visit: PersonalVisit): Promise<OwnOffer | undefined> {
  try {
    return await claimOffer(visit);
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
    return <CompletedPurchase purchase={purchase} returnUrl={ownOffer.return_url} />;
  }
  const { status, return_url } = ownOffer ?? offer;
  if (status !== 'pending')
    return (
      <ClosedOffer
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
          <PriceSummary offer={offer} now={visit.now} />
          {user ? (
            <ClaimForm visit={visit} offer={offer} />
          ) : (
            <PhoneForm visit={visit} isClaimed={offer.claimed} />
          )}
          <UndecidedLinks returnUrl={return_url} hasWallet={user !== undefined} />
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
          basePath={buildPayPath(visit)}
          offer={chosenOffer}
          maxWeeks={maxInstallments}
          credit={credit}
        />
        <UndecidedLinks returnUrl={return_url} hasWallet />
      </div>
    </div>
  );
}

const UndecidedLinks = ({ returnUrl, hasWallet }: { returnUrl: string | null; hasWallet: boolean }) => (
  <p class="form-links">
    {returnUrl && <a href={returnUrl}>Voltar para a loja sem pagar</a>}
    {hasWallet && <a href="/carteira">Minha carteira</a>}
  </p>
);

function PriceSummary({ offer: { quote, expires_at }, now }: { offer: Offer; now: Date }) {
  const { cet_percent_month, cet_percent_year } = quote.terms;
  return (
    <>
      <p class="figure-big">
        <span class="figure">{quote.installments.length} ×</span> {formatReais(quote.installments[0]!.amount)}
      </p>
      <p>
        Uma parcela por semana, no PIX. Total {formatReais(quote.total)}, CET{' '}
        {formatPercent(cet_percent_month)} ao mês, {formatPercent(cet_percent_year)} ao ano.
      </p>
      <Waiting expiresAt={expires_at} now={now}>
        Vale até {formatShortTime(expires_at)}
      </Waiting>
    </>
  );
}

function PhoneForm({ visit, isClaimed }: { visit: PersonalVisit; isClaimed: boolean }) {
  const { flash, challenge, hasDraft } = visit;
  const basePath = buildPayPath(visit);
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
        <Submit class="wide">Continuar</Submit>
      </PostForm>
      <p class="resend">
        <a href={addRedirectParam('/carteira/entrar', basePath)}>Entrar com a senha</a>
      </p>
    </>
  );
}

/** Rendered for a signed-in visitor who has not claimed the offer. Only this form claims it, never opening the page. */
function ClaimForm({ visit, offer }: { visit: PersonalVisit; offer: Offer }) {
  const { user, flash } = visit;
  const { name, phone } = user!;
  const basePath = buildPayPath(visit);
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
          <Submit class="wide">Pagar com a Semana</Submit>
          <p class="hint">Na próxima tela você confere tudo e confirma.</p>
        </PostForm>
      )}
      <PostForm action={`${basePath}/sair`} class="resend">
        <span class="muted">
          {name}, {formatPhone(phone)}.
        </span>{' '}
        <Submit class="link">Não é você?</Submit>
      </PostForm>
    </>
  );
}

const claimOffer = ({ api, params }: Pick<FormVisit, 'api' | 'params'>) =>
  api.claimOffer({ body: { token: params.token! } });

export const OFFER_FORMS: Record<string, FormHandler> = {
  [`${PAY_ROUTE}/continuar`]: defineSessionForm(PAY_ROUTE, async (visit) => {
    await claimOffer(visit);
    return { redirectTo: buildPayPath(visit) };
  }),
  [`${PAY_ROUTE}/aceitar`]: defineSessionForm(PAY_ROUTE, async (visit, form) => {
    const { id } = await claimOffer(visit);
    await acceptOffer(visit.api, id, form, visit.idempotencyKey);
    return { redirectTo: buildPayPath(visit) };
  }),
  [`${PAY_ROUTE}/recusar`]: defineSessionForm(PAY_ROUTE, async (visit) => {
    const { id } = await claimOffer(visit);
    await visit.api.declineOffer({ path: { id } });
    return { redirectTo: buildPayPath(visit) };
  }),
};
