import type { components } from '#client';
import type { PersonalVisit } from '../server/visit.ts';
import { inReais, percent, shortTime } from '../text/format.ts';
import { LinkButton, Submit } from './buttons.tsx';
import { CreditorLine } from './creditor.tsx';
import { type Link, Logo, PageHead } from './parts.tsx';
import { ButtonForm, Costs, PostForm, weeks } from './personal-parts.tsx';

type Offer = components['schemas']['WalletOffer'];
type Quote = Offer['quote'];

/** 4 × R$ 30,00 */
export const inWeeks = ({ installments }: Quote) =>
  `${installments.length} × ${inReais(installments[0]!.amount)}`;

/** More items than this are folded, so that the price is not far below. */
const MOST_ITEMS = 3;

/** Who sells what. */
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

/** What is bought, one by one, if the merchant said so. */
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
          <span class="amount">{inReais(amount)}</span>
        </li>
      ))}
    </ul>
  );
  if (items.length <= MOST_ITEMS) return list;
  return (
    <details class="items-fold">
      <summary>Ver os {items.length} itens</summary>
      {list}
    </details>
  );
}

/** Everything that an offer costs, and who lends (CDC art. 54-B). */
export const OfferCosts = ({ quote }: { quote: Quote }) => (
  <section class="panel" aria-labelledby="custo" id="oferta">
    <h2 class="panel-title" id="custo">
      Quanto custa
    </h2>
    <p class="figure-big">
      <span class="figure">{quote.installments.length} ×</span> {inReais(quote.installments[0]!.amount)}
    </p>
    <p class="muted">uma parcela por semana, por PIX</p>
    <Costs quote={quote} />
    <p class="hint">
      Em caso de atraso: multa de {percent(quote.terms.fine_percent)}, uma vez por vencimento, e juros simples
      de {percent(quote.terms.late_interest_percent)} ao mês.
      {quote.cost > 0 && ' Pagando antes do vencimento, o custo do crédito diminui.'}
    </p>
    <CreditorLine />
  </section>
);

/** The choice of fewer weeks, which updates costs and answer, and the answer: yes or no. Its forms are below `base`. */
export function Answer(props: {
  visit: PersonalVisit;
  base: string;
  offer: Offer;
  most: number;
  /** What is left of the customer's limit. */
  available: number;
}) {
  const { visit, base, offer, most, available } = props;
  const { quote, merchant, expires_at } = offer;
  const n = quote.installments.length;
  return (
    <>
      {most > 1 && (
        <form class="panel fewer" action={base} method="get" data-live="oferta resposta">
          <div class="field">
            <label for="parcelas">Em quantas semanas você quer pagar?</label>
            <select id="parcelas" name="parcelas">
              {Array.from({ length: most }, (_, i) => i + 1).map((weekCount) => (
                <option key={weekCount} value={weekCount} selected={weekCount === n}>
                  {weeks(weekCount)}
                </option>
              ))}
            </select>
          </div>
          <button class="button quiet wide" type="submit" data-spare>
            Ver as parcelas
          </button>
        </form>
      )}
      <div id="resposta" class="panel answer">
        {quote.total > available ? (
          <OverLimit total={quote.total} available={available} until={expires_at} />
        ) : (
          <>
            <PostForm visit={visit} action={`${base}/aceitar`}>
              <input type="hidden" name="installments" value={n} />
              <Submit wide>Aceitar: {inWeeks(quote)}</Submit>
            </PostForm>
            <p class="hint">
              Ao aceitar, você compra de {merchant.name} por {inReais(quote.total)} no total. A oferta vale
              até {shortTime(expires_at)}.
            </p>
          </>
        )}
        <ButtonForm visit={visit} action={`${base}/recusar`} text="Recusar" quiet wide />
      </div>
    </>
  );
}

/** Shown instead of the button to accept, which would be refused. */
const OverLimit = ({ total, available, until }: { total: number; available: number; until: string }) => (
  <>
    <p class="note warn" role="note">
      Esta compra passa do seu limite: o total é {inReais(total)} e o seu limite disponível é{' '}
      {inReais(available)}.
    </p>
    <p class="hint">
      Cada parcela paga libera limite na hora. A oferta continua valendo até {shortTime(until)}.
    </p>
    <LinkButton wide to="/carteira">
      Ver o que posso pagar agora
    </LinkButton>
  </>
);
