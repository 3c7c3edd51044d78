import type { components } from '#client';
import { parseReaisInput } from '#core/values/money.ts';
import { privateForm, redirectWithNote, redisplayForm } from '../server/form.ts';
import { PageNotFound } from '../server/kernel.ts';
import { textForMissingField, toFieldErrors } from '../server/problem-texts.ts';
import type { FormHandler, PersonalPageHandler } from '../server/visit.ts';
import { inReais, longDay, plural, shortDay, shortTime } from '../text/format.ts';
import { QuietLink, StackLink, Submit } from '../ui/buttons.tsx';
import { EmptyState, Line, Pagination, Panel, Row } from '../ui/components.tsx';
import { Coin } from '../ui/icons.tsx';
import { PostForm } from '../ui/personal-components.tsx';
import { findInstallment, INSTALLMENT_ROUTE } from './installment.tsx';
import { findSettleOption } from './installment-timeline.tsx';
import { WalletPage } from './layout.tsx';

const KIND_TEXTS: Record<components['schemas']['CashbackEntry']['kind'], string> = {
  earned: 'Parcela paga em dia',
  referral: 'Convite',
  redeemed: 'Usado em uma parcela',
  expired: 'Vencido',
  reversed: 'Cancelado',
  adjusted: 'Ajuste',
};
const MAX_UNFOLDED_EXPIRIES = 6;
const listPath = (page: number) => (page > 1 ? `/carteira/cashback?pagina=${page}` : '/carteira/cashback');

const ExpiryList = ({ expiries }: { expiries: components['schemas']['CashbackBalance']['expiring'] }) => (
  <dl class="totals">
    {expiries.map(({ amount, expires_on }) => (
      <Line key={expires_on} name={`até ${longDay(expires_on)}`} value={inReais(amount)} />
    ))}
  </dl>
);

export const cashbackPage: PersonalPageHandler = async (visit) => {
  const { api, page: readPage } = visit;
  const page = readPage();
  const [balance, ledger] = await Promise.all([
    api.getCashbackBalance(),
    api.listCashbackEntries({ query: { page, limit: 20 } }),
  ]);
  if (page > 1 && ledger.data.length === 0) return { redirectTo: listPath(ledger.pagination.pages) };
  const { available, pending, expiring, lifetime_earned } = balance;
  return (
    <WalletPage
      title="Cashback"
      tab="cashback"
      lead="Você ganha pagando em dia e convidando amigos, e usa para abater parcelas."
    >
      <div class="columns">
        <section class="panel deep-panel" aria-label="Saldo">
          <p class="glance-name">Disponível agora</p>
          <p class="glance-figure">{inReais(available)}</p>
          <p class="glance-foot">
            {pending > 0 && `+ ${inReais(pending)} se pagar em dia as parcelas em aberto · `}
            {inReais(lifetime_earned)} recebidos até hoje
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
                    Ver {plural(expiring.length - MAX_UNFOLDED_EXPIRIES, 'outra data', 'outras datas')}
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
      {ledger.data.length > 0 ? (
        <ul class="rows ledger">
          {ledger.data.map(
            ({ id, kind, amount, balance_after, description, checkout_hash, occurred_at, expires_on }) => (
              <Row
                key={id}
                title={description || KIND_TEXTS[kind]}
                href={checkout_hash ? `/carteira/compras/${checkout_hash}` : undefined}
                amount={`${amount > 0 ? '+' : '−'} ${inReais(Math.abs(amount))}`}
                isGain={amount > 0}
                amountNote={`saldo ${inReais(balance_after)}`}
              >
                <p class="muted">
                  {shortTime(occurred_at)}
                  {expires_on && ` · vale até ${shortDay(expires_on)}`}
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
      <Pagination page={page} pages={ledger.pagination.pages} href={listPath} />
    </WalletPage>
  );
};

const TOO_MUCH = 'Escolha um valor até o seu saldo e até o que falta da parcela.';

/** Asks for a confirmation, because used cashback cannot be returned. */
export const useCashbackPage: PersonalPageHandler = async (visit) => {
  const { api, params, query } = visit;
  const checkout = await api.getCheckout({ path: { hash: params.hash! } });
  const installment = checkout.installments.find(({ number }) => String(number) === params.number);
  if (!installment) throw new PageNotFound();
  const basePath = `/carteira/compras/${checkout.hash}/${installment.number}`;
  const cents = parseReaisInput(query('valor') ?? '');
  if (cents === null || cents <= 0 || installment.status === 'paid') return { redirectTo: basePath };
  const value = inReais(cents / 100);
  return (
    <WalletPage
      title="Usar cashback"
      tab="inicio"
      heading="Confirme o uso do cashback"
      crumbs={[{ href: basePath, text: `${installment.number}ª parcela` }]}
      wrap="form-column"
    >
      <PostForm action={`${basePath}/cashback/confirmar`} class="panel decision">
        <p class="figure-big">{value}</p>
        <p>
          Este valor sai do seu saldo de cashback e abate agora a {installment.number}ª parcela de{' '}
          {checkout.merchant.name}. Não é possível desfazer depois.
        </p>
        <input type="hidden" name="cashback" value={query('valor')} />
        <Submit wide>Usar {value} de cashback</Submit>
        <StackLink href={basePath}>Voltar sem usar</StackLink>
      </PostForm>
    </WalletPage>
  );
};

export const CASHBACK_FORMS: Record<string, FormHandler> = {
  [`${INSTALLMENT_ROUTE}/cashback`]: privateForm(INSTALLMENT_ROUTE, async (visit, form) => {
    const { api, page } = visit;
    const typed = form.text('cashback');
    const cents = parseReaisInput(typed);
    if (cents === null || cents <= 0)
      return redisplayForm(visit, form, { cashback: textForMissingField('value') });
    const [installment, { available }] = await Promise.all([
      findInstallment(visit),
      api.getCashbackBalance(),
    ]);
    if (!installment) return { redirectTo: '/carteira' };
    const maxValue = Math.min(available, findSettleOption(installment)?.value ?? installment.total_due);
    if (cents / 100 > maxValue) return redisplayForm(visit, form, { cashback: TOO_MUCH });
    return { redirectTo: `${page}/cashback?${new URLSearchParams({ valor: typed })}` };
  }),

  /** On an error the page of the installment shows the typed values again. */
  [`${INSTALLMENT_ROUTE}/cashback/confirmar`]: privateForm(INSTALLMENT_ROUTE, async (visit, form) => {
    const { api, page, idempotencyKey } = visit;
    const cents = parseReaisInput(form.text('cashback'));
    const installment = await findInstallment(visit);
    if (cents === null || !installment) return { redirectTo: page };
    try {
      const { applied, installment: updated } = await api.payWithCashback({
        path: { id: installment.id },
        body: { value: cents / 100 },
        idempotencyKey,
      });
      const rest =
        updated.status === 'paid' ? 'A parcela está paga.' : `Faltam ${inReais(updated.total_due)}.`;
      return redirectWithNote(page, `Você usou ${inReais(applied)} de cashback. ${rest}`);
    } catch (error) {
      const tooMuch = { field: 'cashback', text: TOO_MUCH };
      return redisplayForm(visit, form, toFieldErrors(error, { value_out_of_range: tooMuch }));
    }
  }),
};
