import type { ComponentChildren } from 'preact';
import type { components } from '#client';
import type { Flash, PersonalVisit } from '../server/visit.ts';
import { inReais, plural, showPhone } from '../text/format.ts';
import { Submit } from './buttons.tsx';
import { Field } from './field.tsx';
import { FormAlert } from './form-alert.tsx';
import { Line } from './parts.tsx';
import { Cet, Schedule } from './schedule.tsx';

type Quote = components['schemas']['Quote'];

/** A form with an idempotency key: submitted twice, it takes effect once. */
export function PostForm(props: {
  visit: Pick<PersonalVisit, 'formKey'>;
  action: string;
  class?: string;
  id?: string;
  /** What is typed outlives a lost connection, in this tab: see browser/keep.ts. */
  keep?: boolean | 'sending';
  /** It has files. */
  isUpload?: boolean;
  children: ComponentChildren;
}) {
  const { visit, action, id, keep, isUpload, children } = props;
  const files = isUpload ? { encType: 'multipart/form-data' } : {};
  return (
    <form
      action={action}
      method="post"
      class={props.class}
      id={id}
      data-once
      data-keep={keep}
      noValidate
      {...files}
    >
      <input type="hidden" name="chave" value={visit.formKey()} />
      {children}
    </form>
  );
}

/** A form that is only its button. */
export const ButtonForm = (props: {
  visit: Pick<PersonalVisit, 'formKey'>;
  action: string;
  text: string;
  quiet?: boolean;
  wide?: boolean;
}) => {
  const { visit, action, text, ...look } = props;
  return (
    <PostForm visit={visit} action={action}>
      <Submit {...look}>{text}</Submit>
    </PostForm>
  );
};

/** The alert of a form with faults, and the note of the flash. */
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

/**
 * Attributes of what browser/personal.ts replaces when its state has changed. `stream`: where it hears of that, while there is
 * something to wait for.
 */
export const watched = (id: string, state: string, stream: string | false) => ({
  id,
  tabIndex: -1,
  'aria-live': 'polite' as const,
  'data-state': state,
  ...(stream && { 'data-stream': stream }),
});

/** The fields of a form with the typed values and their errors; the first wrong one gets the focus. */
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

/** The cost of a purchase, shown before it is accepted: CET first (CDC art. 54-B). */
export function Costs({ quote }: { quote: Quote }) {
  const { amount, total, cost, terms, installments, cashback_if_on_time } = quote;
  return (
    <>
      <dl class="totals">
        <Line name="Valor da compra" value={inReais(amount)} />
        <Line name="Custo do crédito" value={cost === 0 ? 'nenhum' : inReais(cost)} />
        <Cet terms={terms} />
        <Line name="Total a pagar" value={inReais(total)} isTotal />
        {cashback_if_on_time > 0 && (
          <Line name="Cashback, pagando em dia" value={`até\u00a0${inReais(cashback_if_on_time)}`} />
        )}
      </dl>
      <Schedule caption="Parcelas" heading="Parcela" installments={installments} />
    </>
  );
}

/** The head of a step of signing in or up: what to do, and why. */
export const DoorHead = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <>
    <h1>{title}</h1>
    <p class="muted">{children}</p>
  </>
);

export const CodeSent = ({ phone }: { phone: string }) => (
  <>
    Enviamos um SMS para <b>{showPhone(phone)}</b>. O código vale por 5 minutos.
  </>
);

/** A code of six digits; phones offer to fill it in from the message. */
export const CodeField = (props: {
  name?: string;
  label?: string;
  value?: string | undefined;
  error?: string | undefined;
  focus?: boolean;
}) => (
  <Field
    name="code"
    label="Código de 6 números"
    {...props}
    inputmode="numeric"
    autocomplete="one-time-code"
    maxLength={7}
  />
);

/** Requests another code and keeps what was typed. It comes after the form's own button, which Enter presses. */
export const ResendButton = ({ action }: { action: string }) => (
  <p class="resend">
    <span class="muted">O código não chegou?</span>{' '}
    <button class="link" type="submit" formAction={action}>
      Enviar outro código
    </button>
  </p>
);

export const weeks = (n: number) => plural(n, 'semana', 'semanas');
