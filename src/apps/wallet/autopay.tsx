import { type components, isProblem } from '#client';
import { defineSessionForm, redirectWithNote } from '../server/form.ts';
import type { FormHandler, PersonalPageHandler, PersonalVisit } from '../server/visit.ts';
import { formatLastMinuteBefore, formatOnWeekday, formatReais, formatShortDay } from '../text/format.ts';
import { LinkButton } from '../ui/buttons.tsx';
import { DonePanel, Line, Panel, Status } from '../ui/components.tsx';
import { BankCode, ButtonForm, buildLiveRegion, PostForm, Waiting } from '../ui/forms.tsx';
import { Bolt } from '../ui/icons.tsx';
import {
  buildPurchasePath,
  type Checkout,
  describeDebit,
  findDebit,
  findNextInstallment,
  type Installment,
  lowercaseFirst,
  PURCHASE_ROUTE,
} from './installment-timeline.tsx';
import { WalletPage } from './layout.tsx';

type Autopay = components['schemas']['Autopay'];

const AUTOPAY_ROUTE = `${PURCHASE_ROUTE}/debito`;
const buildAutopayPath = (hash: string) => `${buildPurchasePath(hash)}/debito`;
const REFRESH_SECONDS = 10;

/** Renders the autopay state of a purchase: available, pending, or active with the next debit and a button to turn it off. */
export function AutopayPanel({ visit, checkout }: { visit: PersonalVisit; checkout: Checkout }) {
  const { hash, status, autopay, installments } = checkout;
  if (status === 'paid') return null;
  const nextInstallment = findNextInstallment(installments);
  // The code of the authorisation pays the unpaid installment with the lowest number, even if its due day was extended.
  const firstUnpaidInstallment = installments.find((installment) => installment.status !== 'paid');
  const autopayPath = buildAutopayPath(hash);
  return (
    <Panel id="debito" title={[<Bolt key="icon" />, ' Débito automático']} class="panel autopay">
      {autopay?.status === 'active' ? (
        <>
          <p>
            <Status text="Ligado" tone="open" />
          </p>
          <p>{nextInstallment && describeNextDebit(checkout, nextInstallment, visit.now)}</p>
          <ButtonForm action={`${autopayPath}/desligar`} text="Desligar" variant="quiet" />
        </>
      ) : autopay?.status === 'pending' ? (
        <>
          <p>O código para autorizar no seu banco está pronto.</p>
          <LinkButton href={autopayPath}>Ver o código</LinkButton>
        </>
      ) : (
        <>
          <p>
            Autorize uma vez no aplicativo do seu banco, e cada parcela é paga sozinha no dia. Dá para
            desligar quando quiser, aqui ou no banco.
          </p>
          <PostForm action={`${autopayPath}/ligar`}>
            <p class="actions">
              {firstUnpaidInstallment?.status === 'open' && (
                <button class="button" type="submit" name="primeira" value="sim">
                  Pagar a {firstUnpaidInstallment.number}ª parcela e ligar
                </button>
              )}
              <button class="button quiet" type="submit" name="primeira" value="nao">
                Só ligar
              </button>
            </p>
          </PostForm>
        </>
      )}
    </Panel>
  );
}

function describeNextDebit(checkout: Checkout, installment: Installment, now: Date): string {
  const { number } = installment;
  const debit = findDebit(checkout, installment, now);
  if (debit?.status === 'scheduled')
    return `A ${number}ª parcela, de ${formatReais(debit.value)}, será debitada ${formatOnWeekday(debit.on)}. Você não precisa fazer nada.`;
  const debitText = describeDebit(debit);
  return debitText
    ? `${number}ª parcela: ${lowercaseFirst(debitText)}`
    : `A ${number}ª parcela não será debitada: pague por código. As seguintes são debitadas no dia.`;
}

export const autopayPage: PersonalPageHandler = async (visit) => {
  const { api, params } = visit;
  const path = { hash: params.hash! };
  // Autopay is read first: if it is active, the purchase that is read after it includes the scheduled debits.
  const autopay = await api.getAutopay({ path });
  const checkout = await api.getCheckout({ path });
  const { status } = autopay;
  const isPending = status === 'pending';
  const purchasePath = buildPurchasePath(checkout.hash);
  const purchaseLink = (
    <p class="actions">
      <LinkButton href={purchasePath}>Ver a compra</LinkButton>
    </p>
  );
  return (
    <WalletPage
      title="Débito automático"
      tab="inicio"
      refreshSeconds={isPending ? REFRESH_SECONDS : undefined}
      crumbs={[{ href: purchasePath, text: checkout.merchant.name }]}
      wrapperClass="pix-wrap"
    >
      <div {...buildLiveRegion('pix', status, isPending && '/carteira/eventos')}>
        {status === 'pending' ? (
          <PendingAuthorisation visit={visit} autopay={autopay} checkout={checkout} />
        ) : status === 'active' ? (
          <>
            <DonePanel
              title="Débito automático ligado."
              lead="Seu banco paga cada parcela no dia. Avisamos se algo der errado."
            >
              {purchaseLink}
            </DonePanel>
            <Panel id="debitos" title="O que será debitado">
              <DebitList installments={await listInstallmentsToDebit(visit, autopay, checkout)} />
            </Panel>
          </>
        ) : (
          <div class="panel pix-closed">
            <h2>{CLOSED_TEXTS[status]}</h2>
            {purchaseLink}
          </div>
        )}
      </div>
    </WalletPage>
  );
};

function PendingAuthorisation(props: { visit: PersonalVisit; autopay: Autopay; checkout: Checkout }) {
  const { visit, autopay, checkout } = props;
  const { br_code, qr_code, expires_at, first: paysFirstInstallment } = autopay;
  const unpaidInstallments = checkout.installments.filter(({ status }) => status !== 'paid');
  const otherInstallments = paysFirstInstallment ? unpaidInstallments.slice(1) : unpaidInstallments;
  return (
    <div class="panel pix">
      <p class="lead">
        {paysFirstInstallment
          ? `Um código só: paga a ${unpaidInstallments[0]?.number ?? 1}ª parcela e autoriza as seguintes.`
          : 'Este código só autoriza: nada é pago agora.'}
      </p>
      <BankCode
        label="Código para o banco"
        copyText="Copiar código"
        code={br_code}
        qrCode={qr_code}
        qrText="QR code desta autorização"
        steps={['Abra o aplicativo do seu banco e escolha Pix.', 'Confirme a autorização.']}
      />
      <Waiting now={visit.now}>
        Aguardando o seu banco. O código vale até {formatLastMinuteBefore(expires_at)}
      </Waiting>
      <DebitList installments={otherInstallments.filter(({ status }) => status === 'open')} />
      {visit.sandboxBar && (
        <>
          <p class="hint">No sandbox, você também é o banco:</p>
          <ButtonForm
            action="/carteira/sandbox/autorizar"
            text="Autorizar como o banco"
            variant="sun"
            values={{ volta: visit.path, compra: checkout.hash }}
          />
        </>
      )}
    </div>
  );
}

/** Lists the open installments. Omits the one that the authorisation code also paid, even while that payment is in transit. */
async function listInstallmentsToDebit(
  { api }: PersonalVisit,
  { first: paidFirstInstallment }: Autopay,
  { installments }: Checkout,
): Promise<Installment[]> {
  const openInstallments = installments.filter(({ status }) => status === 'open');
  const firstUnpaidInstallment = installments.find(({ status }) => status !== 'paid');
  if (!paidFirstInstallment || !firstUnpaidInstallment) return openInstallments;
  const { data: charges } = await api.listPix({
    path: { id: firstUnpaidInstallment.id },
    query: { limit: 20 },
  });
  return charges.some(({ status }) => status === 'pending')
    ? openInstallments.filter(({ id }) => id !== firstUnpaidInstallment.id)
    : openInstallments;
}

const DebitList = ({ installments }: { installments: Installment[] }) => (
  <dl class="totals">
    {installments.map(({ number, effective_due_on, outstanding }) => (
      <Line
        key={number}
        name={`${number}ª parcela, ${formatShortDay(effective_due_on)}`}
        value={formatReais(outstanding)}
      />
    ))}
  </dl>
);

const CLOSED_TEXTS: Record<Exclude<Autopay['status'], 'pending' | 'active'>, string> = {
  rejected: 'A autorização foi recusada no seu banco. Nada será debitado.',
  expired: 'O código venceu antes de o seu banco responder. Nada será debitado.',
  ended: 'O débito automático está desligado. As parcelas são pagas por código.',
};

const REFUSAL_TEXTS: Record<string, string> = {
  nothing_to_debit: 'Nenhuma parcela desta compra pode mais ser debitada: pague por código.',
  autopay_active: 'O débito automático desta compra já está ligado.',
  autopay_unavailable: 'O débito automático não está disponível agora.',
};

export const AUTOPAY_FORMS: Record<string, FormHandler> = {
  [`${AUTOPAY_ROUTE}/ligar`]: defineSessionForm(
    PURCHASE_ROUTE,
    async ({ api, params, pagePath, idempotencyKey }, form) => {
      try {
        await api.askAutopay({
          idempotencyKey,
          path: { hash: params.hash! },
          body: { first: form.readText('primeira') === 'sim' },
        });
        return { redirectTo: buildAutopayPath(params.hash!) };
      } catch (error) {
        if (!isProblem(error, 'nothing_to_debit', 'autopay_active', 'autopay_unavailable')) throw error;
        return redirectWithNote(pagePath, REFUSAL_TEXTS[error.code]!);
      }
    },
  ),
  [`${AUTOPAY_ROUTE}/desligar`]: defineSessionForm(PURCHASE_ROUTE, async ({ api, params, pagePath }) => {
    await api.endAutopay({ path: { hash: params.hash! } });
    return redirectWithNote(pagePath, 'Débito automático desligado. As parcelas são pagas por código.');
  }),
};
