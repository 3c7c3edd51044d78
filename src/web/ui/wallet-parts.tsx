import type { ComponentChildren } from 'preact';
import type { components } from '#client';
import { dueWords, inReais, plural, shortDay } from '../site/format.ts';
import type { Flash, WalletVisit } from '../wallet/visit.ts';
import { Field } from './field.tsx';
import { FormAlert } from './form-alert.tsx';
import { Check } from './icons.tsx';
import { Cet, Schedule } from './schedule.tsx';

export type Checkout = components['schemas']['Checkout'];
export type CheckoutItem = components['schemas']['CheckoutItem'];
export type Installment = components['schemas']['Installment'];
export type Quote = components['schemas']['Quote'];

/** A form that is sent once: its key makes two of it one. */
export function PostForm(props: {
  visit: Pick<WalletVisit, 'formKey'>;
  action: string;
  class?: string;
  id?: string;
  children: ComponentChildren;
}) {
  const { visit, action, id, children } = props;
  return (
    <form action={action} method="post" class={props.class} id={id} data-once noValidate>
      <input type="hidden" name="chave" value={visit.formKey()} />
      {children}
    </form>
  );
}

/** What is wrong with all of it, or that something is; else what there is to say. */
export function Said({ flash }: { flash: Flash | undefined }) {
  if (!flash) return null;
  const { faults, note } = flash;
  return (
    <>
      {faults && <FormAlert faults={faults} />}
      {note && (
        <p class="note" role="status">
          {note}
        </p>
      )}
    </>
  );
}

/** The fields of a form as they were typed, with what is wrong; the first wrong one has the focus. */
export function fieldsOf(flash: Flash | undefined, defaults: Record<string, string | undefined> = {}) {
  const faults = flash?.faults ?? {};
  const first = Object.keys(faults).find((name) => name !== 'form');
  return (name: string) => ({
    name,
    value: flash?.values?.[name] ?? defaults[name],
    error: faults[name],
    focus: name === first,
  });
}

export const STATUS = {
  open: { text: 'Em dia', tone: 'open' },
  overdue: { text: 'Atrasada', tone: 'late' },
  paid: { text: 'Paga', tone: 'paid' },
} as const;

export const Status = ({ status }: { status: keyof typeof STATUS }) => (
  <span class={`status ${STATUS[status].tone}`}>{STATUS[status].text}</span>
);

/** What falls due first of what is not paid; one that was extended may come after others. */
export const nextOf = (installments: Installment[]): Installment | undefined =>
  installments
    .filter(({ status }) => status !== 'paid')
    .toSorted((a, b) => a.due_on.localeCompare(b.due_on))[0];

/** What settles it now: with what is due for being late, or less what comes off for being early. */
export function settling({ status, pix_options }: Installment): { type: string; value: number } | undefined {
  const kind = status === 'overdue' ? 'settle_with_penalty' : 'settle';
  return pix_options.find((option) => option.type === kind) as { type: string; value: number } | undefined;
}

export const isReturned = ({ amount, returned }: Installment) => returned >= amount;

/** Every week of a purchase; each leads to its installment. */
export function Timeline({ checkout, now }: { checkout: Checkout; now: Date }) {
  const { hash, installments } = checkout;
  const next = nextOf(installments)?.number;
  return (
    <ol class="weeks timeline">
      {installments.map((installment) => {
        const { number, status, due_on, total_due, paid, extensions } = installment;
        const isPaid = status === 'paid';
        const tone = isPaid ? 'done' : status === 'overdue' ? 'late' : number === next ? 'now' : '';
        return (
          <li key={number} class={tone}>
            <span class="dot">{isPaid && <Check />}</span>
            <span>
              <a class="cover" href={`/carteira/compras/${hash}/${number}`}>
                {number}ª parcela
              </a>
              <small>
                {isPaid
                  ? isReturned(installment)
                    ? 'Devolvida'
                    : 'Paga'
                  : shortDay(due_on) +
                    (tone && ` · ${dueWords(due_on, now)}`) +
                    (extensions > 0 ? ' · prorrogada' : '')}
              </small>
            </span>
            <span class="amount">{inReais(isPaid ? paid : total_due)}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** What a purchase costs, before the yes: CET first (CDC art. 54-B). */
export function Costs({ quote }: { quote: Quote }) {
  const { amount, total, cost, terms, installments, cashback_if_on_time } = quote;
  return (
    <>
      <dl class="totals">
        <div>
          <dt>Valor da compra</dt>
          <dd>{inReais(amount)}</dd>
        </div>
        <div>
          <dt>Custo do crédito</dt>
          <dd>{cost === 0 ? 'nenhum' : inReais(cost)}</dd>
        </div>
        <Cet terms={terms} />
        <div class="total">
          <dt>Total a pagar</dt>
          <dd>{inReais(total)}</dd>
        </div>
        {cashback_if_on_time > 0 && (
          <div>
            <dt>Cashback, pagando em dia</dt>
            <dd>
              até{'\u00a0'}
              {inReais(cashback_if_on_time)}
            </dd>
          </div>
        )}
      </dl>
      <Schedule caption="Parcelas" heading="Parcela" installments={installments} />
    </>
  );
}

/** Six digits. A phone offers them from the message. */
export const CodeField = ({
  name = 'code',
  label = 'Código de 6 números',
  error,
  value,
  focus,
}: {
  name?: string;
  label?: string;
  error?: string | undefined;
  value?: string | undefined;
  focus?: boolean;
}) => (
  <Field
    {...{ name, label, error, value, focus }}
    inputmode="numeric"
    autocomplete="one-time-code"
    maxLength={7}
  />
);

/** Another code, with what was typed beside it. Stands after the form's own button, which Enter presses. */
export const ResendButton = ({ action }: { action: string }) => (
  <p class="resend">
    <span class="muted">O código não chegou?</span>{' '}
    <button class="link" type="submit" formAction={action}>
      Enviar outro código
    </button>
  </p>
);

export const weeks = (n: number) => plural(n, 'semana', 'semanas');
