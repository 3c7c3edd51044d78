import type { Output } from '#client';
import { inReais, shortDay, shortTime } from '../text/format.ts';
import { Check } from '../ui/icons.tsx';
import { Line } from '../ui/parts.tsx';

type Offer = Output<'getOpenOffer'>;
type Purchase = Output<'getCheckout'>;

/** How much of the purchase's hash people compare at a counter. */
const SPOKEN = 6;

/** Green: to be shown at the counter, or on the way back to the shop. */
export function Done({ purchase, returnUrl }: { purchase: Purchase; returnUrl: string | null }) {
  const { hash, merchant, amounts, purchased_at, installments } = purchase;
  const [first] = installments;
  return (
    <div class="panel pix-done">
      <span class="done-mark">
        <Check />
      </span>
      <h2>Compra feita: {inReais(amounts.financed)}.</h2>
      <p class="lead">
        {returnUrl
          ? `${merchant.name} já recebeu a confirmação. Estamos levando você de volta à loja.`
          : `Mostre esta tela em ${merchant.name}, que já recebeu a confirmação.`}
      </p>
      <dl class="receipt">
        <Line name="Quando" value={shortTime(purchased_at)} />
        <div>
          <dt>Código da compra</dt>
          <dd>
            <b>{hash.slice(0, SPOKEN)}</b>
            {hash.slice(SPOKEN)}
          </dd>
        </div>
        <Line name="1ª parcela" value={`${inReais(first!.amount)}, ${shortDay(first!.due_on)}`} />
      </dl>
      <p class="actions">
        <Back returnUrl={returnUrl} isLeading />
        <a class={returnUrl ? 'button quiet' : 'button'} href="/carteira">
          Minha carteira
        </a>
      </p>
    </div>
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

export function Closed(props: {
  status: Exclude<Offer['status'], 'pending'>;
  isOwn: boolean;
  returnUrl: string | null;
  isLeading: boolean;
}) {
  const { status, isOwn, returnUrl, isLeading } = props;
  const { title, text } = STATUS_TEXTS[status];
  return (
    <div class="panel pix-closed">
      <h2>{isOwn && status === 'declined' ? 'Você recusou esta oferta.' : title}</h2>
      <p class="lead">{text}</p>
      <p class="actions">
        <Back returnUrl={returnUrl} isLeading={isLeading} />
        <a class={returnUrl ? 'button quiet' : 'button'} href="/carteira">
          Minha carteira
        </a>
      </p>
    </div>
  );
}

/** `isLeading`: the page goes there by itself, with a script (browser/personal.ts) or without (layout.tsx). */
const Back = ({ returnUrl, isLeading }: { returnUrl: string | null; isLeading: boolean }) =>
  returnUrl && (
    <a class="button" href={returnUrl} {...(isLeading && { 'data-lead': true })}>
      Voltar para a loja
    </a>
  );
