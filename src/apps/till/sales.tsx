import type { Output } from '#client';
import { addDays, type Day, parseDay, saoPauloDay } from '#core/values/day.ts';
import { parseReaisInput, toReais } from '#core/values/money.ts';
import type { Redirect } from '../server/page.ts';
import {
  formatClockTime,
  formatLongDay,
  formatPhone,
  formatReais,
  formatShortTime,
  pluralize,
  SHORT_HASH_LENGTH,
} from '../text/format.ts';
import { LinkButton, Submit } from '../ui/buttons.tsx';
import { EmptyState, Line, Pagination, SearchForm } from '../ui/components.tsx';
import { Receipt } from '../ui/icons.tsx';
import { formatInstallments } from '../ui/offer-components.tsx';
import {
  HOME,
  isOwner,
  ListLine,
  SALES_PATH,
  TillPage,
  type TillPageHandler,
  type TillVisit,
} from './layout.tsx';

const PAGE_SIZE = 50;
/** The number of newest sales that are listed for a member, or searched for a short hash. */
const MAX_NEWEST_SALES = 100;
const MAX_PENDING_OFFERS = 20;
/** The formats of the hash of a purchase and of the code of an offer. */
const HASH_PATTERN = /^[0-9A-Za-z]{22}$/;
const OFFER_CODE_PATTERN = /^[a-z\d]{8}$/i;

type SaleItem = Output<'listSales'>['data'][number];
type Offer = Output<'getOffer'>;

const STATUS_TEXTS = {
  open: { text: 'Em dia', tone: 'open' },
  overdue: { text: 'Cliente em atraso', tone: 'late' },
  paid: { text: 'Quitada', tone: 'paid' },
} as const;

type SaleState = Pick<SaleItem, 'status' | 'returned_at' | 'amounts'>;

export const describeStatus = ({ status, returned_at, amounts }: SaleState) =>
  returned_at
    ? { text: 'Devolvida', tone: 'paid' }
    : amounts.returned > 0
      ? { text: `Devolvidos ${formatReais(amounts.returned)}`, tone: 'wait' }
      : STATUS_TEXTS[status];

/** Lists the sales of a day, the sales that match a search (`q`), or, for owners, the sales of a member (`de`). */
export const salesPage: TillPageHandler = async (visit) => {
  const searchText = visit.readQuery('q')?.slice(0, 60);
  const memberId = isOwner(visit) ? visit.readQuery('de') : undefined;
  const memberSales = memberId
    ? (await visit.api.listSales({ query: { by: memberId, limit: MAX_NEWEST_SALES } })).data
    : undefined;
  const searchResult = memberSales ?? (searchText ? await findSales(visit, searchText) : undefined);
  if (searchResult && 'redirectTo' in searchResult) return searchResult;
  const today = saoPauloDay(visit.now.getTime());
  const requestedDay = isOwner(visit) ? parseDay(visit.readQuery('dia')) : null;
  const day = requestedDay && requestedDay < today ? requestedDay : today;
  const [{ data: sales, pagination }, summary, { data: pendingOffers }] = await Promise.all([
    visit.api.listSales({ query: { on: day, limit: PAGE_SIZE, page: visit.pageNumber } }),
    visit.api.getMerchantSummary({ query: { on: day } }),
    visit.api.listOffers({ query: { status: 'pending', limit: MAX_PENDING_OFFERS } }),
  ]);
  return (
    <TillPage
      title="Vendas"
      tab="vendas"
      head={
        <SearchForm
          action={SALES_PATH}
          label="Achar uma venda"
          placeholder="Código, valor ou nome"
          value={searchText}
        />
      }
    >
      {searchResult && (
        <section aria-labelledby="achadas">
          <div class="day-head">
            <h1 id="achadas">{pluralize(searchResult.length, 'venda encontrada', 'vendas encontradas')}</h1>
            <a href={SALES_PATH}>Limpar</a>
          </div>
          {searchResult.length > 0 ? (
            <SaleLines sales={searchResult} showsDates />
          ) : (
            <p class="note warn" role="status">
              {searchText ? `Nada com “${searchText}”.` : 'Ainda nada.'} Procure pelo código da compra, pelo
              valor ou pelo primeiro nome.
            </p>
          )}
        </section>
      )}
      {!searchResult && (
        <>
          {day === today && <PendingOffers offers={pendingOffers} />}
          <DayHead visit={visit} day={day} today={today} />
          <dl class="figures">
            <Line name={pluralize(summary.sales, 'venda', 'vendas')} value={formatReais(summary.sold)} />
            {summary.returned > 0 && <Line name="Devolvido" value={formatReais(summary.returned)} />}
          </dl>
          <SaleLines sales={sales} />
          <Pagination {...pagination} buildHref={(page) => `${SALES_PATH}?dia=${day}&pagina=${page}`} />
          {isOwner(visit) && (
            <form class="pick-day" action={SALES_PATH} method="get">
              <div class="field">
                <label for="dia">Outro dia</label>
                <input id="dia" name="dia" type="date" max={today} value={day} />
              </div>
              <Submit class="quiet">Ver</Submit>
            </form>
          )}
        </>
      )}
    </TillPage>
  );
};

function DayHead({ visit, day, today }: { visit: TillVisit; day: Day; today: Day }) {
  const title = day === today ? 'Hoje' : formatLongDay(day);
  if (!isOwner(visit)) return <h1 class="screen-title">Vendas de hoje</h1>;
  return (
    <div class="day-head">
      <a class="button small quiet" href={`${SALES_PATH}?dia=${addDays(day, -1)}`} aria-label="Dia anterior">
        ‹
      </a>
      <h1>{title}</h1>
      {day < today ? (
        <a class="button small quiet" href={`${SALES_PATH}?dia=${addDays(day, 1)}`} aria-label="Dia seguinte">
          ›
        </a>
      ) : (
        <span />
      )}
    </div>
  );
}

/** A list of sales with links. `showsDates`: the sales are of several days, so each has its date. */
function SaleLines({ sales, showsDates }: { sales: SaleItem[]; showsDates?: boolean }) {
  if (sales.length === 0)
    return (
      <EmptyState icon={<Receipt />} title="Nenhuma venda ainda">
        <LinkButton href={HOME}>Vender</LinkButton>
      </EmptyState>
    );
  return (
    <ul class="lines">
      {sales.map((sale) => (
        <ListLine
          key={sale.hash}
          start={showsDates ? formatShortTime(sale.purchased_at) : formatClockTime(sale.purchased_at)}
          href={`${SALES_PATH}/${sale.hash}`}
          title={sale.customer.name}
          note={
            <>
              {sale.description ?? pluralize(sale.installments_total, 'parcela', 'parcelas')}
              {sale.by && `, por ${sale.by.name.split(' ')[0]}`}
            </>
          }
          amount={formatReais(sale.amounts.financed)}
          isStruck={sale.returned_at !== null}
          amountNote={describeStatus(sale).text}
        />
      ))}
    </ul>
  );
}

function PendingOffers({ offers }: { offers: Offer[] }) {
  if (offers.length === 0) return null;
  return (
    <section aria-labelledby="esperando">
      <div class="day-head">
        <h2 id="esperando">Esperando o cliente</h2>
      </div>
      <ul class="lines">
        {offers.map(({ id, quote, phone, code, description, expires_at, claimed_at, by }) => (
          <ListLine
            key={id}
            href={`${HOME}/ofertas/${id}`}
            title={phone ? formatPhone(phone) : claimed_at ? 'Aberta pelo cliente' : `Código ${code}`}
            note={
              <>
                até {formatShortTime(expires_at)}
                {description && `, ${description}`}
                {by && `, por ${by.name.split(' ')[0]}`}
              </>
            }
            amount={formatReais(quote.amount)}
            amountNote={formatInstallments(quote)}
          />
        ))}
      </ul>
    </section>
  );
}

/** Redirects to the sale or offer with this code or hash, or returns the sales with this amount, customer name or short hash. */
async function findSales({ api }: TillVisit, searchText: string): Promise<Redirect | SaleItem[]> {
  const compactText = searchText.replace(/\s/g, '');
  if (HASH_PATTERN.test(compactText)) {
    const [sale] = (await api.listSales({ query: { hash: compactText } })).data;
    return sale ? { redirectTo: `${SALES_PATH}/${sale.hash}` } : [];
  }
  if (OFFER_CODE_PATTERN.test(compactText)) {
    const { data } = await api.listOffers({ query: { code: compactText.toUpperCase(), limit: 1 } });
    const [offer] = data;
    if (offer?.checkout_hash) return { redirectTo: `${SALES_PATH}/${offer.checkout_hash}` };
    if (offer) return { redirectTo: `${HOME}/ofertas/${offer.id}` };
  }
  const cents = parseReaisInput(searchText);
  if (cents !== null && cents > 0)
    return (await api.listSales({ query: { amount: toReais(cents), limit: PAGE_SIZE } })).data;
  const [{ data: nameMatches }, { data: newestSales }] = await Promise.all([
    api.listSales({ query: { q: searchText, limit: PAGE_SIZE } }),
    compactText.length === SHORT_HASH_LENGTH
      ? api.listSales({ query: { limit: MAX_NEWEST_SALES } })
      : { data: [] },
  ]);
  const nameMatchHashes = new Set(nameMatches.map(({ hash }) => hash));
  const hashMatches = newestSales.filter(({ hash }) =>
    hash.toLowerCase().startsWith(compactText.toLowerCase()),
  );
  return [...hashMatches.filter(({ hash }) => !nameMatchHashes.has(hash)), ...nameMatches];
}
