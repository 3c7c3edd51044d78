import type { components } from '#client';
import { parseReaisInput } from '#core/values/money.ts';
import { defineSessionForm, redirectWithNote, redisplayForm } from '../server/form.ts';
import { PageNotFound } from '../server/personal-routes.ts';
import { getInvalidFieldText, toFieldErrors } from '../server/problem-texts.ts';
import type { FormHandler, PersonalPageHandler } from '../server/visit.ts';
import {
  formatLongDate,
  formatLongDay,
  formatReais,
  formatShortDay,
  formatShortTime,
  pluralize,
} from '../text/format.ts';
import { QuietLink, StackLink, Submit } from '../ui/buttons.tsx';
import {
  EmptyState,
  KeyFigure,
  Line,
  Pagination,
  Panel,
  Row,
  Status,
  type StatusText,
} from '../ui/components.tsx';
import { CopyField, PostForm } from '../ui/forms.tsx';
import { Coin, People, Share } from '../ui/icons.tsx';
import {
  buildInstallmentPath,
  buildPurchasePath,
  getSettleAmount,
  INSTALLMENT_ROUTE,
  readInstallment,
} from './installment-timeline.tsx';
import { buildPagePath, WalletPage } from './layout.tsx';

const ENTRY_KIND_TEXTS: Record<components['schemas']['CashbackEntry']['kind'], string> = {
  earned: 'Parcela paga em dia',
  referral: 'Convite',
  redeemed: 'Usado em uma parcela',
  expired: 'Vencido',
  reversed: 'Cancelado',
  adjusted: 'Ajuste',
};
const MAX_UNFOLDED_EXPIRIES = 6;
const buildEntriesPath = (page: number) => buildPagePath('/carteira/cashback', page);

const ExpiryList = ({ expiries }: { expiries: components['schemas']['CashbackBalance']['expiring'] }) => (
  <dl class="totals">
    {expiries.map(({ amount, expires_on }) => (
      <Line key={expires_on} name={`até ${formatLongDay(expires_on)}`} value={formatReais(amount)} />
    ))}
  </dl>
);

export const cashbackPage: PersonalPageHandler = async (visit) => {
  const { api, pageNumber: page } = visit;
  const [balance, entriesPage] = await Promise.all([
    api.getCashbackBalance(),
    api.listCashbackEntries({ query: { page, limit: 20 } }),
  ]);
  if (page > 1 && entriesPage.data.length === 0)
    return { redirectTo: buildEntriesPath(entriesPage.pagination.pages) };
  const { available, pending, expiring, lifetime_earned } = balance;
  return (
    <WalletPage
      title="Cashback"
      tab="cashback"
      lead="Você ganha pagando em dia e convidando amigos, e usa para abater parcelas."
    >
      <div class="columns">
        <section class="panel deep-panel" aria-label="Saldo">
          <KeyFigure name="Disponível agora" figure={formatReais(available)} />
          <p class="glance-foot">
            {pending > 0 && `+ ${formatReais(pending)} se pagar em dia as parcelas em aberto · `}
            {formatReais(lifetime_earned)} recebidos até hoje
          </p>
          {available < 0 && (
            <p class="glance-foot">
              Parte do cashback que você já usou foi cancelada. O próximo que você ganhar cobre a diferença;
              nada será cobrado. Até lá, não é possível fazer novas compras.
            </p>
          )}
        </section>
        <Panel id="vence" title="Validade do cashback">
          {expiring.length > 0 ? (
            <>
              <ExpiryList expiries={expiring.slice(0, MAX_UNFOLDED_EXPIRIES)} />
              {expiring.length > MAX_UNFOLDED_EXPIRIES && (
                <details class="more-ends">
                  <summary>
                    Ver {pluralize(expiring.length - MAX_UNFOLDED_EXPIRIES, 'outra data', 'outras datas')}
                  </summary>
                  <ExpiryList expiries={expiring.slice(MAX_UNFOLDED_EXPIRIES)} />
                </details>
              )}
            </>
          ) : (
            <p class="muted">Nenhum cashback a vencer.</p>
          )}
          <p class="hint">O que vence primeiro é usado primeiro. Para usar, escolha uma parcela em Início.</p>
        </Panel>
      </div>
      <h2 class="small-title">Extrato</h2>
      {entriesPage.data.length > 0 ? (
        <ul class="rows ledger">
          {entriesPage.data.map(
            ({ id, kind, amount, balance_after, description, checkout_hash, occurred_at, expires_on }) => (
              <Row
                key={id}
                title={description || ENTRY_KIND_TEXTS[kind]}
                href={checkout_hash ? buildPurchasePath(checkout_hash) : undefined}
                amount={`${amount > 0 ? '+' : '−'} ${formatReais(Math.abs(amount))}`}
                isGain={amount > 0}
                amountNote={`saldo ${formatReais(balance_after)}`}
              >
                <p class="muted">
                  {formatShortTime(occurred_at)}
                  {expires_on && ` · vale até ${formatShortDay(expires_on)}`}
                </p>
              </Row>
            ),
          )}
        </ul>
      ) : (
        <EmptyState icon={<Coin />} title="Seu primeiro cashback vem com a primeira parcela paga em dia.">
          <p class="actions">
            <QuietLink href="/carteira">Ver compras</QuietLink>
          </p>
        </EmptyState>
      )}
      <Pagination page={page} pages={entriesPage.pagination.pages} buildHref={buildEntriesPath} />
    </WalletPage>
  );
};

const TOO_MUCH_TEXT = 'Escolha um valor até o seu saldo e até o que falta da parcela.';

/** Confirms the use of cashback, because used cashback cannot be returned. */
export const cashbackConfirmationPage: PersonalPageHandler = async (visit) => {
  const { readQuery } = visit;
  const { checkout, installment } = await readInstallment(visit);
  if (!installment) throw new PageNotFound();
  const installmentPath = buildInstallmentPath(checkout.hash, installment.number);
  const cents = parseReaisInput(readQuery('valor') ?? '');
  if (cents === null || cents <= 0 || installment.status === 'paid') return { redirectTo: installmentPath };
  const value = formatReais(cents / 100);
  return (
    <WalletPage
      title="Usar cashback"
      tab="inicio"
      heading="Confirme o uso do cashback"
      crumbs={[{ href: installmentPath, text: `${installment.number}ª parcela` }]}
      wrapperClass="form-column"
    >
      <PostForm action={`${installmentPath}/cashback/confirmar`} class="panel decision">
        <p class="figure-big">{value}</p>
        <p>
          Este valor sai do seu saldo de cashback e abate agora a {installment.number}ª parcela de{' '}
          {checkout.merchant.name}. Não é possível desfazer depois.
        </p>
        <input type="hidden" name="cashback" value={readQuery('valor')} />
        <Submit class="wide">Usar {value} de cashback</Submit>
        <StackLink href={installmentPath}>Voltar sem usar</StackLink>
      </PostForm>
    </WalletPage>
  );
};

export const CASHBACK_FORMS: Record<string, FormHandler> = {
  [`${INSTALLMENT_ROUTE}/cashback`]: defineSessionForm(INSTALLMENT_ROUTE, async (visit, form) => {
    const { api, pagePath } = visit;
    const typedAmount = form.readText('cashback');
    const cents = parseReaisInput(typedAmount);
    if (cents === null || cents <= 0)
      return redisplayForm(visit, form, { cashback: getInvalidFieldText('value') });
    const [{ installment }, { available }] = await Promise.all([
      readInstallment(visit),
      api.getCashbackBalance(),
    ]);
    if (!installment) return { redirectTo: '/carteira' };
    const maxValue = Math.min(available, getSettleAmount(installment));
    if (cents / 100 > maxValue) return redisplayForm(visit, form, { cashback: TOO_MUCH_TEXT });
    return { redirectTo: `${pagePath}/cashback?${new URLSearchParams({ valor: typedAmount })}` };
  }),

  // After an error the customer returns to the page of the installment, which shows the typed amount again.
  [`${INSTALLMENT_ROUTE}/cashback/confirmar`]: defineSessionForm(INSTALLMENT_ROUTE, async (visit, form) => {
    const { api, pagePath, idempotencyKey } = visit;
    const cents = parseReaisInput(form.readText('cashback'));
    const { installment } = await readInstallment(visit);
    if (cents === null || !installment) return { redirectTo: pagePath };
    try {
      const { applied, installment: updatedInstallment } = await api.payWithCashback({
        path: { id: installment.id },
        body: { value: cents / 100 },
        idempotencyKey,
      });
      const remainderText =
        updatedInstallment.status === 'paid'
          ? 'A parcela está paga.'
          : `Faltam ${formatReais(updatedInstallment.total_due)}.`;
      return redirectWithNote(pagePath, `Você usou ${formatReais(applied)} de cashback. ${remainderText}`);
    } catch (error) {
      const tooMuchError = { field: 'cashback', text: TOO_MUCH_TEXT };
      return redisplayForm(visit, form, toFieldErrors(error, { value_out_of_range: tooMuchError }));
    }
  }),
};

const INVITATIONS_PER_PAGE = 20;
const buildInvitationsPath = (page: number) => buildPagePath('/carteira/convites', page);

type Invitation = components['schemas']['Referral']['invitations'][number];

const INVITATION_STATUS_TEXTS: Record<Invitation['status'], StatusText> = {
  registered: { text: 'Criou a conta', tone: 'wait' },
  rewarded: { text: 'Já pagou o mínimo', tone: 'open' },
  expired: { text: 'Prazo encerrado', tone: 'paid' },
};

export const invitationsPage: PersonalPageHandler = async (visit) => {
  const { api, siteUrl, pageNumber: page } = visit;
  const { code, reward, summary, invitations } = await api.getReferral({
    query: { page, limit: INVITATIONS_PER_PAGE },
  });
  const pages = Math.ceil(summary.invited / INVITATIONS_PER_PAGE);
  if (page > 1 && invitations.length === 0) return { redirectTo: buildInvitationsPath(pages) };
  const link = `${siteUrl}/convite/${code}`;
  const shareText = `Compre nas lojas do bairro e pague por semana, com PIX. Com o meu convite, você ganha ${formatReais(reward.invited)} de cashback.`;
  return (
    <WalletPage
      title="Convites"
      tab="convites"
      heading="Convide e ganhem os dois"
      lead={`Quando a pessoa pagar ${formatReais(reward.min_paid)} em parcelas por PIX, em até 90 dias, você ganha ${formatReais(reward.referrer)} e ela, ${formatReais(reward.invited)}.`}
    >
      <div class="columns">
        <Panel id="convite" title="Seu convite" class="panel invite">
          <p class="ticket">
            <span class="muted">Código</span>
            <strong>{code}</strong>
          </p>
          <CopyField id="link" label="Link do convite" value={link} />
          <div class="actions">
            <button class="button" type="button" data-share={shareText} data-share-link={link} hidden>
              <Share /> Compartilhar
            </button>
            <button class="button quiet" type="button" data-copy="link" hidden>
              Copiar link
            </button>
            <a
              class="button quiet"
              href={`https://wa.me/?text=${encodeURIComponent(`${shareText} ${link}`)}`}
              rel="noopener noreferrer"
            >
              Enviar por WhatsApp
            </a>
          </div>
        </Panel>
        <Panel id="resultado" title="Resultado até agora">
          <dl class="totals">
            <Line
              name="Criaram conta com o seu convite"
              value={pluralize(summary.invited, 'pessoa', 'pessoas')}
            />
            <Line name="Já pagaram o mínimo" value={summary.rewarded} />
            <Line name="Você ganhou" value={formatReais(summary.earned)} isTotal />
          </dl>
        </Panel>
      </div>
      <h2 class="small-title">Pessoas convidadas</h2>
      {invitations.length > 0 ? (
        <ul class="rows">
          {invitations.map(({ name, status, invited_at, reward: earnedAmount }) => (
            <Row
              key={name + invited_at}
              title={name}
              amount={earnedAmount > 0 && `+ ${formatReais(earnedAmount)}`}
              isGain
            >
              <p class="row-foot">
                <Status {...INVITATION_STATUS_TEXTS[status]} />
                <span class="muted">{formatLongDate(invited_at)}</span>
              </p>
            </Row>
          ))}
        </ul>
      ) : (
        <EmptyState icon={<People />} title="Ninguém usou o seu convite ainda.">
          <p>Envie o link para quem compra nas lojas do bairro.</p>
        </EmptyState>
      )}
      <Pagination page={page} pages={pages} buildHref={buildInvitationsPath} />
    </WalletPage>
  );
};
