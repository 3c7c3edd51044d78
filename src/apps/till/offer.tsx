import type { Output } from '#client';
import { privateForm } from '../server/form.ts';
import type { FormHandler } from '../server/visit.ts';
import {
  clockTime,
  formatPhone,
  formatReaisInput,
  inReais,
  SHORT_HASH_LENGTH,
  shortTime,
} from '../text/format.ts';
import { LinkButton, StackLink } from '../ui/buttons.tsx';
import { Line } from '../ui/components.tsx';
import { Check, Clock } from '../ui/icons.tsx';
import { formatInstallments } from '../ui/offer-components.tsx';
import { ButtonForm, liveRegion, Waiting } from '../ui/personal-components.tsx';
import { HOME, isOwner, TillPage, type TillPageHandler, type TillVisit } from './layout.tsx';

type Offer = Output<'getOffer'>;
type Sale = Output<'getSale'>;

const OFFER_ROUTE = `${HOME}/ofertas/:id`;
/** Reload interval without scripts. */
const REFRESH_SECONDS = 4;

export const offerPage: TillPageHandler = async (visit) => {
  const offer = await visit.api.getOffer({ path: { id: visit.params.id! } });
  const sale = offer.checkout_hash
    ? await visit.api.getSale({ path: { hash: offer.checkout_hash } })
    : undefined;
  const isPending = offer.status === 'pending';
  return (
    <TillPage
      title="Venda"
      tab="vender"
      refreshSeconds={isPending ? REFRESH_SECONDS : undefined}
      offerPath={isPending && !offer.phone ? `/pagar/${offer.link.split('/').at(-1)}` : undefined}
      head={null}
      wrapAttributes={liveRegion(
        'venda',
        `${offer.status}${offer.claimed_at ? ' claimed' : ''}`,
        isPending && `${HOME}/eventos`,
      )}
    >
      {isPending ? (
        <Pending visit={visit} offer={offer} />
      ) : sale ? (
        <Sold offer={offer} sale={sale} />
      ) : (
        <Closed offer={offer} />
      )}
    </TillPage>
  );
};

function Pending({ visit, offer }: { visit: TillVisit; offer: Offer }) {
  const { id, quote, qr_code, code, phone, expires_at, claimed_at, by } = offer;
  const mayCancel = isOwner(visit) || by?.id === visit.me.member.id;
  return (
    <div class="offer-screen">
      <h1 class="offer-screen-price">
        <b>{inReais(quote.amount)}</b> <span>em {formatInstallments(quote)}</span>
      </h1>
      {claimed_at ? (
        <p class="offer-screen-claimed">
          <span class="step-icon">
            <Clock />
          </span>
          <b>O cliente abriu a compra.</b> Falta só o sim dele, na tela dele.
        </p>
      ) : phone ? (
        <p class="offer-screen-claimed">
          <span class="step-icon">
            <Clock />
          </span>
          <b>Enviamos o link por SMS</b> para {formatPhone(phone)}. Falta só o sim do cliente.
        </p>
      ) : (
        <>
          {qr_code && (
            <img class="offer-screen-qr" src={qr_code} alt="QR code desta venda" width="480" height="480" />
          )}
          {code && (
            <p class="offer-screen-code">
              <span>ou este código, na carteira do cliente</span>
              <b>
                {code.slice(0, 4)} {code.slice(4)}
              </b>
            </p>
          )}
        </>
      )}
      <Waiting expiresAt={!phone && !claimed_at && expires_at} now={visit.now} end="">
        Esperando o cliente até {phone || claimed_at ? shortTime(expires_at) : clockTime(expires_at)}
      </Waiting>
      <div class="offer-screen-actions">
        {mayCancel && <ButtonForm action={`${HOME}/ofertas/${id}/cancelar`} text="Cancelar" quiet wide />}
        <LinkButton href={HOME} wide>
          Próxima venda
        </LinkButton>
      </div>
    </div>
  );
}

/** The green confirmation, visible from the other side of the counter. */
const Sold = ({ offer: { quote, reference }, sale }: { offer: Offer; sale: Sale }) => (
  <div class="panel pix-done sold">
    <span class="done-mark">
      <Check />
    </span>
    <h1>Vendido: {inReais(quote.amount)}.</h1>
    <p class="lead">
      {sale.customer.name} paga em {formatInstallments(quote)}. A loja recebe da Semana.
    </p>
    <dl class="receipt">
      <Line
        name="Código da compra, igual ao da tela do cliente"
        value={<b>{sale.hash.slice(0, SHORT_HASH_LENGTH)}</b>}
      />
      {reference && <Line name="Pedido" value={reference} />}
    </dl>
    <div class="offer-screen-actions">
      <StackLink href={`${HOME}/vendas/${sale.hash}`}>Ver a venda</StackLink>
      <LinkButton href={HOME} wide>
        Próxima venda
      </LinkButton>
    </div>
  </div>
);

const STATUS_TEXTS: Record<string, { title: string; text: string }> = {
  declined: { title: 'O cliente recusou.', text: 'Nada foi vendido.' },
  expired: { title: 'O tempo acabou.', text: 'Nada foi vendido. O mesmo valor continua a um toque.' },
  cancelled: { title: 'Venda cancelada.', text: 'Nada foi vendido, e o QR code não vale mais.' },
};

function Closed({ offer: { status, quote } }: { offer: Offer }) {
  const { title, text } = STATUS_TEXTS[status]!;
  const sellAgainPath = `${HOME}/venda?valor=${formatReaisInput(quote.amount)}`;
  return (
    <div class="panel pix-closed">
      <h1 class="screen-title">{title}</h1>
      <p class="lead">
        {text} Era de {inReais(quote.amount)}.
      </p>
      <div class="offer-screen-actions">
        <StackLink href={sellAgainPath}>Vender de novo</StackLink>
        <LinkButton href={HOME} wide>
          Próxima venda
        </LinkButton>
      </div>
    </div>
  );
}

export const OFFER_FORMS: Record<string, FormHandler> = {
  [`${OFFER_ROUTE}/cancelar`]: privateForm(OFFER_ROUTE, async ({ api, params, page }) => {
    await api.cancelOffer({ path: { id: params.id! } });
    return { redirectTo: page };
  }),
};
