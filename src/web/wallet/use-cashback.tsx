import { readReais } from '#core/money.ts';
import { again, ownForm, told } from '../server/form.ts';
import type { Form, MakePersonalPage } from '../server/visit.ts';
import { faultOf, missing } from '../server/words.ts';
import { inReais } from '../text/format.ts';
import { StackLink, Submit } from '../ui/buttons.tsx';
import { PostForm } from '../ui/personal-parts.tsx';
import { INSTALLMENT_PATH, installmentOf } from './installment.tsx';
import { WalletPage } from './layout.tsx';
import { missingPage } from './notices.tsx';
import { settling } from './parts.tsx';

const TOO_MUCH = 'Escolha um valor até o seu saldo e até o que falta da parcela.';

/** A confirmation page: spent cashback cannot be returned. */
export const useCashbackPage: MakePersonalPage = async (visit) => {
  const { api, params, query } = visit;
  const checkout = await api.getCheckout({ path: { hash: params.hash! } });
  const installment = checkout.installments.find(({ number }) => String(number) === params.number);
  if (!installment) return missingPage(visit);
  const base = `/carteira/compras/${checkout.hash}/${installment.number}`;
  const cents = readReais(query('valor') ?? '');
  if (cents === null || cents <= 0 || installment.status === 'paid') return { to: base };
  const value = inReais(cents / 100);
  return (
    <WalletPage
      title="Usar cashback"
      visit={visit}
      tab="inicio"
      heading="Confirme o uso do cashback"
      crumbs={[{ href: base, text: `${installment.number}ª parcela` }]}
      wrap="door"
    >
      <PostForm visit={visit} action={`${base}/cashback/confirmar`} class="panel answer">
        <p class="figure-big">{value}</p>
        <p>
          Este valor sai do seu saldo de cashback e abate agora a {installment.number}ª parcela de{' '}
          {checkout.merchant.name}. Não é possível desfazer depois.
        </p>
        <input type="hidden" name="cashback" value={query('valor')} />
        <Submit wide>Usar {value} de cashback</Submit>
        <StackLink to={base}>Voltar sem usar</StackLink>
      </PostForm>
    </WalletPage>
  );
};

export const CASHBACK_FORMS: Record<string, Form> = {
  [`${INSTALLMENT_PATH}/cashback`]: ownForm(INSTALLMENT_PATH, async (visit, sent) => {
    const { api, page } = visit;
    const typed = sent.text('cashback');
    const cents = readReais(typed);
    if (cents === null || cents <= 0) return again(visit, sent, { cashback: missing('value') });
    const [installment, { available }] = await Promise.all([installmentOf(visit), api.getCashbackBalance()]);
    if (!installment) return { to: '/carteira' };
    const most = Math.min(available, settling(installment)?.value ?? installment.total_due);
    if (cents / 100 > most) return again(visit, sent, { cashback: TOO_MUCH });
    return { to: `${page}/cashback?${new URLSearchParams({ valor: typed })}` };
  }),

  /** On a problem the typed values are shown again on the installment's page. */
  [`${INSTALLMENT_PATH}/cashback/confirmar`]: ownForm(INSTALLMENT_PATH, async (visit, sent) => {
    const { api, page, idempotencyKey } = visit;
    const cents = readReais(sent.text('cashback'));
    const installment = await installmentOf(visit);
    if (cents === null || !installment) return { to: page };
    try {
      const { applied, installment: after } = await api.payWithCashback({
        path: { id: installment.id },
        body: { value: cents / 100 },
        idempotencyKey,
      });
      const rest = after.status === 'paid' ? 'A parcela está paga.' : `Faltam ${inReais(after.total_due)}.`;
      return told(page, `Você usou ${inReais(applied)} de cashback. ${rest}`);
    } catch (error) {
      const tooMuch = { field: 'cashback', text: TOO_MUCH };
      return again(visit, sent, faultOf(error, { value_out_of_range: tooMuch }));
    }
  }),
};
