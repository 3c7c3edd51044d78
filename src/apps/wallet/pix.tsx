import type { components } from '#client';
import { PageNotFound } from '../server/personal-routes.ts';
import type { PersonalPageHandler, PersonalVisit } from '../server/visit.ts';
import { formatClockTime, formatLastMinuteBefore, formatReais, formatShortDay } from '../text/format.ts';
import { LinkButton, QuietLink } from '../ui/buttons.tsx';
import { DonePanel } from '../ui/components.tsx';
import { BankCode, ButtonForm, buildLiveRegion, Waiting } from '../ui/forms.tsx';
import { Coin } from '../ui/icons.tsx';
import {
  buildInstallmentPath,
  buildPixFormValues,
  buildPurchasePath,
  type Checkout,
  findSettleOption,
  type Installment,
  readInstallment,
} from './installment-timeline.tsx';
import { WalletPage } from './layout.tsx';
import { PushPrompt } from './messages.tsx';

type Charge = components['schemas']['PixCharge'];

const REFRESH_SECONDS = 10;

const HEADINGS = {
  settle: 'Pagar a parcela',
  settle_with_penalty: 'Pagar a parcela',
  settle_partial: 'Pagar uma parte',
  extend: 'Prorrogar a parcela',
} as const;

export const pixPage: PersonalPageHandler = async (visit) => {
  const { api, params } = visit;
  // The charge is read first: if it is paid, the purchase that is read after it includes the payment.
  const charge = await api.getPix({ path: { id: params.id! } });
  const { checkout, installment } = await readInstallment(visit);
  if (installment?.id !== charge.installment_id) throw new PageNotFound();
  const isPending = charge.status === 'pending';
  const isPaid = charge.status === 'paid';
  const [earnedCashback, push] = isPaid
    ? await Promise.all([readEarnedCashback(visit, installment), api.getPush()])
    : [0, undefined];
  const installmentPath = buildInstallmentPath(checkout.hash, installment.number);
  const props: ChargeProps = { visit, charge, checkout, installment, installmentPath, earnedCashback };
  return (
    <WalletPage
      title={isPending ? 'Pagar com PIX' : 'PIX'}
      tab="inicio"
      pixId={isPending ? charge.id : undefined}
      refreshSeconds={isPending ? REFRESH_SECONDS : undefined}
      heading={HEADINGS[charge.type]}
      crumbs={[
        { href: buildPurchasePath(checkout.hash), text: checkout.merchant.name },
        { href: installmentPath, text: `${installment.number}ª parcela` },
      ]}
      wrapperClass="pix-wrap"
    >
      <div {...buildLiveRegion('pix', charge.status, isPending && '/carteira/eventos')}>
        {isPending ? (
          <PendingCharge {...props} />
        ) : isPaid ? (
          <PaidCharge {...props} />
        ) : (
          <ClosedCharge {...props} />
        )}
        {push?.browsers === 0 && <PushPrompt publicKey={push.public_key} />}
      </div>
    </WalletPage>
  );
};

type ChargeProps = {
  visit: PersonalVisit;
  charge: Charge;
  checkout: Checkout;
  installment: Installment;
  installmentPath: string;
  earnedCashback: number;
};

/** Returns the cashback that the installment earned by on-time payment, or 0 if the cashback was reversed. */
async function readEarnedCashback({ api }: PersonalVisit, { status, id }: Installment): Promise<number> {
  if (status !== 'paid') return 0;
  const { data } = await api.listCashbackEntries({ query: { limit: 100 } });
  const newestEntry = data.find(
    ({ kind, installment_id }) => installment_id === id && (kind === 'earned' || kind === 'reversed'),
  );
  return newestEntry?.kind === 'earned' ? newestEntry.amount : 0;
}

function PendingCharge({ visit, charge: { value, qr_code, br_code, expires_at } }: ChargeProps) {
  const { now, path, readQuery } = visit;
  return (
    <div class="panel pix">
      <p class="figure-big">{formatReais(value)}</p>
      <BankCode
        label="PIX copia e cola"
        copyText="Copiar código PIX"
        code={br_code}
        qrCode={qr_code}
        qrText="QR code deste PIX"
        steps={['Abra o aplicativo do seu banco e escolha pagar com PIX.', 'Confirme o pagamento.']}
      />
      <Waiting expiresAt={expires_at} now={now}>
        Aguardando o pagamento. O código vale até {formatLastMinuteBefore(expires_at)}
      </Waiting>
      <p class="resend">
        <a href={`${path}?verificado=sim#verificado`}>Já paguei, verificar agora</a>
      </p>
      {readQuery('verificado') && (
        <p id="verificado" class="note" role="status">
          Às {formatClockTime(now.toISOString())} ainda não recebemos este Pix. A confirmação do banco costuma
          levar segundos e aparece aqui sozinha. Se o valor já saiu da sua conta, não pague de novo.
        </p>
      )}
    </div>
  );
}

function PaidCharge({ charge, checkout, installment, earnedCashback }: ChargeProps) {
  const { value, paid: paidAmount, type } = charge;
  const { status, due_on, total_due, number } = installment;
  const hasUnpaidInstallment = checkout.installments.some((other) => other.status !== 'paid');
  // A payment of another amount does not extend the installment.
  const isExtended = type === 'extend' && installment.extensions > 0 && paidAmount === value;
  return (
    <DonePanel
      title={`Recebemos ${formatReais(paidAmount)}.`}
      lead={
        isExtended
          ? `Parcela prorrogada: o novo vencimento é ${formatShortDay(due_on)}.`
          : status === 'paid'
            ? `A ${number}ª parcela está paga. Obrigado!`
            : `Obrigado! Ainda faltam ${formatReais(total_due)} da ${number}ª parcela.`
      }
    >
      {paidAmount > value && (
        <p>
          O código era de {formatReais(value)}. O valor pago a mais será devolvido automaticamente à sua
          conta.
        </p>
      )}
      {earnedCashback > 0 && (
        <p class="earned">
          <Coin /> {formatReais(earnedCashback)} voltaram em cashback
        </p>
      )}
      {checkout.status === 'paid' && <p>Você quitou toda a compra.</p>}
      <p class="actions">
        <LinkButton href={buildPurchasePath(checkout.hash)}>
          {hasUnpaidInstallment ? 'Ver a compra' : 'Ver a compra quitada'}
        </LinkButton>
        <QuietLink href={`/carteira/comprovantes/${charge.id}`}>Comprovante (PDF)</QuietLink>
        <QuietLink href="/carteira/cashback">Ver o cashback</QuietLink>
      </p>
    </DonePanel>
  );
}

const CLOSED_TEXTS = {
  expired: {
    title: 'Este código venceu.',
    text: 'O valor pode ter mudado: gere um código novo com o valor de hoje. Se você acabou de pagar, aguarde: o pagamento será reconhecido, e o que passar do devido será devolvido automaticamente.',
  },
  cancelled: {
    title: 'Este código não vale mais.',
    text: 'A parcela já foi paga de outra forma, ou você gerou um código mais novo. Se este for pago, o que passar do devido será devolvido automaticamente.',
  },
} as const;

function ClosedCharge({ charge, installment, installmentPath }: ChargeProps) {
  const { title, text } = CLOSED_TEXTS[charge.status as keyof typeof CLOSED_TEXTS];
  const settleOption = findSettleOption(installment);
  return (
    <div class="panel pix-closed">
      <h2>{title}</h2>
      <p class="lead">{text}</p>
      {settleOption && (
        <ButtonForm
          action={`${installmentPath}/pix`}
          text={`Gerar PIX de ${formatReais(settleOption.value)}`}
          values={buildPixFormValues(settleOption)}
        />
      )}
      <p>
        <a href={installmentPath}>Ver a parcela</a>
      </p>
    </div>
  );
}
