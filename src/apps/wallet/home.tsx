import type { Output } from '#client';
import { type PersonalPageHandler, useVisit } from '../server/visit.ts';
import { describeDueDay, formatReais, pluralize } from '../text/format.ts';
import { LinkButton, QuietLink } from '../ui/buttons.tsx';
import { Chips, EmptyState, KeyFigure, LimitUse, Logo, Pagination, Row } from '../ui/components.tsx';
import { ButtonForm } from '../ui/forms.tsx';
import { Coin, Tag } from '../ui/icons.tsx';
import { formatInstallments } from '../ui/offer-components.tsx';
import { DuePaymentsSection } from './due-payments.tsx';
import { type CheckoutItem, ReturnedBadge, StatusBadge } from './installment-timeline.tsx';
import { WalletPage } from './layout.tsx';

/** Equals the number of purchases that `getHome` returns for the first page. */
const PAGE_SIZE = 10;

const FILTERS = [
  { name: undefined, status: undefined, text: 'Todas', emptyText: '' },
  { name: 'abertas', status: 'open', text: 'Em dia', emptyText: 'Nenhuma compra em dia no momento.' },
  {
    name: 'atrasadas',
    status: 'overdue',
    text: 'Atrasadas',
    emptyText: 'Nenhuma compra atrasada: está tudo em dia.',
  },
  { name: 'pagas', status: 'paid', text: 'Pagas', emptyText: 'Nenhuma compra quitada ainda.' },
] as const;

const buildListPath = (filterName: string | undefined, page = 1) => {
  const search = new URLSearchParams({
    ...(filterName && { situacao: filterName }),
    ...(page > 1 && { pagina: String(page) }),
  });
  return search.size > 0 ? `/carteira?${search}` : '/carteira';
};

export const homePage: PersonalPageHandler = async (visit) => {
  const { api, user, readQuery, pageNumber: page, now } = visit;
  const filterName = readQuery('situacao');
  const filter = FILTERS.find(({ name }) => name === filterName) ?? FILTERS[0];
  // Only the first page without a filter has the overview.
  const hasOverview = filter.status === undefined && page === 1;
  const home = hasOverview ? await api.getHome() : undefined;
  const { data, pagination } =
    home?.checkouts ??
    (await api.listCheckouts({
      query: { page, limit: PAGE_SIZE, ...(filter.status && { status: filter.status }) },
    }));
  if (page > 1 && data.length === 0) return { redirectTo: buildListPath(filter.name, pagination.pages) };
  const hasNoPurchases = data.length === 0 && hasOverview;
  return (
    <WalletPage title="Carteira" tab="inicio" head={<h1 class="hello">Olá, {user!.name}</h1>}>
      {home && <Overview home={home} now={now} hasNoPurchases={hasNoPurchases} />}
      <h2 class="small-title" id="compras">
        Compras
      </h2>
      {!hasNoPurchases && (
        <nav aria-label="Filtrar compras">
          <Chips
            chips={FILTERS.map(({ name, text }) => ({
              href: buildListPath(name),
              text,
              isCurrent: name === filter.name,
            }))}
          />
        </nav>
      )}
      {data.length > 0 ? (
        <ul class="rows">
          {data.map((purchase) => (
            <PurchaseRow key={purchase.hash} purchase={purchase} now={now} />
          ))}
        </ul>
      ) : hasNoPurchases ? (
        <EmptyState icon={<Tag />} title="Sua primeira compra começa na loja.">
          <p>Diga que vai pagar com a Semana: informe o seu celular, ou use o código que a loja mostra.</p>
          <p class="actions">
            <LinkButton href="/lojas">Ver lojas</LinkButton>
          </p>
          <SandboxOfferForm />
        </EmptyState>
      ) : (
        <p class="empty">
          {filter.emptyText} <a href="/carteira">Ver todas as compras</a>
        </p>
      )}
      <Pagination
        page={page}
        pages={pagination.pages}
        buildHref={(targetPage) => buildListPath(filter.name, targetPage)}
      />
    </WalletPage>
  );
};

/** Sandbox only: makes a demo merchant send an offer to the customer. */
export function SandboxOfferForm() {
  const { sandboxBar, path } = useVisit();
  if (!sandboxBar) return null;
  return (
    <>
      <p class="hint">No sandbox, a padaria do bairro pode enviar uma oferta agora:</p>
      <ButtonForm
        action="/carteira/sandbox/oferta"
        text="Receber uma oferta"
        variant="sun"
        values={{ volta: path }}
      />
    </>
  );
}

type OverviewProps = { home: Output<'getHome'>; now: Date; hasNoPurchases: boolean };

function Overview({ home: { credit, cashback, due, offers }, now, hasNoPurchases }: OverviewProps) {
  return (
    <>
      <DuePaymentsSection due={due} now={now} />
      <p class="pay-entry">
        <QuietLink href="/carteira/pagar">Pagar uma compra</QuietLink>
      </p>
      {offers.map((offer) => (
        <div key={offer.id} class="card offer-row">
          <Logo merchant={offer.merchant} size={56} />
          <div>
            <h2 class="card-title">
              <a class="cover" href={`/carteira/ofertas/${offer.id}`}>
                Oferta de {offer.merchant.name}
              </a>
            </h2>
            <p class="muted">
              {formatReais(offer.quote.amount)} em {formatInstallments(offer.quote)}
            </p>
            <span class="badge sun">Aguardando resposta</span>
          </div>
        </div>
      ))}
      <div class="glance">
        <a class="panel deep-panel glance-link" href="/carteira/limite">
          <KeyFigure
            name={credit.blocked_by === null ? 'Limite disponível' : 'Compras pausadas'}
            figure={formatReais(credit.available)}
          />
          <LimitUse limit={credit.limit} used={credit.used}>
            {' '}
            · ver por quê
          </LimitUse>
        </a>
        {!(hasNoPurchases && cashback.available === 0) && (
          <a class="panel glance-link" href="/carteira/cashback">
            <KeyFigure name={[<Coin key="icon" />, ' Cashback']} figure={formatReais(cashback.available)} />
            <p class="glance-foot muted">
              {cashback.pending > 0 ? `+ ${formatReais(cashback.pending)} pagando em dia` : 'Ver extrato'}
            </p>
          </a>
        )}
      </div>
    </>
  );
}

function PurchaseRow({ purchase, now }: { purchase: CheckoutItem; now: Date }) {
  const { hash, merchant, description, status, amounts, installments_paid, installments_total, next_due_on } =
    purchase;
  return (
    <Row
      title={merchant.name}
      href={`/carteira/compras/${hash}`}
      merchant={merchant}
      amount={formatReais(status === 'paid' ? amounts.financed : amounts.total_due)}
      amountNote={status === 'paid' ? 'compra' : 'falta pagar'}
    >
      <p class="muted">{description ?? `Compra de ${formatReais(amounts.financed)}`}</p>
      <p class="row-foot">
        {purchase.returned_at ? <ReturnedBadge /> : <StatusBadge status={status} />}
        <span class="muted">
          {status === 'paid'
            ? pluralize(installments_total, 'parcela', 'parcelas')
            : `${installments_paid} de ${installments_total} pagas${next_due_on ? ` · ${describeDueDay(next_due_on, now)}` : ''}`}
        </span>
      </p>
    </Row>
  );
}
