import { type components, isProblem } from '#client';
import { defineSessionForm, redirectWithNote, redisplayForm } from '../server/form.ts';
import { acceptOffer, applyChosenInstallments } from '../server/offers.ts';
import { buildPermissionsPolicy } from '../server/security.ts';
import type { FormHandler, PersonalPageHandler } from '../server/visit.ts';
import { formatPhone, formatReais, formatShortTime, formatWeeks } from '../text/format.ts';
import { LinkButton, QuietLink, Submit } from '../ui/buttons.tsx';
import { EmptyState, PageHead, Pagination, Row, Status, type StatusText } from '../ui/components.tsx';
import { Field, PostForm } from '../ui/forms.tsx';
import { Tag } from '../ui/icons.tsx';
import { OfferCosts, OfferDecision, OfferHead } from '../ui/offer-components.tsx';
import { renderStatusPage } from '../ui/personal-app.tsx';
import { SandboxOfferForm } from './home.tsx';
import { buildPagePath, WalletPage } from './layout.tsx';

type Offer = components['schemas']['WalletOffer'];

const OFFER_ROUTE = '/carteira/ofertas/:id';
const buildListPath = (page: number) => buildPagePath('/carteira/ofertas', page);
const STATUS_TEXTS: Record<Offer['status'], StatusText & { nextStep?: string }> = {
  pending: { text: 'Aguardando resposta', tone: 'wait' },
  accepted: { text: 'Aceita', tone: 'open' },
  declined: {
    text: 'Recusada',
    tone: 'paid',
    nextStep: 'Nada foi cobrado. Se mudar de ideia, peça outra oferta na loja.',
  },
  expired: {
    text: 'Vencida',
    tone: 'paid',
    nextStep: 'Nada foi cobrado. Se ainda quiser comprar, peça outra oferta na loja.',
  },
  cancelled: { text: 'Cancelada pela loja', tone: 'paid', nextStep: 'Nada foi cobrado.' },
};

export const offersPage: PersonalPageHandler = async (visit) => {
  const { api, pageNumber: page } = visit;
  const { data, pagination } = await api.listWalletOffers({ query: { page, limit: 10 } });
  if (page > 1 && data.length === 0) return { redirectTo: buildListPath(pagination.pages) };
  // Pending offers come first.
  const sortedOffers = data.toSorted(
    (a, b) => Number(b.status === 'pending') - Number(a.status === 'pending'),
  );
  return (
    <WalletPage
      title="Ofertas"
      tab="ofertas"
      head={
        <PageHead
          title="Ofertas"
          lead="O que as lojas ofereceram a você. Se você não responder, nada é cobrado."
        >
          <p class="pay-entry">
            <QuietLink href="/carteira/pagar">Pagar uma compra</QuietLink>
          </p>
        </PageHead>
      }
      wrapperClass="narrow"
    >
      {sortedOffers.length > 0 ? (
        <ul class="rows">
          {sortedOffers.map((offer) => (
            <Row
              key={offer.id}
              level={2}
              title={offer.merchant.name}
              href={`/carteira/${offer.checkout_hash ? `compras/${offer.checkout_hash}` : `ofertas/${offer.id}`}`}
              merchant={offer.merchant}
              amount={formatReais(offer.quote.amount)}
              amountNote={`em ${formatWeeks(offer.quote.installments.length)}`}
            >
              <p class="muted">{offer.description}</p>
              <p class="row-foot">
                <Status {...STATUS_TEXTS[offer.status]} />
                {offer.status === 'pending' && (
                  <span class="muted">até {formatShortTime(offer.expires_at)}</span>
                )}
              </p>
            </Row>
          ))}
        </ul>
      ) : (
        <EmptyState icon={<Tag />} title="Nenhuma oferta agora.">
          <p>
            Na loja, diga que vai pagar com a Semana e informe o seu celular. A oferta aparece aqui na hora.
          </p>
          <p class="actions">
            <LinkButton href="/lojas">Ver lojas</LinkButton>
          </p>
          <SandboxOfferForm />
        </EmptyState>
      )}
      <Pagination page={page} pages={pagination.pages} buildHref={buildListPath} />
    </WalletPage>
  );
};

export const offerPage: PersonalPageHandler = async (visit) => {
  const { api, params } = visit;
  const path = { id: params.id! };
  const offerWithCustomer = await Promise.all([api.getWalletOffer({ path }), api.getMe()]).catch(
    async (error: unknown) => {
      if (!isProblem(error, 'not_found')) throw error;
      // The customer has no such offer. If the offer exists, it is for another phone; else this call fails with a 404.
      await api.getOpenOffer({ path: { token: path.id } });
      return undefined;
    },
  );
  if (!offerWithCustomer)
    return renderStatusPage(WalletPage, visit, {
      title: 'Oferta de outro celular',
      heading: 'Esta oferta foi feita para outro celular.',
      lead: (
        <>
          Entre com o celular que recebeu a mensagem. Se a oferta era para você, peça à loja que a faça para o
          celular desta conta{visit.user && `, ${formatPhone(visit.user.phone)}`}.
        </>
      ),
      links: [
        { href: '/carteira/ofertas', text: 'Minhas ofertas' },
        { href: '/carteira', text: 'Minha carteira' },
      ],
    });
  const [originalOffer, { credit }] = offerWithCustomer;
  const { offer, maxInstallments } = await applyChosenInstallments(visit, originalOffer);
  const { quote, status, return_url, checkout_hash } = offer;
  return (
    <WalletPage
      title="Oferta"
      tab="ofertas"
      head={<OfferHead offer={offer} crumbs={[{ href: '/carteira/ofertas', text: 'Ofertas' }]} />}
    >
      <div class="columns">
        <OfferCosts quote={quote} />
        <div>
          {status === 'pending' ? (
            <OfferDecision
              basePath={`/carteira/ofertas/${offer.id}`}
              offer={offer}
              maxWeeks={maxInstallments}
              credit={credit}
            />
          ) : (
            <div class="panel decision">
              <p>
                <Status {...STATUS_TEXTS[status]} />
              </p>
              {STATUS_TEXTS[status].nextStep && <p>{STATUS_TEXTS[status].nextStep}</p>}
              <p class="actions">
                {checkout_hash ? (
                  <LinkButton href={`/carteira/compras/${checkout_hash}`}>Ver a compra</LinkButton>
                ) : (
                  <QuietLink href="/carteira/ofertas">Ver ofertas</QuietLink>
                )}
                {return_url && <QuietLink href={return_url}>Voltar para a loja</QuietLink>}
              </p>
            </div>
          )}
        </div>
      </div>
    </WalletPage>
  );
};

export const OFFER_FORMS: Record<string, FormHandler> = {
  [`${OFFER_ROUTE}/aceitar`]: defineSessionForm(
    OFFER_ROUTE,
    async ({ api, params, idempotencyKey }, form) => {
      const { hash, merchant } = await acceptOffer(api, params.id!, form, idempotencyKey);
      const note = `Compra feita. ${merchant.name} já recebeu a confirmação: pode levar a compra.`;
      return redirectWithNote(`/carteira/compras/${hash}`, note);
    },
  ),
  [`${OFFER_ROUTE}/recusar`]: defineSessionForm(OFFER_ROUTE, async ({ api, params }) => {
    await api.declineOffer({ path: { id: params.id! } });
    return redirectWithNote('/carteira/ofertas', 'Oferta recusada. Nada foi cobrado.');
  }),
};

const PAY_PATH = '/carteira/pagar';

/** Opens an offer by the code or the QR code on the shop's screen. Only this page may use the camera. */
export const payPage: PersonalPageHandler = async () => ({
  headers: { 'permissions-policy': buildPermissionsPolicy('self') },
  body: (
    <WalletPage
      title="Pagar uma compra"
      tab="ofertas"
      lead="Use o código que a loja mostra. Você ainda vê quanto custa antes de confirmar."
      crumbs={[{ href: '/carteira/ofertas', text: 'Ofertas' }]}
      wrapperClass="form-column"
    >
      <PostForm action={PAY_PATH} class="panel">
        <input type="hidden" name="token" value="" />
        <Field
          name="codigo"
          label="Código da loja"
          hint="8 letras e números."
          autocomplete="off"
          maxLength={20}
        />
        <Submit class="wide">Continuar</Submit>
        <button class="button quiet wide" type="button" data-scan hidden>
          Ler o QR code com a câmera
        </button>
        <video class="scan" playsInline muted hidden aria-label="Imagem da câmera" />
        <p class="hint" id="camera" role="status" />
      </PostForm>
    </WalletPage>
  ),
});

export const PAY_FORMS: Record<string, FormHandler> = {
  [PAY_PATH]: defineSessionForm(PAY_PATH, async (visit, form) => {
    const [token, code] = [form.readText('token'), form.readText('codigo')];
    if (!token && !code)
      return redisplayForm(visit, form, { codigo: 'Escreva o código que está na tela da loja.' });
    try {
      const { id } = await visit.api.claimOffer({ body: token ? { token } : { code } });
      return { redirectTo: `/carteira/ofertas/${id}` };
    } catch (error) {
      if (!isProblem(error, 'not_found', 'validation_failed')) throw error;
      const text = 'Nenhuma compra tem este código. Confira na tela da loja: ele pode ter mudado.';
      return redisplayForm(visit, form, { codigo: text });
    }
  }),
};
