import type { components, Output } from '#client';
import { formatPercent, formatReais, formatShortTime, formatWeeks } from '../text/format.ts';
import { Submit, WideLink } from './buttons.tsx';
import { Line, type Link, Logo, PageHead, Panel } from './components.tsx';
import { CetLine, CreditorLine, Schedule } from './costs.tsx';
import { ButtonForm, Options, PostForm } from './forms.tsx';

type Offer = components['schemas']['WalletOffer'];
type Quote = Offer['quote'];
type Credit = Output<'getMe'>['credit'];
type PurchaseBlock = NonNullable<Credit['blocked_by']>;

/** Example: 4 × R$ 30,00 */
export const formatInstallments = ({ installments }: Quote) =>
  `${installments.length} × ${formatReais(installments[0]!.amount)}`;

/** Builds the choices of a select for a number of weeks: 1 semana, 2 semanas. */
export const buildWeekChoices = (maxWeeks: number) =>
  Object.fromEntries(Array.from({ length: maxWeeks }, (_, i) => [i + 1, formatWeeks(i + 1)]));

/** A longer list of items is folded, so that the price stays near the top. */
const MAX_UNFOLDED_ITEMS = 3;

export function OfferHead(props: {
  offer: Pick<Offer, 'merchant' | 'description' | 'items'>;
  crumbs?: Link[];
}) {
  const { merchant, description, items } = props.offer;
  return (
    <>
      <PageHead title={merchant.name} media={<Logo merchant={merchant} size={56} />} crumbs={props.crumbs}>
        <p class="muted">{description ?? 'Compra na loja'}</p>
      </PageHead>
      <Items items={items} />
    </>
  );
}

function Items({ items }: Pick<Offer, 'items'>) {
  if (items.length === 0) return null;
  const list = (
    <ul class="items">
      {items.map(({ name, quantity, amount }, i) => (
        <li key={i}>
          <span>
            {quantity > 1 && `${quantity} × `}
            {name}
          </span>
          <span class="amount">{formatReais(amount)}</span>
        </li>
      ))}
    </ul>
  );
  if (items.length <= MAX_UNFOLDED_ITEMS) return list;
  return (
    <details class="items-fold">
      <summary>Ver os {items.length} itens</summary>
      {list}
    </details>
  );
}

/** The full cost of an offer and its creditor, as CDC art. 54-B requires. */
export const OfferCosts = ({ quote }: { quote: Quote }) => (
  <Panel id="custo" title="Quanto custa" attributes={{ id: 'oferta' }}>
    <p class="figure-big">
      <span class="figure">{quote.installments.length} ×</span> {formatReais(quote.installments[0]!.amount)}
    </p>
    <p class="muted">uma parcela por semana, por PIX</p>
    <dl class="totals">
      <Line name="Valor da compra" value={formatReais(quote.amount)} />
      <Line name="Custo do crédito" value={quote.cost === 0 ? 'nenhum' : formatReais(quote.cost)} />
      <CetLine terms={quote.terms} />
      <Line name="Total a pagar" value={formatReais(quote.total)} isTotal />
      {quote.cashback_if_on_time > 0 && (
        <Line name="Cashback, pagando em dia" value={`até\u00a0${formatReais(quote.cashback_if_on_time)}`} />
      )}
    </dl>
    <Schedule caption="Parcelas" heading="Parcela" installments={quote.installments} />
    <p class="hint">
      Em caso de atraso: multa de {formatPercent(quote.terms.fine_percent)}, uma vez por vencimento, e juros
      simples de {formatPercent(quote.terms.late_interest_percent)} ao mês.
      {quote.cost > 0 && ' Pagando antes do vencimento, o custo do crédito diminui.'}
    </p>
    <CreditorLine />
  </Panel>
);

/** Lets the customer choose fewer weeks, accept or decline. The forms post to paths below `basePath`. */
export function OfferDecision(props: { basePath: string; offer: Offer; maxWeeks: number; credit: Credit }) {
  const { basePath, offer, maxWeeks, credit } = props;
  const { quote, merchant, expires_at } = offer;
  const chosenWeeks = quote.installments.length;
  return (
    <>
      {maxWeeks > 1 && (
        <form class="panel fewer" action={basePath} method="get" data-live="oferta resposta">
          <div class="field">
            <label for="parcelas">Em quantas semanas você quer pagar?</label>
            <select id="parcelas" name="parcelas">
              <Options choices={buildWeekChoices(maxWeeks)} selected={chosenWeeks} />
            </select>
          </div>
          <button class="button quiet wide" type="submit" data-spare>
            Ver as parcelas
          </button>
        </form>
      )}
      <div id="resposta" class="panel decision">
        {credit.blocked_by !== null ? (
          <PurchasesPaused blockedBy={credit.blocked_by} validUntil={expires_at} />
        ) : quote.total > credit.available ? (
          <OverLimit total={quote.total} available={credit.available} validUntil={expires_at} />
        ) : (
          <>
            <PostForm action={`${basePath}/aceitar`}>
              <input type="hidden" name="installments" value={chosenWeeks} />
              <Submit class="wide">Aceitar: {formatInstallments(quote)}</Submit>
            </PostForm>
            <p class="hint">
              Ao aceitar, você compra de {merchant.name} por {formatReais(quote.total)} no total. A oferta
              vale até {formatShortTime(expires_at)}.
            </p>
          </>
        )}
        <ButtonForm action={`${basePath}/recusar`} text="Recusar" variant="quiet wide" />
      </div>
    </>
  );
}

/** Replaces the accept button while every purchase would be refused. */
export const PurchasesPaused = (props: { blockedBy: PurchaseBlock; validUntil?: string }) => (
  <>
    <p class="note warn" role="note">
      <span>
        <b>Compras pausadas.</b> {PAUSE_TEXTS[props.blockedBy]}
        {props.validUntil && ` A oferta continua valendo até ${formatShortTime(props.validUntil)}.`}
      </span>
    </p>
    {props.blockedBy !== 'review' && <WideLink href="/carteira#a-pagar">Pagar e liberar</WideLink>}
  </>
);

const PAUSE_TEXTS: Record<PurchaseBlock, string> = {
  overdue: 'Há parcela em atraso. Pague o que está atrasado e você volta a comprar na hora.',
  cashback_owed:
    'O seu saldo de cashback está negativo. Pague as parcelas em dia: o cashback delas cobre o que falta.',
  review: 'Uma pessoa está analisando. A resposta chega por mensagem.',
};

/** Replaces the accept button, because the API would refuse the purchase. */
const OverLimit = (props: { total: number; available: number; validUntil: string }) => (
  <>
    <p class="note warn" role="note">
      Esta compra passa do seu limite: o total é {formatReais(props.total)} e o seu limite disponível é{' '}
      {formatReais(props.available)}.
    </p>
    <p class="hint">
      Cada parcela paga libera limite na hora. A oferta continua valendo até{' '}
      {formatShortTime(props.validUntil)}.
    </p>
    <WideLink href="/carteira">Ver o que posso pagar agora</WideLink>
  </>
);
