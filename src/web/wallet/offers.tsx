import { type components, isProblem } from '#client';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { CreditorLine } from '../ui/creditor.tsx';
import { inReais, percent, shortTime } from '../ui/format.ts';
import { Tag } from '../ui/icons.tsx';
import { Empty, Logo, PageHead, Pagination } from '../ui/parts.tsx';
import { Costs, PostForm, Said, weeks } from '../ui/personal-parts.tsx';
import { faultOf } from '../ui/words.ts';
import { TryOffer } from './home.tsx';
import { WalletLayout } from './layout.tsx';
import { anothersOfferPage } from './notices.tsx';

type Offer = components['schemas']['WalletOffer'];

const PAGE = '/carteira/ofertas/:id';
const address = (page: number) => (page > 1 ? `/carteira/ofertas?pagina=${page}` : '/carteira/ofertas');
/** `next`: what the customer can do. */
const STATUS: Record<Offer['status'], { text: string; tone: string; next?: string }> = {
  pending: { text: 'Aguardando resposta', tone: 'wait' },
  accepted: { text: 'Aceita', tone: 'open' },
  declined: {
    text: 'Recusada',
    tone: 'paid',
    next: 'Nada foi cobrado. Se mudar de ideia, peça outra oferta na loja.',
  },
  expired: {
    text: 'Vencida',
    tone: 'paid',
    next: 'Nada foi cobrado. Se ainda quiser comprar, peça outra oferta na loja.',
  },
  cancelled: { text: 'Cancelada pela loja', tone: 'paid', next: 'Nada foi cobrado.' },
};

export const offersPage: MakePersonalPage = async (visit) => {
  const { api, page: wanted, flash } = visit;
  const page = wanted();
  const { data, pagination } = await api.listWalletOffers({ query: { page, limit: 10 } });
  if (page > 1 && data.length === 0) return { to: address(pagination.pages) };
  // Pending offers first.
  const offers = data.toSorted((a, b) => Number(b.status === 'pending') - Number(a.status === 'pending'));
  return {
    body: (
      <WalletLayout title="Ofertas" visit={visit} tab="ofertas">
        <div class="wrap narrow">
          <PageHead
            title="Ofertas"
            lead="O que as lojas ofereceram a você. Se você não responder, nada é cobrado."
          />
          <Said flash={flash} />
          {offers.length > 0 ? (
            <ul class="rows">
              {offers.map((offer) => (
                <li key={offer.id} class="card row">
                  <Logo merchant={offer.merchant} size={56} />
                  <div class="row-text">
                    <h2 class="card-title">
                      <a
                        class="cover"
                        href={
                          offer.checkout_hash
                            ? `/carteira/compras/${offer.checkout_hash}`
                            : `/carteira/ofertas/${offer.id}`
                        }
                      >
                        {offer.merchant.name}
                      </a>
                    </h2>
                    <p class="muted">{offer.description}</p>
                    <p class="row-foot">
                      <span class={`status ${STATUS[offer.status].tone}`}>{STATUS[offer.status].text}</span>
                      {offer.status === 'pending' && (
                        <span class="muted">até {shortTime(offer.expires_at)}</span>
                      )}
                    </p>
                  </div>
                  <p class="row-amount">
                    <span class="amount">{inReais(offer.quote.amount)}</span>
                    <small>em {weeks(offer.quote.installments.length)}</small>
                  </p>
                </li>
              ))}
            </ul>
          ) : (
            <Empty icon={<Tag />} title="Nenhuma oferta agora.">
              <p>
                Na loja, diga que vai pagar com a Semana e informe o seu celular. A oferta aparece aqui na
                hora.
              </p>
              <p class="actions">
                <a class="button" href="/lojas">
                  Ver lojas
                </a>
              </p>
              {visit.bar && <TryOffer visit={visit} />}
            </Empty>
          )}
          <Pagination page={page} pages={pagination.pages} href={address} />
        </div>
      </WalletLayout>
    ),
  };
};

export const offerPage: MakePersonalPage = async (visit) => {
  const { api, params, query, flash } = visit;
  const path = { id: params.id! };
  const found = await Promise.all([api.getWalletOffer({ path }), api.getMe()]).catch((error: unknown) => {
    if (isProblem(error, 'offer_to_another_phone')) return undefined;
    throw error;
  });
  if (!found) return anothersOfferPage(visit);
  const [offered, { credit }] = found;
  const most = offered.quote.installments.length;
  const asked = flash?.values?.installments ?? query('parcelas') ?? '';
  const chosen = /^\d{1,2}$/.test(asked) && Number(asked) >= 1 && Number(asked) < most ? Number(asked) : most;
  const isPending = offered.status === 'pending';
  const offer =
    chosen === most || !isPending
      ? offered
      : await api.getWalletOffer({ path, query: { installments: chosen } }).catch((error: unknown) => {
          if (isProblem(error) && error.status === 422) return offered;
          throw error;
        });
  const { merchant, description, quote, status, expires_at, checkout_hash } = offer;
  const n = quote.installments.length;
  const base = `/carteira/ofertas/${offer.id}`;
  return {
    body: (
      <WalletLayout title="Oferta" visit={visit} tab="ofertas">
        <div class="wrap">
          <PageHead
            title={merchant.name}
            media={<Logo merchant={merchant} size={56} />}
            crumbs={[{ href: '/carteira/ofertas', text: 'Ofertas' }]}
          >
            <p class="muted">{description ?? 'Compra na loja'}</p>
          </PageHead>
          <Said flash={flash} />
          <div class="columns">
            <section class="panel" aria-labelledby="custo" id="oferta">
              <h2 class="panel-title" id="custo">
                Quanto custa
              </h2>
              <p class="figure-big">
                <span class="figure">{n} ×</span> {inReais(quote.installments[0]!.amount)}
              </p>
              <p class="muted">uma parcela por semana, por PIX</p>
              <Costs quote={quote} />
              <p class="hint">
                Em caso de atraso: multa de {percent(quote.terms.fine_percent)}, uma vez por vencimento, e
                juros simples de {percent(quote.terms.late_interest_percent)} ao mês.
                {quote.cost > 0 && ' Pagando antes do vencimento, o custo do crédito diminui.'}
              </p>
              <CreditorLine />
            </section>
            <div>
              {isPending ? (
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
                    {quote.total > credit.available ? (
                      <OverLimit total={quote.total} available={credit.available} until={expires_at} />
                    ) : (
                      <>
                        <PostForm visit={visit} action={`${base}/aceitar`}>
                          <input type="hidden" name="installments" value={n} />
                          <button class="button wide" type="submit">
                            Aceitar: {n} × {inReais(quote.installments[0]!.amount)}
                          </button>
                        </PostForm>
                        <p class="hint">
                          Ao aceitar, você compra de {merchant.name} por {inReais(quote.total)} no total. A
                          oferta vale até {shortTime(expires_at)}.
                        </p>
                      </>
                    )}
                    <PostForm visit={visit} action={`${base}/recusar`}>
                      <button class="button quiet wide" type="submit">
                        Recusar
                      </button>
                    </PostForm>
                  </div>
                </>
              ) : (
                <div class="panel answer">
                  <p>
                    <span class={`status ${STATUS[status].tone}`}>{STATUS[status].text}</span>
                  </p>
                  {STATUS[status].next && <p>{STATUS[status].next}</p>}
                  <p class="actions">
                    {checkout_hash ? (
                      <a class="button" href={`/carteira/compras/${checkout_hash}`}>
                        Ver a compra
                      </a>
                    ) : (
                      <a class="button quiet" href="/carteira/ofertas">
                        Ver ofertas
                      </a>
                    )}
                  </p>
                </div>
              )}
            </div>
          </div>
        </div>
      </WalletLayout>
    ),
  };
};

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
    <a class="button wide" href="/carteira">
      Ver o que posso pagar agora
    </a>
  </>
);

const accept: Form = {
  page: PAGE,
  isPrivate: true,
  async act({ api, params, page, idempotencyKey }, sent) {
    const installments = Number(sent.text('installments'));
    try {
      const { hash, merchant } = await api.acceptOffer({
        path: { id: params.id! },
        body: Number.isInteger(installments) && installments > 0 ? { installments } : {},
        idempotencyKey,
      });
      const to = `/carteira/compras/${hash}`;
      return {
        to,
        flash: {
          page: to,
          note: `Compra feita. ${merchant.name} já recebeu a confirmação: pode levar a compra.`,
        },
      };
    } catch (error) {
      return { to: page, flash: { page, values: sent.values(), faults: faultOf(error) } };
    }
  },
};

const decline: Form = {
  page: PAGE,
  isPrivate: true,
  async act({ api, params, page }) {
    try {
      await api.declineOffer({ path: { id: params.id! } });
      const to = '/carteira/ofertas';
      return { to, flash: { page: to, note: 'Oferta recusada. Nada foi cobrado.' } };
    } catch (error) {
      return { to: page, flash: { page, faults: faultOf(error) } };
    }
  },
};

export const OFFER_FORMS: Record<string, Form> = {
  [`${PAGE}/aceitar`]: accept,
  [`${PAGE}/recusar`]: decline,
};
