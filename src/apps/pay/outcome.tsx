import type { Output } from '#client';
import { inReais, SHORT_HASH_LENGTH, shortDay, shortTime } from '../text/format.ts';
import { LinkButton } from '../ui/buttons.tsx';
import { DonePanel, Line } from '../ui/components.tsx';

type Offer = Output<'getOpenOffer'>;
type Purchase = Output<'getCheckout'>;

/** The green confirmation, which the customer shows at the counter or sees before the redirect to the shop. */
export function PurchaseDone({ purchase, returnUrl }: { purchase: Purchase; returnUrl: string | null }) {
  const { hash, merchant, amounts, purchased_at, installments } = purchase;
  const [firstInstallment] = installments;
  return (
    <DonePanel
      title={`Compra feita: ${inReais(amounts.financed)}.`}
      lead={
        returnUrl
          ? `${merchant.name} já recebeu a confirmação. Estamos levando você de volta à loja.`
          : `Mostre esta tela em ${merchant.name}, que já recebeu a confirmação.`
      }
    >
      <dl class="receipt">
        <Line name="Quando" value={shortTime(purchased_at)} />
        <div>
          <dt>Código da compra</dt>
          <dd>
            <b>{hash.slice(0, SHORT_HASH_LENGTH)}</b>
            {hash.slice(SHORT_HASH_LENGTH)}
          </dd>
        </div>
        <Line
          name="1ª parcela"
          value={`${inReais(firstInstallment!.amount)}, ${shortDay(firstInstallment!.due_on)}`}
        />
      </dl>
      <Exits returnUrl={returnUrl} redirectsToShop />
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

export function OfferClosed(props: {
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
      <Exits returnUrl={returnUrl} redirectsToShop={redirectsToShop} />
    </div>
  );
}

/** `redirectsToShop`: the page redirects automatically, with scripts (browser/personal.ts) or without (layout.tsx). */
const Exits = ({ returnUrl, redirectsToShop }: { returnUrl: string | null; redirectsToShop: boolean }) => (
  <p class="actions">
    {returnUrl && (
      <a class="button" href={returnUrl} {...(redirectsToShop && { 'data-redirect': true })}>
        Voltar para a loja
      </a>
    )}
    <LinkButton href="/carteira" quiet={returnUrl !== null}>
      Minha carteira
    </LinkButton>
  </p>
);
