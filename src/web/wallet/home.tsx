import type { Output } from '#client';
import type { MakePersonalPage, PersonalVisit } from '../server/visit.ts';
import { dueWords, inReais, plural } from '../text/format.ts';
import { LinkButton, QuietLink } from '../ui/buttons.tsx';
import { Coin, Tag } from '../ui/icons.tsx';
import { Empty, Logo, Pagination } from '../ui/parts.tsx';
import { PostForm } from '../ui/personal-parts.tsx';
import { WalletPage } from './layout.tsx';
import { type CheckoutItem, Status } from './parts.tsx';
import { findToPay, type ToPay, ToPaySection } from './to-pay.tsx';

const TO_A_PAGE = 10;

const FILTERS = [
  { name: undefined, status: undefined, text: 'Todas', none: '' },
  { name: 'abertas', status: 'open', text: 'Em dia', none: 'Nenhuma compra em dia no momento.' },
  {
    name: 'atrasadas',
    status: 'overdue',
    text: 'Atrasadas',
    none: 'Nenhuma compra atrasada: está tudo em dia.',
  },
  { name: 'pagas', status: 'paid', text: 'Pagas', none: 'Nenhuma compra quitada ainda.' },
] as const;

const address = (situacao: string | undefined, pagina = 1) => {
  const search = new URLSearchParams({
    ...(situacao && { situacao }),
    ...(pagina > 1 && { pagina: String(pagina) }),
  });
  return search.size > 0 ? `/carteira?${search}` : '/carteira';
};

export const homePage: MakePersonalPage = async (visit) => {
  const { api, who, query, page: wanted, now } = visit;
  const [situacao, page] = [query('situacao'), wanted()];
  const filter = FILTERS.find(({ name }) => name === situacao) ?? FILTERS[0];
  // The overview is shown on the first page without a filter only.
  const isFirst = filter.status === undefined && page === 1;
  const listed = api.listCheckouts({
    query: { page, limit: TO_A_PAGE, ...(filter.status && { status: filter.status }) },
  });
  const [{ data, pagination }, overview] = await Promise.all([
    listed,
    isFirst
      ? Promise.all([
          api.getMe(),
          api.listWalletOffers({ query: { status: 'pending', limit: 3 } }),
          api.getCashbackBalance(),
          listed.then((purchases) => findToPay(api, now, purchases)),
        ])
      : undefined,
  ]);
  if (page > 1 && data.length === 0) return { to: address(filter.name, pagination.pages) };
  const isNew = data.length === 0 && isFirst;
  return (
    <WalletPage title="Carteira" visit={visit} tab="inicio" head={<h1 class="hello">Olá, {who!.name}</h1>}>
      {overview && <Overview overview={overview} now={now} isNew={isNew} />}
      <h2 class="small-title" id="compras">
        Compras
      </h2>
      {!isNew && (
        <nav aria-label="Filtrar compras">
          <ul class="chips">
            {FILTERS.map(({ name, text }) => (
              <li key={text}>
                <a class="chip" href={address(name)} aria-current={name === filter.name ? 'true' : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {data.length > 0 ? (
        <ul class="rows">
          {data.map((purchase) => (
            <Purchase key={purchase.hash} purchase={purchase} now={now} />
          ))}
        </ul>
      ) : isNew ? (
        <Empty icon={<Tag />} title="Sua primeira compra começa na loja.">
          <p>Diga que vai pagar com a Semana: informe o seu celular, ou use o código que a loja mostra.</p>
          <p class="actions">
            <LinkButton to="/lojas">Ver lojas</LinkButton>
          </p>
          {visit.bar && <TryOffer visit={visit} />}
        </Empty>
      ) : (
        <p class="empty">
          {filter.none} <a href="/carteira">Ver todas as compras</a>
        </p>
      )}
      <Pagination page={page} pages={pagination.pages} href={(pagina) => address(filter.name, pagina)} />
    </WalletPage>
  );
};

/** Sandbox only: makes a merchant send an offer. */
export const TryOffer = ({ visit }: { visit: PersonalVisit }) => (
  <PostForm visit={visit} action="/carteira/sandbox/oferta">
    <input type="hidden" name="volta" value={visit.path} />
    <p class="hint">No sandbox, a padaria do bairro pode enviar uma oferta agora:</p>
    <button class="button sun" type="submit">
      Receber uma oferta
    </button>
  </PostForm>
);

type Overview = [Output<'getMe'>, Output<'listWalletOffers'>, Output<'getCashbackBalance'>, ToPay];

/** What is due, open offers, credit and cashback. */
function Overview({ overview, now, isNew }: { overview: Overview; now: Date; isNew: boolean }) {
  const [me, offers, cashback, toPay] = overview;
  return (
    <>
      <ToPaySection toPay={toPay} now={now} />
      <p class="pay-entry">
        <QuietLink to="/carteira/pagar">Pagar uma compra</QuietLink>
      </p>
      {offers.data.map((offer) => (
        <div key={offer.id} class="card offer-row">
          <Logo merchant={offer.merchant} size={56} />
          <div>
            <h2 class="card-title">
              <a class="cover" href={`/carteira/ofertas/${offer.id}`}>
                Oferta de {offer.merchant.name}
              </a>
            </h2>
            <p class="muted">
              {inReais(offer.quote.amount)} em {offer.quote.installments.length} ×{' '}
              {inReais(offer.quote.installments[0]!.amount)}
            </p>
            <span class="badge sun">Aguardando resposta</span>
          </div>
        </div>
      ))}
      <div class="glance">
        <a class="panel deep-panel glance-link" href="/carteira/limite">
          <p class="glance-name">
            {toPay.isLate ? 'Limite disponível quando tudo estiver em dia' : 'Limite disponível'}
          </p>
          <p class="glance-figure">{inReais(me.credit.available)}</p>
          <progress
            max={Math.max(me.credit.limit, 1)}
            value={Math.min(me.credit.used, me.credit.limit)}
            aria-label="Limite usado"
          />
          <p class="glance-foot">
            {inReais(me.credit.used)} em uso de {inReais(me.credit.limit)} · ver por quê
          </p>
        </a>
        {!(isNew && cashback.available === 0) && (
          <a class="panel glance-link" href="/carteira/cashback">
            <p class="glance-name">
              <Coin /> Cashback
            </p>
            <p class="glance-figure">{inReais(cashback.available)}</p>
            <p class="glance-foot muted">
              {cashback.pending > 0 ? `+ ${inReais(cashback.pending)} pagando em dia` : 'Ver extrato'}
            </p>
          </a>
        )}
      </div>
    </>
  );
}

function Purchase({ purchase, now }: { purchase: CheckoutItem; now: Date }) {
  const { hash, merchant, description, status, amounts, installments_paid, installments_total, next_due_on } =
    purchase;
  return (
    <li class="card row">
      <Logo merchant={merchant} size={56} />
      <div class="row-text">
        <h3 class="card-title">
          <a class="cover" href={`/carteira/compras/${hash}`}>
            {merchant.name}
          </a>
        </h3>
        <p class="muted">{description ?? `Compra de ${inReais(amounts.financed)}`}</p>
        <p class="row-foot">
          <Status status={status} />
          <span class="muted">
            {purchase.returned_at
              ? 'Devolvida'
              : status === 'paid'
                ? plural(installments_total, 'parcela', 'parcelas')
                : `${installments_paid} de ${installments_total} pagas${next_due_on ? ` · ${dueWords(next_due_on, now)}` : ''}`}
          </span>
        </p>
      </div>
      <p class="row-amount">
        <span class="amount">{inReais(status === 'paid' ? amounts.financed : amounts.total_due)}</span>
        <small>{status === 'paid' ? 'compra' : 'falta pagar'}</small>
      </p>
    </li>
  );
}
