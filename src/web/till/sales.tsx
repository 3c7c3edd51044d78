import type { Output } from '#client';
import { addDays, type Day, parseDay, saoPauloDay } from '#core/day.ts';
import { readReais, toReais } from '#core/money.ts';
import type { Elsewhere } from '../server/page.ts';
import { clockTime, inReais, longDay, plural, shortTime, showPhone } from '../text/format.ts';
import { LinkButton, Submit } from '../ui/buttons.tsx';
import { Receipt } from '../ui/icons.tsx';
import { inWeeks } from '../ui/offer-parts.tsx';
import { Empty, Line, Pagination, SearchForm } from '../ui/parts.tsx';
import { HOME, TillPage } from './layout.tsx';
import { SPOKEN } from './offer.tsx';
import { isOwner, type MakeTillPage, type TillVisit } from './visit.ts';

const SALES = `${HOME}/vendas`;
const LIMIT = 50;
/** How many of the newest are listed for a member, and compared with the start of a hash. */
const NEWEST = 100;

type SaleItem = Output<'listSales'>['data'][number];
type Offer = Output<'getOffer'>;

export const STATUS = {
  open: { text: 'Em dia', tone: 'open' },
  overdue: { text: 'Cliente em atraso', tone: 'late' },
  paid: { text: 'Quitada', tone: 'paid' },
} as const;

/** What became of a sale, for the merchant. */
export const stateOf = ({
  status,
  returned_at,
  amounts,
}: Pick<SaleItem, 'status' | 'returned_at' | 'amounts'>) =>
  returned_at
    ? { text: 'Devolvida', tone: 'paid' }
    : amounts.returned > 0
      ? { text: `Devolvidos ${inReais(amounts.returned)}`, tone: 'wait' }
      : STATUS[status];

export const salesPage: MakeTillPage = async (visit) => {
  const q = visit.query('q')?.slice(0, 60);
  const by = isOwner(visit) ? visit.query('de') : undefined;
  const found = by
    ? (await visit.api.listSales({ query: { by, limit: NEWEST } })).data
    : q && (await lookUp(visit, q));
  if (found && 'to' in found) return found;
  const today = saoPauloDay(visit.now.getTime());
  const asked = isOwner(visit) ? parseDay(visit.query('dia')) : null;
  const on = asked && asked < today ? asked : today;
  const [{ data: sales, pagination }, summary, { data: waiting }] = await Promise.all([
    visit.api.listSales({ query: { on, limit: LIMIT, page: visit.page() } }),
    visit.api.getMerchantSummary({ query: { on } }),
    visit.api.listOffers({ query: { status: 'pending', limit: 20 } }),
  ]);
  return (
    <TillPage
      title="Vendas"
      visit={visit}
      tab="vendas"
      head={
        <SearchForm action={SALES} label="Achar uma venda" placeholder="Código, valor ou nome" value={q} />
      }
    >
      {found && (
        <section aria-labelledby="achadas">
          <div class="day-head">
            <h1 id="achadas">{plural(found.length, 'venda encontrada', 'vendas encontradas')}</h1>
            <a href={SALES}>Limpar</a>
          </div>
          {found.length > 0 ? (
            <SaleLines sales={found} days />
          ) : (
            <p class="note warn" role="status">
              {q ? `Nada com “${q}”.` : 'Ainda nada.'} Procure pelo código da compra, pelo valor ou pelo
              primeiro nome.
            </p>
          )}
        </section>
      )}
      {!found && (
        <>
          {on === today && <Waiting offers={waiting} />}
          <DayHead visit={visit} on={on} today={today} />
          <dl class="figures">
            <Line name={plural(summary.sales, 'venda', 'vendas')} value={inReais(summary.sold)} />
            {summary.returned > 0 && <Line name="Devolvido" value={inReais(summary.returned)} />}
          </dl>
          <SaleLines sales={sales} />
          <Pagination {...pagination} href={(page) => `${SALES}?dia=${on}&pagina=${page}`} />
          {isOwner(visit) && (
            <form class="pick-day" action={SALES} method="get">
              <div class="field">
                <label for="dia">Outro dia</label>
                <input id="dia" name="dia" type="date" max={today} value={on} />
              </div>
              <Submit quiet>Ver</Submit>
            </form>
          )}
        </>
      )}
    </TillPage>
  );
};

function DayHead({ visit, on, today }: { visit: TillVisit; on: Day; today: Day }) {
  const title = on === today ? 'Hoje' : longDay(on);
  if (!isOwner(visit)) return <h1 class="ask">Vendas de hoje</h1>;
  return (
    <div class="day-head">
      <a class="button small quiet" href={`${SALES}?dia=${addDays(on, -1)}`} aria-label="Dia anterior">
        ‹
      </a>
      <h1>{title}</h1>
      {on < today ? (
        <a class="button small quiet" href={`${SALES}?dia=${addDays(on, 1)}`} aria-label="Dia seguinte">
          ›
        </a>
      ) : (
        <span />
      )}
    </div>
  );
}

/** Sales, each a link; `days`: of more than one day. */
function SaleLines({ sales, days }: { sales: SaleItem[]; days?: boolean }) {
  if (sales.length === 0)
    return (
      <Empty icon={<Receipt />} title="Nenhuma venda ainda">
        <LinkButton to={HOME}>Vender</LinkButton>
      </Empty>
    );
  return (
    <ul class="lines">
      {sales.map((sale) => {
        const state = stateOf(sale);
        return (
          <li key={sale.hash}>
            <span class="at">{days ? shortTime(sale.purchased_at) : clockTime(sale.purchased_at)}</span>
            <span class="what">
              <a class="cover" href={`${SALES}/${sale.hash}`}>
                <b>{sale.customer.name}</b>
              </a>
              <small>
                {sale.description ?? plural(sale.installments_total, 'parcela', 'parcelas')}
                {sale.by && `, por ${sale.by.name.split(' ')[0]}`}
              </small>
            </span>
            <span class="much">
              <b class={sale.returned_at ? 'gone' : ''}>{inReais(sale.amounts.financed)}</b>
              <small>{state.text}</small>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Waiting({ offers }: { offers: Offer[] }) {
  if (offers.length === 0) return null;
  return (
    <section aria-labelledby="esperando">
      <div class="day-head">
        <h2 id="esperando">Esperando o cliente</h2>
      </div>
      <ul class="lines">
        {offers.map(({ id, quote, phone, code, description, expires_at, claimed_at, by }) => (
          <li key={id}>
            <span class="what">
              <a class="cover" href={`${HOME}/ofertas/${id}`}>
                <b>{phone ? showPhone(phone) : claimed_at ? 'Aberta pelo cliente' : `Código ${code}`}</b>
              </a>
              <small>
                até {shortTime(expires_at)}
                {description && `, ${description}`}
                {by && `, por ${by.name.split(' ')[0]}`}
              </small>
            </span>
            <span class="much">
              <b>{inReais(quote.amount)}</b>
              <small>{inWeeks(quote)}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The one sale or offer with this code or hash; else those with this amount, this name, or a hash that begins so. */
async function lookUp({ api }: TillVisit, q: string): Promise<Elsewhere | SaleItem[]> {
  const text = q.replace(/\s/g, '');
  if (/^[0-9A-Za-z]{22}$/.test(text)) {
    const [sale] = (await api.listSales({ query: { hash: text } })).data;
    return sale ? { to: `${SALES}/${sale.hash}` } : [];
  }
  if (/^[a-z\d]{8}$/i.test(text)) {
    const { data } = await api.listOffers({ query: { code: text.toUpperCase(), limit: 1 } });
    const [offer] = data;
    if (offer?.checkout_hash) return { to: `${SALES}/${offer.checkout_hash}` };
    if (offer) return { to: `${HOME}/ofertas/${offer.id}` };
  }
  const cents = readReais(q);
  if (cents !== null && cents > 0)
    return (await api.listSales({ query: { amount: toReais(cents), limit: LIMIT } })).data;
  const [{ data: named }, { data: newest }] = await Promise.all([
    api.listSales({ query: { q, limit: LIMIT } }),
    text.length === SPOKEN ? api.listSales({ query: { limit: NEWEST } }) : { data: [] },
  ]);
  const known = new Set(named.map(({ hash }) => hash));
  const begun = newest.filter(({ hash }) => hash.toLowerCase().startsWith(text.toLowerCase()));
  return [...begun.filter(({ hash }) => !known.has(hash)), ...named];
}
