import { type components, isProblem } from '#client';
import { ownForm, told } from '../server/form.ts';
import { acceptOffer, inChosenWeeks } from '../server/offers.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { inReais, shortTime } from '../text/format.ts';
import { LinkButton, QuietLink } from '../ui/buttons.tsx';
import { Tag } from '../ui/icons.tsx';
import { Answer, OfferCosts, OfferHead } from '../ui/offer-parts.tsx';
import { Empty, Logo, PageHead, Pagination } from '../ui/parts.tsx';
import { weeks } from '../ui/personal-parts.tsx';
import { TryOffer } from './home.tsx';
import { WalletPage } from './layout.tsx';
import { anothersOfferPage } from './notices.tsx';

type Offer = components['schemas']['WalletOffer'];

const OFFER_PATH = '/carteira/ofertas/:id';
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
  const { api, page: wanted } = visit;
  const page = wanted();
  const { data, pagination } = await api.listWalletOffers({ query: { page, limit: 10 } });
  if (page > 1 && data.length === 0) return { to: address(pagination.pages) };
  // Pending offers first.
  const offers = data.toSorted((a, b) => Number(b.status === 'pending') - Number(a.status === 'pending'));
  return (
    <WalletPage
      title="Ofertas"
      visit={visit}
      tab="ofertas"
      head={
        <PageHead
          title="Ofertas"
          lead="O que as lojas ofereceram a você. Se você não responder, nada é cobrado."
        >
          <p class="pay-entry">
            <QuietLink to="/carteira/pagar">Pagar uma compra</QuietLink>
          </p>
        </PageHead>
      }
      wrap="narrow"
    >
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
                  {offer.status === 'pending' && <span class="muted">até {shortTime(offer.expires_at)}</span>}
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
            Na loja, diga que vai pagar com a Semana e informe o seu celular. A oferta aparece aqui na hora.
          </p>
          <p class="actions">
            <LinkButton to="/lojas">Ver lojas</LinkButton>
          </p>
          {visit.bar && <TryOffer visit={visit} />}
        </Empty>
      )}
      <Pagination page={page} pages={pagination.pages} href={address} />
    </WalletPage>
  );
};

export const offerPage: MakePersonalPage = async (visit) => {
  const { api, params } = visit;
  const path = { id: params.id! };
  const found = await Promise.all([api.getWalletOffer({ path }), api.getMe()]).catch(
    async (error: unknown) => {
      if (!isProblem(error, 'not_found')) throw error;
      // Not this customer's. Anybody with the link may read it, so it was made to another phone; else there is none: 404.
      await api.getOpenOffer({ path: { token: path.id } });
      return undefined;
    },
  );
  if (!found) return anothersOfferPage(visit);
  const [offered, { credit }] = found;
  const { offer, most } = await inChosenWeeks(visit, offered);
  const { quote, status, return_url, checkout_hash } = offer;
  return (
    <WalletPage
      title="Oferta"
      visit={visit}
      tab="ofertas"
      head={<OfferHead offer={offer} crumbs={[{ href: '/carteira/ofertas', text: 'Ofertas' }]} />}
    >
      <div class="columns">
        <OfferCosts quote={quote} />
        <div>
          {status === 'pending' ? (
            <Answer
              visit={visit}
              base={`/carteira/ofertas/${offer.id}`}
              offer={offer}
              most={most}
              available={credit.available}
            />
          ) : (
            <div class="panel answer">
              <p>
                <span class={`status ${STATUS[status].tone}`}>{STATUS[status].text}</span>
              </p>
              {STATUS[status].next && <p>{STATUS[status].next}</p>}
              <p class="actions">
                {checkout_hash ? (
                  <LinkButton to={`/carteira/compras/${checkout_hash}`}>Ver a compra</LinkButton>
                ) : (
                  <QuietLink to="/carteira/ofertas">Ver ofertas</QuietLink>
                )}
                {return_url && <QuietLink to={return_url}>Voltar para a loja</QuietLink>}
              </p>
            </div>
          )}
        </div>
      </div>
    </WalletPage>
  );
};

export const OFFER_FORMS: Record<string, Form> = {
  [`${OFFER_PATH}/aceitar`]: ownForm(OFFER_PATH, async ({ api, params, idempotencyKey }, sent) => {
    const { hash, merchant } = await acceptOffer(api, params.id!, sent, idempotencyKey);
    const to = `/carteira/compras/${hash}`;
    const note = `Compra feita. ${merchant.name} já recebeu a confirmação: pode levar a compra.`;
    return told(to, note);
  }),
  [`${OFFER_PATH}/recusar`]: ownForm(OFFER_PATH, async ({ api, params }) => {
    await api.declineOffer({ path: { id: params.id! } });
    const to = '/carteira/ofertas';
    return told(to, 'Oferta recusada. Nada foi cobrado.');
  }),
};
